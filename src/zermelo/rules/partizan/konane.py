"""Konane: a man jumps over neighbours of the other player and captures them, in one direction.

Hawaiian draughts. A man jumps over one man onto the empty square behind it, and may jump on in the
same direction [BerlekampConwayGuy2001], [Ernst1995].
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules, checkered


class Konane(GridRules):
    """Konane on a full board without the two men in its middle, or on any position; # is no square.

    >>> import zermelo as zm
    >>> [str(zm.game_value(Konane.from_text(x))) for x in ("lr.", "lr.r.", ".rl.", "lrl.r")]
    ['1', '1', '*', '-1']
    """

    LETTERS: ClassVar[str] = "#lr."

    def setup(self) -> str:
        """Men of both players, alternating, without two neighbours in the middle."""
        rows = [[*row] for row in checkered(self.rows, self.columns, "lr").split("/")]
        i, j = (self.rows - 1) // 2, (self.columns - 1) // 2
        rows[i][j] = rows[i][min(j + 1, self.columns - 1)] = "."
        return "/".join(map("".join, rows))

    def most_moves_of_side(self, squares: int) -> int:
        """Four directions, and in each no more jumps than squares."""
        return 2 * squares * max(self.rows, self.columns)

    def fill(self, position: int, side: int, out: Any) -> int:
        """Every jump, and every series of jumps, of every man."""
        low, high = self.low(position), self.high(position)
        empty = low & high
        mine, others = (low, high) if side == 0 else (high, low)
        count = 0
        for direction in range(4):
            jumpers = mine & ~empty
            while jumpers != 0:
                source = jumpers & -jumpers
                jumpers ^= source
                place, taken = source, 0
                # Invariant: place is reached from source by taking the men of taken.
                while place != 0:
                    over = self.step_straight(place, direction) & others & ~empty
                    place = self.step_straight(over, direction) & empty
                    if place != 0:
                        taken |= over
                        out[count] = self.join(side, mine | taken, (others | source) ^ place)
                        count += 1
        return count

    def fill_components(self, position: int, out: Any) -> int:
        """Squares are tied by every jump that could ever happen if no man were in the way."""
        low, high = self.low(position), self.high(position)
        left, right, count = low & ~high, high & ~low, 0
        a, b = self.reach(left, right, low | high)
        rest = a | b
        # Invariant: rest holds whole classes of squares that are tied.
        while rest != 0:
            region = 0
            wider = rest & -rest
            while wider != region:
                region = wider
                for direction in range(4):
                    wider |= self.tied(region, a, b, low | high, direction)
                    wider |= self.tied(region, b, a, low | high, direction)
            rest &= ~region
            if region & region - 1 != 0 and region & left != 0 and region & right != 0:
                out[count] = low & region | (high & region) << self.area
                count += 1
        return count

    def reach(self, left: int, right: int, board: int) -> tuple[int, int]:
        """Squares where men of Left and of Right can ever stand, and perhaps some more."""
        before = -1
        while before != left + right:
            before = left + right
            for direction in range(4):
                left |= self.landings(left, right, board, direction)
                right |= self.landings(right, left, board, direction)
        return left, right

    def landings(self, men: int, others: int, board: int, direction: int) -> int:
        """The squares that men reach by a jump in a direction."""
        over = self.step_straight(men, direction) & others
        return self.step_straight(over, direction) & board

    def tied(self, region: int, men: int, others: int, board: int, direction: int) -> int:
        """All squares of the jumps in a direction that have one in the region."""
        once = self.step_straight(region, direction)
        touched = region | once | self.step_straight(once, direction)
        ends = self.landings(men, others, board, direction) & touched
        overs = self.step_straight(ends, direction ^ 1)
        return ends | overs | self.step_straight(overs, direction ^ 1)
