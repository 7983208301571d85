"""Tapatan, a game of the Philippines: Three Men's Morris with roads along the diagonals."""

from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.rows.three_mens_morris import ThreeMensMorris


class Tapatan(ThreeMensMorris):
    """Each player has three men; diagonal roads lead through the middle.

    >>> rules = Tapatan()
    >>> len(rules.options(rules.parse("xo./.x./oxo x")))
    4
    """

    diagonal_roads = True

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``diag``."""
        if text not in ("", "diag"):
            raise InvalidOptionError(f"expected nothing after the colon, got {text!r}")
        return cls()
