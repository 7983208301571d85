"""Nim-values of heap games: the mex of all options, with splits through the sparse space.

A heap of n may lose i tokens where the code's digit dᵢ has a bit: 1, nothing is left; 2, one heap
is left; 4, two heaps are left; 8, three. Because of the splits the time is quadratic. The sparse
space of [BerlekampConwayGuy2001] ch. 4 reduces the number of splits to examine, as in
[GangolliPlambeck1989]:

**Why the values are exact.** Fix a mask m and a bit e, and call a heap a *rare* if
λ(a) = parity(G(a) & m) ⊕ (a & e) is 0, else *common*. Two common heaps of a + b = M have
λ(a) ⊕ λ(b) = 0, so the parity of (G(a) ⊕ G(b)) & m is M & e: values of the other parity, the
*listed* ones, come only from pairs with a rare heap. These pairs alone give every listed option,
and so the least listed value c that is no option. The nim-value is c, or a smaller unlisted value
that is no option. To decide this, the other pairs are examined until every smaller unlisted value
has occurred, or to the end. No property of the game is used: if a mask does not fit, the
computation takes longer, but the values are still right. With e = 1 all splits must take numbers of
one parity, so that M & e is one bit.

O(n·(r + s)) for r rare heaps and s further pairs that are examined; O(n²) without a sparse space.
All splits into three heaps are examined: O(n³).

Differs from the papers: the masks are chosen again at each power of two, and the parity of the heap
is used as one more bit, as in Flammenkamp's tables.
"""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array, UInt32Array

# Slots of the ``state`` array: the next heap, where to stop, how many rare heaps there are, whether
# there is a mask, the bit e, the parity of the numbers that all splits take, and after how many
# steps (pairs examined, about) a call pauses.
NEXT, STOP, RARE, SPARSE, POSITION, SPLIT, BUDGET = 0, 1, 2, 3, 4, 5, 6
STATE_SIZE = 7

DONE, PAUSED, CROWDED = 0, 1, 2
"""What a call returns: all values are computed; the budget is used up; a value may be too large for
``stamp``."""

CHUNK = 32
"""How many pairs a scan takes from one end of one split before it continues with the next split."""


