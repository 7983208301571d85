"""Values of short partizan games as numbers into arrays: compact forms, hash-consing, stops.

**Records.** ``info`` has WIDTH entries for each value. Record 0 (RAW) is the game that is being
brought to canonical form; all others are canonical forms, each of them once. Options are in
``pool``: LEFTS of Left's from START on, then RIGHTS of Right's. A *compact* form is a number plus
UP times ↑ plus a nimber, kept as these numbers; its options are written out when first needed
(START is −1 before).

**Stops.** Every record has its Left stop and Right stop, dyadic rationals num/2^exp in lowest
terms. Its flags tell whether the game is at most its Left stop (LOW) and whether it is at least its
Right stop (HIGH). So a game is compared with a number in constant time: G ≤ x iff LS(G) < x, or
LS(G) = x and G is LOW ([Siegel2013] II.3, by number avoidance). A game {L|R} is a number iff some
number lies between its options, and then it is the simplest such number.

**Identity.** ``table`` is open addressing with linear probing; an entry has a hash of 31 bits above
the number of the value, so it can be moved to a larger table without looking at its value. No
number has more than 63 bits: an operation that would make one is refused (TOO_BIG).
"""

from typing import NamedTuple

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array


class Values(NamedTuple):
    """All values that have been computed, and what is known about them."""

    info: Int64Array
    """WIDTH numbers for each value."""
    pool: Int64Array
    """The options of the values."""
    table: Int64Array
    """Values by a hash of what they are."""
    memo: Int64Array
    """Answers to questions whether a ≤ b."""
    sums: Int64Array
    """Sums of pairs of values: each pair, and its sum."""


class Buffers(NamedTuple):
    """The arrays to which a job writes while it runs."""

    stack: Int64Array
    """Frames of sums, negatives and questions that wait for the results of their parts."""
    results: Int64Array
    """The results of parts that are known, for the frames that wait."""
    options: Int64Array
    """The options of a form that is being made, Left's in the first half, Right's in the second."""


class Program(NamedTuple):
    """Positions whose options are sums of values of earlier positions.

    Position p has the sums ``left_sums[left_ptr[p]:left_ptr[p + 1]]`` as Left's options, and so for
    Right. Sum s has the terms ``terms[sum_ptr[s]:sum_ptr[s + 1]]``: 2·p is the value of position p
    and 2·p + 1 its negative.
    """

    left_ptr: Int64Array
    right_ptr: Int64Array
    left_sums: Int64Array
    right_sums: Int64Array
    sum_ptr: Int64Array
    terms: Int64Array
    values: Int64Array
    """The answer: the value of each position."""


START, LEFTS, RIGHTS, LS, LS_EXP, RS, RS_EXP, FLAGS, UP, STAR, NEG, BIRTHDAY = range(12)
"""Fields of a record."""
WIDTH = 12

NUMBER, COMPACT, LOW, HIGH = 1, 2, 4, 8
"""Bits of FLAGS."""

RAW, ZERO = 0, 1
"""The record of the game that is being brought to canonical form, and that of the number 0."""

(
    COUNT, FILLED, SERIAL, FORMS, BUDGET, NEED, NUM, EXP, JOB, FIRST, SECOND, ANSWER, RESULT, TERM,
    REST, TOTAL, LEFT, RIGHT, CHANGED, SP, VP, BASE, PENDING, PHASE, I, J, K, STEP, MAKING,
    POSITION, CURSOR, WAITING,
) = range(32)  # fmt: skip
"""Slots of ``state``; those from SP on are 0 when a job begins.

Of the store: how many records there are, how much of the pool is filled, the last serial number,
how many forms were made. Of a call: the steps that are left, how much room is needed, a dyadic
rational that a kernel returns (NUM, EXP). Of a job: which one it is, its two values, its answer if
it is a comparison, its result if it is a value. Of a position: its next term, the sum of its
compact terms (REST) and that of the others (TOTAL). Of a form that is being made: the numbers of
Left's and of Right's options, and whether some options were bypassed. Then the ends of the stack
and of the results, where a question begins and whether one is open, the phase of a form with its
counters, what is being made (MAKING), the position, its next option, and the purpose of the frame
that was opened last (WAITING).
"""
STATE_SIZE = 32

(
    DONE, PAUSE, ROOM_VALUES, ROOM_POOL, ROOM_STACK, ROOM_RESULTS, ROOM_OPTIONS, TOO_BIG, SERIALS,
) = range(9)  # fmt: skip
"""The status with which a run ends: the job is done, the budget is used up, more room is needed, a
number has more than 62 bits, or there are no serial numbers left (the memo must be emptied)."""

