"""The files of a job at a URL, and the copies that a process of the job has of them.

A record has two files that are written in turn. If a driver is ended while it writes one of them,
the other one is still there, and so are the files that it names. Names of files are known from the
records and from the reports of workers. A list of names, which may be old, is only used to find
what else has to be removed.
"""

import contextlib
import fnmatch
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BufferedIOBase
from pathlib import Path
from uuid import uuid4

from zermelo._runtime.files import is_url
from zermelo._runtime.locks import user_tag
from zermelo._runtime.urls import Remote
from zermelo.engines.jobs.directory import Directory, Tick
from zermelo.engines.jobs.lease import LEASE, Lease
from zermelo.errors import InvalidOptionError, StoreError
from zermelo.tables.building.disk_errors import writing

MAX_PARALLEL_REQUESTS = 8
"""The largest number of files that are removed at a time."""


def open_location(parent: str | Path, name: str, scratch: Path | None = None) -> Directory:
    """The location of a job in a directory or at a URL; copies are in ``scratch``.

    >>> open_location("memory://jobs", "first").shown, open_location(Path("jobs"), "first").shown
    ('memory://jobs/first', 'jobs/first')
    """
    if not is_url(parent):
        return Directory(Path(parent) / name)
    if scratch is None:  # the same job has the same directory, so a killed one leaves no second one
        digest = hashlib.blake2b(str(parent).rstrip("/").encode(), digest_size=6).hexdigest()
        scratch = Path(tempfile.gettempdir()) / f"{name}-{user_tag()}{digest}"
    return RemoteDirectory(str(parent), name, scratch)


