"""The partitions of a game that is solved, as a worker of a cluster has them."""

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.partitioned import LEFT_TAIL, RIGHT_TAIL, Share
from zermelo.engines.cluster.messages import Outbox
from zermelo.engines.cluster.stepping_worker import Past, Resend, Step, SteppingRun
from zermelo.engines.cluster.worker import Outcome, RunInfo
from zermelo.engines.jobs.records import MANIFEST, Seal, digest_of
from zermelo.engines.moves.prepare import part_files
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.keyed import map_array
from zermelo.engines.partitions.messages import Batch, DamagedRecord, pack, unpack
from zermelo.engines.partitions.partition import Buffers, Partition, Report, Send
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Below
from zermelo.labels import AnyArray, Int32Array


class SolvingData(NamedTuple):
    """What the tasks of solving need."""

    manifest: str
    """The digest of the manifest, which the driver has checked."""
    capacity: int
    """The number of messages that are combined at a time."""


class SolvingRun(SteppingRun):
    """Partitions of situations, which settle them by messages."""

    stage = "solve"

    def __init__(self, info: RunInfo) -> None:
        super().__init__(info)
        record = self.job.load(MANIFEST)
        if record is None:
            raise self.job.damaged(MANIFEST, "is missing")
        del record["identity"]
        if digest_of(record) != info.data.manifest:
            raise self.job.damaged(MANIFEST, "is not the one of the driver")
        self.terms = Terms.from_spec(record["terms"])
        self.division = Division.from_spec(record["division"])
        self.files = [part_files(record, q) for q in range(self.division.size)]
        self.below = Below(self.job, self.terms, self.files)
        self._free: list[Buffers] = []

    def forget(self, q: int) -> None:
        """Remove a partition from the cache, with the copies of its files."""
        super().forget(q)
        for seal in self.files[q].values():
            self.job.location.drop(seal[0])

    def _buffers(self) -> Buffers:
        """Buffers that no other thread uses; they are put back when they are empty."""
        try:
            buffers = self._free.pop()
        except IndexError:
            buffers = Buffers(self.division, self.terms.shift, self.info.data.capacity)
        buffers.written = buffers.sent = 0
        return buffers

    def first(self, q: int, past: Past) -> Partition:
        """A partition as the last snapshot has it, or as it was in the beginning."""
        files = self.files[q]
        self.below.check(q)
        states = files if past.states is None else past.states
        size = self.division.count(q) << self.terms.shift
        share = Share(
            self.load(states["status"], np.int32),
            self.load(states["level"], self.terms.code_type),
            np.empty(size, np.int32),
        )
        predecessors = Moves(
            self._map(files["indptr"], np.int64), self._map(files["indices"], np.int32)
        )
        partition = Partition(self.division.places(q), share, predecessors, Partition.new_cursor())
        with self.job.reading(states["level"][0]):
            ends = self._ends(q, 0, files["ends"][1] // 4)
            partition.check(self.division.n, len(self.terms.levels), ends)
        if past.moment is not None:
            wave = self.terms.wave(past.moment.phase)
            partition.wait_again(wave, past.moment.depth + 1)
        return partition

    def _map(self, seal: Seal, dtype: Any) -> AnyArray:
        """An array of a file that is checked and then mapped."""
        self.job.check(seal)
        return map_array(self.job.path(seal[0]), dtype, seal[1] // np.dtype(dtype).itemsize)

    def _ends(self, q: int, start: int, stop: int) -> Int32Array:
        """Some ends of play of a partition."""
        path = self.job.fetched(self.files[q]["ends"])
        return np.fromfile(path, np.int32, stop - start, offset=4 * start)

    def arrays(self, state: Partition) -> dict[str, AnyArray]:
        """The statuses and the values."""
        return {"status": state.share.status, "level": state.share.level}

    def decoded(self, q: int, record: bytes, source: int) -> Batch:
        """A batch, which must be of the partition that sent it, to situations of this one."""
        batch, size = unpack(record), self.division.count(q) << self.terms.shift
        targets = batch.targets
        inside = not targets.size or 0 <= targets.min() <= targets.max() < size
        if batch.source != source or batch.side not in (0, 1) or not inside:
            raise DamagedRecord("the record is of another partition, or has messages to nobody")
        return batch

    def take_step(self, state: Partition, step: Step, outbox: Outbox | None) -> Outcome:
        """Begin a phase if there are new ends, and take a step with the messages."""
        task, (start, stop), buffers = step.task, step.ends, self._buffers()
        before, wave = _settled(state), self.terms.wave(task.phase)
        if start < stop:
            state.begin(self._ends(task.partition, start, stop), wave)
        q, phase, depth = task[:3]
        inbox = chain(self.read(q, step.inbox), self.below.batches(q, phase, depth))
        report = state.step(task, wave, inbox, _sender(outbox), buffers)
        self._free.append(buffers)
        counts = buffers.written, buffers.sent
        return Outcome(report=report, settled=_settled(state) - before, counts=counts)

    def resend(self, q: int, state: Partition, work: Resend, outbox: Outbox) -> Outcome:
        """Send the messages of a layer again; the state may have advanced to later layers."""
        buffers, wave, send = self._buffers(), self.terms.wave(work.phase), _sender(outbox)
        receivers = state.messages_again(wave, work.depth, send, buffers, work.receiver)
        self._free.append(buffers)
        report = Report(q, work.depth, state.waiting, tuple(sorted(receivers)))
        settled = int(np.count_nonzero(state.share.status < 0))
        return Outcome(report=report, settled=settled, counts=(buffers.written, buffers.sent))


def _sender(outbox: Outbox | None) -> Send:
    """A function that sends a batch; None sends nothing."""
    if outbox is None:
        return lambda *_: None
    return lambda receiver, batch: outbox.send(receiver, pack(batch))


def _settled(partition: Partition) -> int:
    return int(partition.cursor[LEFT_TAIL] + partition.cursor[RIGHT_TAIL])
