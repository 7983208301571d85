"""Entries, one unsigned integer each: the label of a position, and the distance to the end.

An *entry* of 16 bits has two bits for what the player to move gets in its highest bits, and a
distance in the other 14::

    bits 00           no position (the whole entry is 0)
    bits 01           the player to move loses
    bits 10           neither wins: a tie, or a draw by infinite play
    bits 11           the player to move wins
    distance          plies to the end under best play; all bits set: play need not end

So the two bits are 2 plus the label; a *tie* has a distance and a *draw* has none. Entries of 32
bits, used where play is longer than 16,382 plies or positions have more than 8,000 moves, have 30
bits of distance. While a game is being solved, entries with bits 00 other than 0 are undecided
positions.
"""

from typing import Any

import numpy as np

from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int32Array


def bits_of(entry: AnyArray) -> int:
    """How many bits of an entry are its distance: 14, or 30.

    >>> bits_of(np.zeros(1, np.uint16))
    14
    """
    return 8 * entry.itemsize - 2


def pack(label: AnyArray, distance: AnyArray, dtype: Any = None) -> AnyArray:
    """Entries of positions with these labels and distances, by default as short as possible.

    >>> pack(np.array([1, -1, 0]), np.array([1, 0, NO_DISTANCE])).tolist()
    [49153, 16384, 49151]
    """
    if dtype is None:
        dtype = np.uint16 if int(distance.max(initial=0)) < 2**14 - 1 else np.uint32
    none = 2 ** (8 * np.dtype(dtype).itemsize - 2) - 1
    far = np.where(distance == NO_DISTANCE, none, distance).astype(np.int64)
    entries: AnyArray = ((label.astype(np.int64) + 2) * (none + 1) + far).astype(dtype)
    return entries


def labels(entry: AnyArray) -> Int8Array:
    """The labels of entries; of no position, 0.

    >>> labels(np.array([49153, 16384, 49151, 0], np.uint16)).tolist()
    [1, -1, 0, 0]
    """
    label: Int8Array = np.array([0, -1, 0, 1], np.int8)[entry >> bits_of(entry)]
    return label


def distances(entry: AnyArray) -> Int32Array:
    """The distances of entries; NO_DISTANCE where there is none.

    >>> distances(np.array([49153, 16384, 49151, 0], np.uint16)).tolist()
    [1, 0, -1, -1]
    """
    none: Any = (1 << bits_of(entry)) - 1
    distance: Int32Array = (entry & entry.dtype.type(none)).astype(np.int32)
    distance[(distance == none) | (entry == 0)] = NO_DISTANCE
    return distance
