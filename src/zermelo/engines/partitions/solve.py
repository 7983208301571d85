"""The engine ``disk``: the partitioned program on one machine.

:class:`DiskEngine` says how a job is opened, how its positions are found, and how its program runs.
The engine of a cluster does the same in other ways; everything else is common to both.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._runtime.files import check_path, is_url
from zermelo._runtime.locks import user_tag
from zermelo._version import __version__
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import MANIFEST
from zermelo.engines.jobs.remote import open_location
from zermelo.engines.moves.prepare import check_manifest, prepare, read_division
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.moves.source import GraphSource, Source
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.partitions.division import MAX_PARTITIONS
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.program import run
from zermelo.engines.tiers.compile_apart import compile_apart
from zermelo.engines.tiers.exploring import Exploration
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import TerminalForm, form_on
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal.retrograde import wrap

FORMAT = 1
"""The version of the files of a job."""


class DiskEngine:
    """Runs jobs on one machine, within a budget of memory.

    ``memory`` is the budget of the process, and ``snapshot_layers`` the number of layers, or of
    visits while positions are found, between two snapshots; by default time decides.
    """

    name, shared = "disk", False
    tiered = True
    """Whether tiers are solved one after the other."""

    def __init__(
        self,
        progress: Tick = None,
        *,
        memory: int | str | Budget | None = None,
        partitions: int | None = None,
        workdir: str | os.PathLike[str] | None = None,
        snapshot_layers: int | None = None,
    ) -> None:
        self.tick, self.memory, self.partitions = progress, memory, partitions
        self.workdir, self.snapshot_layers = workdir, snapshot_layers
        self.budget = Budget.of(memory)

    def open_job(self, source: Source, default: str | os.PathLike[str] | None = None) -> Job:
        """The job of a game, in the chosen directory or in the ``default``."""
        workdir = default if self.workdir is None else self.workdir
        return open_job(source, self.partitions, workdir, shared=self.shared, tick=self.tick)

    @contextlib.contextmanager
    def connected(self) -> Iterator[None]:
        """Be ready to explore and to execute."""
        yield

    def exploration(self, job: Job, source: RulesSource) -> Any:
        """What finds the positions of a game given by rules."""
        return Exploration(source, job, self.budget, self.tick, self.snapshot_layers)

    @contextlib.contextmanager
    def executing(self, job: Job, source: Source) -> Iterator[Any]:
        """Prepare the files of a job, unless an earlier process did, and open its executor.

        A number of partitions that does not fit into a budget that the user gave is refused.
        """
        strict = isinstance(self.memory, int | str)
        if strict:
            compile_apart(source.terms, self.budget)
        record, trusted = prepared(job, source, self.budget, self.partitions, self.tick)
        executor = DiskExecutor(
            job, record, self.budget, self.tick, trusted=trusted,
            snapshot_layers=self.snapshot_layers, unmoves=source.unmoves,
        )  # fmt: skip
        if strict and (self.partitions is not None or not trusted):
            executor.check_budget()
        try:
            yield executor
        finally:
            executor.close()

    def solve(self, graph: Graph, objective: Objective) -> TerminalSolution:
        """Solve a game on a graph in memory."""
        form = form_on(objective, graph)
        source = GraphSource(graph, form)
        with (
            self.open_job(source) as job,
            self.connected(),
            self.executing(job, source) as executor,
        ):
            layers = run(source.terms, executor)
            return solution_of(graph, objective, form, executor, self.name, layers)


def solve_on_disk(
    graph: Graph, objective: Objective, progress: Tick = None, **settings: Any
) -> TerminalSolution:
    """Solve a game on a graph in memory with its moves and states in files.

    ``settings`` are those of :class:`DiskEngine`.

    >>> from zermelo import Graph, NormalPlay
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> solve_on_disk(g, NormalPlay(), partitions=2).distance.tolist()
    [3, 2, 1, 0]
    """
    return DiskEngine(progress, **settings).solve(graph, objective)


def solution_of(
    graph: Graph,
    objective: Objective,
    form: TerminalForm,
    executor: Prepared,
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
        location = open_location(str(workdir), folder)
        return Job(location.directory, identity, location, tick)
    parent = Path(tempfile.gettempdir() if workdir is None else workdir)
    if workdir is not None and not parent.is_dir():
        raise InvalidOptionError(f"workdir: expected a directory, got {str(parent)!r}")
    return Job(parent / folder, identity)


def check_partitions(partitions: int | None) -> None:
    """Refuse a number of partitions that is none."""
    if partitions is not None and (
        type(partitions) is not int or not 1 <= partitions <= MAX_PARTITIONS
    ):
        raise InvalidOptionError(
            f"partitions: expected a number 1 … {MAX_PARTITIONS:,}, got {partitions!r}"
        )


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
