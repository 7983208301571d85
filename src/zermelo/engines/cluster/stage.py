"""One stage of a job on the workers of a cluster, as the driver sees it."""

import contextlib
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.rules_transfer import Given, file_digest, pack_given
from zermelo.engines.cluster.worker import Outcome, RunInfo, WorkerRun, WorkerTask, token
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.errors import InvalidRulesError, JobError, StoreError
from zermelo.rules.faults import place

MAX_LOSSES = 4
"""How often the same file or the same messages may be lost."""


class Stage:
    """Sends tasks to the workers; each partition has a home among these."""

    def __init__(
        self,
        job: Job,
        connection: Connection,
        kind: type[WorkerRun],
        data: Any,
        source: Any = None,
        needed: int = 0,
        tick: Tick = None,
    ) -> None:
        """``kind`` performs the tasks, with ``data`` that all of them need.

        If ``source`` is a game given by rules, these are sent to the workers. ``needed`` is the
        memory that all workers must have together.
        """
        self.job, self.connection, self.tick = job, connection, tick
        self.rules: Any = None
        run = uuid4().hex[:12]
        for pattern in (token("*"), "source-*"):
            job.location.retain(pattern)  # the workers forget what an earlier driver did with them
        job.location.mark(token(run))
        seal, digest = None, ""
        if isinstance(source, RulesSource):
            self.rules = source.rules
            given = Given(source.rules, source.given, source.symmetry, source.header)
            content = pack_given(given)
            seal, digest = job.write(f"source-{run}", [content]), file_digest(content)
        location = job.location
        self.info = RunInfo(run, location.parent, location.name, kind, seal, digest, data)
        self.losses: Counter[Hashable] = Counter()
        self.homes: list[str] = []
        self.recovered, self.resumed = 0, False
        connection.check(run, job, needed)

    @property
    def threads(self) -> int:
        """The number of tasks that the workers perform at a time."""
        return sum(self.connection.threads.values())

    def perform(self, tasks: Sequence[WorkerTask]) -> list[Outcome]:
        """Perform tasks, each where its partition was before, if possible."""
        count = max((task.partition for task in tasks), default=-1) + 1
        if count > len(self.homes):
            self.homes += self.connection.homes(count)[len(self.homes) :]
        try:
            outcomes: list[Outcome] = self.connection.perform(tasks, self.homes)
        except InvalidRulesError as error:
            raise error if self.rules is None else relocated(error, self.rules) from None
        for task, outcome in zip(tasks, outcomes, strict=True):
            self.homes[task.partition] = outcome.worker
            self.job.location.know(packed.file for packed in outcome.messages if packed.file)
        return outcomes

    def count_loss(self, name: Hashable, kind: str = "files") -> None:
        """Count the loss of a file or of messages; too many losses are an error."""
        self.losses[name] += 1
        self.recovered += 1
        if self.losses[name] > MAX_LOSSES:
            raise JobError(
                f"{self.job.shown}: the workers cannot read the {kind} of this job, even after "
                "these were written again; check the file system, then give the same command again"
            )

    def forget(self) -> None:
        """Let the workers forget what they have loaded in this run."""
        with contextlib.suppress(JobError):
            self.job.location.know(self.connection.forget(self.info.run))

    def close(self) -> None:
        """Let the workers forget this stage."""
        for name in (token(self.info.run), f"source-{self.info.run}"):
            with contextlib.suppress(StoreError):
                self.job.location.remove(name)
        self.forget()


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
