"""Build a table with the partitioned program, on a cluster.

The workers find the positions, generate the moves and solve. The driver collects the entries.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.engines.cluster.executor import ClusterExecutor
from zermelo.engines.cluster.exploring_driver import ClusterExploration
from zermelo.engines.cluster.solve import Workers, connected, executing, shared_directory
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import open_job
from zermelo.engines.tiers.build import TableJob
from zermelo.engines.tiers.tiers import forget_stage, packed
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.tables.storage.save import Content


class ClusterSource(RulesSource):
    """A game given by compiled rules, whose positions are found by workers."""

    workers: Workers
    partitions: int | None = None
    explored: dict[str, Any] | None = None
    """What exploring took, if this process did it."""

    def _explored(
        self, job: Job, budget: Budget, tick: Tick, snapshot_visits: int | None
    ) -> dict[str, Any]:
        """Let the workers find all positions, and write their keys or marks."""
        connection, budget = self.workers
        options = (budget.piece, self.partitions, tick, snapshot_visits)
        exploration = ClusterExploration(job, connection, self, *options)
        try:
            exploration.explore(self.first_key())
            kind = self._kind_of(exploration.settled)
            pieces = exploration.sorted_keys()
            if kind == "index":
                pieces = exploration.marks(int(self.rules.size))
            record = self._write_positions(job, exploration.settled, kind, pieces)
            exploration.clear()
        finally:
            exploration.close()
        self.explored = exploration.statistics()
        return record


class ClusterTableJob(TableJob):
    """A table that is built on a cluster; in a ``with`` statement, there is a connection."""

    connecting: contextlib.AbstractContextManager[Workers]

    def content(self) -> Content:
        """Connect to the cluster, and solve the game."""
        assert isinstance(self.source, ClusterSource)
        with self.connecting as self.source.workers:
            content = super().content()
        if self.source.explored is not None:
            self.statistics["explored"] = self.source.explored
        return content

    def _solve(self) -> tuple[dict[str, int], int]:
        """Solve all tiers together: the workers prepare the moves, and share what these take."""
        source = self.source
        forget_stage(self.job)
        with self.executing as opening, opening(self.job, source) as executor:
            layers = run(source.terms, executor)
            executor.finish()
            result = self._write_entries(self._entries(executor))
            self.statistics = {"layers": layers, **executor.statistics()}
        return result

    def _entries(self, executor: ClusterExecutor) -> Iterator[tuple[Int64Array, AnyArray]]:
        """Keys in order, and their entries as player 0 or the mover sees them."""
        at = 0
        for entry in packed(executor, self.source.terms):
            yield self.source.keys_between(at, at + entry.size), entry
            at += entry.size


def table_on_cluster(
    rules: Any,
    objective: Objective | None,
    symmetry: bool,
    header: dict[str, Any],
    target: Path,
    progress: Tick,
    *,
    scheduler: Any = None,
    memory: int | str | None = None,
    partitions: int | None = None,
    workdir: str | os.PathLike[str] | None = None,
    snapshot_layers: int | None = None,
) -> TableJob:
    """The job of building a table on the workers of a Dask scheduler.

    Its files are in ``workdir``, which all machines share and which may be a URL; on one machine,
    beside the table.
    """
    source = ClusterSource(rules, objective, symmetry, header)
    source.partitions = partitions
    directory = shared_directory(scheduler, workdir)
    directory = target.parent if directory is None else directory
    job = open_job(source, partitions, directory, shared=True, tick=progress)

    def opening(stage: Job, tier: RulesSource) -> contextlib.AbstractContextManager[Any]:
        return executing(stage, tier, source.workers, partitions, progress, snapshot_layers)

    budget, one = Budget.of(memory), contextlib.nullcontext(opening)
    result = ClusterTableJob(job, source, budget, one, progress, snapshot_layers)
    result.connecting = connected(scheduler, memory, progress)
    return result
