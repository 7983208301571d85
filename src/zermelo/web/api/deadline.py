"""Work that reports progress, and gives up with a sentence before the server would end it."""

import time
from collections.abc import Callable
from typing import Any

from zermelo._runtime.progress import Report
from zermelo.errors import LimitError
from zermelo.web.api.call import Call

SHARE = 0.8
"""The share of the time of a request after which work gives up."""


def with_deadline(call: Call[Any], sentence: Callable[[float, int, int], str]) -> Report:
    """A function for ``progress=``; the sentence is made of the seconds, what is done, and all.

    >>> from zermelo.web.api.schema import Nothing
    >>> from zermelo.web.settings import Limits, Settings
    >>> call = Call(Nothing(), Settings(limits=Limits(seconds=-1)), print)
    >>> with_deadline(call, lambda _, done, total: f"{done} of {total} are done")(1, 2, "a stage")
    Traceback (most recent call last):
    zermelo.errors.LimitError: 1 of 2 are done
    """
    seconds = call.settings.limits.seconds
    end = time.monotonic() + SHARE * seconds

    def report(done: int, total: int, stage: str) -> None:
        if time.monotonic() > end and done < total:
            raise LimitError(sentence(seconds, done, total))
        call.report(done, total, stage)

    return report
