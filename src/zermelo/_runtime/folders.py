"""A directory whose files are read and written as a whole: on this machine, or at a URL."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo._runtime.files import is_url
from zermelo._runtime.urls import Remote


class LocalFolder:
    """A directory of this machine."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def read(self, name: str) -> bytes:
        """The content of a file."""
        return (self.path / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        (self.path / name).write_bytes(content)

    def size(self, name: str) -> int:
        """The number of bytes of a file."""
        return (self.path / name).stat().st_size

    def at(self, name: str) -> Path:
        """The path of a file."""
        return self.path / name


class RemoteFolder:
    """A directory at a URL."""

    def __init__(self, url: str) -> None:
        self.remote = Remote(url)
        self.written: list[str] = []

    def read(self, name: str) -> bytes:
        """The content of a file."""
        return self.remote.read(name)

    def write(self, name: str, content: bytes) -> None:
        """Write a file; the directory is made if this is necessary."""
        self.written.append(name)
        try:
            self.remote.write(name, content)
        except FileNotFoundError:
            self._make()
            self.remote.write(name, content)

    def _make(self) -> None:
        try:
            self.remote.make()
        except FileNotFoundError:
            url = self.remote.url
            raise FileNotFoundError(2, "there is no directory or bucket for it", url) from None

    def size(self, name: str) -> int:
        """The number of bytes of a file."""
        return self.remote.size(name)

    def at(self, name: str) -> str:
        """The URL of a file."""
        return f"{self.remote.url}/{name}"


Folder = LocalFolder | RemoteFolder


def open_folder(path: str | os.PathLike[str]) -> Folder:
    """The directory at a path or a URL.

    >>> open_folder("memory://game").at("manifest.json")
    'memory://game/manifest.json'
    """
    if is_url(path):
        return RemoteFolder(str(path))
    return LocalFolder(path)


@contextlib.contextmanager
def new_folder(path: str | os.PathLike[str], last: str) -> Iterator[Folder]:
    """Write a directory that did not exist or was empty.

    On this machine it gets its name when it is complete. At a URL, ``last`` is the file that is
    written last and says that it is complete. After an error nothing is left.

    >>> with new_folder("memory://fresh", "manifest.json") as folder:
    ...     folder.write("manifest.json", b"{}")
    >>> has_file("memory://fresh", "manifest.json")
    True
    """
    if is_url(path):
        folder = _begin(str(path), last)
        try:
            yield folder
        except BaseException:
            _take_back(folder)
            raise
        return
    target = Path(os.path.abspath(path))
    partial = target.with_name(f".{target.name}.partial")
    if not target.parent.is_dir():
        raise FileNotFoundError(2, f"there is no directory {str(target.parent)!r}", str(target))
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(17, "expected a new or an empty directory", str(target))
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        yield LocalFolder(partial)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    if target.exists():
        target.rmdir()
    partial.replace(target)


def _begin(url: str, last: str) -> RemoteFolder:
    folder = RemoteFolder(url)
    if folder.remote.exists(last) or folder.remote.names():
        raise FileExistsError(17, "expected a new or an empty directory", url)
    return folder


def _take_back(folder: RemoteFolder) -> None:
    """Remove the files that were written, as far as that is possible."""
    for name in reversed(folder.written):
        with contextlib.suppress(Exception):
            folder.remote.remove(name)
    folder.remote.discard()


def has_file(path: Any, name: str) -> bool:
    """Whether a path or a URL is a directory with a certain file, which is small.

    >>> has_file("memory://nothing", "manifest.json"), has_file(3, "manifest.json")
    (False, False)
    """
    if is_url(path):
        return Remote(path).exists(name)
    if not isinstance(path, str | os.PathLike):
        return False
    try:
        return (Path(path) / name).is_file()
    except (OSError, ValueError):
        return False
