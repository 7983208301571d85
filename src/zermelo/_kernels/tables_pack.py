"""Sorted keys and their entries in few bits: binary decisions, each coded by its probability.

Every key and every entry is a sequence of yes-or-no decisions. For each decision there are several
*contexts*: numbers that tell what is known at this point. A context has a slot in a table, with the
share of yes among the decisions that were made there. A *mixer* adds up the logarithms of these
odds with weights that follow the contexts that were right, and an arithmetic coder writes the
decision in about as many bits as the mixed probability says. The reader makes the same decisions in
the same order, and so has the same probabilities.

All arithmetic is in integers, which compiled and interpreted code and all machines share. The page
*The format .zt* of the documentation defines every number.
"""

from typing import NamedTuple

from zermelo._runtime.jit import kernel, part
from zermelo.labels import AnyArray, Int64Array

SLOT_BITS = 14
SLOTS = 1 << SLOT_BITS
"""Slots of each context."""

CONTEXTS = 6
"""The most contexts of a decision."""

KEY_BITS = 62
"""Bits of a key."""

WEIGHT = 20_000
"""The weight of a context at the beginning; 65,536 stands for 1."""

HALF = 1 << 23
"""A slot at the beginning: a share of one half, in 16 bits above 8 bits that count."""

MOST = 127
"""A slot counts up to here."""

RATE = 10
"""How fast weights change."""

SURE = 16
"""Weights do not change where the probability was wrong by at most so many 4,096ths."""

# What ``Stream.state`` holds: whether the coder writes, the interval, the value that is read, the
# place in the data, and whether something was wrong.
WRITING, LOW, HIGH, VALUE, AT, STATE = 0, 1, 2, 3, 4, 5

WORD = (1 << 32) - 1


class Model(NamedTuple):
    """The probabilities."""

    shares: AnyArray
    """SLOTS slots for each context."""
    weights: Int64Array
    """CONTEXTS weights for each kind of decision."""
    stretch: Int64Array
    """256 times the logarithm of the odds of a probability, of 4,096 probabilities."""
    squash: Int64Array
    """The inverse, 4,096 probabilities."""
    rates: Int64Array
    """65,536 / (count + 1.5) for each count of a slot."""
    slots: Int64Array
    """The slots of the decision at hand."""
    odds: Int64Array
    """What ``stretch`` gives for them."""


class Stream(NamedTuple):
    """The bytes of an arithmetic coder."""

    data: AnyArray
    state: Int64Array


@part
def slot_of(context: int, a: int, b: int) -> int:
    """The slot of two numbers below 2^31 in the table of a context."""
    x = a * 0x2545F491 + b * 0x1B873593 & 0x3FFFFFFFFFFFFFF
    x ^= x >> 25
    x = (x & 0x7FFFFFFF) * 0x3C6EF372
    return context << SLOT_BITS | x >> 17 & SLOTS - 1


@part
def decide(model: Model, stream: Stream, kind: int, count: int, bit: int) -> int:
    """Write a decision, or read it if ``bit`` is negative, and learn from it; return it.

    The slots of its ``count`` contexts are in ``model.slots``.
    """
    shares, weights, stretch, squash, rates, slots, odds = model
    data, state = stream
    first = CONTEXTS * kind
    total = 0
    for j in range(count):
        odds[j] = stretch[shares[slots[j]] >> 12]
        total += weights[first + j] * odds[j]
    total = min(max(total >> 16, -2047), 2047)
    chance = squash[total + 2048]
    low, high = state[LOW], state[HIGH]
    middle = low + (high - low >> 12) * chance
    if bit < 0:
        bit = 1 if state[VALUE] <= middle else 0
    if bit == 1:
        high = middle
    else:
        low = middle + 1
    error = (bit << 12) - chance
    if error > SURE or error < -SURE:
        for j in range(count):
            weights[first + j] += odds[j] * error * RATE + 0x2000 >> 14
    for j in range(count):
        share = int(shares[slots[j]])
        part, seen = share >> 8, share & 255
        part += (bit * 65535 - part) * rates[seen] >> 16
        shares[slots[j]] = part << 8 | min(seen + 1, MOST)
    # Invariant: the value that is read lies between low and high, of 32 bits each.
    while low ^ high < 1 << 24:
        at = state[AT]
        if state[WRITING]:
            if at < len(data):
                data[at] = high >> 24
        else:
            following = int(data[at]) if at < len(data) else 0
            state[VALUE] = (state[VALUE] << 8 & WORD) | following
        state[AT] = at + 1
        low = low << 8 & WORD
        high = (high << 8 & WORD) | 255
    state[LOW], state[HIGH] = low, high
    return bit


