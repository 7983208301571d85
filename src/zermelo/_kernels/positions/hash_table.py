"""Tables of positions by open addressing, filled by exploring.

**Table.** One array ``keys`` of int64: a slot is EMPTY, or holds a position ``p`` whose moves have
been followed as ``p``, and one that waits for that as ``~p``. The table has PARTS parts of equal
room, each with linear probing that wraps around within it, so that threads that fill different
parts never meet. A hash of 31 bits gives the part (the highest bits) and the home slot in it
(the others, scaled to the room: capacities need not be powers of two).

**Exploring.** There are rounds of two steps. :func:`expand_waiting` follows the moves of waiting
positions and puts the positions that they lead to into buckets, one for each part; :func:`insert`
puts the buckets of one part into the table and lists the slots of new positions in ``fresh``. The
next round takes these slots; where the list had no room, the table is scanned for the positions
that still wait. So nothing but the table grows with the game. While few positions wait,
:func:`wander` does both steps for one position after the other. Where positions have an index,
:func:`expand_indices` does both: it marks what it finds, and needs no buckets.
"""

from typing import NamedTuple

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.guards import require_position
from zermelo._runtime.compiled.instructions import prefetch, swap
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array


class Buckets(NamedTuple):
    """Positions (or indices) that moves lead to, by the slice that found them and by their part."""

    content: Int64Array
    """Bucket b is ``content[b * room:b * room + fill[b]]``, where b = slice * PARTS + part."""
    fill: Int64Array
    room: int
    """Room of one bucket."""


class Room(NamedTuple):
    """Arrays to which one call at a time writes, where positions have an index."""

    out: Int64Array
    """Moves of one position."""
    near: Int64Array
    """Indices that are marked together, when their memory has arrived."""


class Fresh(NamedTuple):
    """The slots of new positions, a list for each part; with an index, for each slice."""

    slots: Int64Array
    listed: int
    """Room of one list."""


moves, outcome, canonical, rank, unrank = map(
    placeholder, ("moves", "outcome", "canonical", "rank", "unrank")
)

OPEN = 2
"""The outcome of a position in which play goes on."""
EMPTY = -(1 << 63)
"""A slot without a position; hence 2⁶³ − 1 cannot be a position."""

PARTS = 16
PART_SHIFT = 27
WITHIN = (1 << PART_SHIFT) - 1
LOW_31 = (1 << 31) - 1
LOW_32 = (1 << 32) - 1
MULTIPLIERS = 1540483477, 739982445, 695872825
FIRST, SECOND, THIRD = MULTIPLIERS

# The row of a part in ``part_state``: how many positions it has and how many it may have, how many
# are listed as fresh, whether the list had too little room, and the slice and the element up to
# which the buckets of the part have been put into the table.
COUNT, CAPACITY, FRESH, OVERFLOW, SLICE, TAKEN = 0, 1, 2, 3, 4, 5
# The row of a slice in ``cursor``: the interval that is still to be done, and how many positions
# were expanded and moves followed. The ``state`` of ``wander`` has the same slots. Where positions
# have an index, also how many were found, and how many of these are listed.
HEAD, STOP, EXPANDED, MOVES, FOUND, ON_LIST = 0, 1, 2, 3, 4, 5
ROW = 8  # a cache line

AHEAD = 12
"""How many positions ahead home slots are prefetched."""

WAITING, DONE = 1, 2
"""In the array of a game with an index: the position is reached; its moves have been followed."""


@kernel
def scatter(position: int) -> int:
    """A hash of 31 bits. Products stay below 2⁶³, so that nothing wraps around."""
    x = (position & LOW_32) * FIRST
    x = (x >> 32) ^ (x & LOW_31) ^ (position >> 32)
    x = x * SECOND
    x = (x >> 31) ^ (x & LOW_31)
    x = x * THIRD
    return (x >> 31) ^ (x & LOW_31)


@kernel
def home(keys: Int64Array, position: int) -> int:
    """The slot where the search for a position begins."""
    room = len(keys) // PARTS
    h = scatter(position)
    return (h >> PART_SHIFT) * room + (((h & WITHIN) * room) >> PART_SHIFT)


@kernel
def locate(keys: Int64Array, position: int) -> int:
    """The slot of a position, or the empty slot where it belongs. A part is never full."""
    room = len(keys) // PARTS
    h = scatter(position)
    start = (h >> PART_SHIFT) * room
    i = start + (((h & WITHIN) * room) >> PART_SHIFT)
    k = keys[i]
    while k != position and k != ~position and k != EMPTY:
        i += 1
        if i == start + room:
            i = start
        k = keys[i]
    return i


@kernel
def find(keys: Int64Array, position: int) -> int:
    """The slot of a position, −1 where the table does not have it."""
    i = locate(keys, position)
    return -1 if keys[i] == EMPTY else i


