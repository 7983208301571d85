"""The JSON metadata of binary formats: format, version, names, objective."""

import json
from collections.abc import Mapping
from typing import Any

from zermelo.errors import FormatError
from zermelo.formats._names import from_plain, one_line, shorten, to_json, to_plain
from zermelo.formats._objective import read_objective
from zermelo.formats._solution import VERSION, check_kind
from zermelo.graph import Graph
from zermelo.objectives import Objective


def game_meta(graph: Graph, objective: Objective | None, **more: Any) -> str:
    """The metadata of a game.

    >>> game_meta(Graph.from_edges([("a", "b")]), None)
    '{"format":"zermelo-game","version":1,"names":["a","b"]}'
    """
    meta: dict[str, Any] = {"format": "zermelo-game", "version": VERSION, **more}
    if graph.names is not None:
        meta["names"] = [to_plain(x) for x in graph.names]
    if objective is not None:
        meta["objective"] = objective.spec(graph)
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


def names_and_objective(graph: Graph, meta: Mapping[str, Any]) -> Graph | tuple[Graph, Objective]:
    """A game from its graph and its metadata."""
    names = meta.get("names")
    if names is not None:
        if not isinstance(names, list):
            raise FormatError(f"/names: expected a list, got {shorten(names)}")
        graph = graph.with_names([from_plain(x) for x in names])
    if "objective" not in meta:
        return graph
    return graph, read_objective(meta["objective"], graph)
