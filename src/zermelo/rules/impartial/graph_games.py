"""What games on the vertices of a graph share: graphs and sets of vertices as text."""

from collections.abc import Hashable, Iterable

from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph, as_graph
from zermelo.rules.base import Rules

Vertices = tuple[Hashable, ...]
"""Vertices by name, in the order of the graph."""


class VertexRules(Rules[Vertices]):
    """A game whose positions are sets of vertices of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = as_graph(graph)

    def ordered(self, vertices: Iterable[Hashable]) -> Vertices:
        """A position from vertices by name."""
        return tuple(self.graph.name(v) for v in sorted({self.graph.index(x) for x in vertices}))

    def show(self, position: Vertices) -> str:
        """Names with commas between, in braces."""
        return f"{{{','.join(map(str, position))}}}"

    def parse(self, text: str) -> Vertices:
        """Vertices by name, with commas between; the braces may be left out."""
        names = {str(x): x for x in self.graph}
        inside = text.strip().removeprefix("{").removesuffix("}")
        given = [name.strip() for name in inside.split(",")] if inside else []
        for name in given:
            if name not in names:
                raise InvalidOptionError(f"no vertex is called {name!r}")
        return self.ordered(names[name] for name in given)


def graph_from_text(text: str) -> Graph:
    """A graph from edges written ``a-b,b-c``.

    >>> graph_from_text("a-b,b-c").names
    ('a', 'b', 'c')
    """
    edges = [edge.strip().split("-") for edge in text.split(",")]
    for edge in edges:
        if len(edge) != 2 or not all(edge):
            raise InvalidOptionError(f"expected an edge such as a-b, got {'-'.join(edge)!r}")
    return Graph.from_edges(edges)
