"""The executor for a cluster: each partition has a home among the workers of a Dask scheduler."""

from typing import Any

import numpy as np

from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.solving_worker import SolvingData, SolvingRun
from zermelo.engines.cluster.stepping_driver import SteppingStage
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import digest_of
from zermelo.engines.moves.prepare import moves_in
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import MOVE_BYTES, position_bytes
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.program import Moment
from zermelo.labels import AnyArray, Int32Array


class ClusterExecutor(SteppingStage, Prepared):
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
        Prepared.__init__(self, job, record, trusted=trusted)
        moves, shift = [moves_in(files) for files in self.files], self.terms.shift
        capacity = max(1, min(budget.capacity, max(moves) << shift))
        needed = self.division.n * position_bytes(shift) + sum(moves) * MOVE_BYTES
        data = SolvingData(digest_of(record), capacity)
        SteppingStage.__init__(
            self, job, connection, SolvingRun, data, self.division.size, self.last_snapshot(),
            needed=needed, tick=tick, snapshot_layers=snapshot_layers,
        )  # fmt: skip

    def begin(self, phase: int) -> set[int]:
        """The partitions that have ends of a phase; their next step begins with these."""
        self._begun = dict(self.starts.get(phase, {}))
        return set(self._begun)

    def state_bytes(self) -> int:
        """The number of bytes of all states."""
        return (4 + self.terms.code_type.itemsize) * self.division.n << self.terms.shift

    def end_layer(self, moment: Moment) -> None:
        """Deliver the messages; take a snapshot if it is time for one."""
        total = self.division.n << self.terms.shift
        tell(self.tick, min(self.settled, total), total, "settled")
        super().end_layer(moment)

    def finish(self) -> None:
        """Let the workers write the last states, which are the result."""
        if self._changed:
            self.snapshot()

    def state(self, q: int) -> tuple[Int32Array, AnyArray]:
        """The statuses and the values of the situations of one partition."""
        files = self._journal.states.get(q, self.files[q])
        status, level = (b"".join(self.job.pieces(files[key])) for key in ("status", "level"))
        return np.frombuffer(status, np.int32), np.frombuffer(level, self.terms.code_type)

    def statistics(self) -> dict[str, Any]:
        """What the run took, for the statistics of a solution."""
        return {
            "partitions": self.division.size,
            "workers": len(set(self.homes)),
            "messages": self.written,
            "combined": self.sent,
            "message_bytes": self.bytes,
            **super().statistics(),
            "copied_bytes": self.copied,
        }
