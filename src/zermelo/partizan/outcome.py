"""The outcome classes of partizan games, with and without draws."""

from enum import Enum


class Outcome(Enum):
    """The winner under best play; the first four classes are those of games that always end.

    >>> Outcome.of(1, 1) is Outcome.L, Outcome.of(-1, 0).name
    (True, 'PCheck')
    >>> print(Outcome.NHat)
    Left wins moving first, and draws when Right begins
    """

    L = (1, 1)
    R = (-1, -1)
    N = (1, -1)
    P = (-1, 1)
    D = (0, 0)
    PHat = (0, 1)
    PCheck = (-1, 0)
    NHat = (1, 0)
    NCheck = (0, -1)

    @classmethod
    def of(cls, left_first: int, right_first: int) -> "Outcome":
        """The class of Left's results (+1 win, 0 draw, −1 loss) if Left and if Right begins."""
        return cls((left_first, right_first))

    @property
    def left_first(self) -> int:
        """Left's result when Left begins: +1, 0 or −1."""
        return self.value[0]

    @property
    def right_first(self) -> int:
        """Left's result when Right begins: +1, 0 or −1."""
        return self.value[1]

    def __str__(self) -> str:
        return _DESCRIPTIONS[self.name]


_DESCRIPTIONS = {
    "L": "Left wins, no matter who begins",
    "R": "Right wins, no matter who begins",
    "N": "the player who begins wins",
    "P": "the player who begins loses",
    "D": "a draw, no matter who begins",
    "PHat": "Left wins moving second, and draws when Left begins",
    "PCheck": "Right wins moving second, and draws when Right begins",
    "NHat": "Left wins moving first, and draws when Right begins",
    "NCheck": "Right wins moving first, and draws when Left begins",
}
