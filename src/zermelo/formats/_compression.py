"""Compression by the suffix of a file: gzip and Zstandard, with several members or frames."""

import zlib
from typing import Any, Protocol

from zermelo._door.graphs import optional_module
from zermelo._runtime import memory
from zermelo.errors import FormatError, MissingDependencyError

SUFFIXES = (".gz", ".zst")

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_PIECES = {"gzip": 1 << 16, "Zstandard": 1 << 11}
"""The number of bytes that are unpacked at once; they become at most some hundred million."""
_CHECK_EVERY = 1 << 26


class _Stream(Protocol):
    """The common interface of decompressors of ``zlib`` and ``zstandard``."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def split_suffix(name: str) -> tuple[str, str]:
    """A file name without its compression suffix, and that suffix.

    >>> split_suffix("g.txt.gz"), split_suffix("g.txt")
    (('g.txt', '.gz'), ('g.txt', ''))
    """
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)], suffix
    return name, ""


def compress(data: bytes, suffix: str) -> bytes:
    """Compress for a suffix; equal data give equal bytes.

    >>> decompress(compress(b"a b", ".gz"), ".gz")
    b'a b'
    """
    if suffix == ".gz":
        squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = squeeze.compress(data) + squeeze.flush()
        head = _GZIP + b"\x08\0\0\0\0\0\0\xff"  # no name, time 0, system unknown
        size = len(data) & 0xFFFFFFFF
        return head + body + zlib.crc32(data).to_bytes(4, "little") + size.to_bytes(4, "little")
    if suffix == ".zst":
        squeezed: bytes = _zstandard().ZstdCompressor(level=3, write_checksum=True).compress(data)
        return squeezed
    return data


def decompress(data: bytes, suffix: str = "") -> bytes:
    """Undo the compression that the first bytes show; ``suffix`` says which one is expected."""
    if data.startswith(_GZIP) or suffix == ".gz":
        if not data.startswith(_GZIP):
            raise FormatError("expected gzip data, because the name ends with .gz")
        return _unpack(data, "gzip", lambda: zlib.decompressobj(31), zlib.error)
    if data.startswith(_ZSTD) or suffix == ".zst":
        if not data.startswith(_ZSTD) and not _skippable(data):
            raise FormatError("expected Zstandard data, because the name ends with .zst")
        zstandard = _zstandard()
        inflate = zstandard.ZstdDecompressor()
        return _unpack(data, "Zstandard", inflate.decompressobj, zstandard.ZstdError)
    return data


def _unpack(data: bytes, kind: str, start: Any, error: type[Exception]) -> bytes:
    """Unpack one member or frame after another; the data must end where one ends."""
    parts: list[bytes] = []
    place = size = 0
    allowed = _CHECK_EVERY
    while place < len(data):
        if kind == "Zstandard" and _skippable(data[place : place + 8]):
            place += 8 + int.from_bytes(data[place + 4 : place + 8], "little")
            if place > len(data):
                raise FormatError(f"the {kind} data are cut short")
            continue
        if kind == "gzip" and place and not data[place:].strip(b"\0"):
            break  # this is padding, which tar and tapes add
        stream: _Stream = start()
        while not stream.eof:
            piece = data[place : place + _PIECES[kind]]
            if not piece:
                raise FormatError(f"the {kind} data are cut short")
            try:
                parts.append(stream.decompress(piece))
            except error as reason:
                raise FormatError(f"the {kind} data are damaged: {reason}") from None
            place += len(piece)
            size += len(parts[-1])
            if size > allowed:
                memory.require(2 * size, "unpacking this file", "unpack it on a larger machine")
                allowed = size + _CHECK_EVERY
        place -= len(stream.unused_data)
    return b"".join(parts)


def _skippable(data: bytes) -> bool:
    """Whether a Zstandard skippable frame begins here."""
    return len(data) >= 8 and data[1:4] == b"\x2a\x4d\x18" and data[0] & 0xF0 == 0x50


def _zstandard() -> Any:
    try:
        return optional_module("zstandard", "zstd")
    except MissingDependencyError:
        raise MissingDependencyError(
            "files that end with .zst need zstandard; install it with: pip install 'zermelo[zstd]'"
        ) from None
