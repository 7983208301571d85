"""Domineering: Left puts upright dominoes on free squares, Right lying ones.

A board turned by a right angle is its own negative; free regions that do not touch are a sum
[BerlekampConwayGuy2001] ch. 5, [Berlekamp1988].
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import PLAIN, TURNED, GridRules


class Domineering(GridRules):
    """Domineering on a board of ``rows`` times ``columns``, or on any squares; # is no square.

    >>> import zermelo as zm
    >>> print(zm.game_value(Domineering(2, 3)), zm.game_value(Domineering.from_text("../.#")))
    {2|-1/2} *
    """

    LETTERS: ClassVar[str] = "#."

    def fill(self, position: int, side: int, out: Any) -> int:
        """A domino on two free squares, upright for Left."""
        if side == 0:
            step = self.stride
            places = position & position >> step
        else:
            step = 1
            places = position & position >> 1 & self.not_last
        count = 0
        while places != 0:
            place = places & -places
            out[count] = position ^ place ^ place << step
            count += 1
            places ^= place
        return count

    def alive(self, part: int) -> int:
        """On a single square there is no move."""
        return part & part - 1

    def image(self, position: int) -> int:
        """The least of the mirror images."""
        return self.least_image(position, PLAIN)

    def opposite_image(self, position: int) -> int:
        """The least of the images turned by a right angle."""
        return self.least_image(position, TURNED) if self.turns else -1
