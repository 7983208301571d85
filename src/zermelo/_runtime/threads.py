"""Run one kernel on several slices at once: compiled kernels release the interpreter's lock.

``ZERMELO_THREADS`` sets the number of threads; otherwise it is the number of cores this process
may use. It is rounded down to a power of two, at most :data:`MAX_THREADS`.
"""

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from zermelo._runtime.compiled.jit import Kernel, interpreting
from zermelo.errors import InvalidOptionError

MAX_THREADS = 8
"""More threads than this would only wait for the memory, which limits the speed of the passes."""

MAX_SLICES = 16

MAX_RESULTS_AHEAD = 4
"""Results that :func:`in_order` makes ahead, for each thread."""

A = TypeVar("A")
R = TypeVar("R")


def thread_count(most: int | None = None) -> int:
    """The number of threads for a large job; 1 where kernels are interpreted.

    ``most`` is the number of threads that was asked for, if any.
    """
    given = os.environ.get("ZERMELO_THREADS", "")
    if given and not given.isdecimal():
        raise InvalidOptionError(f"ZERMELO_THREADS: expected a number, got {given!r}")
    if interpreting():
        wanted = 1
    elif most is not None:
        wanted = most
    elif given:
        wanted = int(given)
    elif hasattr(os, "sched_getaffinity"):
        wanted = len(os.sched_getaffinity(0))
    else:
        wanted = os.cpu_count() or 1
    return 1 << (max(1, min(wanted, MAX_THREADS)).bit_length() - 1)


def in_order(job: Callable[[A], R], arguments: Iterable[A]) -> Iterator[R]:
    """The results of ``job`` for all arguments, in their order, made by all threads.

    At most MAX_RESULTS_AHEAD for each thread wait at a time, so the memory does not grow with the
    number of arguments. What ``job`` does must release the interpreter's lock most of the time.

    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    threads = thread_count()
    if threads == 1:
        yield from map(job, arguments)
        return
    waiting: deque[Callable[[], R]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for argument in arguments:
                if len(waiting) >= MAX_RESULTS_AHEAD * threads:
                    yield waiting.popleft()()
                try:
                    waiting.append(pool.submit(copy_context().run, job, argument).result)
                except RuntimeError:  # no thread can start, see run_apart
                    waiting.append(partial(job, argument))
            while waiting:
                yield waiting.popleft()()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class Team:
    """The calling thread and ``size - 1`` others; use it in a ``with`` statement.

    ``slices`` is the number of parts that a job is cut into, a power of two.

    >>> import numpy as np
    >>> from zermelo._runtime.compiled.jit import kernel
    >>> @kernel
    ... def double(values, start, stop):
    ...     for i in range(start, stop):
    ...         values[i] *= 2
    >>> values = np.arange(4)
    >>> with Team(2) as team:
    ...     team.run(double, [(values, 0, 2), (values, 2, 4)])
    >>> values
    array([0, 2, 4, 6])
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = thread_count() if size is None else size
        self.slices = 1 if self.size == 1 else min(4 * self.size, MAX_SLICES)
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._started = 0

    def __enter__(self) -> "Team":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for _ in range(self._started):
            self._jobs.put(None)
        self._started = 0

    def run(self, job: Kernel[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
        """Call ``job`` with each tuple of arguments.

        Each thread takes the next call when it has finished one. So if there are more calls than
        threads, a core that is busy with something else does not delay the others. The calls must
        not write to each other's outputs. Interpreted kernels use copies of whole arrays, so they
        run one after the other.
        """
        if len(calls) < 2 or self.size < 2 or interpreting():
            for args in calls:
                job(*args)
            return
        compiled = job.compiled
        waiting = deque(calls)
        ended: SimpleQueue[BaseException | None] = SimpleQueue()

        def run_waiting_calls() -> None:
            while waiting:
                try:
                    args = waiting.popleft()
                except IndexError:  # another thread was faster
                    return
                compiled(*args)

        def assist() -> None:
            try:
                run_waiting_calls()
            except BaseException as error:
                waiting.clear()
                ended.put(error)
            else:
                ended.put(None)

        self._start_threads()
        for _ in range(self._started):
            self._jobs.put(partial(copy_context().run, assist))
        try:
            run_waiting_calls()
            errors = [ended.get() for _ in range(self._started)]
        except BaseException:  # the other threads may run for ever, so nothing waits for them
            waiting.clear()
            raise
        for error in errors:
            if error is not None:
                raise error

    def _start_threads(self) -> None:
        """Start the other threads; the process does not wait for them when it ends."""
        with contextlib.suppress(RuntimeError):  # no thread can start, see run_apart
            while self._started < self.size - 1:
                threading.Thread(target=_serve, args=(self._jobs,), daemon=True).start()
                self._started += 1


def _serve(jobs: "SimpleQueue[Callable[[], None] | None]") -> None:
    """Do one job after the other, until None comes."""
    while (job := jobs.get()) is not None:
        job()
