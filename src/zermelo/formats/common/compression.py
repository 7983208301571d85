"""Compression by the suffix of a file: gzip, bzip2, xz and Zstandard.

Data may have several members, streams or frames, one after the other.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from zermelo._inputs.values import optional_module
from zermelo._runtime import memory
from zermelo.errors import FormatError, MissingDependencyError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")

_GZIP = b"\x1f\x8b"
_CHECK_EVERY = 1 << 26
"""Bytes after which the memory for those unpacked so far is checked again."""

_PIECE = 1 << 11
"""Bytes that are given to the decompressor at once; what is left of them is copied at each end."""

XZ_MEMORY = 1 << 30
"""The most memory that an xz file may ask for; the largest preset of the program needs 65 MiB."""


class _Packing(NamedTuple):
    """One kind of compression."""

    suffix: str
    name: str
    magic: re.Pattern[bytes]
    """How compressed data begin."""
    decompressor: "Callable[[], _Maker]"
    """A function that imports what is needed."""


class _Stream(Protocol):
    """The common interface of all decompressors."""

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
    if suffix == ".bz2":
        import bz2

        return bz2.compress(data)
    if suffix == ".xz":
        import lzma

        return lzma.compress(data)
    if suffix == ".zst":
        squeezed: bytes = _zstandard().ZstdCompressor(level=3, write_checksum=True).compress(data)
        return squeezed
    return data


def decompress(data: bytes, suffix: str = "") -> bytes:
    """Undo the compression that the first bytes show; ``suffix`` says which one is expected."""
    found = next((row for row in PACKINGS if row.magic.match(data)), None)
    expected = next((row for row in PACKINGS if row.suffix == suffix), None)
    if found is None and expected is not None and not _begins_skippable(expected, data):
        raise FormatError(f"expected {expected.name} data, because the name ends with {suffix}")
    chosen = found or expected
    return data if chosen is None else _unpack(data, chosen)


def _unpack(data: bytes, packing: _Packing) -> bytes:
    """Unpack one member, stream or frame after another; the data must end where one ends."""
    kind, (start, errors) = packing.name, packing.decompressor()
    parts: list[bytes] = []
    place = size = 0
    allowed = _CHECK_EVERY
    while place < len(data):
        if _begins_skippable(packing, data[place : place + 8]):
            place += 8 + int.from_bytes(data[place + 4 : place + 8], "little")
            if place > len(data):
                raise FormatError(f"the {kind} data are cut short")
            continue
        if place and data[place] == 0 and packing.suffix in (".gz", ".xz"):
            if data[place:].strip(b"\0"):  # no member begins with 0, so this is done once
                raise FormatError(f"the {kind} data are damaged: something follows their padding")
            break  # this is padding, which tar and tapes add
        stream: _Stream = start()
        while not stream.eof:
            piece = data[place : place + _PIECE]
            if not piece:
                raise FormatError(f"the {kind} data are cut short")
            place += len(piece)
            try:
                for part in _unpacked(packing.suffix, stream, piece):
                    parts.append(part)
                    size += len(part)
                    if size > allowed:
                        way_out = "unpack it on a larger machine"
                        memory.require(2 * size, "unpacking this file", way_out)
                        allowed = size + _CHECK_EVERY
            except errors as reason:
                raise FormatError(f"the {kind} data are damaged: {reason}") from None
        place -= len(stream.unused_data)
    return b"".join(parts)


def _unpacked(suffix: str, stream: Any, piece: bytes) -> Iterator[bytes]:
    """What a piece becomes, at most about ``_CHECK_EVERY`` bytes at a time.

    Forty bytes of bzip2 may become 45 million. Zstandard's decompressor takes no limit, and there
    a piece becomes at most 64 million.
    """
    if suffix == ".zst":
        yield stream.decompress(piece)
    elif suffix == ".gz":
        while piece and not stream.eof:
            yield stream.decompress(piece, _CHECK_EVERY)
            piece = stream.unconsumed_tail
    else:
        yield stream.decompress(piece, _CHECK_EVERY)
        while not (stream.eof or stream.needs_input):
            yield stream.decompress(b"", _CHECK_EVERY)


def _begins_skippable(packing: _Packing, data: bytes) -> bool:
    """Whether a skippable frame of Zstandard begins here."""
    if packing.suffix != ".zst":
        return False
    return len(data) >= 8 and data[1:4] == b"\x2a\x4d\x18" and data[0] & 0xF0 == 0x50


def _zstandard() -> Any:
    try:
        return optional_module("zstandard", "zstd")
    except MissingDependencyError:
        raise MissingDependencyError(
            "files that end with .zst need zstandard; install it with: pip install 'zermelo[zstd]'"
        ) from None


_Maker = tuple[Callable[[], _Stream], tuple[type[Exception], ...]]
"""A function that makes a decompressor, and the errors that a decompressor raises."""


def _start_gzip() -> _Maker:
    return lambda: zlib.decompressobj(31), (zlib.error,)


def _start_bzip2() -> _Maker:
    import bz2

    return bz2.BZ2Decompressor, (OSError, ValueError, EOFError)


def _start_xz() -> _Maker:
    import lzma

    return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY), (lzma.LZMAError, EOFError)


def _start_zstandard() -> _Maker:
    zstandard = _zstandard()
    return zstandard.ZstdDecompressor().decompressobj, (zstandard.ZstdError,)


PACKINGS = (
    _Packing(".gz", "gzip", re.compile(rb"\x1f\x8b"), _start_gzip),
    _Packing(
        ".bz2",
        "bzip2",
        re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", re.DOTALL),
        _start_bzip2,
    ),
    _Packing(".xz", "xz", re.compile(rb"\xfd7zXZ\0"), _start_xz),
    _Packing(".zst", "Zstandard", re.compile(rb"\x28\xb5\x2f\xfd"), _start_zstandard),
)
"""The kinds of compression, by suffix."""


def beginning(head: bytes, size: int) -> bytes:
    """The first bytes of data that may be compressed, about ``size`` of them.

    ``head`` is the beginning of a file. bzip2 unpacks only whole blocks, so it needs a megabyte.

    >>> beginning(compress(b"a b", ".xz")[:60], 2)
    b'a '
    """
    found = next((row for row in PACKINGS if row.magic.match(head)), None)
    if found is None:
        return head[:size]
    start, errors = found.decompressor()
    stream: Any = start()
    try:
        if found.suffix == ".zst":  # its decompressor takes no limit
            unpacked: bytes = stream.decompress(head[:_PIECE])
        else:
            unpacked = stream.decompress(head, size)
    except errors:
        return head[:size]
    return unpacked[:size]
