"""Partitions that take steps and send each other messages, as a worker sees them.

A task is a function of the state of a snapshot, of the messages that the partition got since then,
and of the steps that it took. The cache has partitions with the number of steps that each has
behind it, and a task says how many it expects. If the cache has another number or nothing, the
worker answers that the partition is missing. Then the driver sends the task again with the past of
the partition, and the worker takes the snapshot and repeats the steps. If messages were lost, the
answer names them, and the driver asks their sources for the same messages.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from zermelo.engines.cluster import messages
from zermelo.engines.cluster.messages import LostMessages, Outbox, PackedMessages
from zermelo.engines.cluster.worker import Outcome, WorkerRun, WorkerTask
from zermelo.engines.jobs.job import pieces_of
from zermelo.engines.jobs.records import Seal
from zermelo.engines.partitions.messages import DamagedRecord
from zermelo.engines.partitions.partition import Task
from zermelo.engines.partitions.program import Moment
from zermelo.errors import StoreError
from zermelo.labels import AnyArray


class Step(NamedTuple):
    """One step of a partition: the task, the ends of play that begin a phase, the messages."""

    task: Task
    ends: tuple[int, int]
    """Which part of the list of ends is new; an empty one in the midst of a phase."""
    inbox: tuple[PackedMessages, ...]


class Resend(NamedTuple):
    """Compute the messages of a layer again, to one partition or to all."""

    phase: int
    depth: int
    receiver: int | None


class Snapshot(NamedTuple):
    """Write the state of the partition; ``serial`` is the number of the snapshot."""

    serial: int


class Past(NamedTuple):
    """How a partition became what it is."""

    states: dict[str, Seal] | None
    """The files of the last snapshot; None for the first state."""
    moment: Moment | None
    """The moment of the last snapshot of the job."""
    steps: tuple[Step, ...]
    """The steps since then."""


class _Held(NamedTuple):
    """A partition in the cache, the steps that it has behind it, and the outcome of the last."""

    number: int
    state: Any
    outcome: Outcome | None


class SteppingRun(WorkerRun, ABC):
    """A run whose partitions take steps."""

    resends_earlier = True
    """Whether a state also gives the messages of layers before the last one."""

    @abstractmethod
    def first(self, q: int, past: Past) -> Any:
        """The state of a partition as the last snapshot has it, or as it was in the beginning."""

    @abstractmethod
    def arrays(self, state: Any) -> dict[str, AnyArray]:
        """The arrays of a state that a snapshot needs."""

    @abstractmethod
    def decoded(self, q: int, record: bytes, source: int) -> Any:
        """A record with messages from ``source`` to a partition."""

    @abstractmethod
    def take_step(self, state: Any, step: Step, outbox: Outbox | None) -> Outcome:
        """Take a step; the messages need not be sent if the ``outbox`` is None."""

    @abstractmethod
    def resend(self, q: int, state: Any, work: Resend, outbox: Outbox) -> Outcome:
        """Send the messages of a layer again."""

    def other(self, task: WorkerTask, state: Any) -> Outcome:
        """Do work of another kind with the state of a partition."""
        raise NotImplementedError

    def perform(self, task: WorkerTask) -> Outcome:
        """Do what the task says, if the partition is or can be made what the task expects."""
        q, work = task.partition, task.work
        # A partition is out of the cache while it changes. After an error it is not put back.
        held: _Held | None = self.held.pop(q, None)
        stepping = isinstance(work, Step)
        if held is not None and stepping and held.number == task.number + 1:
            self.held[q] = held
            if held.outcome is not None:
                return held.outcome  # the cluster lost the outcome of this step, and asks again
        earlier = self.resends_earlier and isinstance(work, Resend)
        if held is None or not (
            held.number == task.number or (earlier and held.number > task.number)
        ):
            if task.past is None:
                return Outcome(missing=True)
            held = None
        try:
            if held is None:
                held = _Held(task.number, self._rebuilt(q, task.past), None)
            outcome = self._carry_out(task, held.state)
        except LostMessages:
            steps = () if task.past is None else task.past.steps
            steps = (*steps, work) if stepping else steps
            inboxes = (packed for step in steps for packed in step.inbox)
            return Outcome(missing=True, lost=self.lost(q, inboxes))
        self.held[q] = _Held(held.number + stepping, held.state, outcome if stepping else None)
        return outcome

    def _rebuilt(self, q: int, past: Past) -> Any:
        """Take a snapshot of a partition and repeat the steps since then."""
        state = self.first(q, past)
        for step in past.steps:
            self.take_step(state, step, None)
        return state

    def _carry_out(self, task: WorkerTask, state: Any) -> Outcome:
        """Do what the task says with a partition that is as it expects."""
        q, work = task.partition, task.work
        if isinstance(work, Snapshot):
            name = f"state-{q}-{work.serial}-{uuid4().hex[:12]}"
            return Outcome(states={
                key: self.job.write(f"{name}.{key}", pieces_of(array), array.nbytes)
                for key, array in self.arrays(state).items()
            })  # fmt: skip
        if not isinstance(work, Step | Resend):
            return self.other(task, state)
        repair = isinstance(work, Resend) and work.receiver is not None
        limit = messages.MAX_REPAIRED_BYTES if repair else messages.MAX_INLINE_BYTES
        with Outbox(self.job, f"messages-{q}-{task.number}", limit) as outbox:
            if isinstance(work, Step):
                phase, outcome = work.task.phase, self.take_step(state, work, outbox)
            else:
                phase, outcome = work.phase, self.resend(q, state, work, outbox)
            assert outcome.report is not None
            sent = outbox.close(q, phase, outcome.report.depth)
            return outcome._replace(messages=sent, copied=self.job.location.copied())

    def read(self, q: int, inbox: Iterable[PackedMessages]) -> Iterator[Any]:
        """The messages to a partition; raise :class:`LostMessages` at one that cannot be read.

        Messages that were read before that may have been used; the caller must forget their effect.
        """
        for packed in inbox:
            try:
                for record in packed.read(self.job):
                    yield self.decoded(q, record, packed.source)
            except StoreError:
                raise  # messages that are sent again cannot be read either
            except (OSError, DamagedRecord):
                raise LostMessages from None

    def lost(self, q: int, inbox: Iterable[PackedMessages]) -> tuple[PackedMessages, ...]:
        """Those of the messages that cannot be read."""
        found = []
        for packed in inbox:
            try:
                for _ in self.read(q, [packed]):
                    pass
            except LostMessages:
                found.append(packed)
        return tuple(found)

    def load(self, seal: Seal, dtype: Any) -> AnyArray:
        """An array of a file, in memory."""
        content = bytearray(seal[1])
        at = 0
        for piece in self.job.pieces(seal):
            content[at : at + len(piece)] = piece
            at += len(piece)
        return np.frombuffer(content, dtype)
