"""The pictures that notebooks show automatically: small ones only, and without raising errors."""

from typing import TYPE_CHECKING

from zermelo._inputs import page
from zermelo.draw.drawing import svg
from zermelo.graph import Graph, as_graph

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.solutions.base import Solution

MAX_SHOWN = 200
"""With more positions than this, a notebook shows text."""
MAX_MOVES = 2_000
FIRST_ROWS = 10
"""Rows of a table that stands for a large graph, and the moves shown in a row."""


def graph_svg(graph: Graph) -> str | None:
    """A picture of a small graph or game; None if it is large.

    >>> from zermelo import Graph
    >>> graph_svg(Graph.from_edges([(0, 1)])).startswith("<svg")
    True
    """
    return _svg(graph, as_graph(graph, cut=True))


def graph_page(subject: "Graph | Game") -> str:
    """What a notebook shows of a graph or a game: a picture, or its first positions if it is large.

    >>> from zermelo import Graph
    >>> graph_page(Graph.from_edges([(0, 1)])).count("<svg")
    1
    """
    graph = as_graph(subject, cut=True)
    picture = graph_svg(graph)
    caption = page.caption(repr(subject))
    return page.block(caption, _first_moves(graph) if picture is None else picture)


def _first_moves(graph: Graph) -> str:
    """The first positions of a graph and their moves, as a table."""
    rows = []
    for v in range(min(graph.n, FIRST_ROWS)):
        moves = graph.successors(v)
        names = [str(graph.name(w)) for w in moves[: FIRST_ROWS + 1].tolist()]
        more = ", …" if moves.size > len(names) else ""
        rows.append((graph.name(v), page.joined(names, FIRST_ROWS + 1) + more))
    rest = graph.n - len(rows)
    return page.table(("position", "moves"), rows, f"and {rest:,} more" if rest else "")


def solution_svg(solution: "Solution") -> str | None:
    """A picture of a small solution; None if its graph is large."""
    return _svg(solution, solution.graph)


def _svg(subject: "Graph | Solution", graph: Graph) -> str | None:
    if not 0 < graph.n <= MAX_SHOWN or graph.m > MAX_MOVES:
        return None
    try:
        return svg(subject)
    except Exception:  # the notebook falls back to repr(); an error would hide the answer
        return None
