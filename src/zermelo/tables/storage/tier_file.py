"""A table whose tiers are in several files of one directory, read as if it were one file.

The file of a game has the entries of its own tier. Its header lists all tiers of the game: the name
of the file, the digest of the rules, the counts, and a digest of the entries. The other files are
opened when an entry of theirs is needed first. A file that is not the one of the list is refused.
"""

import os
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.tables.answer import DecodedBlocks
from zermelo.errors import FormatError, InvalidOptionError
from zermelo.labels import NO_DISTANCE, Int32Array, Int64Array, UInt8Array
from zermelo.tables.probing.block_cache import BLOCK, CACHE_BYTES, Block, Coded
from zermelo.tables.storage.codes import KIND_ABSENT, STORED, Coding, Decoder, Scale
from zermelo.tables.storage.file import TableFile
from zermelo.tables.storage.layout import LABELS_ONLY, TIERS, Layout, possible_kinds

SHARED = ("objective", "symmetry", LABELS_ONLY)
"""The fields of a header that are the same in all files of a table."""


def open_file(path: str | os.PathLike[str], cache: int = CACHE_BYTES) -> TableFile:
    """The file of a table, with the other files that belong to it, if there are such."""
    file = TableFile(path, cache)
    return TierFile(file, cache) if file.layout.tier else file


def records_of(file: TableFile) -> list[dict[str, Any]]:
    """The list of tiers in the header of a file that has one tier; the last is its own."""
    records: list[dict[str, Any]] = file.header[TIERS]
    if records[-1]["entries"] != file.layout.entries:
        raise FormatError("the header is damaged: its tiers are impossible", path=file.path)
    return records


def total_counts(records: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The counts of several tiers together.

    >>> counts = {"positions": 3, "longest_win": 5}
    >>> total_counts([{"counts": counts}, {"counts": {"positions": 1, "longest_win": 0}}])
    {'positions': 4, 'longest_win': 5}
    """
    total = dict(records[-1]["counts"])
    for record in records[:-1]:
        for name, number in record["counts"].items():
            longest = name.startswith("longest")
            total[name] = max(total[name], number) if longest else total[name] + number
    return total


class TierFile(TableFile):
    """The files of all tiers of a game, of which ``own`` has the last tier."""

    def __init__(self, own: TableFile, cache: int = CACHE_BYTES) -> None:
        self.path, self.folder = own.path, os.path.dirname(own.path)
        try:
            self.records = records_of(own)
        except BaseException:
            own.close()
            raise
        self._files: list[TableFile | None] = [None] * (len(self.records) - 1) + [own]
        self._offsets = np.cumsum([0, *(x["entries"] for x in self.records)]).tolist()
        self._counts = total_counts(self.records)
        self.header = {
            **own.header,
            "stored": sum(x["stored"] for x in self.records),
            "counts": {name: max(0, number) for name, number in self._counts.items()},
        }
        longest, alone = max(x["longest"] for x in self.records), own.layout.alone
        scales = {} if alone else dict.fromkeys(STORED, Scale(0, 1, max(0, longest)))
        self.layout = Layout(self._offsets[-1], "index", (), scales, alone)
        # Every file begins with a block of its own, so that a block is decoded from one file.
        self._first_blocks = np.cumsum(
            [0, *(-(-x["entries"] // BLOCK) for x in self.records)]
        ).tolist()
        self._begin = np.array(self._offsets[:-1], np.int64)
        self._shift = np.array(self._first_blocks[:-1], np.int64) * BLOCK - self._begin
        kinds = tuple(sorted(possible_kinds(alone, conversion=False)))
        self.coding = Coding(kinds, {} if alone else scales)
        self._decoders: list[Decoder | None] = [None] * len(self.records)
        self._indexed, self._entries, self._is_open = True, self.layout.entries, True
        self._limit = cache

    @property
    def _blocks(self) -> int:
        """How many blocks all files have."""
        return int(self._first_blocks[-1])

    def part(self, number: int) -> TableFile:
        """The file of a tier."""
        if not self._is_open:
            raise self._error("the table is closed")
        file = self._files[number]
        if file is None:
            record = self.records[number]
            path = os.path.join(self.folder, record["file"])
            file = self._files[number] = self._opened(path, record)
        return file

    def _opened(self, path: str, record: dict[str, Any]) -> TableFile:
        """The file of a lower tier; one that is missing or another one is an error."""
        try:
            file = TableFile(path, 0)
        except FileNotFoundError:
            game = self.header["rules"]["game"]
            remedy = "" if game is None else f"; zermelo build {game} -o DIRECTORY makes it"
            message = f"{os.path.basename(self.path)} needs this file, and it is missing{remedy}"
            raise FormatError(message, path=path) from None
        fits = file.layout.tier and file.header["rules"]["digest"] == record["rules"]
        fits = fits and all(file.header.get(x) == self.header.get(x) for x in SHARED)
        if not fits or records_of(file)[-1] != record:
            file.close()
            raise FormatError(
                f"it is not the file with which {os.path.basename(self.path)} was built: it has "
                "other rules, options or entries; remove one of the two, and build again",
                path=path,
            )
        return file

    def _read(self, number: int) -> Coded:
        """A block of one of the files; blocks are numbered through all files."""
        tier = bisect_right(self._first_blocks, number) - 1
        file, decoder = self.part(tier), self._decoders[tier]
        if decoder is None:
            try:
                decoder = self._decoders[tier] = file.decoder(self.coding)
            except ValueError as error:
                raise self._error(f"the header is damaged: {error}") from None
        return file.read_by(decoder, number - self._first_blocks[tier])

    def block(self, number: int) -> Block:
        """Entries as in a block of one file that has all tiers."""
        at, stop = number * BLOCK, min((number + 1) * BLOCK, self._entries)
        return Block(*self.entries(np.arange(at, stop)))

    def read(self, number: int) -> Block:
        """The same: the blocks of the files are kept, because two blocks here may need them."""
        return self.block(number)

    def look(self, key: int) -> tuple[int, int]:
        """The kind of the entry of an index, and its distance where the kind carries one."""
        if not 0 <= key < self._entries:
            return KIND_ABSENT, NO_DISTANCE
        return self._cache.entry(key + self._shift.item(bisect_right(self._offsets, key) - 1))

    def entries(self, places: Int64Array) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of entries by their numbers."""
        file = np.searchsorted(self._begin, places, side="right") - 1
        return self._cache.entries(places + self._shift[file])

    @property
    def decoded_blocks(self) -> DecodedBlocks:
        """The arrays of all decoded blocks, for a kernel that finds entries by keys."""
        return self._cache.decoded_blocks(np.zeros(0, np.int64), self._begin, self._shift)

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(self.part(number).size for number in range(len(self.records)))

    def counts(self) -> dict[str, int]:
        """The counts of all tiers together, with ``NO_DISTANCE`` for no longest way."""
        return {name: max(NO_DISTANCE, self._counts[name]) for name in self.count_names}

    def plane_sizes(self) -> dict[str, int]:
        """Bytes of each plane, in all files together."""
        sizes: dict[str, int] = {}
        for number in range(len(self.records)):
            for name, size in self.part(number).plane_sizes().items():
                sizes[name] = sizes.get(name, 0) + size
        return sizes

    def copy(self, path: Path) -> None:
        """Refuse: one file would lack the lower tiers."""
        raise InvalidOptionError(
            f"{self.path}: its lower tiers are in other files, so copy the directory "
            f"{self.folder!r}, or build the game into one file"
        )

    def close(self) -> None:
        """Close all files."""
        self._is_open = False
        self._forget()
        for file in self._files:
            if file is not None:
                file.close()
