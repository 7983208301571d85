"""``--timeout``: a limit of time for a command, also inside compiled code.

When the time is up a signal interrupts Python. Compiled code does not react to signals; if it is
still running after a moment, another thread prints the message and ends the process. Files are
written outside the limit, so none is left half-written.
"""

import contextlib
import math
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

import click

STATUS = 124
"""The exit status of a command whose time is up, as of the program ``timeout``."""

GRACE_SECONDS = 0.5
"""Seconds in which Python has to react before the process is ended."""

MIN_TIMER_SECONDS = 1e-4
"""The least number of seconds after which a signal is sent."""

MAX_SECONDS = 1e8
"""The most seconds that can be given, about three years."""


class OutOfTime(KeyboardInterrupt):
    """The time that ``--timeout`` gives is up; the message says so."""


def seconds_option(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
    """A number of seconds from the command line."""
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MAX_SECONDS:  # NaN is refused, too
        raise click.BadParameter(
            f"expected a number of seconds above 0, at most {MAX_SECONDS:.0e}, got {text!r}",
            param_hint="--timeout",
        )
    return seconds


def time_is_up(name: str, seconds: float) -> str:
    """The message that there is no answer in time.

    >>> time_is_up("game.pg", 0.5)
    'game.pg: there is no answer after 0.5 s, the limit of --timeout; nothing is written'
    """
    return (
        f"{name}: there is no answer after {seconds:g} s, the limit of --timeout; "
        "nothing is written"
    )


class Deadline:
    """A limit of time for the body of a ``with`` statement; no limit if ``seconds`` is None.

    ``name`` is the game that the message names. ``before_exit`` is called before the process is
    ended because compiled code does not react.

    >>> with Deadline(60, "game.pg") as deadline:
    ...     deadline.expired
    False
    """

    def __init__(
        self, seconds: float | None, name: str, before_exit: Callable[[], None] | None = None
    ) -> None:
        self.seconds, self.expired = seconds, False
        self.message = time_is_up(name, seconds or 0)
        self._before_exit = before_exit
        self._watch: threading.Timer | None = None
        self._armed = False
        self._previous: Any = None
        self._hook: Any = None

    def __enter__(self) -> "Deadline":
        if self.seconds is None:
            return self
        main = threading.current_thread() is threading.main_thread()
        signals = main and hasattr(signal, "setitimer")
        self._watch = threading.Timer(self.seconds + (GRACE_SECONDS if signals else 0.0), self._end)
        self._watch.daemon = True
        self._watch.start()
        if signals:  # last: a signal that comes before the body waits for it
            self._previous = signal.signal(signal.SIGALRM, self._raise)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._raise_again
            self._armed = True
            signal.setitimer(signal.ITIMER_REAL, max(self.seconds, MIN_TIMER_SECONDS))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._armed:  # first: no signal interrupts what follows
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous or signal.SIG_DFL)
            sys.unraisablehook = self._hook
        if self._watch is not None:
            self._watch.cancel()
        if self.expired and error is not None:  # what the interrupted code made of the signal, too
            raise OutOfTime(self.message) from None

    def _raise(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the body; before it the signal is sent again, after it there is no need."""
        code = None if frame is None else frame.f_code
        if code is Deadline.__exit__.__code__:
            return
        if code is Deadline.__enter__.__code__:  # an error here would leave the watch running
            signal.setitimer(signal.ITIMER_REAL, MIN_TIMER_SECONDS)
            return
        self.expired = True
        raise OutOfTime(self.message)

    def _raise_again(self, lost: "sys.UnraisableHookArgs") -> None:
        """Python ignores what is raised in a callback of a weak reference or in ``__del__``."""
        if isinstance(lost.exc_value, OutOfTime):
            signal.setitimer(signal.ITIMER_REAL, MIN_TIMER_SECONDS)
        else:
            self._hook(lost)

    def _end(self) -> None:
        """End the process: compiled code is running, and nothing else can stop it."""
        with contextlib.suppress(Exception):
            if self._before_exit is not None:
                self._before_exit()
        with contextlib.suppress(Exception):
            print(f"zermelo: {self.message}", file=sys.stderr, flush=True)
        os._exit(STATUS)
