"""Where the files of a job are: in a directory that all its processes share.

A job has two kinds of files. Scratch files belong to one process and are in ``directory``, which is
always a directory of this machine. Files that other processes read are written there, too, and then
*published*. In a shared directory there is nothing to do for that, because all processes map the
same files. At a URL (:mod:`zermelo.engines.jobs.remote`) the file is sent there, and a process that
needs it fetches a copy.

Records, which are the manifest and the journal, are small files that are replaced as a whole.
"""

import contextlib
import os
from collections.abc import Iterable
from io import BufferedIOBase
from pathlib import Path
from typing import TypeAlias

from zermelo._runtime.locks import lock_directory, remove_locked, sync_directory
from zermelo._runtime.progress import Report

Tick: TypeAlias = Report | None
"""What reports the progress of a job: a function of (done, total, stage), or None."""


def tell(tick: Tick, done: int, total: int, stage: str) -> None:
    """Report progress, if somebody wants to know it."""
    if tick is not None:
        tick(done, total, stage)


class Directory:
    """A directory that all processes of the job share; ``directory`` has the files of this one."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        whole = directory.absolute()
        self.parent, self.name = str(whole.parent), whole.name
        """The path or the URL that has the job, and the name of the job in it."""
        self._lock: int | None = None

    @property
    def shown(self) -> str:
        """The path or the URL of the job, for messages."""
        return str(self.directory)

    def lock(self, tick: Tick = None) -> bool:
        """Let only this process run the job; return whether no other one does."""
        self._lock = lock_directory(self.directory)
        return self._lock is not None

    def unlock(self) -> None:
        """Let others run the job; the scratch files of a job at a URL are removed."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def publish(self, name: str, *, keep: bool = True) -> None:
        """Let other processes read a file of the directory; a copy stays here if ``keep``."""

    def fetch(self, name: str, *, again: bool = False) -> Path:
        """A path of this machine for a published file; ``again`` ignores a copy that is here."""
        return self.directory / name

    def open(self, name: str) -> BufferedIOBase:
        """A published file, to be read in parts."""
        return (self.directory / name).open("rb")

    def sync(self, names: Iterable[str]) -> None:
        """Wait until published files would survive a loss of power."""
        for name in names:
            with contextlib.suppress(FileNotFoundError), (self.directory / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_directory(self.directory)

    def replace(self, name: str, turn: int, content: bytes, *, sync: bool) -> None:
        """Write a record for the ``turn``-th time, completely or not at all."""
        fresh = self.directory / f"{name}.new"
        with fresh.open("wb") as file:
            file.write(content)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(self.directory / name)

    def contents(self, name: str) -> list[bytes]:
        """What a record may contain; empty if there is none."""
        try:
            return [(self.directory / name).read_bytes()]
        except FileNotFoundError:
            return []

    def erase(self, name: str) -> None:
        """Remove a record."""
        self.remove(name)

    def mark(self, name: str) -> None:
        """Make a small file that all processes see."""
        (self.directory / name).touch()

    def marked(self, name: str) -> bool:
        """Whether a small file is there."""
        return os.path.exists(self.directory / name)  # not seen, if the directory is another's

    def remove(self, name: str) -> None:
        """Remove a file if it is there, and a copy of it."""
        with contextlib.suppress(FileNotFoundError):
            (self.directory / name).unlink()

    def drop(self, name: str) -> None:
        """Remove a copy of a published file, which is needed here no more."""

    def know(self, names: Iterable[str]) -> None:
        """Remember files that other processes published, because a list may not have them yet."""

    def known(self) -> list[str]:
        """The files that this process published or heard of, if a list may not have them yet."""
        return []

    def retain(self, pattern: str, kept: Iterable[str] = ()) -> None:
        """Remove the published files whose names fit a pattern, but not those ``kept``."""
        needed = set(kept)
        for path in self.directory.glob(pattern):
            if path.name not in needed:
                self.remove(path.name)

    def clear(self, records: Iterable[str]) -> None:
        """Remove everything, the ``records`` first."""
        for name in records:
            self.remove(name)
        remove_locked(self.directory)

    def doubt(self) -> None:
        """Send each request only once from now on, because earlier ones failed."""

    def begin(self) -> None:
        """Make a directory for the files of a process that reads the job and does not run it."""

    def close(self) -> None:
        """Remove the files of such a process."""

    def copied(self) -> int:
        """The number of bytes that copies take on this machine."""
        return 0
