"""Files that appear when they are whole, and the error of one that cannot be written."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from zermelo._runtime.memory import show_size
from zermelo.errors import DiskError, ZermeloError

FULL = {None, errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Error numbers of a disk without room; None where the system gives no number."""

DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
"""Error numbers of a place that this user may not write to."""


@contextlib.contextmanager
def writing(path: Path, target: Path | str, what: str, needed: int = 0) -> Iterator[None]:
    """Write the file ``path`` for ``target``; raise a DiskError if the place does not allow it.

    Without room, what was written is removed. The message names ``target``, not ``path``.
    ``needed`` is the number of bytes to be written, 0 where it is not known.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in FULL | DENIED or isinstance(error, ZermeloError):
            raise
        reason = error.strerror or str(error)
        reason = f"{reason[:1].lower()}{reason[1:]}"
        if error.errno in DENIED:
            raise DiskError(
                f"{target}: {what} cannot be written: {reason}; choose another directory"
            ) from error
        written = 0
        with contextlib.suppress(OSError):
            written = path.stat().st_size
            path.unlink()
        if not needed:
            size = f"more than {show_size(written)} are needed"
        else:
            size = f"{show_size(needed)} are needed"
        with contextlib.suppress(OSError):
            size += f", {show_size(shutil.disk_usage(path.parent).free)} are free"
        raise DiskError(
            f"{target}: {what} could not be written: {reason} ({size}); "
            "make room or choose another place, then do it again"
        ) from error


@contextlib.contextmanager
def appearing(path: str | os.PathLike[str], what: str) -> Iterator[Path]:
    """A new file to write; it gets its name ``path`` when it is whole."""
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with writing(fresh, target, what):
            yield fresh
            fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
