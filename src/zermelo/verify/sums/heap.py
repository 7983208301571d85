"""The checker of nim-values of heap games and of periods, by NumPy alone.

A value is right if it is the mex of its options: no option has the value, and every smaller number
is the value of an option. The first part is checked for whole blocks of heaps, pair by pair. Choose
a mask. If parity(G(n) & mask) is odd, then only splits that contain a heap of even parity can have
the value G(n). The second part is checked by marking options until no number is missing. If a code
allows splits into three heaps, or has infinitely many digits, then every heap is checked in full.

Heaps are checked in the order of their sizes, and arrays have room for the values that were found
right so far. A file that claims a large value for a small heap takes no more memory than others.

The theorems are those of :mod:`zermelo.sums.heaps.period`; the code of the search for a period is
not used here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray, Int64Array

if TYPE_CHECKING:
    from zermelo.sums.heaps.code import Code
    from zermelo.sums.heaps.period import Period

MAX_HEAPS_OF_BLOCK = 4096
"""The largest number of heaps that are checked together."""

MAX_ARRAY_SIZE = 1 << 24
"""The largest size of an array with a row for each heap of a block, if it has several rows."""

PAIRS_BETWEEN_LOOKS = 16
"""After this many pairs, heaps with no missing number leave the block."""


def check_period(period: "Period") -> None:
    """Raise CertificateError unless the values are right and prove the period."""
    code, values = period.code, np.asarray(period.values, np.int64)
    n0, p, s, q = period.preperiod, period.period, period.saltus, period.start
    k, most = len(code.digits) - 1, 1
    if not (p >= 1 and s >= 0 and 0 <= n0 <= q and q >= 1):
        _fail(f"expected 1 ≤ period and pre-period ≤ start, got {p}, {n0}, {q}")
    if code.tail == 0:
        for d in code.digits:
            most = max(most, 3 if d & 8 else 2 if d & 4 else 1)
        stop = most * q + (most - 1) * p + k + (p if code.unequal else 0)
        if s:
            _fail(f"a finite code is proved to be periodic only with saltus 0, got {s}")
    else:
        stop = q + k
        if code.tail not in (2, 3) or any(d > 3 for d in code.digits):
            _fail(f"no theorem proves a period of {code}")
    if values.size < max(stop, q) + p:
        _fail(f"expected values up to {max(stop, q) + p - 1}, got {values.size}")
    check_values(code, values)
    if code.tail:
        low = slice(0 if code.tail & 1 else 1, None)
        before, after = set(values[:q][low].tolist()), set(values[: q + p][low].tolist())
        if s > len(after) or after != {*range(s), *(s + x for x in before)}:
            _fail(f"the values below {q} and {q + p} do not prove the period")
    wrong = np.flatnonzero(values[n0 + p : max(stop, q) + p] != values[n0 : max(stop, q)] + s)
    if wrong.size:
        n = n0 + int(wrong[0])
        _fail(f"the heap of {n + p} has value {values[n + p]}, not {values[n]} + {s} as of {n}")
    if n0 and values[n0 - 1 + p] == values[n0 - 1] + s:
        _fail(f"the pre-period is not the least: the heap of {n0 - 1} fits, too")
    for d in range(1, p):
        if p % d == 0 and s * d % p == 0 and _repeats(values[q : q + p], d, s):
            _fail(f"the period is not the least: {d} is one")


def _repeats(row: Int64Array, d: int, s: int) -> bool:
    """Whether a row of values that grow by s from row to row has a shorter period d."""
    grown = np.concatenate((row[d:], row[:d] + s))
    return bool((grown == row + s * d // row.size).all())


def check_values(code: "Code", values: Int64Array) -> None:
    """Raise CertificateError unless values[n] is the mex of the options of n, for all n."""
    values = np.asarray(values, np.int64)
    if values.size and values.min() < 0:
        _fail("a value is out of range")
    if code.tail or max(code.digits) > 7:
        _check_one_by_one(code, values)
        return
    even = _even(values)
    lo = 0
    # Invariant: the values of the heaps below lo are right.
    while lo < values.size:
        most = _span(int(values[:lo].max(initial=0)))
        hi = min(values.size, lo + max(1, min(MAX_HEAPS_OF_BLOCK, MAX_ARRAY_SIZE // (most + 1))))
        beyond = np.flatnonzero(values[lo:hi] > most)
        hi = lo + int(beyond[0]) if beyond.size else hi
        if hi == lo:
            _fail(f"the heap of {lo} has value {values[lo]}, and its options have less than {most}")
        _check_block(code, values, even, lo, hi)
        lo = hi


def _span(largest: int) -> int:
    """A power of two that no nim-sum of numbers up to ``largest`` reaches."""
    return 1 << largest.bit_length()


def _even(values: Int64Array) -> BoolArray:
    """The heaps whose value has even parity under a mask that leaves few such heaps.

    It is the best mask among those below the number of heaps.
    """
    size = max(2, _span(min(int(values.max(initial=0)), values.size)))
    # After each step sums[m] counts, among values that agree above the bits done so far, those of
    # even parity under m minus those of odd parity.
    sums, half = np.bincount(values & (size - 1), minlength=size), 1
    while half < size:
        pairs = sums.reshape(-1, 2, half)
        sums = np.stack((pairs.sum(1), pairs[:, 0] - pairs[:, 1]), 1).reshape(-1)
        half *= 2
    parity = values & (1 + int(np.argmin(sums[1:])))
    for shift in (32, 16, 8, 4, 2, 1):
        parity = parity ^ parity >> shift
    even: BoolArray = parity & 1 == 0
    return even


def _check_block(code: "Code", values: Int64Array, even: BoolArray, lo: int, hi: int) -> None:
    """Check the heaps lo, …, hi − 1 of a code that splits into at most two heaps."""
    heaps = np.arange(lo, hi)
    goal = values[lo:hi]
    missing = np.arange(goal.max() + 1) < goal[:, None]
    splits = [i for i, d in enumerate(code.digits) if d & 4]

    def see(rows: Int64Array, w: Int64Array) -> None:
        hit = np.flatnonzero(w == goal[rows])
        if hit.size:
            n = heaps[rows[hit[0]]]
            _fail(f"the heap of {n} has an option of its own value {values[n]}")
        small = w < goal[rows]
        missing[rows[small], w[small]] = False

    def see_pairs(rows: Int64Array, first: "Int64Array | int", i: int) -> None:
        rest = heaps[rows] - i
        a = np.broadcast_to(first, rows.shape)
        legal = (a >= 1) & (a < rest)
        if code.unequal:
            legal &= 2 * a != rest
        see(rows[legal], values[a[legal]] ^ values[rest[legal] - a[legal]])

    for i, d in enumerate(code.digits):
        if d & 1 and lo <= i < hi:
            see(np.array([i - lo]), np.zeros(1, np.int64))
        if d & 2:
            rows = np.arange(max(0, i + 1 - lo), hi - lo)
            see(rows, values[heaps[rows] - i])
    if splits:
        everything = np.arange(hi - lo)
        for a in np.flatnonzero(even[:hi]).tolist():
            for i in splits:
                see_pairs(everything, a, i)
        for row in np.flatnonzero(even[lo:hi]).tolist():  # any split may have their value
            for i in splits:
                first = np.arange(1, max(1, (lo + row - i) // 2 + 1))
                see_pairs(np.full(first.size, row), first, i)
    rows = np.flatnonzero(missing.any(1))
    step = 1
    while rows.size and splits and step <= hi:
        for a in range(step, step + PAIRS_BETWEEN_LOOKS):
            for i in splits:
                see_pairs(rows, a, i)
                see_pairs(rows, (heaps[rows] - i) // 2 - a + 1, i)
        step += PAIRS_BETWEEN_LOOKS
        rows = rows[missing[rows].any(1)]
    if rows.size:
        n, w = heaps[rows[0]], int(missing[rows[0]].argmax())
        _fail(f"the heap of {n} has value {values[n]} and no option of value {w}")


def _check_one_by_one(code: "Code", values: Int64Array) -> None:
    """Check every heap in full, for any code."""
    always = np.zeros(2, bool)
    # Invariant: the values of the heaps below n are right, and less than half the size of always.
    for n, value in enumerate(values.tolist()):
        seen = np.zeros(always.size, bool)
        for i, d in enumerate(code.digits[: n + 1]):
            _mark(code, values, n - i, d, seen)
        if n >= len(code.digits):
            _mark(code, values, n - len(code.digits), code.tail, always)
        mex = int(np.argmin(seen | always))
        if mex != value:
            _fail(f"the heap of {n} has value {mex}, not {value}")
        if 2 * _span(value) > always.size:
            always = np.append(always, np.zeros(2 * _span(value) - always.size, bool))


def _mark(code: "Code", values: Int64Array, rest: int, digit: int, seen: BoolArray) -> None:
    if digit & 1 and rest == 0:
        seen[0] = True
    if digit & 2 and rest:
        seen[values[rest]] = True
    if digit & 4 and rest > 1:
        a = np.arange(1, rest)
        if code.unequal:
            a = a[2 * a != rest]
        seen[values[a] ^ values[rest - a]] = True
    if digit & 8:
        for b in range(1, rest - 1):
            a = np.arange(1, rest - b)
            seen[values[b] ^ values[a] ^ values[rest - b - a]] = True


def check_rule_values(options: Callable[[int], Iterable[Sequence[int]]], values: AnyArray) -> None:
    """Raise CertificateError unless each value is the mex over the options that a rule lists.

    >>> check_rule_values(lambda n: [(a,) for a in range(n)], np.array([0, 1, 2]))
    """
    known = values.tolist()
    for n, value in enumerate(known):
        seen = set()
        for option in options(n):
            total = 0
            for heap in option:
                total ^= known[heap]
            seen.add(total)
        mex = next(k for k in range(len(seen) + 1) if k not in seen)
        if mex != value:
            _fail(f"the heap of {n} has value {mex}, not {value}")


def _fail(message: str) -> NoReturn:
    raise CertificateError(message)
