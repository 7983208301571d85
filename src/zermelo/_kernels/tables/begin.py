"""The beginning of a tier: ends of play, counters, and what follows from lower tiers.

**Entries** are laid out as :mod:`zermelo.tables.storage.codes` says: kind above ``bits`` bits of
distance. Until it is decided an entry has kind 0 and one of these codes, with ``half = 2^(bits −
1)``:

- ``half + t``: a position of tier ``t``, which has not begun;
- ``1 … half − 2``: a position of the present tier; so many of its moves may still be good for the
  player to move, namely those within the tier not yet known to be bad;
- ``half − 1``, NEVER lost: a move out of the tier makes sure of a tie or a draw.

A WIN or LOSE farther than the present layer of the wave is *pending*: it is spread when the wave
reaches its distance. A pending WIN, by a move out of the tier, may still be replaced by a nearer
one; a pending LOSE is final.

**Labels alone.** Without distances a wave needs no order. The bits of the distance then say how
often a settled position is still to be spread: ``fresh`` times when it is settled, 0 times when it
is done; all bits set are a draw, as before. There, ``half = 2^bits − 1`` is the code of every
position whose tier has not begun, so that a byte has counters up to 61.

The views of :mod:`zermelo.rules.views` tell where the entry of a position is. A batch of positions
goes through three steps, each of which knows the addresses that the next step needs: list the keys
of the positions that moves lead to, find their slots, read their entries.
"""

from typing import NamedTuple

from zermelo._kernels.positions.hash_table import EMPTY, is_among, mark_of
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.guards import require_position
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array


class Table(NamedTuple):
    """The positions of a game and what is known of them, slot by slot."""

    keys: Int64Array
    """The position in each slot; unused where positions have an index."""
    entry: AnyArray
    ends: AnyArray
    """The moves ``back[ends[j]:ends[j + 1]]`` lead to slot j, within the present tier; unused where
    such moves are not stored."""
    back: AnyArray
    """The slot i of the position with the move; ``~i`` if the same player moves again after it."""


class Coding(NamedTuple):
    """How entries are read."""

    bits: int
    """Bits of an entry that are its distance."""
    half: int
    """Codes of kind 0 from here on belong to tiers that have not begun."""
    fresh: int
    """0 where entries have distances; else what a settled position has instead, see above."""


class Step(NamedTuple):
    """What a call does, and in which tier."""

    bits: int
    half: int
    fresh: int
    """See :class:`Coding`; records hold no records."""
    tier: int
    tiered: bool
    """Whether the game has several tiers."""
    mixed: bool
    """Whether slots of other tiers are among those of this one."""
    sign: int
    """−1 where outcomes are turned around, so that a player who cannot move wins; else 1."""
    action: int = 0
    """What is done, see :mod:`zermelo._kernels.tables.wave`."""
    kind: int = 0
    low: int = 0
    """The kind and the distance of the entries that are spread."""


class Scratch(NamedTuple):
    """Arrays to which only one call of a kernel at a time may write."""

    out: Int64Array
    """Room for the moves and the un-moves of a position."""
    near: Int64Array
    """Keys or slots of a chunk: CHUNK elements, and one for every move or un-move."""
    rows: Int64Array
    """Positions of a chunk, three numbers each: slot, moves within the tier, end in ``near``."""
    tally: Int64Array
    """Counts, see INSIDE."""
    fresh: Int64Array
    """How many positions were settled by spreading, and their slots, as far as there is room; of
    one element where nothing is listed."""
    value: AnyArray
    """Room for one entry."""


moves, outcome, tier, orbit = map(placeholder, ("moves", "outcome", "tier", "orbit"))
canonical, key, ask, slot = map(placeholder, ("canonical", "key", "ask", "slot"))
slots, position_at, turns = map(placeholder, ("slots", "position_at", "turns"))
moves_differ = placeholder("moves_differ")

OPEN = 2
"""The outcome of a position in which play goes on."""

LOSE, EVEN, WIN = 1, 2, 3
"""The kinds of decided entries."""

ALL = (1 << 32) - 1
"""All bits of an entry."""

CHUNK = 512
"""Keys handled at a time."""

