"""The division of the positions into partitions, which are ranges of position numbers.

The bounds of the ranges are multiples of a block of ``2**bits`` positions, so that a small table
tells the partition of every position.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.terminal.partitioned import Places
from zermelo.errors import InvalidOptionError
from zermelo.labels import AnyArray, Int32Array, Int64Array

MAX_BLOCKS = 1 << 14
"""The largest number of blocks; their table stays in the cache."""

MAX_PARTITIONS = 1 << 12

MOVE_BYTES = 4
"""Memory for a reverse move."""


def position_bytes(shift: int) -> int:
    """Memory for a position: its row of reverse moves, its situations and marks of messages.

    >>> position_bytes(0), position_bytes(1)
    (18, 28)
    """
    return 8 + 10 * (1 << shift)


def partition_bytes(positions: int, moves: int, shift: int) -> int:
    """Memory for a partition.

    >>> partition_bytes(1000, 3000, 0)
    30000
    """
    return positions * position_bytes(shift) + moves * MOVE_BYTES


def block_bits(n: int) -> int:
    """The logarithm of the size of a block.

    >>> block_bits(1000), block_bits(10**8)
    (0, 13)
    """
    return max(0, (max(n, 1) - 1) // MAX_BLOCKS).bit_length()


@dataclass(frozen=True)
class Division:
    """Partition q has the positions ``first[q] … first[q + 1] - 1``."""

    first: tuple[int, ...]
    bits: int

    @property
    def size(self) -> int:
        """The number of partitions."""
        return len(self.first) - 1

    @property
    def n(self) -> int:
        """The number of positions."""
        return self.first[-1]

    def count(self, q: int) -> int:
        """The number of positions of a partition."""
        return self.first[q + 1] - self.first[q]

    @property
    def largest(self) -> int:
        """The number of positions of the largest partition."""
        return max(self.count(q) for q in range(self.size))

    @cached_property
    def starts(self) -> Int64Array:
        """The first position of each partition, and the number of all."""
        return np.array(self.first, np.int64)

    @cached_property
    def home(self) -> Int32Array:
        """The partition of each block."""
        blocks = np.arange((self.n >> self.bits) + 1, dtype=np.int64) << self.bits
        home = np.searchsorted(self.starts[1:-1], blocks, side="right")
        return home.astype(np.int32)

    def places(self, q: int) -> Places:
        """The record for the kernels of one partition."""
        return Places(self.home, self.starts, self.bits, q)

    def spec(self) -> dict[str, Any]:
        """The division as plain data."""
        return {"first": list(self.first), "bits": self.bits}

    @classmethod
    def from_spec(cls, data: dict[str, Any]) -> "Division":
        """The inverse of :meth:`spec`."""
        return cls(tuple(int(v) for v in data["first"]), int(data["bits"]))


def divide(
    n: int,
    incoming: AnyArray,
    bits: int,
    shift: int,
    *,
    size: int | None,
    limit: int,
    least: int = 1,
) -> Division:
    """Divide n positions into ``size`` partitions, or into as few as fit into ``limit`` bytes each.

    ``incoming`` is the number of moves into each block. If ``size`` is None, there are ``least``
    partitions of about the same weight if these fit.

    >>> divide(10, np.full(10, 2), 0, 0, size=3, limit=0).first
    (0, 4, 7, 10)
    >>> divide(10, np.full(10, 2), 0, 0, size=None, limit=100).first
    (0, 3, 6, 9, 10)
    """
    blocks = len(incoming)
    bounds = np.minimum(np.arange(blocks + 1, dtype=np.int64) << bits, n)
    weight = np.diff(bounds) * position_bytes(shift) + incoming * MOVE_BYTES
    ends = np.cumsum(weight)
    total = int(ends[-1]) if blocks else 0
    if size is None and total <= least * limit * 7 // 8:
        size = least  # with room for partitions that are heavier than others
    if size is not None:
        wanted = np.arange(1, size) * (total / size)
        cuts = [int(c) for c in np.searchsorted(ends, wanted, side="left")]
        inner = [int(bounds[min(c + 1, blocks)]) if total else 0 for c in cuts]
        return Division((0, *inner, n), bits)
    first, begun = [0], 0
    for b in range(blocks):
        if int(ends[b]) - begun > limit and int(bounds[b]) > first[-1]:
            first.append(int(bounds[b]))
            begun = int(ends[b - 1])
    if len(first) > MAX_PARTITIONS:
        raise InvalidOptionError(
            f"memory: this budget would need {len(first):,} partitions, more than "
            f"{MAX_PARTITIONS:,}; give more memory"
        )
    return Division((*first, n), bits)