class RemoteDirectory(Directory):
    """Files at a URL; ``scratch`` is a directory of this process for copies and scratch files."""

    def __init__(self, parent: str, name: str, scratch: Path) -> None:
        super().__init__(scratch)
        self.parent, self.name = parent.rstrip("/"), name
        self.remote = Remote(f"{self.parent}/{name}")
        self._lease: Lease | None = None
        self._known: set[str] = set()
        self._cleared = False

    @property
    def shown(self) -> str:
        """The URL."""
        return self.remote.url

    # ---------------------------------------------------------------- the lock

    def lock(self, tick: Tick = None) -> bool:
        """Lock the directory on this machine, which refuses most others at once; take the lease."""
        if not super().lock():
            return False
        try:
            for path in self.directory.iterdir():
                if path.name != "lock":
                    path.unlink()  # of a process that was killed
            lease = Lease(self.remote)
            try:
                taken = lease.take(tick)
            except FileNotFoundError:
                raise InvalidOptionError(
                    "workdir: expected the URL of a directory or bucket that exists, got "
                    f"{self.parent!r}"
                ) from None
            self._lease = lease if taken else None
        finally:
            if self._lease is None:
                self.unlock()
        return self._lease is not None

    def unlock(self) -> None:
        """Give the lease back, and remove the scratch files."""
        if self._lease is not None:
            self._lease.release()
            self._lease = None
        if self._cleared:
            self.remote.discard()
        self.close()
        super().unlock()

    def owned(self) -> bool:
        """Whether no other driver has taken the lease."""
        return self._lease is None or self._lease.held()

    # ---------------------------------------------------------------- files

    def publish(self, name: str, *, keep: bool = True) -> None:
        """Send the file to the URL."""
        self._known.add(name)
        self.remote.upload(name, self.directory / name)
        if not keep:
            self.drop(name)

    def fetch(self, name: str, *, again: bool = False) -> Path:
        """A copy of the file."""
        path = self.directory / name
        if path.exists() and not again:
            return path
        self.begin()
        fresh = path.with_name(f"{name}.{uuid4().hex[:8]}.copy")
        try:
            with writing(fresh, self.directory, "a copy of a file of the job"):
                self.remote.download(name, fresh)
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        return path

    def open(self, name: str) -> BufferedIOBase:
        """The copy if there is one, else the file at the URL."""
        path = self.directory / name
        return path.open("rb") if path.exists() else _RemoteFile(self.remote, name)

    def sync(self, names: Iterable[str]) -> None:
        """A file that was sent is safe."""

    def replace(self, name: str, turn: int, content: bytes, *, sync: bool) -> None:
        """Write the older one of the two files of a record."""
        if self._lease is not None:
            self._lease.check()
        self.remote.write(_files_of(name)[turn % 2], content)
        if self._lease is not None:
            self._lease.check()

    def contents(self, name: str) -> list[bytes]:
        """The contents of the two files."""
        found = []
        for file in _files_of(name):
            with contextlib.suppress(FileNotFoundError):
                found.append(self.remote.read(file))
        return found

    def erase(self, name: str) -> None:
        """Remove both files."""
        for file in _files_of(name):
            self.remove(file)

    def mark(self, name: str) -> None:
        """Write a small file."""
        self._known.add(name)
        self.remote.write(name, b"zermelo\n")

    def marked(self, name: str) -> bool:
        """Whether the file can be read."""
        return self.remote.exists(name)

    def remove(self, name: str) -> None:
        """Remove the file and the copy."""
        self.remote.remove(name)
        self.drop(name)
        self._known.discard(name)

    def drop(self, name: str) -> None:
        """Remove the copy."""
        with contextlib.suppress(OSError):
            (self.directory / name).unlink()

    def know(self, names: Iterable[str]) -> None:
        """Remember names."""
        self._known.update(names)

    def known(self) -> list[str]:
        """The names."""
        return sorted(self._known)

    def retain(self, pattern: str, kept: Iterable[str] = ()) -> None:
        """Remove the files that are known or listed."""
        names = self._known | set(self.remote.names())
        unwanted = {*fnmatch.filter(names, pattern)} - set(kept)
        self._remove_all(unwanted)

    def _remove_all(self, names: set[str]) -> None:
        with ThreadPoolExecutor(MAX_PARALLEL_REQUESTS) as pool:
            list(pool.map(self.remove, sorted(names)))

    def clear(self, records: Iterable[str]) -> None:
        """Remove all files but the lease, if this process has it."""
        if not self.owned():
            return
        for name in records:
            self.erase(name)
        self._remove_all((self._known | set(self.remote.names())) - {LEASE})
        self._cleared = True

    def doubt(self) -> None:
        """Do not wait for an answer that may never come."""
        self.remote.tries = 1

    def begin(self) -> None:
        """Make the directory."""
        self.directory.mkdir(0o700, parents=True, exist_ok=True)

    def close(self) -> None:
        """Remove the copies and the scratch files."""
        shutil.rmtree(self.directory, ignore_errors=True)

    def copied(self) -> int:
        """The sizes of all files in the directory."""
        total = 0
        with contextlib.suppress(OSError):
            for entry in os.scandir(self.directory):
                with contextlib.suppress(OSError):
                    total += entry.stat().st_size
        return total


def _files_of(record: str) -> tuple[str, str]:
    """The two files of a record; the manifest, which is written once, is the second one."""
    return f"{record}.other", record


class _RemoteFile(BufferedIOBase):
    """A file at a URL; each read is a request."""

    def __init__(self, remote: Remote, name: str) -> None:
        self.remote, self.file_name, self._at = remote, name, 0

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place in the file, counted from its beginning or its end."""
        self._at = offset + (self.remote.size(self.file_name) if whence == os.SEEK_END else 0)
        return self._at

    def read(self, length: int | None = 0, /) -> bytes:
        """The next bytes."""
        if not length or length < 0:
            return b""
        try:
            content = self.remote.read(self.file_name, self._at, self._at + length)
        except StoreError:  # some filesystems do not answer if the file is shorter
            if self.remote.size(self.file_name) > self._at:
                raise
            content = b""
        self._at += len(content)
        return content
