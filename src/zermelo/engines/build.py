"""Build a table with the partitioned program: explore, solve, write, all within a budget."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.retrograde import read_labels
from zermelo._kernels.tables_shares import count_share
from zermelo._runtime.bind import bind
from zermelo._runtime.memory import show_size
from zermelo.engines.budget import Budget
from zermelo.engines.disk import DiskExecutor
from zermelo.engines.estimate import Size, disk_bytes, whole_bytes
from zermelo.engines.job import Job
from zermelo.engines.keyed import Stored, append
from zermelo.engines.prepare import Tick
from zermelo.engines.program import run
from zermelo.engines.rules_source import RulesSource
from zermelo.engines.run import open_job, start
from zermelo.errors import DiskError, InvalidRulesError
from zermelo.labels import NO_DISTANCE
from zermelo.objectives import Objective
from zermelo.tables.entry import bits_of, pack
from zermelo.tables.file import LABELS_ONLY
from zermelo.tables.keep import Content, write_content
from zermelo.tables.solved import SolvedGame, counts_of

ENTRIES = "entries"

PIECE = 1 << 19
"""Entries that are computed at a time."""

ENTRY_BYTES, MARK_BYTES, KEY_BYTES = 4, 1, 8
"""The disk that an entry takes (one of labels alone takes a byte), the mark of an index, and a
key."""


def table_on_disk(
    rules: Any,
    objective: Objective | None,
    symmetry: bool,
    header: dict[str, Any],
    target: Path,
    progress: Tick,
    *,
    memory: int | str | Budget | None = None,
    partitions: int | None = None,
    workdir: str | os.PathLike[str] | None = None,
    snapshot_layers: int | None = None,
) -> "TableJob":
    """The job of building a table on one machine; its files are beside the table by default."""
    budget = Budget.of(memory)
    source = RulesSource(rules, objective, symmetry, header)
    job = open_job(source, partitions, target.parent if workdir is None else workdir)

    @contextlib.contextmanager
    def executing() -> Iterator[DiskExecutor]:
        strict = isinstance(memory, int | str)
        options = (budget, partitions, progress, snapshot_layers)
        executor = start(job, source, *options, strict=strict)
        try:
            yield executor
        finally:
            executor.close()

    return TableJob(job, source, budget, executing, progress, snapshot_layers)


class TableJob:
    """A table that is being built; in a ``with`` statement, only this process may build it."""

    def __init__(
        self,
        job: Job,
        source: RulesSource,
        budget: Budget,
        executing: Callable[[], AbstractContextManager[Any]],
        progress: Tick = None,
        snapshot_visits: int | None = None,
    ) -> None:
        """``executing`` prepares the partitions and gives the executor of the program."""
        self.job, self.source, self.budget = job, source, budget
        self.executing, self.progress = executing, progress
        self.snapshot_visits = snapshot_visits
        self.statistics: dict[str, Any] = {}
        self.alone = bool(source.header.get(LABELS_ONLY))

    def __enter__(self) -> "TableJob":
        self.job.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if kind is not None and issubclass(kind, InvalidRulesError):
            self.job.clear()  # with other rules, it will be another job
        self.job.__exit__(kind, error, trace)

    def write(self, path: Path, header: dict[str, Any]) -> None:
        """Solve the game and write its table."""
        write_content(path, header, self.content(), self.progress)

    def solved(self) -> SolvedGame:
        """Solve the game; its entries are in memory."""
        content, source = self.content(), self.source
        entry, positions, kind = content.entry[:], None, content.kind
        if kind == "positions":
            positions = content.keys[:]
        elif kind == "indices":
            kind, few = "index", entry
            entry = np.zeros(int(source.rules.size), np.uint32)
            entry[content.keys[:]] = few
        asked, own = source.asked, source.rules.objective()
        return SolvedGame(
            source.rules, asked or own, kind, entry, positions, symmetry=content.symmetry,
            stats=self.statistics, asked=asked, turns=content.turns,
        )  # fmt: skip

    def content(self) -> Content:
        """Solve the game; the entries of its table are in files of the job."""
        source = self.source
        source.explore(self.job, self.budget, self.progress, self.snapshot_visits)
        source.on_counted = self._require_disk
        with self.executing() as executor:
            layers = run(source.terms, executor)
            executor.finish()
            counts, stored = self._write_entries(executor)
            self.statistics = {"layers": layers, **executor.statistics()}
        entry = Stored(self.job.path(ENTRIES), np.uint8 if self.alone else np.uint32)
        keys = None if source.keys is None else source.keys.array
        return Content(
            source.rules, source.symmetry, source.turns, source.kind, entry, keys, stored, counts
        )

    def _require_disk(self, moves: int, ends: int) -> None:
        """Say what the files will take, and refuse a job for which the disk has no room."""
        n, keyed = self.source.n, self.source.keys is not None
        size = Size(n, moves, ends)
        shares = max(1.0, whole_bytes(size) / max(1, self.budget.partition))
        needed = disk_bytes(size, shares) + n * (1 if self.alone else ENTRY_BYTES) + n * MARK_BYTES
        if keyed:  # a move has a key of 8 bytes until it has a number of 4
            needed += n * KEY_BYTES + moves * (KEY_BYTES - 4)
        free = shutil.disk_usage(self.job.directory).free
        if needed > free:
            raise DiskError(
                f"{self.job.directory}: {n:,} positions with {moves:,} moves need about "
                f"{show_size(needed)} of disk, {show_size(free)} are free; make room, or choose "
                "another directory (workdir)"
            )
        if self.progress is not None:
            self.progress(0, n, f"{moves:,} moves, up to {show_size(needed)} of disk")

    def _write_entries(self, executor: Any) -> tuple[dict[str, int], int]:
        """Write the entries of all partitions in order; return the counts of positions."""
        source, terms = self.source, self.source.terms
        self.job.path(ENTRIES).unlink(missing_ok=True)
        sign = np.array([(x > 0) - (x < 0) for x in terms.levels], np.int8)
        totals = np.zeros(7, np.int64)
        totals[4:] = NO_DISTANCE
        count = bind(count_share, source.view)
        stored = 0
        for q in range(executor.division.size):
            first, stop = executor.division.first[q : q + 2]
            level, distance = executor.result(q)
            for at in range(first, stop, PIECE):
                part = slice(at - first, min(at + PIECE, stop) - first)
                keys = source.keys_between(first + part.start, first + part.stop)
                label = np.empty(keys.size, np.int8)
                read_labels(level[part], sign, source.movers(keys), terms.shift, label)
                far = np.minimum(distance[part], 0) if self.alone else distance[part]
                entry = pack(label, far, np.uint8 if self.alone else np.uint32)
                entry[source.no_positions(keys, first + part.start)] = 0
                count(keys, entry, totals, bits_of(entry))
                stored += int(np.count_nonzero(entry))
                append(self.job, ENTRIES, entry)
            if self.progress is not None:
                self.progress(stop, source.n, "collected")
        return counts_of(totals), stored
