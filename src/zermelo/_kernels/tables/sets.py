"""Solving a tier by sets: the positions of a layer as masks, 64 positions in a word.

The rules say which positions of a word have a move into a set (``moves_into``). With that, a layer
needs no counters and no predecessors. A position wins if it has a move to one that was lost in
the layer before. It is lost if it has no move to a position that is not known to be won. Every word
is looked at from its own side, so threads write to different words, in any order, and read sets
that do not change during a layer.

**What is known of a position** is a kind, which is two bits (``high`` and ``low``), and a code of
one byte. The code is half the distance of a loss (which is even), half of one less than the
distance of a win (which is odd), and the distance of a tie, or ENDLESS. A position that is not
settled yet is in the set ``undone``. There,

- kind 0 is an undecided position. Its code is half the first layer in which it can be lost: one
  more than the farthest win that a move out of the tier leads to, or 0;
- WIN and LOSE are *pending*: kind and code are final, but the wave has not reached the distance. A
  pending win may still be replaced by a nearer one;
- EVEN is a position that is *never* lost: play is over there without a winner, or a move out of the
  tier leads to a tie or a draw. Its code is that of the nearest tie which such a move leads to.

Entries of other tiers are read only. When all positions are settled, :func:`expand_words` makes the
entries of this one.

Words are in *blocks*. The rules say which blocks a move can lead to, and a layer leaves out the
blocks that are not near anything new. Where only every other block has indices, the others being
images, ``unwon`` and ``fresh`` have words for all blocks, and what is known of positions is for
blocks with indices only. So the number of a word in these sets is ``w`` below, and elsewhere ``v``.
"""

from typing import NamedTuple

from zermelo._kernels.tables.begin import DRAWS, EVEN, LOSE, WIN, note, read
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.words import count_bits, left, lowest, right
from zermelo.labels import AnyArray, Int64Array

positions_in, moves_into = placeholder("positions_in"), placeholder("moves_into")
may_convert, conversions = placeholder("may_convert"), placeholder("conversions")
mirror_set = placeholder("mirror_set")
board_at, outcome, rank = placeholder("board_at"), placeholder("outcome"), placeholder("rank")

NEW, PENDING, TOO_LONG = 0, 1, 2
"""What calls count: positions or words that the layer settled, positions that are pending now, and
distances that no code can hold."""

ENDLESS = 255
"""The code of a draw, and of a position that is never lost without a known way to a tie."""

LAST_LAYER, LAST_TIES = 2 * ENDLESS + 1, ENDLESS - 1
"""The greatest distance of a win or a loss, and of a tie, that a code can hold."""


class Sets(NamedTuple):
    """Sets of positions of a tier, as words of at most 64, and what is known of them."""

    unwon: Int64Array
    """Those that no layer has found to be won."""
    fresh: Int64Array
    """The losses of the last layer of losses."""
    undone: Int64Array
    """Those that no layer has settled; pending ones belong to them."""
    high: Int64Array
    low: Int64Array
    code: AnyArray
    """A byte for each index."""
    entry: AnyArray
    """The entries of the tiers below."""
    near_ends: Int64Array
    near_blocks: Int64Array
    """Block b has moves to ``near_blocks[near_ends[b]:near_ends[b + 1]]``."""
    changed: Int64Array
    """For each block, whether the last layer settled one of its positions."""
    waiting: Int64Array
    """For each block, how many positions are pending."""


class Span(NamedTuple):
    """Which blocks a call works on, of those with indices, and in which layer."""

    start: int
    stop: int
    stride: int
    """2 where only every other block has indices, and the others are images of these; else 1."""
    size: int
    """Words of a block."""
    width: int
    """Indices of a word."""
    key: int
    """The number by which the rules know the tier."""
    first: int
    """The index of the first position of the tier."""
    bits: int
    layer: int
    kind: int
    """What the layer settles: WIN, LOSE or EVEN."""


@kernel
def count_positions(counts: Int64Array, span: Span) -> None:
    """Count the positions, into ``counts[NEW]``."""
    for j in range(span.start, span.stop):
        for r in range(span.size):
            counts[NEW] += count_bits(positions_in(span.key, j * span.stride, r))


