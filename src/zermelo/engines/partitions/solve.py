"""Solve a terminal-payoff game with the partitioned program, on one machine."""

import os
import tempfile
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from zermelo._runtime.files import check_path, is_url
from zermelo._runtime.locks import user_tag
from zermelo._version import __version__
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import MANIFEST
from zermelo.engines.jobs.remote import open_location
from zermelo.engines.moves.prepare import check_manifest, prepare, read_division
from zermelo.engines.moves.source import GraphSource, Source
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.partitions.division import MOST_PARTITIONS, Division
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.compile_apart import compile_apart
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import TerminalForm, form_on
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal.retrograde import wrap

FORMAT = 1
"""The version of the files of a job."""


class Results(Protocol):
    """What an executor knows when the program has ended."""

    terms: Terms
    division: Division

    def finish(self) -> None:
        """Bring the results together; called once, before they are read."""

    def result(self, q: int) -> tuple[AnyArray, Int32Array]:
        """The values and the distances of the situations of one partition."""

    def ends(self, q: int) -> Int32Array:
        """All situations of a partition where play ends."""

    def statistics(self) -> dict[str, Any]:
        """What the run took."""


def solve_on_disk(
    graph: Graph,
    objective: Objective,
    progress: Tick = None,
    *,
    memory: int | str | Budget | None = None,
    partitions: int | None = None,
    workdir: str | os.PathLike[str] | None = None,
    snapshot_layers: int | None = None,
) -> TerminalSolution:
    """Solve a game on a graph in memory with its moves and states in files.

    >>> from zermelo import Graph, NormalPlay
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> solve_on_disk(g, NormalPlay(), partitions=2).distance.tolist()
    [3, 2, 1, 0]
    """
    form = form_on(objective, graph)
    source, budget = GraphSource(graph, form), Budget.of(memory)
    with open_job(source, partitions, workdir) as job:
        strict = isinstance(memory, int | str)
        executor = start(job, source, budget, partitions, progress, snapshot_layers, strict=strict)
        try:
            layers = run(source.terms, executor)
            return solution_of(graph, objective, form, executor, "disk", layers)
        finally:
            executor.close()


def solution_of(
    graph: Graph,
    objective: Objective,
    form: TerminalForm,
    executor: Results,
    engine: str,
    layers: int,
) -> TerminalSolution:
    """The solution from the results of all partitions."""
    executor.finish()
    division, shift = executor.division, executor.terms.shift
    size = graph.n << shift
    level, distance = np.empty(size, executor.terms.code_type), np.empty(size, np.int32)
    for q in range(division.size):
        first, stop = (v << shift for v in division.first[q : q + 2])
        level[first:stop], distance[first:stop] = executor.result(q)
    statistics = {"engine": engine, "layers": layers, **executor.statistics()}
    return wrap(graph, objective, form, level, distance, "retrograde", statistics)


def open_job(
    source: Source,
    partitions: int | None,
    workdir: str | os.PathLike[str] | None,
    *,
    shared: bool = False,
    tick: Tick = None,
) -> Job:
    """The directory of the job for a game, in ``workdir`` or where temporary files are.

    The same game with the same options has the same directory, so the same call of the same user
    goes on. A job that several processes share may be at a URL.
    """
    check_partitions(partitions)
    if workdir is not None:
        check_path(workdir, "workdir")
    name = source.name()
    identity = {"game": name, "partitions": partitions, "version": __version__, "format": FORMAT}
    suffix = "" if partitions is None else f"-{partitions}"
    user = "" if is_url(workdir) else user_tag()
    folder = f"zermelo-{user}{name[:16]}{suffix}"
    if is_url(workdir):
        if not shared:
            raise InvalidOptionError(
                f"workdir: the engine 'disk' maps its files, so it needs a directory of this "
                f"machine, got {workdir!r}; the engine 'dask' takes a URL"
            )
        place = open_location(str(workdir), folder)
        return Job(place.directory, identity, place, tick)
    parent = Path(tempfile.gettempdir() if workdir is None else workdir)
    if workdir is not None and not parent.is_dir():
        raise InvalidOptionError(f"workdir: expected a directory, got {str(parent)!r}")
    return Job(parent / folder, identity)


def check_partitions(partitions: int | None) -> None:
    """Refuse a number of partitions that is none."""
    if partitions is None:
        return
    if (
        isinstance(partitions, bool)
        or not isinstance(partitions, int)
        or not 1 <= partitions <= MOST_PARTITIONS
    ):
        raise InvalidOptionError(
            f"partitions: expected a number 1 … {MOST_PARTITIONS:,}, got {partitions!r}"
        )


def start(
    job: Job,
    source: Source,
    budget: Budget,
    partitions: int | None,
    tick: Tick,
    snapshot_layers: int | None = None,
    *,
    strict: bool = False,
) -> DiskExecutor:
    """Prepare the files of a job, unless an earlier process did, and open its executor.

    If ``strict``, a number of partitions that does not fit into the budget is refused.
    """
    if strict:
        compile_apart(source.terms, budget)
    record, trusted = prepared(job, source, budget, partitions, tick)
    executor = DiskExecutor(
        job, record, budget, tick, trusted=trusted, snapshot_layers=snapshot_layers,
        unmoves=source.unmoves,
    )  # fmt: skip
    if strict and (partitions is not None or not trusted):
        executor.check_budget()
    return executor


def prepared(
    job: Job, source: Source, budget: Budget, partitions: int | None, tick: Tick, least: int = 1
) -> tuple[dict[str, Any], bool]:
    """The manifest of a job, and whether this process wrote the files that it names.

    If the number of partitions is not given, there are at least ``least``.
    """
    record: dict[str, Any] | None = job.record(MANIFEST)
    if record is not None:
        with job.reading(MANIFEST):
            check_manifest(record, source)
        return record, False
    for path in job.directory.glob("bucket-*"):
        path.unlink()
    division = read_division(source, partitions, budget.partition, budget.piece, tick, least)
    return prepare(job, source, division, budget.piece, tick), True
