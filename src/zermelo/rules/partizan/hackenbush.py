"""Hackenbush: cut an edge of yours; what is no longer connected to the ground falls.

Left cuts blue and green edges, Right red and green ones. The value of a stalk of blue and red
edges is a number, by Berlekamp's sign rule; green stalks are Nim [BerlekampConwayGuy2001] ch. 1,
2, 7.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.partizan.base import PartizanRules
from zermelo.rules.partizan.board import draw_graph

GROUND = "0"
EDGE = re.compile(r"(\w+)-(\w+):([lrg])")


class Hackenbush(PartizanRules[int]):
    """Hackenbush on a graph: edges (vertex, vertex, colour), the ground is the vertex 0.

    Colours are l for Left's blue, r for Right's red, g for green. A position is a set of edges, as
    the bits of a number. As text: stalks from the ground up, ``lrg+ll``, or edges,
    ``0-a:l,a-b:r,b-0:g``.

    >>> import zermelo as zm
    >>> print(zm.game_value(Hackenbush.from_text("lrl+rr")))
    -5/4
    >>> print(zm.game_value(Hackenbush.from_text("0-a:l,a-b:r,b-0:l")))
    1
    """

    def __init__(self, edges: Iterable[tuple[object, object, str]], stalks: str = "") -> None:
        self.edges = [(str(u), str(v), colour) for u, v, colour in edges]
        for edge in self.edges:
            if edge[2] not in ("l", "r", "g"):
                raise InvalidOptionError(f"expected an edge of colour l, r or g, got {edge!r}")
        self.stalks = stalks.split("+") if stalks else []
        self.whole = (1 << len(self.edges)) - 1
        self.at: dict[str, int] = {}
        for k, (u, v, _) in enumerate(self.edges):
            self.at[u] = self.at.get(u, 0) | 1 << k
            self.at[v] = self.at.get(v, 0) | 1 << k

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Stalks ``lrg+ll``, or edges ``0-a:l,a-b:r``."""
        small = text.strip().lower()
        if re.fullmatch(r"[lrg]+(\+[lrg]+)*", small):
            edges = [
                (GROUND if k == 0 else f"{i}.{k}", f"{i}.{k + 1}", colour)
                for i, stalk in enumerate(small.split("+"), 1)
                for k, colour in enumerate(stalk)
            ]
            return cls(edges, small)
        return cls(_edges(small))

    def start(self) -> int:
        """All edges that are connected to the ground."""
        return self.standing(self.whole)

    def left(self, position: int) -> Iterator[int]:
        """The positions without one of the blue or green edges."""
        return self._cut(position, "lg")

    def right(self, position: int) -> Iterator[int]:
        """The positions without one of the red or green edges."""
        return self._cut(position, "rg")

    def _cut(self, position: int, colours: str) -> Iterator[int]:
        for k, edge in enumerate(self.edges):
            if position >> k & 1 and edge[2] in colours:
                yield self.standing(position ^ 1 << k)

    def standing(self, edges: int) -> int:
        """Those of these edges that are connected to the ground."""
        return self._hanging(edges, edges & self.at.get(GROUND, 0), through_ground=True)

    def _hanging(self, edges: int, found: int, *, through_ground: bool) -> int:
        """All edges that are connected to the edges ``found``."""
        seen, fresh = set() if through_ground else {GROUND}, found
        # Invariant: the edges at the vertices in seen are in found, and so are those in fresh,
        # whose ends may not be in seen.
        while fresh:
            k = (fresh & -fresh).bit_length() - 1
            fresh &= fresh - 1
            for vertex in self.edges[k][:2]:
                if vertex not in seen:
                    seen.add(vertex)
                    new = self.at[vertex] & edges & ~found
                    found |= new
                    fresh |= new
        return found

    def components(self, position: int) -> list[int]:
        """Edges that are connected above the ground."""
        parts = []
        while position:
            part = self._hanging(position, position & -position, through_ground=False)
            parts.append(part)
            position ^= part
        return parts

    def show(self, position: int) -> str:
        """The part of each stalk that still stands, or the edges."""
        if not self.stalks:
            standing = (e for k, e in enumerate(self.edges) if position >> k & 1)
            return ",".join(f"{u}-{v}:{colour}" for u, v, colour in standing)
        shown, k = [], 0
        for stalk in self.stalks:
            shown.append(stalk[: (position >> k & (1 << len(stalk)) - 1).bit_length()])
            k += len(stalk)
        return "+".join(shown)

    def parse(self, text: str) -> int:
        """The lower part of each stalk, or edges that are connected to the ground."""
        small = text.strip().lower()
        if not self.stalks:
            edges = _edges(small) if small else []
            known = {edge: k for k, edge in enumerate(self.edges)}
            if not {*edges} <= {*known}:
                raise InvalidOptionError(f"expected edges of the graph, got {text!r}")
            return self.standing(sum(1 << known[edge] for edge in {*edges}))
        parts = small.split("+")
        whole = len(parts) == len(self.stalks)
        if not whole or not all(map(str.startswith, self.stalks, parts)):
            raise InvalidOptionError(
                f"expected the lower parts of {'+'.join(self.stalks)}, got {text!r}"
            )
        position, k = 0, 0
        for stalk, part in zip(self.stalks, parts, strict=True):
            position |= (1 << len(part)) - 1 << k
            k += len(stalk)
        return position

    def draw(self, position: int) -> str:
        """Edges in their colours, vertices as high as they are far from the ground."""
        numbers = [k for k in range(len(self.edges)) if position >> k & 1]
        edges = [self.edges[k] for k in numbers]
        return draw_graph(edges, GROUND, [str(k + 1) for k in numbers])

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The edge that is cut."""
        return tuple(
            (str(k + 1),)
            for k, edge in enumerate(self.edges)
            if position >> k & 1
            and edge[2] in ("lg", "rg")[second]
            and self.standing(position ^ 1 << k) == option
        )


def _edges(text: str) -> list[tuple[str, str, str]]:
    found = []
    for edge in text.split(","):
        match = EDGE.fullmatch(edge.strip())
        if match is None:
            raise InvalidOptionError(
                f"expected stalks such as lrg+ll, or edges such as 0-a:l, got {edge!r}"
            )
        found.append((match[1], match[2], match[3]))
    return found
