"""Snort: Left paints squares blue, Right red, and neighbours never have different colours.

The game of two farmers with bulls and cows. Its values are hot, those of Col are cold
[BerlekampConwayGuy2001] ch. 5.
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules


class Snort(GridRules):
    """Snort on a board; a square is . for both players, l or r for one, # for neither.

    >>> import zermelo as zm
    >>> [str(zm.game_value(Snort(1, n))) for n in range(1, 4)]
    ['*', '+-1', '+-2']
    """

    LETTERS: ClassVar[str] = "#lr."
    tinted: ClassVar[bool] = True

    def fill(self, position: int, side: int, out: Any) -> int:
        """Nobody may paint the square again, and only this player may paint its neighbours."""
        mine, others = self.low(position), self.high(position)
        if side != 0:
            mine, others = others, mine
        rest, count = mine, 0
        while rest != 0:
            square = rest & -rest
            rest ^= square
            out[count] = self.join(side, mine & ~square, others & ~(square | self.near(square)))
            count += 1
        return count

    def grow(self, region: int, low: int, high: int) -> int:
        """Neighbours matter to each other where Left may paint one and Right the other."""
        return self.near(region & low) & high | self.near(region & high) & low
