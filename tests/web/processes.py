"""What processes do, as Linux tells it."""

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor

from tests.limits import HANG


def exists(pid):
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid):
    """The processes that a process has started."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                if file.read().rpartition(")")[2].split()[1] == str(pid):
                    found.append(int(name))
        except OSError:
            continue
    return found


def seconds_of(pid):
    """The seconds of the processor that a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(condition, seconds=HANG):
    """Wait until a condition holds; a wait that is too long fails."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this does not happen"
        time.sleep(0.02)


def run_apart(coroutine):
    """The result of a coroutine in a thread of its own; Playwright keeps a loop in the main one."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()
