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

import numpy as np

import zermelo.web.api.about as about
from zermelo.web import pool
from zermelo.web.endpoints import Endpoint
from zermelo.web.schema import anything, integer, record, text

calls: list[int] = []
"""The process remembers the calls of /remember."""


def steps(call):
    """Work that reports."""
    begin = time.monotonic()
    while time.monotonic() - begin < call.request.get("seconds", 1000):
        time.sleep(0.01)
        call.report(1, 2, "steps")
    return {"done": os.getpid()}


def stubborn(call):
    """Endless work in one call of C, which reports nothing and lets no other thread run."""
    return {"done": sum(range(10**15))}


def crash(call):
    os._exit(3)


def signalled(call):
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(call):
    sys.exit(7)


def memory(call):
    return {"done": len(bytearray(call.request["size"]))}


def arrays(call):
    return {"done": int(np.ones(call.request["size"] // 8).sum())}


def huge(call):
    return {"done": "x" * call.request["size"]}


def odd(call):
    return {
        "done": {"nan": float("nan"), "numpy": np.int64(3), "half": "\ud800"}[call.request["x"]]
    }


def fail(call):
    raise KeyError("/a/path/of/this/machine")


def remember(call):
    calls.append(1)
    return {"done": [os.getpid(), len(calls)]}


def chatter(call):
    print("rules print this")
    os.write(1, b"and this\n")
    return {"done": sys.stdin.read()}


def offspring(call):
    child = subprocess.Popen(["sleep", "1000"])
    call.report(child.pid, 0, "child")
    child.wait()


ANSWER = record({"done": anything()})
NOTHING = record({})
SIZE = record({"size": integer(least=0)})

ROWS = tuple(
    Endpoint("POST", f"/trouble/{function.__name__}", "Trouble",
             f"about:trouble_{function.__name__}", request, ANSWER, key)
    for function, request, key in (
        (steps, record({"seconds": integer(), "key": text()}, optional=("seconds", "key")), "key"),
        (stubborn, NOTHING, None), (crash, NOTHING, None), (signalled, NOTHING, None),
        (leave, NOTHING, None), (memory, SIZE, None), (arrays, SIZE, None), (huge, SIZE, None),
        (odd, record({"x": text()}), None), (fail, NOTHING, None),
        (remember, record({"key": text()}, optional=("key",)), "key"),
        (chatter, NOTHING, None), (offspring, NOTHING, None),
    )
)  # fmt: skip

PROGRAM = (
    f"import sys; sys.path[1:1] = [sys.argv[1], {str(Path(__file__).parents[2])!r}]; "
    "from tests.web import trouble; trouble.install(); import zermelo.web.worker as w; w.main()"
)


def install():
    """Add the endpoints to this process and its workers."""
    if ROWS[0] not in about.ENDPOINTS:
        for row in ROWS:
            name = row.target.partition(":")[2]
            setattr(about, name, globals()[name.removeprefix("trouble_")])
        about.ENDPOINTS = (*about.ENDPOINTS, *ROWS)
    pool.PROGRAM = PROGRAM


def remove():
    """Take them away."""
    about.ENDPOINTS = tuple(row for row in about.ENDPOINTS if row not in ROWS)
    pool.PROGRAM = _ORIGINAL


_ORIGINAL = pool.PROGRAM

if __name__ == "__main__":
    install()
    from zermelo.cli.main import cli

    cli(prog_name="zermelo")
