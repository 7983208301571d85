"""Cram: put a domino on two free neighbouring squares of a board.

By symmetry, the first player loses on boards with two even sides, and wins where exactly one side
is even. A board of 1×n is the octal game 0.07, and one of 2×n has the value n mod 2
[Uiterwijk2018].
"""

from collections.abc import Iterator

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import Rules, require_board
from zermelo.rules.impartial.pictures import draw_squares

FREE, FULL, EDGE = ".#/"


class Cram(Rules[str]):
    """Cram on a board of ``rows`` times ``columns``; a position is its rows with / between.

    >>> from zermelo.rules.values import position_values
    >>> sorted(Cram(2, 2).moves("../.#"))
    ['##/.#', '#./##']
    >>> [position_values(Cram(3, n)).start for n in range(1, 6)]
    [1, 1, 0, 1, 1]
    """

    def __init__(self, rows: int, columns: int) -> None:
        require_board(rows, columns)
        self.rows, self.columns = rows, columns

    def start(self) -> str:
        """All squares are free."""
        return EDGE.join([FREE * self.columns] * self.rows)

    def moves(self, position: str) -> Iterator[str]:
        """A lying domino, or an upright one."""
        for step in (1, _width(position) + 1):
            for i in range(len(position) - step):
                j = i + step
                if position[i] == FREE == position[j]:
                    yield position[:i] + FULL + position[i + 1 : j] + FULL + position[j + 1 :]

    def canonical(self, position: str) -> str:
        """The greatest of the board's eight images, without full rows and columns at its edges."""
        rows = _trimmed(_trimmed(position.split(EDGE)))
        images = []
        for board in (rows, _transposed(rows)):
            mirrored = [row[::-1] for row in board]
            images += [board, board[::-1], mirrored, mirrored[::-1]]
        return max(map(EDGE.join, images))

    def components(self, position: str) -> list[str]:
        """Connected regions of free squares; a single square has no move and is left out."""
        step = _width(position) + 1
        free = {i for i, square in enumerate(position) if square == FREE}
        parts = []
        while free:
            region = [free.pop()]
            # Invariant: region's squares are connected and not in free; those of region[:k] have
            # no neighbour in free, where k counts the rounds of this loop.
            for i in region:
                near = free.intersection((i - 1, i + 1, i - step, i + step))
                region += near
                free -= near
            if len(region) > 1:
                board = [EDGE if square == EDGE else FULL for square in position]
                for i in region:
                    board[i] = FREE
                parts.append("".join(board))
        return parts

    def parse(self, text: str) -> str:
        """Rows of ``.`` and ``#`` with / between."""
        rows = text.split(EDGE)
        if {*map(len, rows)} != {self.columns} or len(rows) != self.rows or {*text} - {*".#/"}:
            raise InvalidOptionError(
                f"expected {self.rows} rows of {self.columns} squares, . or #, with / between, "
                f"got {text!r}"
            )
        return text

    def draw(self, position: str) -> str:
        """The board; covered squares are dark."""
        return draw_squares(position.split(EDGE))


def _width(position: str) -> int:
    return position.find(EDGE) if EDGE in position else len(position)


def _transposed(rows: list[str]) -> list[str]:
    return ["".join(column) for column in zip(*rows, strict=True)]


def _trimmed(rows: list[str]) -> list[str]:
    """The columns of rows, without the full ones at both ends; one column stays."""
    columns = _transposed(rows)
    while len(columns) > 1 and FREE not in columns[0]:
        del columns[0]
    while len(columns) > 1 and FREE not in columns[-1]:
        del columns[-1]
    return columns
