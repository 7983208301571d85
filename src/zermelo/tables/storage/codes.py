"""The content of an entry of a table: a kind, and a distance where the kind carries one.

Where the players take turns, a *win carries no distance*: some move of a won position leads to a
lost one, and the distance is 1 + the least of those. So a table holds distances of lost and tied
positions only, and a won position needs only its kind.

Kinds are numbers of the file format; what users see are :class:`~zermelo.labels.Label`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int32Array

UInt8Array = npt.NDArray[np.uint8]

KINDS = (
    "win",
    "lose-in",
    "tie-in",
    "draw",
    "lose-ever",
    "win-in",
    "win-ever",
    "absent",
    "free",
    "won",
    "lost",
    "tied",
)
"""The kinds of entries, as headers name them, by number.

Those that end with ``-in`` have a distance; those with ``-ever``, and ``draw``, are values of
infinite play. Of a ``win``, the moves show which of the two it is; ``win-in`` and ``win-ever`` are
for games in which a player may move twice in succession, so that the moves do not show it.
``absent`` is a position that play does not reach, ``free`` an index that is no position: its entry
may be anything. ``won``, ``lost``, ``tied``, ``draw`` and ``absent`` are the kinds of a table of
labels alone. In a table with distances to conversion, ``tied`` is a tie.
"""

(
    KIND_WIN,
    KIND_LOSE_IN,
    KIND_TIE_IN,
    KIND_DRAW,
    KIND_LOSE_EVER,
    KIND_WIN_IN,
    KIND_WIN_EVER,
    KIND_ABSENT,
    KIND_FREE,
    KIND_WON,
    KIND_LOST,
    KIND_TIED,
) = range(len(KINDS))

STORED = (KIND_LOSE_IN, KIND_TIE_IN, KIND_WIN_IN)
"""The kinds whose distances are written."""

ALONE = (KIND_DRAW, KIND_ABSENT, KIND_WON, KIND_LOST, KIND_TIED)
"""The kinds of entries in a table of labels alone."""

TO_CONVERSION = (
    KIND_WIN, KIND_LOSE_IN, KIND_DRAW, KIND_WIN_IN, KIND_ABSENT, KIND_TIED,
)  # fmt: skip
"""The kinds of entries in a table with distances to conversion."""

LABELS = (1, -1, 0, 0, -1, 1, 1, 0, 0, 1, -1, 0)
"""The label of each kind, as a number."""

COUNTS_ALONE = ("positions", "win", "lose", "tie", "draw")
"""The names of the counts in the header of a table of labels alone."""

COUNTS = (*COUNTS_ALONE, "longest_win", "longest_lose")
"""The names of the counts in other headers."""

ENDING_WINS, ENDING_LOSSES = (KIND_WIN, KIND_WIN_IN), (KIND_LOSE_IN,)
"""The kinds of wins and of losses that may have a distance."""


KINDS_ALONE = np.array(
    [
        KIND_WON, KIND_LOST, KIND_TIED, KIND_DRAW, KIND_LOST, KIND_WON, KIND_WON, KIND_ABSENT,
        KIND_FREE, KIND_WON, KIND_LOST, KIND_TIED,
    ],
    np.uint8,
)  # fmt: skip
"""What each kind is in a table of labels alone."""


@dataclass(frozen=True)
class Chunk:
    """Consecutive entries: their kinds, and distances where the kind carries one."""

    kind: UInt8Array
    distance: Int32Array

    @classmethod
    def of(cls, label: Int8Array, distance: Int32Array, turns: bool = True) -> "Chunk":
        """Entries from labels and distances; ``turns`` if the players take turns.

        >>> Chunk.of(np.array([1, -1, 0], np.int8), np.array([3, 2, -1], np.int32)).kind
        array([0, 1, 3], dtype=uint8)
        """
        return cls(kinds_of(turns)[(distance != NO_DISTANCE).astype(np.int8), label + 1], distance)

    @property
    def to_conversion(self) -> "Chunk":
        """The same entries for a table with distances to conversion, where ties have none.

        >>> Chunk(np.array([0, 1, 2], np.uint8), np.array([3, 2, 0], np.int32)).to_conversion
        Chunk(kind=array([ 0,  1, 11], dtype=uint8), distance=array([ 3,  2, -1], dtype=int32))
        """
        tied = self.kind == KIND_TIE_IN
        distance = np.where(tied, np.int32(NO_DISTANCE), self.distance)
        return Chunk(np.where(tied, np.uint8(KIND_TIED), self.kind), distance)


def kinds_of(turns: bool) -> AnyArray:
    """The kind by whether there is a distance (0 or 1) and by 1 + the label.

    >>> [KINDS[kind] for kind in kinds_of(True)[1]]
    ['lose-in', 'tie-in', 'win']
    """
    return np.array(
        [
            [KIND_LOSE_EVER, KIND_DRAW, KIND_WIN if turns else KIND_WIN_EVER],
            [KIND_LOSE_IN, KIND_TIE_IN, KIND_WIN if turns else KIND_WIN_IN],
        ],
        np.uint8,
    )


@dataclass(frozen=True)
class Scale:
    """Distances of a kind: ``base + step · code``, codes from 0 to ``most``."""

    base: int
    step: int
    most: int

    @property
    def longest(self) -> int:
        """The longest distance.

        >>> Scale(2, 2, 9).longest
        20
        """
        return self.base + self.step * self.most

    @property
    def width(self) -> int:
        """Bytes of a code."""
        return 1 if self.most < 1 << 8 else 2 if self.most < 1 << 16 else 4

    @classmethod
    def covering(cls, low: int, high: int, parities: set[int]) -> "Scale":
        """The scale of distances from ``low`` to ``high``; one parity halves the codes.

        >>> Scale.covering(2, 10, {0})
        Scale(base=2, step=2, most=4)
        """
        step = 2 if len(parities) == 1 else 1
        return cls(low, step, (high - low) // step)
