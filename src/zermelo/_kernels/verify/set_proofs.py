"""Proving the claims of a tier by sets: layer by layer, one call of the rules for 64 positions.

Only the checker uses these kernels, and they call no kernel of a solver. A claim has two halves,
and each is one call of ``moves_into`` for a word:

* *Lost in d plies*: no move leads to a position that is not won in at most d − 1 plies; some move
  leads to a win in d − 1.
* *Tied in d plies*: no move leads to a loss, or to a tie in less than d − 1; some move leads to a
  tie in d − 1.
* *Drawn by infinite play*: no move leads to a loss or to a tie; some move leads to a draw.
* *Won*: the first layer of losses that a move leads to makes the distance, which the table need not
  have. Layers are taken in ascending order, so wins and losses cannot support one another.

Where the table has labels alone, a layer is what follows from the layers before it:

* a claimed loss is proved when no move leads to a position that is not proved to be won;
* a claimed win is proved when a move leads to a loss that is proved;
* a claimed tie has no move to a loss, and is proved when a move leads to a tie that is proved.

A position that is *backed* needs no move in the tier for the second half.
"""

from typing import NamedTuple

from zermelo._kernels.verify.records import EXAMINED, LONGEST_LOSE, LONGEST_WIN, SPREAD, TIED, Notes
from zermelo._kernels.verify.sets import ENDLESS, NEVER, Claims, Part, start_of
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.words import count_bits, left, lowest
from zermelo.labels import AnyArray, Int64Array

positions_in, moves_into = placeholder("positions_in"), placeholder("moves_into")
board_at = placeholder("board_at")


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
def broken(
    claims: Claims, layer: Layer, part: Part, b: int, r: int, held: int, reaching: bool
) -> int:
    """The members of word ``r`` of a block that have a move into ``layer.avoid``.

    If ``reaching``, also those that are not backed and have no move into ``layer.reach``.
    """
    bad = held & moves_into(part.key, b, r, layer.avoid, held)
    alone = held & ~claims.backed[b * part.size + r]
    if reaching and alone:
        bad |= alone & ~moves_into(part.key, b, r, layer.reach, alone)
    return bad  # type: ignore[no-any-return]


@kernel
def prove_claims(
    claims: Claims,
    due: AnyArray,
    layer: Layer,
    notes: Notes,
    part: Part,
    value: int,
    depth: int,
) -> None:
    """Prove what is claimed with this value in ``depth`` plies, losses or ties.

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
            if not now:
                continue
            bad = now  # no loss can be in a layer of wins
            if at == depth:
                bad = broken(claims, layer, part, b, r, now, True)
            if bad:
                notes.wrong[0] = board_at(first + lowest(bad))
                return
            layer.fresh[w] = now
            layer.changed[b] = 1
            notes.totals[EXAMINED] += count_bits(now)
            if value == -1:
                notes.totals[LONGEST_LOSE] = max(notes.totals[LONGEST_LOSE], depth)


@kernel
def hold(
    claims: Claims, members: Int64Array, layer: Layer, notes: Notes, part: Part, reaching: bool
) -> None:
    """Require that members have no move into ``layer.avoid``.

    If ``reaching``, one that is not backed must have a move into ``layer.reach``; then it is
    proved.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        for r in range(part.size):
            held = members[b * part.size + r]
            if not held:
                continue
            bad = broken(claims, layer, part, b, r, held, reaching)
            if bad:
                notes.wrong[0] = board_at(start_of(part, j, b * part.size + r) + lowest(bad))
                return
            if reaching:
                notes.totals[EXAMINED] += count_bits(held)


@kernel
def prove_losses(
    claims: Claims,
    before: Int64Array,
    layer: Layer,
    notes: Notes,
    part: Part,
) -> None:
    """Prove losses without distances whose moves all lead to proved wins.

    ``before`` has the blocks of new wins.
    """
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
                notes.totals[EXAMINED] += count_bits(now)


@kernel
def prove_reaching(
    claims: Claims,
    waiting: Int64Array,
    before: Int64Array,
    layer: Layer,
    notes: Notes,
    part: Part,
    depth: int,
) -> None:
    """Prove what waits and has a move into ``layer.reach``: wins, or ties without distances.

    ``before`` has the blocks of these. What is backed is proved in the layer in which it is due,
    without distances in layer 1.
    """
    for j in range(part.start, part.stop):
        b = j * part.stride
        clear_block(layer, b, part.size)
        close = is_close(claims.near_ends, claims.near_blocks, before, b)
        if claims.alone and not close and depth != 1:
            continue
        for r in range(part.size):
            w, now, bad = b * part.size + r, 0, 0
            members = waiting[w]
            if not members:
                continue
            if close:
                now = members & moves_into(part.key, b, r, layer.reach, members)
            if not claims.alone:
                now, bad = take_wins(claims, notes, w, start_of(part, j, w), now, depth)
            elif depth == 1:
                now |= members & claims.backed[w]
            if bad:
                notes.wrong[0] = board_at(start_of(part, j, w) + lowest(bad))
                return
            if now:
                waiting[w] = members & ~now
                claims.unwon[w] &= ~now
                layer.fresh[w] = now
                layer.changed[b] = 1
                notes.totals[EXAMINED] += count_bits(now)


@kernel
def take_wins(
    claims: Claims, notes: Notes, w: int, first: int, now: int, depth: int
) -> tuple[int, int]:
    """The wins of a word in ``depth`` plies, and those with another distance in the table.

    ``now`` has those with a move in the tier to a loss in the layer before.
    """
    wins, bad = claims.wins[w], 0
    if claims.next_win[w] <= depth:
        rest, at = wins & claims.backed[w] & ~now, claims.next_win[w] + 0
        backed, claims.next_win[w] = take_due(claims, rest, first, 1, at)
        bad = backed if at < depth else 0
        now |= backed
    claimed = now
    while claimed:
        k = lowest(claimed)
        bit = left(1, k)
        claimed ^= bit
        if claims.open[w] & bit:
            claims.distance[first + k] = depth
        elif claims.distance[first + k] != depth:
            bad |= bit
    if now:
        notes.totals[LONGEST_WIN] = max(notes.totals[LONGEST_WIN], depth)
        if now == wins:
            claims.next_win[w] = NEVER  # those that were due are won in fewer plies
    return now, bad


@kernel
def mark_proved(claims: Claims, state: AnyArray, part: Part) -> None:
    """Mark all positions but draws as proved, where there are labels alone."""
    for j in range(part.start, part.stop):
        for r in range(part.size):
            w, members = j * part.stride * part.size + r, positions_in(part.key, j * part.stride, r)
            first = start_of(part, j, w)
            while members:
                k = lowest(members)
                members ^= left(1, k)
                if claims.label[first + k] != 0 or claims.distance[first + k] == TIED:
                    state[first + k] = SPREAD
