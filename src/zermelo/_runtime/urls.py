"""Files at a URL, on any filesystem that fsspec knows: ``s3://``, ``gs://``, ``hdfs://``, …

A file there is an object: it is written as a whole, and read as a whole or in parts. Nothing else
is asked of the filesystem. It need not rename, append or lock, and its lists of names may be old.
Each request is tried several times.
"""

import contextlib
import errno
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from zermelo.errors import InvalidOptionError, MissingDependencyError, StoreError, ZermeloError

MAX_TRIES = 4
"""How often a request is sent before it has failed."""

FIRST_PAUSE_SECONDS = 0.2
"""Seconds between the first two requests; each further pause is four times as long."""

FINAL = (PermissionError, NotImplementedError, IsADirectoryError, NotADirectoryError)
"""Errors that the same request would meet again."""

FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))

T = TypeVar("T")


def parent_of(url: str) -> str:
    """The URL of the directory that has a directory.

    >>> parent_of("s3://bucket/games/chess/")
    's3://bucket/games'
    """
    return url.rstrip("/").rpartition("/")[0]


class Remote:
    """The files of one directory at a URL.

    >>> folder = Remote("memory://example")
    >>> folder.write("greeting", b"hello")
    >>> folder.read("greeting", 1, 3), folder.names(), folder.size("greeting")
    (b'el', ['greeting'], 5)
    >>> folder.remove("greeting")
    >>> folder.names()
    []
    """

    def __init__(self, url: str) -> None:
        self.url, self.tries = url.rstrip("/"), MAX_TRIES
        _ = self._opened  # a URL that cannot be used is refused here

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        """The filesystem, and the name that it has for the directory."""
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise MissingDependencyError(
                f"{self.url}: files at a URL need the package fsspec; install it with "
                "pip install 'zermelo[cluster]'"
            ) from None
        try:
            filesystem, root = url_to_fs(self.url)
        except ImportError as error:
            cause: Any = error.__cause__ or error
            package = (getattr(cause, "name", None) or str(error)).partition(".")[0]
            raise MissingDependencyError(
                f"{self.url}: files at such a URL need the package {package} on all machines; "
                f"install it with pip install {package}"
            ) from None
        except ValueError as error:
            raise InvalidOptionError(
                f"{self.url}: expected a path, or a URL of a filesystem that fsspec knows "
                f"({_one_line(error)})"
            ) from None
        except Exception as error:  # each filesystem has its own errors
            raise self._failed("", error, 1) from error
        return filesystem, str(root).rstrip("/")

    def _shown(self, name: str) -> str:
        return f"{self.url}/{name}" if name else self.url

    def _path(self, name: str) -> str:
        return f"{self._opened[1]}/{name}"

    # ---------------------------------------------------------------- requests

    def read(self, name: str, start: int | None = None, stop: int | None = None) -> bytes:
        """The content of a file, or a part of it."""
        filesystem, path = self._opened[0], self._path(name)
        return bytes(self._ask(name, lambda: filesystem.cat_file(path, start=start, end=stop)))

    def write(self, name: str, content: bytes) -> None:
        """Write a file; one that has this name is replaced."""
        filesystem, path = self._opened[0], self._path(name)
        self._ask(name, lambda: filesystem.pipe_file(path, content))

    def create(self, name: str, content: bytes) -> None:
        """Write a file unless there is one, as far as the filesystem can do that in one step.

        The directory is made if this is necessary.
        """
        filesystem, path = self._opened[0], self._path(name)

        def action() -> None:
            try:
                filesystem.pipe_file(path, content, mode="create")
            except (TypeError, NotImplementedError):
                filesystem.pipe_file(path, content)

        with contextlib.suppress(FileExistsError):
            try:
                self._ask(name, action)
            except FileNotFoundError:
                self.make()
                self._ask(name, action)

    def upload(self, name: str, source: Path) -> None:
        """Write the content of a file of this machine."""
        filesystem, path = self._opened[0], self._path(name)
        self._ask(name, lambda: filesystem.put_file(str(source), path))

    def download(self, name: str, target: Path) -> None:
        """Copy a file to this machine."""
        filesystem, path = self._opened[0], self._path(name)
        self._ask(name, lambda: filesystem.get_file(path, str(target)))

    def size(self, name: str) -> int:
        """The number of bytes of a file."""
        filesystem, path = self._opened[0], self._path(name)
        return int(self._ask(name, lambda: filesystem.size(path)))

    def exists(self, name: str) -> bool:
        """Whether a small file exists; it is read, because lists of names may be old."""
        try:
            self.read(name)
        except FileNotFoundError:
            return False
        return True

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        filesystem, path = self._opened[0], self._path(name)
        with contextlib.suppress(FileNotFoundError):
            self._ask(name, lambda: filesystem.rm_file(path))

    def names(self) -> list[str]:
        """The names of all files, as the filesystem lists them."""
        filesystem, root = self._opened

        def action() -> list[str]:
            filesystem.invalidate_cache()
            found = [str(path) for path in filesystem.ls(root, detail=False)]
            filesystem.invalidate_cache()  # no later request is answered from this list
            return found

        try:
            paths = self._ask("", action)
        except FileNotFoundError:
            return []
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def make(self) -> None:
        """Make the directory, where there are directories; its parent must exist."""
        filesystem, root = self._opened

        def action() -> None:
            with contextlib.suppress(FileExistsError, NotImplementedError):
                filesystem.mkdir(root, create_parents=False)

        self._ask("", action)

    def discard(self) -> None:
        """Remove the directory if it is empty, where there are directories."""
        filesystem, root = self._opened
        with contextlib.suppress(Exception):
            filesystem.rmdir(root)

    # ---------------------------------------------------------------- failures

    def _ask(self, name: str, action: Callable[[], T]) -> T:
        """Send a request; what fails for another reason than a missing file is tried again."""
        failure: Exception | None = None
        for k in range(self.tries):
            if k:
                time.sleep(FIRST_PAUSE_SECONDS * 4 ** (k - 1))
            try:
                return action()
            except FileNotFoundError:
                raise FileNotFoundError(errno.ENOENT, "no such file", self._shown(name)) from None
            except FileExistsError:
                raise FileExistsError(errno.EEXIST, "this exists", self._shown(name)) from None
            except ZermeloError:
                raise
            except FINAL as error:
                raise self._failed(name, error, k + 1) from error
            except Exception as error:  # each filesystem has its own errors
                if isinstance(error, OSError) and error.errno in FULL:
                    raise
                failure = error
        assert failure is not None
        raise self._failed(name, failure, self.tries) from failure

    def _failed(self, name: str, error: Exception, tries: int) -> StoreError:
        reason = _one_line(error) or type(error).__name__
        times = "" if tries == 1 else f", {tries} times"
        return StoreError(
            f"{self._shown(name)}: the filesystem refused this{times}: {reason}; check the URL, "
            "the connection and the rights, then do the same again"
        )


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300].rstrip(".")
