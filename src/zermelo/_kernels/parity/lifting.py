"""Lift progress measures of one player to the least fixpoint, by a worklist.

A measure bounds how bad the *opponent's* priorities can still be for the player; a measure that
exceeds every bound is *top*, and then the position is lost for the player. The kind of measure,
small or succinct, is a switch in ``state``. There are four numbers for each position,
``node[4 v + …]``:

| entry     | meaning                                                                           |
|-----------|-----------------------------------------------------------------------------------|
| `FLAGS`   | ``MINE``: the player moves here; ``STRICT``: the priority is of opponent's parity |
| `LENGTH`  | how many of the opponent's priorities are at or above that of the position        |
| `WITNESS` | the player's move: the measure is right as long as that of this successor is      |
| `STATUS`  | ``TOP``, ``QUEUED``                                                               |
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.parity.progress_measures import advance_small, compare_small
from zermelo._kernels.parity.quasi_polynomial import advance_succinct, compare_succinct
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

FLAGS, LENGTH, WITNESS, STATUS = 0, 1, 2, 3
NODE_SIZE = 4
MINE, STRICT = 1, 2
TOP, QUEUED = 1, 2

START, HEAD, COUNT, LIFTS, TOPS, WIDTH, LEVELS, SUCCINCT, STRICT_LEFT, LIMIT = range(10)
"""Slots of ``state``: the first position that was never lifted; where the queue begins and how long
it is; how many lifts and how many positions that are top there were; the entries of a measure, the
opponent's priorities, whether measures are succinct; how many positions of the opponent's parity
are not top, and how many bits succinct measures may have therefore."""
STATE_SIZE = 10


class Side(NamedTuple):
    """The measures of one player."""

    node: Int32Array
    measure: Int32Array
    """``WIDTH`` entries for each position."""
    bound: Int32Array
    """The highest count of each of the opponent's priorities, in small measures."""
    queue: Int32Array
    """The positions whose measure has risen, in a ring of n entries."""
    state: Int64Array


@kernel
def set_top(side: Side, v: int) -> None:
    """Make a position top; measures do not have to count it any more.

    A position that is top is never part of a play that the player wins, so only the others count
    in ``bound`` and in the number of bits of a succinct measure.
    """
    node, bound, state = side.node, side.bound, side.state
    node[4 * v + STATUS] |= TOP
    state[TOPS] += 1
    if node[4 * v + FLAGS] & STRICT:
        bound[node[4 * v + LENGTH] - 1] -= 1
        left = state[STRICT_LEFT] - 1
        state[STRICT_LEFT] = left
        limit = state[LIMIT]
        while limit > 0 and left < 1 << (limit - 1):
            limit -= 1
        state[LIMIT] = limit


@part
def compare(side: Side, a: int, b: int, length: int) -> int:
    """−1, 0 or +1: how row ``a`` compares with row ``b`` on the first ``length`` levels."""
    measure, state = side.measure, side.state
    if state[SUCCINCT]:
        return compare_succinct(measure, a, b, state[WIDTH], length)
    return compare_small(measure, a, b, state[WIDTH], length)


@part
def lift(side: Side, v: int, w: int) -> bool:
    """Lift ``v``, not top, as its successor ``w`` requires; return whether its measure changed."""
    node, measure, state = side.node, side.measure, side.state
    if node[4 * w + STATUS] & TOP:
        set_top(side, v)
        return True
    length = node[4 * v + LENGTH]
    strict = node[4 * v + FLAGS] & STRICT
    order = compare(side, v, w, length)
    if order > 0 or (order == 0 and strict == 0):
        return False
    width = state[WIDTH]
    if state[SUCCINCT]:
        limit, levels = state[LIMIT], state[LEVELS]
        fits = advance_succinct(measure, v, w, width, length, strict, limit, levels)
    else:
        fits = advance_small(measure, v, w, width, length, strict, side.bound)
    if fits:
        state[LIFTS] += 1
    else:
        set_top(side, v)
    return True


