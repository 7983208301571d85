"""Blocks of sorted keys and their entries in few bits, see :mod:`zermelo._kernels.tables.pack`.

Zstandard knows nothing of keys and entries but their bytes. Here the bits of a key are foretold by
those of the key before it, and an entry by the entries at keys that are like its own. A block takes
about half the bytes and ten times as long. So blocks are packed where keys are stored, and where
there are so many that the kernels are compiled anyway.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.tables.pack import (
    AT,
    CONTEXTS,
    HALF,
    HIGH,
    KEY_BITS,
    LIMIT,
    LOW,
    MAX_NODE_COUNT,
    MAX_SLOT_COUNT,
    SLOTS,
    STATE,
    VALUE,
    WEIGHT,
    WORD,
    WRITING,
    Model,
    Shape,
    Stream,
)
from zermelo._kernels.tables.pack_entries import (
    LOW_BITS,
    STEPS,
    SYMBOLS,
    Memory,
    Rows,
    code_entries,
)
from zermelo._kernels.tables.pack_keys import (
    KEY_NODES,
    Paths,
    code_keys,
    from_fields,
    to_fields,
)
from zermelo._runtime.compiled.jit import Kernel
from zermelo.labels import NO_DISTANCE, AnyArray, Int32Array, Int64Array, UInt8Array
from zermelo.tables.storage.codes import KIND_FREE, KINDS, Chunk, Scale
from zermelo.tables.storage.planes import shuffle, sorted_keys, width_of

PACKED_FROM = 1 << 16
"""A table with more keys than this is packed."""

DIFFERENT, DECIDED = b"\0", b"\1"
"""The first byte of the plane of keys: they are compressed differences, or decisions."""

FIRST_BLOCK_BYTES = 1 << 17
"""Bytes for a packed block at first."""


class Unpacked(NamedTuple):
    """The content of a packed block."""

    kind: UInt8Array
    distance: Int32Array
    keys: Int64Array


def can_pack(keys: Any, entries: int, kinds: int) -> bool:
    """Whether a table is packed: it has many sorted keys, and not more kinds than fit."""
    if entries <= PACKED_FROM or kinds > SYMBOLS:
        return False
    return int(keys[entries - 1 : entries][0]) < 1 << KEY_BITS  # keys may be in a file


def pack_block(
    chunk: Chunk,
    keys: AnyArray,
    kinds: tuple[int, ...],
    scales: dict[int, Scale],
    shape: Shape,
    compress: Callable[[bytes], bytes],
) -> list[bytes]:
    """The planes of a block: its entries, and its keys after the first.

    Keys are written in two ways, by decisions and as differences that ``compress`` compresses, and
    the shorter one is taken: digits to another base than 2 repeat as differences, not as bits.

    >>> from zermelo.tables.storage.codes import KIND_LOSE_IN, KIND_WIN
    >>> chunk = Chunk(np.array([0, 1, 0], np.uint8), np.array([-1, 4, -1], np.int32))
    >>> kinds, scales = (KIND_WIN, KIND_LOSE_IN), {KIND_LOSE_IN: Scale(2, 2, 9)}
    >>> keys, shape = np.array([5, 6, 9]), Shape(3, 2, 2, 4, 4)
    >>> planes = pack_block(chunk, keys, kinds, scales, shape, lambda data: bytes(99))
    >>> again = unpack_block(planes, (5, 3), kinds, scales, shape)
    >>> again.kind.tolist(), again.distance.tolist(), again.keys.tolist()
    ([0, 1, 0], [-1, 4, -1], [5, 6, 9])
    """
    own = np.ascontiguousarray(keys, np.int64)
    fields = fields_of(own, shape)
    assert fields is not None  # the shape was chosen so
    decided = decided_keys(fields, shape)
    steps = np.diff(own, prepend=own[:1])
    different = compress(shuffle(steps, width_of(steps)))
    shorter = DECIDED + decided if len(decided) <= len(different) else DIFFERENT + different
    return [decided_entries(chunk, fields, kinds, scales, shape), shorter]


def decided_entries(
    chunk: Chunk,
    fields: Int64Array,
    kinds: tuple[int, ...],
    scales: dict[int, Scale],
    shape: Shape,
) -> bytes:
    """The decisions for entries whose keys have these fields."""
    numbers = np.zeros(len(KINDS), np.uint8)
    numbers[list(kinds)] = np.arange(len(kinds))
    kind = np.where(chunk.kind == KIND_FREE, kinds[0], chunk.kind)
    codes = np.zeros(kind.size, np.int64)
    for code, scale in scales.items():
        there = (kind == code) & (chunk.distance != NO_DISTANCE)
        codes[there] = (chunk.distance[there] - scale.base) // scale.step
    rows = Rows(fields, numbers[kind], codes, _planes(kinds, scales))
    return _written(code_entries, (rows, shape, _memory), SYMBOLS + STEPS * len(scales))


def unpack_block(
    planes: list[bytes],
    place: tuple[int, int],
    kinds: tuple[int, ...],
    scales: dict[int, Scale],
    shape: Shape,
) -> Unpacked:
    """The content of a block, given its first key and how many there are; a fault is a ValueError.

    A block of the greatest size takes some milliseconds.
    """
    first, count = place
    if not 0 <= first < 1 << KEY_BITS:
        raise ValueError("expected keys of at most 62 bits")
    keys, fields = _keys(planes[1], first, count, shape)
    symbols, codes = np.zeros(count, np.uint8), np.zeros(count, np.int64)
    rows = Rows(fields, symbols, codes, _planes(kinds, scales))
    nodes = SYMBOLS + STEPS * len(scales)
    _read(code_entries, (rows, shape, _memory), nodes, planes[0])
    kind = np.array(kinds, np.uint8)[symbols]
    distance = np.full(count, NO_DISTANCE, np.int32)
    for code, scale in scales.items():
        own = codes[there := kind == code]
        if own.size and own.max() > scale.most:
            raise ValueError("a distance is not in the header")
        distance[there] = scale.base + scale.step * own
    return Unpacked(kind, distance, keys)


def fields_of(keys: Int64Array, shape: Shape) -> Int64Array | None:
    """Keys with each digit in a field of its own; None if there are too many digits."""
    if shape.base == 1 << shape.width:
        return keys
    fields = np.zeros_like(keys)
    return fields if to_fields(keys, shape, fields) else None


def decided_keys(fields: Int64Array, shape: Shape) -> bytes:
    """The decisions for the keys after the first."""
    return _written(code_keys, (fields, shape, lambda: _paths(shape)), KEY_NODES)


def _keys(plane: bytes, first: int, count: int, shape: Shape) -> tuple[Int64Array, Int64Array]:
    """The keys of a block, and their fields."""
    method, data = plane[:1], plane[1:]
    if method == DIFFERENT:
        keys = sorted_keys(data, first, count)
        if keys[-1] >= 1 << KEY_BITS:
            raise ValueError("expected keys of at most 62 bits")
        fields = fields_of(keys, shape)
        if fields is None:
            raise ValueError("its keys have too many digits")
        return keys, fields
    if method != DECIDED:
        raise ValueError("its keys are written in an unknown way")
    start = fields_of(np.array([first], np.int64), shape)
    if start is None:
        raise ValueError("its keys have too many digits")
    fields = np.zeros(count, np.int64)
    fields[0] = start[0]
    _read(code_keys, (fields, shape, lambda: _paths(shape)), KEY_NODES, data)
    if shape.base == 1 << shape.width:
        return fields, fields
    keys = np.zeros(count, np.int64)
    if not from_fields(fields, shape, keys):
        raise ValueError("its keys have digits beyond the base")
    return keys, fields


def _planes(kinds: tuple[int, ...], scales: dict[int, Scale]) -> Int64Array:
    """For each kind its number among those that store distances, or −1."""
    stored = list(scales)
    return np.array([stored.index(k) if k in stored else -1 for k in kinds], np.int64)


def _memory() -> Memory:
    sizes = (1 << LOW_BITS, SLOTS, SLOTS)
    return Memory(*(np.zeros(size, np.int64) for size in sizes))


def _paths(shape: Shape) -> Paths:
    """An empty record for keys of a shape."""
    rows = range(shape.row, KEY_BITS, shape.row)
    comb = sum(1 << place - 1 for place in rows)
    wide = sum(7 << place - 2 for place in rows if place < KEY_BITS - 1)
    starts = np.zeros(KEY_BITS, np.int64)
    combs = np.array([comb, wide], np.int64)
    return Paths(starts, np.zeros(SLOTS, np.uint8), combs)


class Numbers(NamedTuple):
    """The tables of a model that are always the same."""

    stretch: AnyArray
    squash: Int64Array
    rates: Int64Array
    steps: Int64Array


@cache
def tables() -> Numbers:
    """The tables ``stretch``, ``squash``, ``rates`` and ``steps`` of a model.

    No value is so near to a rounding boundary that the last digit of a logarithm matters.

    >>> stretch, squash, rates, steps = tables()
    >>> int(stretch[32768]), int(squash[3072]), int(squash[-1]), int(rates[0]), int(steps[0])
    (0, 32768, 65535, 43690, 72)
    """
    stretch = [256 * math.log((p + 0.5) / (65535.5 - p)) for p in range(1 << 16)]
    squash = [65536 / (1 + math.exp(-x / 256)) for x in range(-LIMIT - 1, LIMIT + 1)]
    found = Numbers(
        np.floor(np.array(stretch) + 0.5).astype(np.int16),
        np.clip(np.floor(np.array(squash) + 0.5), 1, 65535).astype(np.int64),
        np.array([131072 // (2 * count + 3) for count in range(MAX_SLOT_COUNT + 1)], np.int64),
        np.array([24 + 768 // (count + 16) for count in range(MAX_NODE_COUNT + 1)], np.int64),
    )
    for table in found:
        table.flags.writeable = False
    return found


def _model(nodes: int) -> Model:
    return Model(
        np.full(CONTEXTS * SLOTS, HALF, np.int32),
        np.full(CONTEXTS * nodes, WEIGHT, np.int64),
        np.zeros(nodes, np.int64),
        *tables(),
        *np.zeros((3, CONTEXTS), np.int64),
    )


def _arguments(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call; functions make those that a call changes."""
    return tuple(x() if callable(x) else x for x in given)


