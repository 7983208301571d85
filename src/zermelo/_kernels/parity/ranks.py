"""Positions by falling priority.

The *rank* of a position is ``number << 1 | parity``, where ``number`` counts the higher priorities
that occur: the highest priority has number 0.
"""

from typing import NamedTuple

import numpy as np

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array

DIGIT = 11
"""Bits that are sorted at a time."""


class Ranks(NamedTuple):
    """The positions sorted by falling priority."""

    rank: Int32Array
    order: Int32Array
    """The positions by rising rank."""
    first: Int64Array
    """Where the positions of each number begin in ``order``."""
    counters: Int32Array
    """Scratch of ``sort_by_rank``: 2 ** DIGIT entries."""


@kernel
def count_priorities(priority: Int32Array, count: Int64Array) -> None:
    """Count the positions of each priority; requires ``count`` zeroed."""
    for v in range(len(priority)):
        count[priority[v]] += 1


@kernel
def sort_positions(
    priority: Int32Array, place: Int64Array, number: Int32Array, rank: Int32Array, order: Int32Array
) -> None:
    """Write ``rank[v] = number · 2 + parity`` and the positions by falling priority to ``order``.

    ``place[p]`` is where the positions of priority ``p`` begin, ``number[p]`` counts the higher
    priorities that occur.
    """
    for v in range(len(priority)):
        p = priority[v]
        i = place[p]
        order[i] = v
        place[p] = i + 1
        rank[v] = number[p] << 1 | (p & 1)


@kernel
def sort_by_rank(
    ranks: Ranks,
    top: int,
    source: Int32Array,
    start: int,
    target: Int32Array,
    into: int,
    count: int,
) -> None:
    """Sort ``source[start:start + count]`` by rank into ``target[into:into + count]``, by digits.

    No position has a number below ``top``. Overwrites the source, too.
    """
    rank, counters = ranks.rank, ranks.counters
    largest = 0
    for i in range(start, start + count):
        largest = max(largest, (rank[source[i]] >> 1) - top)
    digit = 4
    while digit < DIGIT and 1 << digit < count:
        digit += 1
    buckets = 1 << digit
    arrived = False
    shift = 0
    # Invariant: source[start:start + count] is sorted, stably, by the lowest shift bits. Source and
    # target change places after each digit; ``arrived`` tells whether the source is the target.
    while largest >> shift:
        for b in range(buckets):
            counters[b] = 0
        for i in range(start, start + count):
            counters[((rank[source[i]] >> 1) - top) >> shift & (buckets - 1)] += 1
        place = into
        for b in range(buckets):
            size = counters[b]
            counters[b] = place
            place += size
        for i in range(start, start + count):
            v = source[i]
            b = ((rank[v] >> 1) - top) >> shift & (buckets - 1)
            target[counters[b]] = v
            counters[b] += 1
        source, target = target, source
        start, into = into, start
        arrived = not arrived
        shift += digit
    if not arrived:
        for i in range(count):
            target[into + i] = source[start + i]


def ranked(priority: Int32Array) -> Ranks:
    """The positions sorted by decreasing priority, with arrays for kernels that sort them again.

    >>> ranks = ranked(np.array([3, 8, 3], np.int32))
    >>> ranks.rank.tolist(), ranks.order.tolist(), ranks.first.tolist()
    ([3, 0, 3], [1, 0, 2], [0, 1])
    """
    n = len(priority)
    if int(priority.max(initial=0)) > 4 * n + 1024:
        # The priorities are too large for an array with an entry for each priority.
        values, place_of = np.unique(priority, return_inverse=True)
        place_of = place_of.reshape(-1)
        priority = (2 * place_of + (values & 1)[place_of]).astype(np.int32)
    count = np.zeros(int(priority.max(initial=0)) + 1, np.int64)
    count_priorities(priority, count)
    occurs = (count > 0)[::-1]
    number: Int32Array = (np.cumsum(occurs) - occurs)[::-1].astype(np.int32)
    place = np.zeros_like(count)
    place[:-1] = np.cumsum(count[:0:-1])[::-1]
    first = place[count > 0][::-1].copy()
    rank, order = np.empty(n, np.int32), np.empty(n, np.int32)
    sort_positions(priority, place, number, rank, order)
    return Ranks(rank, order, first, np.zeros(1 << DIGIT, np.int32))
