"""Sorted keys as decisions: which branches of the tree of their bits are there.

From one key to the next, the lowest bits are dropped up to a bit 0 that becomes 1. So the keys are
the leaves of a binary tree, visited from left to right, and a decision says whether a branch to the
right exists (while climbing from a leaf) or which branch is the first (while descending to the
next one). These decisions are predicted from the part of the key above: sums of its digits, the
bits in the same column of a board, and what was decided below the same lowest part of another key.
"""

from typing import NamedTuple

from zermelo._kernels.tables.pack import (
    KEY_BITS,
    WRITING,
    Model,
    Shape,
    Stream,
    decide,
    decide_clear,
    digit_sum,
    folded,
    hashed,
    highest_bit,
    is_clear,
    slot_of,
)
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int64Array

SUM_BITS = 12
"""Bits of a sum of digits."""

KEY_NODES = 2 * KEY_BITS
"""For each bit, a node for climbing and one for descending."""


class Paths(NamedTuple):
    """What has been seen of the tree."""

    starts: Int64Array
    """For each bit, the number of the key at which its branch was entered."""
    local: AnyArray
    """The latest decisions at places with the same bits within the layer, see ``remembered``."""
    comb: Int64Array
    """The bits at multiples of a row above a bit; and these with their neighbours."""


@kernel
def to_fields(keys: Int64Array, shape: Shape, out: Int64Array) -> bool:
    """Write every digit of keys to a field; return whether the fields fit."""
    for i in range(len(keys)):
        rest, place, found = keys[i], 0, 0
        while rest != 0:
            if place + shape.width > KEY_BITS:
                return False
            found |= rest % shape.base << place
            rest //= shape.base
            place += shape.width
        out[i] = found
    return True


@kernel
def from_fields(fields: Int64Array, shape: Shape, out: Int64Array) -> bool:
    """Do the inverse of :func:`to_fields`; return whether all fields are digits."""
    for i in range(len(fields)):
        rest, power, found = fields[i], 1, 0
        # Fields below the base make a number of at most as many bits.
        while rest != 0:
            digit = rest & (1 << shape.width) - 1
            if digit >= shape.base:
                return False
            found += digit * power
            power *= shape.base
            rest >>= shape.width
        out[i] = found
    return True


@part
def remembered(history: int, bit: int) -> int:
    """The latest three decisions after a bit that tells how many there were."""
    if history == 0:
        return 2 | bit
    if history < 4:
        return 4 | (history & 1) << 1 | bit
    return 8 | (history & 3) << 1 | bit