@part
def ones_in(x: int) -> int:
    """The number of bits 1."""
    count = 0
    while x != 0:
        x &= x - 1
        count += 1
    return count


@kernel
def code_keys(keys: Int64Array, model: Model, stream: Stream) -> bool:
    """Write the keys after the first, or read them; return whether they were sound.

    From one key to the next, the lowest bits are dropped up to a bit 0 that becomes 1: the first
    decisions are, for each bit 0 from the lowest on, whether it is this one. Then come the bits
    below it, from the highest on.
    """
    writing, slots = stream.state[WRITING] != 0, model.slots
    for i in range(1, len(keys)):
        before, top, after = keys[i - 1], 0, 0
        if writing:
            after = keys[i]
            while (before ^ after) >> top + 1 != 0:
                top += 1
        every = ones = ones_in(before)
        found, level = 0, 0
        while level < KEY_BITS:
            above = before >> level
            if above & 1:
                ones -= 1
            else:
                below = before & (1 << level) - 1
                slots[0] = slot_of(0, level << 16 | below & 0xFFFF, above & 15)
                slots[1] = slot_of(1, level << 16 | before & 0xFFF, above & 1023)
                slots[2] = slot_of(2, level << 16 | ones << 8 | every, 0)
                slots[3] = slot_of(3, level << 16 | below & 0xFFFF, above & 63)
                bit = (1 if level == top else 0) if writing else -1
                found = decide(model, stream, level, 4, bit)
                if found:
                    break
            level += 1
        if not found:
            return False
        top = level
        key = before >> level | 1
        ones += 1
        for down in range(level):
            level -= 1
            below = before & (2 << level) - 1
            near = key & (2 << down) - 1
            slots[0] = slot_of(0, level + 64 << 16 | ones << 8 | every, top << 2 | key & 3)
            slots[1] = slot_of(1, level + 64 << 16 | below & 0xFFFF, near & 0x7FFFFFFF)
            slots[2] = slot_of(2, level + 64 << 16 | below & 0xFFFF, top << 8 | key & 63)
            slots[3] = slot_of(3, level + 64 << 16 | ones << 8 | every, top << 4 | key & 15)
            bit = after >> level & 1 if writing else -1
            bit = decide(model, stream, KEY_BITS + level, 4, bit)
            ones += bit
            key = key << 1 | bit
        keys[i] = key
    return True


class Rows(NamedTuple):
    """The entries of a block."""

    keys: Int64Array
    symbols: AnyArray
    """The number of each entry's kind."""
    codes: AnyArray
    """The code of each entry's distance, 0 where its kind stores none."""
    planes: Int64Array
    """For each symbol, its number among the kinds that store distances, or −1."""


class Memory(NamedTuple):
    """What was seen at keys with the same lowest bits."""

    bits: int
    """How many of the lowest bits of a key are compared; the second array compares half as many
    bits more."""
    near: Int64Array
    far: Int64Array


LENGTHS = 32
"""Nodes of the decisions about the length of a code; those about its bits follow."""

SHORT = 6
"""Numbers of at most this many bits have a node for each beginning."""

NODES = LENGTHS + (1 << SHORT)
"""Kinds of decisions about codes of one kind of entries."""

SYMBOLS = 8
"""Kinds of decisions about symbols."""


@part
def folded(x: int) -> int:
    """A number of at most 62 bits in 31 bits."""
    return (x ^ x >> 31) & 0x7FFFFFFF


