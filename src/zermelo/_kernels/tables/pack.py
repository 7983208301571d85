"""Binary decisions in few bits: each is coded by the probability that several contexts give it.

Sorted keys (:mod:`zermelo._kernels.tables.pack_keys`) and their entries
(:mod:`zermelo._kernels.tables.pack_entries`) are sequences of yes-or-no decisions. For each
decision there are several *contexts*: numbers that say what is known at this point. A context has
a slot in a table, with the share of yes among the decisions that were made there. A *mixer* adds up
the logarithms of these odds with weights that follow the contexts that were right, and an
arithmetic coder writes the decision in about as many bits as the mixed probability says. The reader
makes the same decisions in the same order, and so has the same probabilities.

All arithmetic is in integers, which compiled and interpreted code and all machines share. The page
*The format .zt* of the documentation defines every number.
"""

from typing import NamedTuple

from zermelo._runtime.compiled.jit import part
from zermelo.labels import AnyArray, Int64Array

SLOT_BITS = 16
SLOTS = 1 << SLOT_BITS
"""Slots of each context."""

CONTEXTS = 8
"""Contexts of a decision."""

KEY_BITS = 62
"""Bits of a key."""

WEIGHT = 16_000
"""The weight of a context at the beginning; 65,536 stands for 1."""

HALF = 1 << 28
"""A slot at the beginning: a share of one half, in 22 bits above 7 bits that count."""

MAX_SLOT_COUNT = 127
"""A slot counts up to here."""

WHOLE = (1 << 22) - 1
"""The greatest share."""

CLEAR = WHOLE >> 7
"""A share that is so near to 0 or to WHOLE decides alone."""

MAX_NODE_COUNT = 255
"""A node counts its decisions up to here."""

SURE = 1024
"""Weights do not change where the probability was wrong by at most so many 65,536ths."""

LIMIT = 3071
"""The greatest logarithm of odds, times 256."""

# What ``Stream.state`` holds: whether the coder writes, the interval, the value that is read, the
# place in the data, and whether something was wrong.
WRITING, LOW, HIGH, VALUE, AT, STATE = 0, 1, 2, 3, 4, 5

WORD = (1 << 32) - 1


class Model(NamedTuple):
    """The probabilities."""

    shares: AnyArray
    """SLOTS slots for each context."""
    weights: Int64Array
    """A weight for each context, for each node."""
    counts: Int64Array
    """How many decisions each node has had, at most MAX_NODE_COUNT."""
    stretch: AnyArray
    """256 times the logarithm of the odds of a probability, of 65,536 probabilities."""
    squash: Int64Array
    """The inverse, from −LIMIT − 1 to LIMIT."""
    rates: Int64Array
    """65,536 / (count + 1.5) for each count of a slot."""
    steps: Int64Array
    """How fast weights change, for each count of a node."""
    contexts: Int64Array
    """The contexts of the decision at hand, made by :func:`hashed`."""
    slots: Int64Array
    """Their slots."""
    odds: Int64Array
    """What ``stretch`` gives for them."""


class Shape(NamedTuple):
    """What keys are made of, as the writer has found by trial."""

    base: int
    """The base to which keys are sequences of digits."""
    width: int
    """Bits of a field: it holds a digit."""
    row: int
    """Bits of a row: what is next to each other on a board is so far apart in a key."""
    layer: int
    """Bits of a layer: the part of a key above a bit is looked at up to the end of its layer."""
    ground: int
    """Bits of the lowest part of a key that is compared for entries."""


class Stream(NamedTuple):
    """The bytes of an arithmetic coder."""

    data: AnyArray
    state: Int64Array


@part
def folded(x: int) -> int:
    """A number of at most 62 bits in 31 bits."""
    return (x ^ x >> 31) & 0x7FFFFFFF


@part
def hashed(a: int, b: int) -> int:
    """A context of two numbers below 2^31."""
    return a * 0x2545F491 + b * 0x1B873593


