"""Estimates of the memory that a job needs are compared with the free memory before it starts."""

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path

from zermelo.errors import InvalidOptionError, MemoryLimitError

NEGLIGIBLE = 1 << 16
"""A job of at most this many bytes is started without a look at the free memory."""


def available() -> int:
    """Bytes that a job may use: ``ZERMELO_MEMORY`` if set (``8G``, ``500M``), else the free memory.

    >>> available() > 0
    True
    """
    rest = _rest()
    if (given := limit()) is not None:
        return min(given, rest)
    free = min(_free_memory(), rest)
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            most = Path(name).read_text().strip()
        except OSError:
            continue
        if most.isdigit():
            free = min(free, max(0, int(most) - resident()))
    return min(free, _own_limit())


_budget: ContextVar[tuple[int, int] | None] = ContextVar("budget", default=None)
"""What may be allocated, and what the process held when this was said."""


@contextlib.contextmanager
def within(budget: int | None) -> Iterator[None]:
    """Let :func:`available` be at most so many bytes beyond what the process holds now.

    >>> with within(1 << 30):
    ...     available() <= 1 << 30
    True
    """
    token = _budget.set(None if budget is None else (budget, resident()))
    try:
        yield
    finally:
        _budget.reset(token)


def _rest() -> int:
    """Bytes that :func:`within` has left."""
    if (given := _budget.get()) is None:
        return 1 << 62
    budget, begun = given
    return max(0, budget - max(0, resident() - begun))


def limit() -> int | None:
    """Bytes that ``ZERMELO_MEMORY`` allows; None where it is not set."""
    given = os.environ.get("ZERMELO_MEMORY")
    return parse_size(given) if given else None


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say.

    >>> resident() >= 0
    True
    """
    return _pages()[1]


def byte_count(size: object, name: str = "memory") -> int:
    """A number of bytes, from such a number or from a size as text; ``name`` is the option.

    >>> byte_count("2k"), byte_count(300)
    (2048, 300)
    >>> byte_count("lots")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: memory: expected a size such as 8G or 500M, got 'lots'
    """
    if isinstance(size, str):
        try:
            return parse_size(size)
        except InvalidOptionError as error:
            raise InvalidOptionError(f"{name}: {error}") from None
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    raise InvalidOptionError(
        f"{name}: expected a size such as '2GB' or a number of bytes, got {size!r}"
    )


def own_share(size: int) -> int:
    """The part of a budget for a whole process that the process holds already.

    At most three quarters of the budget count, so that small jobs can be tried with any budget.

    >>> 0 <= own_share(1 << 20) <= 3 << 18
    True
    """
    return min(resident(), size - size // 4)


def _pages() -> tuple[int, int, int]:
    """Bytes of this process: addresses, memory, and data; 0 where the system does not say."""
    try:
        counts = [int(x) for x in Path("/proc/self/statm").read_text().split()]
        size = os.sysconf("SC_PAGE_SIZE")
        return counts[0] * size, counts[1] * size, counts[5] * size
    except (OSError, ValueError, IndexError, AttributeError):
        return 0, 0, 0


def _own_limit() -> int:
    """Bytes that the system still lets this process have, as ``ulimit`` sets it."""
    try:
        import resource
    except ImportError:
        return 1 << 62
    addresses, _, data = _pages()
    limits = (
        (resource.getrlimit(resource.RLIMIT_DATA)[0], data),
        (resource.getrlimit(resource.RLIMIT_AS)[0], addresses),
    )
    rest = (max(0, x - held) for x, held in limits if x != resource.RLIM_INFINITY)
    return min(rest, default=1 << 62)


def _free_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def parse_size(text: str) -> int:
    """Bytes from a size such as ``8G`` or ``500M``.

    >>> parse_size("2k")
    2048
    """
    units = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
    body = text.strip().lower().removesuffix("b").removesuffix("i")
    digits = body.rstrip("kmgt")
    try:
        size = int(float(digits) * units[body[len(digits) :]])
        if size < 0:
            raise ValueError(size)
        return size
    except (KeyError, ValueError, OverflowError):
        raise InvalidOptionError(f"expected a size such as 8G or 500M, got {text!r}") from None


def show_size(count: float) -> str:
    """The text of a size for people.

    >>> show_size(3_400_000_000)
    '3.2 GiB'
    """
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} PiB"


def require(needed: int, job: str, way_out: str) -> None:
    """Raise an error if a job needs more bytes than there are; call this before allocating.

    >>> require(1 << 61, "solving this", "use a smaller graph")
    Traceback (most recent call last):
    zermelo.errors.MemoryLimitError: solving this needs about 2048.0 PiB, ...
    """
    if needed <= NEGLIGIBLE and "ZERMELO_MEMORY" not in os.environ:
        return  # looking up the free memory would take longer than the job
    free = available()
    if needed > free:
        raise MemoryLimitError(
            f"{job} needs about {show_size(needed)}, {show_size(free)} are available; {way_out}"
        )
