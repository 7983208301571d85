"""Clobber: a man captures a neighbouring man of the other player, and takes its place.

From [AlbertGrossman2005]. All positions are all-small: as long as one player can move, the other
can, too.
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules, checkered


class Clobber(GridRules):
    """Clobber on a full chequered board, Left's man in the corner, or on any position.

    >>> import zermelo as zm
    >>> print(zm.game_value(Clobber.from_text("lrl")), zm.game_value(Clobber.from_text("llr")))
    * ^
    """

    LETTERS: ClassVar[str] = ".lr"

    def setup(self) -> str:
        """Men of both players, alternating."""
        return checkered(self.rows, self.columns, "lr")

    def most_moves_of_side(self, squares: int) -> int:
        """A man has four neighbours at most."""
        return 4 * squares

    def fill(self, position: int, side: int, out: Any) -> int:
        """A man takes the place of a neighbour of the other player."""
        mine, others = self.low(position), self.high(position)
        if side != 0:
            mine, others = others, mine
        count = 0
        for direction in range(4):
            targets = self.step_straight(mine, direction) & others
            while targets != 0:
                target = targets & -targets
                source = self.step_straight(target, direction ^ 1)
                out[count] = self.join(side, mine ^ source ^ target, others ^ target)
                count += 1
                targets ^= target
        return count

    def alive(self, part: int) -> int:
        """Without men of both players there is no move."""
        return 1 if self.low(part) != 0 and self.high(part) != 0 else 0
