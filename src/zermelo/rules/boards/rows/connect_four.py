"""Connect Four: drop stones into columns; the first four in a row win, a full board is a tie.

A position holds each column in height + 1 bits: the stones from the bottom, 1 for the first
player's and 0 for the second's, and above them a bit 1 as a lid. So 7×6 needs 49 bits, and one for
the player to move. The row of the highest lid never holds a stone, which keeps rows from running
over into the next column.
"""

from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import integers
from zermelo.rules.boards._board import EMPTY, Board
from zermelo.rules.compiled import OPEN


class ConnectFour(Board):
    """``width`` columns of ``height`` squares; ``length`` stones in a row win.

    >>> rules = ConnectFour(4, 4)
    >>> rules.show(rules.options(rules.start())[0])
    '..../..../..../x...'
    >>> rules.outcome(rules.parse("..../..../ooo./xxxx"))
    -1
    """

    turn_shown = False
    usual = (7, 6)
    usual_length = 4

    as_data = (
        "width", "height", "length", "tall", "turn_bit", "floor", "lids", "strides", "below",
        "steps", "most_moves", "most_unmoves",
    )  # fmt: skip
    """One machine code serves boards of all sizes."""

    def __init__(self, width: int, height: int, length: int = 0) -> None:
        length = length or self.usual_length
        if not 1 <= length <= max(width, height):
            raise InvalidOptionError(
                f"expected a row that fits the board, got {length} on {width}x{height}"
            )
        self.grid(width, height)
        if width * (height + 1) > 61:
            raise InvalidOptionError(
                f"expected a board of width times (height + 1) at most 61, got {width}x{height}"
            )
        self.width, self.height, self.length = width, height, length
        self.tall = height + 1
        self.turn_bit = 1 << width * self.tall
        self.most_moves = width
        self.floor = sum(1 << x * self.tall for x in range(width))
        self.lids = self.floor << height
        # below[s]: the bits with another bit of the same column s bits higher
        strides = [1 << k for k in range(height.bit_length())]
        self.strides = np.array(strides, np.int64)
        self.below = np.array(
            [self.floor * ((1 << max(0, self.tall - s)) - 1) for s in strides], np.int64
        )
        self.steps = np.array([1, self.tall - 1, self.tall, self.tall + 1], np.int64)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Width and height, by default 7x6; a third number is the length of a row."""
        return cls(*(integers(text, cls) if text else cls.usual))

    def start(self) -> int:
        """No stones: each column is just its lid."""
        return self.floor

    def up_to_lids(self, position: int) -> int:
        """All bits of columns up to the lids: the bits below them, found in doubling strides."""
        found = position & (self.turn_bit - 1)
        for k in range(len(self.strides)):
            found |= found >> self.strides[k] & self.below[k]
        return found

    def moves(self, position: int, out: Any) -> int:
        """Raise a lid by one: adding it leaves a stone 0 below, adding it twice a stone 1."""
        column = self.up_to_lids(position)
        free = (column ^ column >> 1 & self.below[0]) & ~self.lids
        mine = 0 if position & self.turn_bit else 1
        count = 0
        while free != 0:
            lid = free & -free
            out[count] = (position + (lid << mine)) ^ self.turn_bit
            count += 1
            free ^= lid
        return count

    def outcome(self, position: int) -> int:
        """A row of the player who moved last, found by shifting it onto itself; or a full board."""
        column = self.up_to_lids(position)
        stones = column >> 1 & self.below[0]
        last = stones & position if position & self.turn_bit else stones & ~position
        for d in range(4):
            row = last
            for k in range(1, self.length):
                row &= last >> k * self.steps[d]
            if row != 0:
                return -1
        return 0 if column & self.lids == self.lids else OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """Take back the highest stone of a column, if the player who moved last has put it."""
        column = self.up_to_lids(position)
        lids = column ^ column >> 1 & self.below[0]
        mine = 1 if position & self.turn_bit else 0
        count = 0
        while lids != 0:
            lid = lids & -lids
            lids ^= lid
            top = lid >> 1 & self.below[0]
            if top != 0 and (position & top != 0) == (mine == 1):
                before = (position - (top << mine)) ^ self.turn_bit
                if self.outcome(before) == OPEN:
                    out[count] = before
                    count += 1
        return count

    def mirrored(self, position: int) -> int:
        """The columns in reverse order."""
        one = (1 << self.tall) - 1
        found = position >> self.width * self.tall
        for x in range(self.width):
            found = found << self.tall | position >> x * self.tall & one
        return found

    def canonical(self, position: int) -> int:
        """The lesser of the position and its mirror image."""
        return min(position, self.mirrored(position))

    def orbit(self, position: int) -> int:
        """1 where the position is its own mirror image, else 2."""
        return 1 if self.mirrored(position) == position else 2

    def tier(self, position: int) -> int:
        """The number of empty squares."""
        stones = self.up_to_lids(position) >> 1 & self.below[0]
        empty = self.width * self.height
        while stones != 0:
            stones &= stones - 1
            empty -= 1
        return empty

    def parse_move(self, position: int, text: str, second: bool = False) -> int:
        """The position after a stone falls into a column, given by its letter or by the square.

        >>> rules = ConnectFour(4, 4)
        >>> rules.show(rules.parse_move(rules.start(), "b"))
        '..../..../..../.x..'
        """
        column = text.strip().lower()
        if len(column) == 1 and column.isalpha():
            names = {self.describe(position, x, second): x for x in self.options(position)}
            for name, option in names.items():
                if name[0] == column:
                    return option
        return super().parse_move(position, text, second)  # type: ignore[no-any-return]

    def pieces(self, position: int) -> str:
        """The stones below the lids."""
        stones = int(self.up_to_lids(position)) >> 1 & int(self.below[0])
        found = []
        for k in range(self.width * self.height):
            y, x = divmod(k, self.width)
            bit = x * self.tall + y
            found.append(self.sides[1 - (position >> bit & 1)] if stones >> bit & 1 else EMPTY)
        return "".join(found)

    def turn(self, position: int) -> int:
        """The bit above the columns."""
        return int(position & self.turn_bit != 0)

    def position_of(self, pieces: str, turn: int) -> int:
        """The columns up to their highest stones; −1 where a stone would hang in the air."""
        position = 0
        for x in range(self.width):
            column = pieces[x :: self.width].rstrip(EMPTY)
            bits = sum(1 << y for y, piece in enumerate(column) if piece == self.sides[0])
            position |= (bits | 1 << len(column)) << x * self.tall
        first, second = map(pieces.count, self.sides)
        if first - second not in (0, 1):
            return -1
        fits = self.pieces(position) == pieces
        return position | (self.turn_bit if first > second else 0) if fits else -1

    def fault(self, position: int) -> str:
        """The first player has as many stones or one more, and stones rest on others."""
        return "stones in turn, each resting on another" if position < 0 else ""


class ConnectThree(ConnectFour):
    """The same with three in a row.

    >>> rules = ConnectThree(3, 3)
    >>> rules.outcome(rules.parse(".../oo./xxx"))
    -1
    """

    usual = (4, 4)
    usual_length = 3
