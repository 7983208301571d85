"""Othello (Reversi) on a small board: turn over the opponent's discs between two of yours.

A new disc must turn over at least one. A player without such a move passes, which counts as a
move; when neither player has one, most discs win, and equal numbers are a tie. On 4×4 squares the
second player wins.
"""

from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import Symmetric
from zermelo.rules.boards._grid import diagonal_symmetries
from zermelo.rules.compiled import OPEN

WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Othello(Symmetric):
    """The discs of the player to move, then the opponent's, on ``width`` × ``height`` squares.

    >>> rules = Othello(4, 4)
    >>> rules.show(rules.start())
    '..../.ox./.xo./....'
    >>> [rules.describe(rules.start(), x) for x in rules.options(rules.start())]
    ['c1 turns 1', 'd2 turns 1', 'a3 turns 1', 'b4 turns 1']
    """

    relative = True

    def __init__(self, width: int = 4, height: int = 4) -> None:
        if min(width, height) < 4 or width % 2 or height % 2 or width * height > 30:
            raise InvalidOptionError(f"expected 4x4, 4x6 or 6x4, got {width}x{height}")
        self.grid(width, height)
        n = self.cells = width * height
        self.most_moves = n - 4
        half_turn = [n - 1 - c for c in range(n)]
        square = diagonal_symmetries(width) if width == height else [half_turn]
        self.symmetric_under(*square)
        # next[8 c + d]: the square that follows c in direction d; n, beyond the edge, has no disc
        self.next = np.array(
            [
                c + dx + width * dy
                if 0 <= c % width + dx < width and 0 <= c // width + dy < height
                else n
                for c in range(n)
                for dx, dy in WAYS
            ],
            np.int64,
        )
        low = width // 2 - 1 + width * (height // 2 - 1)
        self.first = 1 << low | 1 << low + width + 1 | (1 << low + 1 | 1 << low + width) << n

    def start(self) -> int:
        """Two discs of each player in the middle, crosswise."""
        return self.first

    def turned_by(self, mine: int, theirs: int, square: int) -> int:
        """The discs of ``theirs`` that a new disc of ``mine`` on a square turns over."""
        found = 0
        for d in range(8):
            line = 0
            c = self.next[8 * square + d]
            while theirs >> c & 1:
                line |= 1 << c
                c = self.next[8 * c + d]
            if mine >> c & 1:
                found |= line
        return found

    def moves(self, position: int, out: Any) -> int:
        """A disc that turns over others, or a pass if there is none."""
        n = self.cells
        mine, theirs = position & ((1 << n) - 1), position >> n
        count = 0
        for c in range(n):
            if (mine | theirs) >> c & 1 == 0:
                gain = self.turned_by(mine, theirs, c)
                if gain != 0:
                    out[count] = theirs & ~gain | (mine | gain | 1 << c) << n
                    count += 1
        if count == 0:
            out[0] = theirs | mine << n
            count = 1
        return count

    def can_move(self, mine: int, theirs: int) -> bool:
        """Whether a new disc of ``mine`` can turn over one of ``theirs``."""
        for c in range(self.cells):
            if (mine | theirs) >> c & 1 == 0 and self.turned_by(mine, theirs, c) != 0:
                return True
        return False

    def outcome(self, position: int) -> int:
        """Most discs win, where neither player can move."""
        n = self.cells
        mine, theirs = position & ((1 << n) - 1), position >> n
        if self.can_move(mine, theirs) or self.can_move(theirs, mine):
            return OPEN
        lead = 0
        for c in range(n):
            lead += (mine >> c & 1) - (theirs >> c & 1)
        return 1 if lead > 0 else -1 if lead < 0 else 0

    def tier(self, position: int) -> int:
        """The number of empty squares, which a pass does not change."""
        empty = self.cells
        for c in range(2 * self.cells):
            empty -= position >> c & 1
        return empty

    def turn(self, position: int) -> int:
        """The player to move is always x."""
        return 0

    def fault(self, position: int) -> str:
        """All placements of discs are positions."""
        return ""
