"""Pong Hau K'i, a game of China and Korea: slide one of two men to the empty one of five points.

A player who cannot move loses. The roads are three sides of a square, without the upper one, and
its diagonals.
"""

from typing import Any, Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import NumberedSymmetric

POINTS = """
a       b

    e

c       d
"""
ROADS = "ac bd ae be ce de cd"


class PongHauKi(NumberedSymmetric):
    """The first player's men start at the top, the second's at the bottom.

    >>> rules = PongHauKi()
    >>> [rules.show(x) for x in rules.options(rules.start())]
    ['.x/x/oo o', 'x./x/oo o']
    """

    cells = 5
    most_moves = 4

    def __init__(self) -> None:
        self.network(POINTS, ROADS)
        self.near = self.neighbours()
        self.symmetric_under([1, 0, 3, 2, 4])
        self.layered((2, 2, 0), (2, 2, 1))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text."""
        if text:
            raise InvalidOptionError(f"expected nothing after the colon, got {text!r}")
        return cls()

    def start(self) -> int:
        """The first player on a and b, the second on c and d."""
        return 0b00011 | 0b01100 << 5

    def moves(self, position: int, out: Any) -> int:
        """A man next to the empty point slides there."""
        return self.slides(position, position >> 10, out)

    def unmoves(self, position: int, out: Any) -> int:
        """A man of the other side slides to the empty point: roads go both ways."""
        return self.slides(position, 1 - (position >> 10), out)

    def slides(self, position: int, side: int, out: Any) -> int:
        """The positions after slides of one side, with the player to move changed."""
        empty = ~(position | position >> 5) & 31
        count = 0
        for c in range(5):
            if position >> 5 * side + c & 1 and self.near[c] & empty:
                out[count] = position ^ 1 << 10 ^ 1 << 5 * side + c ^ empty << 5 * side
                count += 1
        return count
