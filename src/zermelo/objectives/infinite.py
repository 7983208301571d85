"""Objectives on infinite plays, for graphs with owners.

The owner of a position without a move loses there. All these games are *parity games*: every
position has a priority, and player 0 wins iff the highest priority that is seen infinitely often is
even.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import owned, plain_array, shown
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import Int32Array
from zermelo.objectives.base import Objective, PlainSet, check_example, spec_of

if TYPE_CHECKING:
    from random import Random

CONVENTIONS = ("max even", "max odd", "min even", "min odd")
"""The priority that counts among those seen infinitely often, and the parity player 0 wants."""


def priorities_on(objective: Objective, graph: Graph) -> Int32Array:
    """The priorities of an objective on a graph, checked for objectives of users."""
    graph = as_graph(graph)
    given = objective.priorities(graph)
    if not isinstance(given, np.ndarray) or given.dtype != np.int32 or given.shape != (graph.n,):
        raise InvalidObjectiveError(f"priorities: expected {graph.n} of int32, got {shown(given)}")
    if given.size and given.min() < 0:
        raise InvalidObjectiveError(f"priorities: expected no negative ones, got {given.min()}")
    if graph.owner is None:
        need_owners(graph, objective)
    return given


def check_convention(given: Any) -> None:
    """Refuse a value that is not one of the four conventions."""
    if not isinstance(given, str) or given not in CONVENTIONS:
        raise InvalidObjectiveError(
            f"convention: expected one of {', '.join(CONVENTIONS)}, got {shown(given)}"
        )


def need_owners(graph: Graph, objective: Objective) -> None:
    """Refuse a graph whose positions have no owners."""
    if as_graph(graph).owner is None:
        raise InvalidObjectiveError(
            f"{type(objective).__name__}: expected a graph with owners; give it some with "
            "graph.with_owner(…), or take the alternating graph (zm.transform.alternating_graph)"
        )


@dataclass(frozen=True, eq=False)
class Parity(Objective):
    """A parity game: the highest priority that is seen infinitely often decides who wins.

    ``priority`` is a sequence by position number or a mapping by name. ``convention`` is
    ``"max even"`` (player 0 wins iff the highest is even), or ``max odd``, ``min even``,
    ``min odd``.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> zm.Parity([2, 1, 1]).priorities(g).tolist()
    [2, 1, 1]
    >>> zm.Parity([2, 1, 1], convention="min odd").priorities(g).tolist()
    [1, 2, 2]
    """

    priority: Mapping[Any, int] | npt.ArrayLike
    convention: str = "max even"
    family = "parity"
    keyword = "parity"
    marks_mean = "p: priority"

    def __post_init__(self) -> None:
        check_convention(self.convention)
        if isinstance(self.priority, np.ndarray):
            kept = plain_array(self.priority, "priority", InvalidObjectiveError)
            if kept.dtype.kind in "iub":
                kept = owned(kept)
            object.__setattr__(self, "priority", kept)
        elif isinstance(self.priority, Mapping):
            object.__setattr__(self, "priority", dict(self.priority))
        elif isinstance(self.priority, Iterable):
            object.__setattr__(self, "priority", list(self.priority))

    def priorities(self, graph: Graph) -> Int32Array:
        """The priorities in the convention "max even"."""
        need_owners(graph, self)
        check_convention(self.convention)
        p = self._given(graph).astype(np.int64)
        if self.convention.endswith("odd"):
            p += 1
        if self.convention.startswith("min"):
            top = int(p.max(initial=0))
            p = top + (top & 1) - p
        return p.astype(np.int32)

    def _given(self, graph: Graph) -> Int32Array:
        given: Any = self.priority
        graph = as_graph(graph)
        if isinstance(given, Mapping):
            missing = next((x for x in graph if x not in given), None)
            if missing is not None:
                raise InvalidObjectiveError(f"position {missing!r} has no priority")
            given = [given[x] for x in graph]
        array = plain_array(given, "priority", InvalidObjectiveError)
        if array.shape != (graph.n,):
            raise InvalidObjectiveError(
                f"priority: expected {graph.n} entries, one for each position, got {array.shape}"
            )
        if array.size and array.dtype.kind not in "iu":
            raise InvalidObjectiveError(f"priority: expected integers, got {array.dtype}")
        if array.size and not 0 <= array.min() <= array.max() < 2**31 - 2:
            v = int(np.argmax((array < 0) | (array >= 2**31 - 2)))
            raise InvalidObjectiveError(
                f"priority of {graph.name(v)!r}: expected 0 to 2,147,483,645, got {array[v]}"
            )
        return array.astype(np.int32)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The priorities by position number."""
        return {
            "objective": self.keyword,
            "priority": self._given(graph).tolist(),
            "convention": self.convention,
        }

    def marks(self, graph: Graph) -> list[str]:
        """The priorities as they were given."""
        return [f"p{p}" for p in self._given(graph).tolist()]

    def describe(self, graph: Graph) -> str:
        """The convention, and the number of priorities."""
        count = np.unique(self.priorities(graph)).size
        return f"{self.keyword}, {self.convention}, {count:,} different priorities"

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Parity":
        """Read the priorities back."""
        given = plain_array(spec_of(data).get("priority"), "priority", InvalidObjectiveError)
        objective = cls(given, data.get("convention", "max even"))
        objective.priorities(graph)  # checks the priorities
        return objective

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Parity":
        """Few or many priorities, dense or with gaps, in one of the conventions."""
        check_example(graph, rng)
        top = rng.choice((0, 1, 2, 3, 5, 9, 2**31 - 3))
        gap = max(1, top // rng.randint(1, 9))
        some = [top - gap * rng.randint(0, top // gap) for _ in graph]
        return cls(some, rng.choice(CONVENTIONS))


@dataclass(frozen=True, eq=False)
class Buchi(PlainSet):
    """Player 0 (or ``player``) wins iff one of the positions is seen infinitely often."""

    family = "parity"
    keyword = "buchi"
    adverb = " for ever"

    def priorities(self, graph: Graph) -> Int32Array:
        """2 on the set and 1 elsewhere; for player 1, 1 on the set and 0 elsewhere."""
        need_owners(graph, self)
        chosen = graph.mask(self.positions).astype(np.int32)
        return chosen + np.int32(1 - self.player)


@dataclass(frozen=True, eq=False)
class CoBuchi(PlainSet):
    """Player 0 (or ``player``) wins iff the positions are seen only finitely often.

    This is the opponent's Büchi game for the same set.
    """

    family = "parity"
    keyword = "co-buchi"
    adverb = " only finitely often"

    def priorities(self, graph: Graph) -> Int32Array:
        """1 on the set and 0 elsewhere; for player 1, 2 on the set and 1 elsewhere."""
        need_owners(graph, self)
        chosen = graph.mask(self.positions).astype(np.int32)
        return chosen + np.int32(self.player)
