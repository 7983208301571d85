"""Reductions between games with weights, and of wins, losses and draws to parity games.

| function                    | from                         | to                               |
|-----------------------------|------------------------------|----------------------------------|
| `energy_to_mean_payoff`     | energy                       | mean payoff with the threshold 0 |
| `mean_payoff_to_energy`     | mean payoff with a threshold | energy                           |
| `mean_payoff_to_discounted` | mean payoff                  | discounted, near the mean        |
| `mean_payoff_to_parity`     | mean payoff with a threshold | parity, with a counter           |
| `win_lose_draw_to_parity`   | normal play, misère play     | two parity games                 |

See [GamesOnGraphs] §9.2, and [ZwickPaterson1996] for discounts.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo._inputs.values import one_of, whole_number
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.graph import Graph, as_graph
from zermelo.labels import NO_MOVE, AnyArray, Int8Array, Int32Array
from zermelo.objectives import Discounted, Energy, MeanPayoff, Misere, NormalPlay, Parity
from zermelo.objectives.weights import MAX_WEIGHT, Arena, make_arena
from zermelo.solutions.base import Solution
from zermelo.transform.reductions import Lifted, Reduction, checked_game
from zermelo.transform.unfolding.alternating import alternating_graph

MOST_POSITIONS = 2_000_000
"""The largest parity game that :func:`mean_payoff_to_parity` makes, unless it is asked for more."""


def _lifting(graph: Graph, lift: Callable[[Solution], Lifted]) -> Callable[[Solution], Lifted]:
    """A function that refuses solutions of other graphs."""

    def checked(solution: Solution) -> Lifted:
        if not isinstance(solution, Solution) or solution.graph != graph:
            raise InvalidObjectiveError("expected a solution of the game of this reduction")
        return lift(solution)

    return checked


def _winners_and_moves(solution: Solution) -> Lifted:
    return Lifted(solution.winner, solution.move)


def energy_to_mean_payoff(graph: Graph, objective: Energy) -> Reduction:
    """Some credit suffices iff the mean payoff is at least 0: same graph, winners and moves.

    If a positional strategy of player 0 makes all cycles at least 0, then the sum of weights is
    bounded from below, and conversely. The least credit is a property of the energy game only.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> r = energy_to_mean_payoff(g, zm.Energy([3, -3, -1]))
    >>> r.lift(zm.solve(r.graph, r.objective)).winner.tolist()
    [1, 1]
    """
    graph, objective = checked_game(graph, objective, Energy)
    if objective.capacity is not None:
        raise InvalidObjectiveError(
            f"expected an energy game without a capacity, got capacity {objective.capacity}; "
            "in a battery the surplus is lost, so the mean does not decide"
        )
    target = MeanPayoff(objective.weights(graph), 0)
    return Reduction(graph, target, _lifting(graph, _winners_and_moves))


def mean_payoff_to_energy(graph: Graph, objective: MeanPayoff) -> Reduction:
    """A mean payoff of at least p/q is an energy game with weights q w − p: same winners and moves.

    A game without a threshold is refused, because its values are not winners.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> r = mean_payoff_to_energy(g, zm.MeanPayoff([3, -1, 2], threshold="1/2"))
    >>> r.objective.weight
    [5, -3, 3]
    >>> r.lift(zm.solve(r.graph, r.objective)).winner.tolist()
    [0, 0]
    """
    graph, objective = checked_game(graph, objective, MeanPayoff)
    weight = _shifted(graph, objective)
    return Reduction(graph, Energy(weight), _lifting(graph, _winners_and_moves))


def _shifted(graph: Graph, objective: MeanPayoff) -> list[int]:
    """The weights q w − p, as exact integers."""
    if objective.threshold is None:
        raise InvalidObjectiveError("expected a mean-payoff game with a threshold, got none")
    bound = Fraction(objective.threshold)
    p, q = bound.numerator, bound.denominator
    weight = [q * w - p for w in objective.weights(graph).tolist()]
    most = max(map(abs, weight), default=0)
    if most > MAX_WEIGHT:
        raise LimitError(
            f"with the threshold {bound} the weights are up to {most:,}, and games have weights up "
            "to 2**60; a threshold with a smaller denominator needs less"
        )
    return weight


def mean_payoff_to_discounted(graph: Graph, objective: MeanPayoff) -> Reduction:
    """A mean-payoff game as a discounted game with the discount 1 − 1/(4 n³ W).

    Reference: [ZwickPaterson1996]. n is the number of situations and W the largest weight.
    With this discount λ, the value times 1 − λ differs from the mean payoff by at most 1/(2 n²).
    Mean payoffs are fractions with denominators up to n, so rounding gives the exact ones, and
    optimal moves are optimal for the mean payoff, too.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> mean_payoff_to_discounted(g, zm.MeanPayoff([4, -3, 1])).objective.discount
    Fraction(127, 128)
    """
    graph, objective = checked_game(graph, objective, MeanPayoff)
    weight = objective.weights(graph)
    n = graph.n * (2 if graph.owner is None else 1)
    largest = max(1, int(abs(weight).max(initial=0)))
    discount = 1 - Fraction(1, 4 * max(n, 1) ** 3 * largest)
    threshold = objective.threshold

    def lift(solution: Solution) -> Lifted:
        values = [
            (x * (1 - discount)).limit_denominator(max(n, 1)) if isinstance(x, Fraction) else x
            for x in solution.value.reshape(-1).tolist()
        ]
        value = np.empty(len(values), object)
        value[:] = values
        bound = Fraction(0 if threshold is None else threshold)
        sign = [_sign(x, bound, threshold is not None) for x in values]
        winner = np.array([{1: 0, 0: -1, -1: 1}[x] for x in sign], np.int8)
        shape = solution.label.shape
        return Lifted(winner.reshape(shape), solution.move, value=value.reshape(shape))

    return Reduction(graph, Discounted(weight, discount), _lifting(graph, lift))


def _sign(value: Any, bound: Fraction, decided: bool) -> int:
    """Who wins with a value: 1 for player 0, −1 for player 1, and 0 for neither."""
    return 1 if value > bound or (decided and value == bound) else -1 if value < bound else 0


def mean_payoff_to_parity(
    graph: Graph, objective: MeanPayoff, player: int = 0, limit: int = MOST_POSITIONS
) -> Reduction:
    """A mean-payoff game with a threshold as a parity game with two priorities and a counter.

    The weights become those of :func:`mean_payoff_to_energy`, from the view of ``player``, who
    must keep a counter from falling below 0. The counter never needs to be above C = (n − 1) W,
    where W is the largest loss of a move, so it stops there. The parity game has n (C + 1) + 1
    positions: it is exponential in the number of digits of the weights, and it is refused with a
    :class:`LimitError` if there are more than ``limit``.

    ``lift`` gives the winners, and the moves of ``player``: those at the least counter with which
    the position is won. For the moves of player 1, ask with ``player=1``: he has to stay strictly
    below the threshold, so the weights are multiplied by n, and the game is n times as large.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> r = mean_payoff_to_parity(g, zm.MeanPayoff([3, -2, 1], threshold=0))
    >>> r.graph.n
    7
    >>> lifted = r.lift(zm.solve(r.graph, r.objective))
    >>> lifted.winner.tolist(), lifted.move.tolist()
    ([0, 0], [1, -1])
    """
    graph, objective = checked_game(graph, objective, MeanPayoff)
    one_of(player, "player", (0, 1), InvalidOptionError)
    limit = whole_number(limit, "limit")
    shifted = _shifted(graph, objective)
    if player == 1:
        # Below 0 means at most −1/n, because means are fractions with denominators up to n.
        n = graph.n * (2 if graph.owner is None else 1)
        shifted = [-n * w - 1 for w in shifted]
    arena = make_arena(graph, np.zeros(graph.m, np.int64))
    top = max(0, arena.n - 1) * max(0, -min(shifted, default=0))
    size = arena.n * (top + 1) + 1
    if size > limit:
        raise LimitError(
            f"the parity game has {size:,} positions, more than the limit {limit:,}: the counter "
            f"of each of the {arena.n:,} positions goes up to {top:,}; use solve, or smaller "
            "weights"
        )
    weight = [max(min(w, top), -top - 1) for w in shifted]  # the counter knows no more than this
    arena = make_arena(graph, np.array(weight, np.int64))
    made, priority = _with_counter(arena, top, player)

    def lift(solution: Solution) -> Lifted:
        grid = solution.winner[:-1].reshape(arena.n, top + 1)
        winner = grid[:, top].copy()
        least = np.argmax(grid == player, axis=1)
        moves = solution.move[:-1].reshape(arena.n, top + 1)[np.arange(arena.n), least]
        mine = (winner == player) & (arena.owner == player) & (np.diff(arena.indptr) > 0)
        target = moves // (top + 1)
        target = target >> 1 if graph.owner is None else target
        move = np.where(mine, target, NO_MOVE).astype(np.int32)
        shape = (graph.n,) if graph.owner is not None else (graph.n, 2)
        return Lifted(winner.reshape(shape), move.reshape(shape))

    return Reduction(made, Parity(priority), _lifting(made, lift))


def _with_counter(arena: Arena, top: int, player: int) -> tuple[Graph, Int32Array]:
    """The product of a game and a counter 0 … top; the last position is reached below 0."""
    count, levels = arena.n, top + 1
    sink = count * levels
    level = np.arange(levels, dtype=np.int64)
    sources = arena.source.astype(np.int64)[:, None] * levels + level
    after = level + arena.weight[:, None]
    targets = arena.indices.astype(np.int64)[:, None] * levels + np.minimum(after, top)
    targets = np.where(after < 0, sink, targets)
    u = np.append(sources.reshape(-1), sink)
    v = np.append(targets.reshape(-1), sink)
    owner = np.append(np.repeat(arena.owner, levels), 0).astype(np.int8)
    priority = np.full(sink + 1, player, np.int32)
    priority[sink] = 1 - player
    return Graph.from_arrays(u, v, sink + 1, owner), priority


class TwoParityGames(NamedTuple):
    """A game with draws as two parity games on one graph, which differ in who wins infinite play.

    Play that ends goes round a loop of priority 2 (won by player 0) or 3 (won by player 1). All
    other positions have one priority, for a draw: 1 in ``win``, where player 1 wins infinite play,
    and 0 in ``lose``, where player 0 wins it.
    """

    win: Reduction
    lose: Reduction

    def lift(self, win: Solution, lose: Solution) -> Lifted:
        """Winners (−1 for a draw) and moves of the game with draws, from both solutions.

        In a draw each player plays as in the game in which infinite play is his win.
        """
        first, second = self.win.lift(win), self.lose.lift(lose)
        winner = np.full(first.winner.shape, -1, np.int8)
        winner[first.winner == 0] = 0
        winner[second.winner == 1] = 1
        move = np.where(first.move != NO_MOVE, first.move, second.move)
        return Lifted(winner, move.astype(np.int32))

    def labels(self, win: Solution, lose: Solution) -> Int8Array:
        """The labels for the player to move: 1 for a win, −1 for a loss, 0 for a draw."""
        winner = self.lift(win, lose).winner
        graph = self.win.graph
        assert graph.owner is not None
        owner = graph.owner.reshape(winner.shape)
        label = np.where(winner == owner, 1, -1)
        return np.where(winner < 0, 0, label).astype(np.int8)


def win_lose_draw_to_parity(
    graph: Graph, objective: NormalPlay | Misere | None = None
) -> TwoParityGames:
    """Win, loss and draw of normal or misère play by two parity games, [GamesOnGraphs] §9.2.

    A parity game has no draws, so infinite play is won by player 1 in one of the games and by
    player 0 in the other one: player 0 wins iff she wins the first, and player 1 wins iff he wins
    the second. If the players alternate, the games are played on the alternating graph, and the
    arrays of the result have the shape (n, 2).

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (0, 2), (1, 3), (2, 1), (2, 4), (4, 2)])
    >>> games = win_lose_draw_to_parity(g)
    >>> games.labels(*(zm.solve(r.graph, r.objective) for r in games))[:, 0].tolist()
    [0, 1, 0, -1, 0]
    """
    objective = NormalPlay() if objective is None else objective
    graph, objective = checked_game(graph, objective, NormalPlay, Misere)
    doubled = graph.owner is None
    board = alternating_graph(graph, named=False) if doubled else as_graph(graph)
    assert board.owner is not None
    ends = board.terminals
    moves = np.concatenate([board.to_edges(), np.stack([ends, ends], 1)])
    total = Graph.from_edges(moves, board.n, board.owner, None)
    stuck_wins = isinstance(objective, Misere)
    winner = board.owner[ends] if stuck_wins else 1 - board.owner[ends]
    reductions = []
    for draw in (1, 0):
        priority = np.full(board.n, draw, np.int32)
        priority[ends] = 2 + winner
        lift = _lifting(total, _back(board.owner, ends, doubled))
        reductions.append(Reduction(total, Parity(priority), lift))
    return TwoParityGames(*reductions)


def _back(owner: Int8Array, ends: AnyArray, doubled: bool) -> Callable[[Solution], Lifted]:
    """Winners and the moves of the winners, on the graph before its ends got loops."""

    def lift(solution: Solution) -> Lifted:
        winner = solution.winner
        move = np.where(winner == owner, solution.move, NO_MOVE).astype(np.int32)
        move[ends] = NO_MOVE
        if not doubled:
            return Lifted(winner, move)
        move = np.where(move == NO_MOVE, NO_MOVE, move >> 1).astype(np.int32)
        return Lifted(winner.reshape(-1, 2), move.reshape(-1, 2))

    return lift
