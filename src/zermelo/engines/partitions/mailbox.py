"""Messages on one machine: in memory while they fit there, else in a file for each receiver."""

import contextlib
from collections.abc import Callable, Iterator
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

KEPT = 1 << 23
"""Bytes of records of one source that are read at once."""


class _Record(NamedTuple):
    """Where the record of a batch is."""

    source: int
    offset: int
    length: int


class Mail:
    """Batches of the present layer, and those that are sent for the next one."""

    def __init__(self, job: Job, room: int, recover: Recover) -> None:
        self.job, self.room, self.recover = job, room, recover
        self.held = self.spilled = self.recovered = 0
        self._turn = 0
        self._now: dict[int, list[Batch | _Record]] = {}
        self._next: dict[int, list[Batch | _Record]] = {}
        self._files: dict[int, BinaryIO] = {}

    def send(self, receiver: int, batch: Batch) -> None:
        """Keep a batch for the next layer."""
        size = MESSAGE_BYTES * batch.targets.size + RECORD_OVERHEAD
        kept: Batch | _Record = batch
        if self.held + size > self.room:
            kept = self._spill(receiver, batch)
        else:
            self.held += size
        self._next.setdefault(receiver, []).append(kept)

    def _name(self, turn: int, receiver: int) -> str:
        return f"messages-{turn}-{receiver}.log"

    def _spill(self, receiver: int, batch: Batch) -> _Record:
        path = self.job.path(self._name(self._turn + 1, receiver))
        with self.job.writing(path):
            file = self._files.get(receiver)
            if file is None:
                file = self._files[receiver] = path.open("wb")
            record = pack(batch)
            offset = file.tell()
            file.write(record)
        self.spilled += len(record)
        return _Record(batch.source, offset, len(record))

    def turn(self) -> None:
        """End a layer: what was sent can be read now."""
        for receiver, file in self._files.items():
            with self.job.writing(self.job.path(self._name(self._turn + 1, receiver))), file:
                file.flush()
        self._files.clear()
        self._turn += 1
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
                self.held -= MESSAGE_BYTES * kept.targets.size + RECORD_OVERHEAD
                held.append(kept)
            else:
                stored.append(kept)
        for source, (held, stored) in sources.items():
            if stored:
                yield from self._read(receiver, source, held, stored)
            else:
                yield from held
        if any(stored for _, stored in sources.values()):
            with contextlib.suppress(FileNotFoundError):
                self.job.path(self._name(self._turn, receiver)).unlink()

    def _read(
        self, receiver: int, source: int, held: list[Batch], stored: list[_Record]
    ) -> Iterator[Batch]:
        """All batches of one source: as they were written, or all of them again."""
        path = self.job.path(self._name(self._turn, receiver))
        small = sum(record.length for record in stored) <= KEPT
        try:
            with path.open("rb") as file:
                for record in stored:
                    batch = _batch_at(file, record)
                    if small:
                        held.append(batch)
        except (FileNotFoundError, DamagedRecord):
            self.recovered += 1
            held.clear()
            self.recover(source, receiver, lambda _, batch: held.append(batch))
            yield from held
            return
        yield from held
        if not small:
            with path.open("rb") as file:
                try:
                    yield from (_batch_at(file, record) for record in stored)
                except DamagedRecord:  # it was sound a moment ago
                    raise self.job.damaged(path.name, "was changed while it was read") from None


def _batch_at(file: BinaryIO, record: _Record) -> Batch:
    file.seek(record.offset)
    batch = unpack(file.read(record.length))
    if batch.source != record.source:
        raise DamagedRecord("the record has another source")
    return batch
