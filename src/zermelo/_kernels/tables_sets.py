"""Solving a tier by sets: the positions of a layer as masks, 64 positions in a word.

The rules say which positions of a word have a move into a set (``moves_into``). With that, a layer
needs no counters and no positions before. A position wins if it has a move to one that was lost in
the layer before. It is lost if it has no move to a position that is not known to be won. Every word
is looked at from its own side, so threads write to different words, in any order, and read sets
that do not change during a layer.

**Entries** of undecided positions have kind 0 and the first layer in which the position can be
lost: one more than the farthest win that a move out of the tier leads to, or 1. A *pending*
position has its final kind and distance, but the wave has not reached it; a pending win may still
be replaced by a nearer one. A position that is *never* lost has a move out of the tier to a tie or
a draw, and the entry of the nearest tie that such a move leads to.

Words are in *blocks*. The rules say which blocks a move can lead to, and a layer leaves out the
blocks that are not near anything new.
"""

from typing import NamedTuple

from zermelo._kernels.tables_begin import DRAWS, EVEN, LOSE, WIN, note, read
from zermelo._runtime.bind import placeholder
from zermelo._runtime.jit import kernel
from zermelo._runtime.words import count_bits, left, lowest
from zermelo.labels import AnyArray, Int64Array

positions_in, moves_into = placeholder("positions_in"), placeholder("moves_into")
may_convert, conversions = placeholder("may_convert"), placeholder("conversions")
mirror_set = placeholder("mirror_set")
board_at, outcome, rank = placeholder("board_at"), placeholder("outcome"), placeholder("rank")

NEW, PENDING = 0, 1
"""What calls count: positions that the layer settled, and those that are pending now."""


class Sets(NamedTuple):
    """Sets of positions of a tier, as words of at most 64."""

    undone: Int64Array
    """Those that no layer has settled; pending ones belong to them."""
    unwon: Int64Array
    """Those that no layer has found to be won."""
    pending: Int64Array
    never: Int64Array
    fresh: Int64Array
    """The losses of the last layer of losses."""
    entry: AnyArray
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
    """What the rules know the tier by."""
    first: int
    """The index of the first position of the tier."""
    bits: int
    layer: int


@kernel
def gather_positions(sets: Sets, counts: Int64Array, span: Span) -> None:
    """Find the positions; ``counts[0]`` is their number."""
    for j in range(span.start, span.stop):
        for w in range(j * span.stride * span.size, (j * span.stride + 1) * span.size):
            members = positions_in(span.key, w)
            sets.undone[w] = members
            sets.unwon[w] = members
            counts[0] += count_bits(members)


@kernel
def mirror_sets(sets: Int64Array, wanted: Int64Array, room: Int64Array, span: Span) -> None:
    """Fill in the ``wanted`` blocks of a set that have no indices; ``room`` is for 64 words."""
    for j in range(span.start, span.stop):
        if wanted[j]:
            mirror_set(span.key, sets, j, room)


@kernel
def first_index(span: Span, j: int, w: int) -> int:
    """The index of the first position of a word in a block."""
    return span.first + span.width * (w - j * (span.stride - 1) * span.size)


@kernel
def begin_sets(
    sets: Sets, out: Int64Array, tally: Int64Array, counts: Int64Array, span: Span
) -> None:
    """Settle ends of play, and what moves out of the tier make known."""
    undone, unwon, pending, never, fresh, entry = sets[:6]
    bits = span.bits
    none = (1 << bits) - 1
    for j in range(span.start, span.stop):
        b = j * span.stride
        sets.changed[b] = 0
        sets.waiting[b] = 0
        for w in range(b * span.size, (b + 1) * span.size):
            first = first_index(span, j, w)
            members = undone[w]
            pending[w] = never[w] = fresh[w] = 0
            for k in range(span.width):
                entry[first + k] = members >> k & 1
            if not members:
                continue
            quiet = moves_into(span.key, w, unwon, members)
            looked = members & (may_convert(span.key, w) | ~quiet)
            while looked:
                k = lowest(looked)
                bit = left(1, k)
                looked ^= bit
                p = board_at(first + k)
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
                if best < none:
                    entry[first + k] = WIN << bits | best + 1
                    pending[w] |= bit
                    sets.waiting[b] += 1
                elif even:
                    entry[first + k] = EVEN << bits | (tie + 1 if tie < none else none)
                    never[w] |= bit
                elif quiet & bit:
                    entry[first + k] = worst + 1 if many else 1
                elif many:
                    entry[first + k] = LOSE << bits | worst + 1
                    pending[w] |= bit
                    sets.waiting[b] += 1
                elif outcome(p) == 0:
                    entry[first + k] = EVEN << bits
                    never[w] |= bit
                else:
                    entry[first + k] = LOSE << bits
                    fresh[w] |= bit
            if fresh[w]:
                undone[w] &= ~fresh[w]
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
def due(entry: AnyArray, first: int, members: int, wanted: int) -> int:
    """Those members of a word whose entries have a value."""
    found = 0
    while members:
        k = lowest(members)
        bit = left(1, k)
        members ^= bit
        if read(entry, first + k) == wanted:
            found |= bit
    return found


