"""The executor for one machine: state and messages are in files, a budget of memory is kept.

The arrays of a partition are mapped from files, so a thin layer touches only the pages that it
needs. The partitions used last stay mapped while they fit into the budget. Messages stay in memory
while they fit, too, so thin layers write no files. The files that are mapped are scratch: a process
that goes on after another was ended begins with the last snapshot, and computes from it again
which messages were under way.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from zermelo._kernels.terminal.partitioned import LEFT_TAIL, RIGHT_TAIL
from zermelo._runtime.memory import show_size
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job, pieces_of
from zermelo.engines.moves.prepare import moves_in
from zermelo.engines.moves.unmoves import Unmoves
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import partition_bytes
from zermelo.engines.partitions.journal import Pace
from zermelo.engines.partitions.keyed import map_array
from zermelo.engines.partitions.message_queue import MessageQueue
from zermelo.engines.partitions.messages import Batch
from zermelo.engines.partitions.partition import Buffers, Partition, Report, Task
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.program import Moment
from zermelo.errors import MemoryLimitError
from zermelo.labels import AnyArray, Int32Array

FIXED = ("indptr", "indices")
"""Arrays of a partition that never change."""


class DiskExecutor(Prepared):
    """Runs the tasks of a layer one after the other; ``record`` is the manifest of the job."""

    def __init__(
        self,
        job: Job,
        record: dict[str, Any],
        budget: Budget,
        tick: Tick = None,
        *,
        trusted: bool = True,
        snapshot_layers: int | None = None,
        unmoves: Unmoves | None = None,
    ) -> None:
        """``unmoves`` generates moves backwards if the files have none."""
        super().__init__(job, record, trusted=trusted)
        self.budget, self.tick, self._unmoves = budget, tick, unmoves
        self.snapshots, self.resumed = 0, False
        size = self.division.size
        self._unchecked = set() if trusted else set(range(size))
        self._cursors = [Partition.new_cursor() for _ in range(size)]
        most = max(moves_in(files) for files in self.files) << self.terms.shift
        if unmoves is not None:
            most = self.division.largest * unmoves.room
        capacity = max(1, min(budget.capacity, most))
        self._buffers = Buffers(self.division, self.terms.shift, capacity)
        self._queue = MessageQueue(job, budget.messages, self._send_again)
        self._mapped: dict[int, Partition] = {}
        self._ready: set[int] = set()
        self._now = Moment(0, 0)
        self._journal, self._pace = self.last_snapshot(), Pace(snapshot_layers)
        self._changed: set[int] = set()

    # ---------------------------------------------------------------- partitions

    def _weight(self, q: int) -> int:
        """The memory that a partition takes while it is mapped."""
        moves = moves_in(self.files[q])
        return partition_bytes(self.division.count(q), moves, self.terms.shift)

    def check_budget(self) -> None:
        """Refuse partitions that are too large for the budget."""
        largest = max(self._weight(q) for q in range(self.division.size))
        if largest > self.budget.residents:
            raise MemoryLimitError(
                f"a partition takes up to {show_size(largest)}, and this budget has "
                f"{show_size(self.budget.residents)} for it; give more memory or more partitions"
            )

    def partition(self, q: int) -> Partition:
        """A partition with its files mapped; others are unmapped if the budget asks for it."""
        if q in self._mapped:
            self._mapped[q] = self._mapped.pop(q)  # the last of the dictionary was used last
            return self._mapped[q]
        self._make_ready(q)
        held = sum(self._weight(other) for other in self._mapped) + self._weight(q)
        while self._mapped and held > self.budget.residents:
            oldest = next(iter(self._mapped))
            held -= self._weight(oldest)
            del self._mapped[oldest]
        files = self.files[q]

        def read(key: str, dtype: Any, size: int) -> AnyArray:
            name = files[key][0] if key in FIXED else f"work-{q}.{key}"
            return map_array(self.job.path(name), dtype, size, writable=key not in FIXED)

        moves = moves_in(files) if self._unmoves is None else self._unmoves
        opened = Partition.of_files(self.division, self.terms, q, moves, read, self._cursors[q])
        if q in self._unchecked:
            with self.job.reading(f"work-{q}.level"):
                opened.check(self.division.n, len(self.terms.levels), self.ends(q))
            self._unchecked.discard(q)
        self._mapped[q] = opened
        return opened

    def _make_ready(self, q: int) -> None:
        """Copy the state of the last snapshot, or the first state, to the files that are mapped."""
        if q in self._ready:
            return
        files = self.files[q]
        if not self._trusted:
            for key in (*FIXED, "ends"):
                if key in files:
                    self.job.check(files[key])
            self.below.check(q)
        for key in ("status", "level"):
            self.job.copy(self._journal.states.get(q, files)[key], f"work-{q}.{key}")
        self.job.reserve(f"work-{q}.queue", 4 * self.division.count(q) << self.terms.shift)
        self._ready.add(q)

    # ---------------------------------------------------------------- the program

    def begin(self, phase: int) -> set[int]:
        """Put the ends of a phase into the queues of their partitions; return these partitions."""
        self._now = Moment(phase, -1)
        parts = set(self.starts.get(phase, {}))
        for q in parts:
            self.partition(q).begin(self.ends(q, phase), self.terms.wave(phase))
        self._changed |= parts
        return parts

    def run(self, tasks: Sequence[Task]) -> list[Report]:
        """Run the tasks one after the other, those of mapped partitions first."""
        reports = []
        for task in sorted(tasks, key=lambda task: task.partition not in self._mapped):
            q, wave = task.partition, self.terms.wave(task.phase)
            self._changed.add(q)
            partition = self.partition(q)
            told = self.below.batches(q, task.phase, task.depth)
            inbox = chain(self._queue.take(q), told)
            reports.append(partition.step(task, wave, inbox, self._queue.send, self._buffers))
        return reports

    def end_layer(self, moment: Moment) -> None:
        """Deliver the messages; take a snapshot if it is time for one."""
        self._queue.end_layer()
        self._now = moment
        if self.tick is not None:
            settled = sum(int(c[LEFT_TAIL] + c[RIGHT_TAIL]) for c in self._cursors)
            self.tick(settled, self.division.n << self.terms.shift, "settled")
        if self._pace.due():
            self.snapshot()

    def _send_again(self, source: int, receiver: int, send: Callable[[int, Batch], object]) -> None:
        """Compute the messages of the layer before from the state of their source."""
        wave = self.terms.wave(self._now.phase)
        partition = self.partition(source)
        partition.messages_again(wave, self._now.depth, send, self._buffers, receiver)

    # ---------------------------------------------------------------- snapshots

    def snapshot(self) -> None:
        """Write the states of all partitions that changed since the last snapshot."""
        begun = time.monotonic()
        serial, states = self._journal.serial + 1, dict(self._journal.states)
        for q in sorted(self._changed):
            share = self.partition(q).share
            states[q] = {
                key: self.job.write(f"state-{q}-{serial}.{key}", pieces_of(array))
                for key, array in (("status", share.status), ("level", share.level))
            }
        self._changed.clear()
        self._journal = self._journal.next(self._now, states)
        self._journal.save(self.job)
        self.snapshots += 1
        self._pace.taken(begun)

    def resume(self) -> tuple[Moment, set[int]] | None:
        """Go back to the last snapshot, and compute the messages that were under way."""
        moment = self._journal.moment
        if moment is None:
            return None
        wave, active = self.terms.wave(moment.phase), set()
        for q in range(self.division.size):
            partition = self.partition(q)
            partition.wait_again(wave, moment.depth + 1)
            sent = partition.messages_again(wave, moment.depth, self._queue.send, self._buffers)
            active |= sent | ({q} if partition.waiting else set())
        self._queue.end_layer()
        self._now, self.resumed = moment, True
        return moment, active

    # ---------------------------------------------------------------- results

    def state(self, q: int) -> tuple[Int32Array, AnyArray]:
        """The statuses and the values of the situations of one partition."""
        share = self.partition(q).share
        return share.status, share.level

    def statistics(self) -> dict[str, Any]:
        """What the run took, for the statistics of a solution."""
        return {
            "partitions": self.division.size,
            "spilled": self._queue.spilled,
            "recovered": self._queue.recovered,
            "snapshots": self.snapshots,
            "resumed": self.resumed,
        }

    def close(self) -> None:
        """Unmap all files."""
        self._mapped.clear()
        with contextlib.suppress(OSError, ValueError):
            self._queue.close()
