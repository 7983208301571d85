"""Sort positions and their entries together, in place.

American flag sort: of a stretch of the array, count how often each value of a digit of eight bits
occurs, which says where each value's bucket begins, then put every element into its bucket by
exchanges; then sort the buckets by the next digit. O(n) for each of up to eight digits; short
stretches by insertion.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import AnyArray, Int64Array

DIGIT = 8
VALUES = 1 << DIGIT
SHORT = 24
"""Stretches of up to so many elements are sorted by insertion."""

STACK = 3 * 8 * VALUES
"""The size of the list of stretches still to be sorted."""


@kernel
def take_together(keys: Int64Array, entry: AnyArray) -> int:
    """Move all slots with an entry to the front, in order; return how many there are."""
    count = 0
    for i in range(len(entry)):
        if entry[i] != 0:
            keys[count] = keys[i]
            entry[count] = entry[i]
            count += 1
    return count


@kernel
def deal(
    keys: Int64Array, entry: AnyArray, start: int, stop: int, shift: int, ends: Int64Array
) -> None:
    """Sort a stretch by one digit; ``ends`` gets where each bucket ends, then where it begins.

    It has VALUES elements for either.
    """
    for d in range(2 * VALUES):
        ends[d] = 0
    for i in range(start, stop):
        ends[VALUES + (keys[i] >> shift & (VALUES - 1))] += 1
    total = start
    for d in range(VALUES):
        total += ends[VALUES + d]
        ends[d] = total
        ends[VALUES + d] = total - ends[VALUES + d]
    # Invariant: of bucket d what lies before ends[VALUES + d] belongs there.
    for d in range(VALUES):
        while ends[VALUES + d] < ends[d]:
            i = ends[VALUES + d]
            b = keys[i] >> shift & (VALUES - 1)
            if b != d:
                j = ends[VALUES + b]
                keys[i], keys[j] = keys[j], keys[i]
                entry[i], entry[j] = entry[j], entry[i]
            ends[VALUES + b] += 1
    total = start
    for d in range(VALUES):
        ends[VALUES + d] = total
        total = ends[d]


@kernel
def sort_pairs(
    keys: Int64Array,
    entry: AnyArray,
    stretch: tuple[int, int, int],
    ends: Int64Array,
    stack: Int64Array,
) -> None:
    """Sort a stretch ``(start, stop, shift)`` by the digit at ``shift`` and all lower ones."""
    stack[0], stack[1], stack[2] = stretch
    left = 1
    while left:
        left -= 1
        start, stop, shift = stack[3 * left], stack[3 * left + 1], stack[3 * left + 2]
        if stop - start <= SHORT:
            for i in range(start + 1, stop):
                k, e = keys[i], entry[i]
                j = i
                while j > start and keys[j - 1] > k:
                    keys[j] = keys[j - 1]
                    entry[j] = entry[j - 1]
                    j -= 1
                keys[j] = k
                entry[j] = e
            continue
        deal(keys, entry, start, stop, shift, ends)
        if shift:
            for d in range(VALUES):
                if ends[d] - ends[VALUES + d] > 1:
                    stack[3 * left], stack[3 * left + 1] = ends[VALUES + d], ends[d]
                    stack[3 * left + 2] = shift - DIGIT
                    left += 1
