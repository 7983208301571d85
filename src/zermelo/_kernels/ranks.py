"""Positions by falling priority.

The *rank* of a position is ``number << 1 | parity``, where number counts the higher priorities that
there are: the highest priority has number 0.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array

DIGIT = 11
"""Bits sorted at a time."""


@kernel
def count_priorities(priority: Int32Array, count: Int64Array) -> None:
    """Count the positions of each priority; requires ``count`` zeroed."""
    for v in range(len(priority)):
        count[priority[v]] += 1


@kernel
def sort_positions(
    priority: Int32Array, place: Int64Array, number: Int32Array, rank: Int32Array, work: Int32Array
) -> None:
    """Write ``rank[v] = number · 2 + parity`` and the positions by falling priority to ``work``.

    ``place[p]`` is where the positions of priority ``p`` begin, ``number[p]`` counts the higher
    priorities that there are.
    """
    for v in range(len(priority)):
        p = priority[v]
        i = place[p]
        work[i] = v
        place[p] = i + 1
        rank[v] = number[p] << 1 | (p & 1)


@kernel
def sort_by_rank(
    rank: Int32Array, work: Int32Array, top: int, start: int, into: int, count: int
) -> None:
    """Sort ``work[start:start + count]`` by rank into ``work[into:into + count]``, by digits.

    Overwrites the former, and the last part of ``work`` for its counters.
    """
    counter = len(work) - (1 << DIGIT)
    largest = 0
    for i in range(start, start + count):
        largest = max(largest, (rank[work[i]] >> 1) - top)
    digit = 4
    while digit < DIGIT and 1 << digit < count:
        digit += 1
    buckets = 1 << digit
    source, target = start, into
    shift = 0
    # Invariant: work[source:source + count] is sorted, stably, by the lowest shift bits.
    while largest >> shift:
        for b in range(buckets):
            work[counter + b] = 0
        for i in range(source, source + count):
            work[counter + (((rank[work[i]] >> 1) - top) >> shift & (buckets - 1))] += 1
        place = target
        for b in range(buckets):
            size = work[counter + b]
            work[counter + b] = place
            place += size
        for i in range(source, source + count):
            v = work[i]
            b = counter + (((rank[v] >> 1) - top) >> shift & (buckets - 1))
            work[work[b]] = v
            work[b] += 1
        source, target = target, source
        shift += digit
    if source != into:
        for i in range(count):
            work[into + i] = work[start + i]
