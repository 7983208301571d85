"""Messages between partitions, and other arrays that processes write for each other.

A record has one-dimensional arrays of numbers and a checksum, so a record that was changed is
noticed. The messages of one step to one partition are a :class:`Batch`, which is such a record in a
file.
"""

import struct
import zlib
from typing import NamedTuple

import numpy as np

from zermelo.labels import AnyArray, Int32Array, UInt8Array

_HEADER = struct.Struct("<4sII")
_COLUMN = struct.Struct("<4sq")
_MAGIC = b"zcol"

_KINDS = {
    dtype.str.encode().ljust(4, b"\0"): dtype
    for dtype in map(np.dtype, ("|b1", "|i1", "|u1", "<i2", "<i4", "<u4", "<i8", "<u8"))
}
"""The types of arrays by their names in a record."""

RECORD_OVERHEAD = _HEADER.size + 3 * _COLUMN.size + 8
MESSAGE_BYTES = 5
"""Bytes of the record of a batch, without messages and for each message."""


class DamagedRecord(Exception):
    """A record is not what was written."""


def pack_arrays(*arrays: AnyArray) -> bytes:
    """A record of one-dimensional arrays of numbers.

    >>> keys, sources = unpack_arrays(pack_arrays(np.array([7, 9]), np.array([1], np.int32)))
    >>> keys.tolist(), sources.dtype.name
    ([7, 9], 'int32')
    """
    parts = []
    for array in arrays:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        parts.append(_COLUMN.pack(little.dtype.str.encode(), little.size))
        parts.append(little.tobytes())
    body = b"".join(parts)
    return _HEADER.pack(_MAGIC, zlib.crc32(body, len(arrays)), len(arrays)) + body


def unpack_arrays(record: bytes) -> tuple[AnyArray, ...]:
    """The arrays of a record; one that was changed raises :class:`DamagedRecord`.

    >>> unpack_arrays(pack_arrays(np.array([7, 9]))[:-1])
    Traceback (most recent call last):
    zermelo.engines.partitions.messages.DamagedRecord: the record is damaged
    """
    if len(record) < _HEADER.size:
        raise DamagedRecord("the record is too short")
    magic, checksum, count = _HEADER.unpack_from(record)
    if magic != _MAGIC or zlib.crc32(memoryview(record)[_HEADER.size :], count) != checksum:
        raise DamagedRecord("the record is damaged")
    arrays, at = [], _HEADER.size
    for _ in range(count):
        if len(record) < at + _COLUMN.size:
            raise DamagedRecord("the record is too short")
        kind, size = _COLUMN.unpack_from(record, at)
        at += _COLUMN.size
        dtype = _KINDS.get(kind)
        if dtype is None or not 0 <= size <= (len(record) - at) // dtype.itemsize:
            raise DamagedRecord("the record has columns of another type or size")
        array = np.frombuffer(record, dtype, size, at)
        arrays.append(array.astype(dtype.newbyteorder("="), copy=False))
        at += size * dtype.itemsize
    return tuple(arrays)


class Batch(NamedTuple):
    """Messages of one side from one partition to another, those to a situation added up."""

    source: int
    side: int
    targets: Int32Array
    """Situations of the partition that gets the messages, by their numbers in it."""
    counts: UInt8Array


def pack(batch: Batch) -> bytes:
    """The record of a batch.

    >>> batch = Batch(3, 1, np.array([7, 2], np.int32), np.array([1, 9], np.uint8))
    >>> unpack(pack(batch)).counts.tolist()
    [1, 9]
    """
    head = np.array([batch.source, batch.side], np.int32)
    return pack_arrays(head, batch.targets, batch.counts)


def unpack(record: bytes) -> Batch:
    """The batch of a record; a record that was changed raises :class:`DamagedRecord`."""
    arrays = unpack_arrays(record)
    kinds = [(array.dtype.name, array.size) for array in arrays]
    if len(kinds) != 3 or kinds != [("int32", 2), ("int32", kinds[1][1]), ("uint8", kinds[1][1])]:
        raise DamagedRecord("the record has other arrays than a batch")
    head, targets, counts = arrays
    return Batch(int(head[0]), int(head[1]), targets, counts)
