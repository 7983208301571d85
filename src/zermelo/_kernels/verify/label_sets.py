"""Checking the labels of a tier by sets, where the table has no distances that prove them.

Only the checker uses these kernels, and they call no kernel of a solver. The statements are those
of :mod:`zermelo.verify.tables.table` for labels alone, for play in turn that is drawn if it is
infinite. Rules say which positions of a word have a move into a set (``moves_into``), as far as
moves stay in the tier, and list the others (``conversions``), which lead to labels that are proved.
So

* a claimed loss is proved when no move leads to a position that is not proved to be won;
* a claimed win is proved when a move leads to a loss that is proved;
* a claimed tie has no move to a loss, and is proved when a move leads to a tie that is proved;
* a claimed draw has no move to a loss or to a tie, and a move to a draw.

The first two are repeated in turn until nothing is new, and then the third. A position is *backed*
if an end of play or a move out of the tier proves the claim, or for a draw its second half.
"""

from typing import NamedTuple

from zermelo._kernels.verify.sets import Layer, Part, clear_block, is_close, start_of
from zermelo._kernels.verify.table import ABSENT, EXAMINED, SPREAD, TIED, TIES
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.words import count_bits, left, lowest
from zermelo.labels import AnyArray, Int64Array

positions_in, moves_into = placeholder("positions_in"), placeholder("moves_into")
may_convert, conversions = placeholder("may_convert"), placeholder("conversions")
board_at, rank = placeholder("board_at"), placeholder("rank")
outcome, orbit = placeholder("outcome"), placeholder("orbit")


class LabelClaims(NamedTuple):
    """What the table has, and what was proved of it; sets are words of at most 64 positions."""

    label: AnyArray
    distance: AnyArray
    """TIED for a tie."""
    unwon: Int64Array
    """The positions that are not proved to be won."""
    wins: Int64Array
    """Claimed wins that are not proved yet."""
    losses: Int64Array
    """Claimed losses that are not proved yet."""
    ties: Int64Array
    """Claimed ties that are not proved yet."""
    backed: Int64Array
    leaving: Int64Array
    """The positions with a move out of the tier."""
    near_ends: Int64Array
    near_blocks: Int64Array
    """Block b has moves to ``near_blocks[near_ends[b]:near_ends[b + 1]]``."""


