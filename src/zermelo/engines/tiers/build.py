"""Build a table with the partitioned program: explore, solve, write, all within a budget."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.positions.shares import count_share
from zermelo._kernels.terminal.retrograde import read_labels
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.memory import show_size
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.partitions.estimate import Size, table_bytes, whole_bytes
from zermelo.engines.partitions.keyed import Stored, append
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import open_job, start
from zermelo.engines.tiers.tiers import Tiers
from zermelo.errors import DiskError, InvalidRulesError
from zermelo.labels import NO_DISTANCE, AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.distances import LABELS_ONLY
from zermelo.tables.storage.entries import MemoryEntries, counts_of
from zermelo.tables.storage.entry import bits_of, distances, labels, pack
from zermelo.tables.storage.save import Content, write_content

ENTRIES = "entries"

LATEST = ("partitions", "workers")
"""Statistics that are not added up."""


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
    def opening(stage: Job, tier: RulesSource) -> Iterator[DiskExecutor]:
        strict = isinstance(memory, int | str)
        options = (budget, partitions, progress, snapshot_layers)
        executor = start(stage, tier, *options, strict=strict)
        try:
            yield executor
        finally:
            executor.close()

    executing = contextlib.nullcontext(opening)
    return TableJob(job, source, budget, executing, progress, snapshot_layers, unmoves=True)


Opening = Callable[[Job, RulesSource], AbstractContextManager[Any]]
"""Prepares the partitions of some tiers, and gives the executor of the program."""


class TableJob:
    """A table that is being built; in a ``with`` statement, only this process may build it."""

    def __init__(
        self,
        job: Job,
        source: RulesSource,
        budget: Budget,
        executing: AbstractContextManager[Opening],
        progress: Tick = None,
        snapshot_visits: int | None = None,
        *,
        unmoves: bool = False,
    ) -> None:
        """``unmoves`` says that the executor has the rules and generates moves backwards."""
        self.job, self.source, self.budget = job, source, budget
        self.executing, self.progress = executing, progress
        self.snapshot_visits, self.unmoves = snapshot_visits, unmoves
        self.statistics: dict[str, Any] = {}
        self.alone = bool(source.header.get(LABELS_ONLY))

    def __enter__(self) -> "TableJob":
        self.job.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if kind is not None and issubclass(kind, InvalidRulesError):
            self.job.clear()  # with other rules, it will be another job
        self.job.__exit__(kind, error, trace)

    def write(
        self, path: Path, header: dict[str, Any],
        more: Callable[[int], dict[str, Any]] = lambda entries: {},
    ) -> None:  # fmt: skip
        """Solve the game and write its table; ``more`` gives fields from the number of entries."""
        content = self.content()
        write_content(path, header | more(len(content.entry)), content, self.progress)

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
        rules, symmetry = source.rules, content.symmetry
        return SolvedGame(
            rules, MemoryEntries(rules, symmetry, entry, positions), symmetry=symmetry,
            stats=self.statistics, asked=source.asked, turns=content.turns,
        )  # fmt: skip

    def content(self) -> Content:
        """Solve the game; the entries of its table are in files of the job."""
        source = self.source
        source.explore(self.job, self.budget, self.progress, self.snapshot_visits)
        counts, stored = self._solve()
        entry = Stored(self.job.path(ENTRIES), np.uint8 if self.alone else np.uint32)
        keys = None if source.keys is None else source.keys.array
        return Content(
            source.rules, source.symmetry, source.turns, source.kind, entry, keys, stored, counts
        )

    def _solve(self) -> tuple[dict[str, int], int]:
        """Solve tier after tier, and write the entries."""
        tiers = Tiers(self.job, self.source, self.budget, self.progress, unmoves=self.unmoves)
        self.tiers = tiers
        with self.executing as opening:
            for stage, tier in tiers.at_work():
                tier.on_counted = partial(self._require_disk, tier)
                if tier.unmoves is not None:
                    self._require_disk(tier, 0, tier.n)
                with opening(stage, tier) as executor:
                    layers = run(tier.terms, executor)
                    executor.finish()
                    self._count({"tiers": 1, "layers": layers, **executor.statistics()})
                    tiers.finish(executor)
        return self._write_entries(tiers.entries())

    def _count(self, more: dict[str, Any]) -> None:
        """Add up what the tiers took; the number of partitions is that of the last one."""
        total = self.statistics
        for key, value in more.items():
            if isinstance(value, bool):
                total[key] = total.get(key, False) or value
            else:
                total[key] = value if key in LATEST else total.get(key, 0) + value

    def _require_disk(self, tier: RulesSource, moves: int, ends: int) -> None:
        """Say what the files will take, and refuse a job for which the disk has no room."""
        n = tier.n
        size = Size(n, moves, ends, stored=tier.unmoves is None)
        shares = max(1.0, whole_bytes(size) / max(1, self.budget.partition))
        options = {"keyed": tier.keys is not None, "tiered": len(self.tiers.groups) > 1}
        needed = table_bytes(self.tiers.files(), size, shares, alone=self.alone, **options)
        used = sum(path.stat().st_size for path in self.job.directory.iterdir())
        free = shutil.disk_usage(self.job.directory).free
        if needed - used > free:
            raise DiskError(
                f"{self.job.directory}: {n:,} positions with {moves:,} moves need about "
                f"{show_size(needed - used)} of disk, {show_size(free)} are free; make room, or "
                "choose another directory (workdir)"
            )
        if self.progress is not None:
            self.progress(0, n, f"{moves:,} moves, up to {show_size(needed)} of disk")

    def _write_entries(
        self, entries: Iterable[tuple[Int64Array, AnyArray]]
    ) -> tuple[dict[str, int], int]:
        """Write the entries of keys in order; return the counts of positions, and of entries.

        The entries that are given are as player 0 sees them, where the rules tell who moves.
        """
        source = self.source
        self.job.path(ENTRIES).unlink(missing_ok=True)
        sign = np.array([-1, 0, 1], np.int8)
        totals = np.zeros(7, np.int64)
        totals[4:] = NO_DISTANCE
        count = bind(count_share, source.view)
        stored = done = 0
        for keys, seen in entries:
            label = np.empty(keys.size, np.int8)
            read_labels(labels(seen) + np.int8(1), sign, source.movers(keys), 0, label)
            far = np.minimum(distances(seen), 0) if self.alone else distances(seen)
            entry = pack(label, far, np.uint8 if self.alone else np.uint32)
            entry[seen == 0] = 0
            count(keys, entry, totals, bits_of(entry))
            stored += int(np.count_nonzero(entry))
            append(self.job, ENTRIES, entry)
            done += keys.size
            if self.progress is not None:
                self.progress(done, source.n, "collected")
        return counts_of(totals), stored
