"""The canonical form of {L|R}: dominated options are deleted, reversible options are bypassed.

Each form is stored once. The options are in ``options``, Left's in the first half, Right's in the
second. If a number lies between them, the game is the simplest such number. Otherwise its stops are
known, and with them record RAW can be compared with all values. Every step keeps the value of the
game, so an answer about RAW stays right until the form is complete. Each form that is made has a
serial number, which stands for RAW in ``memo``. ``state`` has all that is needed to continue after
an interruption.
"""

from zermelo._kernels.partizan.order import OPEN, ask
from zermelo._kernels.partizan.values import (
    BIRTHDAY,
    CHANGED,
    COMPACT,
    COUNT,
    DONE,
    EXP,
    FILLED,
    FLAGS,
    FORMS,
    HIGH,
    LEFT,
    LEFTS,
    LOW,
    LS,
    LS_EXP,
    MASK31,
    NEED,
    NEG,
    NUM,
    PHASE,
    RAW,
    RESULT,
    RIGHT,
    RIGHTS,
    ROOM_OPTIONS,
    ROOM_POOL,
    ROOM_VALUES,
    RS,
    RS_EXP,
    SERIAL,
    SERIALS,
    STAR,
    START,
    STEP,
    UP,
    WIDTH,
    Buffers,
    I,
    J,
    K,
    Values,
    compare,
    intern_compact,
    mix,
    simplest,
    unfold,
)
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array

LAST_SERIAL = MASK31
FIRST_SERIAL = 1 << 30
"""Serial numbers are larger than the number of any value."""

(
    STOPS, LEFT_DOMINATED, RIGHT_DOMINATED, LEFT_REVERSIBLE, RIGHT_REVERSIBLE, LEFT_AGAIN,
    RIGHT_AGAIN, INTERN,
) = range(8)  # fmt: skip
"""The phases of :func:`make`: decide whether the game is a number; delete dominated options of Left
and of Right; bypass reversible options of both; delete dominated options among those that have
taken their place; store the form."""


