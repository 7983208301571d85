"""G ≤ H for values that are numbers into arrays, without recursion.

G ≤ H iff no Left option of G is ≥ H and no Right option of H is ≤ G. Most questions are answered at
once: by identity, by stops, by the formula for compact forms, or by ``memo``, a table in which a
later answer may take the place of an earlier one. The others are frames (G, H, k) on the stack,
k counting the options; a question is only opened when no option answers it at once.
"""

from zermelo._kernels.partizan import (
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
from zermelo._runtime.jit import kernel
from zermelo.labels import Int64Array

OPEN = 2
"""Neither yes (1) nor no (0) yet."""
FRAME = 3


@kernel
def slot(a: int, b: int, size: int) -> int:
    """Where the table of answers has the pair (a, b)."""
    t = a * FACTOR + b * OTHER
    return (t ^ (t >> 31)) & (size - 1)


@kernel
def at_once(a: int, b: int, info: Int64Array, memo: Int64Array) -> int:
    """Whether a ≤ b, where that can be told without looking at options; else OPEN."""
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
    found: int = memo[slot(a, b, len(memo))]
    if found >> 1 == (a << 31) | b:
        return found & 1
    return OPEN


@kernel
def remember(a: int, b: int, answer: int, info: Int64Array, memo: Int64Array) -> None:
    """Keep an answer; the game that is being made goes by its serial number."""
    if a == RAW:
        a = info[UP]
    elif b == RAW:
        b = info[UP]
    memo[slot(a, b, len(memo))] = (((a << 31) | b) << 1) | answer


@kernel
def settle(state: Int64Array, values: Values, stack: Int64Array) -> int:
    """Answer the question at the base of the stack, and the questions that this raises."""
    info, pool, table, memo, _ = values
    base, sp = state[BASE], state[SP]
    # Invariant: each frame above the base is the option number k of the frame below; the options
    # of a frame before k do not refute it.
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
    """Whether a ≤ b: 1 or 0; OPEN + status when interrupted, to be asked again when there is room.

    What was interrupted goes on: the caller must come back with the same question.
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
