"""Partitions that take steps and send each other messages, as the driver sees them.

The driver knows for each partition the files of its last snapshot and the steps since then. That is
enough to build it again on any worker, see :mod:`zermelo.engines.cluster.stepping_worker`. The
messages of a step travel in files of the shared directory or of the URL, those of a thin layer with
the reports. A snapshot is taken after some time, or if the messages since the last one take too
much room.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.messages import PackedMessages
from zermelo.engines.cluster.stage import Stage
from zermelo.engines.cluster.stepping_worker import Past, Resend, Snapshot, Step, SteppingRun
from zermelo.engines.cluster.worker import Outcome, WorkerTask
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job
from zermelo.engines.partitions.journal import Journal, Pace
from zermelo.engines.partitions.partition import Report, Task
from zermelo.engines.partitions.program import Moment

MAX_HELD_BYTES = 1 << 26
"""The largest number of bytes of messages and steps that the driver keeps without a snapshot."""

MIN_LOG_BYTES = 1 << 30
"""Bytes of message files that are always allowed between snapshots."""

STEP_BYTES = 500
"""Memory of the driver for a step without messages."""


class SteppingStage(Stage):
    """Sends the tasks of a layer to the workers, and repairs what they lose."""

    def __init__(
        self,
        job: Job,
        connection: Connection,
        kind: type[SteppingRun],
        data: Any,
        size: int,
        journal: Journal,
        *,
        source: Any = None,
        needed: int = 0,
        tick: Tick = None,
        snapshot_layers: int | None = None,
    ) -> None:
        """``size`` is the number of partitions, ``journal`` is the last snapshot of the job."""
        super().__init__(job, connection, kind, data, source, needed, tick)
        self.size, self._journal, self._pace = size, journal, Pace(snapshot_layers)
        self.homes = connection.homes(size)
        self._numbers = [0] * size
        self._steps: list[list[Step]] = [[] for _ in range(size)]
        self._known: set[int] = set()
        """The partitions that should be in the cache of a worker."""
        self._changed: set[int] = set()
        self._begun: dict[int, tuple[int, int]] = {}
        self._inbox: dict[int, list[PackedMessages]] = {}
        self._next: dict[int, list[PackedMessages]] = {}
        self._replaced: dict[tuple[int, int, int, int], PackedMessages] = {}
        self._held = self._logged = self.settled = 0
        self._now = Moment(0, 0)
        self.snapshots = self.rebuilt = 0
        self.written = self.sent = self.bytes = self.copied = 0

    # ---------------------------------------------------------------- tasks

    def task(self, q: int, work: Any) -> WorkerTask:
        """A task for a partition; with its past if no worker knows the partition."""
        task = WorkerTask(self.info, q, work, self._numbers[q])
        return task if q in self._known else self._complete(task)

    def _complete(self, task: WorkerTask) -> WorkerTask:
        """The task with the past of its partition, and with messages that were sent again."""
        q, work = task.partition, task.work
        behind = self._steps[q][: len(self._steps[q]) - self._numbers[q] + task.number]
        steps = tuple(self._fresh(step) for step in behind)
        past = Past(self._journal.states.get(q), self._journal.moment, steps)
        return task._replace(work=self._fresh(work), past=past)

    def _fresh(self, work: Any) -> Any:
        """The work with messages that were sent again in the place of those that were lost."""
        if not self._replaced or not isinstance(work, Step):
            return work
        return work._replace(inbox=tuple(self._replaced.get(p.key, p) for p in work.inbox))

    def perform(self, tasks: Sequence[WorkerTask]) -> list[Outcome]:
        """Perform tasks; partitions that were lost are built again, lost messages sent again."""
        done: dict[int, Outcome] = {}
        waiting = list(tasks)
        while waiting:
            again = []
            for task, outcome in zip(waiting, super().perform(waiting), strict=True):
                if outcome.missing:
                    self._resend(outcome.lost)
                    self.rebuilt += 1
                    again.append(self._complete(task))
                else:
                    self._known.add(task.partition)
                    done[task.partition] = outcome
            waiting = again
        return [done[task.partition] for task in tasks]

    def _resend(self, lost: Iterable[PackedMessages]) -> None:
        """Let the sources of lost messages compute them once more.

        A source that has to be built again takes only the steps until then. So it needs messages
        of earlier layers only, and this comes to an end even if all messages are lost.
        """
        for packed in lost:
            source, receiver, phase, depth = packed.key
            self.count_loss(packed.key, "messages")
            task = self.task(source, Resend(phase, depth, receiver))
            later = sum(step.task[1:3] > (phase, depth) for step in self._steps[source])
            task = task._replace(number=task.number - later)
            (outcome,) = self.perform([task if task.past is None else self._complete(task)])
            self._replaced |= {new.key: new for new in outcome.messages}

    # ---------------------------------------------------------------- layers

    def run(self, tasks: Sequence[Task]) -> list[Report]:
        """Let the workers run the tasks of a layer."""
        steps = {}
        for task in tasks:
            q = task.partition
            steps[q] = Step(task, self._begun.pop(q, (0, 0)), tuple(self._inbox.pop(q, ())))
        reports = []
        outcomes = self.perform([self.task(q, step) for q, step in steps.items()])
        for (q, step), outcome in zip(steps.items(), outcomes, strict=True):
            self._steps[q].append(self._fresh(step))
            self._numbers[q] += 1
            self._changed.add(q)
            self._held += STEP_BYTES
            reports.append(self._take(outcome))
        return reports

    def _take(self, outcome: Outcome) -> Report:
        """Keep the messages of a step for the next layer."""
        for packed in outcome.messages:
            self._next.setdefault(packed.receiver, []).append(packed)
            self.bytes += packed.size
            self._logged += packed.size if packed.file else 0
            self._held += STEP_BYTES if packed.file else packed.size
        self.written += outcome.counts[0]
        self.sent += outcome.counts[1]
        self.settled += outcome.settled
        self.copied = max(self.copied, outcome.copied)
        assert outcome.report is not None
        return outcome.report

    def state_bytes(self) -> int:
        """The number of bytes of all states."""
        raise NotImplementedError

    def end_layer(self, moment: Moment) -> None:
        """Deliver the messages; take a snapshot if it is time for one."""
        self._inbox, self._next = self._next, {}
        self._now = moment
        full = self._logged > max(MIN_LOG_BYTES, 2 * self.state_bytes())
        if self._pace.due() or full or self._held > MAX_HELD_BYTES:
            self.snapshot()

    # ---------------------------------------------------------------- snapshots

    def snapshot(self) -> None:
        """Let the workers write the states that changed since the last snapshot."""
        begun = time.monotonic()
        changed, serial = sorted(self._changed), self._journal.serial + 1
        states = dict(self._journal.states)
        outcomes = self.perform([self.task(q, Snapshot(serial)) for q in changed])
        for q, outcome in zip(changed, outcomes, strict=True):
            assert outcome.states is not None
            states[q] = outcome.states
            self.job.adopt(seal[0] for seal in outcome.states.values())
        self._journal = self._journal.next(self._now, states)
        self._journal.save(self.job)
        for steps in self._steps:
            steps.clear()
        self._changed.clear()
        self._replaced.clear()
        self.losses.clear()
        self._held = self._logged = 0
        kept = {packed.file for inbox in self._inbox.values() for packed in inbox}
        self.job.location.retain("messages-*", kept)  # nobody needs the others after a snapshot
        homes = self.connection.balance(self.info.run, self.homes)
        self._known -= {q for q, home in enumerate(homes) if home != self.homes[q]}
        self.homes = homes
        self.snapshots += 1
        self._pace.taken(begun)

    def resume(self) -> tuple[Moment, set[int]] | None:
        """Go back to the last snapshot, and compute the messages that were under way."""
        moment = self._journal.moment
        if moment is None:
            return None
        work = Resend(moment.phase, moment.depth, None)
        active = set()
        for outcome in self.perform([self.task(q, work) for q in range(self.size)]):
            report = self._take(outcome)
            active |= set(report.receivers)
            active |= {report.partition} if report.waiting else set()
        self._inbox, self._next = self._next, {}
        self._now, self.resumed = moment, True
        return moment, active

    def statistics(self) -> dict[str, Any]:
        """What the run took."""
        return {
            "recovered": self.recovered,
            "rebuilt": self.rebuilt,
            "snapshots": self.snapshots,
            "resumed": self.resumed,
        }
