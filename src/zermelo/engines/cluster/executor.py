"""The executor for a cluster: each partition has a home among the workers of a Dask scheduler.

The driver knows for each partition the files of its last snapshot and the steps since then. That is
enough to build it again on any worker, see :mod:`zermelo.engines.cluster.worker`. The messages of a
step travel in files of the shared directory or of the URL, those of a thin layer with the reports.
A snapshot is taken after some time, or if the messages since the last one take too much room.
"""

import contextlib
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import uuid4

import numpy as np

from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.messages import Parcel
from zermelo.engines.cluster.worker import Order, Outcome, Past, Step, token
from zermelo.engines.moves.prepare import Tick, moves_in, part_files
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import MOVE_BYTES, Division, position_bytes
from zermelo.engines.partitions.job import Job
from zermelo.engines.partitions.journal import Journal, Pace, distances, phase_starts
from zermelo.engines.partitions.partition import Report, Task
from zermelo.engines.partitions.program import Moment
from zermelo.engines.partitions.records import digest_of
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Below
from zermelo.errors import JobError, StoreError
from zermelo.labels import AnyArray, Int32Array

HELD = 1 << 26
"""Bytes of messages and steps that the driver keeps; then it takes a snapshot."""

LOGS = 1 << 30
"""Bytes of message files that are always allowed between snapshots."""

STEP_BYTES = 500
"""Memory of the driver for a step without messages."""

TRIES = 4
"""How often the same messages may be lost."""


