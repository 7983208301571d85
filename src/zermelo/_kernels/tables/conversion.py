"""Distances to conversion, by a backward wave over positions whose labels are known.

The distance is the number of plies until a player makes a *conversion* (a move that no play takes
back, such as a capture) or play ends. A player who wins minimises it among the moves that keep the
win, and the other player maximises it. So it is 0 where play is over, and otherwise 1 + the least
or the greatest number after a move: 0 after a conversion, else the distance there.

**Entries** have their kinds already, see :mod:`zermelo.tables.storage.codes`. When a tier begins,
its won and lost positions become undecided again, with the codes of
:mod:`zermelo._kernels.tables.begin`: a won position is *never* lost, and a lost one has a counter
of the moves that lead within the tier and are no conversions. So the codes tell the kinds, and the
wave that finds distances to the end of play finds these distances, too, if its view leaves
conversions out.

Positions of lower tiers have their distances. Those of higher tiers have labels alone, and are
never looked at: a move does not lead there.
"""

from zermelo._kernels.positions.hash_table import is_among, mark_of
from zermelo._kernels.tables.begin import (
    DRAWS,
    EVEN,
    INSIDE,
    LOSE,
    OPEN,
    WIN,
    Scratch,
    Step,
    Table,
    note,
    read,
)
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

moves, outcome, tier, moves_differ = map(placeholder, ("moves", "outcome", "tier", "moves_differ"))
key, slot = map(placeholder, ("key", "slot"))
position_at, turns = map(placeholder, ("position_at", "turns"))
is_conversion, skipped_by_wave = map(placeholder, ("is_conversion", "skipped_by_wave"))


@kernel
def begin_distances(table: Table, scratch: Scratch, start: int, stop: int, step: Step) -> None:
    """Give the won and lost positions of a tier what follows from conversions and lower tiers."""
    keys, entry = table.keys, table.entry
    out, tally = scratch.out, scratch.tally
    bits, t, never = step.bits, step.tier, step.half - 1
    none = (1 << bits) - 1
    for i in range(start, stop):
        kind = read(entry, i) >> bits
        if kind == 0 or (kind == EVEN and not step.mixed):
            tally[DRAWS] += kind == EVEN
            continue
        p = position_at(keys, i)
        if tier(p) != t:
            continue
        if kind == EVEN:
            tally[DRAWS] += 1
            continue
        count = moves(p, out) if outcome(p) == OPEN else 0
        differ = moves_differ(p)
        best, worst, inside, seen = none, -1, 0, 0
        for k in range(count):
            c = out[k]
            q = key(c)
            converts = skipped_by_wave(p, c)
            if converts or tier(c) != t:
                e = read(entry, slot(keys, q))
                after = e >> bits
                if after == 0:  # a position of the tier that has begun
                    after = WIN if e == never else LOSE
                d = 0 if converts else e & none
                if kind == LOSE:
                    worst = max(worst, d)
                elif after == (LOSE if turns(p, c) else WIN):
                    best = min(best, d)
                continue
            bit = mark_of(q)
            if differ or not (seen & bit and is_among(out, 0, inside, q)):
                seen |= bit
                out[inside] = q
                inside += 1
        tally[INSIDE] += inside
        low = 0 if count == 0 else worst + 1 if kind == LOSE else best + 1
        if count and (best == none if kind == WIN else inside > 0):
            entry[i] = never if kind == WIN else inside
        else:
            entry[i] = kind << bits | low
            note(tally, kind, low, 1)


@kernel
def find_conversions(
    before: Int64Array, start: Int64Array, after: Int64Array, found: AnyArray
) -> None:
    """Mark the moves that are conversions; those of position k are ``start[k] … start[k + 1]``."""
    for k in range(len(before)):
        for x in range(start[k], start[k + 1]):
            found[x] = is_conversion(before[k], after[x])
