"""Build a table with the partitioned program: explore, solve, write, all within a budget."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._kernels.positions.shares import count_share
from zermelo._kernels.terminal.retrograde import read_labels
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.memory import show_size
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.estimate import Size, table_bytes, whole_bytes
from zermelo.engines.partitions.keyed import Stored, append
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import DiskEngine
from zermelo.engines.tiers.tiers import Tiers, forget_stage, packed
from zermelo.errors import DiskError, InvalidRulesError
from zermelo.labels import NO_DISTANCE, AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import bits_of, distances, labels, pack
from zermelo.tables.storage.entries import MemoryEntries, counts_of
from zermelo.tables.storage.layout import LABELS_ONLY
from zermelo.tables.storage.save import Content, write_content

ENTRIES = "entries"

LATEST = ("partitions", "workers")
"""Statistics that are not added up."""


class TableJob:
    """A table that is being built; in a ``with`` statement, only this process may build it."""

    def __init__(
        self,
        kind: type[DiskEngine],
        rules: Any,
        objective: Objective | None,
        symmetry: bool,
        header: dict[str, Any],
        target: Path,
        progress: Tick,
        **settings: Any,
    ) -> None:
        """``kind`` is that of the engine, with its ``settings``.

        The files of the job are beside the table by default.
        """
        self.engine, self.progress = kind(progress, **settings), progress
        self.source = RulesSource(rules, objective, symmetry, header)
        self.job = self.engine.open_job(self.source, target.parent)
        self.statistics: dict[str, Any] = {}
        self.alone = bool(header.get(LABELS_ONLY))

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
        source, engine = self.source, self.engine
        with engine.connected():
            source.explore(self.job, partial(engine.exploration, self.job))
            counts, stored = self._solve_tiers() if engine.tiered else self._solve_together()
        if engine.shared and source.exploration is not None:
            self.statistics["explored"] = source.exploration.statistics()
        entry = Stored(self.job.path(ENTRIES), np.uint8 if self.alone else np.uint32)
        keys = None if source.keys is None else source.keys.array
        return Content(
            source.rules, source.symmetry, source.turns, source.kind, entry, keys, stored, counts
        )

    def _solve_tiers(self) -> tuple[dict[str, int], int]:
        """Solve tier after tier, and write the entries."""
        self.tiers = tiers = Tiers(self.job, self.source, self.engine.budget, self.progress)
        for stage, tier in tiers.at_work():
            tier.on_counted = partial(self._require_disk, tier)
            if tier.unmoves is not None:
                self._require_disk(tier, 0, tier.n)
            with self.engine.executing(stage, tier) as executor:
                layers = run(tier.terms, executor)
                executor.finish()
                self._count({"tiers": 1, "layers": layers, **executor.statistics()})
                tiers.finish(executor)
        return self._write_entries(tiers.entries())

    def _solve_together(self) -> tuple[dict[str, int], int]:
        """Solve all tiers together, and write the entries: the workers share what these take."""
        forget_stage(self.job)
        with self.engine.executing(self.job, self.source) as executor:
            layers = run(self.source.terms, executor)
            executor.finish()
            result = self._write_entries(self._entries(executor))
            self.statistics = {"layers": layers, **executor.statistics()}
        return result

    def _entries(self, executor: Prepared) -> Iterator[tuple[Int64Array, AnyArray]]:
        """Keys in order, and their entries as player 0 or the mover sees them."""
        at = 0
        for entry in packed(executor, self.source.terms):
            yield self.source.keys_between(at, at + entry.size), entry
            at += entry.size

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
        shares = max(1.0, whole_bytes(size) / max(1, self.engine.budget.partition))
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
        tell(self.progress, 0, n, f"{moves:,} moves, up to {show_size(needed)} of disk")

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
            tell(self.progress, done, source.n, "collected")
        return counts_of(totals), stored


def table_on_disk(*game: Any, **settings: Any) -> TableJob:
    """The job of building a table on one machine.

    The arguments are those of :class:`TableJob` without the kind of the engine, whose ``settings``
    are those of :class:`~zermelo.engines.partitions.solve.DiskEngine`.
    """
    return TableJob(DiskEngine, *game, **settings)
