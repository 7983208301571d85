"""Sort positions and their entries together, in place.

This is American flag sort. In a stretch of the array, count how often each value of a digit of
eight bits occurs; this determines where the bucket of each value begins. Put every element into its
bucket by exchanges, and then sort the buckets by the next digit. O(n) for each of up to eight
digits. Short stretches are sorted by insertion.
"""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

DIGIT = 8
"""The number of bits of a digit."""
VALUES = 1 << DIGIT
"""The number of values of a digit."""
MAX_INSERTION_LENGTH = 24
"""Stretches of at most this many elements are sorted by insertion."""

STACK = 3 * 8 * VALUES
"""The size of the stack of stretches that are still to be sorted, three numbers each."""


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
    """Sort the stretch ``start … stop`` by the digit at ``shift``.

    Fills ``ends``: bucket d is then ``keys[ends[VALUES + d]:ends[d]]``.
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
    # Invariant: the elements of bucket d before ends[VALUES + d] belong there.
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
    """Sort a stretch ``(start, stop, shift)`` by the digit at ``shift`` and all lower digits."""
    stack[0], stack[1], stack[2] = stretch
    stacked = 1
    while stacked:
        stacked -= 1
        start, stop, shift = stack[3 * stacked], stack[3 * stacked + 1], stack[3 * stacked + 2]
        if stop - start <= MAX_INSERTION_LENGTH:
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
                    stack[3 * stacked], stack[3 * stacked + 1] = ends[VALUES + d], ends[d]
                    stack[3 * stacked + 2] = shift - DIGIT
                    stacked += 1
