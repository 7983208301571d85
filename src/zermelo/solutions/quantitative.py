"""Solved quantitative games: credits, exact values, strategies of both players, potentials.

There is one class for each kind of certificate; :mod:`zermelo.verify.quantitative.mean_payoff` says
what the arrays of a certificate mean and why they prove the answer.
"""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from zermelo._inputs.values import claim_array
from zermelo._runtime import memory
from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int32Array, Int64Array, read_only
from zermelo.objectives import Discounted, Objective, ShortestPath
from zermelo.registry import choose_solver
from zermelo.solutions.base import INT32, Solution

INT64 = (-(2**63), 2**63 - 1)

EXTRA_ARRAYS = (
    "credit", "rank", "potential", "stage", "numerator", "denominator", "lower", "upper", "reach",
    "stuck",
)  # fmt: skip
"""The names of all arrays of 64-bit integers that some kind of solution here has."""

Value = Fraction | float
"""A fraction, or ±∞."""


@dataclass(frozen=True, eq=False, repr=False)
class QuantitativeSolution(Solution):
    """A solved quantitative game: what all kinds have in common.

    ``strategy`` has an optimal move of each situation, for both players; ``NO_MOVE`` where there is
    no move, or where every move is as good. Where the players alternate, arrays have the shape
    (n, 2). Labels say who wins: a game without a threshold is won by the player whose sign the
    value has, and a value of 0 is a draw. There are no distances.
    """

    strategy: Int32Array
    family = "quantitative"
    arrays: ClassVar[tuple[str, ...]] = ()
    """The names of the arrays that only this kind has."""

    def __post_init__(self) -> None:
        super().__post_init__()
        shape = self.label.shape
        claim_array(self, "strategy", shape, np.int32, *INT32)  # a claim to verify
        for name in self.arrays:
            claim_array(self, name, shape, np.int64, *INT64)

    @property
    def doubled(self) -> bool:
        """Whether the players alternate, so that each position has two situations."""
        return self.graph.owner is None

    @property
    def move(self) -> Int32Array:
        """An optimal move of each situation, for both players."""
        return self.strategy

    def _best(self, s: int) -> list[int]:
        """The move that is known to be optimal; where there is none, all moves."""
        move = int(self.strategy.reshape(-1)[s])
        if move >= 0:
            return [move]
        others: list[int] = self.graph.successors(s >> 1 if self.doubled else s).tolist()
        return others


@dataclass(frozen=True, eq=False, repr=False)
class EnergySolution(QuantitativeSolution):
    """A solved energy game, or a mean-payoff game with a threshold.

    ``credit`` is the least initial credit with which player 0 wins, ``NO_CREDIT`` where none
    suffices. In a mean-payoff game with the threshold p/q, it is that of the weights q w − p. The
    mean itself is not known there, so each ``value`` is None.
    """

    credit: Int64Array
    rank: Int64Array
    """Where player 1 makes progress, on the way to a position at which the credit is used up, or to
    a move that costs something."""
    potential: Int64Array
    """The potential of player 1 where no credit suffices, 0 elsewhere."""
    stage: Int64Array
    """When player 1 was found to win, from 1 on; 0 where a credit suffices."""
    arrays = ("credit", "rank", "potential", "stage")

    @property
    def value(self) -> AnyArray:
        """The least credits; with a threshold None, because the means are not known."""
        if self.objective.keyword == "energy":
            return self.credit
        return objects([None] * self.level.size, self.level.shape)

    @staticmethod
    def proof(graph: Graph, objective: Objective) -> "EnergySolution":
        """The solution of an energy game without a capacity, with its certificate.

        A game with a capacity has none of its own. Its checker asks for solutions of such games,
        and checks them.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([(0, 0)], owner=[0])
        >>> EnergySolution.proof(g, zm.Energy([2]))
        Solution(energy by fast-value-iteration: 1 win)
        """
        found: EnergySolution = choose_solver(objective).load()(graph, objective, None)
        return found

    def _value(self, s: int) -> int | None:
        return int(self.credit.reshape(-1)[s]) if self.objective.keyword == "energy" else None


@dataclass(frozen=True, eq=False, repr=False)
class ValueSolution(QuantitativeSolution):
    """A solution whose values are fractions; ±1 over 0 is ±∞."""

    numerator: Int64Array
    denominator: Int64Array

    def _value(self, s: int) -> Value:
        return made_value(int(self.numerator.flat[s]), int(self.denominator.flat[s]))

    @functools.cached_property
    def value(self) -> AnyArray:
        """The exact values, as Fractions, and −∞ and +∞ as floats."""
        return objects([self._value(s) for s in range(self.level.size)], self.level.shape)


@dataclass(frozen=True, eq=False, repr=False)
class MeanPayoffSolution(ValueSolution):
    """The values of a mean-payoff game, and for each a potential of either player."""

    lower: Int64Array
    """A potential which proves that player 0 gets at least the value."""
    upper: Int64Array
    """A potential which proves that player 1 concedes at most the value."""
    arrays = ("numerator", "denominator", "lower", "upper")


