"""What a level of Zielonka's algorithm does when its opponent has won something below it.

Everything else of the level's subgame is won by its player so far, by a move at each of its own
positions and by all moves of the others. Only the positions whose moves lead, now or later, to what
the opponent takes are freed; the rest stays claimed. The top positions of a level have a higher
priority than all of the other parity in its subgame and stay tops by any move.

A position of the subgame is the player's or the opponent's by the winner in its status, and the
opponent can force nothing that it has not won within the levels below. So it begins at moves from
the level's own claims into what it has won below. These are found from the side that has fewer
positions.

``number`` and ``player`` are always those of the level.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.attractor import CACHED, FREE, LEVEL_SHIFT, MARK, Claims
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array

AHEAD = 16
"""How far ahead in a list the memory of its positions is prefetched."""


class Lists(NamedTuple):
    """Lists of positions."""

    candidates: Int32Array
    """The positions that may still be free, by falling priority. While a level is repaired they
    are not needed, and this is the list of what the opponent takes, then of what is freed."""
    trail: Int32Array
    """The claimed positions, level by level."""


@kernel
def move_to(moves: Moves, status: Int32Array, v: int, within: int, player: int) -> int:
    """The first move of ``v`` to a position of the subgame that the player wins; −1 if none."""
    for k in range(moves.indptr[v], moves.indptr[v + 1]):
        w = moves.indices[k]
        if status[w] >= within and (status[w] >> 1 & 1) == player:
            return int(w)
    return -1


@kernel
def taken_from_above(
    moves: Moves, claims: Claims, lists: Lists, start: int, end: int, number: int, player: int
) -> int:
    """List the claims of ``trail[start:end]`` from which one move of play is lost to the opponent.

    The list is in ``lists.candidates``; returns its length. The status of what is listed is
    complemented, so that it is less than all others. Moves of top positions that lead to what the
    opponent wins are replaced where there is another.
    """
    indptr, indices = moves.indptr, moves.indices
    status, strategy = claims.status, claims.strategy
    listed, trail = lists.candidates, lists.trail
    far = len(status) > CACHED
    within = number << LEVEL_SHIFT
    filled = 0
    for i in range(start, end):
        if far and i + AHEAD < end:
            v = trail[i + AHEAD]
            prefetch(indptr, v)
            prefetch(status, v)
            prefetch(strategy, v)
            prefetch(indices, indptr[trail[i + AHEAD // 2]])
        v = trail[i]
        x = status[v]
        if x < within or (x >> 1 & 1) != player:
            continue
        if (x & 1) == player:
            y = status[strategy[v]]
            if y < within or (y >> 1 & 1) == player:
                continue
            w = move_to(moves, status, v, within, player)
            lost = w < 0
        else:
            w = move_to(moves, status, v, within, 1 - player)
            lost = w >= 0
        if w >= 0:
            strategy[v] = w
        if lost:
            status[v] = ~x
            listed[filled] = v
            filled += 1
    return filled


@kernel
def taken_from_below(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    lists: Lists,
    end: int,
    tail: int,
    number: int,
    player: int,
) -> int:
    """The same as ``taken_from_above``, from what the opponent has won of ``trail[end:tail]``."""
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy = claims.status, claims.strategy
    listed, trail = lists.candidates, lists.trail
    far = len(status) > CACHED
    within = number << LEVEL_SHIFT
    filled = 0
    for i in range(end, tail):
        if far and i + AHEAD < tail:
            v = trail[i + AHEAD]
            prefetch(status, v)
            prefetch(rev_indptr, v)
            prefetch(rev_indices, rev_indptr[trail[i + AHEAD // 2]])
        v = trail[i]
        if (status[v] >> 1 & 1) == player:
            continue
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = status[u]
            if x < within or (x >> 1 & 1) != player:
                continue
            if (x & 1) != player:
                strategy[u] = v
            else:
                y = status[strategy[u]]
                if y < within or (y >> 1 & 1) == player:
                    continue
                w = move_to(moves, status, u, within, player)
                if w >= 0:
                    strategy[u] = w
                    continue
            status[u] = ~x
            listed[filled] = u
            filled += 1
    return filled


@kernel
def take(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    lists: Lists,
    taken: int,
    number: int,
    player: int,
) -> int:
    """Give the opponent the listed positions and all that it can force there; returns how many.

    They are listed in ``lists.candidates``. A move of the player that is lost is replaced by
    another one w, written as ~w.

    This is an attractor, too, but not that of ``attract``: the subgame is what the player wins
    above a level, two conditions in place of one, each claimed position keeps its level's number,
    and the moves that are replaced must be found again by ``release``.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy, listed = claims.status, claims.strategy, lists.candidates
    far = len(status) > CACHED
    within = number << LEVEL_SHIFT
    head, filled = 0, taken
    for i in range(filled):
        status[listed[i]] = (~status[listed[i]] ^ 2) & ~MARK
    # Invariant: listed[:filled] are the opponent's, and strategy[u] < 0 for the player's positions
    # u whose move led to listed[:head].
    while head < filled:
        if far:
            if head + 2 * AHEAD < filled:
                prefetch(rev_indptr, listed[head + 2 * AHEAD])
            if head + AHEAD < filled:
                prefetch(rev_indices, rev_indptr[listed[head + AHEAD]])
        v = listed[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = status[u]
            if x < within or (x >> 1 & 1) != player:
                continue
            if (x & 1) != player:
                strategy[u] = v
            else:
                w = strategy[u]
                if (status[w if w >= 0 else ~w] >> 1 & 1) == player:
                    continue
                w = move_to(moves, status, u, within, player)
                if w >= 0:
                    strategy[u] = ~w
                    continue
                strategy[u] = indices[indptr[u]]
            status[u] = (x ^ 2) & ~MARK
            listed[filled] = u
            filled += 1
    return filled


@kernel
def release(
    reverse: Moves, claims: Claims, lists: Lists, taken: int, number: int, player: int
) -> int:
    """Free the positions whose win for the player depends on a taken one; returns how many.

    They are listed behind the taken ones in ``lists.candidates``. What is not freed stays won: the
    moves of the player's positions, and all moves of the others, lead to such positions again. Top
    positions of the level stay tops by any move.
    """
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy, listed = claims.status, claims.strategy, lists.candidates
    within = number << LEVEL_SHIFT
    top = number << LEVEL_SHIFT | MARK
    filled = taken
    for i in range(taken):
        v = listed[i]
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if strategy[u] < 0:
                strategy[u] = ~strategy[u]
                x = status[u]
                if (x | 3) != (top | 3):
                    status[u] = FREE | (x & 1)
                    listed[filled] = u
                    filled += 1
    head = taken
    # Invariant: a position of the player's that depends on listed[:head] is free.
    while head < filled:
        v = listed[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = status[u]
            if within <= x < FREE and (x >> 1 & 1) == player and (x | 3) != (top | 3):
                if (x & 1) == player and strategy[u] != v:
                    continue
                status[u] = FREE | (x & 1)
                listed[filled] = u
                filled += 1
    return filled - taken


@kernel
def regain(
    moves: Moves, claims: Claims, lists: Lists, taken: int, freed: int, tail: int, code: int
) -> int:
    """Claim those freed positions again that have another way into the claims; the new tail."""
    indptr, indices = moves.indptr, moves.indices
    status, strategy = claims.status, claims.strategy
    player = code >> 1 & 1
    within = code >> LEVEL_SHIFT << LEVEL_SHIFT
    for i in range(taken, taken + freed):
        v = lists.candidates[i]
        x = status[v]
        mine = (x & 1) == player
        good = not mine
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            y = status[w]
            if mine and within <= y < FREE and (y >> 1 & 1) == player:
                strategy[v] = w
                good = True
                break
            if not mine and y >= FREE:
                good = False
                break
        if good:
            status[v] = code | (x & 1)
            lists.trail[tail] = v
            tail += 1
    return tail
