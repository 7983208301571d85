"""Waits for the compiler: who hears of them, and how long they were.

A kernel that runs for the first time on a machine is compiled for seconds. A part of the program
that wants to explain this wait listens. The time that a job reports does not contain it.

>>> with listen(print), compiling("retrograde.settle", "~/.cache/zermelo/kernels"):
...     pass
compiling retrograde.settle, once; kept in ~/.cache/zermelo/kernels
None
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

Listener = Callable[[str | None], object]
"""Called with a message when compiling begins, and with None when it ends."""


class Wait(NamedTuple):
    """A kernel that this process has compiled."""

    name: str
    seconds: float


class _Waits(threading.local):
    """How deep this thread is in compiling."""

    depth = 0


_inside = _Waits()
_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())
_reported_to: ContextVar[tuple[Any, ...]] = ContextVar("reported_to", default=())
waits: list[Wait] = []
"""What this process has compiled, in order."""


def spent() -> float:
    """Seconds that this process has compiled.

    >>> spent() >= 0
    True
    """
    return sum(wait.seconds for wait in waits)


@contextmanager
def compiling(name: str, directory: str | None) -> Iterator[None]:
    """Tell listeners of a kernel that is compiled now, and kept in ``directory``, if in any."""
    if _inside.depth:  # a part of another kernel
        yield
        return
    kept = "it is not kept" if directory is None else f"once; kept in {_shown(directory)}"
    begun = time.monotonic()
    _inside.depth = 1
    try:
        _tell(f"compiling {name}, {kept}")
        yield
    finally:
        _inside.depth = 0
        waits.append(Wait(name, time.monotonic() - begun))
        _tell(None)


def _shown(directory: str) -> str:
    home = os.path.expanduser("~")
    inside = directory.startswith(home + os.sep)
    return f"~{directory[len(home) :]}" if inside else directory


def _tell(message: str | None) -> None:
    for listener in _listeners.get():
        listener(message)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Call ``listener`` whenever compiling begins or ends, in the thread that compiles.

    It hears of the kernels that are compiled for the caller, also by other threads, and not of
    those for other threads of the user: it may raise an error to end a job.
    """
    before = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(before)


@contextmanager
def report_compiling(progress: Any) -> Iterator[None]:
    """Report to a ``progress`` callback, too: compiling is a stage of the job.

    >>> with report_compiling(lambda done, total, stage: print(stage)), compiling("f", None):
    ...     pass
    compiling f, it is not kept
    """
    known = any(progress is x for x in _reported_to.get())
    if progress is None or known or getattr(progress, "listens", False):
        yield
        return

    def tell(message: str | None) -> None:
        if message is not None:
            progress(0, 0, message)

    before = _reported_to.set((*_reported_to.get(), progress))
    try:
        with listen(tell):
            yield
    finally:
        _reported_to.reset(before)
