"""Fox and Hounds: hounds on one side of a chequered board try to shut in a fox.

All stand on dark squares and step diagonally, the hounds only upwards. The fox moves first. It
wins in the bottom row, where the hounds started, or if they cannot move; the hounds win if the fox
cannot move. On 8×8 squares the hounds win.
"""

import re
from math import comb
from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import EMPTY, Board
from zermelo.rules.compiled import NO_POSITION, OPEN


class FoxAndHounds(Board):
    """A board ``side`` squares wide and long; the fox starts on dark square ``fox`` of its row.

    A position is the set of hounds among the dark squares, then the fox's square, then a bit that
    is 1 where the hounds are to move.

    >>> rules = FoxAndHounds(4)
    >>> print(rules.diagram(rules.start()))
    4    f   .
    3  .   .
    2    .   .
    1  h   h
    <BLANKLINE>
       a b c d
    """

    sides = "fh"

    def __init__(self, side: int = 8, fox: int = 0) -> None:
        if side % 2 or not 4 <= side <= 8:
            raise InvalidOptionError(f"expected a board of 4, 6 or 8 squares a side, got {side}")
        half = side // 2
        if not 0 <= fox < half:
            raise InvalidOptionError(f"expected a fox on square 0 to {half - 1}, got {fox}")
        self.grid(side, side, chequered=True)
        dark = [c for c in range(side * side) if (c % side + c // side) % 2 == 0]
        self.names = tuple(self.names[c] for c in dark)
        self.places = tuple(self.places[c] for c in dark)
        self.rows = tuple(tuple(range(y * half, (y + 1) * half)) for y in reversed(range(side)))
        self.half, self.cells = half, side * half
        self.turn_at = self.cells + 6
        self.first_square = self.cells - half + fox
        self.most_moves = max(4, 2 * half)
        number = {c: k for k, c in enumerate(dark)}
        up, down = np.zeros(self.cells, np.int64), np.zeros(self.cells, np.int64)
        for c in dark:
            for to in (c + side - 1, c + side + 1):
                if to < side * side and abs(to % side - c % side) == 1:
                    up[number[c]] |= 1 << number[to]
                    down[number[to]] |= 1 << number[c]
        self.up, self.down = up, down
        n = self.cells
        self.choose = np.array([comb(c, i) for c in range(n) for i in range(half + 1)], np.int64)
        self.size = comb(n, half) * n * 2

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The board, and the fox's square: ``8x8``, ``8x8,fox1``, ``8,1``."""
        found = re.fullmatch(r"(\d{1,2})(?:x(\d{1,2}))?(?:[,-](?:fox)?(\d{1,2}))?", text or "8x8")
        if not found or found[2] not in (None, found[1]):
            raise InvalidOptionError(f"expected a square board and a fox, got {text!r}")
        return cls(int(found[1]), int(found[3] or 0))

    def start(self) -> int:
        """The bottom row is full of hounds, the fox in the top row."""
        return (1 << self.half) - 1 | self.first_square << self.cells

    def moves(self, position: int, out: Any) -> int:
        """One step."""
        n = self.cells
        other = position ^ 1 << self.turn_at
        hounds = position & ((1 << n) - 1)
        fox = position >> n & 63
        empty = ~(hounds | 1 << fox)
        count = 0
        if position >> self.turn_at == 0:
            steps = (self.up[fox] | self.down[fox]) & empty
            for to in range(n):
                if steps >> to & 1:
                    out[count] = other ^ (fox ^ to) << n
                    count += 1
            return count
        for c in range(n):
            steps = self.up[c] & empty
            if hounds >> c & 1 and steps != 0:
                for to in range(c, min(n, c + self.half + 2)):
                    if steps >> to & 1:
                        out[count] = other ^ 1 << c ^ 1 << to
                        count += 1
        return count

    def outcome(self, position: int) -> int:
        """The fox has reached the bottom row."""
        through = position >> self.turn_at and position >> self.cells & 63 < self.half
        return -1 if through else OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """One step back, for hounds downwards."""
        n = self.cells
        other = position ^ 1 << self.turn_at
        hounds = position & ((1 << n) - 1)
        fox = position >> n & 63
        empty = ~(hounds | 1 << fox)
        count = 0
        if position >> self.turn_at:
            steps = (self.up[fox] | self.down[fox]) & empty
            for come in range(n):
                if steps >> come & 1:
                    out[count] = other ^ (fox ^ come) << n
                    count += 1
            return count
        for c in range(n):
            steps = self.down[c] & empty
            if hounds >> c & 1 and steps != 0:
                for come in range(max(0, c - self.half - 1), c):
                    before = other ^ 1 << c ^ 1 << come
                    if steps >> come & 1 and self.outcome(before) == OPEN:
                        out[count] = before
                        count += 1
        return count

    def rank(self, position: int) -> int:
        """Hounds {c₁ < c₂ < …} are the combination Σ C(cᵢ, i); then the fox, then the turn."""
        hounds, i = 0, 0
        for c in range(self.cells):
            if position >> c & 1:
                i += 1
                hounds += self.choose[c * (self.half + 1) + i]
        fox = position >> self.cells & 63
        return (hounds * self.cells + fox) * 2 + (position >> self.turn_at)

    def unrank(self, index: int) -> int:
        """The position of an index; none where the fox would stand on a hound."""
        n = self.cells
        rest, fox, position, left = index // 2 // n, index // 2 % n, 0, self.half
        for k in range(n):
            c = n - 1 - k
            if left > 0 and self.choose[c * (self.half + 1) + left] <= rest:
                rest -= self.choose[c * (self.half + 1) + left]
                left -= 1
                position |= 1 << c
        if position >> fox & 1:
            return NO_POSITION
        return position | fox << n | (index & 1) << self.turn_at

    def tier(self, position: int) -> int:
        """The rows above the hounds, added up: every move of a hound takes one."""
        rows = 0
        for c in range(self.cells):
            rows += (position >> c & 1) * (2 * self.half - 1 - c // self.half)
        return rows

    def pieces(self, position: int) -> str:
        """The fox among the hounds."""
        fox = position >> self.cells & 63
        marks = (EMPTY, self.sides[1])
        found = (marks[position >> c & 1] for c in range(self.cells))
        return "".join(self.sides[0] if c == fox else x for c, x in enumerate(found))

    def turn(self, position: int) -> int:
        """Whether the hounds are to move."""
        return position >> self.turn_at

    def position_of(self, pieces: str, turn: int) -> int:
        """The position; none without one fox and the right number of hounds."""
        if (pieces.count("f"), pieces.count("h")) != (1, self.half):
            return NO_POSITION
        hounds = sum(1 << c for c, x in enumerate(pieces) if x == "h")
        return hounds | pieces.index("f") << self.cells | turn << self.turn_at

    def fault(self, position: int) -> str:
        """Every position has one fox, and half as many hounds as a row has squares."""
        return f"one fox f and {self.half} hounds h" if position < 0 else ""
