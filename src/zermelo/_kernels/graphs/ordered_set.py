"""A set of small numbers as a tree of bits: one step for each level finds the next member.

Number ``i`` is bit ``i & 31`` of entry ``i >> 5`` of the lowest level; a higher level has a bit for
each entry below that is not zero. The members of the set are the places that *wait*. The numbers
between two members cost no time, so it is cheap to start again from a low number.
"""

from typing import NamedTuple

from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int64Array


class Waiting(NamedTuple):
    """The places that wait."""

    bits: Int64Array
    """32 bits an entry, the lowest level first."""
    level_at: Int64Array
    """Where each level begins in ``bits``, and where the last one ends."""


@part
def lowest_bit(bits: int) -> int:
    """The index of the lowest of 32 bits that is set; one of them is."""
    low = bits & -bits
    index = 0
    if low & 0xFFFF0000:
        index += 16
    if low & 0xFF00FF00:
        index += 8
    if low & 0xF0F0F0F0:
        index += 4
    if low & 0xCCCCCCCC:
        index += 2
    if low & 0xAAAAAAAA:
        index += 1
    return index


@kernel
def next_waiting(waiting: Waiting, i: int) -> int:
    """The first place from ``i`` on that waits, −1 if there is none."""
    bits, level_at = waiting.bits, waiting.level_at
    top = len(level_at) - 1
    level = 0
    # Invariant: no place from the first i on that is below place i of this level waits.
    while level < top:
        entry = i >> 5
        at = level_at[level] + entry
        if at >= level_at[level + 1]:
            return -1
        rest = bits[at] >> (i & 31)
        if rest:
            i += lowest_bit(rest)
            while level > 0:
                level -= 1
                i = (i << 5) + lowest_bit(bits[level_at[level] + i])
            return i
        i = entry + 1
        level += 1
    return -1


@part
def set_waiting(waiting: Waiting, i: int) -> None:
    """Add a place to those that wait."""
    bits, level_at = waiting.bits, waiting.level_at
    for level in range(len(level_at) - 1):
        at = level_at[level] + (i >> 5)
        before = bits[at]
        bits[at] = before | (1 << (i & 31))
        if before:
            break
        i >>= 5


@part
def clear_waiting(waiting: Waiting, i: int) -> None:
    """Remove a place from those that wait."""
    bits, level_at = waiting.bits, waiting.level_at
    for level in range(len(level_at) - 1):
        at = level_at[level] + (i >> 5)
        bits[at] = bits[at] & ~(1 << (i & 31))
        if bits[at]:
            break
        i >>= 5
