"""The directory of a job: everything that the program needs to go on after it was ended.

A directory belongs to the user alone. It has a lock, the files of all partitions, a manifest that
says which files were prepared, and a journal that names the last snapshot. These and all other
*records* carry the identity of the job, so that one of another job is refused. A file that has to
outlive the process is written under another name and renamed. Its size and checksum stand in the
manifest or in the journal, which is written when the files that it names are on the disk. All other
files are scratch. If the job is at a URL (:mod:`zermelo.engines.jobs.remote`), the
directory is that of this process, and files that others need are sent to the URL.
"""

import contextlib
import json
import os
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedIOBase, RawIOBase
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from zermelo.engines.jobs.directory import Directory, Tick
from zermelo.engines.jobs.records import (
    JOURNAL,
    SHAPES,
    Malformed,
    Seal,
    check_shape,
    is_name,
    text_of,
)
from zermelo.errors import EngineWarning, JobError, StoreError
from zermelo.labels import AnyArray
from zermelo.tables.building.disk_errors import writing

PIECE_BYTES, REMOTE_PIECE_BYTES = 1 << 20, 1 << 23
"""Bytes that are read or written at a time, here and at a URL."""

SHORT_SECONDS = 5.0
"""A job that has lasted no longer does not wait for the disk, and is not kept if it fails."""


