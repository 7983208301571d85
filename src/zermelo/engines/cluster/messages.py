"""Messages between machines: small ones travel with the reports, the others in files.

The messages of one step are records of :mod:`zermelo.engines.partitions.messages`. While they are
few, they are returned with the report of the step. As soon as they are more, all of them go to a
file of the job, in its directory or at its URL. Its name is used once only, so a step that is run
twice overwrites nothing.
"""

from collections.abc import Iterator
from io import RawIOBase
from typing import NamedTuple, Self
from uuid import uuid4

from zermelo.engines.jobs.job import Job, write_all

MAX_INLINE_BYTES = 1 << 16
"""The largest number of bytes of messages of one step that travel with its report."""

MAX_REPAIRED_BYTES = 1 << 24
"""The same for messages that were lost in a file before."""


class PackedMessages(NamedTuple):
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
        """Which messages these are; there is one such value in a run."""
        return self[:4]

    @property
    def size(self) -> int:
        """The number of bytes of its records."""
        return sum(map(len, self.content)) + sum(length for _, length in self.records)

    def read(self, job: Job) -> Iterator[bytes]:
        """The records, as they were sent; a file that is lost raises an OSError."""
        yield from self.content
        if self.file:
            with job.open(self.file) as file:
                for offset, length in self.records:
                    file.seek(offset)
                    yield file.read(length)


class LostMessages(Exception):
    """Messages to a partition cannot be read."""


class Outbox:
    """Collects the messages of one step; more than ``limit`` bytes go to a file.

    ``name`` begins the name of the file.

    >>> from pathlib import Path
    >>> job = Job(Path("."), {})
    >>> outbox = Outbox(job, "messages", 100)
    >>> outbox.send(2, b"seven")
    >>> [list(messages.read(job)) for messages in outbox.close(0, 0, 4)]
    [[b'seven']]
    """

    def __init__(self, job: Job, name: str, limit: int) -> None:
        self.job, self.limit, self.size = job, limit, 0
        self.name = f"{name}-{uuid4().hex[:12]}.log"
        self._held: dict[int, list[bytes]] = {}
        self._stored: dict[int, list[tuple[int, int]]] = {}
        self._file: RawIOBase | None = None
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def send(self, receiver: int, record: bytes) -> None:
        """Keep a record for another partition."""
        self.size += len(record)
        if self.size <= self.limit:
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
            write_all(self._file, record)
        self._stored.setdefault(receiver, []).append((self._end, len(record)))
        self._end += len(record)

    def close(self, source: int, phase: int, depth: int) -> tuple[PackedMessages, ...]:
        """End the file, and return the messages to each receiver."""
        if self._file is not None:
            with self.job.writing(self.job.path(self.name)):
                self._file.close()
            self.job.publish(self.name)
        return tuple(
            PackedMessages(source, q, phase, depth, tuple(records), "", ())
            for q, records in self._held.items()
        ) + tuple(
            PackedMessages(source, q, phase, depth, (), self.name, tuple(records))
            for q, records in self._stored.items()
        )
