"""Orders to the workers before the wave: to find the positions, and to prepare the partitions.

An order has a ``desk``, which says where the files of the job are. A worker keeps for each run what
it has loaded. As in :mod:`zermelo.engines.cluster.worker`, all this is a cache.
"""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar
from uuid import uuid4

from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.rules_transfer import parcel_digest
from zermelo.engines.cluster.worker import job_of, token
from zermelo.engines.partitions.job import Job
from zermelo.engines.partitions.records import Seal
from zermelo.errors import InvalidRulesError, JobError, StoreError
from zermelo.rules.faults import place

TRIES = 4
"""How often the same file may be lost."""


class Desk(NamedTuple):
    """Where a worker finds the files of a run."""

    run: str
    workdir: str
    """The directory that has the job, as the driver sees it."""
    name: str
    """The name of the directory of the job."""
    source: Seal | None
    """The file that says where moves come from, if they come from rules."""
    digest: str
    """The digest of that file, without which no worker unpickles it."""


class CrewOrder(Protocol):
    """What an order to a crew has."""

    @property
    def partition(self) -> int:
        """The shelf, piece or partition that it is for."""

    @property
    def run(self) -> str:
        """The name of the run."""

    @property
    def title(self) -> str:
        """What it does, for the pages of the scheduler."""


class CrewOutcome(Protocol):
    """What an outcome has."""

    @property
    def worker(self) -> str:
        """The address of the worker."""


Ordered = TypeVar("Ordered", bound=CrewOrder)
Done = TypeVar("Done", bound=CrewOutcome)


class Crew:
    """The workers as the driver sees them during one stage of a job."""

    def __init__(
        self, job: Job, connection: Connection, source: bytes | None, rules: Any = None
    ) -> None:
        """``source`` is the content of the file that sends the ``rules`` to the workers."""
        self.job, self.connection, self.rules = job, connection, rules
        self.run = uuid4().hex[:12]
        for pattern in (token("*"), "source-*"):
            job.place.retain(pattern)  # the workers forget what an earlier driver did with them
        job.place.mark(token(self.run))
        seal = None if source is None else job.write(f"source-{self.run}", [source])
        digest = "" if source is None else parcel_digest(source)
        self.desk = Desk(self.run, job.place.parent, job.place.name, seal, digest)
        self.losses: Counter[Hashable] = Counter()
        self.homes: list[str] = []
        connection.check(self.run, job, 0)

    @property
    def threads(self) -> int:
        """The number of orders that the workers carry out at a time."""
        return sum(self.connection.threads.values())

    def perform(self, function: Callable[[Ordered], Done], orders: Sequence[Ordered]) -> list[Done]:
        """Carry out orders, each where its shelf or partition was before, if possible."""
        most = max((order.partition for order in orders), default=-1) + 1
        if most > len(self.homes):
            self.homes += self.connection.homes(most)[len(self.homes) :]
        try:
            outcomes: list[Done] = self.connection.perform(orders, self.homes, function)
        except InvalidRulesError as error:
            raise error if self.rules is None else relocated(error, self.rules) from None
        for order, outcome in zip(orders, outcomes, strict=True):
            self.homes[order.partition] = outcome.worker
        return outcomes

    def balance(self) -> None:
        """Give work to workers that came, if some came or went."""
        self.homes = self.connection.balance(self.run, self.homes)

    def lost(self, name: Hashable) -> None:
        """Count the loss of a file; too many losses are an error."""
        self.losses[name] += 1
        if self.losses[name] > TRIES:
            raise JobError(
                f"{self.job.shown}: the workers cannot read the files of this job, even after "
                "these were written again; check the file system, then give the same command again"
            )

    def close(self) -> None:
        """Let the workers forget this stage."""
        for name in (token(self.run), f"source-{self.run}"):
            with contextlib.suppress(StoreError):
                self.job.place.remove(name)
        self.forget()

    def forget(self) -> None:
        """Let the workers forget what they have loaded in this run."""
        with contextlib.suppress(JobError):
            self.job.place.know(self.connection.forget(self.run, dismiss))


def relocated(error: InvalidRulesError, rules: Any) -> InvalidRulesError:
    """The error of a worker, with the path that the file of the rules has on this machine."""
    ours = place(rules, error.member).partition(": ")[0].rpartition(":")[0]
    head, colon, rest = str(error).partition(": ")
    theirs, _, line = head.rpartition(":")
    if not (colon and line.isdigit() and Path(theirs).name == Path(ours).name):
        return error
    result = InvalidRulesError(f"{ours}:{line}: {rest}")
    result.member = error.member
    return result


# ---------------------------------------------------------------- on the workers


class Bench:
    """A run on a worker: its files, and what the orders of this run have loaded."""

    def __init__(self, desk: Desk) -> None:
        self.job = job_of(desk.run, desk.workdir, desk.name)
        self.token = token(desk.run)
        self.held: dict[Any, Any] = {}
        self._lock = threading.RLock()

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that all orders of the run share."""
        with self._lock:
            if name not in self.held:
                self.held[name] = make()
            return self.held[name]


_BENCHES: dict[str, Bench] = {}
"""The runs that this worker has in its cache."""


def bench_of(desk: Desk) -> Bench:
    """The cache of a run; those whose drivers have ended are removed."""
    bench = _BENCHES.get(desk.run)
    if bench is None:
        for run, other in list(_BENCHES.items()):
            if not other.job.place.marked(other.token):
                dismiss(run)
        bench = _BENCHES.setdefault(desk.run, Bench(desk))
    return bench


def dismiss(run: str) -> list[str]:
    """Remove a run from the cache of this worker; return the files of the run that it knows.

    >>> dismiss("no such run")
    []
    """
    bench = _BENCHES.pop(run, None)
    return [] if bench is None else bench.job.leave()