@kernel
def read_labels(
    claims: LabelClaims, out: Int64Array, totals: Int64Array, wrong: Int64Array, part: Part
) -> None:
    """Make the sets of the labels, and compare these with labels after moves out of the tier.

    Every position must have an entry; positions are counted.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            w, members = b * part.size + r, positions_in(part.key, b, r)
            claims.unwon[w] = members
            claims.wins[w] = claims.losses[w] = claims.ties[w] = 0
            claims.backed[w] = claims.leaving[w] = 0
            totals[EXAMINED] += count_bits(members)
            first, exits = start_of(part, j, w), 0
            if members:
                exits = may_convert(part.key, b, r)
            while members:
                k = lowest(members)
                bit = left(1, k)
                members ^= bit
                p, value = board_at(first + k), claims.label[first + k] + 0
                tied = claims.distance[first + k] == TIED
                sound = value != ABSENT
                if sound:
                    totals[TIES if tied and value == 0 else value + 1] += orbit(p)
                if value == 1:
                    claims.wins[w] |= bit
                elif value == -1:
                    claims.losses[w] |= bit
                elif tied:
                    claims.ties[w] |= bit
                if exits & bit:
                    sound &= read_exits(claims, out, w, bit, p, value, tied, part.first)
                if not sound:
                    wrong[0] = p
                    return


@kernel
def read_exits(
    claims: LabelClaims,
    out: Int64Array,
    w: int,
    bit: int,
    p: int,
    value: int,
    tied: bool,
    beyond: int,
) -> bool:
    """Compare a label with those after the moves out of the tier, which are below ``beyond``."""
    loss, tie, draw = False, False, False
    many = conversions(p, out)
    for x in range(many):
        c = rank(out[x])
        if not 0 <= c < beyond or claims.label[c] == ABSENT:
            return False
        loss |= claims.label[c] == -1
        tie |= claims.label[c] == 0 and claims.distance[c] == TIED
        draw |= claims.label[c] == 0 and claims.distance[c] != TIED
    if many:
        claims.leaving[w] |= bit
    if loss if value == 1 else tie if tied else draw:
        claims.backed[w] |= bit
    if value == 1:
        return True
    return not loss and not (tie and (value == -1 or not tied)) and not (draw and value == -1)


@kernel
def read_ends(claims: LabelClaims, totals: Int64Array, wrong: Int64Array, part: Part) -> None:
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
                    wrong[0] = p
                    return


@kernel
def prove_losses(
    claims: LabelClaims,
    before: Int64Array,
    layer: Layer,
    totals: Int64Array,
    wrong: Int64Array,
    part: Part,
) -> None:
    """Prove losses whose moves all lead to proved wins; ``before`` has the blocks of new wins."""
    for j in range(part.start, part.stop):
        b = j * part.stride
        clear_block(layer, b, part.size)
        if not is_close(claims.near_ends, claims.near_blocks, before, b):
            continue
        for r in range(part.size):
            w = b * part.size + r
            now = claims.losses[w]
            if now:
                now &= ~moves_into(part.key, b, r, claims.unwon, now)
            if now:
                claims.losses[w] &= ~now
                layer.fresh[w] = now
                layer.changed[b] = 1


@kernel
def prove_reaching(
    claims: LabelClaims,
    waiting: Int64Array,
    before: Int64Array,
    layer: Layer,
    totals: Int64Array,
    wrong: Int64Array,
    part: Part,
    first: bool,
) -> None:
    """Prove what waits and has a move into ``layer.reach``: wins, or ties.

    ``before`` has the blocks of these. The ``first`` time, what is backed is proved, too.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        clear_block(layer, b, part.size)
        close = is_close(claims.near_ends, claims.near_blocks, before, b)
        if not close and not first:
            continue
        for r in range(part.size):
            w, now = b * part.size + r, 0
            members = waiting[w]
            if members and close:
                now = members & moves_into(part.key, b, r, layer.reach, members)
            if first:
                now |= members & claims.backed[w]
            if now:
                waiting[w] &= ~now
                layer.fresh[w] = now
                layer.changed[b] = 1


@kernel
def mark_proved(claims: LabelClaims, state: AnyArray, part: Part) -> None:
    """Mark all positions but draws as proved."""
    for j in range(part.start, part.stop):
        for r in range(part.size):
            w, members = j * part.stride * part.size + r, positions_in(part.key, j * part.stride, r)
            first = start_of(part, j, w)
            while members:
                k = lowest(members)
                members ^= left(1, k)
                if claims.label[first + k] != 0 or claims.distance[first + k] == TIED:
                    state[first + k] = SPREAD


@kernel
def drop_won(claims: LabelClaims, layer: Layer, part: Part) -> None:
    """Take the wins of a layer out of the positions that are not proved to be won."""
    for j in range(part.start, part.stop):
        b = j * part.stride
        if layer.changed[b]:
            for w in range(b * part.size, (b + 1) * part.size):
                claims.unwon[w] &= ~layer.fresh[w]


@kernel
def hold_even(
    claims: LabelClaims,
    members: Int64Array,
    layer: Layer,
    totals: Int64Array,
    wrong: Int64Array,
    part: Part,
    reaching: bool,
) -> None:
    """Require that members have no move into ``layer.avoid``.

    If ``reaching``, one that is not backed must have a move into ``layer.reach``.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            w = b * part.size + r
            held = members[w]
            if not held:
                continue
            bad = held & moves_into(part.key, b, r, layer.avoid, held)
            alone = held & ~claims.backed[w]
            if reaching and alone:
                bad |= alone & ~moves_into(part.key, b, r, layer.reach, alone)
            if bad:
                wrong[0] = board_at(start_of(part, j, w) + lowest(bad))
                return