@kernel
def sort_unique(options: Int64Array, start: int, count: int) -> int:
    """Sort ``options[start:start + count]`` and drop repetitions; return how many are left."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    # Invariant: for each gap done before, the numbers that lie this gap apart are in order.
    while gap > 0:
        for i in range(start + gap, start + count):
            x = options[i]
            j = i
            while j >= start + gap and options[j - gap] > x:
                options[j] = options[j - gap]
                j -= gap
            options[j] = x
        gap //= 3
    kept = 0
    for i in range(start, start + count):
        if kept == 0 or options[start + kept - 1] != options[i]:
            options[start + kept] = options[i]
            kept += 1
    return kept


@kernel
def find_stops(state: Int64Array, info: Int64Array, options: Int64Array) -> int:
    """Decide whether RAW is a number (1) or not (0), and compute this number or the stops of RAW.

    The number, the simplest one between the options, is put into ``state`` (NUM and EXP). Returns
    −TOO_BIG if it does not fit.
    """
    half = len(options) // 2
    lefts, rights = state[LEFT], state[RIGHT]
    lo, lo_exp, low = 0, 0, True
    hi, hi_exp, high = 0, 0, True
    # Invariant: lo is the largest Right stop of the Left options so far, and low tells whether
    # none of those with this stop is ≥ lo: then lo itself may be the value.
    for i in range(lefts):
        r = options[i] * WIDTH
        c = 1 if i == 0 else compare(info[r + RS], info[r + RS_EXP], lo, lo_exp)
        if c > 0:
            lo, lo_exp, low = info[r + RS], info[r + RS_EXP], True
        if c >= 0 and info[r + FLAGS] & HIGH:
            low = False
    for i in range(half, half + rights):
        r = options[i] * WIDTH
        c = -1 if i == half else compare(info[r + LS], info[r + LS_EXP], hi, hi_exp)
        if c < 0:
            hi, hi_exp, high = info[r + LS], info[r + LS_EXP], True
        if c <= 0 and info[r + FLAGS] & LOW:
            high = False
    lower, upper = lefts > 0, rights > 0
    c = compare(lo, lo_exp, hi, hi_exp) if lower and upper else -1
    if c < 0 or (c == 0 and low and high):
        status = simplest(state, lower, lo, lo_exp, low, upper, hi, hi_exp, high)
        return 1 if status == DONE else -status
    info[LS] = lo
    info[LS_EXP] = lo_exp
    info[RS] = hi
    info[RS_EXP] = hi_exp
    info[FLAGS] = (LOW if low else 0) | (HIGH if high else 0)
    return 0


@kernel
def compact_form(
    state: Int64Array, info: Int64Array, table: Int64Array, options: Int64Array
) -> int:
    """The value of canonical options if it is a number plus ups and a nimber, else 0; −status."""
    num, exp = info[LS], info[LS_EXP]
    if compare(num, exp, info[RS], info[RS_EXP]) != 0:
        return 0
    half = len(options) // 2
    lefts, rights = state[LEFT], state[RIGHT]
    # The numbers of options num/2^exp + ∗k with k below the number of options, and of options with
    # ups.
    left_nimbers, right_nimbers, ups = 0, 0, 0
    for side in range(2):
        for i in range(rights if side else lefts):
            r = options[side * half + i] * WIDTH
            if not info[r + FLAGS] & COMPACT or compare(info[r + LS], info[r + LS_EXP], num, exp):
                return 0
            if info[r + UP] != 0:
                ups += 1
            elif info[r + STAR] < (rights if side else lefts):
                if side:
                    right_nimbers += 1
                else:
                    left_nimbers += 1
    up, star = 0, -1
    if left_nimbers == lefts and right_nimbers == rights and ups == 0:
        if lefts == rights:  # {0, …, ∗(m−1) | the same}; options are distinct
            star = lefts
        elif lefts + rights == 3:  # {0,∗|0} or its negative
            up, star = lefts - rights, 1
    if star < 0 and lefts == 1 and rights == 1:
        l, r = options[0] * WIDTH, options[half] * WIDTH
        if info[l + UP] == 0 and info[l + STAR] == 0 and info[r + UP] >= 0:
            up, star = info[r + UP] + 1, info[r + STAR] ^ 1
        elif info[r + UP] == 0 and info[r + STAR] == 0 and info[l + UP] <= 0:
            up, star = info[l + UP] - 1, info[l + STAR] ^ 1
    return 0 if star < 0 else intern_compact(state, info, table, num, exp, up, star)


@kernel
def intern(
    state: Int64Array, info: Int64Array, pool: Int64Array, table: Int64Array, options: Int64Array
) -> int:
    """The value with these canonical sorted options and the stops of RAW; it is no number.

    Returns −status if there is no room.
    """
    value: int = compact_form(state, info, table, options)
    if value != 0:
        return value
    half = len(options) // 2
    lefts, rights = state[LEFT], state[RIGHT]
    tag = mix(lefts, rights)
    for i in range(lefts):
        tag = mix(tag, options[i])
    for i in range(rights):
        tag = mix(tag, options[half + i])
    mask = len(table) - 1
    at = tag & mask
    while table[at]:
        if table[at] >> 32 == tag:
            value = table[at] & MASK31
            r = value * WIDTH
            if (
                not info[r + FLAGS] & COMPACT
                and info[r + LEFTS] == lefts
                and info[r + RIGHTS] == rights
            ):
                start = info[r + START]
                i = 0
                while i < lefts and pool[start + i] == options[i]:
                    i += 1
                if i == lefts:
                    while i < lefts + rights and pool[start + i] == options[half + i - lefts]:
                        i += 1
                    if i == lefts + rights:
                        return value
        at = (at + 1) & mask
    start = state[FILLED]
    if (state[COUNT] + 1) * WIDTH > len(info):
        state[NEED] = 1
        return -ROOM_VALUES
    if start + lefts + rights > len(pool):
        state[NEED] = lefts + rights
        return -ROOM_POOL
    value = state[COUNT]
    r = value * WIDTH
    birthday = 0
    for i in range(lefts):
        pool[start + i] = options[i]
        birthday = max(birthday, info[options[i] * WIDTH + BIRTHDAY])
    for i in range(rights):
        pool[start + lefts + i] = options[half + i]
        birthday = max(birthday, info[options[half + i] * WIDTH + BIRTHDAY])
    state[FILLED] = start + lefts + rights
    for field in range(LS, FLAGS + 1):
        info[r + field] = info[field]
    info[r + START] = start
    info[r + LEFTS] = lefts
    info[r + RIGHTS] = rights
    info[r + UP] = 0
    info[r + STAR] = 0
    info[r + NEG] = -1
    info[r + BIRTHDAY] = birthday + 1
    table[at] = (tag << 32) | value
    state[COUNT] = value + 1
    return value


@kernel
def best_first(info: Int64Array, options: Int64Array, side: int, count: int) -> None:
    """Sort the options of a side by their stops, the best first.

    An option is never dominated by one with worse stops.
    """
    start = side * (len(options) // 2)
    for i in range(start + 1, start + count):
        x = options[i]
        r = x * WIDTH
        j = i
        while j > start:
            s = options[j - 1] * WIDTH
            c = compare(info[r + LS], info[r + LS_EXP], info[s + LS], info[s + LS_EXP])
            if c == 0:
                c = compare(info[r + RS], info[r + RS_EXP], info[s + RS], info[s + RS_EXP])
            if (c <= 0) if side == 0 else (c >= 0):
                break
            options[j] = options[j - 1]
            j -= 1
        options[j] = x


@kernel
def undominated(state: Int64Array, values: Values, buffers: Buffers, side: int) -> int:
    """Delete the dominated options of a side; return DONE or why it is interrupted."""
    options = buffers.options
    start = side * (len(options) // 2)
    count = state[LEFT + side]
    # Invariant: of the first I options those that no other of them dominates are the first K,
    # and option I is not dominated by (nor dominates) the first J of these.
    while state[I] < count:
        new = options[start + state[I]]
        undominated_so_far = True
        while state[J] < state[K]:
            old = options[start + state[J]]
            for step in range(state[STEP], 2):
                less, more = (new, old) if step == side else (old, new)
                reply = ask(state, values, buffers.stack, less, more)
                if reply >= OPEN:
                    state[STEP] = step
                    return reply - OPEN
                if reply == 1:
                    break
            state[STEP] = 0
            if reply == 0:
                state[J] += 1
            elif step == 0:
                undominated_so_far = False
                break
            else:
                state[K] -= 1
                options[start + state[J]] = options[start + state[K]]
        if undominated_so_far:
            options[start + state[K]] = new
            state[K] += 1
        state[I] += 1
        state[J] = 0
    state[LEFT + side] = state[K]
    return DONE


@kernel
def bypass(state: Int64Array, values: Values, buffers: Buffers, side: int) -> int:
    """Replace each reversible option of a side by the options of what it reverses through.

    An option is reversible through an answer to it that is at least as good as RAW for the player
    who gives the answer. Returns DONE or why it is interrupted.
    """
    info, pool, table, _, _ = values
    options = buffers.options
    half = len(options) // 2
    start = side * half
    # Invariant: the first I options are not reversible, and option I is not reversible through
    # the first J of its answers.
    while state[I] < state[LEFT + side]:
        count = state[LEFT + side]
        option = options[start + state[I]]
        status = unfold(state, info, pool, table, option)
        if status != DONE:
            return status
        r = option * WIDTH
        answers = info[r + RIGHTS - side]
        first = info[r + START] + (info[r + LEFTS] if side == 0 else 0)
        reply = 0
        while state[J] < answers:
            answer = pool[first + state[J]]
            less, more = (answer, RAW) if side == 0 else (RAW, answer)
            reply = ask(state, values, buffers.stack, less, more)
            if reply >= OPEN:
                return reply - OPEN
            if reply == 1:
                break
            state[J] += 1
        if reply == 0:
            state[I] += 1
            state[J] = 0
            continue
        status = unfold(state, info, pool, table, answer)
        if status != DONE:
            return status
        r = answer * WIDTH
        new_count = info[r + LEFTS + side]
        first = info[r + START] + (info[r + LEFTS] if side == 1 else 0)
        if count + new_count > half:
            state[NEED] = count + new_count
            return ROOM_OPTIONS
        count -= 1
        options[start + state[I]] = options[start + count]
        for i in range(new_count):
            new = pool[first + i]
            j = 0
            while j < count and options[start + j] != new:
                j += 1
            if j == count:
                options[start + count] = new
                count += 1
        state[LEFT + side] = count
        state[J] = 0
        state[CHANGED] = 1
    return DONE


@kernel
def place_raw(state: Int64Array, info: Int64Array, pool: Int64Array, options: Int64Array) -> int:
    """Write the options that are left to the pool as those of RAW; give RAW a serial number."""
    lefts, rights = state[LEFT], state[RIGHT]
    start = state[FILLED]
    if start + lefts + rights > len(pool):
        state[NEED] = lefts + rights
        return ROOM_POOL
    if state[SERIAL] >= LAST_SERIAL:
        return SERIALS
    state[SERIAL] += 1
    half = len(options) // 2
    for i in range(lefts):
        pool[start + i] = options[i]
    for i in range(rights):
        pool[start + lefts + i] = options[half + i]
    info[START] = start
    info[LEFTS] = lefts
    info[RIGHTS] = rights
    info[UP] = state[SERIAL]
    state[FILLED] = start + lefts + rights
    return DONE


@kernel
def make(state: Int64Array, values: Values, buffers: Buffers) -> int:
    """Put the value of the options in ``options`` into ``state[RESULT]``, phase by phase.

    Requires ``state[PHASE]`` = STOPS at first. Returns DONE, or why it is interrupted; then the
    next call continues.
    """
    info, pool, table, _, _ = values
    options = buffers.options
    half = len(options) // 2
    while True:
        phase = state[PHASE]
        status = DONE
        if phase == STOPS:
            state[LEFT] = sort_unique(options, 0, state[LEFT])
            state[RIGHT] = sort_unique(options, half, state[RIGHT])
            value = find_stops(state, info, options)
            if value == 1:
                value = intern_compact(state, info, table, state[NUM], state[EXP], 0, 0)
                if value > 0:
                    state[RESULT] = value
                    return DONE
            if value < 0:
                return -value
            state[CHANGED] = 0
        elif LEFT_REVERSIBLE <= phase <= RIGHT_REVERSIBLE:
            if phase == LEFT_REVERSIBLE and state[I] == 0 and state[J] == 0 and state[STEP] == 0:
                status = place_raw(state, info, pool, options)
                if status != DONE:
                    return status
                state[STEP] = 1
            status = bypass(state, values, buffers, phase - LEFT_REVERSIBLE)
        elif phase < INTERN:
            if phase < LEFT_AGAIN or state[CHANGED]:
                side = (phase - LEFT_DOMINATED) & 1
                if state[I] == 0:
                    best_first(info, options, side, state[LEFT + side])
                status = undominated(state, values, buffers, side)
        else:
            if info[START] + info[LEFTS] + info[RIGHTS] == state[FILLED]:
                state[FILLED] = info[START]
            state[LEFT] = sort_unique(options, 0, state[LEFT])
            state[RIGHT] = sort_unique(options, half, state[RIGHT])
            value = intern(state, info, pool, table, options)
            if value < 0:
                return -value
            state[RESULT] = value
            state[FORMS] += 1
            return DONE
        if status != DONE:
            return status
        state[PHASE] = phase + 1
        state[I] = state[J] = state[K] = state[STEP] = 0
