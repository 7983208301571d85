"""The engine ``dask``: the partitioned program on a cluster."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from zermelo._runtime.memory import byte_count
from zermelo.engines.cluster.connection import Connection, connect
from zermelo.engines.cluster.executor import ClusterExecutor
from zermelo.engines.cluster.exploring_driver import ClusterExploration
from zermelo.engines.cluster.preparing_driver import prepared_on_cluster
from zermelo.engines.cluster.worker import WORKDIR
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import MANIFEST
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.moves.source import Source
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.solve import DiskEngine, prepared
from zermelo.engines.tiers.build import TableJob
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.solutions.terminal import TerminalSolution


class ClusterEngine(DiskEngine):
    """Runs jobs on the workers of a Dask scheduler.

    ``scheduler`` is its address or a Dask client; by default the job has a cluster of its own on
    this machine. ``memory`` is what each worker may use. ``workdir`` must be a directory that all
    machines share, or a URL such as ``s3://bucket/jobs``.
    """

    name, shared, tiered = "dask", True, False
    connection: Connection
    worker_budget: Budget

    def __init__(self, progress: Tick = None, *, scheduler: Any = None, **settings: Any) -> None:
        super().__init__(progress, **settings)
        self.scheduler = scheduler

    def open_job(self, source: Source, default: str | os.PathLike[str] | None = None) -> Job:
        """The job of a game, in a directory that all machines share."""
        self.workdir = shared_directory(self.scheduler, self.workdir)
        return super().open_job(source, default)

    @contextlib.contextmanager
    def connected(self) -> Iterator[None]:
        """Connect to the cluster."""
        memory = self.memory
        limit = memory.usable if isinstance(memory, Budget) else byte_count(memory or 0)
        with connect(self.scheduler, self.tick, limit) as self.connection:
            self.worker_budget = Budget.of(limit or self.connection.memory() or None)
            yield

    def exploration(self, job: Job, source: RulesSource) -> ClusterExploration:
        """What lets the workers find the positions of a game given by rules."""
        options = (self.worker_budget.piece, self.partitions, self.tick, self.snapshot_layers)
        return ClusterExploration(job, self.connection, source, *options)

    @contextlib.contextmanager
    def executing(self, job: Job, source: Source) -> Iterator[ClusterExecutor]:
        """Prepare the files of the job, by the workers if possible, and open its executor."""
        connection, budget, ours = self.connection, self.worker_budget, None
        options = (self.partitions, self.tick)
        if job.record(MANIFEST) is None:
            ours = prepared_on_cluster(
                job, source, connection, budget, *options, self.snapshot_layers
            )
        if ours is not None:
            record, trusted = ours.manifest, True
        else:
            threads = sum(connection.threads.values())
            record, trusted = prepared(job, source, budget, *options, threads)
        executor = ClusterExecutor(job, record, connection, budget, self.tick, trusted=trusted,
                                   snapshot_layers=self.snapshot_layers)  # fmt: skip
        if ours is not None:
            executor.recovered, executor.resumed = ours.recovered, ours.resumed
        try:
            yield executor
        finally:
            executor.close()


def solve_on_cluster(
    graph: Graph, objective: Objective, progress: Tick = None, **settings: Any
) -> TerminalSolution:
    """Solve a game on a graph in memory; ``settings`` are those of :class:`ClusterEngine`."""
    return ClusterEngine(progress, **settings).solve(graph, objective)


def table_on_cluster(*game: Any, **settings: Any) -> TableJob:
    """The job of building a table, which the workers explore and solve; the driver collects it.

    The arguments are those of :func:`~zermelo.engines.tiers.build.table_on_disk`.
    """
    return TableJob(ClusterEngine, *game, **settings)


def shared_directory(
    scheduler: Any, workdir: str | os.PathLike[str] | None
) -> str | os.PathLike[str] | None:
    """The shared directory: the given one, or else that of the environment."""
    if workdir is not None:
        return workdir
    if os.environ.get(WORKDIR):
        return os.environ[WORKDIR]
    address = getattr(getattr(scheduler, "scheduler", None), "address", scheduler)
    if isinstance(address, str) and not _on_this_machine(address):
        raise InvalidOptionError(
            "workdir: a cluster needs a directory that all its machines share, or a URL such as "
            f"s3://bucket/jobs; name it with workdir=… or by the environment variable {WORKDIR}"
        )
    return None


def _on_this_machine(address: str) -> bool:
    """Whether an address is of this machine.

    >>> _on_this_machine("tcp://127.0.0.1:8786"), _on_this_machine("tcp://node3:8786")
    (True, False)
    """
    try:
        host = urlsplit(address if "://" in address else f"tcp://{address}").hostname or ""
    except ValueError:
        return True  # what is wrong with it is said when it is used
    return host in ("localhost", "::1") or host.startswith("127.")
