"""Dao: each player has four men on a board of 4×4 squares, which slide as far as they can.

A man slides in any of the eight directions until another man or the edge stops it. A player wins
with all four men in a row or a column, in a block of 2×2, or in the four corners. A player with a
man in a corner that three of the opponent's men shut in wins as well, unless the game is
``nocorner``. A player who cannot move loses, and infinite play is a draw.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import NumberedSymmetric
from zermelo.rules.boards._grid import diagonal_symmetries
from zermelo.rules.compiled import OPEN

FULL = (1 << 16) - 1
WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Dao(NumberedSymmetric):
    """The first player's men start on one diagonal, the second's on the other.

    >>> rules = Dao()
    >>> rules.show(rules.start())
    'o..x/.ox./.xo./x..o x'
    >>> rules.describe(rules.start(), rules.options(rules.start())[0])
    'a1-c1'
    """

    cells = 16
    most_moves = 32

    def __init__(self, *, corner: bool = True) -> None:
        self.grid(4, 4)
        self.corner = int(corner)
        self.symmetric_under(*diagonal_symmetries(4))
        self.layered((4, 4, 0), (4, 4, 1))
        lines = [0b1111 << 4 * k for k in range(4)] + [0x1111 << k for k in range(4)]
        blocks = [0b110011 << x + 4 * y for y in range(3) for x in range(3)]
        self.shapes = np.array([*lines, *blocks, 0x9009], np.int64)
        self.corners = np.array([0, 3, 12, 15], np.int64)
        self.around = np.array([0x32, 0xC4, 0x2300, 0x4C00], np.int64)
        # next[8 c + d]: the square that follows c in direction d; 16, the edge, is never empty
        self.next = np.array(
            [
                c + dx + 4 * dy if 0 <= c % 4 + dx < 4 and 0 <= c // 4 + dy < 4 else 16
                for c in range(16)
                for dx, dy in WAYS
            ],
            np.int64,
        )

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``nocorner``."""
        if text not in ("", "nocorner"):
            raise InvalidOptionError(f"expected nocorner or nothing after the colon, got {text!r}")
        return cls(corner=not text)

    def start(self) -> int:
        """The first player's men on a1, b2, c3, d4."""
        return 0x8421 | 0x1248 << 16

    def moves(self, position: int, out: Any) -> int:
        """Slide a man to the last empty square of a direction."""
        turn = position >> 32
        taken = position | position >> 16 | 1 << 16
        count = 0
        for c in range(16):
            if position >> 16 * turn + c & 1:
                for d in range(8):
                    to = c
                    while taken_at(taken, self.next[8 * to + d]) == 0:
                        to = self.next[8 * to + d]
                    if to != c:
                        out[count] = position ^ 1 << 32 ^ (1 << c | 1 << to) << 16 * turn
                        count += 1
        return count

    def outcome(self, position: int) -> int:
        """A winning shape of the player who moved last; or the mover has a man that is shut in."""
        turn = position >> 32
        mine, theirs = position >> 16 * turn & FULL, position >> 16 * (1 - turn) & FULL
        for k in range(len(self.shapes)):
            if theirs == self.shapes[k]:
                return -1
        if self.corner:
            for k in range(4):
                if mine >> self.corners[k] & 1 and theirs & self.around[k] == self.around[k]:
                    return 1
        return OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """A man that is stopped in a direction came from an empty square against that direction."""
        last = 1 - (position >> 32)
        taken = position | position >> 16 | 1 << 16
        count = 0
        for c in range(16):
            if position >> 16 * last + c & 1:
                for d in range(8):
                    if taken_at(taken, self.next[8 * c + (d ^ 4)]) == 0:
                        continue
                    come = self.next[8 * c + d]
                    while taken_at(taken, come) == 0:
                        before = position ^ 1 << 32 ^ (1 << c | 1 << come) << 16 * last
                        if self.outcome(before) == OPEN:
                            out[count] = before
                            count += 1
                        come = self.next[8 * come + d]
        return count


def taken_at(taken: int, square: int) -> int:
    """Whether a set has a square; it always has 16, which stands for the edge."""
    return taken >> square & 1
