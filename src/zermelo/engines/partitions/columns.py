"""Records of arrays with a checksum: what workers write for each other beside messages."""

import struct
import zlib

import numpy as np

from zermelo.engines.partitions.messages import DamagedRecord
from zermelo.labels import AnyArray

_HEADER = struct.Struct("<4sIi")
_COLUMN = struct.Struct("<4sq")
_MAGIC = b"zcol"

_KINDS = {
    dtype.str.encode().ljust(4, b"\0"): dtype
    for dtype in map(np.dtype, ("|b1", "|i1", "|u1", "<i2", "<i4", "<u4", "<i8", "<u8"))
}
"""The types of columns by their names in a record."""


def pack_columns(*arrays: AnyArray) -> bytes:
    """A record of one-dimensional arrays of numbers.

    >>> keys, sources = unpack_columns(pack_columns(np.array([7, 9]), np.array([1], np.int32)))
    >>> keys.tolist(), sources.dtype.name
    ([7, 9], 'int32')
    """
    parts = []
    for array in arrays:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        parts.append(_COLUMN.pack(little.dtype.str.encode(), little.size))
        parts.append(little.tobytes())
    body = b"".join(parts)
    return _HEADER.pack(_MAGIC, zlib.crc32(body), len(arrays)) + body


def unpack_columns(record: bytes) -> tuple[AnyArray, ...]:
    """The arrays of a record; one that was changed raises :class:`DamagedRecord`.

    >>> unpack_columns(pack_columns(np.array([7, 9]))[:-1])
    Traceback (most recent call last):
    zermelo.engines.partitions.messages.DamagedRecord: the record is damaged
    """
    if len(record) < _HEADER.size:
        raise DamagedRecord("the record is too short")
    magic, checksum, count = _HEADER.unpack_from(record)
    if magic != _MAGIC or zlib.crc32(memoryview(record)[_HEADER.size :]) != checksum:
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
        arrays.append(np.frombuffer(record, dtype, size, at).astype(dtype.newbyteorder("=")))
        at += size * dtype.itemsize
    return tuple(arrays)
