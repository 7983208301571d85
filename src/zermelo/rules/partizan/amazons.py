"""Amazons: a queen moves, then shoots at a square that she can reach, and the square burns.

Neither moves nor arrows cross queens or burnt squares [Snatzke2002].
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules


class Amazons(GridRules):
    """Amazons on a board with a queen of each player in opposite corners, or on any position.

    The letter # is a burnt square, or no square.

    >>> import zermelo as zm
    >>> [str(zm.game_value(Amazons.from_text(x))) for x in ("l.", "l..", "lr.", "l.r")]
    ['1', '2', '-1', '*']
    """

    LETTERS: ClassVar[str] = "#lr."

    def setup(self) -> str:
        """Left's queen in the first corner, Right's in the last."""
        squares = [*"." * (self.rows * self.columns)]
        squares[-1], squares[0] = "r", "l"
        text, n = "".join(squares), self.columns
        return "/".join(text[k : k + n] for k in range(0, len(text), n))

    def most_moves_of_side(self, squares: int) -> int:
        """The number of queens, times that of moves, times that of arrows, each at its greatest."""
        reach = min(squares, 4 * max(self.rows, self.columns))
        return squares * reach * reach

    def fill(self, position: int, side: int, out: Any) -> int:
        """A queen moves to an empty square in her reach, and burns one in her reach from there."""
        low, high = self.low(position), self.high(position)
        empty = low & high
        queens, count = (low if side == 0 else high) & ~empty, 0
        others = (high if side == 0 else low) & ~empty
        while queens != 0:
            source = queens & -queens
            queens ^= source
            free = empty | source
            mine = (low if side == 0 else high) & ~free
            for direction in range(8):
                target = self.step(source, direction) & empty
                while target != 0:
                    for aim in range(8):
                        arrow = self.step(target, aim) & free
                        while arrow != 0:
                            rest = free ^ target ^ arrow
                            out[count] = self.join(side, mine | target | rest, others | rest)
                            count += 1
                            arrow = self.step(arrow, aim) & free
                    target = self.step(target, direction) & empty
        return count

    def grow(self, region: int, low: int, high: int) -> int:
        """Queens also move diagonally."""
        wide = region | self.step_straight(region, 0) | self.step_straight(region, 1)
        return (wide | self.step_straight(wide, 2) | self.step_straight(wide, 3)) & (low | high)

    def alive(self, part: int) -> int:
        """Without a queen, or without an empty square, there is no move."""
        empty = self.low(part) & self.high(part)
        return 1 if empty != 0 and empty != self.low(part) | self.high(part) else 0
