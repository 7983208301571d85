"""The directory of a job: everything that the program needs to go on after it was ended.

A directory has a lock, the files of all partitions, a manifest that says what the job is and which
files were prepared, and a journal that names the last snapshot. A file that has to outlive the
process is written under another name and renamed. Its size and checksum stand in the manifest or in
the journal, which is written when the files that it names are on the disk. All other files are
scratch.
"""

import contextlib
import json
import os
import shutil
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from zermelo._runtime.locks import lock_directory, sync_directory
from zermelo.errors import JobError
from zermelo.labels import AnyArray
from zermelo.tables._disk import writing

MANIFEST, JOURNAL = "manifest.json", "journal.json"

EXPLORED = "explored.json"
"""What was found before the moves are known, for a game given by rules."""

TIERS = "tiers.json"
"""Which tiers a game given by rules has, and the results of those that are solved."""

PIECE = 1 << 20
"""Bytes that are read or written at a time."""

SHORT_SECONDS = 5.0
"""A job that has lasted no longer does not wait for the disk, and is not kept if it fails."""

Seal = tuple[str, int, int]
"""The name of a file, its size, and its checksum."""


class Job:
    """The directory of a job; in a ``with`` statement, only this process may use it.

    ``identity`` says what the job is: the graph, the payoffs, the partitions, and the version.
    """

    def __init__(self, directory: Path, identity: dict[str, Any]) -> None:
        self.directory, self.identity = directory, identity
        self.unsynced: list[str] = []
        self._lock: int | None = None
        self._resumed = False
        self._begun = time.monotonic()

    def __enter__(self) -> Self:
        self._lock = lock_directory(self.directory)
        if self._lock is None:
            raise JobError(
                f"{self.directory}: another process is running this job; wait for its end, or "
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
        if kind is None or not self._worth_keeping():
            self.clear()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _worth_keeping(self) -> bool:
        """Whether the same call could go on, and would save more than a moment."""
        if self._resumed or self.path(JOURNAL).exists():
            return True
        return self._begun_before() and self._age() > SHORT_SECONDS

    def _begun_before(self) -> bool:
        return any(self.path(name).exists() for name in (MANIFEST, EXPLORED, TIERS))

    def _age(self) -> float:
        return time.monotonic() - self._begun

    def clear(self) -> None:
        """Remove the directory; the journal and the manifest first."""
        for name in (JOURNAL, MANIFEST, TIERS, EXPLORED):
            with contextlib.suppress(FileNotFoundError):
                (self.directory / name).unlink()
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, name: str) -> Path:
        """The path of one of its files."""
        return self.directory / name

    # ---------------------------------------------------------------- files

    def write(self, name: str, pieces: Iterable[Any], size: int = 0) -> Seal:
        """Write a file completely or not at all; ``size`` is what the disk needs, if known."""
        with self.writing(self.path(f"{name}.new"), size):
            file = Writer(self, name)
            for piece in pieces:
                file.add(piece)
            return file.close()

    def writing(self, path: Path, size: int = 0) -> contextlib.AbstractContextManager[None]:
        """Write scratch files; a full disk becomes one sentence."""
        return writing(path, self.directory, "a file of the job", size)

    def pieces(self, seal: Seal) -> Iterator[bytes]:
        """The content of a file; one that was lost or changed raises a :class:`JobError`."""
        name, size, checksum = seal
        found, length = 0, 0
        try:
            with self.path(name).open("rb") as file:
                while piece := file.read(PIECE):
                    found = zlib.crc32(piece, found)
                    length += len(piece)
                    yield piece
        except FileNotFoundError:
            raise self.damaged(name, "is missing") from None
        if (length, found) != (size, checksum):
            raise self.damaged(name, "is damaged")

    def check(self, seal: Seal) -> None:
        """Read a file once, and refuse it if it was lost or changed."""
        for _ in self.pieces(seal):
            pass

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
            f"{self.directory}: the file {name} of this job {problem}; remove the directory to "
            "begin again"
        )

    # ---------------------------------------------------------------- records

    def save(self, name: str, record: dict[str, Any]) -> None:
        """Write the manifest or the journal; it has a checksum in itself.

        Before it, all files that it names are on the disk. A short job does not wait for that: its
        files survive the process, and a computer that loses its power loses only a moment's work.
        """
        text = json.dumps(record, default=_plain, sort_keys=True)
        fresh = self.path(f"{name}.new")
        with self.writing(fresh), fresh.open("wb") as file:
            file.write(f"{zlib.crc32(text.encode()):08x}\n{text}\n".encode())
            if self._age() > SHORT_SECONDS:
                self._sync()
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(self.path(name))

    def _sync(self) -> None:
        """Wait until the files that were written are on the disk."""
        for name in self.unsynced:
            with contextlib.suppress(FileNotFoundError), self.path(name).open("rb") as file:
                os.fsync(file.fileno())
        self.unsynced.clear()
        sync_directory(self.directory)

    def load(self, name: str) -> dict[str, Any] | None:
        """The manifest or the journal, None if there is none."""
        try:
            text = self.path(name).read_bytes().decode(errors="replace")
        except FileNotFoundError:
            return None
        body = text[9:].removesuffix("\n")
        if text != f"{zlib.crc32(body.encode()):08x}\n{body}\n":
            raise self.damaged(name, "is damaged")
        record: dict[str, Any] = json.loads(body)
        return record

    def manifest(self) -> dict[str, Any] | None:
        """The manifest, None if nothing was prepared; that of another job is refused."""
        return self.record(MANIFEST)

    def record(self, name: str) -> dict[str, Any] | None:
        """The content of a file that names what the job is; that of another job is refused."""
        record = self.load(name)
        if record is not None and record["identity"] != json.loads(
            json.dumps(self.identity, default=_plain)
        ):
            raise JobError(
                f"{self.directory}: this job was begun with another game, other options or another "
                "version; remove the directory to begin again, or choose another one (workdir)"
            )
        return record


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
            at = 0
            with self.job.writing(self._fresh):
                while at < len(view):
                    at += self._file.write(view[at:]) or 0
            self._size += len(view)

    def close(self) -> Seal:
        """Give the file its name."""
        with self.job.writing(self._fresh):
            self._file.close()
        self._fresh.replace(self.job.path(self.name))
        self.job.unsynced.append(self.name)
        return self.name, self._size, self._checksum


def seal_of(stored: Any) -> Seal:
    """The seal of a file from a record."""
    name, size, checksum = stored
    return str(name), int(size), int(checksum)


def pieces_of(array: AnyArray) -> Iterator[memoryview]:
    """The bytes of an array in pieces."""
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for k in range(0, flat.size, PIECE):
        yield flat[k : k + PIECE].data


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
