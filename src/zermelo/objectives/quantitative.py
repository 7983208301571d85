"""Quantitative objectives: moves have integer weights, and player 0 wants much of them.

``weight`` gives every move an integer. It is one of these:

- a sequence along ``graph.indices``, the order in which the graph stores its moves;
- a dict ``{(u, v): weight}``, or a list of triples ``(u, v, weight)``, by names or numbers;
- a function ``(u, v) -> weight`` of two names.

With ``on="positions"`` it gives every position an integer, which each move from there has: a
sequence by position number, a dict ``{u: weight}``, or a function of a name.

**Players.** Player 0 maximises and player 1 minimises. Positions have owners, or the players
alternate; in the second case answers have the shape (n, 2), indexed by the player to move.

**Positions without moves.** Whoever is stuck has lost, as in all games here. If player 0 is stuck,
no credit suffices and values are −∞. If player 1 is stuck, values are +∞ and credit 0 suffices at
that position; before it, the credit has to cover the weights on the way.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import one_of, whole_number
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int64Array, Player
from zermelo.objectives.base import (
    Objective,
    check_example,
    kept_positions,
    mask_of_numbers,
    random_positions,
    spec_of,
)
from zermelo.objectives.weights import (
    Arena,
    WeightLike,
    exact_fraction,
    keep_weights,
    make_arena,
    weights_on,
)

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, eq=False)
class Quantitative(Objective):
    """The base class of the quantitative objectives."""

    weight: WeightLike
    on: str = field(default="moves", kw_only=True)
    """Whether ``weight`` is given for ``"moves"`` or for ``"positions"``."""
    family = "quantitative"
    levels: ClassVar[tuple[int | None, ...]] = (-1, 0, 1)
    parameter: ClassVar[str] = ""
    """The name of the number that the objective has beside the weights; empty for none."""

    def __post_init__(self) -> None:
        one_of(self.on, "on", ("moves", "positions"), InvalidObjectiveError)
        object.__setattr__(self, "weight", keep_weights(self.weight))

    def weights(self, graph: Graph) -> Int64Array:
        """The weight of each move, along ``graph.indices``.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (0, 0)], owner=[0, 1])
        >>> zm.Energy([5, -3], on="positions").weights(g).tolist()
        [5, 5, -3]
        """
        return weights_on(graph, self.weight, self.on)

    def arena(self, graph: Graph) -> Arena:
        """The situations of the game, with owners, and their moves with weights."""
        return make_arena(as_graph(graph), self.weights(graph))

    def doubled(self, graph: Graph) -> bool:
        """Whether each position has two situations, one for either player to move."""
        return as_graph(graph).owner is None

    def check_data(self, graph: Graph) -> None:
        """Refuse weights that do not fit the moves of a graph."""
        self.weights(graph)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The weights along ``graph.indices``, and the parameter; a fraction becomes a text."""
        found = {"objective": self.keyword, "weight": self.weights(graph).tolist()}
        number = getattr(self, self.parameter, None)
        if number is not None:
            found[self.parameter] = number if isinstance(number, int) else str(number)
        return found

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Quantitative":
        """Read the weights and the parameter back."""
        weight = _spec_weights(data, graph)
        return cls(weight, **{cls.parameter: data[cls.parameter]} if cls.parameter in data else {})

    def describe(self, graph: Graph) -> str:
        """The range of the weights, and the parameter."""
        weight, number = self.weights(graph), getattr(self, self.parameter, None)
        text = f"weights from {weight.min():,} to {weight.max():,}" if weight.size else "no weights"
        if number is not None:
            shown = f"{number:,}" if isinstance(number, int) else number
            text += f", {self.parameter} {shown}"
        return f"{self.keyword}, {text}"

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Quantitative":
        """Small or large weights, and data that some objectives have beside them."""
        check_example(graph, rng)
        top = rng.choice((1, 4, 10**6))
        return cls([rng.randint(-top, top) for _ in range(graph.m)])


def _spec_weights(data: Mapping[str, Any], graph: Graph) -> Int64Array:
    """The weights that a file has."""
    given = spec_of(data).get("weight")
    if not isinstance(given, list):
        raise InvalidObjectiveError(f"weight: expected a list with one entry a move, got {given!r}")
    return weights_on(graph, given, "moves")


@dataclass(frozen=True, eq=False)
class Energy(Quantitative):
    """An energy game: player 0 wins iff the credit plus the weights so far is never negative.

    ``s.credit`` is the least initial credit with which player 0 wins, ``NO_CREDIT`` where none
    suffices. With a ``capacity``, the credit is the charge of a battery: what exceeds the capacity
    is lost, and the initial charge is at most the capacity, too. Then player 1 may need memory, so
    his moves are not part of the answer.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")], owner=[0, 1, 0])
    >>> weight = {("a", "b"): 3, ("b", "a"): -2, ("b", "c"): -7, ("c", "c"): 0}
    >>> zm.solve(g, zm.Energy(weight)).credit.tolist()
    [4, 7, 0]
    >>> zm.solve(g, zm.Energy(weight, capacity=6)).credit.tolist()
    [-1, -1, 0]
    """

    capacity: int | None = None
    keyword = "energy"
    parameter = "capacity"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.capacity is not None:
            kept = whole_number(self.capacity, "capacity", 0, 2**60, InvalidObjectiveError)
            object.__setattr__(self, "capacity", kept)

    @property
    def solution_arrays(self) -> tuple[str, ...]:
        """The arrays of a solution beside those that all solutions have."""
        return ("credit", "rank", "potential", "stage")

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Energy":
        """Without a capacity, or small weights and a capacity."""
        check_example(graph, rng)
        if rng.random() < 0.7:
            return cls(super().example(graph, rng).weight)
        return cls([rng.randint(-3, 3) for _ in range(graph.m)], rng.randint(0, 20))


