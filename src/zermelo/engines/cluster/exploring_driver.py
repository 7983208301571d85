"""Exploring on a cluster, as the driver sees it; see :mod:`.exploring_worker`.

This is a program over partitions, as solving is: a layer is a round of a breadth-first search, and
a snapshot is the set of all keys. In the end the driver lets the workers sort the keys.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo._runtime.progress import SoFar
from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.exploring_worker import (
    Cut,
    ExploringData,
    ExploringRun,
    Join,
    owner_of,
)
from zermelo.engines.cluster.messages import PackedMessages
from zermelo.engines.cluster.stage import Stage
from zermelo.engines.cluster.stepping_driver import SteppingStage
from zermelo.engines.cluster.worker import WorkerTask
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import SEARCHING, Seal, whole
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.division import MAX_PARTITIONS
from zermelo.engines.partitions.journal import Journal
from zermelo.engines.partitions.messages import pack_arrays
from zermelo.engines.partitions.partition import Task
from zermelo.engines.partitions.program import Moment
from zermelo.labels import AnyArray, Int64Array


class ClusterExploration(SteppingStage):
    """Finds all positions of ``source`` by the workers."""

    def __init__(
        self,
        job: Job,
        connection: Connection,
        source: RulesSource,
        piece: int,
        partitions: int | None,
        tick: Tick = None,
        snapshot_rounds: int | None = None,
    ) -> None:
        """``piece`` is the number of moves that a worker generates at a time."""
        size = 2 * sum(connection.threads.values()) if partitions is None else partitions
        size, journal, record = min(size, MAX_PARTITIONS), Journal(), job.record(SEARCHING)
        if record is None:
            job.location.retain("state-*")
        else:
            with job.reading(SEARCHING):
                size = whole(record["partitions"], "partitions", 1, MAX_PARTITIONS)
                journal = Journal.parsed(record, size, 0, _sizes)
        journal = replace(journal, name=SEARCHING, more={"partitions": size})
        super().__init__(
            job, connection, ExploringRun, ExploringData(size, piece), size, journal,
            source=source, tick=tick, snapshot_layers=snapshot_rounds,
        )  # fmt: skip
        self.rounds, self._indices = 0, source.n

    @property
    def found(self) -> int:
        """How many positions were found."""
        return self.settled

    def state_bytes(self) -> int:
        """The number of bytes of all states."""
        return 8 * self.settled

    def explore(self, first: int) -> None:
        """Follow all moves from the position with the key ``first``, or go on from a snapshot."""
        resumed = self.resume()
        if resumed is None:
            key = np.array([first], np.int64)
            start = int(owner_of(key, self.size)[0])
            self._inbox[start] = [PackedMessages(start, start, 0, -1, (pack_arrays(key),), "", ())]
            resumed = Moment(0, -1), {start}
        moment, active = resumed
        self.rounds = moment.depth + 1
        while active:
            reports = self.run([Task(q, 0, self.rounds, False) for q in sorted(active)])
            active = {q for report in reports for q in report.receivers}
            self.end_layer(Moment(0, self.rounds))
            self.rounds += 1
            tell(self.tick, self.settled, SoFar(self.settled), "exploring positions")

    # ---------------------------------------------------------------- results

    def keys(self) -> Iterator[Int64Array]:
        """The keys of all positions, sorted, in pieces."""
        tasks = [self.task(q, Cut(None)) for q in range(self.size)]
        sample = np.sort(np.concatenate([outcome.result for outcome in self.perform(tasks)]))
        places = np.arange(1, self.size) * sample.size // self.size
        for piece in self._joined(tuple(sample[places].tolist()), None):
            yield piece.view(np.int64)

    def marks(self) -> Iterator[AnyArray]:
        """The marks of all indices in order, in pieces; 1 where a position was found."""
        bounds = [k * self._indices // self.size for k in range(self.size + 1)]
        yield from self._joined(tuple(bounds[1:-1]), bounds)

    def _joined(self, bounds: tuple[int, ...], marks: list[int] | None) -> Iterator[AnyArray]:
        """Let partitions cut their keys at bounds, and let others join the pieces; in bytes."""
        cut = self._cut(bounds, range(self.size))
        files: dict[int, Seal] = {}
        while waiting := [r for r in range(self.size) if r not in files]:
            tasks = []
            for r in waiting:
                inbox = tuple(packed for packed in cut.values() if packed.receiver == r)
                interval = None if marks is None else (marks[r], marks[r + 1])
                tasks.append(WorkerTask(self.info, r, Join(inbox, interval)))
            lost = set()
            for r, outcome in zip(waiting, Stage.perform(self, tasks), strict=True):
                lost |= {packed.source for packed in outcome.lost}
                if outcome.result is not None:
                    files[r] = outcome.result
                    self.job.location.know([outcome.result[0]])
            for q in sorted(lost):
                self.count_loss(q)
            cut |= self._cut(bounds, sorted(lost))
        self.job.location.retain("cut-*.log")
        for r in range(self.size):
            for piece in self.job.pieces(files[r]):
                yield np.frombuffer(piece, np.uint8)
            self.job.location.remove(files[r][0])

    def _cut(self, bounds: tuple[int, ...], parts: Any) -> dict[Any, PackedMessages]:
        """Let some partitions cut their keys."""
        outcomes = self.perform([self.task(q, Cut(bounds)) for q in parts])
        return {packed.key: packed for outcome in outcomes for packed in outcome.messages}

    def statistics(self) -> dict[str, Any]:
        """What the exploration took."""
        found = {"positions": self.settled, "partitions": self.size, "rounds": self.rounds}
        return {**found, **super().statistics()}

    def clear(self) -> None:
        """Remove all files of the exploration."""
        self.job.location.erase(SEARCHING)
        for pattern in ("state-*", "messages-*.log", "cut-*.log", "joined-*"):
            self.job.location.retain(pattern)


def _sizes(q: int, files: dict[str, Any]) -> dict[str, int]:
    """The sizes of the files of a snapshot, which have keys; the first one has also a depth."""
    fresh, known = (int(files[key][1]) for key in ("fresh", "known"))
    return {"fresh": max(8, fresh // 8 * 8), "known": known // 8 * 8}
