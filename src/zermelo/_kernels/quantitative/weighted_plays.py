"""Plays in games with weights: forced ends, the cycles that plays end in, connected parts."""

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative.weighted import Costs
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int32Array, Int64Array


@kernel
def reach_ranks(
    game: Costs, player: int, rank: Int64Array, left: Int64Array, queue: Int32Array
) -> int:
    """Rank the positions from which a player can force play to those of rank 0; returns how many.

    Requires 0 in ``rank`` where play should end, −1 elsewhere, and fills in the number of moves
    that this takes at most. A position without moves gets no other rank.
    """
    indptr = game.indptr
    rev_indptr, rev_indices = game.rev_indptr, game.rev_indices
    tail = 0
    for v in range(len(rank)):
        left[v] = indptr[v + 1] - indptr[v] if game.owner[v] != player else 1
        if rank[v] == 0:
            queue[tail] = v
            tail += 1
    head = 0
    # Invariant: queue[:tail] are the positions with a rank, by increasing ranks; left[u] is the
    # number of the opponent's moves at u that do not lead to queue[:head].
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if rank[u] >= 0:
                continue
            left[u] -= 1
            if left[u] == 0:
                rank[u] = rank[v] + 1
                queue[tail] = u
                tail += 1
    return tail


@kernel
def follow(
    after: Int32Array, weight: Int64Array, root: Int32Array, total: Int64Array, length: Int64Array
) -> None:
    """The cycle that play comes to from each position, if it goes on to ``after``.

    Fills ``root`` with a position of that cycle, the same for all that come to it, and at roots
    ``total`` and ``length`` with the sum of the weights and the number of moves of the cycle.
    Requires −1 in ``root``.
    """
    # Invariant: root is −1 where no play came yet, −2 − s where the play from s came that is being
    # followed, and else it is right.
    for start in range(len(after)):
        if root[start] != -1:
            continue
        v = start
        while root[v] == -1:
            root[v] = -2 - start
            v = after[v]
        found = root[v]
        if found < 0:  # the play from start has closed a cycle
            found = v
            total[v], length[v] = weight[v], 1
            w = after[v]
            while w != v:
                total[v] += weight[w]
                length[v] += 1
                w = after[w]
        v = start
        while root[v] < 0:
            root[v] = found
            v = after[v]


@part
def top_of(parent: Int32Array, v: int) -> int:
    """The representative of a part; shortens the ways to it."""
    while parent[v] != v:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return v


@kernel
def connect(moves: Moves, parent: Int32Array) -> None:
    """Unite positions that a move connects; ``parent`` is 0, 1, 2, … at first.

    In the end it has the least position of each connected part.
    """
    indptr, indices = moves.indptr, moves.indices
    n = len(parent)
    for u in range(n):
        for k in range(indptr[u], indptr[u + 1]):
            a, b = top_of(parent, u), top_of(parent, indices[k])
            if a < b:
                parent[b] = a
            elif b < a:
                parent[a] = b
    for v in range(n):
        parent[v] = top_of(parent, v)


@kernel
def best_efforts(game: Costs, amount: Int64Array, fixed: Int32Array, after: Int64Array) -> None:
    """A move of every position: the fixed one, or the one that is best by the potentials.

    Fills ``after`` with indices of moves. The player who loses has no fixed move, and tries to make
    reduced costs small (player 0) or large.
    """
    indptr, indices, cost = game.indptr, game.indices, game.cost
    for u in range(len(after)):
        after[u] = indptr[u]
        best = 0
        for k in range(indptr[u], indptr[u + 1]):
            x = cost[k] + amount[indices[k]]
            if game.owner[u] == 1:
                x = -x
            if fixed[u] == indices[k]:
                after[u] = k
                break
            if k == indptr[u] or x < best:
                best = x
                after[u] = k
