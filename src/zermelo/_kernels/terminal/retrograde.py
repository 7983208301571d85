"""Retrograde analysis of every terminal-payoff game: one backward wave with out-degree counters.

**Situations.** A situation says where the token is and who moves. There are three layouts:

- *symmetric* (``shift = 0, flip = 1``): situation = position; values are those of the player to
  move, so they change sign along a move;
- *owned* (``shift = 0, flip = 0``): situation = position, its owner moves;
- *alternating* (``shift = 1, flip = 0``): situation ``2 v + e``, player ``e`` moves at ``v``.

**Status.** Each situation has a status of 32 bits. While the situation is undecided, that is
``2 · counter + mover``, where ``counter`` is the number of its moves that are not yet known to be
bad for the player to move, and ``mover`` is that player (0 in the symmetric layout). Once it is
settled the status is ``~(2 · distance + f)``, which is negative. Here ``f`` is the player who
forces the value or, in the symmetric layout, 1 if the situation is good for the player to move and
0 if it is bad.

**Fronts.** The settled situations with ``f = 0`` fill ``queue`` from the left and those with
``f = 1`` from the right; ``state`` holds both fronts, so that a call can stop and go on later.

**Chunks.** The wave goes by chunks of moves, two steps each: :func:`gather` lists the predecessors
of a stretch of one front, :func:`settle` updates their status. Each step knows the addresses that
it needs next and prefetches them; without that the wave waits for memory most of its time. In a
wide layer several threads advance through slices of a front at once; then a status is changed by
atomic instructions, and the situations of a layer come in any order.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import fetch_sub, prefetch, swap
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array


class Situations(NamedTuple):
    """All situations of a game."""

    status: Int32Array
    """The status of each."""
    queue: Int32Array
    """The settled ones, in two fronts; there is room for all."""


class Phases(NamedTuple):
    """The ends of play, which are settled before the wave begins, phase by phase."""

    seeds: Int32Array
    starts: Int64Array
    """Phase ``j`` begins with ``seeds[starts[j]:starts[j + 1]]``; best payoffs for the forcing side
    come first."""
    segments: Int64Array
    """The wave writes the tails of both fronts after phase ``j`` to ``segments[2 j:2 j + 2]``."""


class Scheme(NamedTuple):
    """The layout of the situations, and what a move into the settled ones means."""

    shift: int
    flip: int
    """The layout, see above."""
    agree: int
    """If not 0, any move into the settled situations counts, no matter which player makes it. So
    the shortest way to a tie on which both players agree is found."""


# A cursor: the stretch HEAD..STOP of a front that is still to be gathered, the moves already taken
# from the row at HEAD, and how many situations the last call listed.
HEAD, STOP, ROW, FILLED = 0, 1, 2, 3

# Slots of the ``state`` array, which begins with a cursor. Of each front: where the situations
# begin whose predecessors have not been gathered, where the front ends, and where its present layer
# ends. Then the distance of the situations that are being settled, the number of phases begun, how
# many moves and situations a call may handle, and the width from which on a front is wide.
LEFT_HEAD, LEFT_TAIL, LEFT_STOP, RIGHT_HEAD, RIGHT_TAIL, RIGHT_STOP = 4, 5, 6, 7, 8, 9
DEPTH, PHASE, BUDGET, WIDE = 10, 11, 12, 13
STATE_SIZE = 16  # two cache lines, so that no two threads write to the same one

# What a call of ``retrograde`` returns.
PAUSED, FINISHED, WIDE_FRONT = 0, 1, 2

CHUNK = 1 << 12
"""Moves handled at a time: their list stays in the innermost cache."""

ROWS_AHEAD, MOVES_AHEAD, STATUS_AHEAD = 32, 16, 32
"""How far ahead offsets and rows of reverse moves (counted in rows) and statuses are prefetched."""

NEAR_SIZE = CHUNK + STATUS_AHEAD
"""The size of the list ``near`` of one chunk."""

CACHED = 1 << 16
"""Up to so many situations or moves nothing is prefetched (and interpreted kernels save the calls).
"""


@kernel
def retrograde(
    predecessors: Moves,
    situations: Situations,
    phases: Phases,
    scheme: Scheme,
    near: Int32Array,
    state: Int64Array,
) -> int:
    """Settle phase after phase; FINISHED when all are done, else the caller calls again.

    PAUSED after about ``state[BUDGET]`` moves and situations, even within a layer. WIDE_FRONT
    before a front of ``state[WIDE]`` situations or more, through which the caller has to advance.
    The rest of ``state`` and all of ``near``, of NEAR_SIZE, start zeroed and belong to the kernel.
    """
    shift, flip, agree = scheme
    status, queue = situations
    # The fronts are in local variables: with those in ``state`` a path, whose layers have a single
    # situation each, takes 1.1 times as long.
    left_head, left_tail, left_stop = state[LEFT_HEAD], state[LEFT_TAIL], state[LEFT_STOP]
    right_head, right_tail, right_stop = state[RIGHT_HEAD], state[RIGHT_TAIL], state[RIGHT_STOP]
    depth, budget, wide = state[DEPTH], state[BUDGET], state[WIDE]
    outcome, steps = PAUSED, 0
    while steps < budget:
        if left_head == left_stop and right_head == right_stop:
            if left_stop == left_tail and right_stop == right_tail:
                end_phase(phases, state[PHASE], left_tail, right_tail)
                if state[PHASE] == len(phases.starts) - 1:
                    outcome = FINISHED
                    break
                seeds = append_seeds(situations, phases, state[PHASE], left_tail, right_tail, agree)
                left_tail += seeds[0]
                right_tail += seeds[1]
                steps += seeds[0] + seeds[1]
                state[PHASE] += 1
                depth = 0
            depth += 1
            left_stop, right_stop = left_tail, right_tail
        # Invariant: the situations of distance depth - 1 are those of both fronts before their
        # stops, those of distance depth found so far come behind, the predecessors of all those
        # before the heads have been updated, and the counter of an undecided situation is its moves
        # minus those into the latter that are bad for the player to move.
        side = 0 if left_head < left_stop else 1
        head = right_head if side else left_head
        stop = right_stop if side else left_stop
        if stop - head >= wide and state[ROW] == 0:
            outcome = WIDE_FRONT
            break
        state[HEAD], state[STOP] = head, stop
        gather(predecessors, queue, near, state, side, shift, 0, CHUNK)
        f = side ^ flip
        settled = settle(status, near, 0, state[FILLED], ~((depth << 1) | f), side, agree)
        if f and agree == 0:
            for j in range(settled):
                queue[len(queue) - 1 - right_tail - j] = near[j]
            right_tail += settled
        else:
            for j in range(settled):
                queue[left_tail + j] = near[j]
            left_tail += settled
        steps += state[HEAD] - head + state[FILLED] + 1
        if side:
            right_head = state[HEAD]
        else:
            left_head = state[HEAD]
    state[LEFT_HEAD], state[LEFT_TAIL], state[LEFT_STOP] = left_head, left_tail, left_stop
    state[RIGHT_HEAD], state[RIGHT_TAIL], state[RIGHT_STOP] = right_head, right_tail, right_stop
    state[DEPTH] = depth
    return outcome


@part
def end_phase(phases: Phases, phase: int, left_tail: int, right_tail: int) -> None:
    """Write down where the fronts end after a phase."""
    if phase > 0:
        phases.segments[2 * phase - 2] = left_tail
        phases.segments[2 * phase - 1] = right_tail


@part
def append_seeds(
    situations: Situations, phases: Phases, phase: int, left_tail: int, right_tail: int, agree: int
) -> tuple[int, int]:
    """Append the ends of a phase to the two fronts; return how many go to each."""
    status, queue = situations
    left, right = 0, 0
    for i in range(phases.starts[phase], phases.starts[phase + 1]):
        s = phases.seeds[i]
        if agree == 0 and ~status[s] & 1:
            queue[len(queue) - 1 - right_tail - right] = s
            right += 1
        else:
            queue[left_tail + left] = s
            left += 1
    return left, right


@kernel
def gather(
    predecessors: Moves,
    queue: Int32Array,
    near: Int32Array,
    cursor: Int64Array,
    side: int,
    shift: int,
    start: int,
    capacity: int,
) -> None:
    """List up to ``capacity`` predecessors of a front from ``near[start]`` on; move the cursor."""
    rev_indptr, rev_indices = predecessors
    head, stop, row = cursor[HEAD], cursor[STOP], cursor[ROW]
    step = -1 if side else 1
    origin = len(queue) - 1 if side else 0  # situation i of this front is queue[origin + step * i]
    far = len(rev_indices) > CACHED
    if far:
        for i in range(head, min(stop, head + ROWS_AHEAD)):
            v = queue[origin + step * i] >> shift
            prefetch(rev_indptr, v)
            prefetch(rev_indptr, v + 1)
        for i in range(head, min(stop, head + MOVES_AHEAD)):
            v = queue[origin + step * i] >> shift
            prefetch(rev_indices, rev_indptr[v])
            prefetch(rev_indices, rev_indptr[v + 1] - 1)
    filled = 0
    # Invariant: filled situations are listed, the predecessors of all from the first head up to
    # the present one, and of the latter those by its first row moves.
    while head < stop and filled < capacity:
        if far:
            if head + ROWS_AHEAD < stop:
                v = queue[origin + step * (head + ROWS_AHEAD)] >> shift
                prefetch(rev_indptr, v)
                prefetch(rev_indptr, v + 1)
            if head + MOVES_AHEAD < stop:
                v = queue[origin + step * (head + MOVES_AHEAD)] >> shift
                prefetch(rev_indices, rev_indptr[v])
                prefetch(rev_indices, rev_indptr[v + 1] - 1)
        s = queue[origin + step * head]
        v = s >> shift
        offset = ~s & shift
        first = rev_indptr[v] + row
        beyond = rev_indptr[v + 1]
        if beyond - first > capacity - filled:
            beyond = first + capacity - filled
            row += beyond - first
        else:
            row = 0
            head += 1
        for k in range(first, beyond):
            near[start + filled] = (rev_indices[k] << shift) + offset
            filled += 1
    cursor[HEAD], cursor[ROW], cursor[FILLED] = head, row, filled


@kernel
def settle(
    status: Int32Array, near: Int32Array, start: int, filled: int, code: int, side: int, agree: int
) -> int:
    """Update the status of the ``filled`` situations listed from ``near[start]`` on.

    Those settled now get the status ``code`` and replace the list; returns how many. ``near`` has
    STATUS_AHEAD entries to spare. A branch on the status would be predicted wrongly half of
    the time, so there is none.
    """
    far = len(status) > CACHED
    beyond = start
    # Invariant: near[start:beyond] are the situations settled by near[start:j], each once, and no
    # undecided counter is 0.
    for j in range(start, start + filled):
        if far:
            prefetch(status, near[j + STATUS_AHEAD])
        p = near[j]
        w = status[p]
        undecided = w >= 0
        now = undecided & ((w < 4) | ((w & 1) == side) | (agree != 0))
        status[p] = code if now else w - 2 * undecided
        near[beyond] = p
        beyond += now
    return beyond - start


@kernel
def settle_shared(
    status: Int32Array, near: Int32Array, start: int, filled: int, code: int, side: int, agree: int
) -> int:
    """Do what ``settle`` does while other threads do it for other slices of the same front.

    Of several threads that settle a situation with the same code, the one that finds it undecided
    lists it; of those that count down, the one that takes the last move.
    """
    far = len(status) > CACHED
    beyond = start
    for j in range(start, start + filled):
        if far:
            prefetch(status, near[j + STATUS_AHEAD])
        p = near[j]
        w = status[p]
        if w < 0:
            continue
        if (w & 1) == side or agree != 0:
            now = swap(status, p, code) >= 0
        else:
            now = fetch_sub(status, p, 2) < 4
            if now:
                status[p] = code
        near[beyond] = p
        beyond += now
    return beyond - start


@kernel
def advance(
    predecessors: Moves,
    situations: Situations,
    near: Int32Array,
    cursor: Int64Array,
    code: int,
    side: int,
    scheme: Scheme,
) -> None:
    """Settle the predecessors of a slice of a front until it ends or ``near`` has no more room.

    ``near[:cursor[FILLED]]`` are then the situations settled. Other threads may advance through
    other slices of the same front.
    """
    kept = 0
    while cursor[HEAD] < cursor[STOP] and kept + NEAR_SIZE <= len(near):
        gather(predecessors, situations.queue, near, cursor, side, scheme.shift, kept, CHUNK)
        filled = cursor[FILLED]
        kept += settle_shared(situations.status, near, kept, filled, code, side, scheme.agree)
    cursor[FILLED] = kept


@kernel
def start_status(indptr: Int64Array, owner: Int8Array, shift: int, status: Int32Array) -> None:
    """Write the status of all situations before anything is settled.

    ``owner`` is empty in the symmetric and the alternating layout.
    """
    owned = len(owner) > 0
    for v in range(len(indptr) - 1):
        w = (indptr[v + 1] - indptr[v]) << 1
        if shift:
            status[2 * v] = w
            status[2 * v + 1] = w + 1
        else:
            status[v] = w + owner[v] if owned else w


@kernel
def read_levels(
    status: Int32Array, level: Int8Array, undecided: int, forced_0: int, forced_1: int
) -> None:
    """Write one of three codes for each situation: undecided, settled with f = 0 or with f = 1."""
    for s in range(len(status)):
        w = status[s]
        level[s] = undecided if w >= 0 else (forced_1 if ~w & 1 else forced_0)


@kernel
def write_level(queue: Int32Array, start: int, stop: int, code: int, level: Int8Array) -> None:
    """Give all of ``queue[start:stop]`` one code."""
    for i in range(start, stop):
        level[queue[i]] = code


@kernel
def read_distances(status: Int32Array) -> None:
    """Turn statuses into distances in place; undecided becomes NO_DISTANCE."""
    for s in range(len(status)):
        w = status[s]
        status[s] = -1 if w >= 0 else ~w >> 1


@kernel
def read_labels(
    level: Int8Array, sign: Int8Array, owner: Int8Array, shift: int, label: Int8Array
) -> None:
    """Write labels as the mover sees them; ``sign`` has each level's sign as player 0 sees it.

    ``owner`` is empty in the symmetric and the alternating layout; the former has ``shift`` 0 and
    keeps the signs.
    """
    owned = len(owner) > 0
    for s in range(len(level)):
        mover = owner[s] if owned else s & shift
        label[s] = -sign[level[s]] if mover else sign[level[s]]


@kernel
def best_moves(
    successors: Moves,
    level: Int32Array,
    distance: Int32Array,
    absorbing: Int8Array,
    shift: int,
    mirror: int,
    move: Int32Array,
) -> None:
    """Pick for every situation the first move that keeps its value and brings the end nearer.

    In a settled situation the best moves of either player lead to the same value at distance one
    less (the forcing player has none nearer, the other none farther); without a distance they lead
    to another situation of that value without one. With ``mirror > 0`` the value of level ``c`` as
    the other player sees it is level ``mirror - c``.
    """
    indptr, indices = successors
    for s in range(len(move)):
        move[s] = -1
        if absorbing[s]:
            continue
        v = s >> shift
        offset = ~s & shift
        wanted = mirror - level[s] if mirror else level[s]
        d = distance[s]
        d = d if d < 0 else d - 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            t = (w << shift) + offset
            if level[t] == wanted and distance[t] == d:
                move[s] = w
                break
