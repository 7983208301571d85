"""Energy games with a capacity, by at most n + 1 energy games without one.

A battery that is charged beyond its capacity has the capacity. Where the least credit of the game
without a capacity is greater than the capacity, no charge suffices. These situations are lost, so
they become situations in which player 0 is stuck, together with those from which player 1 can force
the token there while player 0 makes only moves that do with the capacity. The next game shows what
else needs more than the capacity because of that; and so on, until no least credit is greater.

**This is right.** Let F be the operator of energy games: F(x)(u) is the credit that u needs if its
successors v need x(v), which is the least or the greatest of max(0, x(v) − w). Least credits are
the least fixed point of F; with the capacity C they are that of F_C, which is F with ∞ for all
numbers above C. Let L be situations in which no charge suffices, and x the least credits of the
game in which they are lost. Then x is at most the least fixed point of F_C, which is ∞ where x is
greater than C. If x is nowhere finite and greater than C, then x is itself a fixed point of F_C.

Every game but the last one adds lost situations; those with random weights took up to four games.
The time does not depend on the capacity.

Reference: [BouyerEtAl2008] for the problem, which is called *lower weak upper bound* there.
"""

import numpy as np

from zermelo.graph import Graph
from zermelo.labels import NO_CREDIT, BoolArray, Int32Array, Int64Array
from zermelo.objectives import Energy
from zermelo.objectives.weights import Arena
from zermelo.solutions.quantitative import EnergySolution
from zermelo.solvers.attractor import attractor
from zermelo.solvers.quantitative import frame


def solve_capacity(
    graph: Graph, objective: Energy, name: str, run: frame.Run, progress: frame.Progress = None
) -> EnergySolution:
    """The least charges of a battery of bounded capacity, and the moves of player 0.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 1)], owner=[0, 0])
    >>> zm.solve(g, zm.Energy([-1, -(10**9), 0], capacity=10**9)).credit.tolist()
    [1000000000, 0]
    >>> zm.solve(g, zm.Energy([-1, -(10**9), 0], capacity=10**9 - 1)).credit.tolist()
    [-1, 0]
    """
    assert objective.capacity is not None
    arena = objective.arena(graph)
    frame.energy_costs(arena, objective)  # refuses sums that are too large
    lost, games = np.zeros(arena.n, bool), 0
    # Invariant: no charge suffices in the lost situations.
    while True:
        part = with_losses(arena, lost)
        found = run(frame.make_costs(part, -part.weight), progress)
        credit = np.where(found.stage == 0, found.amount, NO_CREDIT)
        games += 1
        if credit.max(initial=0) <= objective.capacity:
            break
        lost = _losses(arena, credit, objective.capacity)
    none = np.zeros(arena.n, np.int64)
    answer = frame.Answer(
        credit, none, none, _enough(arena, credit), found.stats | {"games": games}
    )
    return frame.energy_solution(graph, objective, name, arena, answer, credit >= 0)


def _losses(arena: Arena, credit: Int64Array, capacity: int) -> BoolArray:
    """Where no charge suffices if at least these credits are needed: where player 1 can force the
    token to where they are greater, while player 0 makes only moves that do with the capacity."""
    lost = (credit > capacity) | (credit == NO_CREDIT)
    fits = (arena.owner[arena.source] == 1) | (credit[arena.indices] - arena.weight <= capacity)
    part = arena.with_moves(fits)
    graph = Graph._of(part.indptr, part.indices, arena.owner.astype(np.int8), None)
    return attractor(graph, lost, player=1).region


def with_losses(arena: Arena, lost: BoolArray) -> Arena:
    """The game in which player 0 is stuck in some situations.

    >>> a = Arena(np.array([0, 1]), np.array([0, 2, 3]), np.array([0, 1, 0]), np.array([5, 6, 7]))
    >>> small = with_losses(a, np.array([False, True]))
    >>> small.owner.tolist(), small.indptr.tolist(), small.indices.tolist(), small.weight.tolist()
    ([0, 0], [0, 2, 2], [0, 1], [5, 6])
    """
    owner = np.where(lost, 0, arena.owner).astype(arena.owner.dtype)
    return arena.with_moves(~lost[arena.source])._replace(owner=owner)


def _enough(arena: Arena, credit: Int64Array) -> Int32Array:
    """A move of player 0 for which the credit is enough, −1 where there is none."""
    u, v = arena.source, arena.indices
    good = (arena.owner[u] == 0) & (credit[u] >= 0) & (credit[v] >= 0)
    good &= credit[u] + arena.weight >= credit[v]
    move = np.full(arena.n, -1, np.int32)
    move[u[good][::-1]] = v[good][::-1]
    return move
