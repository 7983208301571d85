"""Distances to conversion, by a backward wave over positions whose labels are known.

The distance is the number of plies until a player makes a *conversion* (a move that no play takes
back, such as a capture) or play ends. A player who wins minimises it among the moves that keep the
win, and the other player maximises it. So it is 0 where play is over, and otherwise 1 + the least
or the greatest number after a move: 0 after a conversion, else the distance there.

**Entries** have their kinds already, see :mod:`zermelo.tables.storage.entry`. The bits of the
distance of a won or lost position of the present tier are, with ``half = 2^(bits − 1)``:

- below ``half``: the distance. One that is greater than the present layer of the wave is *pending*:
  it is spread when the wave reaches it, and that of a win may still be replaced by a nearer one;
- ``half``: a won position whose distance is not known;
- ``half + k``: a lost position; k of its moves lead within the tier, are no conversions, and have
  not been reached by the wave.

Positions of lower tiers have their distances. Those of higher tiers have labels alone, and are
never looked at: a move does not lead there.
"""

from typing import NamedTuple

from zermelo._kernels.positions.hash_table import EMPTY, is_among, mark_of
from zermelo._kernels.tables.begin import (
    ALL,
    INSIDE,
    LOSE,
    OPEN,
    WIN,
    Scratch,
    Table,
    note,
    read,
)
from zermelo._kernels.tables.wave import BLOCK, has_value
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.instructions import fetch_sub, swap
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

moves, outcome, tier, moves_differ = map(placeholder, ("moves", "outcome", "tier", "moves_differ"))
key, slot, slots = map(placeholder, ("key", "slot", "slots"))
position_at, turns = map(placeholder, ("position_at", "turns"))
is_conversion, list_kept, enough = map(placeholder, ("is_conversion", "list_kept", "enough"))


class Phase(NamedTuple):
    """What a call does, and in which tier."""

    bits: int
    """Bits of an entry that are its distance."""
    tier: int
    tiered: bool
    """Whether the game has several tiers."""
    mixed: bool
    """Whether slots of other tiers are among those of this one."""
    far: int
    """The present layer."""


@kernel
def kind_after(kind: int, turned: bool) -> int:
    """The kind of an entry after a move, for the player who moves."""
    return 4 - kind if turned else kind


@kernel
def begin_distances(table: Table, scratch: Scratch, start: int, stop: int, phase: Phase) -> None:
    """Give the won and lost positions of a tier what follows from conversions and lower tiers."""
    keys, entry = table
    out, tally = scratch.out, scratch.tally
    bits, t = phase.bits, phase.tier
    none, half = (1 << bits) - 1, 1 << (bits - 1)
    for i in range(start, stop):
        kind = read(entry, i) >> bits
        if kind != WIN and kind != LOSE:
            continue
        p = position_at(keys, i)
        if tier(p) != t:
            continue
        tally[INSIDE] += 1
        count = moves(p, out) if outcome(p) == OPEN else 0
        differ = moves_differ(p)
        best, worst, inside, seen = none, -1, 0, 0
        for k in range(count):
            c = out[k]
            if kind == WIN and best == 0:
                break
            q = key(c)
            e = read(entry, slot(keys, q))
            if kind == WIN and kind_after(e >> bits, turns(p, c)) != WIN:
                continue
            if is_conversion(p, c):
                best, worst = 0, max(worst, 0)
            elif tier(c) != t:
                best, worst = min(best, e & none), max(worst, e & none)
            elif kind == LOSE:
                bit = mark_of(q)
                if differ or not (seen & bit and is_among(out, 0, inside, q)):
                    seen |= bit
                    out[inside] = q
                    inside += 1
        if count == 0:
            low = 0
        elif kind == WIN:
            low = best + 1 if best < none else half
        else:
            low = half + inside if inside else worst + 1
        entry[i] = kind << bits | low
        if low < half:
            note(tally, kind, low, 1)


