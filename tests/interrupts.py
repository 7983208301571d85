"""Processes that hear Ctrl-C, however the tests themselves were started.

A shell starts ``pytest … &`` with the interrupt signal ignored, and what ignores a signal hands
that on to its children.
"""

import signal
import subprocess
from typing import Any


def start(command: list[str], **options: Any) -> "subprocess.Popen[Any]":
    """Start a process whose interrupt signal is as in a terminal."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(command, restore_signals=True, **options)
    finally:
        signal.signal(signal.SIGINT, before)
