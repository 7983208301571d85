"""NoGo: put a man on an empty square so that every group keeps an empty neighbour.

Go without captures [Chou2011]: a move that would capture men, or leave its own group without an
empty neighbour, is not allowed.
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules


class NoGo(GridRules):
    """NoGo on a board; # is no square.

    >>> import zermelo as zm
    >>> [str(zm.game_value(NoGo(1, n))) for n in range(1, 5)]
    ['0', '*', '+-1', '0']
    """

    LETTERS: ClassVar[str] = "#lr."

    def fill(self, position: int, side: int, out: Any) -> int:
        """A man on an empty square."""
        low, high = self.low(position), self.high(position)
        rest, count = low & high, 0
        while rest != 0:
            square = rest & -rest
            rest ^= square
            empty = low & high ^ square
            mine, others = (low, high) if side == 0 else (high, low)
            if self.breathe(mine ^ (low & high) | square, empty) and self.breathe(
                others ^ (low & high), empty
            ):
                out[count] = self.join(side, mine, others ^ square)
                count += 1
        return count

    def breathe(self, men: int, empty: int) -> bool:
        """Whether every group of men of one side has an empty neighbour."""
        reached = 0
        wider = self.near(empty) & men
        # Invariant: the groups of the men in wider have an empty neighbour.
        while wider != reached:
            reached = wider
            wider = reached | self.near(reached) & men
        return reached == men

    def grow(self, region: int, low: int, high: int) -> int:
        """A square matters to its empty neighbours, an empty square to all its neighbours."""
        empty = low & high
        tied = self.near(region & empty) & (low | high) | self.near(region) & empty
        men = self.near(region & low & ~empty) & low | self.near(region & high & ~empty) & high
        return tied | men

    def alive(self, part: int) -> int:
        """Without an empty square there is no move."""
        return self.low(part) & self.high(part)
