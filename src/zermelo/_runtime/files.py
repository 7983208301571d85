"""Bytes from and to files, standard streams and binary file objects; writing is all or nothing."""

import contextlib
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any, TypeAlias

from zermelo._runtime import memory
from zermelo.errors import InvalidOptionError

PathLike: TypeAlias = Any
"""A ``str``, an ``os.PathLike``, ``"-"`` for a standard stream, or a binary file object."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+(::|://)")


def name_of(path: PathLike, stream: str) -> tuple[str, bool]:
    """A path's name for messages, and whether its suffix tells the format.

    >>> name_of("g.txt", "standard input"), name_of("-", "standard input")
    (('g.txt', True), ('standard input', False))
    """
    if is_stream(path):
        given = getattr(path, "name", None)
        named = isinstance(given, str) and not given.startswith("<")
        return (str(given), True) if named else (stream, False)
    if not isinstance(path, str | os.PathLike):
        raise InvalidOptionError(f"expected a path or a binary file, got {path!r}")
    name = os.fsdecode(os.fspath(path))
    return (stream, False) if name == "-" else (name, True)


def check_path(path: Any, name: str) -> None:
    """Refuse what cannot be the name of a file or a directory.

    >>> check_path(3, "workdir")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: workdir: expected a path, got 3
    """
    if not isinstance(path, str | os.PathLike) or "\0" in os.fsdecode(path) or not str(path):
        raise InvalidOptionError(f"{name}: expected a path, got {path!r}")


def is_url(path: Any) -> bool:
    """Whether a path is a URL.

    >>> is_url("s3://bucket/job"), is_url("/scratch"), is_url("C://scratch")
    (True, False, False)
    """
    return isinstance(path, str) and _URL.match(path) is not None


def is_stream(path: PathLike) -> bool:
    """Whether a path is a file object."""
    return hasattr(path, "read") or hasattr(path, "write")


def read_bytes(path: PathLike) -> bytes:
    """All bytes of a file; errors of the operating system are raised unchanged."""
    if is_stream(path) or path == "-":
        data = path.read() if is_stream(path) else sys.stdin.buffer.read()
        if not isinstance(data, bytes | bytearray | memoryview):
            raise InvalidOptionError(f"expected a file opened in binary mode, got {path!r}")
        return bytes(data)
    size = os.stat(path).st_size
    memory.require(size, f"reading {os.fsdecode(path)}", "read it on a larger machine")
    return Path(path).read_bytes()


def write_bytes(data: bytes, path: PathLike) -> None:
    """Write a file completely or not at all.

    The bytes are written to a new file in the same directory, which is then renamed. A pipe, a
    device or a stream cannot be replaced like that; the bytes are written to it directly.
    """
    if is_stream(path) or path == "-":
        out = path if is_stream(path) else sys.stdout.buffer
        try:
            out.write(data)
        except TypeError:
            raise InvalidOptionError(
                f"expected a file opened in binary mode, got {path!r}"
            ) from None
        out.flush()
        return
    target = Path(os.path.realpath(path))
    try:
        mode: int | None = target.stat().st_mode
    except OSError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        target.write_bytes(data)
        return
    temporary = target.with_name(f".{target.name[:100]}.{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    except OSError as error:
        _remove(temporary)
        raise type(error)(error.errno, error.strerror, str(path)) from None
    except BaseException:
        _remove(temporary)
        raise


def _remove(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink()
