"""Fast value iteration for energy games: potentials rise by whole ways instead of single moves.

See :mod:`zermelo.solvers.quantitative.fast_value_iteration` for the algorithm and its proof, and
:mod:`zermelo._kernels.quantitative.weighted` for costs and potentials.
"""

from zermelo._kernels.quantitative.weighted import (
    CALM,
    COUNT,
    HEAD,
    LOST,
    NEVER,
    RISES,
    RISING,
    ROUND,
    SETTLED,
    Agenda,
    Costs,
    Potential,
    end_round,
    enqueue,
    pop_least,
    push_or_lower,
)
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int64Array

STATE_SIZE = 5
"""Slots of the state, see HEAD."""


@part
def must_rise(game: Costs, potential: Potential, u: int) -> bool:
    """Whether a calm position is not supported: by a move of player 0 whose reduced cost is
    negative, or 0 to a calm position; by all moves of player 1 being such."""
    indptr, indices, cost = game.indptr, game.indices, game.cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    mine: bool = game.owner[u] == 0
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        if mark[v] == LOST:
            if mine:
                continue
            return True
        x = cost[k] + amount[v] - amount[u]
        if x == 0:
            x = steps[v] - 1 - steps[u]
        supports = x < 0 or (x == 0 and mark[v] == CALM)
        if mine and supports:
            return False
        if not mine and not supports:
            return True
    return mine


@part
def find_rising(game: Costs, potential: Potential, agenda: Agenda, state: Int64Array) -> int:
    """Mark the positions that rise; returns how many. Empties the queue."""
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    head, count, size = state[HEAD], state[COUNT], 0
    # Invariant: a calm position that is not in the queue is supported.
    while count > 0:
        u = agenda.queue[head]
        head = head + 1 if head + 1 < len(agenda.queue) else 0
        count -= 1
        agenda.queued[u] = 0
        if mark[u] != CALM or not must_rise(game, potential, u):
            continue
        mark[u] = RISING
        agenda.rising[size] = u
        size += 1
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            p = rev_indices[k]
            tight = rev_cost[k] + amount[u] == amount[p] and steps[u] - 1 == steps[p]
            if tight and mark[p] == CALM:
                count = enqueue(agenda, p, head, count)
    state[HEAD] = head
    state[COUNT] = 0
    return size


@part
def begin_rise(game: Costs, potential: Potential, agenda: Agenda, u: int, size: int) -> int:
    """The rise of a position as far as its calm successors determine it."""
    indptr, indices, cost = game.indptr, game.indices, game.cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    mine = game.owner[u] == 0
    best, best_steps, waiting = (NEVER if mine else 0), 0, 0
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        if mark[v] == LOST:
            waiting += NEVER >> 1 if waiting < NEVER >> 1 else 0
            continue
        x, y = cost[k] + amount[v] - amount[u], steps[v] - 1 - steps[u]
        if x < 0 or (x == 0 and y < 0):
            continue
        if mark[v] != CALM:
            waiting += 1
            continue
        order = x - best if x != best else y - best_steps
        if (mine and order < 0) or (not mine and order > 0):
            best, best_steps = x, y
    potential.rise[u], potential.rise_steps[u] = best, best_steps
    agenda.waiting[u] = waiting
    if (mine and best < NEVER) or (not mine and waiting == 0):
        size = push_or_lower(agenda, potential.rise, potential.rise_steps, u, size)
    return size


@part
def settle(game: Costs, potential: Potential, agenda: Agenda, size: int) -> None:
    """Settle positions by increasing rises, beginning with those in the heap."""
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    rise, rise_steps = potential.rise, potential.rise_steps
    # Invariant: settled positions have their right rises, none more than any other rising position;
    # for these, rise is right as far as it depends on calm and settled successors, and waiting
    # counts the others (for player 1). The heap has those of player 0 that have such a successor,
    # and those of player 1 that wait for none.
    while size > 0:
        u = pop_least(agenda, rise, rise_steps, size)
        size -= 1
        mark[u] = SETTLED
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            p = rev_indices[k]
            if mark[p] != RISING:
                continue
            x, y = rev_cost[k] + amount[u] - amount[p], steps[u] - 1 - steps[p]
            if x < 0 or (x == 0 and y < 0):
                continue
            x, y = x + rise[u], y + rise_steps[u]
            if game.owner[p] == 0:
                if x < rise[p] or (x == rise[p] and y < rise_steps[p]):
                    rise[p], rise_steps[p] = x, y
                    size = push_or_lower(agenda, rise, rise_steps, p, size)
            else:
                if x > rise[p] or (x == rise[p] and y > rise_steps[p]):
                    rise[p], rise_steps[p] = x, y
                agenda.waiting[p] -= 1
                if agenda.waiting[p] == 0:
                    size = push_or_lower(agenda, rise, rise_steps, p, size)


@kernel
def iterate(
    game: Costs, potential: Potential, agenda: Agenda, state: Int64Array, budget: int
) -> bool:
    """Raise potentials until nothing changes, or ``budget`` positions rose; whether all is done.

    Requires at first potentials of 0, all positions in the queue, and −1 in ``agenda.place``. At
    the end a position that is not lost has its potential, and a lost one has the potential that it
    had when it was lost, and the round in ``stage``.
    """
    # Invariant: potentials are at most the least ones with which player 0 wins, all positions are
    # calm or lost, and a calm one is supported or in the queue.
    while state[COUNT] > 0 and budget > 0:
        count = find_rising(game, potential, agenda, state)
        state[ROUND] += 1
        state[RISES] += count
        budget -= count
        size = 0
        for i in range(count):
            size = begin_rise(game, potential, agenda, agenda.rising[i], size)
        settle(game, potential, agenda, size)
        end_round(game, potential, agenda, state, count)
    done: bool = state[COUNT] == 0
    return done
