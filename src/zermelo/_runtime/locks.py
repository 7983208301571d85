"""Directories of this user that only one process uses at a time, and names safely on the disk."""

import contextlib
import errno
import os
import shutil
import stat
import sys
from pathlib import Path

from zermelo.errors import DiskError, JobError

ATTEMPTS = 100
"""How often a directory is made that other processes remove at the same time."""

LOCK = "lock"
"""The name of the file in a directory that is locked."""


def user_tag() -> str:
    """What distinguishes this user in the name of a directory that several users may want.

    >>> user_tag() in ("", f"{os.getuid()}-")
    True
    """
    return f"{os.getuid()}-" if hasattr(os, "getuid") else ""


def distrusted(directory: Path, *, above: bool = False) -> str:
    """Why a directory cannot be trusted, or an empty text; ``above`` means the parent directory.

    It must belong to the user, and nobody else may write to it. If others may read it, that ends.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     distrusted(Path(folder))
    ''
    """
    status = os.stat(directory) if above else os.lstat(directory)
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is not a directory"
    if not hasattr(os, "getuid"):  # Windows: other users cannot write to the folders of a user
        return ""
    if status.st_uid != os.getuid() and not (above and status.st_uid == 0):
        return f"{directory} belongs to another user"
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if shared and not (above and status.st_mode & stat.S_ISVTX):
        return f"others may write to {directory}; see what is in it, then chmod 700 it"
    if not above and stat.S_IMODE(status.st_mode) != 0o700:
        with contextlib.suppress(OSError):  # where it cannot be changed, others can only read
            os.chmod(directory, 0o700)
    return ""


def lock_directory(directory: Path) -> int | None:
    """Make a directory and lock it; None if another process has it.

    Nobody else may use it: it is made with the mode 0700, and one that is there must belong to the
    user. The result is an open file, and closing it ends the lock. The operating system does that
    when the process ends in any way, so a lock never outlives its process.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lock = lock_directory(Path(folder) / "job")
    ...     print(lock_directory(Path(folder) / "job"))
    ...     os.close(lock)
    None
    """
    try:
        for _ in range(ATTEMPTS):
            with contextlib.suppress(FileNotFoundError):  # another process removed it just now
                _make(directory)
                return _locked(directory / LOCK)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    except BlockingIOError:
        return None
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiskError(
            f"{directory}: a directory for the files of the job cannot be made, written or locked "
            f"here: {reason[:1].lower()}{reason[1:]}"
        ) from error


def _locked(path: Path) -> int:
    """Open a file and lock it; a BlockingIOError means that another process has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        _take(lock)
        if not os.path.samestat(os.fstat(lock), path.stat()):
            raise FileNotFoundError  # it was removed, and another one was made
    except BaseException:
        os.close(lock)
        raise
    return lock


def remove_locked(directory: Path) -> None:
    """Remove a directory that this process has locked, as far as that is possible.

    The lock is the last file: without it, another process may have files of the same names here.
    """
    for path in directory.glob("*"):
        if path.name != LOCK:
            with contextlib.suppress(OSError):
                path.unlink()
    shutil.rmtree(directory, ignore_errors=True)


def _make(directory: Path) -> None:
    """Make a directory for this user alone; one that is there must be such a directory."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(directory, 0o700)
        return
    if reason := distrusted(directory):
        raise JobError(
            f"{reason}; the files of a job must be in a directory that only you can write to, so "
            "remove it, or choose another place"
        )


def _take(lock: int) -> None:
    """Lock a file at once, or raise an OSError: a BlockingIOError if another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except PermissionError as error:  # Windows and some network disks
        raise BlockingIOError(error.errno, error.strerror) from error


def sync_directory(directory: Path) -> None:
    """Wait until a directory's list of names is on the disk, where the system can."""
    with contextlib.suppress(OSError):
        opened = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