@kernel
def gather_positions(sets: Sets, counts: Int64Array, span: Span) -> None:
    """Let all positions be undone and not won; ``counts[NEW]`` is their number."""
    for j in range(span.start, span.stop):
        b = j * span.stride
        for r in range(span.size):
            members = positions_in(span.key, b, r)
            sets.undone[j * span.size + r] = members
            sets.unwon[b * span.size + r] = members
            counts[NEW] += count_bits(members)


@kernel
def mirror_sets(sets: Int64Array, wanted: Int64Array, room: Int64Array, span: Span) -> None:
    """Fill in the ``wanted`` blocks of a set that have no indices; ``room`` is for 64 words."""
    for j in range(span.start, span.stop):
        if wanted[j]:
            mirror_set(span.key, sets, j, room)


@kernel
def begin_sets(
    sets: Sets, out: Int64Array, tally: Int64Array, counts: Int64Array, span: Span
) -> None:
    """Settle lost ends of play; note what follows from other ends and moves out of the tier."""
    unwon, fresh, undone, high, low, code, entry = sets[:7]
    bits, key = span.bits, span.key
    none = (1 << bits) - 1
    for j in range(span.start, span.stop):
        b = j * span.stride
        sets.changed[b] = 0
        sets.waiting[b] = 0
        for r in range(span.size):
            v, w = j * span.size + r, b * span.size + r
            first, members = v * span.width, undone[v]
            high[v] = low[v] = fresh[w] = 0
            for k in range(span.width):
                code[first + k] = 0
            if not members:
                continue
            quiet = moves_into(key, b, r, unwon, members)
            looked = members & (may_convert(key, b, r) | ~quiet)
            while looked:
                k = lowest(looked)
                bit = left(1, k)
                looked ^= bit
                p = board_at(span.first + first + k)
                many = conversions(p, out)
                best, worst, even, tie = none, -1, False, none
                for x in range(many):
                    e = read(entry, rank(out[x]))
                    kind, d = e >> bits, e & none
                    if kind == LOSE:
                        best = min(best, d)
                    elif kind == WIN:
                        worst = max(worst, d)
                    else:
                        even = True
                        tie = min(tie, d)
                kind, value = 0, worst + 1 >> 1
                if best < none:
                    kind, value = WIN, best >> 1
                elif even:
                    kind, value = EVEN, tie + 1 if tie < none else ENDLESS
                    counts[TOO_LONG] += LAST_TIES <= tie < none
                elif not quiet & bit:
                    kind = LOSE if many or outcome(p) != 0 else EVEN
                    if kind == LOSE and not many:
                        fresh[w] |= bit
                counts[TOO_LONG] += value > ENDLESS
                code[first + k] = min(value, ENDLESS)
                if kind & 2:
                    high[v] |= bit
                if kind & 1:
                    low[v] |= bit
            undone[v] &= ~fresh[w]
            sets.waiting[b] += count_bits(undone[v] & low[v])
            if fresh[w]:
                sets.changed[b] = 1
                many = count_bits(fresh[w])
                note(tally, LOSE, 0, many)
                counts[NEW] += many
        counts[PENDING] += sets.waiting[b]


@kernel
def is_near(sets: Sets, before: Int64Array, b: int) -> bool:
    """Whether a move from block b can lead to a block that changed."""
    changed = 0
    for x in range(sets.near_ends[b], sets.near_ends[b + 1]):
        changed |= before[sets.near_blocks[x]]
    return changed != 0


@kernel
def due(code: AnyArray, first: int, members: int, wanted: int) -> int:
    """Those members of a word that have a code."""
    found = 0
    while members:
        k = lowest(members)
        bit = left(1, k)
        members ^= bit
        if code[first + k] == wanted:
            found |= bit
    return found


@kernel
def settle(sets: Sets, tally: Int64Array, v: int, members: int, span: Span) -> None:
    """Settle positions of a word in this layer, with the kind of the layer."""
    kind, first, left_over = span.kind, v * span.width, members
    value = span.layer if kind == EVEN else span.layer >> 1
    while left_over:
        k = lowest(left_over)
        left_over ^= left(1, k)
        sets.code[first + k] = value
    note(tally, kind, span.layer, count_bits(members))
    sets.undone[v] &= ~members
    sets.high[v] = sets.high[v] | members if kind & 2 else sets.high[v] & ~members
    sets.low[v] = sets.low[v] | members if kind & 1 else sets.low[v] & ~members


