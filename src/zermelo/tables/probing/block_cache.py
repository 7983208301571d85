"""The decoded blocks of a table: those used last are kept, up to a limit in bytes.

All kept blocks share one array for entries, each of which is one number
(:mod:`zermelo.tables.storage.codes`), and one for keys, with a row (*slot*) for each block. So one
call of NumPy reads many entries, and a kernel finds all that a probe needs. When all slots are
filled, the block that was used least recently makes room. One thread at a time reads or fills the
arrays.

The arrays belong to one process. Processes that read the same table share the compressed bytes,
which the operating system keeps in its page cache.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._kernels.tables.answer import SHIFT, DecodedBlocks
from zermelo._runtime.forks import keep_whole
from zermelo.labels import AnyArray, Int32Array, Int64Array, UInt8Array
from zermelo.tables.storage.codes import Coding, Scale

BLOCK = 1 << SHIFT
"""Entries of a block."""

CACHE_BYTES = 1 << 28
"""Bytes of decoded blocks that are kept, unless another limit is given."""

TEXT_OVERHEAD_BYTES = 60
"""Bytes that Python takes for a text, beside its characters."""


@dataclass(frozen=True)
class Block:
    """Decoded entries: kinds, distances where the kind carries one, keys that are no index."""

    kind: UInt8Array
    distance: AnyArray
    keys: Any = None
    """An array of numbers or a sequence of texts or names; None where keys are an index."""


@dataclass(frozen=True)
class Coded:
    """The entries of a block as they are kept, and keys that are no index."""

    code: AnyArray
    keys: Any = None
    """An array of numbers or a list of texts; None where keys are an index."""


def distance_type(scales: dict[int, Scale], more: int = 0) -> npt.DTypeLike:
    """The smallest type of integers that holds all stored distances of a table, and ``more``.

    >>> distance_type({1: Scale(0, 2, 100)})
    <class 'numpy.int16'>
    """
    longest = more + max((scale.longest for scale in scales.values()), default=0)
    return np.int8 if longest < 1 << 7 else np.int16 if longest < 1 << 15 else np.int32


class BlockCache:
    """The blocks of a table that were used last; ``read`` decodes one block."""

    def __init__(
        self,
        blocks: int,
        coding: Coding,
        numbered: bool,
        limit: int,
        read: Callable[[int], Coded],
    ) -> None:
        each = BLOCK * (np.dtype(coding.dtype).itemsize + 8 * numbered)
        self.slots = max(1, min(blocks, limit // each))
        """How many blocks are kept at most."""
        self.blocks = blocks
        shape = (self.slots, BLOCK)
        self.coding, self._read = coding, read
        self._code = np.empty(shape, coding.dtype)
        self._numbers = np.empty(shape if numbered else (0, 0), np.int64)
        self._texts: OrderedDict[int, list[str]] = OrderedDict()  # by block, those used last at end
        self._limit, self._text_bytes = limit, 0
        self._where = np.full(blocks, -1, np.int64)  # the slot of each block, −1 if it has none
        self._holds = np.full(self.slots, -1, np.int64)  # the block in each slot
        self._size = np.zeros(self.slots, np.int64)
        self._used = np.zeros(self.slots, np.int64)  # the time of the last use of each slot
        self._time = 0
        self.lock = threading.RLock()
        keep_whole(self, "the table")

    def decoded_blocks(
        self, first: Int64Array, start: Int64Array, shift: Int64Array
    ) -> DecodedBlocks:
        """The arrays for a kernel that finds entries; see there."""
        flat = self._code.reshape(-1), self._numbers.reshape(-1)
        return DecodedBlocks(self._where, *flat, self._size, self._used, first, start, shift)

    def tick(self) -> int:
        """A new time; what is used now was used later than all before."""
        self._time += 1
        return self._time

    def require(self, numbers: list[int]) -> None:
        """Decode blocks, not more than can be kept, unless they are there."""
        for number in numbers:
            self._slot(number)

    @property
    def held(self) -> list[int]:
        """The numbers of the blocks that are kept, in ascending order."""
        return np.flatnonzero(self._where >= 0).tolist()

    def _slot(self, number: int) -> int:
        """The slot of a block, which is decoded if it is not kept."""
        self._time += 1
        slot: int = self._where.item(number)
        if slot < 0:
            block = self._read(number)
            slot = int(self._used.argmin())
            if (old := self._holds.item(slot)) >= 0:
                self._where[old] = -1
            size = block.code.size
            self._holds[slot] = -1  # until the slot is filled
            self._code[slot, :size] = block.code
            if self._numbers.size:
                self._numbers[slot, :size] = block.keys
            self._size[slot] = size
            self._holds[slot], self._where[number] = number, slot
            if isinstance(block.keys, list) and number not in self._texts:
                self._keep(number, block.keys)
        self._used[slot] = self._time
        return slot

    def block(self, number: int) -> Block:
        """A copy of a decoded block."""
        with self.lock:
            slot = self._slot(number)
            size = self._size.item(slot)
            keys: Any = self._numbers[slot, :size].copy() if self._numbers.size else None
            keys = self.texts(number) if self._texts else keys
            return Block(*self.coding.entries(self._code[slot, :size]), keys)

    def entry(self, place: int) -> tuple[int, int]:
        """Kind and distance of one entry."""
        with self.lock:
            slot, i = self._slot(place >> SHIFT), place & BLOCK - 1
            return self.coding.entry(self._code.item(slot, i))

    def entries(self, places: Int64Array) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of many entries; each block is decoded at most once."""
        numbers = places >> SHIFT
        with self.lock:
            slots = self._where[numbers]
            if slots.min(initial=0) < 0:
                wanted = np.unique(numbers)
                if wanted.size > self.slots:
                    return self._entries_in_parts(places, numbers, wanted)
                self._time += 1
                self._used[slots[slots >= 0]] = self._time  # those that are kept stay
                for number in wanted[self._where[wanted] < 0].tolist():
                    self._slot(number)
                slots = self._where[numbers]
            self._time += 1
            self._used[slots] = self._time
            inside = places & BLOCK - 1
            return self.coding.entries(self._code[slots, inside])

    def _entries_in_parts(
        self, places: Int64Array, numbers: Int64Array, wanted: Int64Array
    ) -> tuple[UInt8Array, Int32Array]:
        """Do what :meth:`entries` does for more blocks than can be kept."""
        order = np.argsort(numbers, kind="stable")
        cuts = np.searchsorted(numbers[order], wanted[:: self.slots])
        kind, distance = np.empty(places.size, np.uint8), np.empty(places.size, np.int32)
        for part in np.split(order, cuts[1:]):
            kind[part], distance[part] = self.entries(places[part])
        return kind, distance

    def find_number(self, number: int, key: int) -> int:
        """The place of an entry by its key and the number of its block, or −1."""
        with self.lock:
            slot = self._slot(number)
            row = self._numbers[slot, : self._size.item(slot)]
            i = int(row.searchsorted(key))
            return number << SHIFT | i if i < row.size and row.item(i) == key else -1

    def find_numbers(self, number: int, keys: Int64Array) -> Int64Array:
        """The places of entries of one block by their keys, −1 where there is none."""
        with self.lock:
            slot = self._slot(number)
            row = self._numbers[slot, : self._size.item(slot)]
            i = np.minimum(row.searchsorted(keys), row.size - 1)
            return np.where(row[i] == keys, number << SHIFT | i, -1)

    def texts(self, number: int) -> list[str]:
        """The keys of a block that are texts, which have a limit of their own."""
        with self.lock:
            if number not in self._texts:
                self._keep(number, self._read(number).keys)
            self._texts.move_to_end(number)
            return self._texts[number]

    def _keep(self, number: int, texts: list[str]) -> None:
        """Keep the texts of a block; those that were used least recently make room."""
        self._texts[number] = texts
        self._text_bytes += _size(texts)
        while self._text_bytes > self._limit and len(self._texts) > 1:
            _, dropped = self._texts.popitem(last=False)
            self._text_bytes -= _size(dropped)

    def clear(self) -> None:
        """Forget all blocks."""
        with self.lock:
            self._where[:], self._holds[:], self._used[:] = -1, -1, 0
            self._texts.clear()
            self._text_bytes = 0


def _size(texts: list[str]) -> int:
    """About the bytes of texts."""
    return sum(map(len, texts)) + TEXT_OVERHEAD_BYTES * len(texts)
