"""Sums, negatives and canonical forms of values: one machine that can be stopped and goes on.

Jobs: SUM and NEGATIVE of values, MAKE of the options in ``work``, ORDER of two values, UNFOLD, and
EVALUATE of a whole list of positions. A frame (kind, a, b, k, mark)
waits for the results of its parts, which gather in ``scratch`` from ``mark`` on; k of them are
there. Frames of questions (:mod:`zermelo._kernels.partizan_order`) lie above. Nothing recurs, so
depth is only a matter of room; when room is wanted the machine stops, and is called again with
larger arrays.

A sum with a number adds the number to every option, which is the canonical form at once (number
translation, [Siegel2013] II.3); the negative of a canonical form is one, too.
``sums`` is a table of sums by pairs in which a later one may take the place of an earlier.
"""

from zermelo._kernels.partizan import (
    ANSWER,
    BASE,
    BUDGET,
    COMPACT,
    CURSOR,
    DONE,
    EXP,
    FLAGS,
    JOB,
    LEFT,
    LEFTS,
    LS,
    LS_EXP,
    MAKING,
    NEED,
    NEG,
    NUM,
    NUMBER,
    PAUSE,
    PENDING,
    PHASE,
    POSITION,
    REST,
    RESULT,
    RIGHT,
    RIGHTS,
    ROOM_SCRATCH,
    ROOM_STACK,
    ROOM_WORK,
    SP,
    STAR,
    START,
    STEP,
    TERM,
    TOTAL,
    UP,
    VP,
    WAITING,
    WIDTH,
    ZERO,
    I,
    J,
    K,
    add_dyadic,
    intern_compact,
    unfold,
)
from zermelo._kernels.partizan_form import find_stops, intern, make, sort_unique
from zermelo._kernels.partizan_order import OPEN, ask, slot
from zermelo._runtime.jit import kernel
from zermelo.labels import Int64Array

SUM, NEGATIVE, MAKE, ORDER, UNFOLD, EVALUATE = range(6)
"""Jobs."""
ADD, SHIFT, NEGATE = range(3)
"""Kinds of frames: a sum, a sum with the number b, a negative."""
FRAME = 5

HEADER = 8
"""Offsets at the front of a program: positions, then where its seven arrays begin."""