MASK31 = (1 << 31) - 1
LARGE = 1 << 62
FACTOR, OTHER = 1540483477, 668265261


@kernel
def mix(h: int, x: int) -> int:
    """A hash of 31 bits of two numbers of 31 bits."""
    t = h * FACTOR + x * OTHER
    return (t ^ (t >> 31)) & MASK31


@kernel
def compare(a: int, a_exp: int, b: int, b_exp: int) -> int:
    """The sign of a/2^a_exp − b/2^b_exp, both in lowest terms."""
    if a_exp == b_exp:
        return (a > b) - (a < b)
    if a_exp < b_exp:  # b is odd, so b/2^k is no integer
        return -1 if a <= b >> min(b_exp - a_exp, 62) else 1
    return -1 if a >> min(a_exp - b_exp, 62) < b else 1


@kernel
def lowest_terms(state: Int64Array, num: int, exp: int) -> None:
    """Put num/2^exp in lowest terms into ``state``."""
    if num == 0:
        exp = 0
    while exp > 0 and num & 1 == 0:
        num >>= 1
        exp -= 1
    state[NUM] = num
    state[EXP] = exp


@kernel
def add_dyadic(state: Int64Array, a: int, a_exp: int, b: int, b_exp: int) -> int:
    """Put a/2^a_exp + b/2^b_exp in lowest terms into ``state``."""
    if a == 0 or b == 0:
        state[NUM] = a + b
        state[EXP] = a_exp + b_exp
        return DONE
    exp = max(a_exp, b_exp)
    a_shift, b_shift = exp - a_exp, exp - b_exp
    if max(a_shift, b_shift) >= 62 or abs(a) > LARGE >> a_shift or abs(b) > LARGE >> b_shift:
        return TOO_BIG
    num = (a << a_shift) + (b << b_shift)
    lowest_terms(state, num, exp)
    return TOO_BIG if abs(state[NUM]) >= LARGE else DONE


@kernel
def simplest(
    state: Int64Array,
    lower: bool,
    lo: int,
    lo_exp: int,
    with_lo: bool,
    upper: bool,
    hi: int,
    hi_exp: int,
    with_hi: bool,
) -> int:
    """Put the simplest number between lo and hi into ``state``; there must be one.

    ``lower`` and ``upper`` tell whether there is a bound, ``with_lo`` and ``with_hi`` whether the
    bound itself is allowed.
    """
    state[NUM] = 0
    state[EXP] = 0
    if not lower or lo < 0 or (lo == 0 and with_lo):
        if not upper or hi > 0 or (hi == 0 and with_hi):
            return DONE
        sign = -1  # all allowed numbers are negative: find the negative of the result
        lo, lo_exp, with_lo, upper, hi, hi_exp, with_hi = (
            -hi, hi_exp, with_hi, lower, -lo, lo_exp, with_lo
        )  # fmt: skip
    else:
        sign = 1
    exp = 0
    if upper:  # below hi there is no positive multiple of 2^−e for e < hi_exp − length of hi
        t = hi
        while t > 0:
            t >>= 1
            exp += 1
        exp = max(hi_exp - exp, 1)
    # Invariant: no multiple of 2^−e for an e > 0 below exp is allowed; integers are tried first.
    e = 0
    while True:
        if e < lo_exp:
            k = (lo >> min(lo_exp - e, 62)) + 1
        elif lo == 0:
            k = 1
        elif e - lo_exp >= 62 or lo > (LARGE - 1) >> (e - lo_exp):
            return TOO_BIG
        else:
            k = (lo << (e - lo_exp)) + (0 if with_lo else 1)
        lowest_terms(state, k, e)
        sign_hi = compare(state[NUM], state[EXP], hi, hi_exp) if upper else -1
        if sign_hi < 0 or (sign_hi == 0 and with_hi):
            state[NUM] *= sign
            return TOO_BIG if k >= LARGE else DONE
        e = max(e + 1, exp)


@kernel
def ups_birthday(up: int, star: int) -> int:
    """The birthday of up·↑ + ∗star."""
    n = abs(up)
    if n == 0:
        return star
    last = star ^ ((n - 1) & 1)
    return n - 1 + (2 if last == 1 else 1 + (last ^ 1))


