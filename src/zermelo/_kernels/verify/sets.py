"""Checking the entries of a tier by sets: the positions of a layer as masks, 64 in a word.

Only the checker uses these kernels, and they call no kernel of a solver. The statements are those
of :mod:`zermelo.verify.tables.table`, for play in turn that is drawn if it is infinite. Rules say
which positions of a word have a move into a set (``moves_into``), as far as moves stay in the tier,
and list the others (``conversions``). So a claim has two halves, and each is one call for a word:

* *Lost in d plies*: no move leads to a position that is not won in at most d − 1 plies; some move
  leads to a win in d − 1.
* *Tied in d plies*: no move leads to a loss, or to a tie in less than d − 1; some move leads to a
  tie in d − 1.
* *Drawn by infinite play*: no move leads to a loss or to a tie; some move leads to a draw.
* *Won*: the first layer of losses that a move leads to makes the distance, which the table need not
  have. Layers are taken in ascending order, so wins and losses cannot support one another.

A position is *backed* if a move out of the tier proves the second half, or if play is over there.
"""

from typing import NamedTuple

from zermelo._kernels.verify.table import (
    ABSENT,
    EXAMINED,
    LONGEST_LOSE,
    LONGEST_WIN,
    NONE,
    OPEN,
    TIES,
    UNKNOWN,
)
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.words import count_bits, left, lowest
from zermelo.labels import AnyArray, Int64Array

positions_in, moves_into = placeholder("positions_in"), placeholder("moves_into")
may_convert, conversions = placeholder("may_convert"), placeholder("conversions")
mirror_set, board_at, rank = map(placeholder, ("mirror_set", "board_at", "rank"))
outcome, moves, orbit, unrank = map(placeholder, ("outcome", "moves", "orbit", "unrank"))

ENDLESS = 1 << 30
"""Stands for the distance of a draw, which is later than all others."""

NEVER = (1 << 31) - 1
"""No layer."""


class Claims(NamedTuple):
    """What the table has, and what was proved of it; sets are words of at most 64 positions."""

    label: AnyArray
    distance: AnyArray
    unwon: Int64Array
    """The positions that are not won in the layers up to now."""
    wins: Int64Array
    """Claimed wins that no layer has proved yet."""
    lost: Int64Array
    """Claimed losses."""
    open: Int64Array
    """Wins whose distance the table leaves out."""
    backed: Int64Array
    next_win: AnyArray
    """For each word, the next layer in which a backed win is due."""
    next_loss: AnyArray
    next_even: AnyArray
    """For each word, the next layer with ties, or ENDLESS if it has draws only."""
    near_ends: Int64Array
    near_blocks: Int64Array
    """Block b has moves to ``near_blocks[near_ends[b]:near_ends[b + 1]]``."""


class Layer(NamedTuple):
    """Two sets that claims of a layer are held against, and the claims."""

    avoid: Int64Array
    """No move leads here."""
    reach: Int64Array
    """Some move leads here."""
    fresh: Int64Array
    """The positions of the layer."""
    changed: Int64Array
    """For each block, whether ``fresh`` has positions there."""


class Part(NamedTuple):
    """Which blocks a call works on, of those with indices."""

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
    """The first index of the tier."""
    beyond: int
    """The index after the last one of the tier."""


@kernel
def start_of(part: Part, j: int, w: int) -> int:
    """The first index of word ``w``, in the block with number ``j`` of those with indices."""
    return part.first + (w - (part.stride - 1) * j * part.size) * part.width


