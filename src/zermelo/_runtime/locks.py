"""A directory that only one process may use at a time, and names that are safely on the disk."""

import contextlib
import os
from pathlib import Path


def lock_directory(directory: Path) -> int | None:
    """Make a directory and lock it; None if another process has it.

    The result is an open file, and closing it ends the lock. The operating system does that when
    the process ends in any way, so a lock never outlives its process.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lock = lock_directory(Path(folder) / "job")
    ...     print(lock_directory(Path(folder) / "job"))
    ...     os.close(lock)
    None
    """
    while True:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "lock"
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue  # another process ended just now, and removed the directory
        try:
            _take(lock)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), path.stat()):
                    return lock
        except OSError:
            os.close(lock)
            return None
        os.close(lock)


def _take(lock: int) -> None:
    """Lock a file at once, or raise an OSError."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sync_directory(directory: Path) -> None:
    """Wait until a directory's list of names is on the disk, where the system can."""
    with contextlib.suppress(OSError):
        opened = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
