"""Solve a terminal-payoff game with the partitioned program, on one machine."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._runtime.files import check_path
from zermelo._version import __version__
from zermelo.engines.budget import Budget
from zermelo.engines.compile_apart import compile_apart
from zermelo.engines.disk import DiskExecutor
from zermelo.engines.division import MOST_PARTITIONS
from zermelo.engines.job import Job
from zermelo.engines.prepare import Tick, prepare, read_division
from zermelo.engines.program import run
from zermelo.engines.source import GraphSource, Source
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal.retrograde import wrap

FORMAT = 1
"""The version of the files of a job."""


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
            size = graph.n << source.terms.shift
            level, distance = np.empty(size, source.terms.code_type), np.empty(size, np.int32)
            for q in range(executor.division.size):
                first, stop = (v << source.terms.shift for v in executor.division.first[q : q + 2])
                level[first:stop], distance[first:stop] = executor.result(q)
            statistics = {"engine": "disk", "layers": layers, **executor.statistics()}
        finally:
            executor.close()
    return wrap(graph, objective, form, level, distance, "retrograde", statistics)


def open_job(source: Source, partitions: int | None, workdir: str | os.PathLike[str] | None) -> Job:
    """The directory of the job for a game, in ``workdir`` or where temporary files are.

    The same game with the same options has the same directory, so the same call goes on.
    """
    check_partitions(partitions)
    if workdir is not None:
        check_path(workdir, "workdir")
    name = source.name()
    identity = {"game": name, "partitions": partitions, "version": __version__, "format": FORMAT}
    parent = Path(tempfile.gettempdir() if workdir is None else workdir)
    if workdir is not None and not parent.is_dir():
        raise InvalidOptionError(f"workdir: expected a directory, got {str(parent)!r}")
    suffix = "" if partitions is None else f"-{partitions}"
    return Job(parent / f"zermelo-{name[:16]}{suffix}", identity)


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
    record: dict[str, Any] | None = job.manifest()
    trusted = record is None
    if record is None:
        for path in job.directory.glob("bucket-*"):
            path.unlink()
        division = read_division(source, partitions, budget.partition, budget.piece, tick)
        record = prepare(job, source, division, budget.piece, tick)
    executor = DiskExecutor(
        job, record, budget, tick, trusted=trusted, snapshot_layers=snapshot_layers
    )
    if strict and (partitions is not None or not trusted):
        executor.check_budget()
    return executor
