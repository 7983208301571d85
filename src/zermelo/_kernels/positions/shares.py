"""Positions of a game given by rules that are spread over several arrays, not all in memory.

**Keys.** The key of a position is its index where the rules have one, and its canonical form
elsewhere; the views of :mod:`zermelo.rules.views` define ``key`` and the inverse
``position_of_key``.

**Exploring.** A *key range* has the positions found so far whose keys are in an interval. Positions
with an index are marks, one byte for each index of the interval. Other positions are in a hash
table without deletions. Both kinds have a stack of positions that wait. A kernel follows the moves
of waiting positions. A position of the same interval is added at once, and all others go to
``box``. If the stack has no room for a position, it waits without being on the stack, and
``MISSED`` is set. Positions that a full hash table has no room for go to ``box``, too.
"""

from typing import NamedTuple

from zermelo._kernels.positions.hash_table import DONE, EMPTY, WAITING, is_among, mark_of, scatter
from zermelo._kernels.tables.begin import OPEN, count_entry, read
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.guards import require_position
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int8Array, Int64Array, UInt8Array

moves, outcome, tier, orbit = map(placeholder, ("moves", "outcome", "tier", "orbit"))
unmoves = placeholder("unmoves")
key, position_of_key, mover_at = map(placeholder, ("key", "position_of_key", "mover_at"))

# Slots of the state of a key range: the interval of its keys, the positions that it has and may
# have, those on the stack, those in the box, whether some wait without being on the stack, and how
# many positions one call may still expand.
LOW, HIGH, FOUND, CAPACITY, TOP, FILLED, MISSED, STEPS = 0, 1, 2, 3, 4, 5, 6, 7
STATE_SIZE = 8


@kernel
def push(stack: Int64Array, top: int, i: int, state: Int64Array) -> int:
    """Put a position that waits on the stack, if there is room; return the new top.

    A table that is made anew has a shorter stack than before, so ``top`` may be beyond its end.
    """
    if top >= len(stack):
        state[MISSED] = 1
        return top
    stack[top] = i
    return top + 1


@kernel
def put_on_marks(marks: UInt8Array, keys: Int64Array, stack: Int64Array, state: Int64Array) -> int:
    """Mark the positions with these keys; return the number of keys handled, which is all."""
    low, top = state[LOW], state[TOP]
    for x in range(len(keys)):
        j = keys[x] - low
        if marks[j] == 0:
            marks[j] = WAITING
            state[FOUND] += 1
            top = push(stack, top, j, state)
    state[TOP] = top
    return len(keys)


@kernel
def search_marks(
    marks: UInt8Array, stack: Int64Array, out: Int64Array, box: Int64Array, state: Int64Array
) -> None:
    """Follow the moves of the positions that are marked as waiting."""
    low, top, filled, steps = state[LOW], state[TOP], state[FILLED], state[STEPS]
    while top > 0 and steps > 0 and filled + len(out) <= len(box):
        top -= 1
        steps -= 1
        i = stack[top]
        if marks[i] == DONE:
            continue
        marks[i] = DONE
        p = position_of_key(low + i)
        require_position(low + i, p)
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            q = key(out[k])
            j = q - low
            if j < 0 or j >= len(marks):
                box[filled] = q
                filled += 1
            elif marks[j] == 0:
                marks[j] = WAITING
                state[FOUND] += 1
                top = push(stack, top, j, state)
    state[TOP], state[FILLED], state[STEPS] = top, filled, steps


@kernel
def place_in(table: Int64Array, q: int) -> int:
    """The slot of a key in a hash table, or the empty slot where it belongs."""
    size = len(table)
    i = (scatter(q) * size) >> 31
    while table[i] != q and table[i] != ~q and table[i] != EMPTY:
        i += 1
        if i == size:
            i = 0
    return i


@kernel
def put_on_table(table: Int64Array, keys: Int64Array, stack: Int64Array, state: Int64Array) -> int:
    """Put positions into a hash table; return the number of keys handled until it is full.

    A negative key ``~q`` stands for a position whose moves were followed.
    """
    top = state[TOP]
    for x in range(len(keys)):
        q = keys[x]
        i = place_in(table, q if q >= 0 else ~q)
        if table[i] == EMPTY:
            if state[FOUND] >= state[CAPACITY]:
                state[TOP] = top
                return x
            state[FOUND] += 1
            table[i] = ~q
            if q >= 0:
                top = push(stack, top, i, state)
    state[TOP] = top
    return len(keys)


