"""Blocks of sorted keys and their entries in few bits, see :mod:`zermelo._kernels.tables_pack`.

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

from zermelo._door.graphs import optional_module
from zermelo._kernels.tables_pack import (
    AT,
    CONTEXTS,
    HALF,
    HIGH,
    KEY_BITS,
    LOW,
    NODES,
    SLOTS,
    STATE,
    SYMBOLS,
    VALUE,
    WEIGHT,
    WORD,
    WRITING,
    Memory,
    Model,
    Rows,
    Stream,
    code_entries,
    code_keys,
)
from zermelo._runtime.jit import Kernel
from zermelo.labels import NO_DISTANCE, AnyArray, Int32Array, Int64Array
from zermelo.tables.codes import KIND_FREE, KINDS, Chunk, Scale, UInt8Array
from zermelo.tables.planes import shuffle, unshuffle, width_of

PACKED_FROM = 1 << 16
"""A table with more keys than this is packed."""

LOW_BITS = 10
"""Entries are compared at keys that share so many of their lowest bits, and half as many more."""

DIFFERENT, DECIDED = b"\0", b"\1"
"""The first byte of the plane of keys: they are compressed differences, or decisions."""

ROOM = 1 << 17
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
    compress: Callable[[bytes], bytes],
) -> list[bytes]:
    """The planes of a block: its entries, and its keys after the first.

    Keys are written in two ways, by decisions and as differences that ``compress`` compresses, and
    the shorter one is taken: digits to another base than 2 repeat as differences, not as bits.

    >>> from zermelo.tables.codes import KIND_LOSE_IN, KIND_WIN
    >>> chunk = Chunk(np.array([0, 1, 0], np.uint8), np.array([-1, 4, -1], np.int32))
    >>> kinds, scales = (KIND_WIN, KIND_LOSE_IN), {KIND_LOSE_IN: Scale(2, 2, 9)}
    >>> planes = pack_block(chunk, np.array([5, 6, 9]), kinds, scales, lambda data: bytes(99))
    >>> again = unpack_block(planes, 5, 3, kinds, scales)
    >>> again.kind.tolist(), again.distance.tolist(), again.keys.tolist()
    ([0, 1, 0], [-1, 4, -1], [5, 6, 9])
    """
    own = np.ascontiguousarray(keys, np.int64)
    numbers = np.zeros(len(KINDS), np.uint8)
    numbers[list(kinds)] = np.arange(len(kinds))
    kind = np.where(chunk.kind == KIND_FREE, kinds[0], chunk.kind)
    codes = np.zeros(kind.size, np.int64)
    for code, scale in scales.items():
        there = (kind == code) & (chunk.distance != NO_DISTANCE)
        codes[there] = (chunk.distance[there] - scale.base) // scale.step
    rows = Rows(own, numbers[kind], codes, _planes(kinds, scales))
    decisions = SYMBOLS + NODES * len(scales)
    decided = _written(code_keys, (own,), 2 * KEY_BITS)
    steps = np.diff(own, prepend=own[:1])
    different = compress(shuffle(steps, width_of(steps)))
    shorter = DECIDED + decided if len(decided) <= len(different) else DIFFERENT + different
    return [_written(code_entries, (rows, _memory), decisions), shorter]


def unpack_block(
    planes: list[bytes], first: int, count: int, kinds: tuple[int, ...], scales: dict[int, Scale]
) -> Unpacked:
    """The content of a block of ``count`` entries; a fault is a ValueError."""
    if not 0 <= first < 1 << KEY_BITS:
        raise ValueError("expected keys of at most 62 bits")
    keys = _keys(planes[1], first, count)
    symbols, codes = np.zeros(count, np.uint8), np.zeros(count, np.int64)
    rows = Rows(keys, symbols, codes, _planes(kinds, scales))
    _read(code_entries, (rows, _memory), SYMBOLS + NODES * len(scales), planes[0])
    kind = np.array(kinds, np.uint8)[symbols]
    distance = np.full(count, NO_DISTANCE, np.int32)
    for code, scale in scales.items():
        own = codes[there := kind == code]
        if own.size and own.max() > scale.most:
            raise ValueError("a distance is not in the header")
        distance[there] = scale.base + scale.step * own
    return Unpacked(kind, distance, keys)


def _keys(plane: bytes, first: int, count: int) -> Int64Array:
    """The keys of a block."""
    method, data = plane[:1], plane[1:]
    if method == DIFFERENT:
        # Blocks may be unpacked by several threads at a time, so each has its own decompressor.
        data = optional_module("zstandard", "zstd").ZstdDecompressor().decompress(data)
        if not data or len(data) % count:
            raise ValueError("expected a difference for each key")
        keys: Int64Array = first + np.cumsum(unshuffle(data, len(data) // count))
        if keys[0] != first or (keys[1:] <= keys[:-1]).any() or keys[-1] >= 1 << KEY_BITS:
            raise ValueError("expected sorted keys")
        return keys
    if method != DECIDED:
        raise ValueError("its keys are written in an unknown way")
    keys = np.zeros(count, np.int64)
    keys[0] = first
    _read(code_keys, (keys,), 2 * KEY_BITS, data)
    return keys


def _planes(kinds: tuple[int, ...], scales: dict[int, Scale]) -> Int64Array:
    """For each kind its number among those that store distances, or −1."""
    stored = list(scales)
    return np.array([stored.index(k) if k in stored else -1 for k in kinds], np.int64)


def _memory() -> Memory:
    sizes = (1 << LOW_BITS, 1 << LOW_BITS + LOW_BITS // 2)
    return Memory(LOW_BITS, *(np.zeros(size, np.int64) for size in sizes))


@cache
def tables() -> tuple[Int64Array, Int64Array, Int64Array]:
    """The tables ``stretch``, ``squash`` and ``rates`` of a model.

    No value is so near to a rounding boundary that the last digit of a logarithm matters.

    >>> stretch, squash, rates = tables()
    >>> stretch[2048], squash[2048], squash[4095], rates[0]
    (np.int64(0), np.int64(2048), np.int64(4095), np.int64(43690))
    """
    stretch = [256 * math.log((p + 0.5) / (4095.5 - p)) for p in range(4096)]
    squash = [4096 / (1 + math.exp(-x / 256)) for x in range(-2048, 2048)]
    rates = [131072 // (2 * count + 3) for count in range(256)]
    found = (
        np.clip(np.floor(np.array(stretch) + 0.5), -2047, 2047).astype(np.int64),
        np.clip(np.floor(np.array(squash) + 0.5), 1, 4095).astype(np.int64),
        np.array(rates, np.int64),
    )
    for table in found:
        table.flags.writeable = False
    return found


def _model(decisions: int) -> Model:
    return Model(
        np.full(CONTEXTS * SLOTS, HALF, np.int32),
        np.full(CONTEXTS * decisions, WEIGHT, np.int64),
        *tables(),
        np.zeros(CONTEXTS, np.int64),
        np.zeros(CONTEXTS, np.int64),
    )


def _arguments(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call; functions make those that a call changes."""
    return tuple(x() if callable(x) else x for x in given)


def _written(job: Kernel[..., Any], given: tuple[Any, ...], decisions: int) -> bytes:
    """What a kernel writes; it is called again with more room if that did not suffice."""
    room = ROOM
    while True:
        state = np.zeros(STATE, np.int64)
        state[WRITING], state[HIGH] = 1, WORD
        stream = Stream(np.zeros(room, np.uint8), state)
        job(*_arguments(given), _model(decisions), stream)
        length, low = int(state[AT]), int(state[LOW])
        if length < room:
            break
        room *= 2
    # Bytes after the end are read as 0. If 0 is no number of the interval, one byte makes it one.
    last = bytes([(low >> 24) + 1]) if low else b""
    return stream.data[:length].tobytes() + last


def _read(job: Kernel[..., Any], given: tuple[Any, ...], decisions: int, data: bytes) -> None:
    """Run a kernel on what it wrote."""
    state = np.zeros(STATE, np.int64)
    state[HIGH], state[VALUE], state[AT] = WORD, int.from_bytes(data[:4].ljust(4, b"\0"), "big"), 4
    if not job(*_arguments(given), _model(decisions), Stream(np.frombuffer(data, np.uint8), state)):
        raise ValueError("its decisions are impossible")
