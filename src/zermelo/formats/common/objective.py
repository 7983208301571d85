"""Objectives as plain data; everything in a file is checked."""

from collections.abc import Mapping
from typing import Any

from zermelo.errors import FormatError, ZermeloError
from zermelo.formats.common.names import one_line, shorten
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.registry import OBJECTIVES


def read_objective(data: Any, graph: Graph, where: str = "/objective") -> Objective:
    """The objective that a file describes; ``where`` is its place in the file.

    >>> read_objective({"objective": "misere"}, Graph.from_edges([(0, 1)]))
    Misere()
    """
    if not isinstance(data, Mapping):
        raise FormatError(f"{where}: expected an object, got {shorten(data)}")
    keyword = data.get("objective")
    if not isinstance(keyword, str) or keyword not in OBJECTIVES:
        known_keywords = ", ".join(row.name for row in OBJECTIVES)
        raise FormatError(
            f"{where}/objective: expected one of {known_keywords}, got {shorten(keyword)}"
        )
    try:
        objective: Objective = OBJECTIVES[keyword].parse(data, graph)
        known = objective.spec(graph)
        objective.check_data(graph)
    except ZermeloError as error:
        raise FormatError(f"{where}: {error}") from None
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise FormatError(
            f"{where}: this does not describe a {keyword} game ({one_line(error)})"
        ) from None
    for key in data:
        if key not in known:
            raise FormatError(f"{where}: unknown key {key!r}; known: {', '.join(known)}")
    return objective
