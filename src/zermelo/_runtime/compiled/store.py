"""The directory in which compiled kernels are kept from one process to the next.

The code in it is run without further checks, so the directory must belong to the user, and nobody
else may write to it; any other directory is not used. Where nothing can be kept, kernels are
compiled in every process, and one warning is given.

**A file** is a line with a digest of all that follows, a line of JSON (the key of the code, the
symbol of its function, its result, its arguments), and the object code. The key is a digest of what
the code was made from, and the name of the file contains the beginning of it. A file under the name
of another is not run, nor is one with a single bit changed. Files are written whole or not at all.

When the files have more than MAX_CACHE_BYTES together, the least recently used ones are removed.
"""

import contextlib
import functools
import hashlib
import json
import os
import stat
import sys
import time
import warnings
from pathlib import Path

from zermelo._runtime.compiled.native import RESULTS, ObjectCode
from zermelo._runtime.locks import distrusted

MAX_CACHE_BYTES = 256 << 20
"""Bytes that are kept at most; one game or solver needs some hundred thousand."""

UNFINISHED_FILE_SECONDS = 3600.0
"""Seconds after which an unfinished file is removed."""

DAY = 86400.0


def warn_once(message: str) -> None:
    """Give a warning, once in a process for each message."""
    if message not in _warnings_given:
        _warnings_given.add(message)
        warnings.warn(message, RuntimeWarning, stacklevel=2)


_warnings_given: set[str] = set()


def checks_bounds() -> bool:
    """Whether the environment asks for checks of every index."""
    return os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")


@functools.cache
def cache_directory() -> str | None:
    """The directory for compiled kernels; None where there is none, or bounds are checked."""
    if checks_bounds():
        return None
    home = _cache_home()
    if home is None:
        warn_once(
            "compiled kernels are not kept: there is no home directory; set ZERMELO_CACHE_DIR"
        )
        return None
    directory = home / "kernels"
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(directory, mode=0o700)
        trouble = distrusted(home, above=True) or distrusted(directory)
    except (OSError, ValueError) as error:
        trouble = f"{directory}: {getattr(error, 'strerror', None) or error}"
    if trouble:
        warn_once(f"compiled kernels are not kept: {trouble}")
        return None
    return str(directory)


def _cache_home() -> Path | None:
    if given := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(given)
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        cache = Path(local if os.path.isabs(local) else home) / "zermelo" / "cache"
    elif sys.platform == "darwin":
        cache = Path(home) / "Library" / "Caches" / "zermelo"
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        cache = (Path(given) if os.path.isabs(given) else Path(home) / ".cache") / "zermelo"
    return cache if cache.is_absolute() else None


def file_of(directory: str, name: str, key: str) -> Path:
    """Where the object code of a kernel with this name and key is kept."""
    return Path(directory) / f"{name}-{key[:24]}.o"


def read(path: Path, key: str, signature: str) -> ObjectCode | None:
    """The object code in a file; None where the file is missing, damaged or of another kernel."""
    try:
        data = _content(path)
        given, _, rest = data.partition(b"\n")
        if given != hashlib.sha256(rest).hexdigest().encode():
            return None
        head, _, code = rest.partition(b"\n")
        about = json.loads(head)
        if (about["key"], about["signature"]) != (key, signature) or about["result"] not in RESULTS:
            return None
        return ObjectCode(str(about["symbol"]), about["result"], signature, code)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _content(path: Path) -> bytes:
    """The bytes of a file that belongs to the user; its time of last use is set to now."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(f"{path} is not a file")
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            raise OSError(f"{path} belongs to another user")
        if time.time() - status.st_mtime > DAY:
            with contextlib.suppress(OSError):
                os.utime(path)
        return file.read()


def write(path: Path, key: str, kernel: ObjectCode) -> None:
    """Keep object code in a file; if it cannot be written, give a warning."""
    import tempfile

    about = {
        "key": key,
        "symbol": kernel.symbol,
        "result": kernel.result,
        "signature": kernel.signature,
    }
    rest = json.dumps(about).encode() + b"\n" + kernel.code
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        evict(path.parent)
    except OSError as error:
        warn_once(f"compiled kernels are not kept: {path.parent}: {error.strerror or error}")


def evict(directory: Path) -> None:
    """Remove the files used least recently, down to three quarters of the limit."""
    files, total = [], 0
    with os.scandir(directory) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(".o"):
                    files.append((status.st_mtime, status.st_size, entry.path))
                    total += status.st_size
                elif (
                    entry.name.endswith(".part")
                    and time.time() - status.st_mtime > UNFINISHED_FILE_SECONDS
                ):
                    os.unlink(entry.path)
    if total <= MAX_CACHE_BYTES:
        return
    for _, size, path in sorted(files)[:-1]:  # the newest was written just now
        if total <= MAX_CACHE_BYTES * 3 // 4:
            return
        with contextlib.suppress(OSError):
            os.unlink(path)
            total -= size
