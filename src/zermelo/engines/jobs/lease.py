"""Who may run a job whose files are at a URL, where the operating system has no locks.

The driver of a job writes a small file, the lease, and renews it from time to time. The file has a
token of the driver and a count that each renewal raises. Another driver that finds a lease watches
it by its own clock, so the clocks of machines need not agree: if the count rises, the first driver
lives, and the other one is refused. If it stays the same for ``LEASE_SECONDS``, the first driver is
dead, and the other one takes the lease. If the first driver was on this machine, the operating
system knows whether it lives, and nobody has to wait.

Before and after each record of the job is written, the driver reads the lease and makes sure that
it still has it. These are separate requests. A driver that is held up between them for longer than
the lease can spoil the records of its successor. Records and files have checksums, and the names of
snapshots are used once, so the successor would end with a message, and not with a wrong result.
"""

import contextlib
import json
import os
import threading
import time
from typing import Any
from uuid import uuid4

from zermelo._runtime.urls import Remote
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.errors import JobError, StoreError

LEASE = "lease.json"

LEASE_SECONDS = 60.0
"""A lease that was not renewed for so long has ended."""

RENEW_SECONDS = 10.0
"""Time between two renewals."""

SETTLE_SECONDS = 1.0
"""How long a driver waits before it makes sure that no other one took the lease with it."""

LOOK_SECONDS = 1.0
"""Time between two looks at the lease of another driver."""


class Lease:
    """The lease of one job; a thread renews it until :meth:`release`."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.token = uuid4().hex
        self._count = 0
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def take(self, tick: Tick = None) -> bool:
        """Take the lease; return whether no other driver has it."""
        found = self._read()
        if found is None:
            self.remote.create(LEASE, self._content())
        elif self._lives(found, tick):
            return False
        else:
            self._write()
        time.sleep(SETTLE_SECONDS)
        if not self.held():
            return False
        self._thread = threading.Thread(target=self._renew, name="zermelo-lease", daemon=True)
        self._thread.start()
        return True

    def held(self) -> bool:
        """Whether this driver has the lease."""
        found = self._read()
        return found is not None and found.get("token") == self.token

    def check(self) -> None:
        """Refuse to go on if another driver has the lease."""
        if not self.held():
            raise JobError(
                f"{self.remote.url}: another process has taken over this job, because this one did "
                f"not answer for {LEASE_SECONDS:.0f} seconds"
            )

    def release(self) -> None:
        """Give the lease back, if this driver has it."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        with contextlib.suppress(StoreError):
            if self.held():
                self.remote.remove(LEASE)

    # ---------------------------------------------------------------- the file

    def _content(self) -> bytes:
        record = {"token": self.token, "count": self._count, "process": this_process()}
        return json.dumps(record).encode()

    def _write(self) -> None:
        self._count += 1
        self.remote.write(LEASE, self._content())

    def _read(self) -> dict[str, Any] | None:
        """The content of the lease, None if there is none."""
        try:
            found = json.loads(self.remote.read(LEASE))
        except FileNotFoundError:
            return None
        except ValueError:  # it is being written, or it was damaged
            return {}
        return found if isinstance(found, dict) else {}

    def _renew(self) -> None:
        """Renew the lease until it is given back or lost."""
        while not self._end.wait(RENEW_SECONDS):
            with contextlib.suppress(StoreError):  # what it means is found out by the next check
                if not self.held():
                    return
                self._write()

    def _lives(self, found: dict[str, Any], tick: Tick) -> bool:
        """Whether the driver that wrote a lease lives."""
        known = process_lives(found.get("process"))
        if known is not None:
            return known
        begun = time.monotonic()
        while (waited := time.monotonic() - begun) < LEASE_SECONDS:
            tell(tick, int(waited), int(LEASE_SECONDS), "waiting: another process had this job")
            time.sleep(LOOK_SECONDS)
            now = self._read()
            if now is None:
                return False  # it was given back
            if now and now != found:
                return True
        return False


def this_process() -> list[Any] | None:
    """What distinguishes this process from all others on all machines; None if nothing does.

    >>> process_lives(this_process()) in (True, None)
    True
    """
    return _describe(os.getpid())


def process_lives(description: Any) -> bool | None:
    """Whether a process lives; None if it is on another machine, or if that cannot be found out.

    >>> process_lives(None), process_lives(["elsewhere", 1, "0"])
    (None, None)
    """
    if not isinstance(description, list) or len(description) != 3:
        return None
    machine, process, _ = description
    if machine is None or machine != _machine() or not isinstance(process, int):
        return None
    return _describe(process) == description


def _describe(process: int) -> list[Any] | None:
    """The machine, the number of a process, and the time of its start; None if there is none."""
    machine = _machine()
    if machine is None:
        return None
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else [machine, process, fields[19]]


def _machine() -> str | None:
    """A name for this run of this machine and for its numbers of processes, on Linux only."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return None
