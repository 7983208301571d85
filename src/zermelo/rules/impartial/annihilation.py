"""Annihilation: tokens move along the arcs of a digraph; two that meet destroy each other.

On a digraph without cycles a token has the value of its vertex, and a position has the XOR of the
values of its tokens. With cycles there are draws, and finite values still add by XOR
[FraenkelYesha1982].
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Self

from zermelo.graph import Graph
from zermelo.rules.impartial.graph_games import VertexRules, Vertices, graph_from_text
from zermelo.rules.impartial.pictures import draw_vertices


class Annihilation(VertexRules):
    """Annihilation on a digraph with tokens at the given vertices; default: at every vertex.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c")])
    >>> sorted(Annihilation(g).moves(("a", "b", "c")))
    [('a',), ('b',), ('c',)]
    """

    def __init__(self, graph: Graph, tokens: Iterable[Hashable] | None = None) -> None:
        super().__init__(graph)
        self.tokens = self.ordered(self.graph if tokens is None else tokens)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The arcs ``a-b,b-c``, and after ``/`` the vertices with a token; default: all."""
        arcs, _, tokens = text.partition("/")
        graph = graph_from_text(arcs)
        return cls(graph, cls(graph).parse(tokens) if tokens else None)

    def start(self) -> Vertices:
        """The tokens given."""
        return self.tokens

    def moves(self, position: Vertices) -> Iterator[Vertices]:
        """One token moves; if it meets another, both vanish; on a loop it stays."""
        here = frozenset(position)
        for x in position:
            for v in self.graph.successors(self.graph.index(x)).tolist():
                yield self.ordered((here - {x}) ^ {self.graph.name(v)})

    def draw(self, position: Vertices) -> str:
        """The digraph on a circle; vertices with a token are blue."""
        return draw_vertices(self.graph, position, tokens=True)

    def move_cells(
        self, position: Vertices, option: Vertices, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The vertex that a token leaves, and the one that it reaches."""
        here, there = frozenset(position), frozenset(option)
        arcs = (
            (x, self.graph.name(v))
            for x in position
            for v in self.graph.successors(self.graph.index(x)).tolist()
        )
        return tuple((str(x), str(y)) for x, y in arcs if (here - {x}) ^ {y} == there)