@kernel
def code_keys(keys: Int64Array, shape: Shape, paths: Paths, model: Model, stream: Stream) -> bool:
    """Write the fields of the keys after the first, or read them; return whether they were sound.

    From one key to the next, the first decisions are, for each bit 0 from the lowest on, whether
    it is the one that becomes 1. Then come the bits below it, from the highest on.
    """
    starts, local, _ = paths
    _, width, _, layer, _ = shape
    writing, field, contexts = stream.state[WRITING] != 0, (1 << width) - 1, model.contexts
    for i in range(1, len(keys)):
        before, top, after = keys[i - 1], 0, 0
        if writing:
            after = keys[i]
            top = highest_bit(before ^ after)
        every = digit_sum(before, width)
        # Invariant: ``high`` is the sum of the fields above that of the bit, ``upper`` that of
        # those above its layer, which ends at ``edge``; the bit is number ``place`` of its field.
        high, upper, edge, place = every - (before & field), 0, 0, 0
        found, level = 0, 0
        while level < KEY_BITS:
            if place == width:
                place = 0
                high -= before >> level & field
            if level == edge:
                edge += layer
                upper = digit_sum(before >> edge, width) if edge < KEY_BITS else 0
            above = before >> level
            if above & 1 == 0:
                own = (before >> level - place & field) >> place << place
                sums, few = high + own << SUM_BITS | every, min(i - starts[level], 3)
                bit = (1 if level == top else 0) if writing else -1
                contexts[0] = hashed(sums, few)
                if is_clear(model, level):
                    found = decide_clear(model, stream, level, bit)
                else:
                    here = above & (1 << edge - level) - 1
                    spot = slot_of(hashed(folded(here), 0), level)
                    history = int(local[spot])
                    below = before & (1 << level) - 1
                    contexts[1] = hashed(below & 0xFFFF, above >> 1 & 31)
                    contexts[2] = hashed(around(above >> 1, shape), (above & 6) << 1 | few)
                    contexts[3] = hashed(high, folded(above & (1 << 3 * width - place) - 1))
                    local_part = upper, here, history, edge - level - 1
                    fill(sums, below, above >> 1, local_part, shape, paths.comb, contexts)
                    found = decide(model, stream, level, bit)
                    local[spot] = remembered(history, found)
                if found:
                    break
            level += 1
            place += 1
        if not found:
            return False
        key, top = before >> level | 1, level
        for down in range(level + 1):
            starts[down] = i
        place = level % width
        high = digit_sum(key >> width - place, width)
        edge = (level // layer + 1) * layer
        upper = digit_sum(key >> edge - level, width) if edge < KEY_BITS else 0
        while level > 0:
            level -= 1
            place -= 1
            if place < 0:
                place = width - 1
                high += key & field
            if level < edge - layer:
                edge -= layer
                upper = digit_sum(key >> edge - level - 1, width)
            sums = high + (key << place + 1 & field) << SUM_BITS | every
            bit = after >> level & 1 if writing else -1
            contexts[0] = hashed(sums, top << 4 | key & 15)
            if is_clear(model, KEY_BITS + level):
                bit = decide_clear(model, stream, KEY_BITS + level, bit)
            else:
                here = key & (1 << edge - level - 1) - 1
                spot = slot_of(hashed(folded(here), 0), KEY_BITS + level)
                history = int(local[spot])
                below = before & (2 << level) - 1
                contexts[1] = hashed(below & 0xFFFF, top << 8 | key & 63)
                contexts[2] = hashed(around(key, shape), key & 3)
                contexts[3] = hashed(high, folded(key & (1 << 3 * width - 1 - place) - 1))
                local_part = upper, here, history, edge - level - 1
                fill(sums, below, key, local_part, shape, paths.comb, contexts)
                bit = decide(model, stream, KEY_BITS + level, bit)
                local[spot] = remembered(history, bit)
            key = key << 1 | bit
        keys[i] = key
    return True


@part
def around(above: int, shape: Shape) -> int:
    """The bits in the rows above a bit and in the next layer that are near to its column."""
    _, _, row, layer, _ = shape
    found = above >> row - 2 & 7 | (above >> 2 * row - 1 & 1) << 3
    found |= (above >> 3 * row - 1 & 1) << 4 | (above >> layer - 2 & 7) << 5
    return found | (above >> layer + row - 2 & 7) << 8 | (above >> layer - row - 2 & 7) << 11


@part
def fill(
    sums: int,
    below: int,
    above: int,
    local_part: tuple[int, int, int, int],
    shape: Shape,
    comb: Int64Array,
    contexts: Int64Array,
) -> None:
    """Fill in the contexts that are the same for climbing and descending.

    ``local_part`` is the sum above the layer, the bits within it, what was decided there, and how
    many bits of ``above`` are within it.
    """
    upper, here, history, room = local_part
    contexts[4] = hashed(upper << SUM_BITS | sums >> SUM_BITS, folded(above & comb[0]))
    contexts[5] = hashed(sums, folded(below))
    contexts[6] = hashed(0, folded(here))
    near = folded(above & comb[1] & (1 << room) - 1)
    contexts[7] = hashed(history << 3 | (above >> shape.layer - 2 & 7), near)
