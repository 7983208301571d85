"""Small numbers and whole numbers as bytes that Zstandard compresses well."""

from functools import cache

import numpy as np

from zermelo._inputs.values import optional_module
from zermelo.labels import AnyArray, Int64Array, UInt8Array

MAX_KEY_BYTES = 8
"""No difference between two keys needs more bytes."""


def inflate(frame: bytes, most: int) -> bytes:
    """The content of a frame of Zstandard, or nothing if there is none.

    A frame of more than ``most`` bytes is a ValueError, before its content takes any memory. Blocks
    may be read by several threads at a time, so each call has its own decompressor.
    """
    if not frame:
        return b""
    zstandard = optional_module("zstandard", "zstd")
    try:
        # The length in a frame, if it has one, counts more than ``max_output_size`` does.
        size: int = zstandard.frame_content_size(frame)
        if size > most:
            raise ValueError(f"expected at most {most:,} bytes in a plane, got {size:,}")
        data: bytes = zstandard.ZstdDecompressor().decompress(frame, max_output_size=most)
    except zstandard.ZstdError as error:
        raise ValueError(f"its data are no frame of at most {most:,} bytes: {error}") from None
    return data


def sorted_keys(frame: bytes, first: int, count: int) -> Int64Array:
    """The keys of a block, from the frame of their differences; a fault is a ValueError."""
    data = inflate(frame, MAX_KEY_BYTES * count)
    if not data or len(data) % count:
        raise ValueError("expected a difference for each key")
    keys: Int64Array = first + np.cumsum(unshuffle(data, len(data) // count))
    if keys[0] != first or (keys[1:] <= keys[:-1]).any():
        raise ValueError("expected sorted keys")
    return keys


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
    return _numbers_in_bytes(bits).take(np.frombuffer(data, np.uint8)).view(np.uint8)[:count]


@cache
def _numbers_in_bytes(bits: int) -> AnyArray:
    """The numbers that each of the 256 bytes holds, one after the other in one wide integer."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    numbers = np.arange(256, dtype=np.uint8)[:, None] >> shifts & np.uint8((1 << bits) - 1)
    return numbers.view(f"u{shifts.size}").reshape(-1)


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
    if width == 1:
        return np.frombuffer(data, np.uint8).astype(np.int64)
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
