"""Achi, a game of Ghana: Tapatan with four men for each player, so that one point stays empty."""

from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.rows.tapatan import Tapatan


class Achi(Tapatan):
    """Each player has four men, or ``men``; with three it is Tapatan.

    >>> rules = Achi()
    >>> rules.show(rules.options(rules.parse("xox/oxo/.xo x"))[0])
    'xox/oxo/x.o o'
    """

    usual_men = 4

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or the number of men: ``3`` or ``4``, or ``4men``."""
        number = text.removesuffix("men")
        if number not in ("", "3", "4") or text == "men":
            raise InvalidOptionError(f"expected 3 or 4 men, got {text!r}")
        return cls(int(number) if number else None)
