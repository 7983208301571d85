"""A game that is being read from a text, and how it becomes a graph with owners, weights, a start.

The readers of edge lists, DOT and GraphML differ in syntax; what they collect is the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats.common.names import Names, build, names_from_json, place_texts, shorten
from zermelo.formats.common.weights import along_graph, weighted_game, whole_weight
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array

Weight = tuple[str | int, Any]
"""A weight as the file has it, and its place."""


class Draft:
    """What a reader has found so far; ``error`` makes the error for a place in the file.

    >>> draft = Draft(lambda message, line: FormatError(message, line=line))
    >>> draft.move(draft.position("a", 1), draft.position("b", 1), 1)
    >>> draft.begin(1, 2)
    >>> draft.game()
    Game(normal on Graph(2 positions, 1 move, 1 terminal), start b)
    """

    def __init__(self, error: Callable[[str, Any], FormatError], noun: str = "node") -> None:
        self.error, self.noun = error, noun
        self.number: dict[str, int] = {}
        self.place: list[Any] = []
        self.owner: list[int | None] = []
        self.stated: dict[int, int] = {}
        """The owners that are stated for one position, not for all that follow."""
        self.start: int | None = None
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.move_place: list[Any] = []
        self.weights: list[Weight | None] = []
        self.objective: tuple[str, Any] | None = None
        self.json = False
        """Whether names are written as JSON."""

    def name(self, v: int) -> str:
        """The name of a position, for a message."""
        return shorten(list(self.number)[v])

    def position(self, name: str, place: Any, owner: int | None = None) -> int:
        """The number of a position; ``owner`` is that of a new one."""
        v = self.number.setdefault(name, len(self.number))
        if v == len(self.place):
            self.place.append(place)
            self.owner.append(owner)
        return v

    def own(self, v: int, owner: int, place: Any) -> None:
        """Give a position its owner."""
        if self.stated.setdefault(v, owner) != owner:
            raise self.error(f"{self.noun} {self.name(v)} has two owners", place)
        self.owner[v] = owner

    def begin(self, v: int, place: Any) -> None:
        """Let play start at a position."""
        if self.start not in (None, v):
            first, second = self.name(self.start or 0), self.name(v)
            raise self.error(f"expected one start, which is {first}, got {second}", place)
        self.start = v

    def move(self, u: int, v: int, place: Any, weight: Weight | None = None) -> None:
        """Add a move."""
        self.sources.append(u)
        self.targets.append(v)
        self.move_place.append(place)
        self.weights.append(weight)

    def game(
        self,
        ends: Int64Array | None = None,
        *,
        numbers: bool = True,
        lenient: bool = False,
        hint: Callable[[str], str] = lambda _: "",
    ) -> Graph | Game:
        """The graph, or the game if there is a start, an objective or a weight.

        ``ends`` has the moves, a row each, by default those that were added. Names that are
        integers may be ``numbers``. A ``lenient`` reader drops weights that are incomplete or no
        integers if the file names no objective: other programs use them for lengths of edges.
        ``hint`` completes the error for a position without an owner.
        """
        owner = self._owners(hint)
        names, number = self._names(numbers)
        if ends is None:
            ends = np.array([self.sources, self.targets], np.int64).T
        u, v = number[ends[:, 0]], number[ends[:, 1]]
        if owner is not None:
            owner[number] = owner.copy()
        graph = build(u, v, number.size, owner, names)
        start = None if self.start is None else graph.name(int(number[self.start]))
        try:
            weight = self._weights(graph, u, v)
        except FormatError:
            if not lenient or self.objective is not None:
                raise
            weight = None
        if self.objective is None and weight is None:
            return graph if start is None else Game(graph, start=start)
        text, place = self.objective or (None, None)
        return weighted_game(graph, weight, text, start, lambda why: self.error(why, place))

    def _owners(self, hint: Callable[[str], str]) -> AnyArray | None:
        """The owners if every position has one, None if none has."""
        if all(x is None for x in self.owner):
            return None
        if None in self.owner:
            v = self.owner.index(None)
            message = f"{self.noun} {self.name(v)} has no owner, but others do"
            raise self.error(message + hint(list(self.number)[v]), self.place[v])
        return np.array(self.owner, np.int8)

    def _names(self, numbers: bool) -> tuple[Names | None, Int64Array]:
        """The names of the positions, if they have any, and their numbers in the graph."""
        texts, same = list(self.number), np.arange(len(self.number))
        if self.json:
            return names_from_json(texts, self._not_json), same
        names, given = place_texts(texts) if numbers else (tuple(texts), None)
        return names, same if given is None else np.array(given, np.int64)

    def _weights(self, graph: Graph, u: Int64Array, v: Int64Array) -> Int64Array | None:
        """The weights of all moves, None if no move has one."""

        def error_at(k: int, message: str) -> FormatError:
            given = self.weights[k]
            return self.error(message, self.move_place[k] if given is None else given[1])

        def whole(given: Weight) -> int:
            text, place = given
            if isinstance(text, int):
                return text
            return whole_weight(text, lambda message: self.error(message, place))

        numbers = [None if x is None else whole(x) for x in self.weights]
        return along_graph(graph, u, v, numbers, error_at)

    def _not_json(self, v: int) -> FormatError:
        return self.error(f"expected a name in JSON, got {self.name(v)}", self.place[v])