@part
def slot_of(context: int, node: int) -> int:
    """The slot of a context at a node."""
    x = context + node * 0x61C88647
    x ^= x >> 25
    return (x & 0x7FFFFFFF) * 0x3C6EF372 >> 30 & SLOTS - 1


@part
def is_clear(model: Model, node: int) -> bool:
    """Whether the first context alone is nearly certain of a decision."""
    share = int(model.shares[slot_of(model.contexts[0], node)]) >> 7
    return share < CLEAR or share > WHOLE - CLEAR


@part
def decide_clear(model: Model, stream: Stream, node: int, bit: int) -> int:
    """Do what :func:`decide` does, with the first context alone."""
    slot = slot_of(model.contexts[0], node)
    share = int(model.shares[slot])
    bit = code_bit(stream, min(max(share >> 13, 1), 65535), bit)
    model.shares[slot] = learned(share, bit, model.rates)
    return bit


@part
def decide(model: Model, stream: Stream, node: int, bit: int) -> int:
    """Write a decision, or read it if ``bit`` is negative, and learn from it; return it."""
    shares, weights, counts, stretch, squash, rates, steps, contexts, slots, odds = model
    first = CONTEXTS * node
    total = 0
    for j in range(CONTEXTS):
        slot = j << SLOT_BITS | slot_of(contexts[j], node)
        slots[j] = slot
        log = int(stretch[shares[slot] >> 13 & 0xFFFF])
        odds[j] = log
        total += weights[first + j] * log
    total = min(max(total >> 16, -LIMIT), LIMIT)
    chance = squash[total + LIMIT + 1]
    bit = code_bit(stream, chance, bit)
    error = (bit << 16) - chance
    if error > SURE or error < -SURE:
        step = error * steps[counts[node]]
        counts[node] = min(counts[node] + 1, MAX_NODE_COUNT)
        for j in range(CONTEXTS):
            weights[first + j] += odds[j] * step + 0x20000 >> 18
    for j in range(CONTEXTS):
        slot = slots[j] & CONTEXTS * SLOTS - 1
        shares[slot] = learned(int(shares[slot]), bit, rates)
    return bit


@part
def decide_either(model: Model, stream: Stream, node: int, bit: int) -> int:
    """Decide with the first context alone if it is nearly certain, else with all."""
    if is_clear(model, node):
        return decide_clear(model, stream, node, bit)
    return decide(model, stream, node, bit)


@part
def learned(share: int, bit: int, rates: Int64Array) -> int:
    """A slot after a decision."""
    part, seen = share >> 7, share & MAX_SLOT_COUNT
    part += int((bit * WHOLE - part) * rates[seen]) >> 16
    return part << 7 | min(seen + 1, MAX_SLOT_COUNT)


@part
def code_bit(stream: Stream, chance: int, bit: int) -> int:
    """Write a bit that is 1 with a chance of 65,536, or read it if it is negative; return it."""
    data, state = stream
    low, high = state[LOW], state[HIGH]
    middle = low + ((high - low) * chance >> 16)
    if bit < 0:
        bit = 1 if state[VALUE] <= middle else 0
    if bit == 1:
        high = middle
    else:
        low = middle + 1
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
def digit_sum(x: int, width: int) -> int:
    """The sum of the fields of a number of at most 62 bits."""
    if width == 1:
        x -= x >> 1 & 0x5555555555555555
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
        x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0F
        x += x >> 8
        x += x >> 16
        return (x + (x >> 32)) & 127
    total = 0
    while x != 0:
        total += x & (1 << width) - 1
        x >>= width
    return total


@part
def highest_bit(x: int) -> int:
    """The number of the highest bit 1, 0 if there is none."""
    found = 0
    for k in range(5, -1, -1):
        if x >> (1 << k) != 0:
            x >>= 1 << k
            found += 1 << k
    return found
