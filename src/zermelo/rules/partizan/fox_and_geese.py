"""Fox and Geese: geese move up the board, the fox moves anywhere, all by one dark square.

Left moves the geese, Right the fox, and nothing is captured; the geese win if the fox cannot move.
A fox behind the geese can always move, while they run out of moves, so positions are loopy. On a
board of 8×8 the value is 2 + over, as Welton found, in [BerlekampConwayGuy2001] ch. 20.
"""

from typing import Any, ClassVar

from zermelo.rules.partizan.grid import GridRules


class FoxAndGeese(GridRules):
    """Fox and Geese: l are geese, r the fox, . dark squares, # light ones.

    >>> import zermelo as zm
    >>> rules = FoxAndGeese(4, 4)
    >>> rules.show(rules.start())
    '#r#./.#.#/#.#./l#l#'
    >>> [rules.show(x) for x in rules.right(rules.start())]
    ['#.#./.#r#/#.#./l#l#', '#.#./r#.#/#.#./l#l#']
    """

    LETTERS: ClassVar[str] = "#lr."
    TURNS: ClassVar[bool] = False

    def setup(self) -> str:
        """Geese on all dark squares of the last row, the fox in the middle of the first."""
        rows = [
            [".#"[(self.rows - 1 - i + j) % 2] for j in range(self.columns)]
            for i in range(self.rows)
        ]
        dark = [j for j, square in enumerate(rows[0]) if square == "."]
        rows[-1] = ["l" if square == "." else "#" for square in rows[-1]]
        if dark:
            rows[0][dark[(len(dark) - 1) // 2]] = "r"
        return "/".join(map("".join, rows))

    def most_moves_of_side(self, squares: int) -> int:
        """At most two for each goose, and four for each fox."""
        return 4 * squares

    def fill(self, position: int, side: int, out: Any) -> int:
        """A goose moves up, or the fox in any direction."""
        low, high = self.low(position), self.high(position)
        empty, count = low & high, 0
        mine, others = (low, high) if side == 0 else (high, low)
        for direction in range(4, 8):
            if side == 0 and (direction == 4 or direction == 7):
                continue
            targets = self.step(mine & ~empty, direction) & empty
            while targets != 0:
                target = targets & -targets
                source = self.step(target, direction ^ 1)
                out[count] = self.join(side, mine, (others ^ target) | source)
                count += 1
                targets ^= target
        return count

    def fill_components(self, position: int, out: Any) -> int:
        """The board is one part."""
        out[0] = position
        return 1

    def image(self, position: int) -> int:
        """The position or its mirror image."""
        mirrored = 0
        for k in range(self.area):
            bits = position >> k & 1 | (position >> (k + self.area) & 1) << self.area
            row = k // self.stride
            mirrored |= bits << (2 * row + 1) * self.stride - 1 - k
        return min(position, mirrored)

    def opposite_image(self, position: int) -> int:
        """The players have different men, so there is none."""
        return -1
