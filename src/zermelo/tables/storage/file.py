"""The file format ``.zt``: entries in compressed blocks, each with a checksum.

A file is a preamble, a header in JSON, a directory of blocks, and the blocks. Preamble, header and
directory share one checksum. Every block has its own, which covers its number and place, too. So a
changed byte anywhere causes an error that names the place, and never another value. The page *The
format .zt* of the documentation has the layout byte by byte.

Blocks are read when they are first used, and those used last are kept decoded
(:mod:`zermelo.tables.probing.block_cache`). The file is not mapped into memory: if another program
shortened it, access to the missing part would end the process.
"""

import hashlib
import json
import operator
import os
import struct
import weakref
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from zermelo._inputs.values import optional_module
from zermelo._kernels.tables.answer import DecodedBlocks
from zermelo._runtime.progress import Report
from zermelo._runtime.threads import in_order
from zermelo.errors import FormatError
from zermelo.labels import LARGEST_POSITION, NO_DISTANCE, Int32Array, Int64Array, UInt8Array
from zermelo.tables.probing.block_cache import BLOCK as BLOCK
from zermelo.tables.probing.block_cache import CACHE_BYTES, Block, BlockCache, Coded
from zermelo.tables.storage.codes import (
    COUNTS,
    COUNTS_ALONE,
    ENDING_LOSSES,
    ENDING_WINS,
    KIND_ABSENT,
    Coding,
    Decoder,
)
from zermelo.tables.storage.entries import Entries
from zermelo.tables.storage.header import FIRST, check_header
from zermelo.tables.storage.layout import NUMBERED, VERSION_BEFORE, VERSIONS, Layout, directory_size
from zermelo.tables.storage.packing import unpack_block
from zermelo.tables.storage.planes import inflate, sorted_keys
from zermelo.tables.storage.planes import pack as pack
from zermelo.tables.storage.planes import shuffle as shuffle
from zermelo.tables.storage.planes import unpack as unpack
from zermelo.tables.storage.planes import unshuffle as unshuffle

MAGIC = b"\x89ZMT\r\n\x1a\n"
"""The first bytes: they are no text, and they reveal changed line ends."""

AGAIN = "its blocks are packed in a way that is no longer read; build the table again"
"""What is to be done with a file of an older version."""

MAX_SINGLE_KEYS = 32
"""So many keys are looked up one by one."""

MAX_READ_BYTES = 1 << 24
"""Bytes that are read at a time."""

MAX_HEADER_BYTES = 1 << 24
"""No header is longer; the first texts of blocks are the most that it has."""

MAX_TEXT_BYTES = 4096
"""The texts of a block have at most this many bytes on average, with the separators."""

PREAD = getattr(os, "pread", None)
"""Reads at a place that no other process can change, as it could change that of a descriptor."""

PREAMBLE = struct.Struct("<8sIIQ8s")
"""Magic, version, bytes of the header, bytes of the file, checksum of all before the blocks."""


def digest(*parts: bytes) -> bytes:
    """The checksum: 64 bits of BLAKE2b."""
    state = hashlib.blake2b(digest_size=8)
    for part in parts:
        state.update(part)
    return state.digest()


def block_digest(number: int, offset: int, data: bytes) -> bytes:
    """The checksum of a block at its place in the file."""
    return digest(struct.pack("<QQ", number, offset), data)


# -------------------------------------------------------------------- reading


