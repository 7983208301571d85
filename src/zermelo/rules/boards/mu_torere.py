"""Mū Tōrere, a game of the Ngāti Porou: four men each on a ring of eight points and its middle.

Move a man to an empty point next to it: along the ring, out of the middle, or into the middle from
a point with an opponent's man beside it; in the free game, from any point. A player who cannot
move loses.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import NumberedSymmetric

POINTS = """
b   c   d

a   i   e

h   g   f
"""
ROADS = "ab bc cd de ef fg gh ha ai bi ci di ei fi gi hi"
MIDDLE = 8


class MuTorere(NumberedSymmetric):
    """Each player's men start side by side; ``free`` if they may always move into the middle.

    >>> rules = MuTorere()
    >>> len(rules.options(rules.start())), len(MuTorere(free=True).options(rules.start()))
    (2, 4)
    """

    cells = 9
    most_moves = 8

    def __init__(self, *, free: bool = False) -> None:
        self.network(POINTS, ROADS)
        self.free = int(free)
        ring = [1 << (c + 1) % 8 | 1 << (c + 7) % 8 for c in range(8)]
        self.ring = np.array([*ring, 0], np.int64)
        self.near = self.neighbours()
        self.symmetric_under([(3 - c) % 8 for c in range(8)] + [MIDDLE])
        self.layered((4, 4, 0), (4, 4, 1))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``free``."""
        if text not in ("", "free"):
            raise InvalidOptionError(f"expected free or nothing after the colon, got {text!r}")
        return cls(free=bool(text))

    def start(self) -> int:
        """The first player's men on a to d, the second's on e to h."""
        return 0b1111 | 0b11110000 << 9

    def can_go(self, position: int, side: int, come: int, to: int) -> bool:
        """Whether a man of ``side`` may move from one point to another, if that is empty."""
        if self.near[come] >> to & 1 == 0:
            return False
        enemies = position >> 9 * (1 - side) & 511
        return to != MIDDLE or self.free == 1 or enemies & self.ring[come] != 0

    def moves(self, position: int, out: Any) -> int:
        """A man next to the empty point moves there."""
        turn = position >> 18
        empty = ~(position | position >> 9) & 511
        count = 0
        for c in range(9):
            for to in range(9):
                if (
                    empty >> to & 1
                    and position >> 9 * turn + c & 1
                    and self.can_go(position, turn, c, to)
                ):
                    out[count] = position ^ 1 << 18 ^ 1 << 9 * turn + c ^ 1 << 9 * turn + to
                    count += 1
        return count

    def unmoves(self, position: int, out: Any) -> int:
        """A man moves back to the empty point, if it could have come from there."""
        last = 1 - (position >> 18)
        empty = ~(position | position >> 9) & 511
        count = 0
        for c in range(9):
            for come in range(9):
                if (
                    empty >> come & 1
                    and position >> 9 * last + c & 1
                    and self.can_go(position, last, come, c)
                ):
                    out[count] = position ^ 1 << 18 ^ 1 << 9 * last + c ^ 1 << 9 * last + come
                    count += 1
        return count
