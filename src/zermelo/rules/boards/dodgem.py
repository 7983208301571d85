"""Dodgem: move all your cars off the board, past those of the opponent.

The first player's cars start in the left column and leave to the right; they move right, up or
down. The second player's start in the bottom row and leave at the top; they move up, left or
right. The corner between is empty. A player who has no car left has won. So has a player who
cannot move, since it is forbidden to block the opponent.
"""

from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import OF_NUMBERS, Numbered
from zermelo.rules.compiled import OPEN


class Dodgem(Numbered):
    """Each player has ``board`` − 1 cars on a square board of that side.

    >>> rules = Dodgem(3)
    >>> rules.show(rules.start())
    'x../x../.oo x'
    """

    as_data = ("side", "cells", "cars", *OF_NUMBERS, "most_moves", "most_unmoves")
    """One machine code serves boards of all sizes."""

    def __init__(self, board: int = 3) -> None:
        self.grid(board, board)
        if not 2 <= board <= 5:
            raise InvalidOptionError(f"expected a board of 2 to 5 squares a side, got {board}")
        self.side = board
        self.cells = board * board
        self.cars = board - 1
        self.most_moves = 3 * self.cars
        numbers = range(board)
        self.layered(*((a, b, turn) for a in numbers for b in numbers for turn in (0, 1)))

    @property
    def most_unmoves(self) -> int:
        """Three ways back for each car, or one from outside."""
        return 3 * self.cars + self.side

    def start(self) -> int:
        """The left column and the bottom row without their common corner."""
        first = sum(1 << y * self.side for y in range(1, self.side))
        second = sum(1 << x for x in range(1, self.side))
        return first | second << self.cells

    def moves(self, position: int, out: Any) -> int:
        """Move ahead, also off the board, or to a side."""
        n, s = self.cells, self.side
        turn = position >> 2 * n & 1
        ahead, aside = (1, s) if turn == 0 else (s, 1)
        mine = n * turn
        taken = position | position >> n
        count = 0
        for c in range(n):
            if position >> mine + c & 1 == 0:
                continue
            left = (position ^ 1 << 2 * n) ^ 1 << mine + c
            if c // ahead % s == s - 1:
                out[count] = left
                count += 1
            elif taken >> c + ahead & 1 == 0:
                out[count] = left | 1 << mine + c + ahead
                count += 1
            if c // aside % s > 0 and taken >> c - aside & 1 == 0:
                out[count] = left | 1 << mine + c - aside
                count += 1
            if c // aside % s < s - 1 and taken >> c + aside & 1 == 0:
                out[count] = left | 1 << mine + c + aside
                count += 1
        return count

    def outcome(self, position: int) -> int:
        """Lost where the opponent's cars are all off; won where all of the mover's are blocked."""
        n, s = self.cells, self.side
        turn = position >> 2 * n & 1
        every = (1 << n) - 1
        if position >> n * (1 - turn) & every == 0:
            return -1
        ahead, aside = (1, s) if turn == 0 else (s, 1)
        taken = position | position >> n
        for c in range(n):
            if position >> n * turn + c & 1 and (
                c // ahead % s == s - 1
                or taken >> c + ahead & 1 == 0
                or (c // aside % s > 0 and taken >> c - aside & 1 == 0)
                or (c // aside % s < s - 1 and taken >> c + aside & 1 == 0)
            ):
                return OPEN
        return 1

    def unmoves(self, position: int, out: Any) -> int:
        """Back, to a side, or from outside back onto the last line."""
        n, s = self.cells, self.side
        last = 1 - (position >> 2 * n & 1)
        ahead, aside = (1, s) if last == 0 else (s, 1)
        mine = n * last
        taken = position | position >> n
        cars, count = 0, 0
        for c in range(n):
            cars += position >> mine + c & 1
        for c in range(n):
            left = (position ^ 1 << 2 * n) ^ 1 << mine + c
            if position >> mine + c & 1 == 0:
                if cars < self.cars and taken >> c & 1 == 0 and c // ahead % s == s - 1:
                    count = self.kept(left, out, count)
                continue
            if c // ahead % s > 0 and taken >> c - ahead & 1 == 0:
                count = self.kept(left | 1 << mine + c - ahead, out, count)
            if c // aside % s > 0 and taken >> c - aside & 1 == 0:
                count = self.kept(left | 1 << mine + c - aside, out, count)
            if c // aside % s < s - 1 and taken >> c + aside & 1 == 0:
                count = self.kept(left | 1 << mine + c + aside, out, count)
        return count

    def kept(self, before: int, out: Any, count: int) -> int:
        """Add a position unless play is over there."""
        if self.outcome(before) == OPEN:
            out[count] = before
            count += 1
        return count

    def tier(self, position: int) -> int:
        """The number of cars on the board."""
        cars = 0
        for c in range(2 * self.cells):
            cars += position >> c & 1
        return cars
