"""Run the rules of a user: what they print goes to stderr, and their errors name the rules."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def running_rules(rules: Any = None) -> Iterator[None]:
    """Run rules: their output goes to stderr, and an exception in them is an error of the rules.

    >>> with running_rules():
    ...     print("this is not on standard output")
    """
    from zermelo.rules.faults import blaming

    with redirect_stdout(sys.stderr), blaming(rules):
        yield


def prints_to_stderr(method: Callable[P, R]) -> Callable[P, R]:
    """The method with its standard output sent to stderr, where prints of rules mix with nothing.

    >>> prints_to_stderr(print)("this is not on standard output")
    """

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with redirect_stdout(sys.stderr):
            return method(*args, **kwargs)

    return call
