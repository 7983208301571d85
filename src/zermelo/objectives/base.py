"""The base class of all objectives."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import one_of, owned, plain_array, shown
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int32Array, Player
from zermelo.objectives.terminal_form import TerminalForm, place_number

if TYPE_CHECKING:
    from random import Random

MAX_NAMED_POSITIONS = 5
"""The number of positions of a set that a description names."""


def check_example(graph: object, rng: object) -> None:
    """Refuse what is no graph and no source of random numbers, for :meth:`Objective.example`."""
    if not isinstance(graph, Graph) or not hasattr(rng, "randint"):
        raise InvalidOptionError(
            f"expected a graph and a random.Random, got {shown(graph)} and {shown(rng)}"
        )


@dataclass(frozen=True, eq=False)
class Objective:
    """The base class of all objectives."""

    family: ClassVar[str] = "terminal"
    """The family of solvers that it belongs to."""
    keyword: ClassVar[str] = ""
    """The objective's name on the command line and in files."""
    levels: ClassVar[tuple[int | None, ...]] = (-1, 1)
    """What player 0 gets, from the worst on, in a game without payoffs of terminals. A last entry
    None is for situations in which nobody knows the winner, as a solver may give up."""
    marks_mean: ClassVar[str] = ""
    """The meaning of :meth:`marks` for the legend of a picture."""
    endless_mean: ClassVar[str] = "play never ends"
    """The meaning of a missing distance, if ends have payoffs; pictures write ∞."""

    @property
    def solution_arrays(self) -> tuple[str, ...]:
        """The arrays of 64-bit integers, one entry a situation, that only solutions of this
        objective have."""
        return ()

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The payoffs of the terminals of a graph and of infinite play under this objective."""
        raise InvalidObjectiveError(
            f"expected a terminal-payoff game, got a game of {self.keyword!r}; use solve"
        )

    def priorities(self, graph: Graph) -> Int32Array:
        """The priorities of this objective as a parity game: player 0 wins iff the highest priority
        that is seen infinitely often is even."""
        raise InvalidObjectiveError(
            f"expected a parity game, got a game of {self.keyword!r}; use solve"
        )

    def marks(self, graph: Graph) -> list[str]:
        """What a picture writes at each position, such as its priority; empty for nothing."""
        return []

    def check_data(self, graph: Graph) -> None:
        """Refuse data that do not fit a graph, such as a payoff of a position that has moves."""

    def doubled(self, graph: Graph) -> bool:
        """Whether each position has two situations, one for either player to move."""
        return False

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The objective as plain data (JSON types; positions by number), for files."""
        return {"objective": self.keyword}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Objective":
        """The inverse of :meth:`spec`."""
        return cls()

    @classmethod
    def from_text(cls, text: str, graph: Graph) -> "Objective":
        """The objective that the command line writes as ``KEYWORD:TEXT``."""
        raise InvalidObjectiveError(f"{cls.keyword} takes no data after a colon, got {text!r}")

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Objective":
        """An objective of this kind with random data that fit a graph, for tests.

        A class whose objectives have data defines it, so that :mod:`zermelo.testing` can make some.

        >>> import random, zermelo as zm
        >>> zm.Reach.example(zm.Graph.from_edges([("a", "b")]), random.Random(1))
        Reach(positions=['a'], player=0)
        """
        check_example(graph, rng)
        try:
            return cls()
        except TypeError:
            raise InvalidObjectiveError(
                f"{cls.__name__} needs data; give the class a method example(graph, rng)"
            ) from None

    def describe(self, graph: Graph) -> str:
        """A readable description: the keyword, and the meaning or the data of the objective.

        >>> import zermelo as zm
        >>> zm.Reach(["b"]).describe(zm.Graph.from_edges([("a", "b")]))
        'reach b, wanted by player 0'
        """
        summary = (type(self).__doc__ or self.keyword).strip().splitlines()[0].rstrip(".")
        return f"{self.keyword}: {summary.partition(': ')[2] or summary}"


def spec_of(data: Any) -> Mapping[str, Any]:
    """An objective's plain data, if it is a mapping."""
    if not isinstance(data, Mapping):
        raise InvalidObjectiveError(f"expected an objective's data, got {shown(data)}")
    return data


def kept_positions(given: Any, name: str = "positions") -> Any:
    """A set of positions for a record: nobody else can change what is kept.

    >>> kept_positions({"a"}), kept_positions("ab"), kept_positions(iter([1, 2]))
    (frozenset({'a'}), 'ab', [1, 2])
    """
    if isinstance(given, np.ndarray):
        given = plain_array(given, name, InvalidObjectiveError)
        return owned(given) if given.dtype.kind in "iub" else given
    if isinstance(given, Iterable) and not isinstance(given, str):
        return frozenset(given) if isinstance(given, set) else list(given)
    return given


def mask_of_numbers(data: Mapping[str, Any], name: str, graph: Graph) -> BoolArray:
    """The set of positions that plain data hold under a name, as a list of numbers."""
    chosen = data.get(name)
    if not isinstance(chosen, list):
        raise InvalidObjectiveError(f"{name}: expected a list, got {chosen!r}")
    mask = np.zeros(as_graph(graph).n, bool)
    mask[[place_number(v, graph) for v in chosen]] = True
    return mask


def random_positions(graph: Graph, rng: "Random") -> list[Hashable]:
    """A random set of positions for an example, by name."""
    return [x for x in graph if rng.random() < 0.4]


def some_names(graph: Graph, positions: Any) -> str:
    """The first positions of a set for a description."""
    places = np.flatnonzero(as_graph(graph).mask(positions)).tolist()
    some = ", ".join(str(graph.name(v)) for v in places[:MAX_NAMED_POSITIONS])
    more = f", … ({len(places):,})" if len(places) > MAX_NAMED_POSITIONS else ""
    return some + more or "no position"


@dataclass(frozen=True, eq=False)
class PlainSet(Objective):
    """Objectives given by one set of positions and the player who wants them."""

    positions: Iterable[Hashable] | AnyArray
    player: int = field(default=Player.ZERO, kw_only=True)
    adverb: ClassVar[str] = ""
    """The words that a description adds to "wanted"."""

    def __post_init__(self) -> None:
        one_of(self.player, "player", (0, 1), InvalidObjectiveError)
        object.__setattr__(self, "positions", kept_positions(self.positions))

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The set as a list of position numbers."""
        chosen = np.flatnonzero(as_graph(graph).mask(self.positions)).tolist()
        return {"objective": self.keyword, "positions": chosen, "player": int(self.player)}

    def describe(self, graph: Graph) -> str:
        """The first positions of the set, and the player who wants them."""
        wanted = f"wanted{self.adverb} by player {self.player}"
        return f"{self.keyword} {some_names(graph, self.positions)}, {wanted}"

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "PlainSet":
        """Read the set back."""
        mask = mask_of_numbers(spec_of(data), "positions", graph)
        return cls(mask, player=data.get("player", 0))

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "PlainSet":
        """Some positions, wanted by either player."""
        check_example(graph, rng)
        return cls(random_positions(graph, rng), player=rng.randint(0, 1))
