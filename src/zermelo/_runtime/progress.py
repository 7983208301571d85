"""Progress of long work, and of the waits for the compiler in it.

Every function that may take long has an argument ``progress``: ``True`` shows a line on stderr, a
function gets the numbers. Parts of the work call a function with the amount done, the total amount,
and the name of the stage. A total that grows is a :class:`SoFar`. :func:`reporting` makes such a
function of True, and ends the line when the work ends.

A kernel that runs for the first time on a machine is compiled for seconds. This wait is a stage of
the job. An adapter that also needs to know when it ends, such as a bar on a terminal, listens. The
time that a job reports does not contain these waits (:func:`spent`).

>>> with listen(print), compiling("retrograde.settle", "~/.cache/zermelo/kernels"):
...     pass
compiling retrograde.settle, once; kept in ~/.cache/zermelo/kernels
None
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import TracebackType
from typing import Any, NamedTuple, Self, TextIO, TypeAlias

from zermelo.errors import InvalidOptionError

Report: TypeAlias = Callable[[int, int, str], object]
"""Called from time to time with the amount done, the total amount, and the name of the stage."""

Progress: TypeAlias = Report | bool | None
"""What a user may give: a function of three arguments, True for a line on stderr, or None."""

Listener: TypeAlias = Callable[[str | None], object]
"""Called with a message when compiling begins, and with None when it ends."""

SECONDS_BETWEEN_UPDATES = 0.1
"""Seconds between two versions of a line that is overwritten."""
SECONDS_BETWEEN_LINES = 10.0
"""Seconds between two lines where nothing can be overwritten, such as in a log file."""


class SoFar(int):
    """A total that grows as the work goes on, such as the positions that exploring has found.

    There is no share of it that is done: a game may be endless.
    """


def shown_progress(done: int, total: int, stage: str) -> str:
    """A report as text; a total of 0 is not known.

    >>> shown_progress(1200, 5000, "settled"), shown_progress(0, 0, "reading")
    ('settled, 1,200 of 5,000 (24 %)', 'reading')
    >>> shown_progress(1200, SoFar(1201), "explored")
    'explored, 1,200 of 1,201 found so far'
    """
    if isinstance(total, SoFar):
        return f"{stage}, {f'{done:,} of ' if done != total else ''}{total:,} found so far"
    share = f" of {total:,} ({100 * done // total} %)" if total else ""
    return f"{stage}, {done:,}{share}" if total or done else stage


class ProgressLine:
    """A line on stderr that shows how much is done; use it in a ``with`` statement.

    A terminal and a notebook show one line, which changes. Elsewhere a new line is written every
    ten seconds. The last line stays and says how long the work took.

    >>> import io
    >>> file = io.StringIO()
    >>> with ProgressLine("solve", file) as report:
    ...     report(1_200, 5_000, "settled")
    ...     report(5_000, 5_000, "settled")
    >>> file.getvalue().split(" after ")[0]
    'solve: settled, 5,000 of 5,000 (100 %), done'
    """

    def __init__(self, name: str, file: TextIO | None = None) -> None:
        self.name = name
        self.file = sys.stderr if file is None else file
        self.overwrites = is_live(self.file)
        self._begin = self._shown = time.monotonic()
        self._text, self._length = "", 0

    def __enter__(self) -> Self:
        if self.overwrites:
            self._write(f"{self.name}: started")
        return self

    def __call__(self, done: int, total: int, stage: str) -> None:
        """Report how much of a stage is done; a total of 0 is not known."""
        text = shown_progress(done, total, stage)
        now = time.monotonic()
        # A wait for the compiler is reported once, when it begins. It is no part of the work.
        waits = stage.startswith("compiling ")
        if not waits:
            self._text = text
        pause = SECONDS_BETWEEN_UPDATES if self.overwrites else SECONDS_BETWEEN_LINES
        if waits or now - self._shown >= pause:
            self._shown = now
            self._write(f"{self.name}: {text}, {now - self._begin:.1f} s")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        seconds = time.monotonic() - self._begin
        end = "done" if kind is None else "stopped"
        last = f"{self._text}, " if self._text else ""
        self._write(f"{self.name}: {last}{end} after {seconds:.1f} s")
        if self.overwrites:
            self._emit("\n")

    def _write(self, text: str) -> None:
        if not self.overwrites:
            self._emit(text + "\n")
            return
        self._emit("\r" + text.ljust(self._length))
        self._length = len(text)

    def _emit(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # stderr may be closed
            self.file.write(text)
            self.file.flush()


def is_live(file: TextIO | None) -> bool:
    """Whether a line in this file can be overwritten: on a terminal, and in a notebook.

    >>> import io
    >>> is_live(io.StringIO())
    False
    """
    if type(file).__module__.startswith("ipykernel."):
        return True
    try:
        return file is not None and file.isatty()
    except ValueError:  # the file is closed
        return False


class Wait(NamedTuple):
    """A kernel that this process has compiled."""

    name: str
    seconds: float


class _Waits(threading.local):
    """How deep this thread is in compiling."""

    depth = 0


_inside = _Waits()
_listeners: ContextVar[tuple[tuple[Listener, Any], ...]] = ContextVar("listeners", default=())
"""Who listens, and the ``progress`` callback that it listens for, if for any."""
waits: list[Wait] = []
"""What this process has compiled, in order."""


def spent() -> float:
    """Seconds that this process has compiled.

    >>> spent() >= 0
    True
    """
    return sum(wait.seconds for wait in waits)


@contextlib.contextmanager
def compiling(name: str, directory: str | None) -> Iterator[None]:
    """Tell listeners of a kernel that is compiled now, and kept in ``directory``, if in any."""
    if _inside.depth:  # a part of another kernel
        yield
        return
    kept = "it is not kept" if directory is None else f"once; kept in {_from_home(directory)}"
    begun = time.monotonic()
    _inside.depth = 1
    try:
        _tell(f"compiling {name}, {kept}")
        yield
    finally:
        _inside.depth = 0
        waits.append(Wait(name, time.monotonic() - begun))
        _tell(None)


def _from_home(directory: str) -> str:
    """A directory in the user's home as ``~/…``."""
    home = os.path.expanduser("~")
    inside = directory.startswith(home + os.sep)
    return f"~{directory[len(home) :]}" if inside else directory


