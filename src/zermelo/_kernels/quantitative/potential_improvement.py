"""Strategy improvement for energy games, all switches at once.

See :mod:`zermelo.solvers.quantitative.strategy_improvement` for the algorithm and its proof, and
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

SWITCHES = 5
STATE_SIZE = 6
"""Slots of the state: those of HEAD, and the switches of player 1."""

STOP, GO = -1, 0
"""A position's choice: player 1 stops there, or goes on. Where player 1 moves, he goes on by the
move whose index is the choice."""


@part
def switch(game: Costs, potential: Potential, agenda: Agenda, state: Int64Array, u: int) -> bool:
    """Whether a calm position rises: player 1 switches there, or it depends on one that rises."""
    indptr, indices, cost = game.indptr, game.indices, game.cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    choice = agenda.waiting
    if game.owner[u] == 1:
        best, best_steps, chosen = 0, 0, -1
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            x, y = cost[k] + amount[v] - amount[u], steps[v] - 1 - steps[u]
            if mark[v] == LOST:
                x, y = NEVER, 0
            if x > best or (x == best and y > best_steps):
                best, best_steps, chosen = x, y, k
        if chosen >= 0:
            choice[u] = chosen
            state[SWITCHES] += 1
            return True
        depends: bool = choice[u] >= 0 and mark[indices[choice[u]]] != CALM
        return depends
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        if mark[v] == LOST:
            continue
        x = cost[k] + amount[v] - amount[u]
        if x == 0:
            x = steps[v] - 1 - steps[u]
        if x < 0 or (x == 0 and (mark[v] == CALM or choice[u] == STOP)):
            return False
    if choice[u] == STOP:
        choice[u] = GO
        state[SWITCHES] += 1
    return True


@part
def find_switches(game: Costs, potential: Potential, agenda: Agenda, state: Int64Array) -> int:
    """Mark the positions that rise; returns how many. Empties the queue."""
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    head, count, size = state[HEAD], state[COUNT], 0
    # Invariant: a calm position that is not in the queue has no switch and depends on calm ones.
    while count > 0:
        u = agenda.queue[head]
        head = head + 1 if head + 1 < len(agenda.queue) else 0
        count -= 1
        agenda.queued[u] = 0
        if mark[u] != CALM or not switch(game, potential, agenda, state, u):
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
    first, last = indptr[u], indptr[u + 1]
    if game.owner[u] == 1:
        first = agenda.waiting[u]
        last = first + 1
    best, best_steps = NEVER, 0
    for k in range(first, last):
        v = indices[k]
        if mark[v] != CALM:
            continue
        x, y = cost[k] + amount[v] - amount[u], steps[v] - 1 - steps[u]
        if x < best or (x == best and y < best_steps):
            best, best_steps = x, y
    potential.rise[u], potential.rise_steps[u] = best, best_steps
    if best < NEVER:
        size = push_or_lower(agenda, potential.rise, potential.rise_steps, u, size)
    return size


@part
def settle(game: Costs, potential: Potential, agenda: Agenda, size: int) -> None:
    """Settle positions by increasing rises, beginning with those in the heap."""
    rev_indptr, rev_indices, rev_cost = game.rev_indptr, game.rev_indices, game.rev_cost
    amount, steps, mark = potential.amount, potential.steps, potential.mark
    rise, rise_steps = potential.rise, potential.rise_steps
    # Invariant: settled positions have the lengths of their shortest ways to a calm position, none
    # longer than that of another rising position; rise has the shortest ones through settled ones.
    while size > 0:
        u = pop_least(agenda, rise, rise_steps, size)
        size -= 1
        mark[u] = SETTLED
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            p = rev_indices[k]
            if mark[p] != RISING:
                continue
            if game.owner[p] == 1 and game.indices[agenda.waiting[p]] != u:
                continue
            x = rev_cost[k] + amount[u] - amount[p] + rise[u]
            y = steps[u] - 1 - steps[p] + rise_steps[u]
            if x < rise[p] or (x == rise[p] and y < rise_steps[p]):
                rise[p], rise_steps[p] = x, y
                size = push_or_lower(agenda, rise, rise_steps, p, size)


@kernel
def improve(
    game: Costs, potential: Potential, agenda: Agenda, state: Int64Array, budget: int
) -> bool:
    """Improve the strategy of player 1 until it is optimal, or ``budget`` positions rose.

    Requires at first potentials of 0, all positions in the queue, −1 in ``agenda.place`` and STOP
    in ``agenda.waiting``. Returns whether all is done; the end is that of fast value iteration.
    """
    # Invariant: potentials are what player 1 gets by his choices, if player 0 answers them as well
    # as possible; calm positions that are not in the queue have no switch.
    while state[COUNT] > 0 and budget > 0:
        count = find_switches(game, potential, agenda, state)
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
