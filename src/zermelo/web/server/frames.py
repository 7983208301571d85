"""The messages between the server and a worker process: a kind, the number of a request, and bytes.

The server sends settings once, then requests, and the wish to stop one. A worker says that it is
ready, reports progress, and ends each request with an answer or an error. The bytes are JSON, which
the server passes on as they are.
"""

import asyncio
import struct
from io import RawIOBase
from typing import NamedTuple

HEADER = struct.Struct(">cIQ")

SETTINGS, REQUEST, STOP = b"S", b"R", b"C"
READY, PROGRESS, ANSWER, ERROR = b"Y", b"P", b"A", b"E"

LONGEST = 64 << 20
"""Bytes of one message; a worker refuses to give a longer answer."""


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    number: int
    """The number of the request that it belongs to."""
    payload: bytes


def pack(kind: bytes, number: int, payload: bytes = b"") -> bytes:
    """A message as bytes.

    >>> len(pack(READY, 0))
    13
    """
    return HEADER.pack(kind, number, len(payload)) + payload


def read(file: RawIOBase) -> Frame | None:
    """The next message of a pipe, or None if the other side has closed it."""
    header = _exactly(file, HEADER.size)
    if header is None:
        return None
    kind, number, length = HEADER.unpack(header)
    payload = _exactly(file, length)
    return None if payload is None else Frame(kind, number, payload)


async def receive(reader: asyncio.StreamReader) -> Frame:
    """The next message; :class:`EOFError` if the other side ends, ValueError if it is too long."""
    kind, number, length = HEADER.unpack(await reader.readexactly(HEADER.size))
    if length > LONGEST:
        raise ValueError(f"a message of {length:,} bytes")
    return Frame(kind, number, await reader.readexactly(length))


def _exactly(file: RawIOBase, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = file.read(min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)