@part
def extreme(moves: Moves, side: Side, v: int) -> int:
    """The successor with the least measure if the player moves at ``v``, else the greatest."""
    indptr, indices, node = moves.indptr, moves.indices, side.node
    length = node[4 * v + LENGTH]
    mine = node[4 * v + FLAGS] & MINE
    best: int = indices[indptr[v]]
    for k in range(indptr[v] + 1, indptr[v + 1]):
        w = indices[k]
        a, b = node[4 * w + STATUS] & TOP, node[4 * best + STATUS] & TOP
        order = a - b if a or b else compare(side, w, best, length)
        if (mine and order < 0) or (mine == 0 and order > 0):
            best = w
    return best


@part
def push(side: Side, v: int) -> None:
    """Queue a position whose measure has risen, unless it is in the queue already."""
    node, queue, state = side.node, side.queue, side.state
    if node[4 * v + STATUS] & QUEUED == 0:
        node[4 * v + STATUS] |= QUEUED
        at = state[HEAD] + state[COUNT]
        if at >= len(queue):
            at -= len(queue)
        queue[at] = v
        state[COUNT] += 1


@kernel
def lift_all(moves: Moves, reverse: Moves, side: Side, budget: int) -> bool:
    """Lift until nothing changes (True) or ``budget`` moves were looked at (False).

    Requires the least measures at first.
    """
    indptr = moves.indptr
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    node, queue, state = side.node, side.queue, side.state
    n = len(queue)
    while state[START] < n:
        v = state[START]
        state[START] = v + 1
        best = extreme(moves, side, v)
        budget -= indptr[v + 1] - indptr[v]
        node[4 * v + WITNESS] = best
        if node[4 * v + STATUS] & TOP == 0 and lift(side, v, best):
            push(side, v)
    # Invariant: every measure is at most that of the least fixpoint, and one that is too low for
    # its position's moves (where the player moves: for its witness) has a queued successor.
    while state[COUNT] > 0 and budget > 0:
        w = queue[state[HEAD]]
        state[HEAD] += 1
        if state[HEAD] == n:
            state[HEAD] = 0
        state[COUNT] -= 1
        node[4 * w + STATUS] &= ~QUEUED
        budget -= 1 + rev_indptr[w + 1] - rev_indptr[w]
        for k in range(rev_indptr[w], rev_indptr[w + 1]):
            v = rev_indices[k]
            if node[4 * v + STATUS] & TOP:
                continue
            best = w
            if node[4 * v + FLAGS] & MINE:
                if node[4 * v + WITNESS] != w:
                    continue
                best = extreme(moves, side, v)
                budget -= indptr[v + 1] - indptr[v]
                node[4 * v + WITNESS] = best
            if lift(side, v, best):
                push(side, v)
    done: bool = state[COUNT] == 0
    return done


@kernel
def settled(reverse: Moves, side: Side, final: Int8Array, stack: Int32Array) -> None:
    """Set ``final`` to 1 where the measure is not top and will never change, else to 0.

    Nothing changes at a position of the player as long as its witness does not, and at one of the
    opponent as long as no successor does. ``stack`` has room for n positions.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    node, queue, state = side.node, side.queue, side.state
    n = len(queue)
    for v in range(n):
        final[v] = 0 if node[4 * v + STATUS] & TOP else 1
    size = 0
    for i in range(state[COUNT]):
        at = state[HEAD] + i
        stack[size] = queue[at if at < n else at - n]
        size += 1
    done = 0
    # Invariant: stack[:size] has the queued positions and those that may rise because of
    # stack[:done]. A queued position that may also rise is there only once.
    while done < size:
        w = stack[done]
        done += 1
        for k in range(rev_indptr[w], rev_indptr[w + 1]):
            v = rev_indices[k]
            if final[v] and (node[4 * v + FLAGS] & MINE == 0 or node[4 * v + WITNESS] == w):
                final[v] = 0
                if node[4 * v + STATUS] & QUEUED == 0:
                    stack[size] = v
                    size += 1


@kernel
def concede(side: Side, final: Int8Array) -> None:
    """Make top what is settled for the other player."""
    node = side.node
    for v in range(len(side.queue)):
        if final[v] and node[4 * v + STATUS] & TOP == 0:
            set_top(side, v)
            push(side, v)
