"""Col: Left paints squares blue, Right red, and neighbours never have the same colour.

Of a square it matters which players may still paint it. All values are numbers, or numbers plus a
star [BerlekampConwayGuy2001] ch. 2.
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules


class Col(GridRules):
    """Col on a board; a square is . for both players, l or r for one, # for neither.

    >>> import zermelo as zm
    >>> [str(zm.game_value(Col(1, n))) for n in range(1, 5)]
    ['*', '0', '0', '0']
    >>> print(zm.game_value(Col.from_text("..l")))
    1/2
    """

    LETTERS: ClassVar[str] = "#lr."
    tinted: ClassVar[bool] = True

    def fill(self, position: int, side: int, out: Any) -> int:
        """Nobody may paint the square again, and this player may not paint its neighbours."""
        mine, others = self.low(position), self.high(position)
        if side != 0:
            mine, others = others, mine
        rest, count = mine, 0
        while rest != 0:
            square = rest & -rest
            rest ^= square
            out[count] = self.join(side, mine & ~(square | self.near(square)), others & ~square)
            count += 1
        return count

    def grow(self, region: int, low: int, high: int) -> int:
        """Neighbours matter to each other where the same side may paint both."""
        return self.near(region & low) & low | self.near(region & high) & high