@kernel
def spread_distances(
    table: Table, scratch: Scratch, value: AnyArray, start: int, stop: int, phase: Phase
) -> None:
    """Update the positions before those of entry ``value[0]`` in the slots ``start … stop``."""
    keys, entry = table
    near = scratch.near
    wanted = value[0]
    kind = read(value, 0) >> phase.bits
    filled = 0
    i = start
    while i < stop:
        if i + BLOCK <= stop and not has_value(entry, i, value):
            i += BLOCK
            continue
        beyond = min(i + BLOCK, stop)
        while i < beyond:
            if entry[i] == wanted:
                filled = list_kept(table, i, scratch, filled, phase.tier, phase.mixed)
                if filled >= enough():
                    slots(keys, entry, near, filled)
                    change_distances(table, scratch, filled, kind, phase)
                    filled = 0
            i += 1
    slots(keys, entry, near, filled)
    change_distances(table, scratch, filled, kind, phase)


@kernel
def change_distances(table: Table, scratch: Scratch, filled: int, kind: int, phase: Phase) -> None:
    """Change the entries at the slots ``near[:filled]``, which have a move to one of a kind.

    Threads do this at once. All of them write the same distance to a won position, and only one of
    them takes the last move of a lost position.
    """
    keys, entry = table
    out, near, _, tally, _ = scratch
    bits, far = phase.bits, phase.far
    none, half = (1 << bits) - 1, 1 << (bits - 1)
    for x in range(filled):
        j = near[x]
        if j == EMPTY:
            continue
        good = kind_after(kind, j >= 0)
        if j < 0:
            j = ~j
        e = read(entry, j)
        if e >> bits != good:
            continue
        low = e & none
        if good == WIN and low > far + 1:
            old = swap(entry, j, WIN << bits | far + 1) & none
            note(tally, WIN, far + 1, 1)
            if old < half:
                note(tally, WIN, old, -1)
        elif good == LOSE and low > half and (fetch_sub(entry, j, 1) & ALL & none) == half + 1:
            worst = far
            if phase.tiered:
                worst = max(worst, farthest_kept(keys, entry, out, j, phase.tier, bits))
            entry[j] = LOSE << bits | worst + 1
            note(tally, LOSE, worst + 1, 1)


@kernel
def farthest_kept(
    keys: Int64Array, entry: AnyArray, out: Int64Array, j: int, t: int, bits: int
) -> int:
    """The greatest distance after a move out of the tier that is no conversion; −1 for none."""
    far = -1
    p = position_at(keys, j)
    for k in range(moves(p, out)):
        c = out[k]
        if tier(c) != t and not is_conversion(p, c):
            far = max(far, read(entry, slot(keys, key(c))) & ((1 << bits) - 1))
    return far


@kernel
def look_for_distances(table: Table, scratch: Scratch, start: int, stop: int, phase: Phase) -> None:
    """Make the moves of positions without a final distance again, and settle what a layer settles.

    This is for rules without ``unmoves``. Distances beyond the present layer count as not known, so
    the order in which slots are visited does not matter.
    """
    keys, entry = table
    out, tally = scratch.out, scratch.tally
    bits, t, far = phase.bits, phase.tier, phase.far
    none, half = (1 << bits) - 1, 1 << (bits - 1)
    for i in range(start, stop):
        e = read(entry, i)
        kind, low = e >> bits, e & none
        if (kind != WIN and kind != LOSE) or low <= far + 1 or (kind == LOSE and low < half):
            continue
        p = position_at(keys, i)
        if tier(p) != t:
            continue
        found, worst = kind == LOSE, 0
        for k in range(moves(p, out)):
            c = out[k]
            if is_conversion(p, c):
                continue
            f = read(entry, slot(keys, key(c)))
            d = f & none
            if kind == WIN:
                good = kind_after(f >> bits, turns(p, c)) == WIN
                found = good and tier(c) == t and d == far
                if found:
                    break
            else:
                if tier(c) == t and d > far:
                    found = False
                    break
                worst = max(worst, d)
        if found:
            new = far + 1 if kind == WIN else worst + 1
            entry[i] = kind << bits | new
            note(tally, kind, new, 1)
            if low < half:
                note(tally, kind, low, -1)


@kernel
def find_conversions(
    before: Int64Array, start: Int64Array, after: Int64Array, found: AnyArray
) -> None:
    """Mark the moves that are conversions; those of position k are ``start[k] … start[k + 1]``."""
    for k in range(len(before)):
        for x in range(start[k], start[k + 1]):
            found[x] = is_conversion(before[k], after[x])
