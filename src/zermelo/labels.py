"""Labels, players and the sentinels of every result array.

A label is the result for the *player to move*: ``LOSE < DRAW < WIN`` with the numbers −1, 0, +1.
So Löwe's inversion of a label is its negative, and his supremum is the maximum.

A search that is given up, and one that was not asked about a position, knows no result there. That
is no draw: the label is then ``UNDECIDED``, the number 2, which no arithmetic of results gives. It
occurs in games of return and repetition only, whose searches can be limited. The same number stands
for it in ``winner`` and ``level`` arrays, where 2 is outside the range as well; a value is None.
"""

from enum import IntEnum
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Int8Array: TypeAlias = npt.NDArray[np.int8]
Int32Array: TypeAlias = npt.NDArray[np.int32]
Int64Array: TypeAlias = npt.NDArray[np.int64]
UInt8Array: TypeAlias = npt.NDArray[np.uint8]
UInt32Array: TypeAlias = npt.NDArray[np.uint32]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
AnyArray: TypeAlias = npt.NDArray[Any]

A = TypeVar("A", bound=AnyArray)


def read_only(array: A) -> A:
    """The same array, made read-only.

    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    array.flags.writeable = False
    return array


NO_MOVE = -1
"""In a ``move`` array: the position is terminal (or absorbing), so there is no move."""

NO_DISTANCE = -1
"""In a ``distance`` array: no player forces an end, and the players do not agree on one."""

NO_WINNER = -1
"""In a ``winner`` array: a draw."""

UNDECIDED = 2
"""In a ``label``, ``winner`` or ``level`` array: nobody knows who wins; see the module's head."""

NO_CREDIT = -1
"""In a ``credit`` array: no initial credit suffices."""


OPEN = 2
"""The outcome of a position in which play goes on: not −1, 0 or +1, which end it."""

LARGEST_POSITION = (1 << 63) - 2
"""The largest position of compiled rules; their positions are integers from 0 to this number."""


class Label(IntEnum):
    """The result for the player to move under best play; ``UNDECIDED`` is the lack of one.

    >>> -Label.WIN == Label.LOSE
    True
    >>> max(Label.LOSE, Label.DRAW).name
    'DRAW'
    """

    LOSE = -1
    DRAW = 0
    WIN = 1
    UNDECIDED = UNDECIDED


class Player(IntEnum):
    """The two players. Player 0 moves first unless a game is inverted.

    >>> Player.ONE.other
    <Player.ZERO: 0>
    """

    ZERO = 0
    ONE = 1

    @property
    def other(self) -> "Player":
        """The opponent."""
        return Player(1 - self)