def _tell(message: str | None) -> None:
    for listener, _ in _listeners.get():
        listener(message)


@contextlib.contextmanager
def listen(listener: Listener, progress: Report | None = None) -> Iterator[None]:
    """Call ``listener`` whenever compiling begins or ends, in the thread that compiles.

    It hears of the kernels that are compiled for the caller, also by other threads, and not of
    those for other threads of the user: it may raise an error to end a job.
    """
    before = _listeners.set((*_listeners.get(), (listener, progress)))
    try:
        yield
    finally:
        _listeners.reset(before)


@contextlib.contextmanager
def _with_compiling(progress: Report) -> Iterator[Report]:
    """Report waits for the compiler to a callback, too, if it does not hear of them already."""
    known = any(progress is other for _, other in _listeners.get())
    if known or getattr(progress, "listens", False):
        yield progress
        return

    def tell(message: str | None) -> None:
        if message is not None:
            progress(0, 0, message)

    with listen(tell, progress):
        yield progress


@contextlib.contextmanager
def reporting(progress: Progress, name: str) -> Iterator[Report | None]:
    """The function to call with reports, or None: for True, one that shows a line on stderr.

    ``name`` is the name of the work, which begins the line.

    >>> with reporting(print, "count") as report:
    ...     report(1, 2, "counted")
    1 2 counted
    >>> with reporting(lambda done, total, stage: print(stage), "f"), compiling("f", None):
    ...     pass
    compiling f, it is not kept
    >>> with reporting(False, "count") as report:
    ...     print(report)
    None
    >>> with reporting("yes", "count") as report:
    ...     pass
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: progress: expected True, False, None or a function of \
(done, total, stage), got 'yes'
    """
    if progress is True:
        with ProgressLine(name) as line, _with_compiling(line):
            yield line
    elif progress is None or progress is False:
        yield None
    elif callable(progress):
        with _with_compiling(progress):
            yield progress
    else:
        raise InvalidOptionError(
            "progress: expected True, False, None or a function of (done, total, stage), "
            f"got {progress!r}"
        )
