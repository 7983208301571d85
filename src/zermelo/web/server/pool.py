"""The worker processes of a server: who gets a request, and how its work ends.

A worker answers one request at a time; the others wait in its queue. A request is settled exactly
once: by the worker, by the clock, by a client that has gone, or by the end of the server. If it is
settled while the worker is at it, the worker is asked to stop, so that it may keep the games that
it has solved; if it does not obey soon, the process is ended, and the next request gets a
new one. Requests that have the same key go to the same worker, which may still have the solved game
in memory.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zermelo.web.api import endpoints
from zermelo.web.api.call import Endpoint
from zermelo.web.api.strict_json import encode, parse
from zermelo.web.server import frames
from zermelo.web.server.worker import failure
from zermelo.web.settings import Settings

STOP_SECONDS = 0.5
"""Seconds in which a worker must end a request that it is asked to stop, or else it is ended."""

START_SECONDS = 120.0
"""Seconds in which a new worker must be ready."""

MAX_KEYS = 8
"""The number of keys that a worker is remembered by."""

LONG_QUEUE = 4
"""A worker with so many requests gives the next one to an idle worker, though it knows the key."""

PROGRAM = (
    "import sys; sys.path.append(sys.argv[1]); import zermelo.web.server.worker as w; w.main()"
)
"""What a worker process runs. Its directory is not on the path: no file there is ever run."""

Tell = Callable[[bytes], object]
"""Gets reports of progress, as JSON."""


class Outcome(NamedTuple):
    """How a request has ended."""

    error: str | None
    """The kind of the error, or None."""
    body: bytes
    """The answer, or an object with the member ``error``, as JSON."""


def failed(kind: str, message: str) -> Outcome:
    """The outcome of a request that has failed.

    >>> failed("busy", "try again later").body
    b'{"error":{"kind":"busy","message":"try again later"}}'
    """
    return Outcome(kind, encode(failure(kind, message)))


class Job:
    """A request on its way; ``outcome`` is settled once, and cancelled if nobody waits for it."""

    def __init__(self, row: Endpoint, request: bytes, tell: Tell, late: Outcome) -> None:
        self.name = f"{row.method} {row.path}".encode()
        self.request, self.tell = request, tell
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.late = late
        """The outcome if the time is over."""
        self.clock: asyncio.Timeout | None = None

    def settle(self, outcome: Outcome) -> None:
        """Say how the request has ended, unless it is settled already."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def set_clock(self, seconds: float | None) -> None:
        """Let the request end after so many seconds, or wait as long as it takes."""
        end = None if seconds is None else asyncio.get_running_loop().time() + seconds
        if self.clock is not None and not self.outcome.done():
            self.clock.reschedule(end)


