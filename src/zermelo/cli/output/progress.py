"""A progress bar on stderr: only on a terminal, and only for long computations."""

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from zermelo._runtime.progress import SoFar, listen, shown_progress
from zermelo.cli.output.show import note, on_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS_BEFORE_BAR = 0.5
"""Seconds before the bar appears."""

SECONDS_BEFORE_NOTE = 1.0
"""Seconds of compiling that a command without a bar explains."""


class Meter:
    """The ``progress`` callback of every command; use it in a ``with`` statement.

    >>> with Meter() as meter:
    ...     meter.stage("solving")
    ...     meter(1, 2, "settled")
    """

    open = 0
    """How many are in use."""

    listens = True
    """It learns by itself when compiling begins and ends."""

    def __init__(self) -> None:
        self._watched = on_terminal(sys.stderr)
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._closed = False
        self._what, self._done, self._total = "working", 0, 0
        self._waits = ExitStack()
        self._waiting: str | None = None

    def __enter__(self) -> "Meter":
        Meter.open += 1
        if self._watched:
            self._timer = threading.Timer(SECONDS_BEFORE_BAR, self._show)
            self._timer.daemon = True
            self._timer.start()
            self._waits.enter_context(listen(self._compiling))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._waits.close()
        Meter.open -= 1
        self.close()

    def close(self) -> None:
        """Take the bar away; nothing is shown from now on."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def stage(self, what: str) -> None:
        """Name the stage that begins now; its total is not known yet."""
        self(0, 0, what)

    def __call__(self, done: int, total: int, what: str) -> None:
        """Report how much of a stage is done."""
        self._what, self._done, self._total = what, done, total
        self._draw(done, total, what)

    def _compiling(self, message: str | None) -> None:
        """Show a wait for the compiler in place of the stage, then the stage again."""
        self._waiting = message
        if message is not None:
            self._draw(0, 0, message)
        else:
            self._draw(self._done, self._total, self._what)

    def _draw(self, done: int, total: int, what: str) -> None:
        if self._bar is None or self._task is None:
            return
        what, share = _described(done, total, what)
        if share is not None:
            self._bar.update(self._task, completed=done, total=share, description=what)
        elif self._bar.tasks[0].total is None:
            self._bar.update(self._task, description=what)
        else:  # rich takes a total of None for no change
            self._bar.remove_task(self._task)
            self._task = self._bar.add_task(what, total=None)
        self._bar.refresh()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        bar = Progress(
            TextColumn("{task.description}", style="dim"),
            BarColumn(),
            TaskProgressColumn(),
            Elapsed(),
            console=Console(stderr=True),
            transient=True,
        )
        with self._lock:
            if self._closed:
                return
            bar.start()
            shown, total = _described(self._done, self._total, self._what)
            if self._waiting:
                shown, total = self._waiting, None
            self._task = bar.add_task(shown, completed=self._done, total=total)
            self._bar = bar


def _described(done: int, total: int, what: str) -> tuple[str, int | None]:
    """What the bar says, and the total of which it shows a share; None where there is none.

    >>> _described(3, 4, "settled"), _described(3, SoFar(4), "explored")
    (('settled', 4), ('explored, 3 of 4 found so far', None))
    """
    if isinstance(total, SoFar):
        return shown_progress(done, total, what), None
    return what, total or None


@contextmanager
def explained() -> Iterator[None]:
    """Say on a terminal what the process waits for if it compiles while there is no bar."""
    timer: threading.Timer | None = None

    def tell(message: str | None) -> None:
        nonlocal timer
        if timer is not None:
            timer.cancel()
            timer = None
        if message is not None and not Meter.open:
            timer = threading.Timer(SECONDS_BEFORE_NOTE, note, (message,))
            timer.daemon = True
            timer.start()

    if not on_terminal(sys.stderr):
        yield
        return
    with listen(tell):
        yield