@kernel
def sum_at_once(
    state: Int64Array, info: Int64Array, table: Int64Array, sums: Int64Array, a: int, b: int
) -> int:
    """a + b where that is known or a formula; 0 where it is not, −status where there is no room."""
    if a == ZERO:
        return b
    if b == ZERO:
        return a
    r, s = a * WIDTH, b * WIDTH
    if info[r + FLAGS] & info[s + FLAGS] & COMPACT:
        status = add_dyadic(state, info[r + LS], info[r + LS_EXP], info[s + LS], info[s + LS_EXP])
        if status != DONE:
            return -status
        up, star = info[r + UP] + info[s + UP], info[r + STAR] ^ info[s + STAR]
        return intern_compact(state, info, table, state[NUM], state[EXP], up, star)
    if info[r + NEG] == b:
        return ZERO
    if a > b:
        a, b = b, a
    at = 2 * slot(a, b, len(sums) // 2)
    return sums[at + 1] if sums[at] == (a << 31) | b else 0


@kernel
def negative_at_once(state: Int64Array, info: Int64Array, table: Int64Array, a: int) -> int:
    """−a where that is known or a formula; 0 where it is not, −status where there is no room."""
    r = a * WIDTH
    known: int = info[r + NEG]
    if known >= 0:
        return known
    if info[r + FLAGS] & COMPACT:
        b = intern_compact(
            state, info, table, -info[r + LS], info[r + LS_EXP], -info[r + UP], info[r + STAR]
        )
        if b > 0:
            info[r + NEG] = b
            info[b * WIDTH + NEG] = a
        return b
    return 0


@kernel
def push(
    state: Int64Array,
    info: Int64Array,
    pool: Int64Array,
    table: Int64Array,
    stack: Int64Array,
    kind: int,
    a: int,
    b: int,
) -> int:
    """Open a frame for a sum (ADD) or a negative that is not known at once."""
    sp = state[SP]
    if sp + FRAME > len(stack):
        state[NEED] = FRAME
        return ROOM_STACK
    status = unfold(state, info, pool, table, a)
    if status == DONE and kind == ADD:
        status = unfold(state, info, pool, table, b)
    if status != DONE:
        return status
    if kind == ADD:
        if info[a * WIDTH + FLAGS] & NUMBER:
            a, b = b, a
        if info[b * WIDTH + FLAGS] & NUMBER:
            kind = SHIFT
    stack[sp], stack[sp + 1], stack[sp + 2] = kind, a, b
    stack[sp + 3], stack[sp + 4] = 0, state[VP]
    state[SP] = sp + FRAME
    return DONE


@kernel
def load(state: Int64Array, scratch: Int64Array, work: Int64Array, mark: int, lefts: int) -> int:
    """Bring what has gathered in scratch from ``mark`` on to ``work``, ``lefts`` of it Left's."""
    half = len(work) // 2
    rights = state[VP] - mark - lefts
    if max(lefts, rights) > half:
        state[NEED] = max(lefts, rights)
        return ROOM_WORK
    for i in range(lefts):
        work[i] = scratch[mark + i]
    for i in range(rights):
        work[half + i] = scratch[mark + lefts + i]
    state[LEFT] = lefts
    state[RIGHT] = rights
    state[PHASE] = state[I] = state[J] = state[K] = state[STEP] = 0
    return DONE


@kernel
def gather(
    state: Int64Array,
    info: Int64Array,
    pool: Int64Array,
    table: Int64Array,
    sums: Int64Array,
    stack: Int64Array,
    scratch: Int64Array,
) -> int:
    """Find the parts of the top frame; PAUSE when a frame was opened for one of them."""
    sp = state[SP] - FRAME
    kind, a, b = stack[sp], stack[sp + 1], stack[sp + 2]
    r, s = a * WIDTH, b * WIDTH
    a_lefts, b_lefts = info[r + LEFTS], info[s + LEFTS] if kind == ADD else 0
    a_rights, b_rights = info[r + RIGHTS], info[s + RIGHTS] if kind == ADD else 0
    lefts = a_lefts + b_lefts
    total = lefts + a_rights + b_rights
    if kind == NEGATE:  # Right's options come first: they become Left's
        lefts = a_rights
    if state[VP] + total - stack[sp + 3] > len(scratch):
        state[NEED] = total
        return ROOM_SCRATCH
    # Invariant: the first k parts are in scratch from the frame's mark on.
    while stack[sp + 3] < total:
        k = stack[sp + 3]
        x, y = a, b
        if kind == NEGATE:
            x = pool[info[r + START] + (k + a_lefts if k < lefts else k - lefts)]
            part = negative_at_once(state, info, table, x)
        else:
            if k >= lefts:
                if k - lefts < a_rights:
                    x = pool[info[r + START] + a_lefts + k - lefts]
                else:
                    y = pool[info[s + START] + b_lefts + k - lefts - a_rights]
            elif k < a_lefts:
                x = pool[info[r + START] + k]
            else:
                y = pool[info[s + START] + k - a_lefts]
            part = sum_at_once(state, info, table, sums, x, y)
        if part < 0:
            return -part
        if part == 0:
            status = push(state, info, pool, table, stack, NEGATE if kind == NEGATE else ADD, x, y)
            return PAUSE if status == DONE else status
        scratch[state[VP]] = part
        state[VP] += 1
        stack[sp + 3] = k + 1
    return DONE


@kernel
def close(
    state: Int64Array,
    info: Int64Array,
    pool: Int64Array,
    table: Int64Array,
    memo: Int64Array,
    sums: Int64Array,
    stack: Int64Array,
    scratch: Int64Array,
    work: Int64Array,
) -> int:
    """Make the value of the top frame, whose parts are all there, and take the frame away."""
    sp = (state[BASE] if state[PENDING] else state[SP]) - FRAME
    if state[MAKING] == 0:
        kind, a, b, mark = stack[sp], stack[sp + 1], stack[sp + 2], stack[sp + 4]
        r = a * WIDTH
        lefts = info[r + RIGHTS] if kind == NEGATE else info[r + LEFTS]
        if kind == ADD:
            lefts += info[b * WIDTH + LEFTS]
        status = load(state, scratch, work, mark, lefts)
        if status != DONE:
            return status
        if kind != ADD:
            half = len(work) // 2
            state[LEFT] = sort_unique(work, 0, state[LEFT])
            state[RIGHT] = sort_unique(work, half, state[RIGHT])
            find_stops(state, info, work)
            value = intern(state, info, pool, table, work)
            if value < 0:
                return -value
            state[RESULT] = value
        else:
            state[MAKING] = 1
    if state[MAKING]:
        status = make(state, info, pool, table, memo, stack, work)
        if status != DONE:
            return status
        state[MAKING] = 0
    kind, a, b, mark = stack[sp], stack[sp + 1], stack[sp + 2], stack[sp + 4]
    value = state[RESULT]
    if kind == NEGATE:
        info[a * WIDTH + NEG] = value
        info[value * WIDTH + NEG] = a
    else:
        if a > b:
            a, b = b, a
        at = 2 * slot(a, b, len(sums) // 2)
        sums[at] = (a << 31) | b
        sums[at + 1] = value
    state[SP] = sp
    state[VP] = mark
    if sp > 0:  # a part of the frame below
        scratch[mark] = value
        state[VP] = mark + 1
        stack[sp - FRAME + 3] += 1
    return DONE


@kernel
def advance(
    state: Int64Array,
    info: Int64Array,
    pool: Int64Array,
    table: Int64Array,
    sums: Int64Array,
    stack: Int64Array,
    scratch: Int64Array,
    program: Int64Array,
) -> int:
    """Add up options of the position in turn; PAUSE when a frame was opened, DONE when all are.

    TOTAL is the sum so far of terms that are not compact (0 for none), REST that of those that
    are. WAITING tells what the result of a frame is: 1 the negative of a term, 2 TOTAL with a term,
    3 TOTAL with REST.
    """
    p = state[POSITION]
    at = program[1] + p
    lefts = program[at + 1] - program[at]
    at = program[2] + p
    total = lefts + program[at + 1] - program[at]
    if total > len(scratch):
        state[NEED] = total
        return ROOM_SCRATCH
    # Invariant: the values of the first CURSOR options are in scratch.
    while state[CURSOR] < total:
        c = state[CURSOR]
        if c < lefts:
            s = program[program[3] + program[program[1] + p] + c]
        else:
            s = program[program[4] + program[program[2] + p] + c - lefts]
        end = program[program[5] + s + 1]
        if state[TERM] < 0:
            state[TERM] = program[program[5] + s]
            state[TOTAL], state[REST] = 0, ZERO
        while state[TERM] < end:
            term = program[program[6] + state[TERM]]
            value = program[program[7] + (term >> 1)]
            if term & 1:
                value = negative_at_once(state, info, table, value)
                if value < 0:
                    return -value
                if value == 0:
                    value = program[program[7] + (term >> 1)]
                    status = push(state, info, pool, table, stack, NEGATE, value, 0)
                    if status == DONE:
                        state[WAITING] = 1
                        return PAUSE
                    return status
            known = 0
            if state[TOTAL] != 0 and not info[value * WIDTH + FLAGS] & COMPACT:
                known = state[RESULT]
                if state[WAITING] != 2:
                    known = sum_at_once(state, info, table, sums, state[TOTAL], value)
                if known < 0:
                    return -known
                if known == 0:
                    status = push(state, info, pool, table, stack, ADD, state[TOTAL], value)
                    if status == DONE:
                        state[WAITING] = 2
                        return PAUSE
                    return status
                value = known
            if info[value * WIDTH + FLAGS] & COMPACT:
                rest = sum_at_once(state, info, table, sums, state[REST], value)
                if rest < 0:
                    return -rest
                state[REST] = rest
                if known > 0:
                    state[TOTAL] = 0
            else:
                state[TOTAL] = value
            state[WAITING] = 0
            state[TERM] += 1
        if state[WAITING] == 3:
            value = state[RESULT]
        elif state[TOTAL] == 0:
            value = state[REST]
        else:
            value = sum_at_once(state, info, table, sums, state[TOTAL], state[REST])
            if value < 0:
                return -value
            if value == 0:
                status = push(state, info, pool, table, stack, ADD, state[TOTAL], state[REST])
                if status == DONE:
                    state[WAITING] = 3
                    return PAUSE
                return status
        state[WAITING] = 0
        scratch[c] = value
        state[VP] = c + 1
        state[CURSOR] = c + 1
        state[TERM] = -1
    return DONE


@kernel
def run(
    state: Int64Array,
    info: Int64Array,
    pool: Int64Array,
    table: Int64Array,
    memo: Int64Array,
    sums: Int64Array,
    stack: Int64Array,
    scratch: Int64Array,
    work: Int64Array,
    program: Int64Array,
) -> int:
    """Go on with the job until it is done (DONE), or return why not.

    ``program`` has the two values of SUM and ORDER, the value of NEGATIVE and UNFOLD, the positions
    of EVALUATE, whose values are put into its last array; ``work`` has the options of MAKE, and
    ``state`` their numbers. The value is ``state[RESULT]``, the answer to ORDER ``state[ANSWER]``.
    """
    job = state[JOB]
    if job == ORDER:
        reply = ask(state, info, pool, table, memo, stack, program[0], program[1])
        if reply >= OPEN:
            return reply - OPEN
        state[ANSWER] = reply
        return DONE
    if job == MAKE:
        return make(state, info, pool, table, memo, stack, work)
    if job == UNFOLD:
        return unfold(state, info, pool, table, program[0])
    if job != EVALUATE and state[CURSOR] == 0:
        a, b = program[0], program[1]
        if job == SUM:
            value = sum_at_once(state, info, table, sums, a, b)
        else:
            value = negative_at_once(state, info, table, a)
        if value < 0:
            return -value
        if value > 0:
            state[RESULT] = value
            return DONE
        status = push(state, info, pool, table, stack, ADD if job == SUM else NEGATE, a, b)
        if status != DONE:
            return status
        state[CURSOR] = 1
    while True:
        if state[BUDGET] < 0:
            return PAUSE
        state[BUDGET] -= 1
        if state[MAKING] == 2 or (state[SP] == 0 and job == EVALUATE):
            p = state[POSITION]
            if p == program[0]:
                return DONE
            if state[MAKING] == 0:
                status = advance(state, info, pool, table, sums, stack, scratch, program)
                if status == PAUSE:
                    continue
                if status == DONE:
                    lefts = program[program[1] + p + 1] - program[program[1] + p]
                    status = load(state, scratch, work, 0, lefts)
                if status != DONE:
                    return status
                state[MAKING] = 2
            status = make(state, info, pool, table, memo, stack, work)
            if status != DONE:
                return status
            program[program[7] + p] = state[RESULT]
            state[MAKING] = state[CURSOR] = state[VP] = 0
            state[POSITION] = p + 1
            state[TERM] = -1
            continue
        if state[SP] == 0:
            return DONE
        if state[MAKING] == 0:
            status = gather(state, info, pool, table, sums, stack, scratch)
            if status == PAUSE:
                continue
            if status != DONE:
                return status
        status = close(state, info, pool, table, memo, sums, stack, scratch, work)
        if status != DONE:
            return status
