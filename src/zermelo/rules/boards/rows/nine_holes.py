"""Nine Holes: Three Men's Morris in which a diagonal row does not win."""

from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.rows.three_mens_morris import ThreeMensMorris


class NineHoles(ThreeMensMorris):
    """Each player has three men; roads and rows are horizontal and vertical.

    >>> rules = NineHoles()
    >>> rules.outcome(rules.parse("x.o/.xo/..x o")), rules.outcome(rules.parse("xxx/.oo/... o"))
    (2, -1)
    """

    diagonal_rows = False

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, ``orth`` or ``fly``."""
        if text not in ("", "orth", "orth6lines", "fly"):
            raise InvalidOptionError(f"expected fly, orth or nothing after the colon, got {text!r}")
        return cls(fly=text == "fly")