@kernel
def lost_in(sets: Sets, v: int, block: int, word: int, span: Span) -> int:
    """The undecided positions of a word that are lost now; those lost later become pending."""
    lost = sets.undone[v] & ~sets.high[v] & ~sets.low[v]
    if lost:
        lost &= ~moves_into(span.key, block, word, sets.unwon, lost)
    now = 0
    while lost:
        k = lowest(lost)
        bit = left(1, k)
        lost ^= bit
        if sets.code[v * span.width + k] <= span.layer >> 1:
            now |= bit
        else:
            sets.low[v] |= bit
            sets.waiting[block] += 1
    return now


@kernel
def settle_layer(
    sets: Sets,
    before: Int64Array,
    result: Int64Array,
    tally: Int64Array,
    counts: Int64Array,
    span: Span,
) -> None:
    """Settle the wins, losses or ties of a layer: those of ``span.kind``.

    ``before`` has the blocks that the layer before changed: by losses, wins or ties. The wins of
    the layer are taken out of ``result``, which is ``sets.unwon``. Losses and ties replace the
    content of ``result``, which is ``sets.fresh`` for losses, and another set for ties.
    """
    kind = span.kind
    value = span.layer if kind == EVEN else span.layer >> 1
    for j in range(span.start, span.stop):
        b = j * span.stride
        near = is_near(sets, before, b)
        sets.changed[b] = 0
        if kind == WIN and not near and sets.waiting[b] == 0:
            continue
        for r in range(span.size):
            v, w, new = j * span.size + r, b * span.size + r, 0
            members = sets.undone[v]
            if near and members:
                if kind == LOSE:
                    new = lost_in(sets, v, b, r, span)
                else:
                    new = moves_into(span.key, b, r, sets.fresh, members) & members
            if sets.waiting[b] and members:
                upper = sets.high[v] if kind & 2 else ~sets.high[v]
                lower = sets.low[v] if kind & 1 else ~sets.low[v]
                pending = members & upper & lower
                new |= due(sets.code, v * span.width, pending & ~new, value)
                sets.waiting[b] -= count_bits(pending & new)
            if kind != WIN:
                result[w] = new
            if new:
                if kind == WIN:
                    result[w] &= ~new
                settle(sets, tally, v, new, span)
                sets.changed[b] = 1
                counts[NEW] += 1
        counts[PENDING] += sets.waiting[b]


@kernel
def begin_set_ties(sets: Sets, counts: Int64Array, span: Span) -> None:
    """Let the ties at ends of play and after moves out of the tier be pending."""
    for j in range(span.start, span.stop):
        b = j * span.stride
        sets.waiting[b] = 0
        for r in range(span.size):
            v = j * span.size + r
            members = sets.undone[v] & sets.high[v]
            if members:
                drawn = due(sets.code, v * span.width, members, ENDLESS)
                sets.high[v] &= ~drawn
                sets.waiting[b] += count_bits(members & ~drawn)
        counts[PENDING] += sets.waiting[b]


@kernel
def end_sets(sets: Sets, tally: Int64Array, counts: Int64Array, span: Span) -> None:
    """Settle all positions that are still undecided: they are drawn by infinite play."""
    for v in range(span.start * span.size, span.stop * span.size):
        members, first = sets.undone[v], v * span.width
        many = count_bits(members)
        tally[DRAWS] += many
        counts[NEW] += many
        sets.high[v] |= members
        sets.low[v] &= ~members
        while members:
            k = lowest(members)
            members ^= left(1, k)
            sets.code[first + k] = ENDLESS


class Words(NamedTuple):
    """What is known of the positions of consecutive words, all of which are settled."""

    high: Int64Array
    low: Int64Array
    code: AnyArray


@kernel
def expand_words(words: Words, entry: AnyArray, start: int, stop: int, bits: int) -> None:
    """Make the entries of words ``start … stop − 1``; no position has the entry 0."""
    high, low, code = words
    width = len(code) // max(1, len(high))
    none = (1 << bits) - 1
    for v in range(start, stop):
        first = v * width
        for k in range(width):
            upper, lower = right(high[v], k) & 1, right(low[v], k) & 1
            c = code[first + k] & ENDLESS
            distance = c << lower | upper & lower
            if c == ENDLESS and not lower:
                distance = none
            kind = upper << 1 | lower
            entry[first + k] = kind << bits | distance if kind else 0
