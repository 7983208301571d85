"""Values of shortest-path games: upper bounds that sink until they are right.

See :mod:`zermelo.solvers.quantitative.shortest_path`. Here player 1 wants to reach a position of
value 0 cheaply, and ``cost`` of the records is what he pays.
"""

from zermelo._kernels.quantitative.weighted import Costs
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

NOT_IN, IN, TARGET = 0, 1, 2
"""What a position is: outside of the positions with finite values, one of them, or a target."""


@part
def best_value(game: Costs, kind: Int8Array, value: Int64Array, u: int) -> int:
    """What a position is worth by the values of its successors; moves to elsewhere do not count."""
    found, best = False, 0
    for k in range(game.indptr[u], game.indptr[u + 1]):
        v = game.indices[k]
        if kind[v] == NOT_IN:
            continue
        x = game.cost[k] + value[v]
        if not found or (x < best if game.owner[u] == 1 else x > best):
            best = x
        found = True
    return best


@kernel
def first_values(
    game: Costs, kind: Int8Array, reach: Int64Array, order: Int32Array, value: Int64Array
) -> None:
    """Values if player 1 always moves to where ``reach`` is less; ``order`` is by this number."""
    for i in range(len(order)):
        u = order[i]
        if kind[u] != IN:
            continue
        found, best = False, 0
        for k in range(game.indptr[u], game.indptr[u + 1]):
            v = game.indices[k]
            if kind[v] == NOT_IN or reach[v] >= reach[u]:
                continue
            x = game.cost[k] + value[v]
            if not found or (x < best if game.owner[u] == 1 else x > best):
                best = x
            found = True
        value[u] = best


@kernel
def lower_values(
    game: Costs,
    kind: Int8Array,
    value: Int64Array,
    queue: Int32Array,
    queued: Int8Array,
    state: Int64Array,
    budget: int,
) -> bool:
    """Lower values to what the moves make of them, until all are right or ``budget`` were lowered.

    Requires upper bounds, and in the queue (a ring; ``state`` has its head and length) all
    positions with finite values that are no targets. Returns whether all are right.
    """
    rev_indptr, rev_indices = game.rev_indptr, game.rev_indices
    # Invariant: values are at least the right ones, and at least what the moves make of them; they
    # are equal to it except in the queue.
    while state[1] > 0 and budget > 0:
        u = queue[state[0]]
        state[0] = state[0] + 1 if state[0] + 1 < len(queue) else 0
        state[1] -= 1
        queued[u] = 0
        best = best_value(game, kind, value, u)
        if best >= value[u]:
            continue
        value[u] = best
        budget -= 1
        state[2] += 1
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            p = rev_indices[k]
            if kind[p] == IN and queued[p] == 0:
                queued[p] = 1
                at = state[0] + state[1]
                queue[at if at < len(queue) else at - len(queue)] = p
                state[1] += 1
    done: bool = state[1] == 0
    return done


@kernel
def rank_values(
    game: Costs,
    kind: Int8Array,
    value: Int64Array,
    rank: Int64Array,
    left: Int64Array,
    queue: Int32Array,
) -> int:
    """Rank positions so that ranks fall along moves that keep the value; returns how many have one.

    Fills ``rank``, 0 at targets and −1 where there is none.
    """
    tail = 0
    for v in range(len(rank)):
        rank[v], left[v] = -1, 0
        if kind[v] == TARGET:
            rank[v] = 0
            queue[tail] = v
            tail += 1
        elif kind[v] == IN and game.owner[v] == 0:
            for k in range(game.indptr[v], game.indptr[v + 1]):
                w = game.indices[k]
                if kind[w] != NOT_IN and game.cost[k] + value[w] == value[v]:
                    left[v] += 1
    head = 0
    # Invariant: queue[:tail] are the positions with a rank, by increasing ranks. A position u of
    # player 0 without one has left[u] moves that keep the value and lead elsewhere than to
    # queue[:head].
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(game.rev_indptr[v], game.rev_indptr[v + 1]):
            u = game.rev_indices[k]
            if kind[u] != IN or rank[u] >= 0 or game.rev_cost[k] + value[v] != value[u]:
                continue
            if game.owner[u] == 0:
                left[u] -= 1
                if left[u] > 0:
                    continue
            rank[u] = rank[v] + 1
            queue[tail] = u
            tail += 1
    return tail
