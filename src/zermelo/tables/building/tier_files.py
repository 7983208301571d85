"""The files of the tiers of a game while it is being solved: those that are there, and new ones.

The solver fills one array with the entries of all tiers. A tier that has a file is read into the
array and is not solved; any other tier is written to its file as soon as it is solved. A file
appears when it is whole, so an interrupted build keeps the tiers that were finished.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import COUNT, FIRST, LAST
from zermelo._runtime.compiled.guards import MAX_TIERS
from zermelo._runtime.locks import sync_directory
from zermelo.errors import BuildError, FormatError, InvalidRulesError
from zermelo.labels import NO_DISTANCE, AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.rules.faults import own, wrong
from zermelo.tables.building.checkpoint import Checkpoint
from zermelo.tables.building.disk_errors import writing
from zermelo.tables.building.tiers import Tier
from zermelo.tables.probing.block_cache import BLOCK
from zermelo.tables.probing.many_answers import LABEL_OF
from zermelo.tables.storage.codes import (
    KIND_DRAW,
    KIND_TIE_IN,
    KIND_TIED,
    KINDS_ALONE,
    Chunk,
    distances,
    labels,
    pack,
)
from zermelo.tables.storage.entries import counts_between, view_of
from zermelo.tables.storage.file import TableFile
from zermelo.tables.storage.layout import LABELS_ONLY, TIERS
from zermelo.tables.storage.save import Content, header_of, write_content
from zermelo.tables.storage.tier_file import SHARED, TierFile, records_of
from zermelo.tables.table import Table
from zermelo.verify.tables.table import suspicion

ENTRIES_PER_DIGEST = 1 << 20
"""Entries that are digested at a time."""

NAMES = {"objective": "objective", "symmetry": "symmetry", LABELS_ONLY: "distances"}
"""The options that are the same in all files, by their fields."""


class TierFiles:
    """The files of the tiers of a game in a directory; ``replace`` those that do not fit."""

    def __init__(
        self,
        folder: Path,
        tiers: list[Tier],
        objective: Objective | None,
        options: tuple[bool, bool | str],
        *,
        replace: bool = False,
    ) -> None:
        self.folder, self.tiers, self.rules = folder, tiers, tiers[-1].rules
        symmetry, with_distances = options
        self.headers = [header_of(x.rules, objective, symmetry, with_distances) for x in tiers]
        self.alone = not with_distances
        self.records: dict[int, dict[str, Any]] = {}
        """The record of each tier with a file; see :mod:`zermelo.tables.storage.tier_file`."""
        self._lists: dict[str, list[dict[str, Any]]] = {}
        """The lists of tiers in the files that are there."""
        self.progress: Any = None
        self.checkpoint: Checkpoint | None = None
        self.fields: Callable[[int], dict[str, bool]] = lambda entries: {}
        """The field for files whose entries are not all checked, from the number of entries."""
        for tier in tiers:
            with contextlib.suppress(FileNotFoundError):
                self._find(tier, replace)

    @property
    def whole(self) -> bool:
        """Whether all tiers have their files."""
        return len(self.records) == len(self.tiers)

    def path(self, tier: Tier) -> Path:
        """The place of the file of a tier."""
        return self.folder / tier.file

    # ---------------------------------------------------------------- files that are there

    def _find(self, tier: Tier, replace: bool) -> None:
        """Take the file of a tier, if there is one; refuse one that does not fit."""
        path = self.path(tier)
        try:
            with TableFile(path, 0) as file:
                if reason := self._misfit(tier, file):
                    raise FormatError(reason, path=str(path))
                if replace:
                    file.check()
                self._lists[tier.file] = records_of(file)
                self.records[tier.number] = self._lists[tier.file][-1]
        except FormatError as error:
            if not replace:
                remedy = "remove the file, or replace it (--force, or replace=True in Python)"
                raise BuildError(f"{error}; {remedy}") from None

    def _misfit(self, tier: Tier, file: TableFile) -> str:
        """What is wrong with a file for this tier, as a sentence; nothing where it fits."""
        header, expected = file.header, self.headers[tier.number]
        if not file.layout.tier:
            return f"it is a table in one file, and {tier.name} needs one of a directory here"
        rules = header["rules"]
        if rules["digest"] != tier.digest:
            name = rules["game"]
            if name is not None and name != tier.name:
                return f"it is a table of {name}, not of {tier.name}"
            return f"it was built with other rules than {tier.name} has now"
        for field in SHARED:
            if header.get(field) != expected.get(field):
                return f"it was built with another option ({NAMES[field]})"
        records = records_of(file)
        if [x["entries"] for x in records] != [x.size for x in (*tier.below, tier)]:
            return f"its tiers are not those of {tier.name}"
        for record, lower in zip(records[:-1], tier.below, strict=True):
            found = self.records.get(lower.number)
            if found is not None and found != record:
                return f"it was built with another {lower.file} than the one that is here"
        return ""

    def usable(self, state: dict[str, Any]) -> bool:
        """Whether a saved state of the solver goes with the files: it writes all that lack one."""
        if state.get("step") != "solve":
            return False
        at, spans = state.get("tier"), np.asarray(state.get("spans"))
        if type(at) is not int or spans.shape != (MAX_TIERS, 3):
            return False
        solved = (x.number for x in self.tiers if x.number < at or not spans[x.number, COUNT])
        return at not in self.records and all(number in self.records for number in solved)

    # ---------------------------------------------------------------- solving

    def begin(self, waves: Any) -> None:
        """Read the tiers that have files into the array of entries, and mark the others."""
        records = self.records.values()
        waves.longest = max((x["longest"] for x in records), default=0)
        waves.tied = sum(x["ties"] for x in records)
        waves.make_room()
        given = [tier for tier in self.tiers if tier.number in self.records]
        for tier in given:
            self._load(tier, waves.entry)
            waves.by_sets.pop(tier.number, None)
        waves.mark(True, [range(tier.first, tier.first + tier.size) for tier in given])
        self._check_spans(waves.spans)

    def _check_spans(self, spans: Int64Array) -> None:
        """Refuse rules if the positions of a tier's indices are not those of this tier."""
        marked = np.flatnonzero(spans[:, COUNT]).tolist()
        expected = [x for x in self.tiers if x.number not in self.records]
        sound = marked == [x.number for x in expected]
        for tier in expected if sound else ():
            first, last = spans[tier.number, FIRST], spans[tier.number, LAST]
            sound &= bool(tier.first <= first and last < tier.first + tier.size)
        if not sound:
            message = "expected the tier of a position to be the one that has its index"
            raise wrong(self.rules, "tier_games", message)

    def _load(self, tier: Tier, entry: AnyArray) -> None:
        """Read the entries of a tier."""
        with TableFile(self.path(tier), 0) as file:
            if records_of(file)[-1] != self.records[tier.number]:
                raise BuildError(f"{file.path}: another process replaced it; do it again")
            for number in range(file.layout.blocks):
                block = file.read(number)
                at = tier.first + number * BLOCK
                far: AnyArray = block.distance.astype(np.int32)
                if self.alone:
                    far = np.where(block.kind == KIND_DRAW, NO_DISTANCE, 0)
                packed = pack(LABEL_OF[block.kind], far, entry.dtype)
                entry[at : at + packed.size] = packed
                if self.progress is not None:
                    done = min((number + 1) * BLOCK, tier.size)
                    self.progress(done, tier.size, f"reading {tier.file}")

    def keep(self, number: int, entry: AnyArray) -> None:
        """Write a tier that is solved to its file, which appears when it is whole."""
        tier = self.tiers[number]
        part = entry[tier.first : tier.first + tier.size]
        seen = view_of(self.rules, symmetry=True)
        counts = counts_between(seen, entry, tier.first, tier.first + tier.size)
        header = self.headers[number]
        if self.alone:
            counts = {name: counts[name] for name in counts if not name.startswith("longest")}
        record = {
            "file": tier.file,
            "game": tier.name,
            "rules": tier.digest,
            "entries": tier.size,
            "stored": int(np.count_nonzero(part)),
            "counts": counts,
            **self._digested(part),
        }
        for name, listed in self._lists.items():
            if any(x != record for x in listed if x["file"] == tier.file):
                raise BuildError(
                    f"{self.folder / name}: it was built with another {tier.file} than the rules "
                    "give now; remove it, and build again"
                )
        records = [*(self.records[x.number] for x in tier.below), record]
        content = Content(
            self.rules, bool(header["symmetry"]), False, "index", part, None,
            record["stored"], counts,
        )  # fmt: skip
        assert self.checkpoint is not None
        finished = self.checkpoint.directory / tier.file
        with writing(finished, self.path(tier), "the table"):
            entries = tier.first + tier.size
            fields = {**header, **self.fields(entries), TIERS: records}
            write_content(finished, fields, content, self.progress)
        self.records[number] = record
        if tier is not self.tiers[-1]:
            self._publish(finished, tier)

    def _digested(self, part: AnyArray) -> dict[str, Any]:
        """The ties and the longest distance of entries, and their digest, whatever their width."""
        state, longest, ties = hashlib.blake2b(digest_size=16), 0, 0
        for start in range(0, part.size, ENTRIES_PER_DIGEST):
            piece = part[start : start + ENTRIES_PER_DIGEST]
            chunk = Chunk.of(labels(piece), distances(piece), turns=False)
            kind = KINDS_ALONE[chunk.kind] if self.alone else chunk.kind
            ties += int(np.isin(kind[piece != 0], (KIND_TIE_IN, KIND_TIED)).sum())
            state.update(np.where(piece == 0, 255, kind).astype(np.uint8).tobytes())
            if not self.alone:
                state.update(chunk.distance.astype("<i4").tobytes())
                longest = max(longest, int(chunk.distance.max()))
        return {"longest": longest, "ties": ties, "content": state.hexdigest()}

    def test(self, finished: Path, tier: Tier) -> str | None:
        """Compare positions of a new file with their moves, all of a user's rules.

        The result says what is wrong; it is None if no mistake was found.
        """
        with Table(finished, tier.rules) as table:
            assert isinstance(table._file, TierFile)
            table._file.folder = str(self.folder)
            whole = own(tier.rules) and not table.unverified
            return suspicion(table, whole=whole, progress=self.progress)

    def _publish(self, finished: Path, tier: Tier) -> None:
        """Give a lower tier its name; a user's rules are first tested by its positions."""
        if own(tier.rules) and (fault := self.test(finished, tier)) is not None:
            raise InvalidRulesError(f"{tier.name}: {fault}; zermelo check-rules tells more")
        with writing(finished, self.path(tier), "the table"):
            os.replace(finished, self.path(tier))
        sync_directory(self.folder)
