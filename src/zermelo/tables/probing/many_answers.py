"""The answers at many positions at once, as arrays."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int32Array, Int64Array, UInt8Array
from zermelo.tables.storage.codes import KIND_LOSE_IN, KIND_TIE_IN, KIND_TIED, LABELS

LABEL_OF = np.array(LABELS, np.int8)
"""The label of each kind."""

FAR = 1 << 30
"""More than any distance."""

TIES = (KIND_TIE_IN, KIND_TIED)
"""The kinds of ties."""


@dataclass(frozen=True)
class Probes:
    """The answers of :meth:`~zermelo.SolvedGame.probe_many`.

    >>> import zermelo as zm
    >>> found = zm.solve(zm.game("nim:1,2")).probe_many(["1+2", "1+1"], moves=True)
    >>> found.label.tolist(), found.distance.tolist(), found.move
    ([1, -1], [3, 2], ['1+1', '1'])
    """

    label: Int8Array
    """1 where the player to move wins, −1 where this player loses, else 0."""
    distance: Int32Array
    """Plies to the end, −1 where play need not end, and everywhere in a table of labels alone."""
    present: AnyArray
    """False where the position has no entry; its label is 0 and its distance −1."""
    move: Any = None
    """The position after a best move, if moves were asked for. For an array of positions it is an
    array, with −1 where there is no move; else it is a list, with None there."""
    tied: AnyArray = field(default_factory=lambda: np.zeros(0, np.bool_))
    """True where neither player wins and play ends; a draw by infinite play has False."""

    def __len__(self) -> int:
        """How many positions were asked for."""
        return int(self.label.size)


def win_distances(kind: UInt8Array, distance: Int32Array, start: Int64Array) -> Int32Array:
    """The distances of won positions, from the kinds and distances after their moves.

    The distance is 1 + the least distance of a lost position after a move; 0 where play is over.

    >>> kind, distance = np.array([1, 0, 1], np.uint8), np.array([4, -1, 2], np.int32)
    >>> win_distances(kind, distance, np.array([0, 3, 3])).tolist()
    [3, 0]
    """
    least = segment_minimum(np.where(kind == KIND_LOSE_IN, distance, FAR), start)
    least[start[1:] == start[:-1]] = -1
    return np.where(least == FAR, NO_DISTANCE, least + 1).astype(np.int32)


def segment_minimum(values: AnyArray, start: Int64Array) -> AnyArray:
    """The least value in each of the segments that begin at ``start``; FAR in one without values.

    >>> segment_minimum(np.array([5, 3, 4]), np.array([0, 2, 2, 3])).tolist()
    [3, 1073741824, 4]
    """
    filled = start[1:] > start[:-1]
    if filled.all():
        return np.minimum.reduceat(values, start[:-1]).astype(np.int64)
    least = np.full(start.size - 1, FAR, np.int64)
    if filled.any():
        least[filled] = np.minimum.reduceat(values, start[:-1][filled])
    return least


def chosen(items: Any, which: AnyArray) -> Any:
    """The items of an array or of a list at some numbers.

    >>> chosen(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    return items[which] if isinstance(items, np.ndarray) else [items[k] for k in which.tolist()]
