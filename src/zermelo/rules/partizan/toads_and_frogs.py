"""Toads and Frogs: toads move right, frogs left, by one square or over one of the others.

Left moves toads, Right frogs, and a jump captures nothing [BerlekampConwayGuy2001] ch. 1.
Backsliding animals may also move back by one square, and then play need not end [Siegel2009].
"""

import re
from typing import ClassVar, Self

from zermelo.rules.partizan.base import PartizanRules, one_of
from zermelo.rules.partizan.board import draw_rows
from zermelo.rules.picture import square_name

SWAP = str.maketrans("tf", "ft")
STUCK = re.compile(r"ttff|(?<=#)tff|ttf(?=#)|(?<=#)tf(?=#)|(?<=#)f|t(?=#)")
"""Animals that never move again: toads before a wall or before stuck frogs, and the reverse."""


class ToadsAndFrogs(PartizanRules[str]):
    """Toads and Frogs on a strip: t, f, and . for an empty square.

    >>> import zermelo as zm
    >>> rules = ToadsAndFrogs("tt.ff")
    >>> rules.left("tt.ff"), rules.right("tft.f")
    (['t.tff'], ['tftf.'])
    >>> print(zm.game_value(rules))
    *
    """

    SLIDES: ClassVar[tuple[tuple[str, str], ...]] = (("t.", ".t"),)

    def __init__(self, strip: str) -> None:
        self.strip = self.parse(strip)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The strip."""
        return cls(text)

    def start(self) -> str:
        """The strip in which play starts."""
        return self.strip

    def left(self, position: str) -> list[str]:
        """A toad one square to the right, or over one frog."""
        return [
            position[:k] + after + position[k + len(before) :]
            for before, after in (*self.SLIDES, ("tf.", ".ft"))
            for k in range(len(position))
            if position.startswith(before, k)
        ]

    def right(self, position: str) -> list[str]:
        """A frog one square to the left, or over one toad."""
        return [_opposite(x) for x in self.left(_opposite(position))]

    def components(self, position: str) -> list[str]:
        """The parts between stuck animals; those without an empty square have no move."""
        before, strip = "", f"#{position}#"
        while strip != before:
            before, strip = strip, STUCK.sub("#", strip)
        return [part for part in strip.split("#") if "." in part and part.strip(".")]

    def opposite(self, position: str) -> str:
        """The strip read backwards, with toads and frogs exchanged."""
        return _opposite(position)

    def parse(self, text: str) -> str:
        """A strip of t, f and . (a dot)."""
        return one_of(text, "tf.", "a strip of toads and frogs")

    def draw(self, position: str) -> str:
        """The strip."""
        return draw_rows([position])

    def move_cells(
        self, position: str, option: str, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The square that an animal leaves, and the one that it reaches."""
        me = "tf"[second]
        pairs = list(enumerate(zip(position, option, strict=True)))
        gone = [square_name(0, k) for k, (a, b) in pairs if a == me != b]
        come = [square_name(0, k) for k, (a, b) in pairs if b == me != a]
        return ((*gone, *come),)


class BackslidingToadsAndFrogs(ToadsAndFrogs):
    """Toads and Frogs that may also go back one square, but not jump back.

    >>> BackslidingToadsAndFrogs("t.f").left(".tf")
    ['t.f']
    """

    SLIDES: ClassVar[tuple[tuple[str, str], ...]] = (("t.", ".t"), (".t", "t."))

    def components(self, position: str) -> list[str]:
        """The strip is one part: with an empty square, no animal is stuck for good."""
        return [position]


def _opposite(position: str) -> str:
    return position[::-1].translate(SWAP)