@kernel
def stamp_rest(
    value: UInt32Array, stamp: Int32Array, rest: int, digit: int, mark: int, unequal: bool
) -> int:
    """Set ``stamp`` to ``mark`` at the values of all ways to leave ``rest`` tokens by a digit.

    Returns the number of steps.
    """
    if rest == 0:
        if digit & 1:
            stamp[0] = mark
        return 1
    steps = 1
    if digit & 2:
        stamp[value[rest]] = mark
    if digit & 4:
        last = (rest - 1) // 2 if unequal else rest // 2
        b = rest
        for a in range(1, last + 1):
            b -= 1
            stamp[value[a] ^ value[b]] = mark
        steps += last
    if digit & 8:
        for a in range(1, rest // 3 + 1):
            for b in range(a, (rest - a) // 2 + 1):
                stamp[value[a] ^ value[b] ^ value[rest - a - b]] = mark
        steps += rest * rest // 12
    return steps


@kernel
def heap_values(
    value: UInt32Array,
    take: Int64Array,
    digit: Int64Array,
    stamp: Int32Array,
    always: Int32Array,
    odd: Int8Array,
    rare: Int32Array,
    state: Int64Array,
    rule: tuple[int, int, bool],
) -> int:
    """Fill ``value[state[NEXT]:state[STOP]]``; return DONE, PAUSED or CROWDED.

    Values are unsigned, so that the compiled code needs no test for negative indices in every pair.
    ``take`` has the numbers of tokens whose digit is not 0, increasing, and ``digit`` has these
    digits. ``rule`` is the number from which on all digits are ``tail``, that digit, and whether
    two heaps must be unequal. The length of ``stamp``, ``always`` and ``odd`` is a power of two
    above all values so far; where that is too short the result is CROWDED, and the caller calls
    again with longer arrays. ``odd[w]`` is the parity of w & mask, ``rare[:state[RARE]]`` are the
    rare heaps in order.
    """
    tail_from, tail, unequal = rule
    sparse, position, split = state[SPARSE], state[POSITION], state[SPLIT]
    size, budget = len(stamp), state[BUDGET]
    n, stop, r, steps = state[NEXT], state[STOP], state[RARE], 0
    # Invariant: value[:n] are nim-values, rare[:r] the rare heaps among 1 … n − 1, stamp[w] < n,
    # and always[w] says whether w is an option of every heap from n − 1 on.
    while n < stop and steps <= budget:
        if tail and n >= tail_from:
            steps += stamp_rest(value, always, n - tail_from, tail, 1, unequal)
        splits = 0
        for k in range(len(take)):
            rest = n - take[k]
            if rest < 0:
                break
            if sparse and digit[k] & 4:
                splits += 1
                steps += stamp_rest(value, stamp, rest, digit[k] ^ 4, n, unequal)
                for j in range(r):
                    a = rare[j]
                    if a >= rest:
                        break
                    if not (unequal and 2 * a == rest):
                        stamp[value[a] ^ value[rest - a]] = n
                steps += r
            else:
                steps += stamp_rest(value, stamp, rest, digit[k], n, unequal)
        # Every listed option is stamped. c becomes the least listed value that is no option, and
        # missing counts the unlisted values below c that are not stamped.
        unlisted = (n - split) & position
        c, missing = 0, 0
        while c < size:
            if stamp[c] < n and always[c] == 0:
                if splits == 0 or odd[c] != unlisted:
                    break
                missing += 1
            c += 1
        if c == size:
            state[NEXT], state[RARE] = n, r
            return CROWDED
        if missing:
            steps += scan_pairs(value, take, digit, stamp, always, (n, c, missing), unequal)
            c = 0
            while stamp[c] == n or always[c]:
                c += 1
        value[n] = c
        if sparse and n and odd[c] == unlisted:
            rare[r] = n
            r += 1
        steps += c + len(take)
        n += 1
    state[NEXT], state[RARE] = n, r
    return DONE if n == stop else PAUSED


@kernel
def scan_pairs(
    value: UInt32Array,
    take: Int64Array,
    digit: Int64Array,
    stamp: Int32Array,
    always: Int32Array,
    goal: tuple[int, int, int],
    unequal: bool,
) -> int:
    """Stamp values of splits of n until all values below c are options, or no split is left.

    ``goal`` is n, c and how many values below c are missing; returns the number of steps.
    """
    n, c, missing = goal
    # Invariant: ``missing`` values below c are neither stamped nor options of every heap. The
    # numbers to take and the two ends of the splits are taken in turn, because some values need a
    # small heap, and 0 may need equal halves.
    for begin in range(0, n // 4 + 1, CHUNK):
        for k in range(len(take)):
            rest = n - take[k]
            if rest < 2:
                break
            if digit[k] & 4 == 0:
                continue
            last = (rest - 1) // 2 if unequal else rest // 2
            half = (last + 1) // 2
            for j in range(2 * begin, 2 * min(begin + CHUNK, half)):
                a = last - (j >> 1) if j & 1 else (j >> 1) + 1
                w = value[a] ^ value[rest - a]
                if stamp[w] < n:
                    stamp[w] = n
                    if w < c and always[w] == 0:
                        missing -= 1
                        if missing == 0:
                            return (begin + CHUNK) * 2 * len(take)
    return n * len(take)


@kernel
def repeats(sequence: Int32Array, length: Int32Array) -> None:
    """Fill ``length[p]`` with the length on which ``sequence`` agrees with itself shifted by p.

    This is Gusfield's Z-algorithm, in linear time: length[p] is the greatest L such that
    sequence[:L] = sequence[p : p + L].
    """
    n = len(sequence)
    left, right = 0, 0
    if n:
        length[0] = n
    for p in range(1, n):
        # Invariant: sequence[left:right] = sequence[: right − left], and right is the greatest such
        # number so far.
        z = 0
        if p < right:
            z = min(right - p, length[p - left])
        while p + z < n and sequence[z] == sequence[p + z]:
            z += 1
        length[p] = z
        if p + z > right:
            left, right = p, p + z
