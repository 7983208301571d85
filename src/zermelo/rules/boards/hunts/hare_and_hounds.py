"""Hare and Hounds, the French military game: three hounds chase a hare across eleven points.

A piece moves one step along a road; hounds never move to the left. The hare wins at the point on
the far left, the hounds win when the hare cannot move, and hounds that cannot move lose. Infinite
play is a draw here; over the board the hounds lose then.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import NumberedSymmetric
from zermelo.rules.compiled import OPEN

POINTS = """
    b   e   h

a   c   f   i   k

    d   g   j
"""
ROADS = "ab ac ad bc cd be bf cf df dg ef fg eh fh fi fj gj hi ij hk ik jk"
COLUMNS = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)


class HareAndHounds(NumberedSymmetric):
    """The hounds, ``x``, start on the left and the hare, ``o``, on the right.

    >>> rules = HareAndHounds()
    >>> rules.show(rules.start())
    'x../x...o/x.. x'
    >>> [rules.describe(rules.start(), x) for x in rules.options(rules.start())]
    ['a-c', 'b-c', 'b-e', 'b-f', 'd-c', 'd-f', 'd-g']
    """

    cells = 11
    most_moves = 12

    def __init__(self, *, hare_first: bool = False) -> None:
        self.network(POINTS, ROADS)
        self.hare_first = int(hare_first)
        near = self.neighbours()
        ahead = [
            sum(1 << d for d in range(11) if near[c] >> d & 1 and COLUMNS[d] >= COLUMNS[c])
            for c in range(11)
        ]
        self.near = np.array([*ahead, *near.tolist()], np.int64)
        self.symmetric_under([0, 3, 2, 1, 6, 5, 4, 9, 8, 7, 10])
        self.layered((3, 1, 0), (3, 1, 1))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``hare-first``."""
        if text not in ("", "hare-first"):
            raise InvalidOptionError(f"expected hare-first or nothing, got {text!r}")
        return cls(hare_first=bool(text))

    @property
    def most_unmoves(self) -> int:
        """Three hounds with at most four steps back each; the hare has at most eight."""
        return 12

    def start(self) -> int:
        """Hounds on a, b and d, the hare on k."""
        return 0b1011 | 1 << 21 | self.hare_first << 22

    def moves(self, position: int, out: Any) -> int:
        """One step along a road, for hounds not to the left."""
        turn = position >> 22
        empty = ~(position | position >> 11) & 2047
        count = 0
        for c in range(11):
            if position >> 11 * turn + c & 1:
                for to in range(11):
                    if self.near[11 * turn + c] & empty & 1 << to:
                        out[count] = position ^ 1 << 22 ^ (1 << c | 1 << to) << 11 * turn
                        count += 1
        return count

    def outcome(self, position: int) -> int:
        """The hare is on the far left."""
        return -1 if position >> 11 & 1 else OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """One step back."""
        last = 1 - (position >> 22)
        empty = ~(position | position >> 11) & 2047
        count = 0
        for c in range(11):
            if position >> 11 * last + c & 1:
                for come in range(11):
                    before = position ^ 1 << 22 ^ (1 << c | 1 << come) << 11 * last
                    if (
                        empty >> come & 1
                        and self.near[11 * last + come] >> c & 1
                        and self.outcome(before) == OPEN
                    ):
                        out[count] = before
                        count += 1
        return count
