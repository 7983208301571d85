"""The pictures that notebooks show automatically: small ones only, and without raising errors."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.solutions.base import Solution

MAX_SHOWN = 200
"""With more positions than this, a notebook shows text."""
MAX_MOVES = 2_000


def graph_svg(graph: "Graph") -> str | None:
    """A picture of a small graph or game; None if it is large.

    >>> from zermelo import Graph
    >>> graph_svg(Graph.from_edges([(0, 1)])).startswith("<svg")
    True
    """
    from zermelo.graph import as_graph

    return _svg(graph, as_graph(graph))


def solution_svg(solution: "Solution") -> str | None:
    """A picture of a small solution; None if its graph is large."""
    return _svg(solution, solution.graph)


def _svg(subject: "Graph | Solution", graph: "Graph") -> str | None:
    from zermelo.draw.drawing import svg

    if not 0 < graph.n <= MAX_SHOWN or graph.m > MAX_MOVES:
        return None
    try:
        return svg(subject)
    except Exception:  # the notebook falls back to repr(); an error would hide the answer
        return None