class ClusterExecutor:
    """Sends the tasks of a layer to the workers; ``record`` is the manifest of the job."""

    def __init__(
        self,
        job: Job,
        record: dict[str, Any],
        connection: Connection,
        budget: Budget,
        tick: Tick = None,
        *,
        trusted: bool = True,
        snapshot_layers: int | None = None,
    ) -> None:
        """``trusted`` says that this process wrote the files."""
        self.job, self.connection, self.tick = job, connection, tick
        self.terms = Terms.from_spec(record["terms"])
        self.division = Division.from_spec(record["division"])
        self._manifest = digest_of(record)
        size = self.division.size
        self._files = [part_files(record, q) for q in range(size)]
        most = max(moves_in(files) for files in self._files) << self.terms.shift
        self._capacity = max(1, min(budget.capacity, most))
        self._starts = phase_starts(job, self._files, len(self.terms.phases), trusted=trusted)
        self.below = Below(job, self.terms, self._files)
        self._journal, self._pace = Journal(), Pace(snapshot_layers)
        self._numbers = [0] * size
        self._steps: list[list[Step]] = [[] for _ in range(size)]
        self._known: set[int] = set()
        """The partitions that should be in the cache of a worker."""
        self._changed: set[int] = set()
        self._begun: dict[int, tuple[int, int]] = {}
        self._inbox: dict[int, list[Parcel]] = {}
        self._next: dict[int, list[Parcel]] = {}
        self._replaced: dict[tuple[int, int, int, int], Parcel] = {}
        self._losses: Counter[tuple[int, int, int, int]] = Counter()
        self._homes = connection.homes(size)
        self._held = self._logged = self._settled = 0
        self._now = Moment(0, 0)
        self.snapshots = self.recovered = self.rebuilt = 0
        self.written = self.sent = self.bytes = self.copied = 0
        self.resumed = False
        self.run_name = uuid4().hex[:12]
        job.place.retain(token("*"))  # the workers forget what an earlier driver did with them
        job.place.mark(token(self.run_name))
        connection.check(self.run_name, job, self._weight())

    def _weight(self) -> int:
        """The memory that all partitions need together."""
        moves = sum(moves_in(files) for files in self._files)
        return self.division.n * position_bytes(self.terms.shift) + moves * MOVE_BYTES

    # ---------------------------------------------------------------- orders

    def _order(self, q: int, **content: Any) -> Order:
        """An order for a partition; with its past if no worker knows the partition."""
        place = self.job.place
        order = Order(self.run_name, place.parent, place.name, self._manifest, self._capacity, q,
                      self._numbers[q], **content)  # fmt: skip
        return order if q in self._known else self._complete(order)

    def _complete(self, order: Order) -> Order:
        """The order with the past of its partition, and with messages that were sent again."""
        q = order.partition
        behind = self._steps[q][: len(self._steps[q]) - self._numbers[q] + order.number]
        steps = tuple(self._fresh(step) for step in behind)
        past = Past(self._journal.states.get(q), self._journal.moment, steps)
        step = None if order.step is None else self._fresh(order.step)
        return order._replace(step=step, past=past)

    def _fresh(self, step: Step) -> Step:
        if not self._replaced:
            return step
        return step._replace(inbox=tuple(self._replaced.get(p.key, p) for p in step.inbox))

    def _perform(self, orders: Sequence[Order]) -> list[Outcome]:
        """Carry out orders; partitions that were lost are built again, lost messages sent again."""
        done: dict[int, Outcome] = {}
        waiting = list(orders)
        while waiting:
            again = []
            outcomes = self.connection.perform(waiting, self._homes)
            for order, outcome in zip(waiting, outcomes, strict=True):
                q = order.partition
                self._homes[q] = outcome.worker
                if outcome.missing:
                    self._send_again(outcome.lost)
                    self.rebuilt += 1
                    again.append(self._complete(order))
                else:
                    self._known.add(q)
                    done[q] = outcome
            waiting = again
        return [done[order.partition] for order in orders]

    def _send_again(self, lost: Iterable[Parcel]) -> None:
        """Let the sources of lost messages compute them once more.

        A source that has to be built again takes only the steps until then. So it needs messages
        of earlier layers only, and this comes to an end even if all messages are lost.
        """
        for parcel in lost:
            source, receiver, phase, depth = parcel.key
            self._losses[parcel.key] += 1
            if self._losses[parcel.key] > TRIES:
                raise JobError(
                    f"{self.job.shown}: the workers cannot read the messages of this job, even "
                    "after these were written again; check the file system, then give the same "
                    "command again"
                )
            order = self._order(source, again=(phase, depth, receiver))
            later = sum(step.task[1:3] > (phase, depth) for step in self._steps[source])
            order = order._replace(number=order.number - later)
            (outcome,) = self._perform([order if order.past is None else self._complete(order)])
            for new in outcome.parcels:
                self._replaced[new.key] = new
                self.job.place.know(filter(None, [new.file]))
            self.recovered += 1

    # ---------------------------------------------------------------- the program

    def phases(self) -> Sequence[int]:
        """The phases that have ends of play, in order."""
        return sorted(self._starts.keys() | self.below.phases())

    def begin(self, phase: int) -> set[int]:
        """The partitions that have ends of a phase; their next step begins with these."""
        self._begun = dict(self._starts.get(phase, {}))
        return set(self._begun)

    def run(self, tasks: Sequence[Task]) -> list[Report]:
        """Let the workers run the tasks of a layer."""
        steps = {
            task.partition: Step(
                task,
                self._begun.pop(task.partition, (0, 0)),
                tuple(self._inbox.pop(task.partition, ())),
            )
            for task in tasks
        }
        orders = [self._order(q, step=step) for q, step in steps.items()]
        reports = []
        for order, outcome in zip(orders, self._perform(orders), strict=True):
            assert outcome.report is not None
            q = order.partition
            self._steps[q].append(self._fresh(steps[q]))
            self._numbers[q] += 1
            self.copied = max(self.copied, outcome.copied)
            self._changed.add(q)
            self._held += STEP_BYTES
            self._take(outcome)
            reports.append(outcome.report)
        return reports

    def _take(self, outcome: Outcome) -> None:
        """Keep the messages of a step for the next layer."""
        for parcel in outcome.parcels:
            self._next.setdefault(parcel.receiver, []).append(parcel)
            self.bytes += parcel.size
            if parcel.file:
                self.job.place.know([parcel.file])
                self._logged += parcel.size
                self._held += STEP_BYTES
            else:
                self._held += parcel.size
        self.written += outcome.messages[0]
        self.sent += outcome.messages[1]
        self._settled += outcome.settled

    def end_layer(self, moment: Moment) -> None:
        """Deliver the messages; take a snapshot if it is time for one."""
        self._inbox, self._next = self._next, {}
        self._now = moment
        if self.tick is not None:
            total = self.division.n << self.terms.shift
            self.tick(min(self._settled, total), total, "settled")
        states = (4 + self.terms.code_type.itemsize) * self.division.n << self.terms.shift
        full = self._held > HELD or self._logged > max(LOGS, 2 * states)
        if self._pace.due() or full:
            self.snapshot()

    # ---------------------------------------------------------------- snapshots

    def snapshot(self) -> None:
        """Let the workers write the states that changed since the last snapshot."""
        begun = time.monotonic()
        serial = self._journal.serial + 1
        orders = [self._order(q, snapshot=serial) for q in sorted(self._changed)]
        states = dict(self._journal.states)
        for order, outcome in zip(orders, self._perform(orders), strict=True):
            assert outcome.states is not None
            states[order.partition] = outcome.states
            self.job.adopt(seal[0] for seal in outcome.states.values())
        self._journal = Journal(serial, self._now, states)
        self._journal.save(self.job)
        for steps in self._steps:
            steps.clear()
        self._changed.clear()
        self._replaced.clear()
        self._losses.clear()
        self._held = self._logged = 0
        self._remove_mail()
        homes = self.connection.balance(self.run_name, self._homes)
        self._known -= {q for q, home in enumerate(homes) if home != self._homes[q]}
        self._homes = homes
        self.snapshots += 1
        self._pace.taken(begun)

    def _remove_mail(self) -> None:
        """Remove the files of messages that nobody needs after a snapshot."""
        kept = {parcel.file for parcels in self._inbox.values() for parcel in parcels}
        self.job.place.retain("mail-*", kept)

    def resume(self) -> tuple[Moment, set[int]] | None:
        """Go back to the last snapshot, and compute the messages that were under way."""
        self._journal = Journal.read(self.job, self.division, self.terms)
        moment = self._journal.moment
        if moment is None:
            return None
        parts = range(self.division.size)
        orders = [self._order(q, again=(moment.phase, moment.depth, None)) for q in parts]
        active = set()
        for order, outcome in zip(orders, self._perform(orders), strict=True):
            assert outcome.report is not None
            self._take(outcome)
            active |= set(outcome.report.receivers)
            active |= {order.partition} if outcome.report.waiting else set()
        self._inbox, self._next = self._next, {}
        self._now, self.resumed = moment, True
        return moment, active

    # ---------------------------------------------------------------- results

    def finish(self) -> None:
        """Let the workers write the last states, which are the result."""
        if self._changed:
            self.snapshot()

    def result(self, q: int) -> tuple[AnyArray, Int32Array]:
        """The values and the distances of the situations of one partition."""
        files = self._journal.states.get(q, self._files[q])
        status = np.frombuffer(b"".join(self.job.pieces(files["status"])), np.int32)
        level = np.frombuffer(b"".join(self.job.pieces(files["level"])), self.terms.code_type)
        start, stop = self._starts.get(len(self.terms.phases), {}).get(q, (0, 0))
        ties = np.empty(0, np.int32) if self.terms.agreed_ends else self.ends(q)[start:stop]
        return level, distances(status, ties)

    def ends(self, q: int) -> Int32Array:
        """All situations of a partition where play ends."""
        return np.fromfile(self.job.fetched(self._files[q]["ends"]), np.int32)

    def statistics(self) -> dict[str, Any]:
        """What the run took, for the statistics of a solution."""
        return {
            "partitions": self.division.size,
            "workers": len(set(self._homes)),
            "messages": self.written,
            "combined": self.sent,
            "message_bytes": self.bytes,
            "recovered": self.recovered,
            "rebuilt": self.rebuilt,
            "snapshots": self.snapshots,
            "resumed": self.resumed,
            "copied_bytes": self.copied,
        }

    def close(self) -> None:
        """Let the workers forget the job."""
        with contextlib.suppress(StoreError):
            self.job.place.remove(token(self.run_name))
        with contextlib.suppress(JobError):
            self.job.place.know(self.connection.forget(self.run_name))
