"""Hexapawn: pawns on a small board; a pawn on the last row wins, and so does leaving no move.

Martin Gardner's game for a machine of matchboxes [Gardner1962]. A pawn steps ahead if the square
is free, and captures diagonally ahead. The first player's pawns start at the bottom.
"""

from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import Symmetric
from zermelo.rules.compiled import OPEN


class Hexapawn(Symmetric):
    """A row of ``width`` pawns at each end of a board ``height`` squares long.

    >>> rules = Hexapawn(3, 3)
    >>> rules.show(rules.start())
    'ooo/.../xxx x'
    >>> rules.outcome(rules.parse("xoo/.../..x o"))
    -1
    """

    def __init__(self, width: int = 3, height: int = 3) -> None:
        self.grid(width, height)
        if width * height > 31 or height < 3:
            raise InvalidOptionError(
                f"expected at most 31 squares and 3 rows or more, got {width}x{height}"
            )
        self.width, self.height = width, height
        self.cells = width * height
        self.most_moves = 3 * width
        self.far = np.array(
            [((1 << width) - 1) << (height - 1) * width, (1 << width) - 1], np.int64
        )
        mirror = tuple(width - 1 - c % width + c // width * width for c in range(self.cells))
        self.symmetric_under(*((mirror,) if width > 1 else ()))

    @property
    def most_unmoves(self) -> int:
        """Three steps back for each pawn."""
        return 3 * self.width

    def start(self) -> int:
        """The first row and the last are full."""
        row = (1 << self.width) - 1
        return row | row << self.cells - self.width << self.cells

    def moves(self, position: int, out: Any) -> int:
        """Step ahead, or capture diagonally."""
        n, w = self.cells, self.width
        turn = position >> 2 * n
        ahead = w if turn == 0 else -w
        mine, theirs = n * turn, n * (1 - turn)
        count = 0
        for c in range(n):
            if position >> mine + c & 1 == 0 or not 0 <= c + ahead < n:
                continue
            left = (position ^ 1 << 2 * n) ^ 1 << mine + c
            for side in range(-1, 2):
                if not 0 <= c % w + side < w:
                    continue
                to = c + ahead + side
                taken = position >> theirs + to & 1
                if side == 0 and (taken | position >> mine + to & 1) == 0:
                    out[count] = left | 1 << mine + to
                    count += 1
                elif side != 0 and taken:
                    out[count] = (left | 1 << mine + to) ^ 1 << theirs + to
                    count += 1
        return count

    def outcome(self, position: int) -> int:
        """A pawn of the player who moved last has reached the last row."""
        n = self.cells
        last = 1 - (position >> 2 * n)
        return -1 if position >> n * last & self.far[last] else OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """A step back, or a capture taken back."""
        n, w = self.cells, self.width
        last = 1 - (position >> 2 * n)
        back = -w if last == 0 else w
        mine, theirs = n * last, n * (1 - last)
        taken = position | position >> n
        count = 0
        for c in range(n):
            if position >> mine + c & 1 == 0 or not 0 <= c + back < n:
                continue
            for side in range(-1, 2):
                if not 0 <= c % w + side < w or taken >> c + back + side & 1:
                    continue
                before = (position ^ 1 << 2 * n) ^ 1 << mine + c | 1 << mine + c + back + side
                if side != 0:
                    before |= 1 << theirs + c
                if self.outcome(before) == OPEN:
                    out[count] = before
                    count += 1
        return count

    def tier(self, position: int) -> int:
        """The number of steps that pawns have ahead of them: every move takes one."""
        n, w = self.cells, self.width
        steps = 0
        for c in range(n):
            steps += (position >> c & 1) * (self.height - 1 - c // w)
            steps += (position >> n + c & 1) * (c // w)
        return steps