def _written(job: Kernel[..., Any], given: tuple[Any, ...], nodes: int) -> bytes:
    """What a kernel writes; it is called again with more room if that did not suffice."""
    room = FIRST_BLOCK_BYTES
    while True:
        state = np.zeros(STATE, np.int64)
        state[WRITING], state[HIGH] = 1, WORD
        stream = Stream(np.zeros(room, np.uint8), state)
        job(*_arguments(given), _model(nodes), stream)
        length, low = int(state[AT]), int(state[LOW])
        if length < room:
            break
        room *= 2
    # Bytes after the end are read as 0. If 0 is no number of the interval, one byte makes it one.
    last = bytes([(low >> 24) + 1]) if low else b""
    return stream.data[:length].tobytes() + last


def _read(job: Kernel[..., Any], given: tuple[Any, ...], nodes: int, data: bytes) -> None:
    """Run a kernel on what it wrote."""
    state = np.zeros(STATE, np.int64)
    state[HIGH], state[VALUE], state[AT] = WORD, int.from_bytes(data[:4].ljust(4, b"\0"), "big"), 4
    stream = Stream(np.frombuffer(data, np.uint8).copy(), state)  # kernels want no read-only bytes
    if not job(*_arguments(given), _model(nodes), stream):
        raise ValueError("its decisions are impossible")
