"""Chomp: bite a square off a bar of chocolate, with all squares above it and to its right.

The square in the corner is poisoned. On a whole bar of more than one square the first player wins:
if biting off the far corner is not a winning move, then the reply to it is one, and could have
been played at once [Gale1974].
"""

from collections.abc import Iterator

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import Rules, require_board
from zermelo.rules.impartial.pictures import draw_chocolate
from zermelo.rules.picture import square_name

Bar = tuple[int, ...]
"""The lengths of the rows that are left, none longer than the one before."""


class Chomp(Rules[Bar]):
    """Chomp with a bar of ``rows`` times ``columns`` squares; the poisoned square is never bitten.

    >>> import zermelo as zm
    >>> print(zm.solve(zm.explore(Chomp(2, 3)))[3, 3])
    (3, 3): WIN in 5 by (3, 2)
    """

    def __init__(self, rows: int, columns: int) -> None:
        require_board(rows, columns)
        self.bar = (columns,) * rows

    def start(self) -> Bar:
        """The whole bar."""
        return self.bar

    def moves(self, position: Bar) -> Iterator[Bar]:
        """Cut a row and those after it to a smaller length; the first row keeps a square."""
        for row, length in enumerate(position):
            for left in range(row == 0, length):
                cut = (min(left, x) for x in position[row:])
                yield position[:row] + tuple(x for x in cut if x)

    def canonical(self, position: Bar) -> Bar:
        """The bar or its mirror image, in which rows and columns change places."""
        columns = tuple(sum(x > k for x in position) for k in range(position[0]))
        return max(position, columns)

    def show(self, position: Bar) -> str:
        """The lengths of the rows."""
        return ",".join(map(str, position))

    def parse(self, text: str) -> Bar:
        """Lengths of rows, as ``3,3,1``."""
        parts = text.split(",")
        bar = tuple(int(part) for part in parts if len(part) < 19 and part.strip().isdecimal())
        if len(bar) < len(parts) or 0 in bar or list(bar) != sorted(bar, reverse=True):
            raise InvalidOptionError(f"expected rows such as 3,3,1, none growing, got {text!r}")
        require_board(len(bar), bar[0])
        return bar

    def draw(self, position: Bar) -> str:
        """The bar; the poisoned square is at the lower left."""
        return draw_chocolate(position)

    def move_cells(
        self, position: Bar, option: Bar, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The square that is bitten: the first one that is missing."""
        rest = (*option, *[0] * (len(position) - len(option)))
        row = next(
            k for k, pair in enumerate(zip(position, rest, strict=True)) if pair[0] > pair[1]
        )
        return ((square_name(row, rest[row]),),)
