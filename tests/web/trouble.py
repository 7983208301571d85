"""Endpoints that do what no endpoint should: crash, never end, answer nonsense, take all memory.

:func:`install` adds them to the table of endpoints in this process and in its workers. As a program
this file is the command with them: ``python tests/web/trouble.py serve --port 0``.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from zermelo.web.api import endpoints
from zermelo.web.api.call import Call, Endpoint
from zermelo.web.api.schema import Integer, Natural, Nothing, Request, Text
from zermelo.web.server import pool


class Done(TypedDict):
    done: Any


class Steps(Request):
    seconds: Integer = 1000
    key: Text = ""


class Size(Request):
    size: Natural


class Kind(Request):
    x: Text


class Key(Request):
    key: Text = ""


calls: list[int] = []
"""The process remembers the calls of /remember."""


def steps(call: Call[Steps]) -> Done:
    """Work that reports."""
    begin = time.monotonic()
    while time.monotonic() - begin < call.request.seconds:
        time.sleep(0.01)
        call.report(1, 2, "steps")
    return {"done": os.getpid()}


def stubborn(call: Call[Nothing]) -> Done:
    """Endless work in one call of C, which reports nothing and lets no other thread run."""
    return {"done": sum(range(10**15))}


def crash(call: Call[Nothing]) -> Done:
    os._exit(3)


def signalled(call: Call[Nothing]) -> Done:
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(call: Call[Nothing]) -> Done:
    sys.exit(7)


def memory(call: Call[Size]) -> Done:
    return {"done": len(bytearray(call.request.size))}


def arrays(call: Call[Size]) -> Done:
    return {"done": int(np.ones(call.request.size // 8).sum())}


def huge(call: Call[Size]) -> Done:
    return {"done": "x" * call.request.size}


def odd(call: Call[Kind]) -> Done:
    return {"done": {"nan": float("nan"), "numpy": np.int64(3), "half": "\ud800"}[call.request.x]}


def fail(call: Call[Nothing]) -> Done:
    raise KeyError("/a/path/of/this/machine")


def remember(call: Call[Key]) -> Done:
    calls.append(1)
    return {"done": [os.getpid(), len(calls)]}


def chatter(call: Call[Nothing]) -> Done:
    print("rules print this")
    os.write(1, b"and this\n")
    return {"done": sys.stdin.read()}


def offspring(call: Call[Nothing]) -> Done:
    child = subprocess.Popen(["sleep", "1000"])
    call.report(child.pid, 0, "child")
    child.wait()


ROWS = (
    Endpoint("POST", "/trouble/steps", steps, "key"),
    Endpoint("POST", "/trouble/remember", remember, "key"),
    *(
        Endpoint("POST", f"/trouble/{function.__name__}", function)
        for function in (
            stubborn, crash, signalled, leave, memory, arrays, huge, odd, fail, chatter, offspring,
        )
    ),
)  # fmt: skip

PROGRAM = (
    f"import sys; sys.path[1:1] = [sys.argv[1], {str(Path(__file__).parents[2])!r}]; "
    "from tests.web import trouble; trouble.install(); from zermelo.web.server.worker import main; "
    "main()"
)


def install():
    """Add the endpoints to this process and its workers."""
    remove()
    endpoints.ENDPOINTS = (*endpoints.ENDPOINTS, *ROWS)
    pool.PROGRAM = PROGRAM


def remove():
    """Take them away."""
    endpoints.ENDPOINTS = tuple(row for row in endpoints.ENDPOINTS if row not in ROWS)
    pool.PROGRAM = _ORIGINAL


_ORIGINAL = pool.PROGRAM

if __name__ == "__main__":
    install()
    from zermelo.cli.main import cli

    cli(prog_name="zermelo")
