"""The positions found so far whose keys are in a range; see :mod:`.exploring`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._kernels.positions.hash_table import EMPTY, WAITING
from zermelo._kernels.positions.shares import (
    CAPACITY,
    FOUND,
    HIGH,
    LOW,
    MISSED,
    STATE_SIZE,
    TOP,
    put_on_marks,
    put_on_table,
)
from zermelo.engines.jobs.records import Seal
from zermelo.labels import AnyArray, Int64Array

MAX_LOAD = 0.75
"""The share of the slots of a hash table that may be taken."""

MIN_SLOTS = 16
"""Slots of the smallest hash table, and indices of the smallest range of marks."""

SCANNED_SLOTS = 1 << 18
"""Slots that are looked through at a time."""


class KeyRange(ABC):
    """The positions found with keys from ``low`` to ``high`` − 1."""

    put: Any
    """The kernel that puts keys into the range."""
    dtype: Any
    """The type of its content."""

    def __init__(self, low: int, high: int, name: str) -> None:
        self.low, self.high, self.name = low, high, name
        self.state = np.zeros(STATE_SIZE, np.int64)
        self.state[LOW], self.state[HIGH] = low, high
        self.content: AnyArray | None = None
        """The marks or the hash table; None while it is in its file, or while it is empty."""
        self.inbox: list[Int64Array] = []
        self.stored = 0
        """Keys of the inbox that are in a file."""
        self.emptied = 0
        """How often the inbox was emptied."""
        self.saved: Seal | None = None
        """The file of the last snapshot, None if the range has changed since."""
        self.used = False
        self.scan = 0
        """Where the search for positions that wait goes on."""

    @abstractmethod
    def empty(self) -> AnyArray:
        """The content of a new range."""

    @abstractmethod
    def waits(self, part: AnyArray) -> AnyArray:
        """Which elements of a part of the content belong to positions that wait."""

    @abstractmethod
    def packed(self) -> AnyArray:
        """The content for a snapshot."""

    @abstractmethod
    def unpack(self, stored: AnyArray) -> None:
        """Take the content from a snapshot."""

    @abstractmethod
    def keys(self) -> Iterator[Int64Array]:
        """The keys of all positions, sorted, in pieces."""

    @property
    def array(self) -> AnyArray:
        """The marks or the hash table, which must be in memory."""
        assert self.content is not None
        return self.content

    @property
    def inbox_name(self) -> str:
        """The name of the file for keys that memory has no room for."""
        return f"{self.name}.inbox-{self.emptied}"

    @property
    def found(self) -> int:
        """The number of positions."""
        return int(self.state[FOUND])

    @property
    def pending(self) -> int:
        """The number of keys in the inbox."""
        return self.stored + sum(keys.size for keys in self.inbox)

    @property
    def active(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.pending or self.state[MISSED])


class Marks(KeyRange):
    """Positions with an index: a byte for each index of the interval."""

    put = put_on_marks
    dtype = np.uint8

    def empty(self) -> AnyArray:
        """No marks."""
        return np.zeros(self.high - self.low, np.uint8)

    def waits(self, part: AnyArray) -> AnyArray:
        """Positions that wait have a mark of their own."""
        waiting: AnyArray = part == WAITING
        return waiting

    def packed(self) -> AnyArray:
        """The marks themselves."""
        return self.array

    def unpack(self, stored: AnyArray) -> None:
        """The marks themselves."""
        self.content = stored
        self.state[FOUND], self.state[MISSED] = np.count_nonzero(stored), 1

    def keys(self) -> Iterator[Int64Array]:
        """The indices that are marked."""
        for start in range(0, self.array.size, SCANNED_SLOTS):
            yield np.flatnonzero(self.array[start : start + SCANNED_SLOTS]) + (start + self.low)


class Slots(KeyRange):
    """Positions without an index: a hash table of keys, ``~key`` for those that wait."""

    put = put_on_table
    dtype = np.int64

    def empty(self) -> AnyArray:
        """A small table."""
        return self.sized(MIN_SLOTS)

    def sized(self, slots: int) -> AnyArray:
        """An empty table; the state says that it is empty."""
        self.state[FOUND], self.state[CAPACITY] = 0, int(MAX_LOAD * slots)
        return np.full(slots, EMPTY, np.int64)

    def waits(self, part: AnyArray) -> AnyArray:
        """Keys of positions that wait are inverted."""
        waiting: AnyArray = (part < 0) & (part != EMPTY)
        return waiting

    def packed(self) -> AnyArray:
        """The slots that are taken, as the kernel takes them."""
        kept: AnyArray = ~self.array[self.array != EMPTY]
        return kept

    def unpack(self, stored: AnyArray) -> None:
        """Make a table with room for some more."""
        self.refill(stored, max(MIN_SLOTS, int(stored.size / MAX_LOAD) + 1))

    def refill(self, kept: AnyArray, size: int) -> None:
        """Make a new table; which positions wait must be looked for."""
        self.content = self.sized(size)
        self.put(self.content, kept, np.zeros(1, np.int64), self.state)
        self.state[TOP], self.state[MISSED] = 0, 1
        self.used = True

    def split(self, other: "Slots") -> None:
        """Divide the interval at the median of the keys."""
        kept, size = self.packed(), self.array.size
        keys = np.where(kept < 0, ~kept, kept)
        middle = int(np.partition(keys, keys.size // 2)[keys.size // 2])
        self.high = other.low = self.state[HIGH] = other.state[LOW] = middle
        self.refill(kept[keys < middle], size)
        other.refill(kept[keys >= middle], size)

    def keys(self) -> Iterator[Int64Array]:
        """The keys of the table, sorted."""
        keys: Int64Array = self.array[self.array != EMPTY]
        np.bitwise_not(keys, out=keys, where=keys < 0)
        keys.sort()
        yield keys
