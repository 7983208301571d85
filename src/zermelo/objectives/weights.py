"""Weights of moves: every way to give them becomes one array along ``graph.indices``.

The moves of a graph are sorted and parallel moves are merged, so move number k leads to
``graph.indices[k]`` and has the weight ``weight[k]``. Who gives two different weights for one move
gets an error that names the move.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo._inputs.values import owned, plain_array, sealed, shown
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives.terminal_form import MAX_DIGITS, check_digits, exact_number

MAX_WEIGHT = 2**60
"""The largest absolute value of a weight."""

WeightLike = Mapping[Any, Any] | Callable[..., Any] | Iterable[Any] | AnyArray
"""What an objective takes as weights."""


class Arena(NamedTuple):
    """A game as solvers see it: situations with owners, and moves with weights.

    On a graph with owners, the situations are the positions. Where the players alternate, situation
    2 v + e is "token on v, player e to move".
    """

    owner: Int8Array
    indptr: Int64Array
    indices: Int32Array
    weight: Int64Array

    @property
    def n(self) -> int:
        """The number of situations."""
        return self.owner.size

    @property
    def source(self) -> AnyArray:
        """The situation in which each move begins."""
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def with_moves(self, kept: BoolArray) -> "Arena":
        """The game with some of its moves only."""
        indptr = np.zeros(self.n + 1, np.int64)
        np.cumsum(np.bincount(self.source[kept], minlength=self.n), out=indptr[1:])
        return Arena(self.owner, indptr, self.indices[kept], self.weight[kept])


def make_arena(graph: Graph, weight: Int64Array) -> Arena:
    """The situations of a graph; ``weight`` has the weight of each move.

    >>> g = Graph.from_edges([(0, 1), (1, 1)])
    >>> arena = make_arena(g, np.array([5, 7]))
    >>> arena.owner.tolist(), arena.indices.tolist(), arena.weight.tolist()
    ([0, 1, 0, 1], [3, 2, 3, 2], [5, 5, 7, 7])
    """
    if graph.owner is not None:
        return Arena(graph.owner, graph.indptr, graph.indices, weight)
    if 2 * graph.n > MAX_POSITIONS:
        raise InvalidObjectiveError(
            f"expected at most {MAX_POSITIONS // 2:,} positions where the players alternate, "
            f"got {graph.n:,}; give the graph owners"
        )
    indptr = np.zeros(2 * graph.n + 1, np.int64)
    np.cumsum(np.repeat(graph.out_degree, 2), out=indptr[1:])
    indices, both = np.empty(2 * graph.m, np.int32), np.empty(2 * graph.m, np.int64)
    # Move k of v is move k + indptr[v] of (v, 0) and move k + indptr[v + 1] of (v, 1).
    move = np.arange(graph.m)
    for player, first in ((0, graph.indptr[:-1]), (1, graph.indptr[1:])):
        place = move + np.repeat(first, graph.out_degree)
        indices[place] = 2 * graph.indices + (1 - player)
        both[place] = weight
    owner = np.tile(np.array([0, 1], np.int8), graph.n)
    return Arena(owner, indptr, indices, both)


def keep_weights(given: Any) -> Any:
    """What an objective keeps of the weights that it is given, so that nobody can change them."""
    if isinstance(given, np.ndarray):
        array = plain_array(given, "weight", InvalidObjectiveError)
        return owned(array) if array.dtype.kind in "iu" else array.copy()
    if isinstance(given, Mapping):
        return dict(given)
    if callable(given):
        return given
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return list(given)
    raise InvalidObjectiveError(
        "weight: expected an array with an entry for each move, a dict {(u, v): weight}, "
        f"triples (u, v, weight) or a function, got {shown(given)}"
    )


def weights_on(graph: Graph, given: Any, on: str) -> Int64Array:
    """The weight of each move of a graph, along ``graph.indices``.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "a")])
    >>> weights_on(g, {("a", "a"): 3, ("a", "b"): -1, ("b", "a"): 2}, "moves").tolist()
    [3, -1, 2]
    >>> weights_on(g, lambda u, v: ord(u) - ord(v), "moves").tolist()
    [0, -1, 1]
    >>> weights_on(g, {"a": 4, "b": 5}, "positions").tolist()
    [4, 4, 5]
    >>> weights_on(g, [("a", "b", 1), ("a", "b", 2)], "moves")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: the move 'a' → 'b' has two weights, 1 and 2; \