# ``tally`` counts settled positions by kind and distance; each kind has a quarter of it. The
# quarter of kind 0 begins with these numbers instead: the moves within the tier; the longest
# distance; 1 + the slot of a position with a wrong move (to a position without a known entry); the
# draws; and FAR − the shortest of the distances that are not counted one by one.
INSIDE, LONGEST, WRONG, DRAWS, NEAREST = 0, 1, 2, 3, 4
FAR = 1 << 40

# The row of a tier in ``spans``: its first and last slot, and how many positions it has.
FIRST, LAST, COUNT = 0, 1, 2


@kernel
def read(entry: AnyArray, i: int) -> int:
    """An entry as a signed integer; shifts of unsigned ones make all later numbers unsigned."""
    return entry[i] & ALL  # type: ignore[no-any-return]


@kernel
def note(tally: Int64Array, kind: int, distance: int, by: int) -> None:
    """Add ``by`` to the count of a kind and distance.

    The last place of a kind counts all distances from there on.
    """
    depths = len(tally) // 4
    tally[kind * depths + min(distance, depths - 1)] += by
    tally[LONGEST] = max(tally[LONGEST], distance)
    if distance >= depths - 1:
        tally[NEAREST] = max(tally[NEAREST], FAR - distance)


@kernel
def enlist(fresh: Int64Array, j: int) -> None:
    """Add a slot to the list of those that were settled, if there is one."""
    if len(fresh) > 1:
        fresh[0] += 1
        if fresh[0] < len(fresh):
            fresh[fresh[0]] = j


@kernel
def mark(
    keys: Int64Array,
    entry: AnyArray,
    spans: Int64Array,
    start: int,
    stop: int,
    coding: Coding,
    whole: bool,
) -> None:
    """Mark slots with the tiers of their positions, and fill ``spans``, a row for each tier.

    With ``whole`` all positions are marked, otherwise those whose entry is not 0.
    """
    for i in range(start, stop):
        if not whole and entry[i] == 0:
            continue
        p = position_at(keys, i)
        if p < 0:
            if not whole:
                require_position(i, p)
            entry[i] = 0
            continue
        t = tier(p)
        entry[i] = coding.half + (0 if coding.fresh else t)
        if spans[3 * t + COUNT] == 0:
            spans[3 * t + FIRST] = i
        spans[3 * t + LAST] = i
        spans[3 * t + COUNT] += 1


@kernel
def begin(table: Table, scratch: Scratch, start: int, stop: int, step: Step) -> None:
    """Begin the positions of a tier: settle ends, set counters, read the entries of lower tiers."""
    keys, entry = table.keys, table.entry
    out, near, rows, tally = scratch.out, scratch.near, scratch.rows, scratch.tally
    t, sign = step.tier, step.sign
    mine = step.half + (0 if step.fresh else t)
    filled, listed = 0, 0
    for i in range(start, stop):
        if entry[i] == mine:
            p = position_at(keys, i)
            if step.fresh and tier(p) != t:
                continue
            inside = 0
            ended = outcome(p)
            if ended != OPEN:
                settle_end(entry, tally, i, sign * ended + 2, step)
                continue
            count = moves(p, out)
            if count == 0:
                settle_end(entry, tally, i, 2 - sign, step)
                continue
            seen, distinct, differ = 0, 0, moves_differ(p)
            for k in range(count):
                c = out[k]
                if not differ:
                    f = canonical(c)
                    bit = mark_of(f)
                    if seen & bit and is_among(out, 0, distinct, f):
                        continue
                    seen |= bit
                    out[distinct] = f
                    distinct += 1
                if tier(c) == t:
                    inside += 1
                    continue
                q = key(c)
                ask(keys, entry, q)
                near[filled] = q if turns(p, c) else ~q
                filled += 1
            tally[INSIDE] += inside
            rows[3 * listed], rows[3 * listed + 1], rows[3 * listed + 2] = i, inside, filled
            listed += 1
        if filled >= CHUNK or 3 * listed == len(rows):
            weigh(table, scratch, listed, step)
            filled, listed = 0, 0
    weigh(table, scratch, listed, step)


@kernel
def settle_end(entry: AnyArray, tally: Int64Array, i: int, kind: int, step: Step) -> None:
    """Settle a position at which play is over, or at which there is no move."""
    low = min(step.fresh, 1) if kind == EVEN else step.fresh  # a tie is spread once
    entry[i] = kind << step.bits | low
    note(tally, kind, low, 1)


