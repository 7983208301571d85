"""Messages on one machine: in memory while they fit there, else in a file for each receiver."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from zermelo.engines.jobs.job import Job
from zermelo.engines.partitions.messages import (
    MESSAGE_BYTES,
    RECORD_OVERHEAD,
    Batch,
    DamagedRecord,
    pack,
    unpack,
)

Recover = Callable[[int, int, Callable[[int, Batch], object]], object]
"""Called with a source, a receiver and a function that takes the batches, which it sends again."""

MAX_DECODED_BYTES = 1 << 23
"""The largest size of the records of one source that are read only once."""


class _Record(NamedTuple):
    """Where the record of a batch is."""

    source: int
    offset: int
    length: int


class MessageQueue:
    """Batches of the present layer, and those that are sent for the next one.

    Batches stay in memory up to ``limit`` bytes. ``recover`` sends batches again that were lost.
    """

    def __init__(self, job: Job, limit: int, recover: Recover) -> None:
        self.job, self.limit, self.recover = job, limit, recover
        self.held = self.spilled = self.recovered = 0
        self._layer = 0
        self._now: dict[int, list[Batch | _Record]] = {}
        self._next: dict[int, list[Batch | _Record]] = {}
        self._files: dict[int, BinaryIO] = {}

    def send(self, receiver: int, batch: Batch) -> None:
        """Keep a batch for the next layer."""
        kept: Batch | _Record = batch
        if self.held + _size(batch) > self.limit:
            kept = self._spill(receiver, batch)
        else:
            self.held += _size(batch)
        self._next.setdefault(receiver, []).append(kept)

    def _path(self, layer: int, receiver: int) -> Path:
        return self.job.path(f"messages-{layer}-{receiver}.log")

    def _spill(self, receiver: int, batch: Batch) -> _Record:
        path, record = self._path(self._layer + 1, receiver), pack(batch)
        with self.job.writing(path):
            if receiver not in self._files:
                self._files[receiver] = path.open("wb")
            offset = self._files[receiver].tell()
            self._files[receiver].write(record)
        self.spilled += len(record)
        return _Record(batch.source, offset, len(record))

    def end_layer(self) -> None:
        """End a layer: what was sent can be read now."""
        for receiver, file in self._files.items():
            with self.job.writing(self._path(self._layer + 1, receiver)), file:
                file.flush()
        self._files.clear()
        self._layer += 1
        self._now, self._next = self._next, {}

    def close(self) -> None:
        """Close files that are still being written."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def take(self, receiver: int) -> Iterator[Batch]:
        """The batches for a partition; a record that was lost or changed is sent again."""
        sources: dict[int, tuple[list[Batch], list[_Record]]] = {}
        for kept in self._now.pop(receiver, []):
            held, stored = sources.setdefault(kept.source, ([], []))
            if isinstance(kept, Batch):
                self.held -= _size(kept)
                held.append(kept)
            else:
                stored.append(kept)
        for source, (held, stored) in sources.items():
            yield from self._read(receiver, source, held, stored) if stored else held
        if any(stored for _, stored in sources.values()):
            self._path(self._layer, receiver).unlink(missing_ok=True)

    def _read(
        self, receiver: int, source: int, held: list[Batch], stored: list[_Record]
    ) -> Iterator[Batch]:
        """All batches of one source: as they were written, or all of them again.

        A record that is damaged must be noticed before any batch of its source is used. So records
        that are too large to be kept in memory are read twice.
        """
        path = self._path(self._layer, receiver)
        small = sum(record.length for record in stored) <= MAX_DECODED_BYTES
        for batch in _batches(path, stored):
            if batch is None:
                self.recovered += 1
                held.clear()
                self.recover(source, receiver, lambda _, again: held.append(again))
                yield from held
                return
            if small:
                held.append(batch)
        yield from held
        for batch in () if small else _batches(path, stored):
            if batch is None:  # it was sound a moment ago
                raise self.job.damaged(path.name, "was changed while it was read")
            yield batch


def _size(batch: Batch) -> int:
    """The bytes that a batch takes."""
    return MESSAGE_BYTES * batch.targets.size + RECORD_OVERHEAD


def _batches(path: Path, stored: list[_Record]) -> Iterator[Batch | None]:
    """The batches of some records of a file; None at the first that is lost or damaged."""
    try:
        with path.open("rb") as file:
            for record in stored:
                file.seek(record.offset)
                batch = unpack(file.read(record.length))
                yield batch if batch.source == record.source else None
    except (FileNotFoundError, DamagedRecord):
        yield None
