"""Solve a terminal-payoff game with the partitioned program, on a cluster."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from zermelo._runtime.memory import parse_size
from zermelo.engines.cluster.connection import Connection, connect
from zermelo.engines.cluster.executor import ClusterExecutor
from zermelo.engines.cluster.preparing_driver import prepared_on_cluster
from zermelo.engines.cluster.worker import WORKDIR
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import MANIFEST
from zermelo.engines.moves.source import GraphSource, Source
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import open_job, prepared, solution_of
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.solutions.terminal import TerminalSolution


def solve_on_cluster(
    graph: Graph,
    objective: Objective,
    progress: Tick = None,
    *,
    scheduler: Any = None,
    memory: int | str | None = None,
    partitions: int | None = None,
    workdir: str | os.PathLike[str] | None = None,
    snapshot_layers: int | None = None,
) -> TerminalSolution:
    """Solve a game on a graph in memory by the workers of a Dask scheduler.

    ``scheduler`` is its address or a Dask client; by default the job has a cluster of its own on
    this machine. ``memory`` is what each worker may use. ``workdir`` must be a directory that all
    machines share, or a URL such as ``s3://bucket/jobs``.
    """
    form = form_on(objective, graph)
    source = GraphSource(graph, form)
    directory = shared_directory(scheduler, workdir)
    with (
        open_job(source, partitions, directory, shared=True, tick=progress) as job,
        connected(scheduler, memory, progress) as workers,
        executing(job, source, workers, partitions, progress, snapshot_layers) as executor,
    ):
        layers = run(source.terms, executor)
        return solution_of(graph, objective, form, executor, "dask", layers)


class Workers(NamedTuple):
    """The workers of a job, and what each of them may use."""

    connection: Connection
    budget: Budget


@contextlib.contextmanager
def connected(scheduler: Any, memory: int | str | Budget | None, tick: Tick) -> Iterator[Workers]:
    """Connect to the cluster."""
    if memory is not None:
        Budget.of(memory)  # refuse what is not a size
    if isinstance(memory, Budget):
        limit = memory.usable
    else:
        limit = parse_size(memory) if isinstance(memory, str) else memory or 0
    with connect(scheduler, tick, limit) as connection:
        room = limit or connection.memory()
        yield Workers(connection, Budget.of(room or None))


@contextlib.contextmanager
def executing(
    job: Job,
    source: Source,
    workers: Workers,
    partitions: int | None,
    tick: Tick,
    snapshot_layers: int | None = None,
) -> Iterator[ClusterExecutor]:
    """Prepare the files of the job, and open its executor."""
    connection, budget = workers
    manifest, ours = job.record(MANIFEST), None
    if manifest is None:
        options = (partitions, tick, snapshot_layers)
        ours = prepared_on_cluster(job, source, connection, budget, *options)
    if ours is not None:
        record, trusted = ours.manifest, True
    else:
        threads = sum(connection.threads.values())
        record, trusted = prepared(job, source, budget, partitions, tick, threads)
    executor = ClusterExecutor(
        job, record, connection, budget, tick, trusted=trusted, snapshot_layers=snapshot_layers
    )
    if ours is not None:
        executor.recovered, executor.resumed = ours.recovered, ours.resumed
    try:
        yield executor
    finally:
        executor.close()


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
