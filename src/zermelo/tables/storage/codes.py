"""Entries: what a table knows of a position, in files, while solving, and in memory.

**In files** an entry is a kind, and a distance where the kind carries one. Where the players take
turns, a *win carries no distance*: some move of a won position leads to a lost one, and the
distance is 1 + the least of those. So a table holds distances of lost and tied positions only, and
a won position needs only its kind.

Kinds are numbers of the file format; what users see are :class:`~zermelo.labels.Label`.

**While solving** an entry is one unsigned integer: the label of a position, and the distance to the
end. An *entry* of 16 bits has two bits for what the player to move gets in its highest bits, and a
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

**In memory** one small number tells kind and distance of an entry that was read. The kinds of a
table come one after the other, each with as many numbers as it has distances. A table has few kinds
and a few hundred distances, so that a number has 8 or 16 bits.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int32Array, UInt8Array
from zermelo.tables.storage.planes import unpack, unshuffle

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
        self.dtype: Any = np.min_scalar_type(self.count - 1)
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
