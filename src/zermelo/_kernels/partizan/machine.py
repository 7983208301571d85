"""Sums, negatives and canonical forms of values: one machine that can stop and continue.

Its jobs are: SUM and NEGATIVE of values, MAKE a value of the options in ``buffers.options``, ORDER
(compare two values), UNFOLD a value, and EVALUATE a whole list of positions. A frame (kind, a, b,
k, mark) waits for the results of its parts, of which the first k are in ``buffers.results`` from
``mark`` on. Frames of questions (:mod:`zermelo._kernels.partizan.order`) lie above. There is no
recursion, so only memory limits the depth; when the machine needs more room, it stops, and the
caller calls it again with larger arrays.

A sum with a number adds the number to every option, and the result is a canonical form already
(number translation, [Siegel2013] II.3); the negative of a canonical form is also canonical.
``sums`` is a table of sums by pairs, in which a later sum may take the place of an earlier one.
"""

from zermelo._kernels.partizan.form import find_stops, intern, make, sort_unique
from zermelo._kernels.partizan.order import OPEN, ask, slot
from zermelo._kernels.partizan.values import (
    ANSWER,
    BASE,
    BUDGET,
    COMPACT,
    CURSOR,
    DONE,
    EXP,
    FIRST,
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
    ROOM_OPTIONS,
    ROOM_RESULTS,
    ROOM_STACK,
    SECOND,
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
    Buffers,
    I,
    J,
    K,
    Program,
    Values,
    add_dyadic,
    intern_compact,
    unfold,
)
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int64Array

SUM, NEGATIVE, MAKE, ORDER, UNFOLD, EVALUATE = range(6)
"""Jobs."""
ADD, SHIFT, NEGATE = range(3)
"""Kinds of frames: a sum, a sum with the number b, a negative."""
FRAME = 5
"""The size of a frame."""
PARTS_DONE, MARK = 3, 4
"""The entries k and mark of a frame; the first three are kind, a and b."""

NOTHING, A_FRAME, A_POSITION = range(3)
"""The values of ``state[MAKING]``: the form that :func:`make` makes is of nothing, of the top
frame, or of the present position."""
FOR_NEGATIVE, FOR_TOTAL, FOR_REST = 1, 2, 3
"""The values of ``state[WAITING]``: the frame that :func:`advance` has opened gives the negative of
a term, the sum of TOTAL and a term, or the sum of TOTAL and REST."""


@kernel
def sum_at_once(
    state: Int64Array, info: Int64Array, table: Int64Array, sums: Int64Array, a: int, b: int
) -> int:
    """a + b if it is known or a formula gives it; 0 if not, −status if there is no room."""
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
    """−a if it is known or a formula gives it; 0 if not, −status if there is no room."""
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
def push(state: Int64Array, values: Values, stack: Int64Array, kind: int, a: int, b: int) -> int:
    """Open a frame for a sum (ADD) or a negative (NEGATE) that has to be computed."""
    info, pool, table, _, _ = values
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
    stack[sp + PARTS_DONE], stack[sp + MARK] = 0, state[VP]
    state[SP] = sp + FRAME
    return DONE


@kernel
def load(state: Int64Array, results: Int64Array, options: Int64Array, mark: int, lefts: int) -> int:
    """Copy the results from ``mark`` on to ``options``; the first ``lefts`` of them are Left's."""
    half = len(options) // 2
    rights = state[VP] - mark - lefts
    if max(lefts, rights) > half:
        state[NEED] = max(lefts, rights)
        return ROOM_OPTIONS
    for i in range(lefts):
        options[i] = results[mark + i]
    for i in range(rights):
        options[half + i] = results[mark + lefts + i]
    state[LEFT] = lefts
    state[RIGHT] = rights
    state[PHASE] = state[I] = state[J] = state[K] = state[STEP] = 0
    return DONE