class Job:
    """The directory of a job; in a ``with`` statement, only this process may use it.

    ``identity`` says what the job is: the graph, the payoffs, the partitions, and the version.
    ``location`` is where other processes find its files, by default in the same directory.
    """

    def __init__(
        self,
        directory: Path,
        identity: dict[str, Any],
        location: Directory | None = None,
        tick: Tick = None,
    ) -> None:
        self.directory, self.identity, self.tick = directory, identity, tick
        self.location = Directory(directory) if location is None else location
        self.unsynced: list[str] = []
        self._turns: dict[str, int] = {}
        self._resumed = self._cleared = False
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        if not self.location.lock(self.tick):
            raise JobError(
                f"{self.shown}: another process is running this job; wait for its end, or "
                "choose another directory (workdir)"
            )
        self._resumed = self._begun_before()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, StoreError):
            self.location.doubt()
        try:
            # A directory that was removed may be there again, for the job of another process.
            if not self._cleared and (kind is None or not self._worth_keeping()):
                self.clear()
        except StoreError as failure:
            if kind is None:  # else there is an error to tell already
                warnings.warn(
                    f"files of the job were not removed: {failure}", EngineWarning, stacklevel=3
                )
        finally:
            self.location.unlock()

    @property
    def shown(self) -> str:
        """Where the job is, for messages."""
        return self.location.shown

    def _worth_keeping(self) -> bool:
        """Whether the same call could go on, and would save more than a moment."""
        if self._resumed or self.location.contents(JOURNAL):
            return True
        return self._begun_before() and self._age() > SHORT_SECONDS

    def _begun_before(self) -> bool:
        return any(self.location.contents(name) for name in SHAPES if name != JOURNAL)

    def _age(self) -> float:
        return time.monotonic() - self._begun

    def clear(self) -> None:
        """Remove the directory; the records first."""
        self._cleared = True
        self.location.clear(SHAPES)

    def leave(self) -> list[str]:
        """Remove the files of a worker of the job; return the published ones that it knows."""
        self.location.close()
        return self.location.known()

    def path(self, name: str) -> Path:
        """The path of a file on this machine: of scratch, or of a file that was fetched."""
        return self.directory / name

    # ---------------------------------------------------------------- files

    def write(self, name: str, pieces: Iterable[Any], size: int = 0) -> Seal:
        """Write a file completely or not at all; ``size`` is what the disk needs, if known."""
        with self.writing(self.path(f"{name}.new"), size):
            file = Writer(self, name)
            for piece in pieces:
                file.add(piece)
            return file.close(keep=False)

    def writing(self, path: Path, size: int = 0) -> contextlib.AbstractContextManager[None]:
        """Write scratch files; a full disk becomes one sentence."""
        return writing(path, self.shown, "a file of the job", size)

    def pieces(self, seal: Seal) -> Iterator[bytes]:
        """The content of a file; one that was lost or changed raises a :class:`JobError`."""
        name, size, checksum = seal
        found, length = 0, 0
        block = PIECE_BYTES if self.path(name).exists() else REMOTE_PIECE_BYTES
        try:
            with self.location.open(name) as file:
                while length < size and (piece := file.read(min(block, size + 1 - length))):
                    found = zlib.crc32(piece, found)
                    length += len(piece)
                    yield piece
        except FileNotFoundError:
            raise self.damaged(name, "is missing") from None
        if (length, found) != (size, checksum):
            raise self.damaged(name, "is damaged")

    def check(self, seal: Seal) -> None:
        """Read a file once, and refuse it if it was lost or changed; then it has a path here."""
        try:
            sound = self._sound(seal, self.location.fetch(seal[0]))
            if not sound and not self._sound(seal, self.location.fetch(seal[0], again=True)):
                raise self.damaged(seal[0], "is damaged")
        except FileNotFoundError:
            raise self.damaged(seal[0], "is missing") from None

    def _sound(self, seal: Seal, path: Path) -> bool:
        """Whether a file of this machine is what was written."""
        found, length = 0, 0
        with path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                found, length = zlib.crc32(piece, found), length + len(piece)
        return (length, found) == seal[1:]

    def fetched(self, seal: Seal) -> Path:
        """The path of a file on this machine; a copy that has to be made first is checked."""
        path = self.path(seal[0])
        if not path.exists():
            self.check(seal)
        return path

    def open(self, name: str) -> BufferedIOBase:
        """A file that was published, to be read in parts."""
        return self.location.open(name)

    def publish(self, name: str) -> None:
        """Let other processes read a file that is complete; it is not needed here."""
        with self.writing(self.path(name)):
            self.location.publish(name, keep=False)

    def adopt(self, names: Iterable[str]) -> None:
        """Files that workers wrote belong to the job."""
        adopted = list(names)
        self.unsynced.extend(adopted)
        self.location.know(adopted)

    def copy(self, seal: Seal, name: str) -> None:
        """Copy a file to a scratch file; the blocks of the copy are its own."""
        path = self.path(name)
        with self.writing(path, seal[1]), path.open("wb") as file:
            for piece in self.pieces(seal):
                file.write(piece)

    def reserve(self, name: str, size: int) -> None:
        """Make a scratch file; a map of it never meets a full disk."""
        path = self.path(name)
        with self.writing(path, size), path.open("wb") as file:
            if size and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            elif size:
                file.write(b"\0" * size)

    def damaged(self, name: str, problem: str) -> JobError:
        """The error of a file that is not what was written."""
        return JobError(
            f"{self.shown}: the file {name} of this job {problem}; remove the directory to "
            "begin again"
        )

    # ---------------------------------------------------------------- records

    def save(self, name: str, record: dict[str, Any]) -> None:
        """Write a record with the identity of the job; it has a checksum in itself.

        Before it, all files that it names are on the disk. A short job does not wait for that: its
        files survive the process, and a computer that loses its power loses only a moment's work.
        """
        if name not in self._turns:
            self.load(name)
        turn = self._turns.get(name, 0) + 1
        text = text_of({**record, "identity": self.identity, "turn": turn})
        sync = self._age() > SHORT_SECONDS
        with self.writing(self.path(f"{name}.new")):
            if sync:
                self.location.sync(self.unsynced)
                self.unsynced.clear()
            content = f"{zlib.crc32(text.encode()):08x}\n{text}\n".encode()
            self.location.replace(name, turn, content, sync=sync)
        self._turns[name] = turn

    def load(self, name: str) -> dict[str, Any] | None:
        """A record of any job as it was written, None if there is none."""
        contents = self.location.contents(name)
        records = [record for record in map(_record_of, contents) if record is not None]
        if contents and not records:
            raise self.damaged(name, "is damaged")
        if not records:
            return None
        record = max(records, key=lambda record: int(record["turn"]))
        self._turns[name] = record.pop("turn")
        self.location.know(_names_in(record))
        return record

    def record(self, name: str) -> dict[str, Any] | None:
        """A record of this job, whose shape is right; that of another job is refused."""
        record = self.load(name)
        if record is None:
            return None
        if record.pop("identity") != json.loads(text_of(self.identity)):
            raise JobError(
                f"{self.shown}: this job was begun with another game, other options or another "
                "version; remove the directory to begin again, or choose another one (workdir)"
            )
        with self.reading(name):
            check_shape(record, SHAPES[name])
        return record

    @contextlib.contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Look at a record or a file; what a job has not written becomes one sentence."""
        try:
            yield
        except Malformed as problem:
            raise self.damaged(name, f"is damaged ({problem})") from None


class Writer:
    """A file of a job that is written bit by bit and has its name only when it is complete."""

    def __init__(self, job: Job, name: str) -> None:
        self.job, self.name = job, name
        self._fresh = job.path(f"{name}.new")
        with job.writing(self._fresh):
            self._file = self._fresh.open("wb", buffering=0)
        self._size = self._checksum = 0

    def add(self, piece: Any) -> None:
        """Append the bytes of an array or of anything that has a buffer."""
        array = np.frombuffer(piece, np.uint8) if not isinstance(piece, np.ndarray) else piece
        for view in pieces_of(array):
            self._checksum = zlib.crc32(view, self._checksum)
            with self.job.writing(self._fresh):
                write_all(self._file, view)
            self._size += len(view)

    def close(self, *, keep: bool = True) -> Seal:
        """Give the file its name, and publish it; it has a path on this machine if ``keep``."""
        with self.job.writing(self._fresh):
            self._file.close()
        path = self.job.path(self.name)
        self._fresh.replace(path)
        with self.job.writing(path):
            self.job.location.publish(self.name, keep=keep)
        self.job.unsynced.append(self.name)
        return self.name, self._size, self._checksum


def write_all(file: RawIOBase, content: bytes | memoryview) -> None:
    """Write bytes to a file without a buffer; a full disk is an error at once."""
    at = 0
    while at < len(content):
        at += file.write(content[at:]) or 0


def pieces_of(array: AnyArray) -> Iterator[memoryview]:
    """The bytes of an array in pieces."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for k in range(0, flat.size, PIECE_BYTES):
        yield flat[k : k + PIECE_BYTES].data


def _record_of(content: bytes) -> dict[str, Any] | None:
    """The record in a file, None if the file is damaged."""
    text = content.decode(errors="replace")
    body = text[9:].removesuffix("\n")
    if text != f"{zlib.crc32(body.encode()):08x}\n{body}\n":
        return None
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or type(record.get("turn")) is not int:
        return None
    return record if isinstance(record.get("identity"), dict) else None


def _names_in(value: Any) -> Iterator[str]:
    """The names of all files that a record has seals of.

    >>> list(_names_in({"states": {"0": {"level": ["state-0.level", 3, 99]}}}))
    ['state-0.level']
    """
    pending = [value]  # no recursion: a damaged record may be nested too deeply for that
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            if len(value) == 3 and [type(inner) for inner in value] == [str, int, int]:
                yield from filter(is_name, value[:1])
            else:
                pending.extend(value)