@kernel
def code_entries(rows: Rows, memory: Memory, model: Model, stream: Stream) -> bool:
    """Write symbols and codes, or read them; return whether they were sound.

    The decisions for an entry are, for each symbol but the last, whether it is this one; and if its
    kind stores distances, those of :func:`code_number`.
    """
    keys, symbols, codes, planes = rows
    bits, near, far = memory
    writing, slots = stream.state[WRITING] != 0, model.slots
    mask, wide = (1 << bits) - 1, (1 << bits + bits // 2) - 1
    last, top, before = 0, 0, keys[0]
    latest = 0  # the latest code of each plane, 8 bits each
    for i in range(len(keys)):
        key = keys[i]
        top = 0
        while (before ^ key) >> top + 1 != 0:
            top += 1
        before = key
        ones, low = ones_in(key), key & mask
        alike, same = near[low], far[key & wide]
        high, middle = folded(key >> bits), key >> bits // 2 & mask
        symbol = 0
        while symbol < len(planes) - 1:
            slots[0] = slot_of(0, symbol << 16 | last, top)
            slots[1] = slot_of(1, symbol << 16 | alike, same << 3 | last & 7)
            slots[2] = slot_of(2, low, symbol << 3 | last & 7)
            slots[3] = slot_of(3, symbol << 16 | ones << 8 | (alike & 7) << 3 | last & 7, 0)
            slots[4] = slot_of(4, high, symbol)
            slots[5] = slot_of(5, middle, symbol << 6 | (alike & 7) << 3 | last & 7)
            bit = (1 if symbols[i] == symbol else 0) if writing else -1
            if decide(model, stream, symbol, 6, bit):
                break
            symbol += 1
        symbols[i] = symbol
        last = (last << 3 | symbol) & 511
        code, plane = 0, planes[symbol]
        if plane >= 0:
            shift = 8 * plane
            code = int(codes[i]) if writing else -1
            code = code_number(
                model,
                stream,
                code,
                (plane, latest >> shift & 255, top),
                (alike, same, low, high, ones),
            )
            if code < 0:
                return False
            codes[i] = code
            latest = latest & ~(255 << shift) | min(code, 255) << shift
        value = symbol | min(code + 1, 63) << 3
        near[low] = far[key & wide] = value
    return True


@part
def code_number(
    model: Model,
    stream: Stream,
    number: int,
    own: tuple[int, int, int],
    seen: tuple[int, int, int, int, int],
) -> int:
    """Write a number below 2^32 − 1, or read it if it is negative; return it, −1 for a fault.

    The number plus 1 has a length in bits. The first decisions are, for each length from 1 on,
    whether it is this one. Then come the bits below the highest, from the highest on.
    """
    plane, latest, top = own
    alike, same, low, high, ones = seen
    slots = model.slots
    writing = number >= 0
    length, value, place, node = 1, 0, 0, 0
    # Invariant: while value is 0, the length is at least ``length``; then value has the bits of the
    # number plus 1 above ``place``.
    while value == 0 or place > 0:
        kind = NODES * plane + node
        slots[0] = slot_of(0, 1 << 30 | kind << 16 | latest, top)
        slots[1] = slot_of(1, 1 << 30 | kind << 16 | alike, same)
        slots[2] = slot_of(2, 1 << 30 | low, kind)
        slots[3] = slot_of(3, 1 << 30 | kind << 16 | ones, 0)
        slots[4] = slot_of(4, 1 << 30 | kind, high)
        slots[5] = slot_of(5, 1 << 30 | kind << 16 | ones, alike)
        bit = -1
        if writing and value == 0:
            bit = 1 if number + 1 >> length == 0 else 0
        elif writing:
            bit = number + 1 >> place - 1 & 1
        bit = decide(model, stream, SYMBOLS + kind, 6, bit)
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
            node = length - 1
        else:
            node = LENGTHS + ((1 << length - 1) + value if length <= SHORT else 0)
    return value - 1
