"""Where the files of a job are: in a shared directory, or at a URL (:mod:`.store`).

A job has two kinds of files. Scratch files belong to one process and are in ``directory``, which is
always a directory of this machine. Files that other processes read are written there, too, and then
*published*. In a shared directory there is nothing to do for that, because all processes map the
same files. At a URL the file is sent there, and a process that needs it fetches a copy.

Records, which are the manifest and the journal, are small files that are replaced as a whole.
"""

import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from zermelo._runtime.locks import lock_directory, remove_locked, sync_directory

if TYPE_CHECKING:
    from zermelo.engines.moves.prepare import Tick


class Parts(Protocol):
    """A file that is read in parts."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

    def seek(self, offset: int, /) -> object:
        """Go to a place in the file."""

    def read(self, length: int, /) -> bytes:
        """The next bytes; fewer at the end of the file."""


class Place(ABC):
    """Where the files of a job are; ``directory`` has the files of this process."""

    directory: Path
    parent: str
    """The path or the URL that has the job."""
    name: str
    """The name of the job in it."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """The place as messages have it."""

    @abstractmethod
    def lock(self, tick: "Tick" = None) -> bool:
        """Let only this process run the job; return whether no other one does."""

    @abstractmethod
    def unlock(self) -> None:
        """Let others run the job; scratch files of a place at a URL are removed."""

    @abstractmethod
    def owned(self) -> bool:
        """Whether this process still has the lock."""

    @abstractmethod
    def publish(self, name: str, *, keep: bool = True) -> None:
        """Let other processes read a file of the directory; a copy stays here if ``keep``."""

    @abstractmethod
    def fetch(self, name: str, *, again: bool = False) -> Path:
        """A path of this machine for a published file; ``again`` ignores a copy that is here."""

    @abstractmethod
    def open(self, name: str) -> Parts:
        """A published file, to be read in parts."""

    @abstractmethod
    def sync(self, names: Iterable[str]) -> None:
        """Wait until published files would survive a loss of power."""

    @abstractmethod
    def replace(self, name: str, turn: int, content: bytes, *, sync: bool) -> None:
        """Write a record for the ``turn``-th time, completely or not at all."""

    @abstractmethod
    def contents(self, name: str) -> list[bytes]:
        """What a record may contain; empty if there is none."""

    @abstractmethod
    def erase(self, name: str) -> None:
        """Remove a record."""

    @abstractmethod
    def mark(self, name: str) -> None:
        """Make a small file that all processes see."""

    @abstractmethod
    def marked(self, name: str) -> bool:
        """Whether a small file is there."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file if it is there, and a copy of it."""

    @abstractmethod
    def drop(self, name: str) -> None:
        """Remove a copy of a published file, which is needed here no more."""

    @abstractmethod
    def know(self, names: Iterable[str]) -> None:
        """Remember files that other processes published, because a list may not have them yet."""

    @abstractmethod
    def known(self) -> list[str]:
        """The files that this process published or heard of, if a list may not have them yet."""

    @abstractmethod
    def retain(self, pattern: str, kept: Iterable[str] = ()) -> None:
        """Remove the published files whose names fit a pattern, but not those ``kept``."""

    @abstractmethod
    def clear(self, records: Iterable[str]) -> None:
        """Remove everything, the ``records`` first."""

    @abstractmethod
    def doubt(self) -> None:
        """Send each request only once from now on, because earlier ones failed."""

    @abstractmethod
    def begin(self) -> None:
        """Make room for the files of a process that reads the job and does not run it."""

    @abstractmethod
    def close(self) -> None:
        """Remove the files of such a process."""

    @abstractmethod
    def copied(self) -> int:
        """The number of bytes that copies take on this machine."""


class Directory(Place):
    """A directory that all processes of the job share."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        whole = directory.absolute()
        self.parent, self.name = str(whole.parent), whole.name
        self._lock: int | None = None

    @property
    def shown(self) -> str:
        """The path."""
        return str(self.directory)

    def lock(self, tick: "Tick" = None) -> bool:
        """Take the lock of the operating system."""
        self._lock = lock_directory(self.directory)
        return self._lock is not None

    def unlock(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def owned(self) -> bool:
        """A lock of the operating system is never lost."""
        return True

    def publish(self, name: str, *, keep: bool = True) -> None:
        """All processes see the file already."""

    def fetch(self, name: str, *, again: bool = False) -> Path:
        """The file itself."""
        return self.directory / name

    def open(self, name: str) -> Parts:
        """The file itself."""
        return (self.directory / name).open("rb")

    def sync(self, names: Iterable[str]) -> None:
        """Wait for the disk."""
        for name in names:
            with contextlib.suppress(FileNotFoundError), (self.directory / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_directory(self.directory)

    def replace(self, name: str, turn: int, content: bytes, *, sync: bool) -> None:
        """Write another file, and rename it."""
        fresh = self.directory / f"{name}.new"
        with fresh.open("wb") as file:
            file.write(content)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(self.directory / name)

    def contents(self, name: str) -> list[bytes]:
        """The content of the file."""
        try:
            return [(self.directory / name).read_bytes()]
        except FileNotFoundError:
            return []

    def erase(self, name: str) -> None:
        """Remove the file."""
        self.remove(name)

    def mark(self, name: str) -> None:
        """Make an empty file."""
        (self.directory / name).touch()

    def marked(self, name: str) -> bool:
        """Whether the file exists."""
        return os.path.exists(self.directory / name)  # not seen, if the directory is another's

    def remove(self, name: str) -> None:
        """Remove the file."""
        with contextlib.suppress(FileNotFoundError):
            (self.directory / name).unlink()

    def drop(self, name: str) -> None:
        """There are no copies."""

    def know(self, names: Iterable[str]) -> None:
        """Lists of names are always right."""

    def known(self) -> list[str]:
        """Lists of names are always right."""
        return []

    def retain(self, pattern: str, kept: Iterable[str] = ()) -> None:
        """Remove files by the list of names."""
        needed = set(kept)
        for path in self.directory.glob(pattern):
            if path.name not in needed:
                self.remove(path.name)

    def clear(self, records: Iterable[str]) -> None:
        """Remove the directory."""
        for name in records:
            self.remove(name)
        remove_locked(self.directory)

    def doubt(self) -> None:
        """The operating system answers at once."""

    def begin(self) -> None:
        """The directory exists."""

    def close(self) -> None:
        """There is nothing to remove."""

    def copied(self) -> int:
        """There are no copies."""
        return 0