@kernel
def read_claims(
    claims: Claims, out: Int64Array, totals: Int64Array, wrong: Int64Array, part: Part
) -> None:
    """Make the sets of the entries, and compare them with ends of play and moves out of the tier.

    Every position must have an entry; positions are counted.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            w, members = b * part.size + r, positions_in(part.key, b, r)
            claims.unwon[w] = members
            claims.wins[w] = claims.lost[w] = claims.open[w] = claims.backed[w] = 0
            claims.next_win[w] = claims.next_loss[w] = claims.next_even[w] = NEVER
            if not members:
                continue
            first, exits = start_of(part, j, w), may_convert(part.key, b, r)
            while members:
                k = lowest(members)
                bit = left(1, k)
                members ^= bit
                if not read_claim(claims, out, totals, w, bit, first + k, exits & bit != 0):
                    wrong[0] = board_at(first + k)
                    return


@kernel
def read_claim(
    claims: Claims, out: Int64Array, totals: Int64Array, w: int, bit: int, i: int, exits: bool
) -> bool:
    """Do this for the position of one index ``i``; return whether the entry can be right."""
    value, distance = claims.label[i] + 0, claims.distance[i] + 0
    if value == ABSENT or (value != 1 and distance < NONE):
        return False
    p = board_at(i)
    totals[TIES if value == 0 and distance >= 0 else value + 1] += orbit(p)
    if value == 1:
        claims.wins[w] |= bit
        if distance == UNKNOWN:
            claims.open[w] |= bit
    elif distance == 0:
        if outcome(p) != value:
            return False
        claims.backed[w] |= bit
    if value == -1:
        if distance < 0:
            return False
        claims.lost[w] |= bit
        claims.next_loss[w] = min(claims.next_loss[w] + 0, distance)
    elif value == 0:
        claims.next_even[w] = min(claims.next_even[w] + 0, distance if distance >= 0 else ENDLESS)
    return not exits or read_conversions(claims, out, w, bit, i, p)


@kernel
def read_conversions(claims: Claims, out: Int64Array, w: int, bit: int, i: int, p: int) -> bool:
    """Compare an entry with those after the moves out of the tier, which are proved."""
    loss, win, tie, draw = NEVER, -1, NEVER, False
    many = conversions(p, out)
    for x in range(many):
        c = rank(out[x])
        if not 0 <= c < len(claims.label) or claims.label[c] == ABSENT:
            return False
        value, d = claims.label[c] + 0, claims.distance[c] + 0
        if value == -1:
            loss = min(loss, d)
        elif value == 1:
            win = max(win, d)
        elif d >= 0:
            tie = min(tie, d)
        else:
            draw = True
    if many == 0:
        return True
    value, distance = claims.label[i] + 0, claims.distance[i] + 0
    if value == 1:
        if loss == NEVER:
            return True
        if distance == UNKNOWN:
            distance = claims.distance[i] = loss + 1  # a move in the tier may lead to a nearer one
        if loss + 1 == distance:
            claims.backed[w] |= bit
            claims.next_win[w] = min(claims.next_win[w] + 0, distance)
        return bool(loss + 1 >= distance)
    if loss != NEVER:
        return False
    if value == -1:
        if win + 1 == distance:
            claims.backed[w] |= bit
        return bool(win + 1 <= distance) and tie == NEVER and not draw
    if distance < 0:
        if draw:
            claims.backed[w] |= bit
        return tie == NEVER
    if tie + 1 == distance:
        claims.backed[w] |= bit
    return bool(tie + 1 >= distance)


@kernel
def mirror_part(sets: Int64Array, room: Int64Array, part: Part) -> None:
    """Fill in the blocks of a set that have no indices; ``room`` is for 64 words."""
    for j in range(part.start, part.stop):
        mirror_set(part.key, sets, j, room)


@kernel
def clear_block(layer: Layer, b: int, size: int) -> None:
    """Take the positions of an earlier layer out of a block."""
    if layer.changed[b]:
        layer.changed[b] = 0
        for w in range(b * size, (b + 1) * size):
            layer.fresh[w] = 0


@kernel
def is_close(ends: Int64Array, blocks: Int64Array, before: Int64Array, b: int) -> bool:
    """Whether a move from block b can lead to a block that changed."""
    changed = 0
    for x in range(ends[b], ends[b + 1]):
        changed |= before[blocks[x]]
    return changed != 0


@kernel
def take_due(claims: Claims, members: int, first: int, value: int, depth: int) -> tuple[int, int]:
    """The members that the table has with a value in this layer, and the next layer with some."""
    now, later = 0, NEVER
    while members:
        k = lowest(members)
        bit = left(1, k)
        members ^= bit
        if claims.label[first + k] == value:
            d = claims.distance[first + k] + 0
            if d < 0:
                d = ENDLESS
            if d == depth:
                now |= bit
            elif d > depth:
                later = min(later, d)
    return now, later


@kernel
def prove_claims(
    claims: Claims,
    due: AnyArray,
    layer: Layer,
    totals: Int64Array,
    wrong: Int64Array,
    part: Part,
    value: int,
    depth: int,
) -> None:
    """Prove what is claimed with this value in ``depth`` plies: losses, ties or draws.

    ``due`` has the next layer of each word.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        clear_block(layer, b, part.size)
        for r in range(part.size):
            w = b * part.size + r
            if due[w] > depth:
                continue
            first, at = start_of(part, j, w), due[w] + 0
            now, due[w] = take_due(claims, claims.unwon[w], first, value, at)
            bad = now if at < depth else 0  # no loss can be in a layer of wins
            if now:
                bad |= now & moves_into(part.key, b, r, layer.avoid, now)
                open_claims = now & ~claims.backed[w]
                if open_claims:
                    bad |= open_claims & ~moves_into(part.key, b, r, layer.reach, open_claims)
            if bad:
                wrong[0] = board_at(first + lowest(bad))
                return
            if now:
                layer.fresh[w] = now
                layer.changed[b] = 1
                totals[EXAMINED] += count_bits(now)
                if value == -1:
                    totals[LONGEST_LOSE] = max(totals[LONGEST_LOSE], depth)