@kernel
def wander(
    keys: Int64Array,
    queue: Int64Array,
    out: Int64Array,
    part_state: Int64Array,
    state: Int64Array,
    steps: int,
) -> None:
    """Follow the moves of at most ``steps`` positions, one after the other, in a single thread.

    ``queue`` is a ring of slots; those from ``state[HEAD]`` up to ``state[STOP]`` wait. The kernel
    ends when no position waits, or when the ring or a part of the table might not have room for the
    moves of one more position. ``state`` also counts positions and moves.
    """
    size = len(keys) // PARTS
    head, tail = state[HEAD], state[STOP]
    spare = least_room(part_state)
    stop = head + steps
    while head < tail and head < stop and tail - head + len(out) <= len(queue):
        if spare < len(out):
            spare = least_room(part_state)
            if spare < len(out):
                break
        i = queue[head % len(queue)]
        head += 1
        p = ~keys[i]
        keys[i] = p
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            q = canonical(out[k])
            j = locate(keys, q)
            if keys[j] == EMPTY:
                keys[j] = ~q
                part_state[j // size * ROW + COUNT] += 1
                spare -= 1
                queue[tail % len(queue)] = j
                tail += 1
        state[EXPANDED] += 1
        state[MOVES] += count
    state[HEAD], state[STOP] = head, tail


@kernel
def least_room(part_state: Int64Array) -> int:
    """How many positions every part of a table may still take."""
    least = part_state[CAPACITY] - part_state[COUNT]
    for part in range(1, PARTS):
        least = min(least, part_state[part * ROW + CAPACITY] - part_state[part * ROW + COUNT])
    return least  # type: ignore[no-any-return]


@kernel
def wander_indices(
    entry: AnyArray,
    queue: Int64Array,
    out: Int64Array,
    part_state: Int64Array,
    state: Int64Array,
    steps: int,
) -> None:
    """Do what ``wander`` does where positions have an index."""
    head, tail = state[HEAD], state[STOP]
    stop = head + steps
    while head < tail and head < stop and tail - head + len(out) <= len(queue):
        i = queue[head % len(queue)]
        head += 1
        entry[i] = DONE
        p = unrank(i)
        require_position(i, p)
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            j = rank(out[k])
            if entry[j] == 0:
                entry[j] = WAITING
                part_state[COUNT] += 1
                queue[tail % len(queue)] = j
                tail += 1
        state[EXPANDED] += 1
        state[MOVES] += count
    state[HEAD], state[STOP] = head, tail


@kernel
def expand_waiting(
    keys: Int64Array,
    waiting: Int64Array,
    out: Int64Array,
    buckets: Buckets,
    cursor: Int64Array,
    place: int,
    scanning: bool,
) -> None:
    """Follow the moves of waiting positions until a bucket is full.

    They are at the slots ``waiting[HEAD:STOP]``, or with ``scanning`` at any of the slots HEAD …
    STOP.
    """
    row = place * ROW
    at, stop = cursor[row + HEAD], cursor[row + STOP]
    full = 0
    while at < stop and full + len(out) <= buckets.room:
        i = at if scanning else waiting[at]
        at += 1
        if not scanning and at + AHEAD < stop:
            prefetch(keys, waiting[at + AHEAD])
        if keys[i] < 0 and keys[i] != EMPTY:
            full = max(full, expand(keys, i, out, buckets, cursor, place))
    cursor[row + HEAD] = at


@kernel
def expand(
    keys: Int64Array, i: int, out: Int64Array, buckets: Buckets, cursor: Int64Array, place: int
) -> int:
    """Follow the moves of the position at slot ``i``; return the size of the fullest bucket."""
    content, fill, room = buckets
    p = ~keys[i]
    keys[i] = p
    cursor[place * ROW + EXPANDED] += 1
    full = 0
    if outcome(p) != OPEN:
        return full
    count = moves(p, out)
    cursor[place * ROW + MOVES] += count
    for k in range(count):
        q = canonical(out[k])
        bucket = place * PARTS + (scatter(q) >> PART_SHIFT)
        content[bucket * room + fill[bucket]] = q
        fill[bucket] += 1
        full = max(full, fill[bucket])
    return full


@kernel
def insert(
    keys: Int64Array,
    buckets: Buckets,
    fresh: Fresh,
    part_state: Int64Array,
    parts: tuple[int, int],
) -> None:
    """Put the buckets of the parts ``parts[0] … parts[1] − 1`` into the table.

    A part stops when it has as many positions as it may have; to continue, the caller calls again
    with a larger table.
    """
    content, fill, room = buckets
    for part in range(parts[0], parts[1]):
        row = part * ROW
        count, most, taken = (
            part_state[row + COUNT],
            part_state[row + CAPACITY],
            part_state[row + TAKEN],
        )
        # Invariant: of the buckets of this part, those of slices before SLICE and the first
        # ``taken`` of the present one are in the table.
        while part_state[row + SLICE] * PARTS < len(fill) and count < most:
            bucket = part_state[row + SLICE] * PARTS + part
            first, filled = bucket * room, fill[bucket]
            for t in range(taken, min(filled, taken + AHEAD)):
                prefetch(keys, home(keys, content[first + t]))
            while taken < filled and count < most:
                if taken + AHEAD < filled:
                    prefetch(keys, home(keys, content[first + taken + AHEAD]))
                q = content[first + taken]
                taken += 1
                i = locate(keys, q)
                if keys[i] == EMPTY:
                    keys[i] = ~q
                    count += 1
                    list_fresh(fresh, part_state, part, i)
            if taken == filled:
                fill[bucket] = 0
                taken = 0
                part_state[row + SLICE] += 1
        part_state[row + COUNT], part_state[row + TAKEN] = count, taken


@kernel
def list_fresh(fresh: Fresh, part_state: Int64Array, part: int, slot: int) -> None:
    """Put a slot on the list of a part, or note that it has no room."""
    row = part * ROW
    if part_state[row + FRESH] < fresh.listed:
        fresh.slots[part * fresh.listed + part_state[row + FRESH]] = slot
        part_state[row + FRESH] += 1
    else:
        part_state[row + OVERFLOW] = 1


@kernel
def regrow(old: Int64Array, keys: Int64Array, parts: tuple[int, int]) -> None:
    """Put the positions of the parts ``parts[0] … parts[1] − 1`` into a larger, empty table."""
    size = len(old) // PARTS
    for j in range(parts[0] * size, parts[1] * size):
        k = old[j]
        if k != EMPTY:
            keys[locate(keys, k if k >= 0 else ~k)] = k


@kernel
def expand_indices(
    entry: AnyArray,
    waiting: Int64Array,
    room: Room,
    fresh: Fresh,
    cursor: Int64Array,
    place: int,
    plan: tuple[int, bool],
) -> None:
    """Follow the moves of positions with an index, and mark those that they lead to.

    ``plan`` is the number of slots that the call may visit, and whether these are all of HEAD …
    STOP, and not only ``waiting[HEAD:STOP]``. All threads mark positions in one array: of several
    that reach a position at once, the one whose exchange finds no mark lists it.
    """
    out, near = room
    steps, scanning = plan
    row = place * ROW
    at = cursor[row + HEAD]
    stop = min(cursor[row + STOP], at + steps)
    last = cursor[row + STOP]
    filled = 0
    while at < stop:
        i = at if scanning else waiting[at]
        at += 1
        if not scanning and at + AHEAD < last:
            prefetch(entry, waiting[at + AHEAD])
        if entry[i] != WAITING:
            continue
        entry[i] = DONE
        cursor[row + EXPANDED] += 1
        p = unrank(i)
        require_position(i, p)
        if outcome(p) != OPEN:
            continue
        count = moves(p, out)
        cursor[row + MOVES] += count
        for k in range(count):
            j = rank(out[k])
            prefetch(entry, j)
            near[filled] = j
            filled += 1
        if filled + len(out) > len(near):
            mark_indices(entry, near, filled, fresh, cursor, place)
            filled = 0
    mark_indices(entry, near, filled, fresh, cursor, place)
    cursor[row + HEAD] = at


@kernel
def mark_indices(
    entry: AnyArray, near: Int64Array, filled: int, fresh: Fresh, cursor: Int64Array, place: int
) -> None:
    """Mark the positions with the indices ``near[:filled]``; list those that were not marked."""
    row = place * ROW
    for x in range(filled):
        j = near[x]
        if entry[j] != 0:
            continue
        old = swap(entry, j, WAITING)
        if old == DONE:  # another thread has found it and followed its moves in the meantime
            entry[j] = DONE
        elif old == 0:
            cursor[row + FOUND] += 1
            if cursor[row + ON_LIST] < fresh.listed:
                fresh.slots[place * fresh.listed + cursor[row + ON_LIST]] = j
                cursor[row + ON_LIST] += 1


@kernel
def mark_of(q: int) -> int:
    """One of 64 bits, determined by a key: keys with different bits are different."""
    return 1 << ((q ^ q >> 6 ^ q >> 13 ^ q >> 21 ^ q >> 34) & 63)


@kernel
def is_among(keys: Int64Array, start: int, stop: int, q: int) -> bool:
    """Whether ``q`` is one of the keys ``start … stop − 1``."""
    for k in range(start, stop):  # noqa: SIM110
        if keys[k] == q:
            return True
    return False
