"""The common base of answers that have a label for each position of a graph."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

import numpy as np

from zermelo._inputs.values import one_of, whole_number
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, Int8Array, Int32Array, Label, Player
from zermelo.solutions.answers import Answer, Answers, Line, counted


class GraphAnswers(Answers):
    """Labels by position; a kind of answer adds its values and which moves are best."""

    graph: Graph

    @property
    @abstractmethod
    def label(self) -> Int8Array:
        """−1, 0, +1: what the player to move gets at each position."""

    @property
    def distance(self) -> Int32Array:
        """Plies to the end under best play; ``NO_DISTANCE`` where this kind knows none."""
        return np.full(self.graph.n, NO_DISTANCE, np.int32)

    @abstractmethod
    def _value(self, v: int) -> Any:
        """What this kind of answer knows of position number ``v``."""

    @abstractmethod
    def _best(self, v: int) -> list[int]:
        """The best moves at position number ``v``; the first one leads to the aim."""

    def at(self, position: Hashable, player: int | None = None) -> Answer:
        """The answer at a position, given by name or number."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        return self._answer(self.graph.index(position), player, self.distance)

    def _answer(self, v: int, player: int | None, distance: Int32Array) -> Answer:
        mover = None if player is None else Player(player)
        label, moves = Label(int(self.label[v])), partial(self._moves, v)
        name = self.graph.name(v)
        return Answer(name, mover, label, int(distance[v]), self._value(v), moves)

    def _moves(self, v: int) -> tuple[Hashable, ...]:
        return tuple(self.graph.name(w) for w in self._best(v))

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        if limit is not None:
            limit = whole_number(limit, "limit")
        v = self.graph.index(position)
        line, seen = Line([self.graph.name(v)]), {v: 0}
        while (limit is None or len(line) <= limit) and (best := self._best(v)):
            v = best[0]
            line.append(self.graph.name(v))
            if v in seen:
                line.cycle = seen[v]
                break
            seen[v] = len(line) - 1
        return line

    def counts(self) -> dict[str, int]:
        """How many positions win, lose, tie and draw, and the longest ways."""
        return counted(self.label, self.distance)

    def __len__(self) -> int:
        """How many positions the graph has."""
        return self.graph.n

    def __iter__(self) -> Iterator[Any]:
        """An answer for every position, in the order of their numbers."""
        return self.answers()

    def _row_count(self) -> int:
        return self.graph.n

    def answers(self) -> Iterator[Answer]:
        """An answer for every position, in the order of their numbers."""
        distance = self.distance
        for v in range(self.graph.n):
            yield self._answer(v, None, distance)