@kernel
def search_table(
    table: Int64Array, stack: Int64Array, out: Int64Array, box: Int64Array, state: Int64Array
) -> None:
    """Follow the moves of the positions that wait in a hash table."""
    low, high = state[LOW], state[HIGH]
    top, filled, steps = state[TOP], state[FILLED], state[STEPS]
    while top > 0 and steps > 0 and filled + len(out) <= len(box):
        top -= 1
        steps -= 1
        i = stack[top]
        if table[i] >= 0:
            continue
        p = ~table[i]
        table[i] = p
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            q = key(out[k])
            if q < low or q >= high:
                box[filled] = q
                filled += 1
                continue
            j = place_in(table, q)
            if table[j] != EMPTY:
                continue
            if state[FOUND] >= state[CAPACITY]:
                box[filled] = q
                filled += 1
                continue
            table[j] = ~q
            state[FOUND] += 1
            top = push(stack, top, j, state)
    state[TOP], state[FILLED], state[STEPS] = top, filled, steps


# -------------------------------------------------------------------- moves


class Listed(NamedTuple):
    """The moves of consecutive positions."""

    indptr: Int64Array
    targets: Int64Array
    """Keys of the positions that moves lead to; none occurs twice in a row. ``~q`` is the key q of
    a position below the present tiers."""
    mover: Int8Array
    """The player who moves; 0 where the rules do not say it."""
    ended: Int8Array
    """What the player to move gets where play is over, else OPEN; NOWHERE for no position."""


class Scope(NamedTuple):
    """The positions whose moves are listed."""

    whole: int
    """1 if the table has the whole index, with indices of no position."""
    lowest: int
    highest: int
    """The present tiers; positions of other tiers are none."""


NOWHERE = 3
"""The outcome of what is no position."""


@kernel
def list_moves(keys: Int64Array, out: Int64Array, listed: Listed, scope: Scope) -> int:
    """Write the moves of positions until an array is full; return the number of these positions.

    A negative key is no position. Returns ``~v`` if position ``v`` has a move to a higher tier, or
    to no position in a lower one.
    """
    indptr, targets, mover, ended = listed
    whole, lowest, highest = scope
    v, filled = 0, 0
    while v < len(keys) and v < len(mover) and filled + len(out) <= len(targets):
        mover[v], ended[v] = 0, NOWHERE
        p = position_of_key(keys[v]) if keys[v] >= 0 else -1
        if p < 0 and keys[v] >= 0 and whole == 0:
            require_position(keys[v], p)
        t = tier(p) if p >= 0 else -1
        if lowest <= t <= highest:
            mover[v] = mover_at(p)
            ended[v] = outcome(p)
            if ended[v] == OPEN:
                count = moves(p, out)
                if count == 0:
                    ended[v] = -1
                seen, distinct = 0, 0
                for k in range(count):
                    c = out[k]
                    q = key(c)
                    bit = mark_of(q)
                    if seen & bit and is_among(out, 0, distinct, q):
                        continue
                    seen |= bit
                    out[distinct] = q
                    distinct += 1
                    s = tier(c)
                    if s > t or (whole and s < t and position_of_key(q) < 0):
                        return ~v
                    targets[filled] = ~q if s < lowest else q
                    filled += 1
        v += 1
        indptr[v] = filled
    return v


@kernel
def list_unmoves(
    keys: Int64Array, out: Int64Array, indptr: Int64Array, targets: Int64Array, scope: Scope
) -> int:
    """Write the keys of the positions that have a move to each of these, until an array is full.

    Only positions of the present tiers are listed, none of them twice for the same key. Returns the
    number of the keys whose rows are complete.
    """
    v, filled = 0, 0
    while v < len(keys) and v + 1 < len(indptr) and filled + len(out) <= len(targets):
        row, seen = filled, 0
        for k in range(unmoves(position_of_key(keys[v]), out)):
            b = out[k]
            if tier(b) < scope.lowest or tier(b) > scope.highest:
                continue
            q = key(b)
            bit = mark_of(q)
            if seen & bit and is_among(targets, row, filled, q):
                continue
            seen |= bit
            targets[filled] = q
            filled += 1
        v += 1
        indptr[v] = filled
    return v


@kernel
def tiers_of(keys: Int64Array, found: Int64Array) -> None:
    """Write the tier of each position; −1 for a key of no position."""
    for v in range(len(keys)):
        p = position_of_key(keys[v]) if keys[v] >= 0 else -1
        found[v] = tier(p) if p >= 0 else -1


@kernel
def movers(keys: Int64Array, mover: Int8Array) -> None:
    """Write the player who moves at each position; 0 for a key of no position."""
    for v in range(len(keys)):
        p = position_of_key(keys[v]) if keys[v] >= 0 else -1
        mover[v] = mover_at(p) if p >= 0 else 0


@kernel
def count_share(keys: Int64Array, entry: AnyArray, totals: Int64Array, bits: int) -> None:
    """Add entries to ``totals``, as :func:`zermelo._kernels.tables.begin.count_entries` does."""
    for v in range(len(keys)):
        e = read(entry, v)
        if e != 0:
            count_entry(totals, e, orbit(position_of_key(keys[v])), bits)
