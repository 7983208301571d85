"""What a worker of a cluster does: the orders of the driver, each for one partition.

An order is a function of files and of its arguments: the state of a snapshot, the messages that the
partition got since then, and the steps that it took. What a worker holds in memory is only a cache.
It has the partitions with the number of steps that each has behind it, and an order says how many
it expects. If the cache has another number or nothing, the worker answers that the partition is
missing. Then the driver sends the order again with the past of the partition, and the worker
takes the snapshot and repeats the steps. If messages were lost, the answer names them, and the
driver asks their sources for the same messages.

The machines may see the shared directory under different paths. A worker uses the path in its
environment variable ``ZERMELO_WORKDIR``, or else that of the driver. If this is a URL, the worker
has copies of the files that it maps, in the local directory that Dask gave it.
"""

import mmap
import os
import socket
import tempfile
import weakref
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.partitioned import LEFT_TAIL, RIGHT_TAIL, Share
from zermelo._version import __version__
from zermelo.engines.cluster import messages as parcels
from zermelo.engines.cluster.messages import LostParcel, Outgoing, Parcel, read
from zermelo.engines.cluster.remote_files import open_place
from zermelo.engines.moves.prepare import part_files
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.job import Job, pieces_of
from zermelo.engines.partitions.partition import Buffers, Partition, Report, Task
from zermelo.engines.partitions.program import Moment
from zermelo.engines.partitions.records import MANIFEST, Seal, digest_of
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Below
from zermelo.errors import JobError
from zermelo.labels import AnyArray, Int32Array

WORKDIR = "ZERMELO_WORKDIR"
"""The environment variable with the path of the shared directory on a machine."""


class Step(NamedTuple):
    """One step of a partition: the task, the ends of play that begin a phase, the messages."""

    task: Task
    ends: tuple[int, int]
    """Which part of the list of ends is new; an empty one in the midst of a phase."""
    inbox: tuple[Parcel, ...]


class Past(NamedTuple):
    """How a partition became what it is."""

    states: dict[str, Seal] | None
    """The files of the last snapshot; None for the first state."""
    moment: Moment | None
    """The moment of the last snapshot of the job."""
    steps: tuple[Step, ...]
    """The steps since then."""


class Order(NamedTuple):
    """What a worker has to do with one partition."""

    run: str
    """A name for this run of the job."""
    workdir: str
    """The directory that has the job, as the driver sees it."""
    name: str
    """The name of the directory of the job."""
    manifest: str
    """The digest of the manifest, which the driver has checked."""
    capacity: int
    """The number of messages that are combined at a time."""
    partition: int
    number: int
    """The number of steps that the partition has behind it in this run."""
    step: Step | None = None
    """The step to take."""
    again: tuple[int, int, int | None] | None = None
    """The phase and the distance of messages to be sent again, and to which partition or all."""
    snapshot: int | None = None
    """The number of the snapshot to be written."""
    past: Past | None = None

    @property
    def title(self) -> str:
        """What it does, for the pages of the scheduler."""
        if self.step is not None:
            return f"layer-{self.step.task.phase}.{self.step.task.depth}"
        if self.again is not None:
            return f"messages-{self.again[0]}.{self.again[1]}"
        return f"snapshot-{self.snapshot}"


class Outcome(NamedTuple):
    """What became of an order."""

    worker: str
    missing: bool = False
    """The partition is not in the cache; the order has to be sent again with its past."""
    lost: tuple[Parcel, ...] = ()
    """These messages cannot be read."""
    report: Report | None = None
    parcels: tuple[Parcel, ...] = ()
    states: dict[str, Seal] | None = None
    settled: int = 0
    """The number of situations that became settled."""
    messages: tuple[int, int] = (0, 0)
    """The numbers of messages before and after those to one situation were added up."""
    copied: int = 0
    """The number of bytes of the copies that the worker has of files at a URL."""


class _Held(NamedTuple):
    """A partition in the cache, the steps that it has behind it, and the outcome of the last."""

    number: int
    partition: Partition
    outcome: Outcome | None


