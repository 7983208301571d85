"""Shortest-path games with weights of either sign: reach, an energy game, then value iteration.

Player 1 wants to reach a target and to pay little on the way; player 0 wants him to pay much. (If
player 0 is the one who wants to reach, owners and signs are exchanged first.) Three steps:

1. Where player 1 cannot force the play to a target, or to where player 0 is stuck, values are +∞.
2. Among the others he can go on until he likes to stop. The value is −∞ where he can force cycles
   with a negative sum, that is, where player 0 has no credit in the energy game with the same
   weights, in which play ends at the targets.
3. The other values are finite. They are at most what player 1 pays if he takes the quickest way to
   a target. From there they are lowered to what the moves make of them, until nothing changes.

**Correctness.** Of 3: the values satisfy the equations of the moves, and every solution of these
equations is at most the values: where player 1 takes a move that keeps such a solution, until what
he has paid plus the quickest way costs no more, he pays no more than it. Values only sink, and stay
above all solutions; so they end at the values. The number of steps is pseudo-polynomial.

Ranks for the certificate are found afterwards: player 1 reaches a target along moves that keep the
value and lower the rank, or goes round a cycle whose sum is negative.

Reference: [BrihayeEtAl2017]. Notation, paper → code: Min and Max → players 1 and 0; the switching
strategy of Min → ``strategy`` and then ``reach``. Differs from the paper: values of −∞ are found by
an energy game instead of by sinking below a bound, and iteration begins at the quickest ways.
"""

import numpy as np

from zermelo._kernels.quantitative import shortest_paths as k
from zermelo._kernels.quantitative.weighted import Costs
from zermelo._kernels.quantitative.weighted_plays import reach_ranks
from zermelo._runtime.compiled.jit import interpreting
from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.objectives import ShortestPath
from zermelo.objectives.weights import Arena
from zermelo.solutions.quantitative import ShortestPathSolution
from zermelo.solvers.quantitative import fast_value_iteration, frame
from zermelo.solvers.quantitative._parts import back, inside

NAME = "shortest-path-iteration"

BUDGET = 1 << 18
"""Values that are lowered between two reports of progress."""


def reach_of(arena: Arena, game: Costs, target: BoolArray) -> Int64Array:
    """In how many moves player 1 can force play to a target, or to where player 0 is stuck."""
    n = arena.n
    stuck = (np.diff(arena.indptr) == 0) & (arena.owner == 0)
    reach = np.where(target | stuck, 0, -1).astype(np.int64)
    reach_ranks(game, 1, reach, np.zeros(n, np.int64), np.zeros(n, np.int32))
    return reach


def energy_of(
    arena: Arena, target: BoolArray, reached: BoolArray, progress: frame.Progress
) -> frame.Answer:
    """The energy game on what player 1 can reach a target from; play ends at the targets."""
    n = arena.n
    ends = arena._replace(owner=np.where(target, 1, arena.owner).astype(np.int8))
    part, places, _ = inside(ends.with_moves(~target[ends.source]), reached)
    answer = fast_value_iteration.run(frame.make_costs(part, -part.weight), progress)
    whole = frame.Answer(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.full(n, -1, np.int32),
    )
    lost = answer.stage > 0
    for array, found in (
        (whole.amount, answer.amount),
        (whole.rank, answer.rank),
        (whole.stage, answer.stage),
        (whole.move, back(places, answer.move)),
    ):
        array[places[lost]] = found[lost]
    return whole


def finite_values(
    arena: Arena, game: Costs, kind: AnyArray, reach: Int64Array, progress: frame.Progress
) -> tuple[Int64Array, Int64Array]:
    """The finite values, and ranks that fall along moves that keep them."""
    n = arena.n
    value = np.zeros(n, np.int64)
    order = np.argsort(reach, kind="stable").astype(np.int32)
    k.first_values(game, kind, reach, order, value)
    places = order[kind[order] == k.IN]
    queue, queued = np.zeros(max(n, 1), np.int32), np.zeros(n, np.int8)
    queue[: places.size] = places
    queued[places] = 1
    state = np.array([0, places.size, 0], np.int64)
    lowering = k.lower_values
    while not lowering(game, kind, value, queue, queued, state, BUDGET):
        if not interpreting():
            lowering = k.lower_values.compiled  # type: ignore[assignment]
        if progress is not None:
            progress(n - int(state[1]), n, "settled")
    rank = np.zeros(n, np.int64)
    ranked = k.rank_values(game, kind, value, rank, np.zeros(n, np.int64), np.zeros(n, np.int32))
    if ranked != int((kind != k.NOT_IN).sum()):
        raise CertificateError("value iteration stopped at values that are not the right ones")
    return value, np.maximum(rank, 0)


def choose_moves(
    arena: Arena, kind: AnyArray, value: Int64Array, rank: Int64Array, never: BoolArray
) -> AnyArray:
    """Moves that keep finite values, and moves of player 0 that keep the play from the targets."""
    u, v = arena.source, arena.indices
    keeps = (kind[u] == k.IN) & (kind[v] != k.NOT_IN) & (arena.weight + value[v] == value[u])
    keeps &= (arena.owner[u] == 0) | (rank[v] < rank[u])
    away = never[u] & never[v] & (arena.owner[u] == 0)
    good = np.flatnonzero(keeps | away)[::-1]
    move = np.full(arena.n, -1, np.int32)
    move[u[good]] = v[good]
    return move


def solve(
    graph: Graph, objective: ShortestPath, progress: frame.Progress = None
) -> ShortestPathSolution:
    """The values of a shortest-path game.

    >>> import zermelo as zm
    >>> edges = [("a", "b"), ("b", "a"), ("b", "t")]
    >>> g = zm.Graph.from_edges(edges, owner={"a": 0, "b": 1, "t": 0})
    >>> weight = {("a", "b"): -2, ("b", "a"): 3, ("b", "t"): 7}
    >>> solve(g, zm.ShortestPath(weight, ["t"])).value.tolist()
    [Fraction(5, 1), Fraction(7, 1), Fraction(0, 1)]
    """
    frame.require_memory(graph, objective, NAME)
    sign = 1 if objective.player == 1 else -1
    given = objective.arena(graph)
    frame.check_sums(given.n, frame.largest_of(given.weight), "the shortest-path game")
    arena = given if sign == 1 else given._replace(owner=1 - given.owner, weight=-given.weight)
    mask = graph.mask(objective.targets)
    target = mask if graph.owner is not None else np.repeat(mask, 2)
    game = frame.make_costs(arena, arena.weight)
    reach = reach_of(arena, game, target)
    never = reach < 0
    energy = energy_of(arena, target, ~never, progress)
    endless = energy.stage > 0
    kind = np.where(target, k.TARGET, np.where(never | endless, k.NOT_IN, k.IN)).astype(np.int8)
    value, rank = finite_values(arena, game, kind, reach, progress)
    move = choose_moves(arena, kind, value, rank, never)
    numerator = np.where(never, 1, np.where(endless, -1, value))
    arrays = (
        *frame.label_arrays(given, np.where(never, 1 + sign, 1 - sign)),
        frame.position_of(graph, np.where(endless, energy.move, move).astype(np.int32)),
        sign * numerator,
        np.where(never | endless, 0, 1).astype(np.int64),
        np.where(endless, energy.rank, rank),
        energy.amount,
        energy.stage,
        reach,
    )
    shapely = (frame.shaped(graph, array) for array in arrays)
    return ShortestPathSolution(graph, objective, NAME, *shapely)
