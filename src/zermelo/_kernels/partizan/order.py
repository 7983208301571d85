"""G ≤ H for values that are numbers into arrays, without recursion.

G ≤ H iff no Left option of G is ≥ H and no Right option of H is ≤ G. Most questions are answered at
once: by identity, by stops, by the formula for compact forms, or by ``memo``, a table in which a
later answer may take the place of an earlier one. Every other question is a frame (G, H, k) on the
stack, where k is the number of the option that is examined; a frame for an option is opened only if
no option refutes G ≤ H at once.
"""

from zermelo._kernels.partizan.values import (
    ANSWER,
    BASE,
    BUDGET,
    COMPACT,
    DONE,
    FACTOR,
    FLAGS,
    HIGH,
    LEFTS,
    LOW,
    LS,
    LS_EXP,
    NEED,
    NUMBER,
    OTHER,
    PAUSE,
    PENDING,
    RAW,
    RIGHTS,
    ROOM_STACK,
    RS,
    RS_EXP,
    SP,
    STAR,
    START,
    UP,
    WIDTH,
    Values,
    compare,
    unfold,
    ups_not_negative,
)
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array

OPEN = 2
"""The answer is not known yet; 1 means yes, 0 means no."""
FRAME = 3
"""The size of a frame."""


@kernel
def slot(a: int, b: int, size: int) -> int:
    """The place of the pair (a, b) in a table of ``size`` places, a power of two."""
    t = a * FACTOR + b * OTHER
    return (t ^ (t >> 31)) & (size - 1)


@kernel
def at_once(a: int, b: int, info: Int64Array, memo: Int64Array) -> int:
    """Whether a ≤ b (1 or 0), if this can be decided without looking at options; else OPEN."""
    if a == b:
        return 1
    r, s = a * WIDTH, b * WIDTH
    a_flags, b_flags = info[r + FLAGS], info[s + FLAGS]
    left, left_exp = info[r + LS], info[r + LS_EXP]
    right, right_exp = info[s + RS], info[s + RS_EXP]
    c = compare(left, left_exp, right, right_exp)
    if c < 0 or (c == 0 and a_flags & LOW and b_flags & HIGH):
        return 1
    if (a_flags | b_flags) & NUMBER:
        return 0
    c = compare(left, left_exp, info[s + LS], info[s + LS_EXP])
    if c > 0 or (c == 0 and b_flags & LOW and not a_flags & LOW):
        return 0
    c = compare(info[r + RS], info[r + RS_EXP], right, right_exp)
    if c > 0 or (c == 0 and a_flags & HIGH and not b_flags & HIGH):
        return 0
    if a_flags & b_flags & COMPACT:  # the same number, as the stops are neither more nor less
        up, star = info[s + UP] - info[r + UP], info[s + STAR] ^ info[r + STAR]
        return 1 if ups_not_negative(up, star) else 0
    if a == RAW:
        a = info[UP]
    elif b == RAW:
        b = info[UP]
    stored: int = memo[slot(a, b, len(memo))]
    if stored >> 1 == (a << 31) | b:
        return stored & 1
    return OPEN


@kernel
def remember(a: int, b: int, answer: int, info: Int64Array, memo: Int64Array) -> None:
    """Store an answer in ``memo``, where RAW is represented by its serial number."""
    if a == RAW:
        a = info[UP]
    elif b == RAW:
        b = info[UP]
    memo[slot(a, b, len(memo))] = (((a << 31) | b) << 1) | answer


@kernel
def settle(state: Int64Array, values: Values, stack: Int64Array) -> int:
    """Answer the question at the base of the stack, and all questions that it depends on."""
    info, pool, table, memo, _ = values
    base, sp = state[BASE], state[SP]
    # Invariant: each frame above the base asks about option number k of the frame below, and the
    # options before k do not refute that frame.
    while sp > base:
        a, b, k = stack[sp - 3], stack[sp - 2], stack[sp - 1]
        if state[BUDGET] < 0:
            state[SP] = sp
            return PAUSE
        state[BUDGET] -= 1
        if k == 0:
            status = unfold(state, info, pool, table, a)
            if status == DONE:
                status = unfold(state, info, pool, table, b)
            if status != DONE:
                state[SP] = sp
                return status
        lefts = info[a * WIDTH + LEFTS]
        a_start = info[a * WIDTH + START]
        total = lefts + info[b * WIDTH + RIGHTS]
        b_start = info[b * WIDTH + START] + info[b * WIDTH + LEFTS] - lefts
        answer = 1
        first = total
        # Invariant: options from k to t do not refute a ≤ b at once; first is the first that is
        # open among them.
        for t in range(k, total):
            if t < lefts:
                reply = at_once(b, pool[a_start + t], info, memo)
            else:
                reply = at_once(pool[b_start + t], a, info, memo)
            if reply == 1:
                answer = 0
                break
            if reply == OPEN:
                if first == total:
                    first = t
                if k > 0:
                    break
        if answer == 1 and first < total:
            if sp + FRAME > len(stack):
                state[SP] = sp
                state[NEED] = FRAME
                return ROOM_STACK
            stack[sp - 1] = first
            if first < lefts:
                stack[sp], stack[sp + 1] = b, pool[a_start + first]
            else:
                stack[sp], stack[sp + 1] = pool[b_start + first], a
            stack[sp + 2] = 0
            sp += FRAME
            continue
        remember(a, b, answer, info, memo)
        state[ANSWER] = answer
        sp -= FRAME
    state[SP] = sp
    return DONE


@kernel
def ask(state: Int64Array, values: Values, stack: Int64Array, a: int, b: int) -> int:
    """Whether a ≤ b: 1 or 0, or OPEN + status if the search was interrupted.

    Then the next call continues the search; it must ask the same question.
    """
    if state[PENDING] == 0:
        answer: int = at_once(a, b, values.info, values.memo)
        if answer != OPEN:
            return answer
        sp = state[SP]
        if sp + FRAME > len(stack):
            state[NEED] = FRAME
            return OPEN + ROOM_STACK
        stack[sp], stack[sp + 1], stack[sp + 2] = a, b, 0
        state[BASE] = sp
        state[SP] = sp + FRAME
        state[PENDING] = 1
    status = settle(state, values, stack)
    if status != DONE:
        return OPEN + status
    state[PENDING] = 0
    answer = state[ANSWER]
    return answer
