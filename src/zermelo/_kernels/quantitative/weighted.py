"""Records of games whose moves have weights, and a heap: what kernels of several solvers share.

**Costs and potentials.** Kernels count costs, the negative weights: player 0 has to pay them, and a
position's *potential* is a credit that she needs there. A cost is a pair, compared by its first
entry and then by its second: the cost of a move and −1. So a potential is a pair of an amount and
the negative of a number of moves, and no cycle costs exactly nothing: a cycle of cost 0 has the
cost (0, −length), which is good for player 0, who wins it. The *reduced* cost of a move u → v is
its cost plus the potential of v minus that of u; around a cycle reduced costs have the same sum.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int8Array, Int32Array, Int64Array

CALM, RISING, SETTLED, LOST = 0, 1, 2, 3
"""Marks of a position in a round: its potential stays; it rises by an amount that is not known yet,
or that is known; player 0 has lost it."""

HEAD, COUNT, ROUND, LOSSES, RISES = 0, 1, 2, 3, 4
"""Slots of a solver's state: the queue's head and length, rounds, lost positions, potentials
raised."""

NEVER = 1 << 62
"""More than every cost, and more than every number of moves."""


class Costs(NamedTuple):
    """A game: the moves and their costs in both directions, and who moves."""

    owner: Int8Array
    indptr: Int64Array
    indices: Int32Array
    cost: Int64Array
    rev_indptr: Int64Array
    rev_indices: Int32Array
    rev_cost: Int64Array


class Potential(NamedTuple):
    """The potentials of all positions, and by how much they rise in this round."""

    amount: Int64Array
    steps: Int64Array
    """The second entries of the potentials: never positive."""
    rise: Int64Array
    rise_steps: Int64Array
    mark: Int8Array
    stage: Int64Array
    """The round in which player 0 lost a position, from 1 on; 0 if she has not."""


class Agenda(NamedTuple):
    """What is to do in a round."""

    queue: Int32Array
    """Positions to look at, in a ring."""
    queued: Int8Array
    rising: Int32Array
    """The positions that rise in this round."""
    heap: Int32Array
    """Some of them, the one that rises least at the top."""
    place: Int32Array
    """Where each of them is in the heap, −1 if it is not."""
    waiting: Int64Array
    """How many successors a position of player 1 waits for; in strategy improvement, its choice."""


@kernel
def reverse_costs(moves: Moves, cost: Int64Array, reverse: Moves, rev_cost: Int64Array) -> None:
    """Fill the reverse moves with their costs; ``reverse.indptr`` is all zeros at first."""
    indptr, indices = moves.indptr, moves.indices
    rev_indptr, rev_indices = reverse.indptr, reverse.indices
    n = len(indptr) - 1
    for k in range(indptr[n]):
        rev_indptr[indices[k] + 1] += 1
    for v in range(n):
        rev_indptr[v + 1] += rev_indptr[v]
    # Now rev_indptr[v] is where the row of v begins. It moves on while the row is filled, to where
    # the next row begins, and is moved back at the end.
    for u in range(n):
        for k in range(indptr[u], indptr[u + 1]):
            at = rev_indptr[indices[k]]
            rev_indptr[indices[k]] = at + 1
            rev_indices[at] = u
            rev_cost[at] = cost[k]
    for v in range(n, 0, -1):
        rev_indptr[v] = rev_indptr[v - 1]
    rev_indptr[0] = 0


@part
def sift_up(agenda: Agenda, rise: Int64Array, rise_steps: Int64Array, at: int) -> None:
    """Restore the heap after the entry at a place has become smaller."""
    heap, place = agenda.heap, agenda.place
    v = heap[at]
    x, y = rise[v], rise_steps[v]
    while at > 0:
        above = (at - 1) >> 1
        w = heap[above]
        if rise[w] < x or (rise[w] == x and rise_steps[w] <= y):
            break
        heap[at] = w
        place[w] = at
        at = above
    heap[at] = v
    place[v] = at


@part
def pop_least(agenda: Agenda, rise: Int64Array, rise_steps: Int64Array, size: int) -> int:
    """Take the least of ``size`` entries out of the heap and return it."""
    heap, place = agenda.heap, agenda.place
    top: int = heap[0]
    place[top] = -1
    size -= 1
    if size > 0:
        v = heap[size]
        x, y = rise[v], rise_steps[v]
        at = 0
        while 2 * at + 1 < size:
            below = 2 * at + 1
            w = heap[below]
            if below + 1 < size:
                other = heap[below + 1]
                if rise[other] < rise[w] or (
                    rise[other] == rise[w] and rise_steps[other] < rise_steps[w]
                ):
                    below += 1
                    w = other
            if x < rise[w] or (x == rise[w] and y <= rise_steps[w]):
                break
            heap[at] = w
            place[w] = at
            at = below
        heap[at] = v
        place[v] = at
    return top


@part
def push_or_lower(
    agenda: Agenda, rise: Int64Array, rise_steps: Int64Array, v: int, size: int
) -> int:
    """Put a position into the heap, or move it up there; returns the new size of the heap."""
    at = agenda.place[v]
    if at < 0:
        at = size
        agenda.heap[at] = v
        agenda.place[v] = at
        size += 1
    sift_up(agenda, rise, rise_steps, at)
    return size


@part
def enqueue(agenda: Agenda, v: int, head: int, count: int) -> int:
    """Queue a position unless it waits already; returns how many wait."""
    if agenda.queued[v] == 0:
        agenda.queued[v] = 1
        at = head + count
        if at >= len(agenda.queue):
            at -= len(agenda.queue)
        agenda.queue[at] = v
        count += 1
    return count


@kernel
def end_round(
    game: Costs, potential: Potential, agenda: Agenda, state: Int64Array, count: int
) -> None:
    """Raise the ``count`` positions of a round, or call them lost; queue those with a move there.

    A position that is not settled has no bound by which it rises: player 0 has lost it.
    """
    rev_indptr, rev_indices = game.rev_indptr, game.rev_indices
    mark = potential.mark
    waiting = 0
    for i in range(count):
        u = agenda.rising[i]
        if mark[u] == SETTLED:
            mark[u] = CALM
            potential.amount[u] += potential.rise[u]
            potential.steps[u] += potential.rise_steps[u]
        else:
            mark[u] = LOST
            potential.stage[u] = state[ROUND]
            state[LOSSES] += 1
        for k in range(rev_indptr[u], rev_indptr[u + 1]):
            if mark[rev_indices[k]] != LOST:
                waiting = enqueue(agenda, rev_indices[k], state[HEAD], waiting)
    state[COUNT] = waiting


@kernel
def optimal_moves(game: Costs, potential: Potential, move: Int32Array) -> None:
    """Fill the moves of both players that potentials prove, as positions; −1 for none.

    Player 0 moves where the potential suffices. Player 1 moves where there is one that is not 0,
    along a move of reduced cost 0; and where player 0 has lost, to a position that she lost earlier
    or along a move whose reduced cost is not negative.
    """
    indptr, indices, cost = game.indptr, game.indices, game.cost
    amount, steps, stage = potential.amount, potential.steps, potential.stage
    for u in range(len(move)):
        move[u] = -1
        if game.owner[u] == 0 and stage[u] > 0:
            continue
        if game.owner[u] == 1 and stage[u] == 0 and amount[u] == 0:
            continue
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            if stage[v] != stage[u]:
                if game.owner[u] == 1 and 0 < stage[v] < stage[u]:
                    move[u] = v
                    break
                continue
            x = cost[k] + amount[v] - amount[u]
            if x == 0:
                x = steps[v] - 1 - steps[u]
            if (x <= 0) if game.owner[u] == 0 else (x >= 0):
                move[u] = v
                break
