"""The answer at one position, from decoded blocks: its entry, and its best moves.

One call finds all that a probe needs: the key of the position, the positions after its moves, their
entries, and the distances of won positions among them, which follow from the positions one move
further. Entries of blocks that are not decoded are left out, and the numbers of these blocks are
listed; the caller decodes them and calls again.

The kernels are templates that are bound to views of rules (:mod:`zermelo.rules.views`).
"""

from typing import NamedTuple

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import NO_DISTANCE, AnyArray, Int64Array

SHIFT = 14
"""A block has ``2 ** SHIFT`` entries."""

OPEN = 2
"""The outcome of a position in which play goes on."""

NO_ENTRY, UNKNOWN = -1, -2
"""A key that has no entry, and an entry of a block that is not decoded."""

FAR = 1 << 30
"""More than any distance."""

POSITION, TIME, KEY, CODE, DISTANCE, BEST, MISSING, STATE = 0, 1, 2, 3, 4, 5, 6, 7
"""What ``Found.state`` has: a position and the time, which the caller sets; the key of the
position, −1 if it is none; its code, NO_ENTRY or UNKNOWN; its distance; how many best moves there
are; and how many blocks are missing."""

NO_MOVES, BEST_MOVES, ALL_MOVES = 0, 1, 2
"""The moves that are asked for: none; those that keep the label and lead along the distance; then
also the others that keep the label."""

key = placeholder("key")
moves = placeholder("moves")
outcome = placeholder("outcome")
turns = placeholder("turns")
known_key = placeholder("known_key")
distance_ends = placeholder("distance_ends")


class DecodedBlocks(NamedTuple):
    """Decoded blocks, each in a row of ``2 ** SHIFT`` elements, its *slot*."""

    where: Int64Array
    """The slot of each block, −1 if it has none."""
    code: AnyArray
    """The entries of all slots."""
    number: Int64Array
    """The keys of all slots, where entries have keys beside them."""
    size: Int64Array
    """How many entries each slot has."""
    used: Int64Array
    """The time at which each slot was used last."""
    first: Int64Array
    """The first key of each block; empty if a key is the number of its entry."""
    start: Int64Array
    """The number of the first entry of each file."""
    shift: Int64Array
    """What is added to the number of an entry of each file, so that files begin with blocks."""


class Meaning(NamedTuple):
    """What the codes of entries mean."""

    kind: AnyArray
    distance: AnyArray
    """The kind and the distance of each code."""
    label: AnyArray
    """The label of each kind."""
    win: int
    lose: int
    absent: int
    tied: int
    """The kinds that are treated in their own way: see :mod:`zermelo.tables.storage.codes`."""


class Found(NamedTuple):
    """What a call finds."""

    state: Int64Array
    """See POSITION."""
    best: Int64Array
    """The positions after best moves."""
    missing: Int64Array
    """Numbers of blocks that are needed and not decoded, as far as there is room."""


class Room(NamedTuple):
    """Room for the moves of a position."""

    out: Int64Array
    """Positions after its moves."""
    code: Int64Array
    """The keys of their entries, then the codes."""
    second: Int64Array
    """Positions after two moves."""


@part
def last_not_above(values: Int64Array, start: int, stop: int, wanted: int) -> int:
    """The last place from ``start`` to ``stop − 1`` whose value is not above ``wanted``.

    Values are sorted. The result is ``start − 1`` if there is no such place.
    """
    # Invariant: values before ``low`` are not above ``wanted``, those from ``high`` on are.
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if values[middle] <= wanted:
            low = middle + 1
        else:
            high = middle
    return low - 1


@kernel
def code_of(blocks: DecodedBlocks, wanted: int, found: Found) -> int:
    """The code of the entry of a key, or NO_ENTRY, or UNKNOWN if its block is missing."""
    where, state = blocks.where, found.state
    if wanted < 0:
        return NO_ENTRY
    if len(blocks.first) > 0:
        number = last_not_above(blocks.first, 0, len(blocks.first), wanted)
        inside = 0
    else:
        file = last_not_above(blocks.start, 0, len(blocks.start), wanted)
        place = wanted + blocks.shift[file]
        number, inside = place >> SHIFT, place & (1 << SHIFT) - 1
    if number < 0 or number >= len(where):
        return NO_ENTRY
    slot = where[number]
    if slot < 0:
        filled = state[MISSING]
        for k in range(filled):
            if found.missing[k] == number:
                return UNKNOWN
        if filled < len(found.missing):
            found.missing[filled] = number
            state[MISSING] = filled + 1
        return UNKNOWN
    blocks.used[slot] = state[TIME]
    row = slot << SHIFT
    if len(blocks.first) > 0:
        place = last_not_above(blocks.number, row, row + blocks.size[slot], wanted)
        if place < row or blocks.number[place] != wanted:
            return NO_ENTRY
        inside = place - row
    if inside >= blocks.size[slot]:
        return NO_ENTRY
    return blocks.code[row + inside] & FAR - 1  # type: ignore[no-any-return]


