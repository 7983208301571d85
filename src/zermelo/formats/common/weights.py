"""Weights of moves in files: from the order of a file to that of the graph, and back.

A file may have weights without an objective that needs them. Then the game keeps them
(:attr:`~zermelo.Game.weight`), and the command line can name the objective.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.errors import FormatError, ZermeloError
from zermelo.formats.common.names import shorten
from zermelo.formats.common.objective import read_objective
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.objectives.quantitative import Quantitative
from zermelo.objectives.weighted_text import KINDS, read_text, write_text
from zermelo.objectives.weights import MAX_WEIGHT

INTEGER = re.compile(r"[+-]?[0-9]{1,30}", re.ASCII)
"""A weight in a text file."""

ErrorAt = Callable[[int, str], FormatError]
"""An error about the k-th move of a file."""


def plain_error(k: int, message: str) -> FormatError:
    """The error of a format whose moves have no lines."""
    return FormatError(message)


def whole_weight(text: str, problem: Callable[[str], FormatError]) -> int:
    """A weight in a text file.

    >>> whole_weight("-3", FormatError)
    -3
    >>> whole_weight("1.5", FormatError)
    Traceback (most recent call last):
    zermelo.errors.FormatError: expected an integer as weight of a move, got '1.5'
    """
    if INTEGER.fullmatch(text) is None:
        raise problem(f"expected an integer as weight of a move, got {shorten(text)}")
    weight = int(text)
    if abs(weight) > MAX_WEIGHT:
        raise problem(f"expected a weight from -2**60 to 2**60, got {shorten(weight)}")
    return weight


def along_graph(
    graph: Graph,
    sources: Any,
    targets: Any,
    weights: Sequence[int | None] | AnyArray,
    error_at: ErrorAt = plain_error,
) -> Int64Array | None:
    """The weights of a file's moves in the order of the graph; None if no move has one.

    ``sources`` and ``targets`` are position numbers of the graph, one for each move of the file.

    >>> g = Graph.from_edges([(1, 0), (0, 1), (0, 0)])
    >>> along_graph(g, [1, 0, 0], [0, 1, 0], [7, 8, 9]).tolist()
    [9, 8, 7]
    """
    if not isinstance(weights, np.ndarray):
        missing = [x is None for x in weights]
        if all(missing):
            return None
        if any(missing):
            k = missing.index(True)
            ends = graph.name(int(sources[k])), graph.name(int(targets[k]))
            raise error_at(
                k,
                f"the move {shorten(ends[0])} → {shorten(ends[1])} has no weight, but others do: "
                "expected an integer for each move",
            )
        large = [abs(x or 0) > MAX_WEIGHT for x in weights]
    else:
        large = ((weights > MAX_WEIGHT) | (weights < -MAX_WEIGHT)).tolist()
    if any(large):
        k = large.index(True)
        got = shorten(int(weights[k] or 0))
        raise error_at(k, f"expected a weight from -2**60 to 2**60, got {got}")
    given = np.asarray(weights, np.int64)
    u, v = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    moves = graph.to_edges().astype(np.int64)
    place = np.searchsorted((moves[:, 0] << 32) | moves[:, 1], (u << 32) | v)
    found = np.zeros(graph.m, np.int64)
    found[place] = given
    if (found[place] != given).any():
        k = int(np.argmax(found[place] != given))
        raise error_at(
            k,
            f"the move {shorten(graph.name(int(u[k])))} → {shorten(graph.name(int(v[k])))} has two "
            f"weights, {given[k]} and {found[place][k]}; parallel moves are merged, so give it one",
        )
    return found


def weighted_game(
    graph: Graph,
    weight: Int64Array | None,
    text: str | None,
    start: Any = None,
    problem: Callable[[str], FormatError] = FormatError,
) -> Game:
    """The game of a text file: its weights, and the line of text that names its objective.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a")])
    >>> weighted_game(g, np.array([1, 2]), "energy:capacity=5")
    Game(energy on Graph(2 positions, 2 moves, 0 terminals))
    """
    if text is None:
        return Game(graph, start=start, weight=weight)
    keyword, colon, data = text.partition(":")
    if keyword not in KINDS:
        raise problem(
            f"expected an objective {', '.join(KINDS)}, got {shorten(keyword)}; "
            "json stores other objectives"
        )
    if weight is None and graph.m:
        raise problem(f"an objective {keyword} needs weights: expected an integer for each move")
    try:
        given = np.zeros(0, np.int64) if weight is None else weight
        objective = read_text(keyword, data if colon else None, graph, given)
        objective.check_data(graph)
    except ZermeloError as error:
        raise problem(str(error)) from None
    return Game(graph, objective, start)


def text_parts(
    graph: Graph, objective: Objective | None, weight: Int64Array | None
) -> tuple[list[int] | None, str | None]:
    """What a text file stores of an objective: the weight of each move, and a line of text."""
    if isinstance(objective, Quantitative):
        return objective.weights(graph).tolist(), write_text(objective, graph)
    return (None if weight is None else weight.tolist()), None


def bare_spec(
    graph: Graph, objective: Objective | None, weight: Int64Array | None
) -> tuple[dict[str, Any] | None, Int64Array | None]:
    """An objective as plain data without its weights, and the weights of the game."""
    if objective is None:
        return None, weight
    spec = objective.spec(graph)
    if isinstance(objective, Quantitative):
        del spec["weight"]
        return spec, objective.weights(graph)
    return spec, weight


def game_from_spec(
    graph: Graph, spec: Any, weight: Int64Array | None, start: Any, *, impartial: bool = True
) -> Game:
    """The inverse of :func:`bare_spec`; ``spec`` may also have the weights itself."""
    if isinstance(spec, Mapping) and spec.get("objective") in KINDS:
        if weight is not None and "weight" in spec:
            raise FormatError("/objective/weight: expected none, as the moves have weights")
        if weight is None and "weight" not in spec and graph.m:
            raise FormatError(
                f"/objective: an objective {spec['objective']} needs weights: expected an integer "
                "for each move"
            )
        if "weight" not in spec:
            spec = {**spec, "weight": [] if weight is None else weight.tolist()}
        return Game(graph, read_objective(spec, graph), start, impartial=impartial)
    return Game(graph, read_objective(spec, graph), start, impartial=impartial, weight=weight)
