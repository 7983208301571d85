"""Running the rules of a user: what they print goes to stderr, and their faults are theirs."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def at_work(rules: Any = None) -> Iterator[None]:
    """Run rules: their output goes to stderr, and their exceptions are reported as their faults.

    >>> with at_work():
    ...     print("this is not on standard output")
    """
    from zermelo.rules.faults import blaming

    with redirect_stdout(sys.stderr), blaming(rules):
        yield


def aside(method: Callable[P, R]) -> Callable[P, R]:
    """The method with standard output sent to stderr, so that prints of rules do not mix in.

    >>> aside(print)("this is not on standard output")
    """

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with redirect_stdout(sys.stderr):
            return method(*args, **kwargs)

    return call
