"""Three Men's Morris and its relatives: put three men on nine points, then move them into a row.

The players put their men on empty points in turn, then move one man at a time: to the next point
along a road, or to any empty point if men fly. A row of three men wins at any time; a player who
cannot move loses.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import NumberedSymmetric
from zermelo.rules.boards._grid import symmetries
from zermelo.rules.compiled import OPEN

POINTS = """
g   h   i

d   e   f

a   b   c
"""
ACROSS = "ab bc de ef gh hi ad be cf dg eh fi"
DIAGONAL = "ae ce eg ei"
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class ThreeMensMorris(NumberedSymmetric):
    """Roads are horizontal and vertical, rows also diagonal; with ``fly``, men move anywhere.

    >>> rules = ThreeMensMorris()
    >>> rules.show(rules.start())
    '.../.../... x'
    >>> len(rules.options(rules.parse("xox/o../.xo x")))
    3
    """

    cells = 9
    diagonal_roads = False
    diagonal_rows = True
    usual_men = 3

    def __init__(self, men: int | None = None, *, fly: bool = False) -> None:
        men = self.usual_men if men is None else men
        if not 3 <= men <= 4:
            raise InvalidOptionError(f"expected 3 or 4 men, got {men}")
        self.men = men
        self.network(POINTS, f"{ACROSS} {DIAGONAL}" if self.diagonal_roads else ACROSS)
        self.near = np.full(9, 511, np.int64) if fly else self.neighbours()
        self.lines = np.array([sum(1 << c for c in row) for row in self.row_places()], np.int64)
        self.most_moves = max(9, men * (9 - 2 * men))
        self.symmetric_under(*symmetries(3, 3))
        placing = ((k - k // 2, k // 2, k % 2) for k in range(2 * men + 1))
        self.layered(*placing, (men, men, 1))

    @property
    def most_unmoves(self) -> int:
        """A man taken off the board, or one moved back."""
        return self.men * (10 - 2 * self.men)

    @classmethod
    def row_places(cls) -> tuple[tuple[int, ...], ...]:
        """The rows that win."""
        return ROWS if cls.diagonal_rows else ROWS[:6]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, ``orth`` or ``fly``."""
        if text not in ("", "orth", "fly"):
            raise InvalidOptionError(f"expected fly, orth or nothing after the colon, got {text!r}")
        return cls(fly=text == "fly")

    def start(self) -> int:
        """An empty board."""
        return 0

    def count(self, places: int) -> int:
        """The number of places in a set."""
        found = 0
        while places != 0:
            places &= places - 1
            found += 1
        return found

    def moves(self, position: int, out: Any) -> int:
        """Put a man on an empty point; when all men are on the board, move one."""
        turn = position >> 18
        other = position ^ 1 << 18
        mine = 9 * turn
        empty = ~(position | position >> 9) & 511
        count = 0
        if self.count(position >> mine & 511) < self.men:
            for c in range(9):
                if empty >> c & 1:
                    out[count] = other | 1 << mine + c
                    count += 1
            return count
        for c in range(9):
            if position >> mine + c & 1:
                for to in range(9):
                    if self.near[c] & empty & 1 << to:
                        out[count] = other ^ 1 << mine + c ^ 1 << mine + to
                        count += 1
        return count

    def outcome(self, position: int) -> int:
        """A row of the player who moved last."""
        last = position >> 9 * (1 - (position >> 18)) & 511
        for k in range(len(self.lines)):
            if last & self.lines[k] == self.lines[k]:
                return -1
        return OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """Take a man off if the last move can have put it; or move one back, if all are there."""
        last = 1 - (position >> 18)
        other = position ^ 1 << 18
        mine = 9 * last
        empty = ~(position | position >> 9) & 511
        first, second = self.count(position & 511), self.count(position >> 9 & 511)
        all_there = first == second == self.men
        was_put = first - second == 1 - last
        count = 0
        for c in range(9):
            if position >> mine + c & 1:
                if was_put and self.outcome(other ^ 1 << mine + c) == OPEN:
                    out[count] = other ^ 1 << mine + c
                    count += 1
                for come in range(9):
                    before = other ^ 1 << mine + c ^ 1 << mine + come
                    if (
                        all_there
                        and self.near[c] & empty & 1 << come
                        and self.outcome(before) == OPEN
                    ):
                        out[count] = before
                        count += 1
        return count

    def tier(self, position: int) -> int:
        """The number of men that are still to be put on the board."""
        return 2 * self.men - self.count(position & 0x3FFFF)