parallel moves are merged, so give it one
    """
    graph = as_graph(graph)
    if isinstance(given, type):
        raise InvalidObjectiveError(
            f"weight: expected a function, numbers or a mapping, got the class {given.__name__}"
        )
    if on == "positions":
        by_position = _by_position(graph, given)
        return sealed(np.repeat(by_position, graph.out_degree))
    if isinstance(given, Mapping):
        return _by_pairs(graph, [(pair, x) for pair, x in given.items()])
    if callable(given):
        pairs = ((graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist())
        values = [given(u, v) for u, v in pairs]
        return _checked(graph, values, graph.m, "move")
    if isinstance(given, list) and any(isinstance(x, tuple | list) for x in given):
        return _by_pairs(graph, [_pair(k, x) for k, x in enumerate(given)])
    return _checked(graph, given, graph.m, "move")


def _pair(k: int, triple: Any) -> tuple[Any, Any]:
    if not isinstance(triple, tuple | list) or len(triple) != 3:
        raise InvalidObjectiveError(
            f"weight {k}: expected a triple (u, v, weight), got {shown(triple)}"
        )
    return (triple[0], triple[1]), triple[2]


def _by_position(graph: Graph, given: Any) -> Int64Array:
    """The weight of each position."""
    if isinstance(given, Mapping):
        by_number: dict[int, Any] = {}
        for name, x in given.items():
            v = graph.index(name)
            if v in by_number and by_number[v] != x:
                raise InvalidObjectiveError(
                    f"position {graph.name(v)!r} has two weights, {by_number[v]!r} and {x!r}"
                )
            by_number[v] = x
        for v in range(graph.n):
            if v not in by_number:
                raise InvalidObjectiveError(f"position {graph.name(v)!r} has no weight")
        given = [by_number[v] for v in range(graph.n)]
    elif callable(given):
        given = [given(name) for name in graph]
    return _checked(graph, given, graph.n, "position")


def _by_pairs(graph: Graph, items: list[tuple[Any, Any]]) -> Int64Array:
    """The weights of moves that are given by their two ends."""
    ends = np.empty((len(items), 2), np.int64)
    for k, (pair, _) in enumerate(items):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InvalidObjectiveError(
                f"weight: expected a pair of positions as key, got {shown(pair)}"
            )
        ends[k] = graph.index(pair[0]), graph.index(pair[1])
    moves = graph.to_edges().astype(np.int64)
    keys = (moves[:, 0] << 32) | moves[:, 1]
    asked = (ends[:, 0] << 32) | ends[:, 1]
    place = np.searchsorted(keys, asked)
    known = place < graph.m
    known[known] = keys[place[known]] == asked[known]
    if not known.all():
        u, v = ends[int(np.argmin(known))].tolist()
        raise InvalidObjectiveError(f"weight of {_move(graph, u, v)}: the graph has no such move")
    values = np.empty(graph.m, object)
    seen = np.zeros(graph.m, bool)
    for k, (_, x) in zip(place.tolist(), items, strict=True):
        if seen[k] and values[k] != x:
            raise InvalidObjectiveError(
                f"the move {_move(graph, *moves[k].tolist())} has two weights, {shown(values[k])} "
                f"and {shown(x)}; parallel moves are merged, so give it one"
            )
        seen[k], values[k] = True, x
    if not seen.all():
        k = int(np.argmin(seen))
        raise InvalidObjectiveError(f"the move {_move(graph, *moves[k].tolist())} has no weight")
    return _checked(graph, values.tolist(), graph.m, "move")


def _move(graph: Graph, u: int, v: int) -> str:
    return f"{graph.name(u)!r} → {graph.name(v)!r}"


def _checked(graph: Graph, given: Any, size: int, of: str) -> Int64Array:
    """Integers, one for each move or position; the message names the first that is wrong."""
    array = plain_array(given, "weight", InvalidObjectiveError)
    mixed = array.dtype.kind not in "iu" or (
        isinstance(given, list) and any(isinstance(x, bool | np.bool_) for x in given)
    )
    if isinstance(given, list) and array.shape == (size,) and mixed:
        array = np.empty(size, object)
        array[:] = given  # as they were given, for the message
    if array.shape != (size,):
        raise InvalidObjectiveError(
            f"weight: expected {size} entries, one for each {of}, got {array.shape}"
        )
    if array.size == 0:
        return sealed(np.zeros(0, np.int64))
    if array.dtype.kind not in "iu":
        for k, x in enumerate(array.tolist()):
            if isinstance(x, bool) or not isinstance(x, int | np.integer):
                raise InvalidObjectiveError(
                    f"weight of {_place(graph, k, of)}: expected an integer, got {shown(x)}"
                )
    big = (array > MAX_WEIGHT) | (array < -MAX_WEIGHT)
    if big.any():
        k = int(np.argmax(big))
        raise InvalidObjectiveError(
            f"weight of {_place(graph, k, of)}: expected an integer from -2**60 to 2**60, "
            f"got {shown(int(array[k]))}"
        )
    return owned(array, np.int64)  # type: ignore[no-any-return]


def _place(graph: Graph, k: int, of: str) -> str:
    if of == "position":
        return f"position {graph.name(k)!r}"
    u = int(np.searchsorted(graph.indptr, k, side="right")) - 1
    return f"the move {_move(graph, u, int(graph.indices[k]))}"


def exact_fraction(given: Any, name: str) -> Fraction:
    """A fraction from an integer, a fraction, a text such as ``1/3``, or a decimal number.

    A float stands for the decimal number with which Python prints it.

    >>> exact_fraction(0.9, "discount")
    Fraction(9, 10)
    >>> exact_fraction("x", "threshold")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: threshold: expected a number such as 1/3 or 0.25, of at \
most 1,000 digits, got 'x'
    """
    if isinstance(given, np.generic):
        given = given.item()
    try:
        if isinstance(given, Fraction | int) and not isinstance(given, bool):
            check_digits(given)
            return Fraction(given)
        if isinstance(given, str | float):
            return exact_number(given if isinstance(given, str) else repr(given))
    except InvalidObjectiveError:
        pass
    raise InvalidObjectiveError(
        f"{name}: expected a number such as 1/3 or 0.25, of at most {MAX_DIGITS:,} digits, got "
        f"{shown(given)}"
    )
