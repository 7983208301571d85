"""Value iteration for energy games: credits rise move by move, as a worklist demands.

See :mod:`zermelo.solvers.quantitative.value_iteration`.
"""

from typing import NamedTuple

from zermelo._kernels.quantitative.weighted import Costs
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

HEAD, COUNT, LIFTS, LOSSES, TOP = 0, 1, 2, 3, 4
STATE_SIZE = 5
"""Slots of the state: the queue's head and length, lifts, lost positions, and the least credit that
counts as none."""


class Credits(NamedTuple):
    """The credits that positions are known to need, and the worklist."""

    credit: Int64Array
    """A credit, or ``state[TOP]`` where none suffices."""
    support: Int64Array
    """The number of moves of player 0 for which the credit is enough."""
    queue: Int32Array
    """Positions whose credits are not enough, in a ring."""
    queued: Int8Array
    state: Int64Array


@part
def demand(credit: int, cost: int, top: int) -> int:
    """The credit that a move of this cost needs, to a position that needs that credit."""
    if credit == top or credit + cost > top:
        return top
    return max(credit + cost, 0)


@part
def examine(game: Costs, credits: Credits, v: int) -> int:
    """The credit that a position needs; counts the moves of player 0 that do with it."""
    indptr, indices, cost = game.indptr, game.indices, game.cost
    mine, top = game.owner[v] == 0, credits.state[TOP]
    best: int = top if mine else 0
    support = 0
    for k in range(indptr[v], indptr[v + 1]):
        x = demand(credits.credit[indices[k]], cost[k], top)
        if mine and x == best:
            support += 1
        elif mine and x < best:
            best, support = x, 1
        elif not mine and x > best:
            best = x
    credits.support[v] = support
    return best


@part
def push(credits: Credits, v: int) -> None:
    """Queue a position unless it waits already."""
    state = credits.state
    if credits.queued[v] == 0:
        credits.queued[v] = 1
        at = state[HEAD] + state[COUNT]
        if at >= len(credits.queue):
            at -= len(credits.queue)
        credits.queue[at] = v
        state[COUNT] += 1


@kernel
def lift_credits(game: Costs, credits: Credits, budget: int) -> bool:
    """Raise credits until all are enough, or ``budget`` were raised; whether all are enough.

    Requires credits of 0 and all positions in the queue at first.
    """
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    credit, queue, state = credits.credit, credits.queue, credits.state
    top = state[TOP]
    # Invariant: credits are at most the least ones that suffice, and one that is not enough for its
    # moves is in the queue. Outside the queue, support counts the moves of player 0 that do with
    # the credit.
    while state[COUNT] > 0 and budget > 0:
        v = queue[state[HEAD]]
        state[HEAD] += 1
        if state[HEAD] == len(queue):
            state[HEAD] = 0
        state[COUNT] -= 1
        credits.queued[v] = 0
        old = credit[v]
        if old == top:
            continue
        new = examine(game, credits, v)
        if new <= old:
            continue
        budget -= 1
        state[LIFTS] += 1
        if new == top:
            state[LOSSES] += 1
        credit[v] = new
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if credit[u] == top or credits.queued[u]:
                continue
            if demand(new, rev_cost[k], top) <= credit[u]:
                continue
            if game.owner[u] == 1:
                push(credits, u)
            elif demand(old, rev_cost[k], top) <= credit[u]:
                credits.support[u] -= 1
                if credits.support[u] == 0:
                    push(credits, u)
    done: bool = state[COUNT] == 0
    return done


@kernel
def rank_credits(
    game: Costs, credit: Int64Array, rank: Int64Array, left: Int64Array, queue: Int32Array
) -> int:
    """Rank the positions with a credit, so that ranks fall along the moves that need all of it.

    Requires least credits, −1 where there is none; fills ``rank``, −1 where there is none. Returns
    how many positions have a rank.
    """
    indptr, indices, cost = game.indptr, game.indices, game.cost
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    tail = 0
    for v in range(len(credit)):
        rank[v], left[v] = -1, 0
        if credit[v] == 0:
            rank[v] = 0
            queue[tail] = v
            tail += 1
        elif credit[v] > 0 and game.owner[v] == 0:
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if credit[w] >= 0 and credit[w] + cost[k] == credit[v]:
                    left[v] += 1
    head = 0
    # Invariant: queue[:tail] are the positions with a rank, by increasing ranks. A position u of
    # player 0 without one has left[u] moves that need all of its credit and lead elsewhere than to
    # queue[:head].
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            if credit[u] <= 0 or rank[u] >= 0 or credit[v] + rev_cost[k] != credit[u]:
                continue
            if game.owner[u] == 0:
                left[u] -= 1
                if left[u] > 0:
                    continue
            rank[u] = rank[v] + 1
            queue[tail] = u
            tail += 1
    return tail
