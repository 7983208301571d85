"""Build a table with the partitioned program, on a cluster.

The driver finds the positions and generates the moves, within the same budget as a worker. The
workers solve.
"""

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from zermelo.engines.budget import Budget
from zermelo.engines.build import Opening, TableJob
from zermelo.engines.cluster import ClusterExecutor
from zermelo.engines.job import Job
from zermelo.engines.on_cluster import connected, opened, shared_directory
from zermelo.engines.prepare import Tick
from zermelo.engines.rules_source import RulesSource
from zermelo.engines.run import open_job
from zermelo.objectives import Objective


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

    Its files are in ``workdir``, which all machines share; on one machine, beside the table.
    """
    source = RulesSource(rules, objective, symmetry, header)
    directory = shared_directory(scheduler, workdir)
    job = open_job(source, partitions, target.parent if directory is None else directory)

    @contextlib.contextmanager
    def on_workers() -> Iterator[Opening]:
        with connected(scheduler, memory, progress) as (connection, budget):

            def opening(stage: Job, tier: RulesSource) -> AbstractContextManager[ClusterExecutor]:
                options = (partitions, progress, snapshot_layers)
                return opened(connection, budget, stage, tier, *options)

            yield opening

    return TableJob(job, source, Budget.of(memory), on_workers(), progress, snapshot_layers)