@dataclass(frozen=True, eq=False)
class MeanPayoff(Quantitative):
    """A mean-payoff game: player 0 wants a large mean of the weights in the long run.

    ``s.value`` has the exact value of each position, a Fraction, or ±∞ where a player can force the
    other to be stuck. With a ``threshold`` only that question is decided: ``s.winner`` is 0 where
    the value is at least the threshold, which takes much less time; ``s.value`` has None.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])
    >>> weight = {("a", "b"): 4, ("b", "a"): -3, ("b", "b"): 1}
    >>> zm.solve(g, zm.MeanPayoff(weight)).value.tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    >>> zm.solve(g, zm.MeanPayoff(weight, threshold=Fraction(2, 3))).winner.tolist()
    [1, 1]
    """

    threshold: Fraction | int | str | None = None
    keyword = "mean-payoff"
    parameter = "threshold"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is not None:
            object.__setattr__(self, "threshold", exact_fraction(self.threshold, "threshold"))

    @property
    def solution_arrays(self) -> tuple[str, ...]:
        """The arrays of a solution beside those that all solutions have."""
        if self.threshold is None:
            return ("numerator", "denominator", "lower", "upper")
        return ("credit", "rank", "potential", "stage")

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "MeanPayoff":
        """With or without a threshold."""
        check_example(graph, rng)
        threshold = rng.choice((None, None, 0, Fraction(1, 3)))
        return cls(super().example(graph, rng).weight, threshold)


@dataclass(frozen=True, eq=False)
class Discounted(Quantitative):
    """A discounted game: the weight of move number k, from 0 on, counts discount**k times.

    The value of a play is this sum of all weights; it is not multiplied by 1 − discount. A
    ``discount`` is a fraction between 0 and 1.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])
    >>> weight = {("a", "b"): 4, ("b", "a"): -3, ("b", "b"): 1}
    >>> zm.solve(g, zm.Discounted(weight, discount=Fraction(1, 2))).value.tolist()
    [Fraction(10, 3), Fraction(-4, 3)]
    """

    discount: Fraction | int | str = Fraction(9, 10)
    keyword = "discounted"
    parameter = "discount"

    def __post_init__(self) -> None:
        super().__post_init__()
        discount = exact_fraction(self.discount, "discount")
        if not 0 < discount < 1:
            raise InvalidObjectiveError(
                f"discount: expected a fraction between 0 and 1, got {self.discount}"
            )
        object.__setattr__(self, "discount", discount)

    @property
    def solution_arrays(self) -> tuple[str, ...]:
        """The arrays of a solution beside those that all solutions have."""
        return ("stuck",)

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Discounted":
        """One of several discounts, some very close to 1."""
        check_example(graph, rng)
        discount = 1 - Fraction(1, rng.choice((2, 10, 1000, 10**7)))
        return cls(super().example(graph, rng).weight, discount)


@dataclass(frozen=True, eq=False)
class ShortestPath(Quantitative):
    """A shortest-path game (min-cost reachability): the weights until a target are summed up.

    Player 1 (or ``player``) wants to reach one of the ``targets``, where play ends. As in all these
    games, player 0 maximises the sum and player 1 minimises it. A play that never comes to a
    target is as bad as can be for the player who wants to reach one: its value is +∞ if that is
    player 1, so weights are costs for him, and −∞ if that is player 0, whose weights are gains.
    Weights may be negative, and values −∞ (or +∞) where a player can go round a cycle that pays as
    often as wanted before the target is reached.

    >>> import zermelo as zm
    >>> edges = [("a", "b"), ("a", "t"), ("b", "t"), ("b", "b")]
    >>> g = zm.Graph.from_edges(edges, owner={"a": 1, "b": 1, "t": 0})
    >>> cost = {("a", "b"): 2, ("a", "t"): 9, ("b", "t"): 3, ("b", "b"): 1}
    >>> zm.solve(g, zm.ShortestPath(cost, ["t"])).value.tolist()
    [Fraction(5, 1), Fraction(3, 1), Fraction(0, 1)]
    """

    targets: Iterable[Hashable] | AnyArray
    player: int = field(default=Player.ONE, kw_only=True)
    """The player who wants to reach a target."""
    keyword = "shortest-path"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self.player, "player", (0, 1), InvalidObjectiveError)
        object.__setattr__(self, "targets", kept_positions(self.targets, "targets"))

    @property
    def solution_arrays(self) -> tuple[str, ...]:
        """The arrays of a solution beside those that all solutions have."""
        return ("numerator", "denominator", "rank", "potential", "stage", "reach")

    def check_data(self, graph: Graph) -> None:
        """Refuse weights and targets that do not fit a graph."""
        super().check_data(graph)
        as_graph(graph).mask(self.targets)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The weights, and the targets as a list of position numbers."""
        chosen = np.flatnonzero(as_graph(graph).mask(self.targets)).tolist()
        return super().spec(graph) | {"targets": chosen, "player": int(self.player)}

    def describe(self, graph: Graph) -> str:
        """The range of the weights, and the number of targets."""
        count = int(as_graph(graph).mask(self.targets).sum())
        return f"{super().describe(graph)}, {count:,} targets, wanted by player {self.player}"

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "ShortestPath":
        """Read the weights and the targets back."""
        weight = _spec_weights(data, graph)
        return cls(weight, mask_of_numbers(data, "targets", graph), player=data.get("player", 1))

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "ShortestPath":
        """Small weights and some targets."""
        check_example(graph, rng)
        weight = [rng.randint(-4, 4) for _ in range(graph.m)]
        return cls(weight, random_positions(graph, rng), player=rng.randint(0, 1))
