"""Small numbers and whole numbers as bytes that Zstandard compresses well."""

import numpy as np

from zermelo.labels import AnyArray, Int64Array
from zermelo.tables.codes import UInt8Array


def pack(codes: UInt8Array, bits: int) -> bytes:
    """Small numbers, several in each byte, the first in the lowest bits.

    >>> pack(np.array([1, 2, 3, 0, 1], np.uint8), 2).hex()
    '3901'
    """
    if bits == 0:
        return b""
    each = 8 // bits
    padded = np.zeros(-(-codes.size // each) * each, np.uint8)
    padded[: codes.size] = codes
    weights = np.array([1 << bits * k for k in range(each)], np.uint8)
    packed: UInt8Array = (padded.reshape(-1, each) * weights).sum(1, dtype=np.uint8)
    return packed.tobytes()


def unpack(data: bytes, bits: int, count: int) -> UInt8Array:
    """The numbers that :func:`pack` packed.

    >>> unpack(bytes.fromhex("3901"), 2, 5)
    array([1, 2, 3, 0, 1], dtype=uint8)
    """
    if bits == 0:
        return np.zeros(count, np.uint8)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    wide = np.frombuffer(data, np.uint8)[:, None] >> shifts & np.uint8((1 << bits) - 1)
    return wide.reshape(-1)[:count]


def shuffle(numbers: AnyArray, width: int) -> bytes:
    """Numbers of ``width`` bytes, all lowest bytes first, then all second ones, and so on.

    >>> shuffle(np.array([1, 258]), 2).hex()
    '01020001'
    """
    if width == 1:
        return numbers.astype(np.uint8).tobytes()
    wide = np.ascontiguousarray(numbers, "<i8").view(np.uint8).reshape(-1, 8)
    return wide[:, :width].T.tobytes()


def unshuffle(data: bytes, width: int) -> Int64Array:
    """The numbers that :func:`shuffle` wrote.

    >>> unshuffle(bytes.fromhex("01020001"), 2)
    array([  1, 258])
    """
    rows = np.frombuffer(data, np.uint8).reshape(width, -1)
    wide = np.zeros((rows.shape[1], 8), np.uint8)
    wide[:, :width] = rows.T
    return wide.view("<i8").reshape(-1).astype(np.int64, copy=False)


def width_of(numbers: Int64Array) -> int:
    """The bytes that the largest number needs, at least 1.

    >>> width_of(np.array([0, 256]))
    2
    """
    return -(-int(numbers.max()).bit_length() // 8) or 1
