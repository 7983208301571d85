"""Entries that are kept in memory: one small number tells kind and distance.

The kinds of a table come one after the other, each with as many numbers as it has distances. A
table has few kinds and a few hundred distances, so that a number has 8 or 16 bits.
"""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from zermelo.labels import NO_DISTANCE, AnyArray, Int32Array
from zermelo.tables.storage.codes import KINDS, Scale, UInt8Array
from zermelo.tables.storage.planes import unpack, unshuffle

MAX_TABLE_CODES = 1 << 16
"""Codings with at most this many numbers have tables of their meaning."""


class Coding:
    """The numbers of all entries that a table may have.

    >>> coding = Coding((0, 1), {1: Scale(2, 2, 9)})
    >>> coding.count, coding.entry(0), coding.entry(1), coding.entry(10)
    (11, (0, -1), (1, 2), (1, 20))
    """

    def __init__(self, kinds: tuple[int, ...], scales: dict[int, Scale]) -> None:
        sizes = [scales[kind].most + 1 if kind in scales else 1 for kind in kinds]
        self.kinds, self.scales = kinds, scales
        self.first: list[int] = [0, *accumulate(sizes)]
        self.count = self.first.pop()
        self.dtype: npt.DTypeLike = np.min_scalar_type(self.count - 1)
        self.base = [scales[kind].base if kind in scales else NO_DISTANCE for kind in kinds]
        self.step = [scales[kind].step if kind in scales else 0 for kind in kinds]

    def entry(self, code: int) -> tuple[int, int]:
        """The kind and the distance of an entry."""
        if (known := self.lists) is not None:
            return known[0][code], known[1][code]
        k = bisect_right(self.first, code) - 1
        return self.kinds[k], self.base[k] + self.step[k] * (code - self.first[k])

    def entries(self, codes: AnyArray) -> tuple[UInt8Array, Int32Array]:
        """The kinds and the distances of entries.

        >>> kind, distance = Coding((0, 1), {1: Scale(2, 2, 9)}).entries(np.array([3, 0]))
        >>> kind.tolist(), distance.tolist()
        ([1, 0], [6, -1])
        """
        if (known := self.tables) is not None:
            return known[0][codes], known[1][codes]
        return self._computed(codes)

    def _computed(self, codes: AnyArray) -> tuple[UInt8Array, Int32Array]:
        k = np.searchsorted(np.array(self.first), codes, side="right") - 1
        steps = codes - np.array(self.first)[k]
        distance = np.array(self.base)[k] + np.array(self.step)[k] * steps
        return np.array(self.kinds, np.uint8)[k], distance.astype(np.int32)

    @cached_property
    def tables(self) -> tuple[UInt8Array, Int32Array] | None:
        """The kind and the distance of each number; None if there are too many."""
        return self._computed(np.arange(self.count)) if self.count <= MAX_TABLE_CODES else None

    @cached_property
    def lists(self) -> tuple[list[int], list[int]] | None:
        """The tables as lists, from which one number is read faster."""
        return None if self.tables is None else (self.tables[0].tolist(), self.tables[1].tolist())

    def codes(self, kind: UInt8Array, distance: AnyArray) -> AnyArray:
        """The numbers of entries of this coding.

        >>> Coding((0, 1), {1: Scale(2, 2, 9)}).codes(np.array([1, 0]), np.array([6, -1])).tolist()
        [3, 0]
        """
        at, step = (np.zeros(len(KINDS), np.int64) for _ in range(2))
        at[list(self.kinds)] = self.first
        step[list(self.kinds)] = [max(1, x) for x in self.step]
        base = np.full(len(KINDS), NO_DISTANCE, np.int64)
        base[list(self.kinds)] = self.base
        codes: AnyArray = at[kind] + (distance - base[kind]) // step[kind]
        return codes.astype(self.dtype)


class Decoder:
    """Decodes the blocks of a file whose planes are compressed, for entries kept by ``coding``.

    The file has ``kinds`` and ``scales`` of its own. If ``coding`` has others, its steps are 1, as
    where several files are read as one.
    """

    def __init__(
        self, kinds: tuple[int, ...], scales: dict[int, Scale], bits: int, coding: Coding
    ) -> None:
        self.coding, self._bits = coding, bits
        self._scales = {kinds.index(kind): scale for kind, scale in scales.items()}
        first = [coding.first[coding.kinds.index(kind)] for kind in kinds]
        self._steps: dict[int, int] = {}
        for symbol, own in self._scales.items():
            kept = coding.scales[kinds[symbol]]
            if own.longest > kept.longest:
                raise ValueError("a distance is longer than it says")
            first[symbol] += (own.base - kept.base) // kept.step
            self._steps[symbol] = own.step // kept.step
        self._first = np.array(first, coding.dtype)
        """The first number of each symbol."""

    def sizes(self, count: int) -> list[int]:
        """The greatest number of bytes of each plane of ``count`` entries."""
        widths = (scale.width for scale in self._scales.values())
        return [-(-self._bits * count // 8), *(width * count for width in widths)]

    def decode(self, planes: list[bytes], count: int) -> AnyArray:
        """The numbers of ``count`` entries from a plane of symbols and planes of codes.

        A fault is a ValueError.
        """
        if len(planes[0]) * 8 < self._bits * count:
            raise ValueError("expected a kind for each entry")
        symbols = unpack(planes[0], self._bits, count)
        if symbols.max() >= self._first.size:
            raise ValueError("a kind is not in the header")
        code = self._first.take(symbols)
        for (symbol, scale), data in zip(self._scales.items(), planes[1:], strict=True):
            if len(data) % scale.width:
                raise ValueError("expected whole distances")
            there, own = symbols == symbol, unshuffle(data, scale.width)
            if own.size != np.count_nonzero(there):
                raise ValueError("expected a distance for each entry that has one, and no more")
            if own.size and own.max() > scale.most:
                raise ValueError("a distance is not in the header")
            code[there] += (self._steps[symbol] * own).astype(code.dtype)
        return code
