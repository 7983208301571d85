"""Messages between partitions: batches in memory, and records with checksums in files."""

import struct
import zlib
from typing import NamedTuple

import numpy as np

from zermelo.labels import Int32Array, UInt8Array

_HEADER = struct.Struct("<4sIiiq")
_MAGIC = b"zmsg"

RECORD_OVERHEAD = _HEADER.size
MESSAGE_BYTES = 5
"""Bytes of one message in a record."""


class Batch(NamedTuple):
    """Messages of one side from one partition to another, those to a situation added up."""

    source: int
    side: int
    targets: Int32Array
    """Situations of the partition that gets the messages, by their numbers in it."""
    counts: UInt8Array


class DamagedRecord(Exception):
    """A record is not what was written."""


def pack(batch: Batch) -> bytes:
    """The record of a batch.

    >>> batch = Batch(3, 1, np.array([7, 2], np.int32), np.array([1, 9], np.uint8))
    >>> unpack(pack(batch)).counts.tolist()
    [1, 9]
    """
    body = batch.targets.astype("<i4", copy=False).tobytes() + batch.counts.tobytes()
    head = (batch.source, batch.side, batch.targets.size)
    return _HEADER.pack(_MAGIC, _checksum(head, body), *head) + body


def unpack(record: bytes) -> Batch:
    """The batch of a record; a record that was changed raises :class:`DamagedRecord`."""
    if len(record) < _HEADER.size:
        raise DamagedRecord("the record is too short")
    magic, checksum, source, side, size = _HEADER.unpack_from(record)
    body = record[_HEADER.size :]
    if magic != _MAGIC or len(body) != MESSAGE_BYTES * size:
        raise DamagedRecord("the record has another length")
    if _checksum((source, side, size), body) != checksum:
        raise DamagedRecord("the checksum of the record is wrong")
    targets = np.frombuffer(body, "<i4", size).astype(np.int32, copy=False)
    return Batch(source, side, targets, np.frombuffer(body, np.uint8, size, 4 * size))


def _checksum(head: tuple[int, int, int], body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(struct.pack("<iiq", *head)))