@part
def gather(state: Int64Array, values: Values, buffers: Buffers) -> int:
    """Compute the parts of the top frame; PAUSE if a frame was opened for one of them."""
    info, pool, table, _, sums = values
    stack, results, _ = buffers
    sp = state[SP] - FRAME
    kind, a, b = stack[sp], stack[sp + 1], stack[sp + 2]
    r, s = a * WIDTH, b * WIDTH
    a_lefts, b_lefts = info[r + LEFTS], info[s + LEFTS] if kind == ADD else 0
    a_rights, b_rights = info[r + RIGHTS], info[s + RIGHTS] if kind == ADD else 0
    lefts = a_lefts + b_lefts
    total = lefts + a_rights + b_rights
    if kind == NEGATE:  # Right's options come first: they become Left's
        lefts = a_rights
    if state[VP] + total - stack[sp + PARTS_DONE] > len(results):
        state[NEED] = total
        return ROOM_RESULTS
    # Invariant: the first k parts are in results from the frame's mark on.
    while stack[sp + PARTS_DONE] < total:
        k = stack[sp + PARTS_DONE]
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
            status = push(state, values, stack, NEGATE if kind == NEGATE else ADD, x, y)
            return PAUSE if status == DONE else status
        results[state[VP]] = part
        state[VP] += 1
        stack[sp + PARTS_DONE] = k + 1
    return DONE


@part
def close(state: Int64Array, values: Values, buffers: Buffers) -> int:
    """Make the value of the top frame, whose parts are all known, and remove the frame."""
    info, pool, table, _, sums = values
    stack, results, options = buffers
    sp = (state[BASE] if state[PENDING] else state[SP]) - FRAME
    if state[MAKING] == NOTHING:
        kind, a, b, mark = stack[sp], stack[sp + 1], stack[sp + 2], stack[sp + MARK]
        r = a * WIDTH
        lefts = info[r + RIGHTS] if kind == NEGATE else info[r + LEFTS]
        if kind == ADD:
            lefts += info[b * WIDTH + LEFTS]
        status = load(state, results, options, mark, lefts)
        if status != DONE:
            return status
        if kind != ADD:
            half = len(options) // 2
            state[LEFT] = sort_unique(options, 0, state[LEFT])
            state[RIGHT] = sort_unique(options, half, state[RIGHT])
            find_stops(state, info, options)
            value = intern(state, info, pool, table, options)
            if value < 0:
                return -value
            state[RESULT] = value
        else:
            state[MAKING] = A_FRAME
    if state[MAKING] == A_FRAME:
        status = make(state, values, buffers)
        if status != DONE:
            return status
        state[MAKING] = NOTHING
    kind, a, b, mark = stack[sp], stack[sp + 1], stack[sp + 2], stack[sp + MARK]
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
        results[mark] = value
        state[VP] = mark + 1
        stack[sp - FRAME + PARTS_DONE] += 1
    return DONE


@part
def advance(state: Int64Array, values: Values, buffers: Buffers, program: Program) -> int:
    """Compute the options of the position in turn; PAUSE if a frame was opened, DONE at the end.

    TOTAL is the sum so far of the terms that are not compact (0 if there is none), REST that of the
    compact terms.
    """
    p = state[POSITION]
    left, right = program.left_ptr[p], program.right_ptr[p]
    lefts = program.left_ptr[p + 1] - left
    total = lefts + program.right_ptr[p + 1] - right
    if total > len(buffers.results):
        state[NEED] = total
        return ROOM_RESULTS
    # Invariant: the values of the first CURSOR options are in results.
    while state[CURSOR] < total:
        c = state[CURSOR]
        s = program.left_sums[left + c] if c < lefts else program.right_sums[right + c - lefts]
        if state[TERM] < 0:
            state[TERM] = program.sum_ptr[s]
            state[TOTAL], state[REST] = 0, ZERO
        while state[TERM] < program.sum_ptr[s + 1]:
            status = add_term(state, values, buffers.stack, program)
            if status != DONE:
                return status
        value = state[RESULT] if state[WAITING] == FOR_REST else state[REST]
        if state[WAITING] != FOR_REST and state[TOTAL] != 0:
            value = sum_at_once(
                state, values.info, values.table, values.sums, state[TOTAL], state[REST]
            )
            if value < 0:
                return -value
            if value == 0:
                total, rest = state[TOTAL], state[REST]
                return wait(state, values, buffers.stack, ADD, total, rest, FOR_REST)
        state[WAITING] = 0
        buffers.results[c] = value
        state[VP] = c + 1
        state[CURSOR] = c + 1
        state[TERM] = -1
    return DONE


