"""Messages between machines: small ones travel with the reports, the others in files.

The messages of one step are records of :mod:`zermelo.engines.partitions.messages`. While they are
few, they are returned with the report of the step. As soon as they are more, all of them go to a
file of the job, in its directory or at its URL. Its name is used once only, so a step that is run
twice overwrites nothing.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple, Self
from uuid import uuid4

from zermelo.engines.partitions.job import Job
from zermelo.engines.partitions.messages import Batch, DamagedRecord, pack, unpack
from zermelo.errors import StoreError
from zermelo.labels import Int32Array

INLINE = 1 << 16
"""Bytes of messages of one step that travel with its report."""

REPAIRED = 1 << 24
"""Bytes of messages that travel with a report if they were lost in a file before."""


class Parcel(NamedTuple):
    """The messages of one partition to another at one distance of a phase."""

    source: int
    receiver: int
    phase: int
    depth: int
    content: tuple[bytes, ...]
    """The records, if they travel with the report."""
    file: str
    """The file of the records; empty if they are in ``content``."""
    records: tuple[tuple[int, int], ...]
    """Where each record begins in the file, and its length."""

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What the parcel is; there is one such parcel in a run."""
        return self[:4]

    @property
    def size(self) -> int:
        """The number of bytes of its records."""
        return sum(map(len, self.content)) + sum(length for _, length in self.records)


class LostParcel(Exception):
    """A parcel cannot be read."""


class Outgoing:
    """Collects the messages of one step; more than ``room`` bytes go to a file.

    ``name`` begins the name of the file.

    >>> import numpy as np
    >>> from pathlib import Path
    >>> outgoing = Outgoing(Job(Path("."), {}), "mail", 100)
    >>> outgoing.send(2, Batch(0, 1, np.array([7, 5], np.int32), np.array([1, 3], np.uint8)))
    >>> parcels = outgoing.close(0, 0, 4)
    >>> [batch.targets.tolist() for batch in read(Job(Path("."), {}), parcels, 8)]
    [[7, 5]]
    """

    def __init__(self, job: Job, name: str, room: int) -> None:
        self.job, self.room, self.size = job, room, 0
        self.name = f"{name}-{uuid4().hex[:12]}.log"
        self._held: dict[int, list[bytes]] = {}
        self._stored: dict[int, list[tuple[int, int]]] = {}
        self._file: BinaryIO | None = None
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def send(self, receiver: int, batch: Batch) -> None:
        """Keep a batch for another partition."""
        self.send_record(receiver, pack(batch))

    def send_record(self, receiver: int, record: bytes) -> None:
        """Keep a record of any kind for another partition."""
        self.size += len(record)
        if self.size <= self.room:
            self._held.setdefault(receiver, []).append(record)
            return
        for other, records in self._held.items():
            for kept in records:
                self._store(other, kept)
        self._held.clear()
        self._store(receiver, record)

    def _store(self, receiver: int, record: bytes) -> None:
        path = self.job.path(self.name)
        with self.job.writing(path):
            if self._file is None:
                self._file = path.open("wb", buffering=0)
            at = 0
            while at < len(record):
                at += self._file.write(record[at:]) or 0
        self._stored.setdefault(receiver, []).append((self._end, len(record)))
        self._end += len(record)

    def close(self, source: int, phase: int, depth: int) -> tuple[Parcel, ...]:
        """End the file, and return one parcel for each receiver."""
        if self._file is not None:
            with self.job.writing(self.job.path(self.name)):
                self._file.close()
            self.job.publish(self.name)
        return tuple(
            Parcel(source, q, phase, depth, tuple(records), "", ())
            for q, records in self._held.items()
        ) + tuple(
            Parcel(source, q, phase, depth, (), self.name, tuple(places))
            for q, places in self._stored.items()
        )


def read(job: Job, parcels: Iterable[Parcel], size: int) -> Iterator[Batch]:
    """The batches of some parcels; raise :class:`LostParcel` at one that is lost or damaged.

    ``size`` is the number of situations of the partition that gets them.

    Batches that were read before that may have been used; the caller must forget their effect.
    """
    for parcel in parcels:
        try:
            yield from _batches(job, parcel, size)
        except StoreError:
            raise  # messages that are sent again cannot be read either
        except (OSError, DamagedRecord):
            raise LostParcel from None


def lost(job: Job, parcels: Iterable[Parcel], size: int) -> tuple[Parcel, ...]:
    """Those of the parcels that cannot be read."""
    return tuple(parcel for parcel in parcels if not _sound(job, parcel, size))


def records(job: Job, parcel: Parcel) -> Iterator[bytes]:
    """The records of a parcel, as they were sent; a file that is lost raises an OSError."""
    yield from parcel.content
    if not parcel.file:
        return
    with job.open(parcel.file) as file:
        for offset, length in parcel.records:
            file.seek(offset)
            yield file.read(length)


def _batches(job: Job, parcel: Parcel, size: int) -> Iterator[Batch]:
    for record in records(job, parcel):
        batch = unpack(record)
        if batch.source != parcel.source:
            raise DamagedRecord("the record has another source")
        if batch.side not in (0, 1) or not _inside(batch.targets, size):
            raise DamagedRecord("the record has messages to nobody")
        yield batch


def _inside(targets: Int32Array, size: int) -> bool:
    return not targets.size or bool(0 <= targets.min() <= targets.max() < size)


def _sound(job: Job, parcel: Parcel, size: int) -> bool:
    try:
        return all(True for _ in _batches(job, parcel, size))
    except StoreError:
        raise
    except (OSError, DamagedRecord):
        return False