@kernel
def settle_even(entry: AnyArray, tally: Int64Array, i: int, tie: int, bits: int) -> None:
    """Settle a tie one ply before a tie at distance ``tie``, or a draw if there is no such tie."""
    none = (1 << bits) - 1
    if tie == none:
        entry[i] = EVEN << bits | none
        tally[DRAWS] += 1
    else:
        entry[i] = EVEN << bits | tie + 1
        note(tally, EVEN, tie + 1, 1)


@kernel
def weigh(table: Table, scratch: Scratch, listed: int, step: Step) -> None:
    """Give the listed positions counters, or the values that follow from moves out of the tier."""
    keys, entry = table.keys, table.entry
    near, rows, tally = scratch.near, scratch.rows, scratch.tally
    bits, half, fresh = step.bits, step.half, step.fresh
    none = (1 << bits) - 1
    never = half - 1
    first = 0
    if listed:
        slots(keys, entry, near, rows[3 * listed - 1])
    for r in range(listed):
        i, inside, beyond = rows[3 * r], rows[3 * r + 1], rows[3 * r + 2]
        best, worst, even, tie = none, -1, False, none
        for x in range(first, beyond):
            j = near[x]
            turned = j >= 0
            e = 0 if j == EMPTY else read(entry, j if turned else ~j)
            kind, d = e >> bits, e & none
            if kind == 0:
                tally[WRONG] = i + 1
            if not turned:
                kind = 4 - kind
            if kind == LOSE:
                best = min(best, d)
            elif kind == WIN:
                worst = max(worst, d)
            else:
                even = True
                tie = min(tie, d)
        first = beyond
        if best < none:
            near_end = fresh if fresh else best + 1
            entry[i] = WIN << bits | near_end
            note(tally, WIN, near_end, 1)
        elif inside:
            entry[i] = never if even else inside
        elif even:
            settle_even(entry, tally, i, tie, bits)
        else:
            far = fresh if fresh else worst + 1
            entry[i] = LOSE << bits | far
            note(tally, LOSE, far, 1)


@kernel
def begin_ties(table: Table, scratch: Scratch, start: int, stop: int, step: Step) -> None:
    """Give undecided positions the ties that moves out of the tier lead to, pending."""
    keys, entry = table.keys, table.entry
    out, bits, half, t = scratch.out, step.bits, step.half, step.tier
    none = (1 << bits) - 1
    for i in range(start, stop):
        if entry[i] == 0 or entry[i] >= half:
            continue
        p = position_at(keys, i)
        best = none
        for k in range(moves(p, out)):
            c = out[k]
            if tier(c) != t:
                e = read(entry, slot(keys, key(c)))
                if e >> bits == EVEN:
                    best = min(best, e & none)
        if best < none:
            settle_even(entry, scratch.tally, i, best, bits)


@kernel
def end_tier(table: Table, scratch: Scratch, start: int, stop: int, step: Step) -> None:
    """Settle all positions that are still undecided: they are drawn by infinite play.

    Where labels are alone, no position is left to be spread.
    """
    entry, bits, half, fresh = table.entry, step.bits, step.half, step.fresh
    none = (1 << bits) - 1
    for i in range(start, stop):
        e = read(entry, i)
        if 0 < e < half:
            settle_even(entry, scratch.tally, i, none, bits)
        elif fresh and e > none and e & none != none:
            entry[i] = e >> bits << bits


@kernel
def count_entries(
    keys: Int64Array, entry: AnyArray, totals: Int64Array, start: int, stop: int, bits: int
) -> None:
    """Add the entries ``start … stop`` to ``totals``, which has the counts of a whole game.

    ``totals`` has: draws, losses, ties, wins, longest loss, longest tie, longest win.
    """
    for i in range(start, stop):
        e = read(entry, i)
        if e != 0:
            count_entry(totals, e, orbit(position_at(keys, i)), bits)


@kernel
def count_entry(totals: Int64Array, e: int, weight: int, bits: int) -> None:
    """Add an entry, which stands for ``weight`` positions, to ``totals``."""
    none = (1 << bits) - 1
    kind, d = e >> bits, e & none
    if kind == EVEN and d == none:
        kind = 0
    totals[kind] += weight
    if kind and d < none:
        totals[3 + kind] = max(totals[3 + kind], d)
