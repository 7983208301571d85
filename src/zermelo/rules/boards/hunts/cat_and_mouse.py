"""Cat and Mouse: a mouse runs to its hole along the edges of a graph, and a cat chases it.

The hole is vertex 0; the mouse starts on vertex 1 and moves first, the cat starts on vertex 2.
Both must move, and the cat cannot enter the hole. The mouse wins in the hole, the cat where it
meets the mouse; infinite play is a draw, and a player who cannot move loses.
"""

import re
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.compiled import NO_POSITION, OPEN, CompiledRules

USUAL = "0-2,0-5,1-3,2-4,2-5,3-4,3-5"


class CatAndMouse(CompiledRules):
    """The game on an undirected graph; a position is (mouse·n + cat)·2, and 1 more for the cat.

    >>> rules = CatAndMouse.from_text("0-2,0-5,1-3,2-4,2-5,3-4,3-5")
    >>> rules.show(rules.start())
    'mouse 1 cat 2, mouse'
    >>> [rules.show(x) for x in rules.options(rules.start())]
    ['mouse 3 cat 2, cat']
    """

    impartial = False

    def __init__(self, edges: Iterable[tuple[int, int]]) -> None:
        pairs = {(a, b) for u, v in edges for a, b in ((u, v), (v, u))}
        n = 1 + max((a for a, _ in pairs), default=0)
        if not 3 <= n <= 62:
            raise InvalidOptionError(f"expected vertices 0, 1, 2 and at most 62, got {n}")
        near = np.zeros(n, np.int64)
        for a, b in pairs:
            near[a] |= 1 << b
        self.n, self.near = n, near
        self.size = 2 * n * n
        self.most_moves = n

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Edges: ``0-2,2-1,1-3``."""
        edges = (text or USUAL).split(",")
        if not all(re.fullmatch(r"\d{1,2}-\d{1,2}", edge) for edge in edges):
            raise InvalidOptionError(f"expected edges between numbers, got {text!r}")
        return cls([(int(a), int(b)) for a, b in (edge.split("-") for edge in edges)])

    def start(self) -> int:
        """The mouse on 1, the cat on 2."""
        return (self.n + 2) * 2

    def moves(self, position: int, out: Any) -> int:
        """Along an edge; the cat never moves to vertex 0."""
        n = self.n
        mouse, cat = position // 2 // n, position // 2 % n
        count = 0
        for to in range(n):
            if position & 1 == 0 and self.near[mouse] >> to & 1:
                out[count] = (to * n + cat) * 2 + 1
                count += 1
            elif position & 1 and to > 0 and self.near[cat] >> to & 1:
                out[count] = (mouse * n + to) * 2
                count += 1
        return count

    def outcome(self, position: int) -> int:
        """The mouse is in its hole, or the cat has met it."""
        mouse, cat = position // 2 // self.n, position // 2 % self.n
        won = 1 if mouse == 0 else -1 if mouse == cat else 0
        if won == 0:
            return OPEN
        return -won if position & 1 else won

    def unmoves(self, position: int, out: Any) -> int:
        """Back along an edge."""
        n = self.n
        mouse, cat = position // 2 // n, position // 2 % n
        count = 0
        for come in range(1, n):
            if position & 1 and self.near[mouse] >> come & 1 and come != cat:
                out[count] = (come * n + cat) * 2
                count += 1
            elif position & 1 == 0 and self.near[cat] >> come & 1 and come != mouse != 0 != cat:
                out[count] = (mouse * n + come) * 2 + 1
                count += 1
        return count

    def rank(self, position: int) -> int:
        """A position is its own number."""
        return position

    def unrank(self, index: int) -> int:
        """The index itself; no position where the cat would be in the hole."""
        return NO_POSITION if index // 2 % self.n == 0 else index

    def show(self, position: int) -> str:
        """The vertices of both, and the one that is to move."""
        mouse, cat = divmod(position // 2, self.n)
        return f"mouse {mouse} cat {cat}, {('mouse', 'cat')[position & 1]}"

    def parse(self, text: str) -> int:
        """The position that ``show`` shows as ``text``."""
        found = re.fullmatch(r"mouse (\d{1,2}) cat (\d{1,2}), (mouse|cat)", text)
        if not found or max(int(found[1]), int(found[2])) >= self.n or int(found[2]) == 0:
            raise InvalidOptionError(
                f"expected a position such as {self.show(self.start())!r}, got {text!r}"
            )
        return (int(found[1]) * self.n + int(found[2])) * 2 + (found[3] == "cat")

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """The animal that moved, and its new vertex."""
        mouse, cat = divmod(option // 2, self.n)
        return f"cat {cat}" if position & 1 else f"mouse {mouse}"

    def draw(self, position: int) -> str:
        """The vertices on a circle by their numbers, the mouse m and the cat c."""
        from math import cos, pi, sin

        from zermelo.rules.boards.board_picture import svg

        mouse, cat = divmod(position // 2, self.n)
        reach = max(3, self.n // 2)
        turns = [2 * pi * k / self.n for k in range(self.n)]
        places = [(round(2 * reach * (1 + sin(t))), round(reach * (1 - cos(t)))) for t in turns]
        roads = [(a, b) for a in range(self.n) for b in range(a) if self.near[a] >> b & 1]
        marks = {mouse: "m"} | {cat: "c"}
        owners = [1 if k == cat else 0 if k == mouse else 3 for k in range(self.n)]
        names = [str(k) if k in marks else "" for k in range(self.n)]
        return svg(
            places, roads, [marks.get(k, k) for k in range(self.n)], owners=owners, names=names,
            cells=[str(k) for k in range(self.n)],
        )  # fmt: skip

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The vertex that the animal reaches."""
        return ((str(option // 2 % self.n if position & 1 else option // 2 // self.n),),)
