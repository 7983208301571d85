"""The attractor: all positions from which a player can force play into a set, inside a subgame.

**Status.** Each position has a *status*, a number of 32 bits:
``level << 3 | mark << 2 | winner << 1 | owner``. The status of a position that nobody has claimed
yet is ``FREE | owner``, which is larger than every other status. The subgame of a call is the set
of positions whose status is at least ``within``. So one comparison decides whether a position is in
the subgame, and a position leaves it by getting a smaller status.

**Hints.** A position of the other player stays outside the attractor as long as one of its moves
leads outside. One such move is kept in ``strategy``, which has no other meaning while a position is
free. This move is checked first; the row of moves is read again only when it leads into the
attractor.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array

FREE = 1 << 30
"""The status of an unclaimed position of player 0."""

LEVEL_SHIFT, MARK = 3, 4
"""The lowest bit of the level in a status, and the bit of marked positions."""

ROWS_AHEAD, MOVES_AHEAD, WORDS_AHEAD = 24, 12, 5
"""How far ahead in a queue the offsets of rows, the rows of moves, and the words of memory that
belong to the positions in these rows are prefetched."""

CACHED = 1 << 15
"""Up to this many positions nothing is prefetched."""


class Claims(NamedTuple):
    """Who has claimed each position, and by which move."""

    status: Int32Array
    strategy: Int32Array
    """A move of each position: towards the set where the claiming player moves, else a hint."""


@kernel
def attract(
    moves: Moves,
    reverse: Moves,
    claims: Claims,
    queue: Int32Array,
    head: int,
    tail: int,
    within: int,
    code: int,
) -> int:
    """Claim what a player can force into ``queue[head:tail]``; returns the new tail.

    Positions whose status is at least ``within`` may be claimed. They get the status ``code``,
    whose second bit is the player, and their own bit of the owner, and they go to the queue; those
    that are in the queue at first have theirs. ``strategy`` has a move of every position; where the
    player moves it becomes the move towards the set. Requires that every position of the subgame
    has a move inside it.
    """
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    status, strategy = claims.status, claims.strategy
    player = (code >> 1) & 1
    far = len(status) > CACHED
    # Invariant: queue[:tail] have left the subgame, and every position still inside that has a
    # move into queue[:head] is the other player's and has another move that stays inside.
    while head < tail:
        if far:
            if head + ROWS_AHEAD < tail:
                v = queue[head + ROWS_AHEAD]
                prefetch(rev_indptr, v)
            if head + MOVES_AHEAD < tail:
                v = queue[head + MOVES_AHEAD]
                prefetch(rev_indices, rev_indptr[v])
            if head + WORDS_AHEAD < tail:
                v = queue[head + WORDS_AHEAD]
                for k in range(rev_indptr[v], rev_indptr[v + 1]):
                    prefetch(status, rev_indices[k])
                    prefetch(strategy, rev_indices[k])
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            x = status[u]
            if x < within:
                continue
            if (x & 1) == player:
                strategy[u] = v
            else:
                if status[strategy[u]] >= within:
                    continue
                stays = False
                for j in range(indptr[u], indptr[u + 1]):
                    w = indices[j]
                    if status[w] >= within:
                        strategy[u] = w
                        stays = True
                        break
                if stays:
                    continue
            status[u] = code | (x & 1)
            queue[tail] = u
            tail += 1
    return tail


@kernel
def start_attracting(moves: Moves, owner: Int8Array, claims: Claims) -> None:
    """Make every position free and its first move the hint; the game must be total."""
    for v in range(len(owner)):
        claims.status[v] = FREE | owner[v]
        claims.strategy[v] = moves.indices[moves.indptr[v]]
