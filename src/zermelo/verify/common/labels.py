"""Labellings as they are given: arrays, mappings by name, solutions; as numbers by situation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._inputs.values import plain_array, shown
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int32Array, Label
from zermelo.objectives.terminal_form import Layout, TerminalForm, form_on
from zermelo.solutions.base import Solution, solution_of

LETTERS = {"W": 1, "WIN": 1, "D": 0, "DRAW": 0, "L": -1, "LOSE": -1}


@dataclass(frozen=True, eq=False)
class Signs:
    """A terminal-payoff game in which only the sign of a payoff counts, by situation.

    The label of a position is the sign of its value. Signs do not change the order of payoffs, so
    labels are the values of the game whose payoffs are −1, 0 and +1. All numbers here are for the
    player to move.
    """

    graph: Graph
    form: TerminalForm
    infinite: Int8Array
    """The label of infinite play for the player to move, one entry for each situation."""
    ends: BoolArray
    pays: Int8Array
    """The label of each end; 0 elsewhere."""
    mover: Int8Array
    """The player to move; 0 if both players see the same game."""

    @property
    def doubled(self) -> bool:
        """Whether there are two situations for each position."""
        return self.form.doubled

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a labelling."""
        return (self.graph.n, 2) if self.doubled else (self.graph.n,)

    def situation(self, s: int) -> Any:
        """The name of a situation: a position, or a position and the player to move."""
        return (self.graph.name(s >> 1), s & 1) if self.doubled else self.graph.name(s)

    def place(self, s: int) -> str:
        """A situation for a message."""
        name = f"position {self.graph.name(s >> 1 if self.doubled else s)!r}"
        return name + (f", player {s & 1} to move" if self.doubled else "")

    def after(self, s: int) -> list[int]:
        """The situations after each move."""
        v = s >> 1 if self.doubled else s
        moves: list[int] = self.graph.successors(v).tolist()
        return [2 * w + 1 - (s & 1) for w in moves] if self.doubled else moves

    def moves(self) -> tuple[Int32Array, Int32Array]:
        """All moves between situations: where each begins, and where it leads to."""
        ends = self.graph.to_edges()
        u, v = ends[:, 0], ends[:, 1]
        if not self.doubled:
            return u, v
        return np.concatenate([2 * u, 2 * u + 1]), np.concatenate([2 * v + 1, 2 * v])

    def flip(self, u: AnyArray, v: AnyArray) -> AnyArray:
        """−1 where a move gives the turn to the other player, else +1."""
        if self.form.layout is not Layout.OWNED:
            return np.full(u.size, -1, np.int8)
        return np.where(self.mover[u] == self.mover[v], 1, -1).astype(np.int8)


def signs_of(game: Game, task: str) -> Signs:
    """The signs of the payoffs of a game; games without payoffs at the ends are refused."""
    graph, objective = game
    if objective.family != "terminal":
        raise InvalidObjectiveError(
            f"{task} is for games with payoffs at the ends and for infinite play, such as normal "
            f"play, but the objective of this game is {objective.keyword}; zm.solve finds the "
            "winners of this game, and its verify() checks them"
        )
    form = form_on(objective, graph)
    sign = np.array([(x > 0) - (x < 0) for x in form.levels], np.int8)
    size = graph.n << form.doubled
    mover = np.zeros(size, np.int8)
    if form.doubled:
        mover[1::2] = 1
    elif graph.owner is not None:
        mover = graph.owner
    view = (1 - 2 * mover).astype(np.int8)
    ends, pays = np.zeros(size, bool), np.zeros(size, np.int8)
    ends[form.absorbing] = True
    pays[form.absorbing] = sign[form.absorbing_level]
    return Signs(graph, form, sign[form.infinite] * view, ends, pays * view, mover)


def read_labels(signs: Signs, given: Any, missing: Int8Array | None) -> Int8Array:
    """A labelling as a flat array; ``missing`` are the labels where a mapping has none."""
    graph, shape, given = signs.graph, signs.shape, solution_of(given)
    if isinstance(given, Solution):
        if given.graph.digest != graph.digest:
            raise InvalidOptionError("labels: the solution is one of another graph")
        given = given.label
    if isinstance(given, Mapping):
        labels = _from_mapping(signs, given, missing)
    else:
        array = plain_array(given, "labels", InvalidOptionError)
        if array.shape != shape and not (signs.doubled and array.shape == shape[:1]):
            raise _shape_error(signs, array.shape)
        if array.dtype.kind not in "iu":
            rows = [
                _entry(signs, x, graph.name(v))
                for v, x in enumerate(array.tolist())
            ]  # fmt: skip
            array = np.array(rows, np.int8).reshape(shape)
        elif array.shape != shape:
            raise _shape_error(signs, array.shape)
        bad = (array < -1) | (array > 1)
        if bad.any():
            raise InvalidOptionError(
                f"labels: expected -1, 0 and 1, got {array[bad].flat[0]}; labels are those of the "
                "player to move"
            )
        labels = array.astype(np.int8)
    return np.ascontiguousarray(labels).reshape(-1)


def _shape_error(signs: Signs, shape: tuple[int, ...]) -> InvalidOptionError:
    both = ", because in this game it matters who is to move" if signs.doubled else ""
    return InvalidOptionError(f"labels: expected the shape {signs.shape}{both}, got {shape}")


def _from_mapping(signs: Signs, given: Any, missing: Int8Array | None) -> Int8Array:
    graph = signs.graph
    labels = np.zeros(signs.shape, np.int8)
    if missing is not None:
        labels = missing.reshape(signs.shape).copy()
    known = np.zeros(graph.n, bool)
    for name, x in given.items():
        v = graph.index(name)
        labels[v] = _entry(signs, x, name)
        known[v] = True
    if missing is None and not known.all():
        v = int(np.argmin(known))
        raise InvalidOptionError(f"labels: position {graph.name(v)!r} has no label")
    return labels


def _entry(signs: Signs, x: Any, name: Any) -> Any:
    """The label of a position, or the labels of its two situations."""
    if not signs.doubled:
        return _label(x, name)
    pair = x.split("/") if isinstance(x, str) else x
    if isinstance(pair, np.ndarray):
        pair = pair.tolist()
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InvalidOptionError(
            f"labels: position {name!r}: expected two labels, for player 0 and for player 1 to "
            f"move, got {shown(x)}"
        )
    return [_label(pair[0], name), _label(pair[1], name)]


def _label(x: Any, name: Any) -> int:
    """−1, 0 or 1 from a number, a Label, or a text such as WIN or W."""
    if isinstance(x, str) and x.strip().upper() in LETTERS:
        return LETTERS[x.strip().upper()]
    number = isinstance(x, int | np.integer) and not isinstance(x, bool)
    if not number or x not in (-1, 0, 1):
        raise InvalidOptionError(
            f"labels: position {name!r}: expected -1, 0 or 1, or LOSE, DRAW or WIN, got {shown(x)}"
        )
    return int(x)


def name_of(label: int) -> str:
    """The name of a label."""
    return Label(int(label)).name
