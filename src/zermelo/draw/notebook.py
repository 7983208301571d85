"""The pictures that notebooks show by themselves: small ones, and never an error."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.solutions.base import Solution

MAX_SHOWN = 200
"""Beyond so many positions a notebook shows words."""
MAX_MOVES = 2_000


def graph_svg(graph: "Graph") -> str | None:
    """A picture of a small graph, or of that of a game, or None.

    >>> from zermelo import Graph
    >>> graph_svg(Graph.from_edges([(0, 1)])).startswith("<svg")
    True
    """
    from zermelo.graph import as_graph

    return _svg(graph, as_graph(graph))


def solution_svg(solution: "Solution") -> str | None:
    """A picture of a small solution, or None."""
    return _svg(solution, solution.graph)


def _svg(thing: "Graph | Solution", graph: "Graph") -> str | None:
    from zermelo.draw.drawing import svg

    if not 0 < graph.n <= MAX_SHOWN or graph.m > MAX_MOVES:
        return None
    try:
        return svg(thing)
    except Exception:  # a notebook falls back on repr(); an error there would hide the answer
        return None