@kernel
def ups_not_negative(up: int, star: int) -> bool:
    """Whether up·↑ + ∗star ≥ 0."""
    return up > 1 or (up == 1 and star != 1) or (up == 0 and star == 0)


@kernel
def intern_compact(
    state: Int64Array, info: Int64Array, table: Int64Array, num: int, exp: int, up: int, star: int
) -> int:
    """The value num/2^exp + up·↑ + ∗star; −ROOM_VALUES if there is no room, or −TOO_BIG."""
    if abs(up) >= LARGE or star >= LARGE or exp >= LARGE:
        return -TOO_BIG
    tag = mix(num & MASK31, (num >> 31) & MASK31)
    tag = mix(tag, exp & MASK31)
    tag = mix(tag, mix(up & MASK31, star & MASK31))
    mask = len(table) - 1
    at = tag & mask
    while table[at]:
        if table[at] >> 32 == tag:
            value: int = table[at] & MASK31
            r = value * WIDTH
            if (
                info[r + FLAGS] & COMPACT
                and info[r + LS] == num
                and info[r + LS_EXP] == exp
                and info[r + UP] == up
                and info[r + STAR] == star
            ):
                return value
        at = (at + 1) & mask
    if (state[COUNT] + 1) * WIDTH > len(info):
        state[NEED] = 1
        return -ROOM_VALUES
    value = state[COUNT]
    r = value * WIDTH
    whole = abs(num) if exp == 0 else (abs(num) >> min(exp, 62)) + 1 + exp
    flags = COMPACT
    if up == 0 and star == 0:
        flags |= NUMBER
    if ups_not_negative(up, star):
        flags |= HIGH
    if ups_not_negative(-up, star):
        flags |= LOW
    info[r + START] = -1
    info[r + LEFTS] = 0
    info[r + RIGHTS] = 0
    info[r + LS] = num
    info[r + LS_EXP] = exp
    info[r + RS] = num
    info[r + RS_EXP] = exp
    info[r + FLAGS] = flags
    info[r + UP] = up
    info[r + STAR] = star
    info[r + NEG] = -1
    info[r + BIRTHDAY] = whole + ups_birthday(up, star)
    table[at] = (tag << 32) | value
    state[COUNT] = value + 1  # the last step: if it is interrupted earlier, it can be repeated
    return value


@kernel
def unfold(
    state: Int64Array, info: Int64Array, pool: Int64Array, table: Int64Array, value: int
) -> int:
    """Write the options of a value to the pool, if they are not there yet."""
    r = value * WIDTH
    if info[r + START] >= 0:
        return DONE
    num, exp, up, star = info[r + LS], info[r + LS_EXP], info[r + UP], info[r + STAR]
    most = star + 2 if up == 0 else 2
    if (state[COUNT] + most) * WIDTH > len(info):
        state[NEED] = most
        return ROOM_VALUES
    start = state[FILLED]
    if start + 2 * most > len(pool):
        state[NEED] = 2 * most
        return ROOM_POOL
    number = up == 0 and star == 0
    odd = star == 1 and abs(up) == 1  # ↑∗ = {0,∗|0}
    lefts = rights = 1  # ↑n∗m = {0 | ↑(n−1)∗(m⊕1)}
    if number:
        lefts, rights = int(exp > 0 or num > 0), int(exp > 0 or num < 0)
    elif up == 0:
        lefts = rights = star
    elif odd:
        lefts, rights = (2, 1) if up > 0 else (1, 2)
    for i in range(lefts + rights):
        mine = i < lefts
        up_i, star_i = 0, i if mine else i - lefts
        if number:
            lowest_terms(state, num - 1 if mine else num + 1, exp)
        else:
            state[NUM], state[EXP] = num, exp
            if up != 0 and not odd and mine == (up < 0):
                up_i, star_i = up + 1 if up < 0 else up - 1, star ^ 1
        pool[start + i] = intern_compact(state, info, table, state[NUM], state[EXP], up_i, star_i)
    info[r + LEFTS] = lefts
    info[r + RIGHTS] = rights
    info[r + START] = start
    state[FILLED] = start + lefts + rights
    return DONE


@kernel
def rehash(old: Int64Array, new: Int64Array) -> None:
    """Put all entries of a table into a larger one, which is empty."""
    mask = len(new) - 1
    for i in range(len(old)):
        if old[i]:
            at = (old[i] >> 32) & mask
            while new[at]:
                at = (at + 1) & mask
            new[at] = old[i]
