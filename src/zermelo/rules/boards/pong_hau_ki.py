"""Pong Hau K'i, a game of China and Korea: two men each on five points; slide one to the empty one.

Who cannot move loses. The roads are those of a square without its upper side, and its diagonals.
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
        """Nothing."""
        if text:
            raise InvalidOptionError(f"expected nothing after the colon, got {text!r}")
        return cls()

    def start(self) -> int:
        """Points a, b against c, d."""
        return 0b00011 | 0b01100 << 5

    def moves(self, position: int, out: Any) -> int:
        """A man next to the empty point slides there."""
        return self.slides(position, position >> 10, out)

    def unmoves(self, position: int, out: Any) -> int:
        """A man of the other side slides to the empty point: roads go both ways."""
        return self.slides(position, 1 - (position >> 10), out)

    def slides(self, position: int, side: int, out: Any) -> int:
        """What slides of one side's men give, with the other to move than before."""
        empty = ~(position | position >> 5) & 31
        count = 0
        for c in range(5):
            if position >> 5 * side + c & 1 and self.near[c] & empty:
                out[count] = position ^ 1 << 10 ^ 1 << 5 * side + c ^ empty << 5 * side
                count += 1
        return count
