"""The m,n,k-game: put stones on a board of m×n squares; the first k in a row win.

A row is horizontal, vertical or diagonal. A full board without a row is a tie; in the misère game
the player who makes a row loses.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import integers
from zermelo.rules.boards._board import NumberedSymmetric
from zermelo.rules.boards._grid import symmetries
from zermelo.rules.compiled import OPEN


class MNK(NumberedSymmetric):
    """Stones on ``width`` × ``height`` squares, ``length`` of them in a row.

    >>> rules = MNK(4, 3, 3)
    >>> rules.show(rules.options(rules.start())[1])
    '..../..../.x..'
    >>> rules.outcome(rules.parse("..../oo../xxx."))
    -1
    """

    turn_shown = False

    def __init__(self, width: int, height: int, length: int, *, misere: bool = False) -> None:
        if not 1 <= length <= max(width, height):
            raise InvalidOptionError(
                f"expected a row that fits the board, got {length} on {width}x{height}"
            )
        self.grid(width, height)
        if width * height > 31:
            raise InvalidOptionError(f"expected at most 31 squares, got {width}x{height}")
        self.cells = self.most_moves = width * height
        self.length, self.row_made = length, 1 if misere else -1
        self.symmetric_under(*symmetries(width, height))
        self.layered(*((k - k // 2, k // 2, k % 2) for k in range(self.cells + 1)))
        # A row in direction d starts at some squares only: bit c of starts[d] where c, c + step,
        # c + 2 step, … stay on the board.
        reach = length - 1
        ways = [(1, 0), (0, 1), (1, 1), (-1, 1)]
        self.steps = np.array([dx + width * dy for dx, dy in ways], np.int64)
        self.starts = np.array(
            [
                sum(
                    1 << x + width * y
                    for y in range(height)
                    for x in range(width)
                    if 0 <= x + reach * dx < width and y + reach * dy < height
                )
                for dx, dy in ways
            ],
            np.int64,
        )

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Width, height and length of a row, then perhaps ``misere``: ``3x3x3,misere``."""
        sizes, _, rest = text.replace("-misere", ",misere").partition(",misere")
        if rest:
            raise InvalidOptionError(f"expected nothing after misere, got {text!r}")
        return cls(*integers(sizes, cls), misere=len(sizes) < len(text))

    def start(self) -> int:
        """An empty board."""
        return 0

    def moves(self, position: int, out: Any) -> int:
        """A stone on an empty square."""
        n = self.cells
        turn = position >> 2 * n
        taken = position | position >> n
        count = 0
        for c in range(n):
            if taken >> c & 1 == 0:
                out[count] = (position ^ 1 << 2 * n) | 1 << c + n * turn
                count += 1
        return count

    def has_row(self, stones: int) -> bool:
        """Whether a set has ``length`` squares in a row, found by shifting it onto itself."""
        for d in range(4):
            starts = stones & self.starts[d]
            for k in range(1, self.length):
                starts &= stones >> k * self.steps[d]
            if starts != 0:
                return True
        return False

    def outcome(self, position: int) -> int:
        """A row of the player who moved last, or a full board."""
        n = self.cells
        every = (1 << n) - 1
        last = 1 - (position >> 2 * n)
        if self.has_row(position >> n * last & every):
            return self.row_made
        return 0 if (position | position >> n) & every == every else OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """Take back a stone of the player who moved last."""
        n = self.cells
        last = 1 - (position >> 2 * n)
        count = 0
        for c in range(n):
            if position >> c + n * last & 1:
                before = (position ^ 1 << 2 * n) ^ 1 << c + n * last
                if self.outcome(before) == OPEN:
                    out[count] = before
                    count += 1
        return count

    def tier(self, position: int) -> int:
        """The number of empty squares."""
        n = self.cells
        empty = n
        for c in range(2 * n):
            empty -= position >> c & 1
        return empty
