"""Chinese checkers for two on a small board: be the first with all men in the opposite corner.

The board is a rhombus of hexagonal cells, with men in triangles in its two sharp corners. A man
moves to a neighbouring empty cell, or jumps over a neighbour of either player to the empty cell
behind it, as often as it can. A player has won when the opposite corner is full and one of the
player's own men is in it, as in [Sturtevant2020]; otherwise one man that stays at home could stop
the opponent for good. (There a move that fills the opponent's goal for the opponent is forbidden,
here it loses.) A player who cannot move loses, and infinite play is a draw.
"""

from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._board import OF_NUMBERS, OF_SYMMETRY, NumberedSymmetric
from zermelo.rules.compiled import OPEN

WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class ChineseCheckers(NumberedSymmetric):
    """A rhombus of ``side`` × ``side`` cells, ``rows`` rows of men in each corner.

    >>> rules = ChineseCheckers(4, 2)
    >>> rules.show(rules.start())
    '..oo/...o/x.../xx.. x'
    """

    as_data = (
        "cells", "goal", "next", *OF_SYMMETRY, *OF_NUMBERS, "most_moves", "most_unmoves",
    )  # fmt: skip
    """One machine code serves boards of all sizes."""

    def __init__(self, side: int = 4, rows: int = 2) -> None:
        if not (2 <= side <= 5 and 1 <= rows < side):
            raise InvalidOptionError(
                f"expected a side of 2 to 5 and fewer rows than that, got {side}x{rows}"
            )
        self.grid(side, side)
        n = self.cells = side * side
        squares = [(x, y) for y in range(side) for x in range(side)]
        home = sum(1 << c for c, (x, y) in enumerate(squares) if x + y < rows)
        away = sum(1 << n - 1 - c for c in range(n) if home >> c & 1)
        self.goal = np.array([away, home], np.int64)
        men = rows * (rows + 1) // 2
        self.most_moves = men * (n - 2 * men)
        self.symmetric_under([y + side * x for x, y in squares])
        self.layered((men, men, 0), (men, men, 1))
        self.next = np.array(
            [
                x + dx + side * (y + dy) if 0 <= x + dx < side and 0 <= y + dy < side else n
                for x, y in squares
                for dx, dy in WAYS
            ]
            + [n] * 6,
            np.int64,
        )

    def start(self) -> int:
        """The first player's men in the lower left corner."""
        return int(self.goal[1] | self.goal[0] << self.cells)

    def targets(self, taken: int, man: int) -> int:
        """The cells that a man reaches by a step or by jumps; ``taken`` are the other men."""
        n = self.cells
        steps, jumps, fresh = 0, 1 << man, 1 << man
        for d in range(6):
            steps |= 1 << self.next[6 * man + d]
        # Invariant: jumps are cells that the man reaches by jumps, and the cells one jump from
        # those outside fresh are among them.
        while fresh != 0:
            found = 0
            for c in range(n):
                if fresh >> c & 1:
                    for d in range(6):
                        over = self.next[6 * c + d]
                        if over < n and taken >> over & 1:
                            found |= 1 << self.next[6 * over + d]
            fresh = found & ~(taken | jumps | 1 << n)
            jumps |= fresh
        return (steps | jumps) & ~(taken | 1 << man | 1 << n)

    def outcome(self, position: int) -> int:
        """A goal is full and has a man of its player; that of the last mover is tested first."""
        n = self.cells
        turn = position >> 2 * n
        taken = position | position >> n
        for k in range(2):
            side = 1 - turn if k == 0 else turn
            goal = self.goal[side]
            if taken & goal == goal and position >> n * side & goal:
                return -1 if k == 0 else 1
        return OPEN

    def moves(self, position: int, out: Any) -> int:
        """A man moves to any cell that it reaches."""
        return self.travels(position, position >> 2 * self.cells, False, out)

    def unmoves(self, position: int, out: Any) -> int:
        """Steps and jumps go both ways."""
        return self.travels(position, 1 - (position >> 2 * self.cells), True, out)

    def travels(self, position: int, side: int, open_only: bool, out: Any) -> int:
        """The positions after moves of one side; if wanted, only those where play goes on."""
        n = self.cells
        taken = (position | position >> n) & ((1 << n) - 1)
        count = 0
        for c in range(n):
            if position >> n * side + c & 1:
                targets = self.targets(taken ^ 1 << c, c)
                for to in range(n):
                    after = position ^ 1 << 2 * n ^ (1 << c | 1 << to) << n * side
                    if targets >> to & 1 and not (open_only and self.outcome(after) != OPEN):
                        out[count] = after
                        count += 1
        return count
