"""Tic-tac-toe (noughts and crosses): three in a row on a board of 3×3 squares.

5478 positions, 765 up to symmetry; a tie.
"""

from typing import Self

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.rows.mnk import MNK


class TicTacToe(MNK):
    """The 3,3,3-game; with ``misere``, the player who makes a row loses.

    >>> rules = TicTacToe()
    >>> print(rules.diagram(rules.parse("x../.o./...")))
    3  x . .
    2  . o .
    1  . . .
    <BLANKLINE>
       a b c
    """

    crosses = True

    def __init__(self, *, misere: bool = False) -> None:
        super().__init__(3, 3, 3, misere=misere)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text, or ``misere``."""
        if text not in ("", "misere"):
            raise InvalidOptionError(f"expected misere or nothing after the colon, got {text!r}")
        return cls(misere=bool(text))