class Site:
    """A run of a job on a worker: its files, and the partitions in the cache."""

    def __init__(self, order: Order) -> None:
        self.job = job_of(order.run, order.workdir, order.name)
        self.token = token(order.run)
        record = self.job.load(MANIFEST)
        if record is None:
            raise self.job.damaged(MANIFEST, "is missing")
        del record["identity"]
        if digest_of(record) != order.manifest:
            raise self.job.damaged(MANIFEST, "is not the one of the driver")
        self.record: dict[str, Any] = record
        self.terms = Terms.from_spec(record["terms"])
        self.division = Division.from_spec(record["division"])
        parts = [part_files(record, q) for q in range(self.division.size)]
        self.below = Below(self.job, self.terms, parts)
        self.held: dict[int, _Held] = {}
        self._free: list[Buffers] = []

    def forget(self, q: int) -> None:
        """Remove a partition from the cache, with the copies of its files."""
        self.held.pop(q, None)
        for seal in part_files(self.record, q).values():
            self.job.place.drop(seal[0])

    def take_buffers(self, capacity: int) -> Buffers:
        """Buffers that no other thread uses."""
        try:
            return self._free.pop()
        except IndexError:
            return Buffers(self.division, self.terms.shift, capacity)

    def give_back(self, buffers: Buffers) -> None:
        """Let other orders use the buffers; they are empty."""
        self._free.append(buffers)

    # ---------------------------------------------------------------- partitions

    def first(self, q: int, past: Past) -> Partition:
        """A partition as the last snapshot has it, or as it was in the beginning."""
        files = part_files(self.record, q)
        self.below.check(q)
        states = files if past.states is None else past.states
        size = self.division.count(q) << self.terms.shift
        share = Share(
            self._load(states["status"], np.int32),
            self._load(states["level"], self.terms.code_type),
            np.empty(size, np.int32),
        )
        predecessors = Moves(
            self._map(files["indptr"], np.int64), self._map(files["indices"], np.int32)
        )
        partition = Partition(self.division.places(q), share, predecessors, Partition.new_cursor())
        with self.job.reading(states["level"][0]):
            ends = self.ends(q, 0, files["ends"][1] // 4)
            partition.check(self.division.n, len(self.terms.levels), ends)
        if past.moment is not None:
            wave = self.terms.wave(past.moment.phase)
            partition.wait_again(wave, past.moment.depth + 1)
        return partition

    def _load(self, seal: Seal, dtype: Any) -> AnyArray:
        """An array of a file, in memory."""
        content = bytearray(seal[1])
        at = 0
        for piece in self.job.pieces(seal):
            content[at : at + len(piece)] = piece
            at += len(piece)
        return np.frombuffer(content, dtype)

    def _map(self, seal: Seal, dtype: Any) -> AnyArray:
        """An array of a file that is checked and then mapped."""
        self.job.check(seal)
        if seal[1] == 0:
            return np.empty(0, dtype)
        with self.job.path(seal[0]).open("rb") as file:
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype)

    def rebuild(self, order: Order, past: Past, buffers: Buffers) -> Partition:
        """Take a snapshot of a partition and repeat the steps since then."""
        partition = self.first(order.partition, past)
        for step in past.steps:
            self.take_step(partition, step, lambda *_: None, buffers)
        return partition

    def take_step(self, partition: Partition, step: Step, send: Any, buffers: Buffers) -> Report:
        """Begin a phase if there are new ends, and take a step with the messages."""
        wave = self.terms.wave(step.task.phase)
        start, stop = step.ends
        if start < stop:
            partition.begin(self.ends(step.task.partition, start, stop), wave)
        q, phase, depth = step.task[:3]
        told = read(self.job, step.inbox, partition.share.status.size)
        inbox = chain(told, self.below.batches(q, phase, depth))
        return partition.step(step.task, wave, inbox, send, buffers)

    def ends(self, q: int, start: int, stop: int) -> Int32Array:
        """Some ends of play of a partition."""
        path = self.job.fetched(part_files(self.record, q)["ends"])
        return np.fromfile(path, np.int32, stop - start, offset=4 * start)


_SITES: dict[str, Site] = {}
"""The runs that this worker has in its cache."""


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
    place = open_place(os.environ.get(WORKDIR) or workdir, name, copies)
    if not place.marked(token(run)):
        raise JobError(
            f"{place.shown}: the worker on {socket.gethostname()} does not see the files of the "
            "job; the directory must be shared, the worker must run as the user of the driver, and "
            f"where the path is another one, its environment variable {WORKDIR} must name it"
        )
    place.begin()
    job = Job(place.directory, {}, place)
    weakref.finalize(job, place.close)
    return job


def forget(run: str, homes: dict[int, str] | None = None) -> list[str]:
    """Remove a run from the cache, or those of its partitions that are on other workers now.

    Return the files of the run that this worker knows. The driver may not know all of them, because
    the cluster may carry out an order twice and report it once.
    """
    site = _SITES.get(run)
    if site is None:
        return []
    if homes is None:
        return _SITES.pop(run).job.leave()
    address = worker_address()
    for q in [q for q in site.held if homes.get(q) != address]:
        site.forget(q)
    return []