@part
def add_term(state: Int64Array, values: Values, stack: Int64Array, program: Program) -> int:
    """Add the next term to TOTAL or REST; PAUSE if a frame was opened for that."""
    info, _, table, _, sums = values
    term = program.terms[state[TERM]]
    value = program.values[term >> 1]
    if term & 1:
        value = negative_at_once(state, info, table, value)
        if value < 0:
            return -value
        if value == 0:
            return wait(state, values, stack, NEGATE, program.values[term >> 1], 0, FOR_NEGATIVE)
    known = 0
    if state[TOTAL] != 0 and not info[value * WIDTH + FLAGS] & COMPACT:
        known = state[RESULT]
        if state[WAITING] != FOR_TOTAL:
            known = sum_at_once(state, info, table, sums, state[TOTAL], value)
        if known < 0:
            return -known
        if known == 0:
            return wait(state, values, stack, ADD, state[TOTAL], value, FOR_TOTAL)
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
    return DONE


@kernel
def wait(
    state: Int64Array, values: Values, stack: Int64Array, kind: int, a: int, b: int, purpose: int
) -> int:
    """Open a frame whose result the present term or option needs; PAUSE, or why this failed."""
    status = push(state, values, stack, kind, a, b)
    if status != DONE:
        return status
    state[WAITING] = purpose
    return PAUSE


@part
def evaluate(state: Int64Array, values: Values, buffers: Buffers, program: Program) -> int:
    """Continue with the present position; PAUSE if a frame was opened or the budget is used up."""
    p = state[POSITION]
    if state[MAKING] == NOTHING:
        status = advance(state, values, buffers, program)
        if status == DONE:
            lefts = program.left_ptr[p + 1] - program.left_ptr[p]
            status = load(state, buffers.results, buffers.options, 0, lefts)
        if status != DONE:
            return status
        state[MAKING] = A_POSITION
    status = make(state, values, buffers)
    if status != DONE:
        return status
    program.values[p] = state[RESULT]
    state[MAKING] = state[CURSOR] = state[VP] = 0
    state[POSITION] = p + 1
    state[TERM] = -1
    return DONE


@part
def begin(state: Int64Array, values: Values, stack: Int64Array) -> int:
    """Begin the job SUM or NEGATIVE: DONE if the result is known, PAUSE if a frame was opened."""
    a, b = state[FIRST], state[SECOND]
    if state[JOB] == SUM:
        value = sum_at_once(state, values.info, values.table, values.sums, a, b)
    else:
        value = negative_at_once(state, values.info, values.table, a)
    if value < 0:
        return -value
    if value > 0:
        state[RESULT] = value
        return DONE
    status = push(state, values, stack, ADD if state[JOB] == SUM else NEGATE, a, b)
    if status != DONE:
        return status
    state[CURSOR] = 1
    return PAUSE


@kernel
def run(state: Int64Array, values: Values, buffers: Buffers, program: Program) -> int:
    """Continue the job until it is done (DONE), or return why it is interrupted.

    SUM and ORDER have their values in FIRST and SECOND, NEGATIVE and UNFOLD in FIRST, EVALUATE has
    ``program``, and MAKE has its options in ``buffers`` and their numbers in LEFT and RIGHT. The
    value is ``state[RESULT]``, the answer to ORDER ``state[ANSWER]``.
    """
    job = state[JOB]
    if job == ORDER:
        reply = ask(state, values, buffers.stack, state[FIRST], state[SECOND])
        if reply >= OPEN:
            return reply - OPEN
        state[ANSWER] = reply
        return DONE
    if job == MAKE:
        return make(state, values, buffers)
    if job == UNFOLD:
        return unfold(state, values.info, values.pool, values.table, state[FIRST])
    if job != EVALUATE and state[CURSOR] == 0:
        status = begin(state, values, buffers.stack)
        if status != PAUSE:
            return status
    # Invariant: the results of the parts of each frame that are known are in ``buffers.results``.
    while True:
        if state[BUDGET] < 0:
            return PAUSE
        state[BUDGET] -= 1
        if state[MAKING] == A_POSITION or (state[SP] == 0 and job == EVALUATE):
            if state[POSITION] == len(program.values):
                return DONE
            status = evaluate(state, values, buffers, program)
            if status != DONE and status != PAUSE:
                return status
            continue
        if state[SP] == 0:
            return DONE
        if state[MAKING] == NOTHING:
            status = gather(state, values, buffers)
            if status == PAUSE:
                continue
            if status != DONE:
                return status
        status = close(state, values, buffers)
        if status != DONE:
            return status