@kernel
def distance_of_win(
    p: int, out: Int64Array, blocks: DecodedBlocks, meaning: Meaning, found: Found
) -> int:
    """The distance of a won position: 1 + the least one of a lost position after a move.

    It is 0 where play is over. It may be wrong if blocks are missing.
    """
    if outcome(p) != OPEN:
        return 0
    least, count = FAR, moves(p, out)
    for j in range(count):
        c = out[j]
        code = code_of(blocks, key(c), found)
        if code >= 0 and meaning.kind[code] == meaning.lose:
            far = meaning.distance[code] + 0
            if far > 0 and distance_ends(p, c):
                far = 0
            least = min(least, far)
    if count == 0:
        return 0
    return NO_DISTANCE if least == FAR else least + 1


@kernel
def answer_at(
    blocks: DecodedBlocks,
    meaning: Meaning,
    room: Room,
    found: Found,
    symmetry: bool,
    with_moves: int,
) -> int:
    """Find the entry of a position and its distance, and moves: see NO_MOVES.

    The result is the number of missing blocks. If it is not 0, nothing else is known; see POSITION.
    A code is below the length of ``meaning.kind``, because it was checked when it was decoded.
    """
    state = found.state
    state[BEST], state[MISSING] = 0, 0
    p = state[POSITION]
    wanted = known_key(p, symmetry)
    state[KEY], state[CODE], state[DISTANCE] = wanted, NO_ENTRY, NO_DISTANCE
    if wanted < 0:
        return 0
    own = code_of(blocks, wanted, found)
    state[CODE] = own
    kind, distance = meaning.absent, NO_DISTANCE
    if own >= 0:
        kind, distance = meaning.kind[own] + 0, meaning.distance[own] + 0
        if kind == meaning.absent:
            return 0
    elif own == NO_ENTRY:
        return 0
    state[DISTANCE] = distance
    count = moves(p, room.out) if outcome(p) == OPEN else 0
    for j in range(count):
        room.code[j] = key(room.out[j])
    if not with_moves and kind != meaning.win:
        return state[MISSING]  # type: ignore[no-any-return]
    least = FAR
    for j in range(count):
        c = room.out[j]
        code = code_of(blocks, room.code[j], found)
        room.code[j] = code
        if code >= 0 and meaning.kind[code] == meaning.lose:
            far = meaning.distance[code] + 0
            if far > 0 and distance_ends(p, c):
                far = 0
            least = min(least, far)
    if own == UNKNOWN:
        return state[MISSING]  # type: ignore[no-any-return]
    if kind == meaning.win:
        distance = 0 if count == 0 else NO_DISTANCE if least == FAR else least + 1
        state[DISTANCE] = distance
    if not with_moves:
        return state[MISSING]  # type: ignore[no-any-return]
    others = 0
    for j in range(count):
        c, code = room.out[j], room.code[j]
        if code < 0:
            continue
        after, left = meaning.kind[code] + 0, meaning.distance[code] + 0
        label = meaning.label[after] + 0
        if turns(p, c):
            label = -label
        if label != meaning.label[kind] or after == meaning.absent:
            continue
        if after == meaning.win:
            left = distance_of_win(c, room.second, blocks, meaning, found)
        if left > 0 and distance_ends(p, c):
            left = 0
        along = left == (NO_DISTANCE if distance == NO_DISTANCE else distance - 1)
        if along and not (kind == meaning.tied and after != meaning.tied):
            found.best[state[BEST]] = c
            state[BEST] += 1
        else:
            room.code[others] = c  # the first ones are read already
            others += 1
    if with_moves == ALL_MOVES:
        for j in range(others):
            found.best[state[BEST] + j] = room.code[j]
        state[BEST] += others
    return state[MISSING]  # type: ignore[no-any-return]
