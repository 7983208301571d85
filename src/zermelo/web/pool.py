"""The worker processes of a server: who gets a request, and how its work ends.

A worker answers one request at a time. It is ended if the time of the request is up or
the client has gone; the next request gets a new process. Requests that have the same key go to the
same worker, which may still have the solved game in memory.
"""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from zermelo.web.endpoints import Endpoint
from zermelo.web.settings import Settings
from zermelo.web.worker import failure

LONGEST_MESSAGE = 256 << 20
"""Bytes of one answer of a worker."""

GRACE = 0.2
"""Seconds that a worker gets to end the request of a client that has gone, before it is ended."""

STARTING = 60.0
"""Seconds in which a new worker must be ready."""

MOST_KEYS = 8
"""The number of keys that a worker is remembered by."""

Tell = Callable[[dict[str, Any]], Any]


class Worker:
    """One process and the lock that says who uses it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lock = asyncio.Lock()
        self.waiting = 0
        self.keys: list[str] = []
        """The keys of the last requests, which this process may still know."""
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        """The process; a new one if there is none."""
        if self.process is not None and self.process.returncode is None:
            return self.process
        self.keys.clear()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "zermelo.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_MESSAGE,
            start_new_session=os.name == "posix",  # Ctrl-C is for the server, which ends workers
        )
        await self._write(self.settings.for_workers())
        await asyncio.wait_for(self._read(), STARTING)
        return self.process

    async def ask(self, method: str, path: str, request: dict[str, Any], tell: Tell) -> Any:
        """Send a request and wait for its answer; progress goes to ``tell``."""
        await self.start()
        await self._write({"method": method, "path": path, "request": request})
        while True:
            message = await self._read()
            if "progress" not in message:
                return message
            tell(message)

    async def end(self) -> None:
        """End the process, whatever it does."""
        process, self.process = self.process, None
        self.keys.clear()
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _write(self, message: dict[str, Any]) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        await self.process.stdin.drain()

    async def _read(self) -> Any:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError
        return json.loads(line)


class Pool:
    """All workers of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workers = [Worker(settings) for _ in range(settings.workers)]

    def busy(self) -> int:
        """The number of requests that are answered or wait.

        >>> Pool(Settings()).busy()
        0
        """
        return sum(worker.waiting for worker in self.workers)

    async def ask(self, row: Endpoint, request: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """The answer to a request, or an error; cancelling this ends the work."""
        limits = self.settings.limits
        if self.busy() >= limits.waiting:
            return failure("busy", "the server has too many requests at work; try again later")
        key = None if row.key is None else str(request.get(row.key))
        worker = self._choose(key)
        worker.waiting += 1
        try:
            async with worker.lock:
                return await self._asked(worker, key, row, request, tell)
        finally:
            worker.waiting -= 1

    async def _asked(
        self, worker: Worker, key: str | None, row: Endpoint, request: dict[str, Any], tell: Tell
    ) -> dict[str, Any]:
        seconds = self.settings.limits.seconds
        work = asyncio.ensure_future(worker.ask(row.method, row.path, request, tell))
        try:
            answer: dict[str, Any] = await asyncio.wait_for(asyncio.shield(work), seconds)
        except TimeoutError:
            await self._stop(worker, work)
            return failure("limit", f"the work was stopped after {seconds:g} seconds")
        except asyncio.CancelledError:
            done, _ = await asyncio.wait([work], timeout=GRACE)
            if not done:
                await self._stop(worker, work)
            raise
        except (EOFError, ValueError, BrokenPipeError, ConnectionResetError):
            await self._stop(worker, work)
            return failure(
                "limit", "the worker ended in the midst of this request, probably out of memory"
            )
        if key is not None and key not in worker.keys:
            worker.keys[:] = [*worker.keys, key][-MOST_KEYS:]
        return answer

    def _choose(self, key: str | None) -> Worker:
        """The worker that knows the key, else the one with the fewest requests."""
        knows = [x for x in self.workers if key is not None and key in x.keys]
        return min(knows or self.workers, key=lambda x: x.waiting)

    async def _stop(self, worker: Worker, work: "asyncio.Future[Any]") -> None:
        await worker.end()
        work.cancel()
        with contextlib.suppress(BaseException):
            await work

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.end() for worker in self.workers))