@kernel
def prove_wins(
    claims: Claims,
    before: Int64Array,
    layer: Layer,
    totals: Int64Array,
    wrong: Int64Array,
    part: Part,
    depth: int,
) -> None:
    """Prove the wins in ``depth`` plies, by the losses ``layer.reach`` in the layer before.

    ``before`` has the blocks of these losses.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        clear_block(layer, b, part.size)
        near = is_close(claims.near_ends, claims.near_blocks, before, b)
        for r in range(part.size):
            w = b * part.size + r
            wins = claims.wins[w]
            if not wins or not (near or claims.next_win[w] <= depth):
                continue
            first, new, bad = start_of(part, j, w), 0, 0
            if near:
                new = moves_into(part.key, b, r, layer.reach, wins) & wins
            if claims.next_win[w] <= depth:
                rest, at = wins & claims.backed[w] & ~new, claims.next_win[w] + 0
                now, claims.next_win[w] = take_due(claims, rest, first, 1, at)
                bad = now if at < depth else 0
                new |= now
            claimed = new
            while claimed:
                k = lowest(claimed)
                bit = left(1, k)
                claimed ^= bit
                if claims.open[w] & bit:
                    claims.distance[first + k] = depth
                elif claims.distance[first + k] != depth:
                    bad |= bit
            if bad:
                wrong[0] = board_at(first + lowest(bad))
                return
            if new:
                claims.wins[w] = wins & ~new
                if not claims.wins[w]:
                    claims.next_win[w] = NEVER  # those that were due are won in fewer plies
                claims.unwon[w] &= ~new
                layer.fresh[w] = new
                layer.changed[b] = 1
                totals[EXAMINED] += count_bits(new)
                totals[LONGEST_WIN] = max(totals[LONGEST_WIN], depth)


@kernel
def compare_moves(
    claims: Claims,
    some: Int64Array,
    words: Int64Array,
    out: Int64Array,
    exits: Int64Array,
    wrong: Int64Array,
    part: Part,
) -> None:
    """Compare the sets of some words with the moves one by one; ``some`` is any set of positions.

    ``words`` are numbered without the blocks that have no indices.
    """
    every = claims.unwon
    for x in range(len(words)):
        j, r = words[x] // part.size, words[x] % part.size
        b = j * part.stride
        first, members = part.first + words[x] * part.width, positions_in(part.key, b, r)
        for k in range(part.width):
            bit = left(1, k)
            p = unrank(first + k)
            if (p >= 0) != (members & bit != 0):
                wrong[0] = board_at(first + k)
                return
            if p < 0:
                continue
            count, many = moves(p, out), conversions(p, exits)
            for e in range(many):
                exits[e] = rank(exits[e])
            inside, chosen, leaving, fits = False, False, 0, True
            for m in range(count):
                c = rank(out[m])
                if part.first <= c < part.beyond:
                    at = (c - part.first) // part.width
                    to = at // part.size * part.stride
                    at += at // part.size * (part.stride - 1) * part.size
                    inside = True
                    chosen |= some[at] & left(1, (c - part.first) % part.width) != 0
                    fits &= part.stride > 1 or is_near(claims, j, to)
                else:
                    leaving += 1
                    fits &= holds(exits, many, c)
            fits &= leaving == many and (many == 0 or may_convert(part.key, b, r) & bit != 0)
            fits &= (outcome(p) == OPEN) == (count > 0)
            fits &= inside == (moves_into(part.key, b, r, every, bit) & bit != 0)
            fits &= chosen == (moves_into(part.key, b, r, some, -1) & bit != 0)
            if not fits:
                wrong[0] = p
                return


@kernel
def is_near(claims: Claims, b: int, to: int) -> bool:
    """Whether the rules say that block b has moves to another."""
    near = False
    for x in range(claims.near_ends[b], claims.near_ends[b + 1]):
        near |= claims.near_blocks[x] == to
    return near


@kernel
def holds(items: Int64Array, count: int, item: int) -> bool:
    """Whether one of the first items is this one."""
    found = False
    for x in range(count):
        found |= items[x] == item
    return found