@kernel
def settle(
    sets: Sets,
    tally: Int64Array,
    w: int,
    first: int,
    members: int,
    layer: int,
    kind: int,
    bits: int,
) -> int:
    """Give positions of a word their entries in this layer; return how many were pending."""
    value, left_over = kind << bits | layer, members
    while left_over:
        k = lowest(left_over)
        left_over ^= left(1, k)
        sets.entry[first + k] = value
    note(tally, kind, layer, count_bits(members))
    released = count_bits(sets.pending[w] & members)
    sets.undone[w] &= ~members
    sets.pending[w] &= ~members
    return released


@kernel
def layer_of_wins(
    sets: Sets, before: Int64Array, tally: Int64Array, counts: Int64Array, span: Span
) -> None:
    """Settle the wins of a layer; ``before`` has the blocks with losses of the layer before."""
    value = WIN << span.bits | span.layer
    for j in range(span.start, span.stop):
        b = j * span.stride
        near = is_near(sets, before, b)
        sets.changed[b] = 0
        if not near and sets.waiting[b] == 0:
            continue
        for w in range(b * span.size, (b + 1) * span.size):
            members = sets.undone[w]
            if members == 0 or not (near or sets.pending[w]):
                continue
            first, new = first_index(span, j, w), 0
            if near:
                new = moves_into(span.key, w, sets.fresh, members) & members
            new |= due(sets.entry, first, sets.pending[w] & ~new, value)
            if new:
                sets.unwon[w] &= ~new
                sets.waiting[b] -= settle(sets, tally, w, first, new, span.layer, WIN, span.bits)
                sets.changed[b] = 1
                counts[NEW] += 1
        counts[PENDING] += sets.waiting[b]


@kernel
def layer_of_losses(
    sets: Sets, before: Int64Array, tally: Int64Array, counts: Int64Array, span: Span
) -> None:
    """Settle the losses of a layer; ``before`` has the blocks with wins of the layer before."""
    bits, layer = span.bits, span.layer
    value = LOSE << bits | layer
    for j in range(span.start, span.stop):
        b = j * span.stride
        near = is_near(sets, before, b)
        sets.changed[b] = 0
        for w in range(b * span.size, (b + 1) * span.size):
            first, new = first_index(span, j, w), 0
            members = sets.undone[w] & ~sets.never[w] & ~sets.pending[w]
            if near and members:
                lost = members & ~moves_into(span.key, w, sets.unwon, members)
                while lost:
                    k = lowest(lost)
                    bit = left(1, k)
                    lost ^= bit
                    earliest = read(sets.entry, first + k)
                    if earliest <= layer:
                        new |= bit
                    else:
                        sets.entry[first + k] = LOSE << bits | earliest
                        sets.pending[w] |= bit
                        sets.waiting[b] += 1
            if sets.waiting[b]:
                new |= due(sets.entry, first, sets.pending[w], value)
            sets.fresh[w] = new
            if new:
                sets.waiting[b] -= settle(sets, tally, w, first, new, span.layer, LOSE, span.bits)
                sets.changed[b] = 1
                counts[NEW] += 1
        counts[PENDING] += sets.waiting[b]


@kernel
def begin_set_ties(sets: Sets, counts: Int64Array, span: Span) -> None:
    """Let ties that ends of play and moves out of the tier make known be pending."""
    none = (1 << span.bits) - 1
    for j in range(span.start, span.stop):
        b = j * span.stride
        sets.waiting[b] = 0
        for w in range(b * span.size, (b + 1) * span.size):
            sets.pending[w] = 0
            members = sets.never[w] & sets.undone[w]
            first = first_index(span, j, w)
            while members:
                k = lowest(members)
                bit = left(1, k)
                members ^= bit
                if read(sets.entry, first + k) & none != none:
                    sets.pending[w] |= bit
                    sets.waiting[b] += 1
        counts[PENDING] += sets.waiting[b]


@kernel
def layer_of_ties(
    sets: Sets,
    before: Int64Array,
    next_fresh: Int64Array,
    tally: Int64Array,
    counts: Int64Array,
    span: Span,
) -> None:
    """Settle the ties of a layer, which are in ``next_fresh`` then."""
    value = EVEN << span.bits | span.layer
    for j in range(span.start, span.stop):
        b = j * span.stride
        near = is_near(sets, before, b)
        sets.changed[b] = 0
        for w in range(b * span.size, (b + 1) * span.size):
            first, new = first_index(span, j, w), 0
            members = sets.undone[w]
            if near and members:
                new = moves_into(span.key, w, sets.fresh, members) & members
            if sets.waiting[b]:
                new |= due(sets.entry, first, sets.pending[w] & ~new, value)
            next_fresh[w] = new
            if new:
                sets.waiting[b] -= settle(sets, tally, w, first, new, span.layer, EVEN, span.bits)
                sets.changed[b] = 1
                counts[NEW] += 1
        counts[PENDING] += sets.waiting[b]


@kernel
def end_sets(sets: Sets, tally: Int64Array, counts: Int64Array, span: Span) -> None:
    """Settle all positions that are still undecided: they are drawn by infinite play."""
    value = EVEN << span.bits | (1 << span.bits) - 1
    for j in range(span.start, span.stop):
        for w in range(j * span.stride * span.size, (j * span.stride + 1) * span.size):
            members, first = sets.undone[w], first_index(span, j, w)
            many = count_bits(members)
            tally[DRAWS] += many
            counts[NEW] += many
            while members:
                k = lowest(members)
                members ^= left(1, k)
                sets.entry[first + k] = value
