"""Toppling Dominoes: topple a domino of yours; it falls with all on one side of it.

Left topples blue and green dominoes, Right red and green ones, to the left or to the right. Every
dyadic rational is the value of exactly one row of blue and red dominoes, and that is a palindrome
[FinkNowakowski2015].
"""

from typing import Self

from zermelo.rules.partizan.base import PartizanRules, one_of
from zermelo.rules.partizan.board import draw_dominoes

SWAP = str.maketrans("lr", "rl")


class TopplingDominoes(PartizanRules[str]):
    """Rows of dominoes, with + between: l is blue, r red, e green.

    >>> import zermelo as zm
    >>> [str(zm.game_value(TopplingDominoes(x))) for x in ("lll", "lr", "lrl", "eee", "lre")]
    ['3', '*', '1/2', '*3', '*2']
    """

    def __init__(self, rows: str) -> None:
        self.rows = self.parse(rows)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The rows."""
        return cls(text)

    def start(self) -> str:
        """The rows in which play starts."""
        return self.rows

    def left(self, position: str) -> list[str]:
        """The dominoes that stay when a blue or green one topples."""
        return _toppled(position, "le")

    def right(self, position: str) -> list[str]:
        """The dominoes that stay when a red or green one topples."""
        return _toppled(position, "re")

    def components(self, position: str) -> list[str]:
        """Every row by itself."""
        return [row for row in position.split("+") if row]

    def canonical(self, position: str) -> str:
        """A row may be read from either end."""
        return min(position, position[::-1])

    def opposite(self, position: str) -> str:
        """Blue dominoes for red ones, and red for blue."""
        return position.translate(SWAP)

    def parse(self, text: str) -> str:
        """Rows of l, r and e; an empty text means that no domino is left."""
        return one_of(text, "lre+", "rows of dominoes") if text.strip() else ""

    def draw(self, position: str) -> str:
        """The rows, one behind the other."""
        return draw_dominoes(position.split("+"))

    def move_cells(
        self, position: str, option: str, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The domino that is toppled, and the last one that falls with it."""
        rows, ways = position.split("+"), []
        for i, row in enumerate(rows):
            for k, domino in enumerate(row):
                for rest, end in ((row[:k], len(row)), (row[k + 1 :], 1)):
                    left = "+".join([*rows[:i], rest, *rows[i + 1 :]])
                    if domino in ("le", "re")[second] and left == option:
                        ways.append((f"{i + 1}.{k + 1}", f"{i + 1}.{end}"))
        return tuple(ways)


def _toppled(position: str, mine: str) -> list[str]:
    options, rows = [], position.split("+")
    for i, row in enumerate(rows):
        for k, domino in enumerate(row):
            if domino in mine:
                options += [
                    "+".join([*rows[:i], rest, *rows[i + 1 :]]) for rest in (row[:k], row[k + 1 :])
                ]
    return options