@dataclass(frozen=True, eq=False, repr=False)
class ShortestPathSolution(ValueSolution):
    """The values of a shortest-path game.

    The player who wants to reach a target may need two strategies, one after the other:
    ``strategy`` makes cycles that pay, and then ``reach`` counts the moves to a target if she
    always moves to where it is less. The opponent's ``strategy`` is optimal as it is.
    """

    rank: Int64Array
    potential: Int64Array
    stage: Int64Array
    reach: Int64Array
    """An upper bound of the moves to a target by the quickest way, −1 where there is none."""
    arrays = ("numerator", "denominator", "rank", "potential", "stage", "reach")

    @functools.cached_property
    def _targets(self) -> BoolArray:
        assert isinstance(self.objective, ShortestPath)
        return self.graph.mask(self.objective.targets)

    def _best(self, s: int) -> list[int]:
        """The move that is known to be optimal, or all moves; none at a target, where play ends."""
        return [] if self._targets[s >> 1 if self.doubled else s] else super()._best(s)


@dataclass(frozen=True, eq=False, repr=False)
class DiscountedSolution(QuantitativeSolution):
    """A solved discounted game; both strategies are the certificate and determine the values.

    ``stuck`` is the number of moves in which a player can force the other one to be stuck, −1 where
    neither can; the value there is ±∞.
    """

    stuck: Int64Array
    arrays = ("stuck",)

    @functools.cached_property
    def _known(self) -> dict[int, Value]:
        return {}

    @functools.cached_property
    def _play(self) -> "_Play":
        return _Play(self)

    def _value(self, s: int) -> Value:
        if s not in self._known:
            self._play.evaluate(s, self._known)
        return self._known[s]

    @functools.cached_property
    def value(self) -> AnyArray:
        """The exact values, as Fractions, and −∞ and +∞ as floats."""
        return objects([self._value(s) for s in range(self.level.size)], self.level.shape)


class _Play:
    """The plays in which both players follow the strategies of a discounted game."""

    def __init__(self, solution: DiscountedSolution) -> None:
        objective, graph = solution.objective, solution.graph
        if not isinstance(objective, Discounted):
            raise CertificateError(f"expected a discounted game, got {objective.keyword!r}")
        self.discount = objective.discount
        assert isinstance(self.discount, Fraction)
        self.weights = objective.weights(graph)
        self.graph, self.doubled = graph, solution.doubled
        self.strategy = solution.strategy.reshape(-1)
        self.stuck = solution.stuck.reshape(-1)
        self.level = solution.level.reshape(-1)

    def step(self, s: int) -> tuple[int, int]:
        """The weight of the move in a situation, and the situation that follows."""
        v, w = s >> 1 if self.doubled else s, int(self.strategy[s])
        moves = self.graph.successors(v)
        k = int(np.searchsorted(moves, w))
        if k == moves.size or moves[k] != w:
            raise CertificateError(
                f"position {self.graph.name(v)!r}: expected one of its moves, "
                f"the solution claims number {w}"
            )
        weight = int(self.weights[int(self.graph.indptr[v]) + k])
        return weight, 2 * w + 1 - (s & 1) if self.doubled else w

    def evaluate(self, s: int, known: dict[int, Value]) -> None:
        """Find the value of a situation, and of those that play comes to from there."""
        path: list[int] = []
        weights: list[int] = []
        place: dict[int, int] = {}
        while s not in known and s not in place:
            if self.stuck[s] >= 0:
                known[s] = math.copysign(math.inf, int(self.level[s]) - 1)
                break
            place[s] = len(path)
            path.append(s)
            weight, s = self.step(s)
            weights.append(weight)
        assert isinstance(self.discount, Fraction)
        memory.require(
            len(path) ** 2 * self.discount.denominator.bit_length() // 4,
            f"exact values of a discounted game along a play of {len(path):,} moves",
            "use a discount with a small denominator, or set ZERMELO_MEMORY to allow more",
        )
        a, b = self.discount.numerator, self.discount.denominator
        if s in place:  # the sum over one round of the cycle, divided by 1 − discount ** length
            first = place[s]
            length = len(weights) - first
            total, scale = 0, 1
            for weight in reversed(weights[first:]):
                scale *= b
                total = weight * scale + a * total
            known[s] = Fraction(total, b**length - a**length)
        value = known[s]
        for v, weight in zip(reversed(path), reversed(weights), strict=True):
            if v not in known:
                known[v] = value = weight + self.discount * value
            else:
                value = known[v]


def made_value(numerator: int, denominator: int) -> Value:
    """A fraction, or ±∞ if the denominator is 0.

    >>> made_value(1, 3), made_value(-1, 0)
    (Fraction(1, 3), -inf)
    """
    if denominator == 0:
        return math.copysign(math.inf, numerator)
    return Fraction(numerator, denominator)


def objects(values: list[Any], shape: tuple[int, ...]) -> AnyArray:
    """An array of Python objects, read-only."""
    array = np.empty(len(values), object)
    array[:] = values
    return read_only(array.reshape(shape))


def solution_class(objective: Objective) -> type[QuantitativeSolution]:
    """The class of the solutions of an objective, which has the arrays that the objective names.

    >>> import zermelo as zm
    >>> solution_class(zm.MeanPayoff([1])).__name__
    'MeanPayoffSolution'
    """
    kinds = (EnergySolution, MeanPayoffSolution, DiscountedSolution, ShortestPathSolution)
    for kind in kinds:
        if kind.arrays == objective.solution_arrays:
            return kind
    raise CertificateError(f"expected a quantitative objective, got {objective.keyword!r}")