class TableFile(Entries):
    """A ``.zt`` file; every block is checked when it is first used.

    Keys that are numbers are less than ``key_limit``, which who knows the rules may lower.
    """

    def __init__(self, path: str | os.PathLike[str], cache: int = CACHE_BYTES) -> None:
        self.path, self.key_limit = os.fspath(path), LARGEST_POSITION + 1
        self._descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._closed = weakref.finalize(self, os.close, self._descriptor)
        try:
            self._open(os.fstat(self._descriptor).st_size)
        except BaseException:
            self._closed()
            raise
        optional_module("zstandard", "zstd")  # fail now, not in the first block
        self.coding, self._limit = Coding(self.layout.kinds, self.layout.scales), cache
        self._decoder = self.decoder(self.coding)
        self._indexed, self._entries = self.layout.keys == "index", self.layout.entries

    @property
    def stored(self) -> int:
        """How many entries belong to positions."""
        return int(self.header["stored"])

    def random_places(self, choose: np.random.Generator, count: int) -> Int64Array:
        """Numbers of entries taken at random; some may belong to no position."""
        return choose.integers(self.layout.entries, size=count)

    @cached_property
    def _cache(self) -> BlockCache:
        """The blocks that are kept; there is no memory for them until one is used."""
        numbered = self.layout.keys in NUMBERED
        return BlockCache(self._blocks, self.coding, numbered, self._limit, self._read)

    @property
    def _blocks(self) -> int:
        """How many blocks there are."""
        return self.layout.blocks

    def _open(self, size: int) -> None:
        """Check and read everything before the blocks."""
        if size < PREAMBLE.size:
            raise self._error(f"expected a table, got a file of {size} bytes")
        preamble = self._bytes(0, PREAMBLE.size)
        magic, version, length, whole, checksum = PREAMBLE.unpack(preamble)
        if magic != MAGIC:
            raise self._error("expected a table, but the file begins with other bytes")
        if version == VERSION_BEFORE:
            raise self._error(f"the file has format version {version}: {AGAIN}")
        if version not in VERSIONS:
            known = f"this one reads versions {', '.join(map(str, VERSIONS))}"
            newer = f"; a newer zermelo may read it, {known}"
            raise self._error(f"the file has format version {version}{newer}")
        if whole != size:
            change = "cut short" if size < whole else "extended"
            raise self._error(
                f"the file was {change}, or its header is damaged: "
                f"expected {whole:,} bytes, got {size:,}"
            )
        if length > (most := min(size - PREAMBLE.size, MAX_HEADER_BYTES)):
            raise self._error(
                f"the header is damaged: expected at most {most:,} bytes of it, got {length:,}"
            )
        place = PREAMBLE.size + length
        text = self._bytes(PREAMBLE.size, place)
        try:
            self.header = check_header(json.loads(text))
            self.layout = Layout.from_json(self.header)
            if self.layout.version != version:
                raise ValueError("its version and its kinds of entries do not agree")
            blocks, planes = self.layout.blocks, len(self.layout.planes)
            end = place + directory_size(self.layout)
            if end > size:
                raise ValueError(f"expected {end:,} bytes or more before the blocks, got {size:,}")
            directory = self._bytes(place, end)
            if digest(preamble[:-8], text, directory) != checksum:
                raise ValueError("its checksum is wrong")
            self._first = self._firsts(directory)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if b'"packed": true' in text:
                raise self._error(f"the file has format version {version}: {AGAIN}") from None
            raise self._error(f"the header is damaged: {error}") from None
        self._lengths = np.frombuffer(directory, "<u4", blocks * planes)
        self._lengths = self._lengths.reshape(blocks, planes).astype(np.int64)
        sums = 4 * blocks * planes
        self._sums = directory[sums : sums + 8 * blocks]
        self._starts = end + np.concatenate([[0], np.cumsum(self._lengths.sum(1))])
        if self._starts[-1] != size:
            raise self._error("the header is damaged: the blocks do not end where the file ends")

    def _firsts(self, directory: bytes) -> list[Any]:
        """The first key of every block, where there are keys."""
        first: list[Any] = []
        if self.layout.keys in NUMBERED:
            first = np.frombuffer(directory[-8 * self.layout.blocks :], "<i8").tolist()
        elif self.layout.keys == "texts":
            first = self.header.get(FIRST, [])
        if first and not is_ascending(first):
            raise ValueError("expected the first keys of blocks in ascending order")
        if self.layout.keys in NUMBERED and first[0] < 0:
            raise ValueError(f"expected keys from 0 on, got {first[0]:,}")
        if self.layout.keys != "index" and len(first) != self.layout.blocks:
            raise ValueError("expected the first key of every block")
        return first

    def _bytes(self, start: int, stop: int) -> bytes:
        """Bytes of the file; fewer than there were when it was opened are an error."""
        if not self._closed.alive:
            raise self._error("the table is closed")
        if PREAD is None:
            os.lseek(self._descriptor, start, os.SEEK_SET)
        parts, at = [], start
        while at < stop:
            size = min(stop - at, MAX_READ_BYTES)
            part = PREAD(self._descriptor, size, at) if PREAD else os.read(self._descriptor, size)
            if not part:
                raise self._error(
                    f"the file was cut short while it was open: expected {stop:,} bytes or more, "
                    f"got {at:,}"
                )
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def _error(self, message: str) -> FormatError:
        return FormatError(message, path=self.path)

    def close(self) -> None:
        """Close the file."""
        self._forget()
        self._closed()

    def _forget(self) -> None:
        """Forget all blocks that are kept, if there are any."""
        if "_cache" in vars(self):
            self._cache.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return int(self._starts[-1])

    def copy(self, path: Path) -> None:
        """Write the same bytes to another file."""
        with path.open("wb") as file:
            for start in range(0, self.size, MAX_READ_BYTES):
                with self._cache.lock:
                    data = self._bytes(start, min(start + MAX_READ_BYTES, self.size))
                file.write(data)
            file.flush()
            os.fsync(file.fileno())

    @property
    def count_names(self) -> tuple[str, ...]:
        """The names of the counts in the header."""
        return COUNTS_ALONE if self.layout.alone else COUNTS

    def counts(self) -> dict[str, int]:
        """The counts in the header, and ``NO_DISTANCE`` for the longest way where there is none.

        A header has 0 for that: its kinds of entries distinguish it from a way of length 0. A table
        of labels alone has no longest ways.
        """
        counts = {name: self.header["counts"][name] for name in self.count_names}
        if self.layout.alone:
            return counts
        for name, ending in (("longest_win", ENDING_WINS), ("longest_lose", ENDING_LOSSES)):
            if counts[name] == 0 and not any(kind in self.layout.kinds for kind in ending):
                counts[name] = NO_DISTANCE
        return counts

    def plane_sizes(self) -> dict[str, int]:
        """Bytes of each plane."""
        return dict(zip(self.layout.planes, self._lengths.sum(0).tolist(), strict=True))

    def check(self, progress: Report | None = None) -> None:
        """Read every block once; a damaged one is an error."""
        for number, _ in enumerate(in_order(self.read, range(self.layout.blocks))):
            if progress is not None:
                progress(number + 1, self.layout.blocks, "blocks checked")

    def block(self, number: int) -> Block:
        """A block, decoded; those used last are kept."""
        return self._cache.block(number)

    def read(self, number: int) -> Block:
        """A block, decoded for a caller that reads every block once; it is not kept.

        Several threads may unpack blocks at a time.
        """
        if self.layout.packed and PREAD is not None:
            coded = self._read(number)
        else:
            with self._cache.lock:
                coded = self._read(number)
        return Block(*self.coding.entries(coded.code), coded.keys)

    @property
    def decoded_blocks(self) -> DecodedBlocks:
        """The arrays of all decoded blocks, for a kernel that finds entries by keys."""
        first = self._first if self.layout.keys in NUMBERED else []
        zero = np.zeros(1, np.int64)
        return self._cache.decoded_blocks(np.array(first, np.int64), zero, zero)

    @property
    def cache(self) -> BlockCache:
        """The blocks that are kept."""
        return self._cache

    def find(self, key: Any) -> int:
        """The number of the entry of a key, −1 for none."""
        if self._indexed:
            return int(key)
        number = bisect_right(self._first, key) - 1
        if number < 0:
            return -1
        if self.layout.keys in NUMBERED:
            return self._cache.find_number(number, key)
        texts = self._cache.texts(number)
        i = bisect_right(texts, key) - 1
        return number * BLOCK + i if texts[i] == key else -1

    def look(self, key: Any) -> tuple[int, int]:
        """The kind of the entry of a key, and its distance where the kind carries one."""
        i = self.find(key)
        if not 0 <= i < self._entries:
            return KIND_ABSENT, NO_DISTANCE
        return self._cache.entry(i)

    def find_many(self, keys: Int64Array) -> Int64Array:
        """The numbers of the entries that have these keys beside them, −1 where there is none."""
        if keys.size < MAX_SINGLE_KEYS:
            return np.array([self.find(key) for key in keys.tolist()], np.int64)
        numbers = np.searchsorted(self._first, keys, side="right") - 1
        order = np.argsort(numbers, kind="stable")
        wanted, starts = np.unique(numbers[order], return_index=True)
        places = np.full(keys.size, -1, np.int64)
        for number, part in zip(wanted.tolist(), np.split(order, starts[1:]), strict=True):
            if number >= 0:
                places[part] = self._cache.find_numbers(number, keys[part])
        return places

    def entries(self, places: Int64Array) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of entries by their numbers."""
        return self._cache.entries(places)

    def look_many(self, keys: Int64Array) -> tuple[UInt8Array, Int32Array]:
        """Do what :meth:`look` does for many keys that are numbers."""
        places = keys if self._indexed else self.find_many(keys)
        if places.size and places.min() >= 0 and places.max() < self._entries:
            return self.entries(places)
        there = (places >= 0) & (places < self._entries)
        kind = np.full(keys.size, KIND_ABSENT, np.uint8)
        distance = np.full(keys.size, NO_DISTANCE, np.int32)
        kind[there], distance[there] = self.entries(places[there])
        return kind, distance

    def decoder(self, coding: Coding) -> Decoder:
        """The decoder of its blocks for entries that are kept by a coding."""
        return Decoder(self.layout.kinds, self.layout.scales, self.layout.bits, coding)

    def _read(self, number: int) -> Coded:
        return self.read_by(self._decoder, number)

    def read_by(self, decoder: Decoder, number: int) -> Coded:
        """A block with its entries as a decoder gives them."""
        start, stop = int(self._starts[number]), int(self._starts[number + 1])
        data = self._bytes(start, stop)
        if block_digest(number, start, data) != self._sums[8 * number : 8 * number + 8]:
            raise self._error(f"block {number} is damaged: its checksum is wrong")
        try:
            coded = self._decode(number, data, decoder)
            if self.layout.keys in NUMBERED:
                limit = min([self.key_limit, *self._first[number + 1 : number + 2]])
                if (last := int(coded.keys[-1])) >= limit:
                    raise ValueError(f"expected keys below {limit:,}, got {last:,}")
            return coded
        except ValueError as error:
            raise self._error(f"block {number} is damaged: {error}") from None

    def _decode(self, number: int, data: bytes, decoder: Decoder) -> Coded:
        layout = self.layout
        count = min(BLOCK, layout.entries - number * BLOCK)
        frames, at = [], 0
        for length in self._lengths[number].tolist():
            frames.append(data[at : at + length])
            at += length
        if layout.shape is not None:
            place = self._first[number], count
            block = unpack_block(frames, place, layout.kinds, layout.scales, layout.shape)
            return Coded(decoder.coding.codes(block.kind, block.distance), block.keys)
        keys = b"" if layout.keys == "index" else frames.pop()
        planes = [inflate(*x) for x in zip(frames, decoder.sizes(count), strict=True)]
        code = decoder.decode(planes, count)
        if layout.keys == "index":
            return Coded(code)
        if layout.keys == "texts":
            return Coded(code, _texts(keys, self._first[number], count))
        return Coded(code, sorted_keys(keys, self._first[number], count))


def _texts(frame: bytes, first: str, count: int) -> list[str]:
    """The keys of a block that are texts."""
    texts = inflate(frame, MAX_TEXT_BYTES * count).decode().split("\0")
    if len(texts) != count or texts[0] != first or not is_ascending(texts):
        raise ValueError(f"expected {count} sorted texts, the first of which is in the header")
    return texts


def is_ascending(keys: Sequence[Any]) -> bool:
    """Whether each key is greater than the one before it.

    >>> is_ascending([1, 3, 4]), is_ascending(["a", "a"])
    (True, False)
    """
    return all(map(operator.lt, keys, islice(keys, 1, None)))
