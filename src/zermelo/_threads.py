"""Run one kernel on several slices at once: compiled kernels let go of the interpreter's lock.

``ZERMELO_THREADS`` sets the number of threads; otherwise it is the number of cores this process
may use. It is rounded down to a power of two, at most :data:`MOST_THREADS`.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from zermelo._kernels._jit import Kernel, interpreting

R = TypeVar("R")

MOST_THREADS = 8
"""The passes are bound by memory: more threads than this wait for it and nothing else."""


def thread_count() -> int:
    """How many slices to cut a large job into; 1 where kernels are interpreted."""
    given = os.environ.get("ZERMELO_THREADS", "")
    if given.isdecimal():
        wanted = int(given)
    elif interpreting():
        wanted = 1
    elif hasattr(os, "sched_getaffinity"):
        wanted = len(os.sched_getaffinity(0))
    else:
        wanted = os.cpu_count() or 1
    return 1 << (max(1, min(wanted, MOST_THREADS)).bit_length() - 1)


class Team:
    """The calling thread and ``size - 1`` others; use it in a ``with`` statement.

    >>> from zermelo._kernels._jit import kernel
    >>> @kernel
    ... def double(x):
    ...     return 2 * x
    >>> with Team(2) as team:
    ...     team.run(double, [(3,), (4,)])
    [6, 8]
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = thread_count() if size is None else size
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> "Team":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def run(self, job: Kernel[..., R], calls: Sequence[tuple[Any, ...]]) -> list[R]:
        """Call ``job`` with each tuple of arguments, at once if it compiles; all results in order.

        The slices must not touch each other's outputs. Interpreted kernels work on copies of whole
        arrays, so they take their turns.
        """
        if len(calls) < 2 or self.size < 2 or interpreting():
            return [job(*args) for args in calls]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.size - 1, thread_name_prefix="zermelo")
        compiled = job.compiled
        others = [self._pool.submit(compiled, *args) for args in calls[1:]]
        first = compiled(*calls[0])
        return [first, *(other.result() for other in others)]
