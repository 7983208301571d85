"""A progress bar on stderr: only on a terminal, and only for long computations."""

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

from zermelo.cli.show import on_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 0.5
"""Seconds before the bar appears."""


class Meter:
    """The ``progress`` callback of every command; use it in a ``with`` statement.

    >>> with Meter() as meter:
    ...     meter.stage("solving")
    ...     meter(1, 2, "settled")
    """

    def __init__(self) -> None:
        self._watched = on_terminal(sys.stderr)
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._closed = False
        self._what, self._done, self._total = "working", 0, 0

    def __enter__(self) -> "Meter":
        if self._watched:
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        if self._bar is None or self._task is None:
            return
        if total:
            self._bar.update(self._task, completed=done, total=total, description=what)
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
            total = self._total or None
            self._task = bar.add_task(self._what, completed=self._done, total=total)
            self._bar = bar
