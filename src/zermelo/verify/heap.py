"""Check nim-values of heap games, and periods, by NumPy alone.

Values are right if each is the mex of its options: no option has the value, and every smaller
number is an option's value. The first is checked for whole blocks of heaps at once, pair by pair:
choose a mask; where parity(G(n) & mask) is odd, only splits with one heap of even parity can have
the value G(n). The second is checked by marking options until nothing is missing. Where codes
split into three heaps or have infinitely many digits every heap is looked at in full.

The theorems are those of :mod:`zermelo.sums.heap_period`; nothing of the search for a period is
used here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray, Int64Array

if TYPE_CHECKING:
    from zermelo.sums.heap_code import Code
    from zermelo.sums.heap_period import Period

BLOCK = 4096
"""Heaps that are looked at together."""

ROUND = 16
"""Pairs that a block goes through before heaps with nothing missing leave it."""


def check_period(period: "Period") -> None:
    """Raise CertificateError unless the period is proved by its values, and these are right."""
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
        if after != {*range(s), *(s + x for x in before)}:
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
    if values.size and (values.min() < 0 or values.max() > values.size * values.size):
        _fail("a value is out of range")
    if code.tail or max(code.digits) > 7:
        _check_one_by_one(code, values)
        return
    even = _even(values)
    for lo in range(0, values.size, BLOCK):
        _check_block(code, values, even, lo, min(lo + BLOCK, values.size))


def _even(values: Int64Array) -> BoolArray:
    """The heaps whose value has an even number of bits in the mask that makes them fewest."""
    size = 1 << max(1, int(values.max(initial=0)).bit_length())
    counts = np.bincount(values, minlength=size)
    parity = np.zeros((1, 1), bool)  # of w & m, for all w and m
    while len(parity) < size:
        parity = np.block([[parity, parity], [parity, ~parity]])
    even: BoolArray = ~parity[1 + int(np.argmax(parity[1:] @ counts))][values]
    return even


def _check_block(code: "Code", values: Int64Array, even: BoolArray, lo: int, hi: int) -> None:
    """Check the heaps lo, …, hi − 1 of a code that splits into two heaps at most."""
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
        for row in np.flatnonzero(even[lo:hi]).tolist():  # these may have any split's value
            for i in splits:
                first = np.arange(1, max(1, (lo + row - i) // 2 + 1))
                see_pairs(np.full(first.size, row), first, i)
    rows = np.flatnonzero(missing.any(1))
    step = 1
    while rows.size and splits and step <= hi:
        for a in range(step, step + ROUND):
            for i in splits:
                see_pairs(rows, a, i)
                see_pairs(rows, (heaps[rows] - i) // 2 - a + 1, i)
        step += ROUND
        rows = rows[missing[rows].any(1)]
    if rows.size:
        n, w = heaps[rows[0]], int(missing[rows[0]].argmax())
        _fail(f"the heap of {n} has value {values[n]} and no option of value {w}")


def _check_one_by_one(code: "Code", values: Int64Array) -> None:
    """Check every heap in full, whatever the code."""
    size = 2 << max(1, int(values.max(initial=0)).bit_length())
    always = np.zeros(size, bool)
    for n, value in enumerate(values.tolist()):
        seen = np.zeros(size, bool)
        for i, d in enumerate(code.digits[: n + 1]):
            _mark(code, values, n - i, d, seen)
        if n >= len(code.digits):
            _mark(code, values, n - len(code.digits), code.tail, always)
        mex = int(np.argmin(seen | always))
        if mex != value:
            _fail(f"the heap of {n} has value {mex}, not {value}")


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
