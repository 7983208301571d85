"""The backward wave of :mod:`.retrograde`, for positions that are in partitions.

Each partition has the statuses of its own situations and the reverse moves of its own positions.
A step of one partition has two parts. First :func:`deliver` settles the situations that messages of
other partitions decide. Then :func:`expand` goes through all situations that are settled at this
distance. A move from the same partition is handled at once. A move from another partition becomes a
message to that partition, which gets it at the next distance.

**Messages.** A message says that the moves of a situation lead to situations of one front. It has
three parts: the situation (its number within its partition), the front (the ``side``), and the
number of such moves. :func:`combine` sorts messages by partition and side and adds up those to the
same situation. The result of a layer does not depend on the order of its messages: a situation is
settled if one message is good for the player to move, or if its counter runs out, and both cannot
happen in one layer.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.retrograde import CACHED, MOVES_AHEAD, ROWS_AHEAD, STATUS_AHEAD
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array, UInt8Array


class Share(NamedTuple):
    """The situations of one partition."""

    status: Int32Array
    """The status of each, as in :mod:`zermelo._kernels.terminal.retrograde`."""
    level: Int8Array
    """The value of each, as an index of the payoffs; it changes when the situation is settled."""
    queue: Int32Array
    """The settled ones in two fronts: f = 0 from the left, f = 1 from the right."""


class Places(NamedTuple):
    """Which partition has which position."""

    home: Int32Array
    """The partition of each block of ``2**bits`` positions."""
    first: Int64Array
    """The first position of each partition."""
    bits: int
    own: int
    """The partition that this step is for."""


class Wave(NamedTuple):
    """The layout of the situations and what is being settled now."""

    shift: int
    flip: int
    agree: int
    """As in :class:`zermelo._kernels.terminal.retrograde.Scheme`."""
    level_0: int
    level_1: int
    """The values of situations that are settled with f = 0 and with f = 1."""


class Outbox(NamedTuple):
    """Messages to other partitions in the order in which they were written."""

    target: Int32Array
    """The situation, by its number within its partition."""
    stream: Int32Array
    """Twice the partition plus the side."""
    counts: Int64Array
    """The number of messages of each stream."""


class Sorted(NamedTuple):
    """Messages by stream, with those to the same situation added up."""

    target: Int32Array
    counts: UInt8Array
    """Larger counts than 255 are divided among several messages."""
    start: Int64Array
    """Stream k is ``target[start[k]:stop[k]]``."""
    stop: Int64Array


# Slots of the cursor of a partition. Of each front: the first situation that was not expanded,
# where the present layer ends, and where the front ends. Then the distance of the present layer,
# the moves already taken from the present row, the messages in the outbox, the number of moves
# that one call may handle before it ends after a layer, and the last distance that it may handle.
LEFT_HEAD, LEFT_STOP, LEFT_TAIL, RIGHT_HEAD, RIGHT_STOP, RIGHT_TAIL = 0, 1, 2, 3, 4, 5
DEPTH, ROW, FILLED, BUDGET, LAST = 6, 7, 8, 9, 10
CURSOR_SIZE = 16

# What a call of ``expand`` is for: one layer; several layers, because no other partition has
# anything to do; or the messages of a layer once more, without any change of the state.
ONE_LAYER, ALONE, MESSAGES_ONLY = 0, 1, 2

# What a call of ``expand`` returns.
LAYER_DONE, OUTBOX_FULL = 0, 1

SOON = 8
"""How many rows ahead the statuses of predecessors are prefetched, and how many of a row."""

MAX_COUNT = 255
"""The largest count of a message."""


@kernel
def enqueue(share: Share, seeds: Int32Array, wave: Wave, cursor: Int64Array) -> None:
    """Append ends of play to the fronts; for a wave of ties, settle them first."""
    status, queue = share.status, share.queue
    for i in range(len(seeds)):
        s = seeds[i]
        if wave.agree:
            status[s] = ~0
        if ~status[s] & 1:
            queue[len(queue) - 1 - cursor[RIGHT_TAIL]] = s
            cursor[RIGHT_TAIL] += 1
        else:
            queue[cursor[LEFT_TAIL]] = s
            cursor[LEFT_TAIL] += 1


@kernel
def deliver(
    share: Share,
    targets: Int32Array,
    counts: UInt8Array,
    side: int,
    wave: Wave,
    cursor: Int64Array,
) -> None:
    """Settle the situations that these messages of one side decide, at ``cursor[DEPTH]``."""
    status, level, queue = share
    f = side ^ wave.flip
    code = ~((cursor[DEPTH] << 1) | f)
    value = wave.level_1 if f else wave.level_0
    tail = cursor[RIGHT_TAIL] if f else cursor[LEFT_TAIL]
    origin, step = (len(queue) - 1, -1) if f else (0, 1)
    far = len(status) > CACHED
    for i in range(len(targets)):
        if far and i + STATUS_AHEAD < len(targets):
            prefetch(status, targets[i + STATUS_AHEAD])
        s = targets[i]
        w = status[s]
        if w < 0:
            continue
        if (w & 1) == side or wave.agree or (w >> 1) <= counts[i]:
            status[s] = code
            level[s] = value
            queue[origin + step * tail] = s
            tail += 1
        else:
            status[s] = w - 2 * counts[i]
    if f:
        cursor[RIGHT_TAIL] = tail
    else:
        cursor[LEFT_TAIL] = tail


@kernel
def expand(
    share: Share,
    predecessors: Moves,
    places: Places,
    wave: Wave,
    outbox: Outbox,
    cursor: Int64Array,
    mode: int,
    listed: int,
) -> int:
    """Handle all moves into the situations of one layer; OUTBOX_FULL if the caller must empty it.

    The layer ends at the stops of the cursor. In the mode ALONE the layers behind it are handled,
    too, until there is a message, nothing is left, the last distance is reached, or about
    ``cursor[BUDGET]`` moves have been handled; the cursor has their distance. ``predecessors`` has
    a row for each position, or, if ``listed`` is not negative, for the situations at this and the
    following places of a front.
    """
    status, level, queue = share
    rev_indptr, rev_indices = predecessors
    shift, flip, agree = wave.shift, wave.flip, wave.agree
    home, bits, own = places.home, places.bits, places.own
    base = places.first[own]
    filled, capacity = cursor[FILLED], len(outbox.target)
    far = len(rev_indices) > CACHED and listed < 0
    left_tail, right_tail = cursor[LEFT_TAIL], cursor[RIGHT_TAIL]
    depth, row, steps = cursor[DEPTH], cursor[ROW], 0
    outcome = LAYER_DONE
    # Invariant: as in ``retrograde``, for the situations of this partition; moves into those before
    # the heads that come from other partitions are in the outbox or were there before.
    while outcome == LAYER_DONE:
        side = 0 if cursor[LEFT_HEAD] < cursor[LEFT_STOP] else 1
        if side and cursor[RIGHT_HEAD] == cursor[RIGHT_STOP]:
            more = cursor[LEFT_STOP] < left_tail or cursor[RIGHT_STOP] < right_tail
            if mode != ALONE or filled > 0 or not more or steps > cursor[BUDGET]:
                break
            if depth >= cursor[LAST]:
                break
            depth += 1
            cursor[LEFT_STOP], cursor[RIGHT_STOP] = left_tail, right_tail
            continue
        head = cursor[RIGHT_HEAD] if side else cursor[LEFT_HEAD]
        stop = cursor[RIGHT_STOP] if side else cursor[LEFT_STOP]
        origin, step = (len(queue) - 1, -1) if side else (0, 1)
        s = queue[origin + step * head]
        if far and head + ROWS_AHEAD < stop:
            prefetch(rev_indptr, queue[origin + step * (head + ROWS_AHEAD)] >> shift)
        if far and head + MOVES_AHEAD < stop:
            prefetch(rev_indices, rev_indptr[queue[origin + step * (head + MOVES_AHEAD)] >> shift])
        if far and head + SOON < stop:
            later = queue[origin + step * (head + SOON)]
            row_start = rev_indptr[later >> shift]
            for k in range(row_start, min(rev_indptr[(later >> shift) + 1], row_start + SOON)):
                t = ((rev_indices[k] - base) << shift) + (~later & shift)
                if 0 <= t < len(status):
                    prefetch(status, t)
        f = side ^ flip
        code = ~(((depth + 1) << 1) | f)
        value = wave.level_1 if f else wave.level_0
        v = s >> shift if listed < 0 else head - listed
        offset = ~s & shift
        first, beyond = rev_indptr[v] + row, rev_indptr[v + 1]
        row = 0
        for k in range(first, beyond):
            u = rev_indices[k]
            q = home[u >> bits]
            if q != own:
                if filled == capacity:
                    row = k - rev_indptr[v]
                    outcome = OUTBOX_FULL
                    break
                outbox.target[filled] = ((u - places.first[q]) << shift) + offset
                outbox.stream[filled] = 2 * q + side
                outbox.counts[2 * q + side] += 1
                filled += 1
                continue
            t = ((u - base) << shift) + offset
            w = status[t]
            if w < 0 or mode == MESSAGES_ONLY:
                continue
            if w < 4 or (w & 1) == side or agree:
                status[t] = code
                level[t] = value
                if f:
                    queue[len(queue) - 1 - right_tail] = t
                    right_tail += 1
                else:
                    queue[left_tail] = t
                    left_tail += 1
            else:
                status[t] = w - 2
        steps += beyond - first + 1
        if outcome == LAYER_DONE:
            cursor[RIGHT_HEAD if side else LEFT_HEAD] += 1
    cursor[LEFT_TAIL], cursor[RIGHT_TAIL] = left_tail, right_tail
    cursor[DEPTH], cursor[ROW], cursor[FILLED] = depth, row, filled
    return outcome


@kernel
def combine(
    outbox: Outbox, filled: int, place: Int64Array, near: Int32Array, marks: UInt8Array, out: Sorted
) -> None:
    """Sort ``filled`` messages by stream and add up those of a stream to the same situation.

    ``marks`` has an entry for each situation of the largest partition; all are 0 before and after.
    ``place`` has an entry for each stream and ``near`` one for each message. The counts of the
    outbox are 0 afterwards.
    """
    start = 0
    for k in range(len(place)):
        place[k] = start
        start += outbox.counts[k]
    for i in range(filled):
        k = outbox.stream[i]
        near[place[k]] = outbox.target[i]
        place[k] += 1
    beyond = 0
    for k in range(len(place)):
        out.start[k] = beyond
        beyond = _combine_stream(near, place[k] - outbox.counts[k], place[k], marks, out, beyond)
        out.stop[k] = beyond
        outbox.counts[k] = 0


@part
def _combine_stream(
    near: Int32Array, start: int, stop: int, marks: UInt8Array, out: Sorted, beyond: int
) -> int:
    """Append the messages of one stream to ``out``; return where they end."""
    first = beyond
    for i in range(start, stop):
        t = near[i]
        if marks[t] == 0 or marks[t] == MAX_COUNT:
            if marks[t]:
                out.target[beyond], out.counts[beyond] = t, MAX_COUNT
                marks[t] = 1
            else:
                out.target[beyond], out.counts[beyond] = t, 0
                marks[t] = 1
            beyond += 1
        else:
            marks[t] += 1
    for i in range(first, beyond):
        if out.counts[i] == 0:
            t = out.target[i]
            out.counts[i] = marks[t]
            marks[t] = 0
    return beyond


@kernel
def find_layer(
    share: Share, depth: int, wave: Wave, first: int, stop: int, found: Int32Array
) -> int:
    """List the situations ``first..stop`` that this wave settled at a distance; return how many."""
    status, level = share.status, share.level
    kept = 0
    for s in range(first, stop):
        w = status[s]
        value = wave.level_1 if ~w & 1 else wave.level_0
        if w < 0 and ~w >> 1 == depth and level[s] == value:
            found[kept] = s
            kept += 1
    return kept


@kernel
def count_homes(
    indices: Int32Array, start: int, stop: int, home: Int32Array, bits: int, count: Int64Array
) -> None:
    """Add to ``count`` the number of moves ``start..stop`` into each partition."""
    for k in range(start, stop):
        count[home[indices[k] >> bits]] += 1


@kernel
def deal_homes(
    moves: Moves,
    first: int,
    places: Places,
    place: Int64Array,
    target: Int32Array,
    source: Int32Array,
) -> None:
    """Write the moves of some positions by the partition of their targets.

    ``first`` is the number of the first of these positions. At first ``place[q]`` is where the
    moves into partition q start; in the end it is where they end. Targets are numbered within their
    partition.
    """
    indptr, indices = moves
    for v in range(len(indptr) - 1):
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            q = places.home[w >> places.bits]
            i = place[q]
            target[i] = w - places.first[q]
            source[i] = first + v
            place[q] = i + 1


@kernel
def count_rows(target: Int32Array, rev_indptr: Int64Array) -> None:
    """Add to ``rev_indptr[v + 1]`` the number of moves into v."""
    far = len(rev_indptr) > CACHED
    for k in range(len(target)):
        if far and k + STATUS_AHEAD < len(target):
            prefetch(rev_indptr, target[k + STATUS_AHEAD] + 1)
        rev_indptr[target[k] + 1] += 1


@kernel
def fill_rows(
    target: Int32Array, source: Int32Array, place: Int64Array, rev_indices: Int32Array
) -> None:
    """Write sources into the rows of their targets; ``place[v]`` is where the next one goes."""
    far = len(place) > CACHED
    for k in range(len(target)):
        if far and k + STATUS_AHEAD < len(target):
            prefetch(place, target[k + STATUS_AHEAD])
        if far and k + SOON < len(target):
            prefetch(rev_indices, place[target[k + SOON]])
        v = target[k]
        rev_indices[place[v]] = source[k]
        place[v] += 1


@kernel
def window_moves(
    moves: Moves,
    level: AnyArray,
    distance: Int32Array,
    far_level: AnyArray,
    far_distance: Int32Array,
    window: Int64Array,
    move: Int32Array,
) -> None:
    """Pick best moves, as ``retrograde.best_moves`` does, among targets in a range of positions.

    ``window`` has the first position and the one behind the last, the shift, and the mirror.
    ``far_level`` and ``far_distance`` are those of the situations of the range. ``move`` is -2 for
    an end, -1 for a situation without a move so far.
    """
    indptr, indices = moves
    low, high, shift, mirror = window[0], window[1], window[2], window[3]
    far = len(far_distance) > CACHED
    for s in range(len(move)):
        v = s >> shift
        if far and s & shift == 0:  # every move once, although its row may be far shorter
            for k in range(indptr[v] + STATUS_AHEAD, indptr[v + 1] + STATUS_AHEAD):
                if k < len(indices) and low <= indices[k] < high:
                    prefetch(far_distance, (indices[k] - low) << shift)
                    prefetch(far_level, (indices[k] - low) << shift)
        if move[s] != -1:
            continue
        offset = ~s & shift
        wanted = mirror - level[s] if mirror else level[s]
        d = distance[s]
        d = d if d < 0 else d - 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if w < low or w >= high:
                continue
            t = ((w - low) << shift) + offset
            if far_level[t] == wanted and far_distance[t] == d:
                move[s] = w
                break
