"""Reductions of one kind of game to another; winners and strategies can be translated back.

Each function returns the new game and ``lift(solution)``, which turns a solution of the new game
into winners and moves of the original one. See [GamesOnGraphs] §9.2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from zermelo._inputs.values import one_of, shown
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.graph import Graph, as_graph
from zermelo.labels import NO_MOVE, AnyArray, Int8Array, Int32Array, read_only
from zermelo.objectives import (
    Buchi,
    CoBuchi,
    Energy,
    MeanPayoff,
    Muller,
    NormalPlay,
    Objective,
    Parity,
    Reach,
    Safety,
)
from zermelo.objectives.infinite import priorities_on
from zermelo.objectives.quantitative import Quantitative
from zermelo.objectives.weights import MAX_WEIGHT
from zermelo.solutions.base import Solution
from zermelo.solutions.machine import Machine
from zermelo.solutions.muller import first_moves
from zermelo.solvers.infinite.frame import compress, make_game
from zermelo.solvers.muller.muller import METHODS, make_product
from zermelo.transform.unfolding.alternating import alternating_graph

O = TypeVar("O", bound=Objective)


class Lifted(NamedTuple):
    """Winners (−1 for a draw) and moves of the game that was reduced.

    If strategies need memory, ``machines`` has one for each player, and ``move`` has only their
    first moves. ``value`` has the exact values, if the game that was reduced has any.
    """

    winner: Int8Array
    move: Int32Array
    machines: tuple[Machine, Machine] | None = None
    value: AnyArray | None = None


@dataclass(frozen=True, eq=False)
class Reduction:
    """A game made from another: solve ``objective`` on ``graph``, then ``lift`` the solution."""

    graph: Graph
    objective: Objective
    lift: Callable[[Solution], Lifted]


@dataclass(frozen=True, eq=False)
class WeightedGame:
    """A parity game as a game with weights: solve ``objective`` on ``graph``, then ``lift``.

    ``graph`` is an owned graph without dead ends, with the positions of the parity game, and
    ``weight`` has an integer for every position, which each move from there has. It is an array of
    Python integers, so weights of any size are exact; ``objective`` needs weights up to 2**60.

    >>> from zermelo import Parity, solve
    >>> g = Graph.from_edges([(0, 1), (1, 0), (1, 2)], n=3, owner=[0, 1, 1])
    >>> game = parity_to_mean_payoff(g, Parity([2, 1, 0]))  # 2 gets a loop that its owner loses
    >>> [(u, w, game.weight[u]) for u, w in game.graph.to_edges().tolist()]
    [(0, 1, 9), (1, 0, -3), (1, 2, -3), (2, 2, 1)]
    >>> game.lift(solve(game.graph, game.objective)).winner.tolist()
    [0, 0, 0]
    """

    graph: Graph
    weight: AnyArray
    keyword: str = "mean-payoff"
    """The keyword of the objective, ``mean-payoff`` or ``energy``."""

    def __post_init__(self) -> None:
        if not isinstance(self.graph, Graph) or self.graph.owner is None:
            raise InvalidObjectiveError(f"expected a graph with owners, got {shown(self.graph)}")
        one_of(self.keyword, "keyword", ("mean-payoff", "energy"), InvalidObjectiveError)
        given = self.weight.tolist() if isinstance(self.weight, np.ndarray) else self.weight
        fits = isinstance(given, list) and len(given) == self.graph.n
        if not fits or not all(type(x) is int for x in given):
            raise InvalidObjectiveError(
                f"weight: expected {self.graph.n} integers, one for each position, "
                f"got {shown(self.weight)}"
            )
        weight = np.empty(len(given), object)
        weight[:] = given
        object.__setattr__(self, "weight", read_only(weight))

    @property
    def objective(self) -> Quantitative:
        """The objective: a mean payoff of at least 0, or some credit that suffices for ever."""
        most = max((abs(x) for x in self.weight.tolist()), default=0)
        if most > MAX_WEIGHT:
            raise LimitError(
                f"the weights of this game need {most.bit_length()} bits, and objectives have "
                "weights up to 2**60; a game with fewer positions or priorities needs less"
            )
        if self.keyword == "energy":
            return Energy(self.weight, on="positions")
        return MeanPayoff(self.weight, 0, on="positions")

    def lift(self, solution: Solution) -> Lifted:
        """The winners of the parity game, and the moves with which they win."""
        if not isinstance(solution, Solution) or solution.graph != self.graph:
            raise InvalidObjectiveError("expected a solution of the game of this reduction")
        winner = solution.winner
        move = np.where(winner == self.graph.owner, solution.move, NO_MOVE)
        return Lifted(winner, move.astype(np.int32))


def _same(solution: Solution) -> Lifted:
    if not isinstance(solution, Solution):
        raise InvalidObjectiveError(f"expected a solution, got {shown(solution)}")
    return Lifted(solution.winner, solution.move)


def checked_game(graph: Graph, objective: O, *kinds: type[Objective]) -> tuple[Graph, O]:
    """A graph and an objective, which must be of a kind that the reduction accepts."""
    if not isinstance(objective, kinds):
        *others, last = (kind.__name__ for kind in kinds)
        names = f"{', '.join(others)} or {last}" if others else last
        raise InvalidObjectiveError(f"expected the objective {names}, got {shown(objective)}")
    return as_graph(graph), objective


def reach_to_safety(graph: Graph, objective: Reach) -> Reduction:
    """Player 0 reaches T iff her opponent fails to stay outside T: same winners and moves.

    >>> from zermelo import Reach, solve
    >>> g = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> r = reach_to_safety(g, Reach([2]))
    >>> r.lift(solve(r.graph, r.objective)).winner.tolist()
    [1, 1, 0]
    """
    graph, objective = checked_game(graph, objective, Reach)
    outside = ~graph.mask(objective.positions)
    return Reduction(graph, Safety(outside, player=1 - objective.player), _same)


def safety_to_reach(graph: Graph, objective: Safety) -> Reduction:
    """A player stays in S iff the opponent fails to reach the complement: same winners and moves.

    >>> from zermelo import Safety, solve
    >>> g = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> r = safety_to_reach(g, Safety([0, 1], player=1))
    >>> r.lift(solve(r.graph, r.objective)).winner.tolist()
    [1, 1, 0]
    """
    graph, objective = checked_game(graph, objective, Safety)
    outside = ~graph.mask(objective.positions)
    return Reduction(graph, Reach(outside, player=1 - objective.player), _same)


class TwoReachGames(NamedTuple):
    """Normal play as two reachability games on the alternating graph, which have no draws.

    In ``win`` player 0 wins if player 1 cannot move; in ``lose`` player 1 wins if player 0 cannot
    move. Infinite play is a loss for the player who wants to reach this.
    """

    win: Reduction
    lose: Reduction

    def labels(self, win: Solution, lose: Solution) -> Int8Array:
        """The labels of normal play from solutions of the two games."""
        won = np.asarray(self.win.lift(win).winner[::2] == 0)
        lost = np.asarray(self.lose.lift(lose).winner[::2] == 1)
        return won.astype(np.int8) - lost.astype(np.int8)


def normal_play_to_reach(graph: Graph, objective: NormalPlay | None = None) -> TwoReachGames:
    """WIN, LOSE and DRAW by two reachability games, [GamesOnGraphs] §8.

    >>> from zermelo import solve
    >>> g = Graph.from_edges([(0, 1), (0, 2), (1, 3), (2, 1), (2, 4), (4, 2)])
    >>> games = normal_play_to_reach(g)
    >>> games.labels(*(solve(r.graph, r.objective) for r in games)).tolist()
    [0, 1, 0, -1, 0]
    """
    if objective is not None:
        graph, objective = checked_game(graph, objective, NormalPlay)
    doubled = alternating_graph(graph, named=False)
    nowhere = np.zeros(doubled.n, bool)
    # A player who cannot move loses; infinite play is a loss for the player who wants to reach.
    return TwoReachGames(
        Reduction(doubled, Reach(nowhere, player=0), _same),
        Reduction(doubled, Reach(nowhere, player=1), _same),
    )


def to_parity(graph: Graph, objective: Buchi | CoBuchi | Parity) -> Reduction:
    """A Büchi, co-Büchi or parity game as a parity game of the convention "max even".

    >>> from zermelo import Buchi
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> to_parity(g, Buchi([1])).objective.priority.tolist()
    [1, 2]
    """
    graph, objective = checked_game(graph, objective, Buchi, CoBuchi, Parity)
    return Reduction(graph, Parity(priorities_on(objective, graph)), _same)


def muller_to_parity(graph: Graph, objective: Muller, method: str = "zielonka-tree") -> Reduction:
    """A Muller game as a parity game on pairs of a leaf of the Zielonka tree and a position.

    With the ``method`` "lar" (or "latest-appearance-records") it is a record in the place of a
    leaf. The game has only the pairs that are reachable from leaf or record 0; the first n pairs
    are those with it, in the order of the positions. It is the memory of the players, so positional
    strategies become machines. See :mod:`zermelo.solvers.muller.muller` for sizes and source.

    >>> from zermelo import solve
    >>> g = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)], owner=[0, 0, 0])
    >>> r = muller_to_parity(g, Muller([0, None, 1], "Inf(0) & Inf(1)"))
    >>> r.graph.n, r.objective.priority.tolist()
    (6, [1, 1, 2, 2, 1, 1])
    >>> lifted = r.lift(solve(r.graph, r.objective, solver="zielonka"))
    >>> lifted.winner.tolist(), lifted.machines
    ([0, 0, 0], (Machine(player 0, 2 memory states), Machine(player 1, 1 memory state)))
    >>> muller_to_parity(g, Muller([0, None, 1], "Inf(0) | Inf(1)"), "lar").graph.n
    6
    """
    graph, objective = checked_game(graph, objective, Muller)
    one_of(method, "method", (*METHODS, "lar"), InvalidOptionError)
    name = "latest-appearance-records" if method == "lar" else method
    product = make_product(graph, objective, name)

    def lift(solution: Solution) -> Lifted:
        if not isinstance(solution, Solution) or solution.graph != product.graph:
            raise InvalidObjectiveError("expected a solution of the game of this reduction")
        winner, machines = solution.winner[: graph.n], product.machines(solution)
        return Lifted(winner, first_moves(graph, winner, machines), machines)

    return Reduction(product.graph, Parity(product.priority), lift)


def parity_to_mean_payoff(graph: Graph, objective: Parity | Buchi | CoBuchi) -> WeightedGame:
    """Weights for which player 0 wins the parity game iff she gets a mean payoff above 0.

    Priority p becomes (−n)^p after the priorities have been compressed, so the highest priority on
    a cycle outweighs all others. Mean payoffs are never 0, and optimal positional strategies win
    the parity game, so winners and moves are the same. A dead end becomes a loop that its owner
    loses.

    >>> from zermelo import Parity
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0])
    >>> parity_to_mean_payoff(g, Parity([0, 7, 2])).weight.tolist()
    [1, -3, 1]
    """
    total, priority = _total(graph, objective)
    base = max(2, total.n)
    power = {p: (-1) ** (p & 1) * base**p for p in np.unique(priority).tolist()}
    weight = np.empty(total.n, object)
    weight[:] = [power[p] for p in priority.tolist()]
    return WeightedGame(total, weight)


def parity_to_energy(graph: Graph, objective: Parity | Buchi | CoBuchi) -> WeightedGame:
    """Weights for which player 0 wins the parity game iff some initial credit is enough for ever.

    These are the weights of :func:`parity_to_mean_payoff`: no cycle has sum 0, and she can keep
    the sum bounded from below iff she can make the cycles positive.

    >>> from zermelo import Parity, solve
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0])
    >>> game = parity_to_energy(g, Parity([0, 7, 2]))
    >>> game.lift(solve(game.graph, game.objective)).winner.tolist()
    [1, 1, 1]
    """
    return replace(parity_to_mean_payoff(graph, objective), keyword="energy")


def _total(graph: Graph, objective: Objective) -> tuple[Graph, Int32Array]:
    """The game without dead ends, with its priorities compressed."""
    graph, objective = checked_game(graph, objective, Parity, Buchi, CoBuchi)
    if graph.owner is None:
        raise InvalidObjectiveError("expected a graph with owners")
    game = make_game(graph, objective)
    return game.graph, compress(game.priority)