class Worker:
    """One process, and the requests that wait for it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.keys: deque[str] = deque(maxlen=MAX_KEYS)
        """The keys of the last requests, which the process may still know."""
        self.jobs: deque[Job] = deque()
        self.job: Job | None = None
        """The request that is answered now."""
        self.runner: asyncio.Task[None] | None = None
        self.process: asyncio.subprocess.Process | None = None
        self.number = 0
        """The number of the last request."""

    def load(self) -> int:
        """The number of requests that are answered or wait."""
        return len(self.jobs) + (self.job is not None)

    def add(self, job: Job) -> None:
        """Put a request into the queue; it leaves the queue if it is settled before its turn."""
        self.jobs.append(job)
        job.outcome.add_done_callback(lambda _: self._forget(job))
        if self.runner is None or self.runner.done():
            self.runner = asyncio.get_running_loop().create_task(self._run())

    def _forget(self, job: Job) -> None:
        with contextlib.suppress(ValueError):
            self.jobs.remove(job)

    async def _run(self) -> None:
        """Answer the requests of the queue, one by one; nothing cancels this but the end."""
        while self.jobs:
            self.job = self.jobs.popleft()
            try:
                if not self.job.outcome.done():
                    await self._answer(self.job)
            finally:
                self.job = None

    async def _answer(self, job: Job) -> None:
        job.set_clock(None)
        try:
            await self.start()
        except Exception:
            await self.end()
            job.settle(
                failed("fault", "a worker process does not start; the server's terminal says why")
            )
            return
        if job.outcome.done():
            return
        seconds = self.settings.limits.seconds
        job.late = failed("limit", f"the work was stopped after {seconds:g} seconds")
        job.set_clock(seconds)
        stopper = _Stopper(self, job)
        try:
            await self._send(frames.REQUEST, self.number, job.name + b"\n" + job.request)
            outcome = await self._last(job)
            stopper.done()
            job.settle(outcome)
        except Exception:
            status = await self.end()
            job.settle(
                failed(
                    "limit",
                    f"the worker process ended in the midst of this request (status {status}); "
                    "it may have run out of memory",
                )
            )
        finally:
            stopper.done()

    async def _last(self, job: Job) -> Outcome:
        """The last message of a request; reports before it are passed on."""
        while True:
            frame = await self._receive()
            if frame.number != self.number:
                raise ValueError("a message of another request")
            if frame.kind == frames.ANSWER:
                return Outcome(None, frame.payload)
            if frame.kind == frames.ERROR:
                return Outcome(parse(frame.payload)["error"]["kind"], frame.payload)
            if not job.outcome.done():
                job.tell(frame.payload)

    async def start(self) -> None:
        """Start a process if there is none, and wait until it is ready."""
        self.number = (self.number + 1) % (1 << 32)
        if self.process is not None and self.process.returncode is None:
            return
        if self.process is not None:
            await self.end()
        source = str(Path(__file__).resolve().parents[3])
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", PROGRAM, source,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
            start_new_session=os.name == "posix",  # Ctrl-C is for the server, which ends workers
        )  # fmt: skip
        await self._send(
            frames.SETTINGS, 0, msgspec.json.encode(replace(self.settings, token=None))
        )
        frame = await asyncio.wait_for(self._receive(), START_SECONDS)
        if frame.kind != frames.READY:
            raise ValueError("a message before the process is ready")

    async def end(self) -> int | None:
        """End the process, whatever it does; its exit status."""
        process, self.process = self.process, None
        self.keys.clear()
        if process is None:
            return None
        kill(process)
        if process.stdin is not None:
            process.stdin.close()
        return await process.wait()

    async def _send(self, kind: bytes, number: int, payload: bytes = b"") -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(frames.pack(kind, number, payload))
        await self.process.stdin.drain()

    async def _receive(self) -> frames.Frame:
        assert self.process is not None
        assert self.process.stdout is not None
        return await frames.receive(self.process.stdout)

    async def close(self) -> None:
        """End the process and all requests."""
        for job in [*self.jobs, *([self.job] if self.job is not None else [])]:
            job.settle(failed("busy", "the server ends"))
        if self.runner is not None:
            self.runner.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.runner
        await self.end()


class _Stopper:
    """Ends the work of a request that is settled before the worker has answered."""

    def __init__(self, worker: Worker, job: Job) -> None:
        assert worker.process is not None
        self.process, self.number, self.job = worker.process, worker.number, job
        self.timer: asyncio.TimerHandle | None = None
        self.needed = True
        job.outcome.add_done_callback(self._stop)

    def _stop(self, _: Any) -> None:
        if not self.needed:
            return
        stdin = self.process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(frames.pack(frames.STOP, self.number))
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(STOP_SECONDS, kill, self.process)

    def done(self) -> None:
        """The worker has answered or is gone; there is nothing to stop."""
        self.needed = False
        self.job.outcome.remove_done_callback(self._stop)
        if self.timer is not None:
            self.timer.cancel()


def kill(process: asyncio.subprocess.Process) -> None:
    """End a process and those that it has started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


class Pool:
    """All workers of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workers = [Worker(settings) for _ in range(settings.workers)]
        self.closed = False

    def busy(self) -> int:
        """The number of requests that are answered or wait.

        >>> Pool(Settings()).busy()
        0
        """
        return sum(worker.load() for worker in self.workers)

    async def ask(
        self, row: Endpoint, request: bytes, key: str | None = None, tell: Tell = lambda _: None
    ) -> Outcome:
        """The outcome of a request; cancelling this ends its work."""
        limits = self.settings.limits
        if self.closed:
            return failed("busy", "the server ends")
        if self.busy() >= limits.waiting:
            return failed("busy", "the server has too many requests at work; try again later")
        sentence = f"all workers were busy for {limits.seconds:g} seconds; try again later"
        job = Job(row, request, tell, failed("busy", sentence))
        try:
            async with asyncio.timeout(limits.seconds) as job.clock:
                self._choose(key).add(job)
                return await job.outcome
        except TimeoutError:
            return job.late

    def _choose(self, key: str | None) -> Worker:
        """The worker that knows the key, else the one with the fewest requests."""
        chosen = least = min(self.workers, key=Worker.load)
        if key is not None:
            knows = [worker for worker in self.workers if key in worker.keys]
            if knows:
                chosen = min(knows, key=Worker.load)
                if chosen.load() >= LONG_QUEUE and not least.load():
                    chosen = least
            if key not in chosen.keys:
                chosen.keys.append(key)
        return chosen

    async def warm(self) -> None:
        """Start one worker before it is needed."""
        await self.ask(endpoints.ENDPOINTS[0], b"{}")

    async def close(self) -> None:
        """End all processes and all requests."""
        self.closed = True
        await asyncio.gather(*(worker.close() for worker in self.workers))
