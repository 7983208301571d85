"""Standard streams of a process that was started without them, as by ``>&-`` in a shell."""

import errno
import io
import os
import sys
from typing import Any, NoReturn


class Closed(io.TextIOBase):
    """A stream that nobody opened: using it is an error that says so.

    >>> Closed("standard output").write("x")
    Traceback (most recent call last):
    OSError: [Errno 9] standard output is closed
    """

    def __init__(self, stream: str) -> None:
        self._stream = stream

    def _refuse(self, *_: Any) -> NoReturn:
        raise OSError(errno.EBADF, f"{self._stream} is closed")

    def isatty(self) -> bool:
        """It is no terminal."""
        return False

    def flush(self) -> None:
        """There is nothing to flush."""

    @property
    def buffer(self) -> "Closed":
        """The bytes below the text, closed as well."""
        return self

    read = readline = write = fileno = _refuse


def open_streams() -> None:
    """Give this process three streams, even if it was started without them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # so that no file that is opened later gets this number
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = Closed("standard input")
    if sys.stdout is None:
        sys.stdout = Closed("standard output")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                errors="backslashreplace"
            )  # for names that the encoding cannot represent
