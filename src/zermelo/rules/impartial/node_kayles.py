"""Node Kayles: remove a vertex of a graph with all its neighbours.

To find the winner is PSPACE-complete in general [Schaefer1978]. On a path the game is Dawson's
chess, since a vertex and its neighbours are three in a row, or two at an end.
"""

from collections.abc import Iterator
from typing import Self

from zermelo.graph import Graph
from zermelo.rules.impartial.graph_games import VertexRules, Vertices, graph_from_text
from zermelo.rules.impartial.pictures import draw_vertices


class NodeKayles(VertexRules):
    """Node Kayles on a graph; its moves are edges, in either direction.

    >>> import zermelo as zm
    >>> from zermelo.rules.values import position_values
    >>> [position_values(NodeKayles(zm.generators.path(n))).start for n in range(1, 8)]
    [1, 1, 2, 0, 3, 1, 1]
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        graph = self.graph
        near: dict[int, set[int]] = {v: {v} for v in range(graph.n)}
        for u, v in graph.to_edges().tolist():
            near[u].add(v)
            near[v].add(u)
        self.near = {graph.name(v): {*map(graph.name, around)} for v, around in near.items()}

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The graph with the edges ``a-b,b-c``."""
        return cls(graph_from_text(text))

    def start(self) -> Vertices:
        """All vertices."""
        return tuple(self.graph)

    def moves(self, position: Vertices) -> Iterator[Vertices]:
        """The vertices that are left without one and its neighbours."""
        for x in position:
            yield tuple(y for y in position if y not in self.near[x])

    def components(self, position: Vertices) -> list[Vertices]:
        """Connected components."""
        left, parts = set(position), []
        while left:
            part = [left.pop()]
            # Invariant: part is connected and disjoint from left; part[:k], k the rounds of this
            # loop, has no neighbour in left.
            for x in part:
                around = left & self.near[x]
                part += around
                left -= around
            inside = set(part)
            parts.append(tuple(x for x in position if x in inside))
        return parts

    def draw(self, position: Vertices) -> str:
        """The graph on a circle; vertices that are gone are pale."""
        return draw_vertices(self.graph, position, tokens=False)

    def move_cells(
        self, position: Vertices, option: Vertices, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The vertex that is removed with its neighbours."""
        left = set(option)
        return tuple((str(x),) for x in position if {*position} - self.near[x] == left)
