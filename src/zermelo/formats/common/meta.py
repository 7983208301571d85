"""The JSON metadata of binary formats: format, version, names, objective, start."""

import json
from collections.abc import Hashable, Mapping
from typing import Any

from zermelo.errors import FormatError
from zermelo.formats.common.names import from_plain, one_line, shorten, to_json, to_plain
from zermelo.formats.common.solution import VERSION, check_kind
from zermelo.formats.common.weights import game_from_spec
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import Int64Array


def game_meta(
    graph: Graph, spec: dict[str, Any] | None, start: int | None = None, **more: Any
) -> str:
    """The metadata of a game, whose objective is described by ``spec``.

    >>> game_meta(Graph.from_edges([("a", "b")]), None)
    '{"format":"zermelo-game","version":1,"names":["a","b"]}'
    """
    meta: dict[str, Any] = {"format": "zermelo-game", "version": VERSION, **more}
    if graph.names is not None:
        meta["names"] = [to_plain(x) for x in graph.names]
    if spec is not None:
        meta["objective"] = spec
    if start is not None:
        meta["start"] = start
    return to_json(meta)


def parse_meta(text: str | bytes, kind: str) -> dict[str, Any]:
    """The JSON object in a file of some kind."""
    try:
        meta = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON in the file's metadata: {one_line(error)}") from None
    if not isinstance(meta, dict):
        raise FormatError(f"expected a JSON object in the file's metadata, got {shorten(meta)}")
    check_kind(meta, kind)
    return meta


def game_of(graph: Graph, meta: Mapping[str, Any], weight: Int64Array | None = None) -> Game:
    """A game from its graph, its metadata and the weights of its moves, if it has any.

    >>> game_of(Graph.from_edges([(0, 1)]), {"names": ["a", "b"], "start": 1})
    Game(normal on Graph(2 positions, 1 move, 1 terminal), start b)
    """
    names = meta.get("names")
    if names is not None:
        if not isinstance(names, list):
            raise FormatError(f"/names: expected a list, got {shorten(names)}")
        graph = graph.with_names([from_plain(x) for x in names])
    start = start_of(graph, meta.get("start"))
    if "objective" not in meta:
        return Game(graph, start=start, weight=weight)
    return game_from_spec(graph, meta["objective"], weight, start)


def start_of(graph: Graph, number: Any) -> Hashable | None:
    """The name of the start from its number in a file; None if there is none.

    >>> start_of(Graph.from_edges([("a", "b")]), 1)
    'b'
    """
    if number is None:
        return None
    if type(number) is not int or not 0 <= number < graph.n:
        raise FormatError(
            f"/start: expected a position number from 0 to {graph.n - 1}, got {shorten(number)}"
        )
    return graph.name(number)
