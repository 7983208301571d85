"""Entries as binary decisions, predicted from their keys and from entries with similar keys."""

from typing import NamedTuple

from zermelo._kernels.tables.pack import (
    WRITING,
    Model,
    Shape,
    Stream,
    decide_either,
    digit_sum,
    folded,
    hashed,
    highest_bit,
    slot_of,
)
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int64Array

LOW_BITS = 10
"""Entries are compared at keys that share so many of their lowest bits."""

LENGTHS = 32
"""Nodes of decisions about the length of a code; those about its bits follow."""

MAX_SHORT_BITS = 8
"""A number of at most this many bits has its own node for each of its prefixes."""

STEPS = LENGTHS + (1 << MAX_SHORT_BITS)
"""Nodes of decisions about codes of one kind of entries."""

SYMBOLS = 8
"""Nodes of decisions about symbols."""


class Rows(NamedTuple):
    """The entries of a block."""

    keys: Int64Array
    """The fields of the keys."""
    symbols: AnyArray
    """The number of each entry's kind."""
    codes: AnyArray
    """The code of each entry's distance, 0 where its kind stores none."""
    planes: Int64Array
    """For each symbol, its number among the kinds that store distances, or −1."""


class Memory(NamedTuple):
    """The values of the latest entries."""

    low: Int64Array
    """By the lowest bits of their keys."""
    ground: Int64Array
    """By the lowest part, the ground."""
    other: Int64Array
    """By all but the row above the ground."""


@part
def classes_of(key: int, row: int) -> int:
    """For each row of a key, two bits: whether it holds 0, 1, 2 or 3, or more."""
    found, place = 0, 0
    while key != 0 and place < 62:
        digit = key & (1 << row) - 1
        size = 3
        if digit < 4:
            size = min(digit, 2)
        found |= size << place
        key >>= row
        place += 2
    return found


@kernel
def code_entries(rows: Rows, shape: Shape, memory: Memory, model: Model, stream: Stream) -> bool:
    """Write symbols and codes, or read them; return whether they were sound.

    The decisions for an entry are, for each symbol but the last, whether it is this one; and if its
    kind stores distances, those of :func:`code_number`.
    """
    keys, symbols, codes, planes = rows
    _, width, row, _, bottom = shape
    writing, contexts = stream.state[WRITING] != 0, model.contexts
    last, before = 0, keys[0]
    latest = 0  # the latest code of each plane, 8 bits each
    for i in range(len(keys)):
        key = keys[i]
        top = highest_bit(before ^ key)
        before = key
        low, ground = key & (1 << LOW_BITS) - 1, key & (1 << bottom) - 1
        sky, middle = key >> bottom + row, key >> bottom & (1 << row) - 1
        here = slot_of(hashed(folded(ground), 0), 0)
        aside = slot_of(hashed(folded(ground), folded(sky)), 1)
        alike, same, other = memory.low[low], memory.ground[here], memory.other[aside]
        ones, under = digit_sum(key, width), digit_sum(ground, width)
        # Invariant: contexts 0, 4, 5 and 7 serve all decisions of an entry.
        kinds = (alike & 7) << 3 | last & 7
        contexts[6] = hashed(top, last)
        contexts[1] = hashed(low, last & 7)
        contexts[2] = hashed(ones, kinds)
        contexts[3] = hashed(key >> LOW_BITS // 2 & (1 << LOW_BITS) - 1, kinds)
        contexts[4] = hashed(folded(key >> LOW_BITS), 0)
        contexts[5] = hashed(under << 16 | same & 63, ones << 16 | middle)
        contexts[0] = hashed(other, same)
        contexts[7] = hashed(folded(classes_of(key, row)), middle)
        symbol = 0
        while symbol < len(planes) - 1:
            bit = (1 if symbols[i] == symbol else 0) if writing else -1
            if decide_either(model, stream, symbol, bit):
                break
            symbol += 1
        symbols[i] = symbol
        last = (last << 3 | symbol) & 511
        code, plane = 0, planes[symbol]
        if plane >= 0:
            shift = 8 * plane
            contexts[6] = hashed(top, latest >> shift & 255)
            contexts[1] = hashed(low, 0)
            contexts[2] = hashed(ones, alike)
            contexts[3] = hashed(key >> LOW_BITS // 2 & (1 << LOW_BITS) - 1, ones)
            code = int(codes[i]) if writing else -1
            code = code_number(model, stream, code, SYMBOLS + STEPS * plane)
            if code < 0:
                return False
            codes[i] = code
            latest = latest & ~(255 << shift) | min(code, 255) << shift
        value = symbol | min(code + 1, 63) << 3
        memory.low[low] = memory.ground[here] = memory.other[aside] = value
    return True


@part
def code_number(model: Model, stream: Stream, number: int, first: int) -> int:
    """Write a number below 2^32 − 1, or read it if it is negative; return it, −1 for a fault.

    The number plus 1 has a length in bits. The first decisions are, for each length from 1 on,
    whether it is this one. Then come the bits below the highest, from the highest on.
    """
    writing = number >= 0
    length, value, place, step = 1, 0, 0, 0
    # Invariant: while value is 0, the length is at least ``length``; then value has the bits of the
    # number plus 1 above ``place``.
    while value == 0 or place > 0:
        bit = -1
        if writing and value == 0:
            bit = 1 if number + 1 >> length == 0 else 0
        elif writing:
            bit = number + 1 >> place - 1 & 1
        bit = decide_either(model, stream, first + step, bit)
        if value != 0:
            value = value << 1 | bit
            place -= 1
        elif bit:
            value, place = 1, length - 1
        else:
            length += 1
            if length > LENGTHS:
                return -1
        if value == 0:
            step = length - 1
        else:
            step = LENGTHS + ((1 << length - 1) + value if length <= MAX_SHORT_BITS else 0)
    return value - 1
