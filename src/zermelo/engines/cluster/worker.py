"""What a worker of a cluster does: the tasks of the driver, each for one partition.

A task is a function of files and of its arguments. What a worker holds in memory is only a cache:
for each run, which is one stage of a job, it keeps what the tasks of this run have loaded.

The machines may see the shared directory under different paths. A worker uses the path in its
environment variable ``ZERMELO_WORKDIR``, or else that of the driver. If this is a URL, the worker
has copies of the files that it maps, in the local directory that Dask gave it.
"""

import os
import socket
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from zermelo._version import __version__
from zermelo.engines.cluster.messages import PackedMessages
from zermelo.engines.cluster.rules_transfer import unpack_given
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import Seal
from zermelo.engines.jobs.remote import open_location
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.partition import Report
from zermelo.errors import JobError
from zermelo.rules.faults import blaming

WORKDIR = "ZERMELO_WORKDIR"
"""The environment variable with the path of the shared directory on a machine."""


class RunInfo(NamedTuple):
    """What all tasks of a run share."""

    run: str
    """A name for this run of a stage of the job."""
    workdir: str
    """The directory that has the job, as the driver sees it."""
    name: str
    """The name of the directory of the job."""
    kind: "type[WorkerRun]"
    """What performs the tasks."""
    source: Seal | None
    """The file with the rules of the game, if moves come from rules."""
    digest: str
    """The digest of that file, without which no worker unpickles it."""
    data: Any
    """What else the tasks of this kind need."""


class WorkerTask(NamedTuple):
    """What a worker has to do for one partition."""

    info: RunInfo
    partition: int
    work: Any
    """A record that says what to do."""
    number: int = 0
    """The number of steps that the partition has behind it in this run."""
    past: Any = None
    """How the partition became what it is; None if a worker should have it in its cache."""

    @property
    def run(self) -> str:
        """The name of the run."""
        return self.info.run

    @property
    def title(self) -> str:
        """What it does, for the pages of the scheduler."""
        return f"{self.info.kind.stage}-{type(self.work).__name__.lower()}-{self.number}"


class Outcome(NamedTuple):
    """What became of a task."""

    worker: str = ""
    missing: bool = False
    """The partition is not in the cache; the task has to be sent again with its past."""
    lost: tuple[Any, ...] = ()
    """These messages, or the files of these pieces, cannot be read."""
    report: Report | None = None
    messages: tuple[PackedMessages, ...] = ()
    states: dict[str, Seal] | None = None
    settled: int = 0
    """The number of situations that became settled, or of positions that were found."""
    counts: tuple[int, int] = (0, 0)
    """The numbers of messages before and after those to one situation were added up."""
    copied: int = 0
    """The number of bytes of the copies that the worker has of files at a URL."""
    result: Any = None
    """What work of other kinds gives."""


class WorkerRun:
    """A run on a worker: its files, and what its tasks have loaded."""

    stage: str
    """The name of the stage, for the pages of the scheduler."""
    rules: Any = None
    """The rules of the game, which are blamed for their errors."""

    def __init__(self, info: RunInfo) -> None:
        self.info, self.job = info, job_of(info.run, info.workdir, info.name)
        self.held: dict[int, Any] = {}
        """What the cache has of each partition."""

    def rules_source(self) -> RulesSource:
        """The rules that the driver has sent, on this worker."""
        assert self.info.source is not None
        content = b"".join(self.job.pieces(self.info.source))
        source = RulesSource(*unpack_given(content, self.info.digest))
        self.rules = source.rules
        return source

    def perform(self, task: WorkerTask) -> Outcome:
        """Do what a task says."""
        raise NotImplementedError

    def forget(self, q: int) -> None:
        """Remove a partition from the cache."""
        self.held.pop(q, None)


_RUNS: dict[str, WorkerRun] = {}
"""The runs that this worker has in its cache."""

_LOCK = threading.Lock()


def token(run: str) -> str:
    """The name of the file that exists while a run goes on.

    >>> token("1f")
    'run-1f'
    """
    return f"run-{run}"


def job_of(run: str, workdir: str, name: str) -> Job:
    """A job as this worker sees it; one whose run it does not see is refused.

    Copies of files at a URL are removed with the result, also at the end of the process.
    """
    copies = _local_directory() / f"{name}-{run}-{uuid4().hex[:8]}"
    location = open_location(os.environ.get(WORKDIR) or workdir, name, copies)
    if not location.marked(token(run)):
        raise JobError(
            f"{location.shown}: the worker on {socket.gethostname()} does not see the files of the "
            "job; the directory must be shared, the worker must run as the user of the driver, and "
            f"where the path is another one, its environment variable {WORKDIR} must name it"
        )
    location.begin()
    job = Job(location.directory, {}, location)
    weakref.finalize(job, location.close)
    return job


def forget(run: str, homes: dict[int, str] | None = None) -> list[str]:
    """Remove a run from the cache, or those of its partitions that are on other workers now.

    Return the files of the run that this worker knows. The driver may not know all of them, because
    the cluster may perform a task twice and report it once.

    >>> forget("no such run")
    []
    """
    if homes is None:
        known = _RUNS.pop(run, None)
        return [] if known is None else known.job.leave()
    if run in _RUNS:
        address = _address()
        for q in [q for q in _RUNS[run].held if homes.get(q) != address]:
            _RUNS[run].forget(q)
    return []


def describe(run: str, workdir: str, name: str, dask_worker: Any = None) -> tuple[str, bool, int]:
    """The version of this worker, whether it sees the files of a job, and its memory or 0.

    >>> describe("1f", ".", "no-such-job")[1:]
    (False, 0)
    """
    location = open_location(os.environ.get(WORKDIR) or workdir, name)
    manager = getattr(dask_worker, "memory_manager", None)
    limit = int(getattr(manager, "memory_limit", None) or 0)
    return __version__, location.marked(token(run)), limit


def _this_worker() -> Any:
    """The Dask worker of this process, None outside a cluster."""
    try:
        from distributed import get_worker

        return get_worker()
    except (ImportError, ValueError):
        return None


def _local_directory() -> Path:
    """A directory of this machine; that of a worker is removed with it, also if it is killed."""
    return Path(getattr(_this_worker(), "local_directory", None) or tempfile.gettempdir())


def _address() -> str:
    """The address of this worker; empty outside a cluster."""
    return str(getattr(_this_worker(), "address", ""))


def _run_of(info: RunInfo) -> WorkerRun:
    """The cache of a run; the caches of runs whose drivers have ended are removed."""
    with _LOCK:
        if info.run not in _RUNS:
            for run, other in list(_RUNS.items()):
                if not other.job.location.marked(token(run)):
                    forget(run)
            _RUNS[info.run] = info.kind(info)
        return _RUNS[info.run]


def perform(task: WorkerTask) -> Outcome:
    """Perform a task; called by the cluster."""
    run = _run_of(task.info)
    with blaming(run.rules):
        return run.perform(task)._replace(worker=_address())
