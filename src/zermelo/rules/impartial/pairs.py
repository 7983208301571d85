"""What games with two numbers, in no order, have in common."""

from typing import ClassVar

from zermelo.errors import InvalidOptionError
from zermelo.rules.base import Rules
from zermelo.rules.impartial.pictures import draw_bars

Pair = tuple[int, int]
"""Two numbers, the smaller first."""


class PairRules(Rules[Pair]):
    """A game whose positions are pairs of numbers of at least ``least``."""

    least: ClassVar[int] = 0

    def __init__(self, a: int, b: int) -> None:
        if min(a, b) < self.least:
            raise InvalidOptionError(f"expected numbers of {self.least} or more, got {min(a, b)}")
        self.pair = ordered(a, b)

    def start(self) -> Pair:
        """The numbers given."""
        return self.pair

    def show(self, position: Pair) -> str:
        """The numbers with a comma between."""
        return f"{position[0]},{position[1]}"

    def parse(self, text: str) -> Pair:
        """The pair written ``3,4`` or ``4,3``."""
        return self.from_text(text).start()

    def draw(self, position: Pair) -> str:
        """The numbers as bars."""
        return draw_bars(position)


def ordered(a: int, b: int) -> Pair:
    """A pair, the smaller first.

    >>> ordered(4, 3)
    (3, 4)
    """
    return (a, b) if a <= b else (b, a)
