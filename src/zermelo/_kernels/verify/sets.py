"""Sets of the entries of a tier: what the table claims, 64 positions in a word.

Only the checker uses these kernels, and they call no kernel of a solver. The statements are those
of :mod:`zermelo.verify.tables.table`, for play in turn that is drawn if it is infinite. Rules say
which positions of a word have a move into a set (``moves_into``), as far as moves stay in the tier,
and list the others (``conversions``), which lead to entries that are proved. The kernels here make
the sets, and compare each entry with the ends of play and with the moves out of the tier. A
position is *backed* if one of these proves that some move makes the claim true. What is left to
prove are moves in the tier, see :mod:`zermelo._kernels.verify.set_proofs`.

The rules' members for sets are compared with ``moves`` on a sample of words, too.
"""

from typing import NamedTuple

from zermelo._kernels.verify.records import ABSENT, NONE, OPEN, TIED, TIES, UNKNOWN, Notes
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.words import left, lowest
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
    alone: bool
    """Whether only labels are proved; then the distance is TIED for a tie, and means nothing else.

    Some sets below are only for labels alone, or only for distances; otherwise they are empty."""
    unwon: Int64Array
    """The positions that are not proved to be won."""
    wins: Int64Array
    """Claimed wins that are not proved yet."""
    lost: Int64Array
    """Claimed losses."""
    backed: Int64Array
    losses: Int64Array
    """For labels alone: claimed losses that are not proved yet."""
    ties: Int64Array
    """For labels alone: claimed ties that are not proved yet."""
    leaving: Int64Array
    """For labels alone: the positions with a move out of the tier."""
    open: Int64Array
    """Wins whose distance the table leaves out."""
    next_win: AnyArray
    """For each word, the next layer in which a backed win is due."""
    next_loss: AnyArray
    next_even: AnyArray
    """For each word, the next layer with ties, or ENDLESS if it has draws only."""
    near_ends: Int64Array
    near_blocks: Int64Array
    """Block b has moves to ``near_blocks[near_ends[b]:near_ends[b + 1]]``."""


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
def read_claims(claims: Claims, notes: Notes, part: Part) -> None:
    """Make the sets of the entries, and compare them with ends of play and moves out of the tier.

    Every position must have an entry; the labels are counted. The sets are empty before.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            w, members = b * part.size + r, positions_in(part.key, b, r)
            claims.unwon[w] = members
            if not members:
                continue
            first, exits = start_of(part, j, w), may_convert(part.key, b, r)
            while members:
                k = lowest(members)
                bit = left(1, k)
                members ^= bit
                i = first + k
                p, fits = board_at(i), claims.label[i] != ABSENT
                if fits and claims.alone:
                    fits = read_label(claims, notes, w, bit, i, p)
                elif fits:
                    fits = read_distance(claims, notes, w, bit, i, p)
                if fits and exits & bit:
                    many = conversions(p, notes.out)
                    if many and claims.alone:
                        fits = read_label_exits(claims, notes.out, many, w, bit, i, part.first)
                    elif many:
                        fits = read_exits(claims, notes.out, many, w, bit, i)
                if not fits:
                    notes.wrong[0] = p
                    return


@kernel
def read_distance(claims: Claims, notes: Notes, w: int, bit: int, i: int, p: int) -> bool:
    """Enter an entry with a distance into the sets; return whether it can be right."""
    value, distance = claims.label[i] + 0, claims.distance[i] + 0
    notes.totals[TIES if value == 0 and distance >= 0 else value + 1] += orbit(p)
    if value == 1:
        claims.wins[w] |= bit
        if distance == UNKNOWN:
            claims.open[w] |= bit
        return True
    if distance < NONE or (value == -1 and distance < 0):
        return False
    if distance == 0:
        if outcome(p) != value:
            return False
        claims.backed[w] |= bit
    if value == -1:
        claims.lost[w] |= bit
        claims.next_loss[w] = min(claims.next_loss[w] + 0, distance)
    else:
        claims.next_even[w] = min(claims.next_even[w] + 0, distance if distance >= 0 else ENDLESS)
    return True


@kernel
def read_label(claims: Claims, notes: Notes, w: int, bit: int, i: int, p: int) -> bool:
    """Enter an entry without a distance into the sets."""
    value, tied = claims.label[i] + 0, claims.distance[i] == TIED
    notes.totals[TIES if value == 0 and tied else value + 1] += orbit(p)
    if value == 1:
        claims.wins[w] |= bit
    elif value == -1:
        claims.losses[w] |= bit
        claims.lost[w] |= bit
    elif tied:
        claims.ties[w] |= bit
    return True


@kernel
def read_exits(claims: Claims, exits: Int64Array, many: int, w: int, bit: int, i: int) -> bool:
    """Compare an entry with those after the moves out of the tier, which are proved."""
    loss, win, tie, draw = NEVER, -1, NEVER, False
    for x in range(many):
        c = rank(exits[x])
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
def read_label_exits(
    claims: Claims, exits: Int64Array, many: int, w: int, bit: int, i: int, beyond: int
) -> bool:
    """Compare a label with those after the moves out of the tier, which are below ``beyond``."""
    loss, tie, draw = False, False, False
    for x in range(many):
        c = rank(exits[x])
        if not 0 <= c < beyond or claims.label[c] == ABSENT:
            return False
        loss |= claims.label[c] == -1
        tie |= claims.label[c] == 0 and claims.distance[c] == TIED
        draw |= claims.label[c] == 0 and claims.distance[c] != TIED
    value, tied = claims.label[i] + 0, claims.distance[i] == TIED
    claims.leaving[w] |= bit
    if loss if value == 1 else tie if tied else draw:
        claims.backed[w] |= bit
    if value == 1:
        return True
    return not loss and not (tie and (value == -1 or not tied)) and not (draw and value == -1)


@kernel
def read_ends(claims: Claims, notes: Notes, part: Part) -> None:
    """Compare labels with the ends of play; ``unwon`` still has all positions."""
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            w = b * part.size + r
            stuck = claims.unwon[w] & ~claims.leaving[w]
            if stuck:
                stuck &= ~moves_into(part.key, b, r, claims.unwon, stuck)
            while stuck:
                k = lowest(stuck)
                bit = left(1, k)
                stuck ^= bit
                i = start_of(part, j, w) + k
                p, value = board_at(i), claims.label[i] + 0
                claims.backed[w] |= bit
                if outcome(p) != value or (value == 0 and not claims.ties[w] & bit):
                    notes.wrong[0] = p
                    return


@kernel
def mirror_part(sets: Int64Array, room: Int64Array, part: Part) -> None:
    """Fill in the blocks of a set that have no indices; ``room`` is for 64 words."""
    for j in range(part.start, part.stop):
        mirror_set(part.key, sets, j, room)


@kernel
def compare_moves(
    claims: Claims,
    some: Int64Array,
    words: Int64Array,
    exits: Int64Array,
    notes: Notes,
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
                notes.wrong[0] = board_at(first + k)
                return
            if p < 0:
                continue
            count, many = moves(p, notes.out), conversions(p, exits)
            for e in range(many):
                exits[e] = rank(exits[e])
            inside, chosen, leaving, fits = False, False, 0, True
            for m in range(count):
                c = rank(notes.out[m])
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
                notes.wrong[0] = p
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