def describe(run: str, workdir: str, name: str, dask_worker: Any = None) -> tuple[str, bool, int]:
    """The version of this worker, whether it sees the files of a job, and its memory or 0.

    >>> describe("1f", ".", "no-such-job")[1:]
    (False, 0)
    """
    place = open_place(os.environ.get(WORKDIR) or workdir, name)
    manager = getattr(dask_worker, "memory_manager", None)
    limit = int(getattr(manager, "memory_limit", None) or 0)
    return __version__, place.marked(token(run)), limit


def _local_directory() -> Path:
    """A directory of this machine; that of a worker is removed with it, also if it is killed."""
    try:
        from distributed import get_worker

        return Path(get_worker().local_directory)
    except (ImportError, ValueError):
        return Path(tempfile.gettempdir())


def worker_address() -> str:
    """The address of this worker; empty outside a cluster."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return ""


def _site_of(order: Order) -> Site:
    site = _SITES.get(order.run)
    if site is None:
        for run, other in list(_SITES.items()):
            if not other.job.place.marked(other.token):  # its driver has ended
                _SITES.pop(run, None)
                other.job.place.close()
        site = _SITES.setdefault(order.run, Site(order))
    return site


def perform(order: Order) -> Outcome:
    """Carry out an order; called by the cluster."""
    site, address = _site_of(order), worker_address()
    # A partition is out of the cache while it changes. After an error it is not put back.
    held = site.held.pop(order.partition, None)
    if held is not None and order.step is not None and held.number == order.number + 1:
        site.held[order.partition] = held
        if held.outcome is not None:
            return held.outcome  # the cluster lost the outcome of this step, and asks again
    fits = held is not None and (
        held.number == order.number or (order.again is not None and held.number > order.number)
    )
    if not fits and order.past is None:
        return Outcome(address, missing=True)
    buffers = site.take_buffers(order.capacity)
    try:
        if held is None or not fits:
            assert order.past is not None
            partition = site.rebuild(order, order.past, buffers)
            held = _Held(order.number, partition, None)
        held = _carry_out(order, site, held, buffers, address)
    except LostParcel:
        site.give_back(buffers)
        steps = () if order.past is None else order.past.steps
        steps = steps if order.step is None else (*steps, order.step)
        inboxes = (parcel for step in steps for parcel in step.inbox)
        size = site.division.count(order.partition) << site.terms.shift
        return Outcome(address, missing=True, lost=parcels.lost(site.job, inboxes, size))
    site.give_back(buffers)
    site.held[order.partition] = held._replace(outcome=held.outcome if order.step else None)
    assert held.outcome is not None
    return held.outcome


def _carry_out(order: Order, site: Site, held: _Held, buffers: Buffers, address: str) -> _Held:
    """Do what the order says with a partition that is as it expects."""
    q, partition = order.partition, held.partition
    if order.snapshot is not None:
        unique = uuid4().hex[:12]
        states = {
            key: site.job.write(
                f"state-{q}-{order.snapshot}-{unique}.{key}", pieces_of(array), array.nbytes
            )
            for key, array in (
                ("status", partition.share.status),
                ("level", partition.share.level),
            )
        }
        return held._replace(outcome=Outcome(address, states=states))
    before, buffers.written, buffers.sent = _settled(partition), 0, 0
    repair = order.again is not None and order.again[2] is not None
    room = parcels.REPAIRED if repair else parcels.INLINE
    with Outgoing(site.job, f"mail-{q}-{order.number}", room) as outgoing:
        if order.again is not None:
            phase, depth, to = order.again
            wave = site.terms.wave(phase)
            receivers = partition.messages_again(wave, depth, outgoing.send, buffers, to)
            report = Report(q, depth, partition.waiting, tuple(sorted(receivers)))
            settled = int(np.count_nonzero(partition.share.status < 0))
        else:
            assert order.step is not None
            report = site.take_step(partition, order.step, outgoing.send, buffers)
            phase, settled = order.step.task.phase, _settled(partition) - before
        outcome = Outcome(
            address,
            report=report,
            parcels=outgoing.close(q, phase, report.depth),
            settled=settled,
            messages=(buffers.written, buffers.sent),
            copied=site.job.place.copied(),
        )
    return _Held(held.number + (order.step is not None), partition, outcome)


def _settled(partition: Partition) -> int:
    return int(partition.cursor[LEFT_TAIL] + partition.cursor[RIGHT_TAIL])
