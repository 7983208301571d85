"""A worker process of the server: it reads requests from a pipe, answers, and reports progress.

Whatever a request does, an endless loop in a user's rules or a crash, happens here and not in the
server. The pipes are moved to other descriptors first, so what rules print goes to stderr and mixes
with nothing.

The work of a request ends in three ways before its time: the server asks to stop, which the next
report of progress obeys; the server ends this process; or the server itself ends, whatever the
reason, which closes the pipe (and on Linux sends a signal, also in the midst of a kernel).
"""

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from io import RawIOBase
from typing import Any

import msgspec

from zermelo._runtime.progress import SoFar, reporting, shown_progress
from zermelo.errors import CertificateError, LimitError, ZermeloError
from zermelo.rules.faults import place_in_rules
from zermelo.web.api import endpoints
from zermelo.web.api.call import Call, Endpoint
from zermelo.web.api.schema import Request
from zermelo.web.api.strict_json import encode
from zermelo.web.server import frames
from zermelo.web.settings import Settings

REPORT_SECONDS = 0.1
"""Seconds between two reports of progress."""

PR_SET_PDEATHSIG = 1
"""The number of a service of Linux: a signal when the parent ends."""


class Stopped(BaseException):
    """The server has asked to stop; no function of the interface may catch this."""


class Channel:
    """The pipes to the server; a thread reads them, so a message to stop is read at once."""

    def __init__(self, requests: RawIOBase, answers: RawIOBase) -> None:
        self.requests, self.answers = requests, answers
        self.waiting: queue.SimpleQueue[frames.Frame] = queue.SimpleQueue()
        self.stopped = -1
        """The number of the last request that is to stop."""

    def listen(self) -> None:
        """Read messages until the pipe is closed; then this process ends, whatever it does."""
        try:
            while (frame := frames.read(self.requests)) is not None:
                if frame.kind == frames.STOP:
                    self.stopped = frame.number
                else:
                    self.waiting.put(frame)
        finally:
            os._exit(0)

    def send(self, kind: bytes, number: int, payload: bytes = b"") -> None:
        """Write a message; if nobody reads any more, this process ends."""
        rest = memoryview(frames.pack(kind, number, payload))
        try:
            while rest:
                rest = rest[self.answers.write(rest) :]
        except OSError:
            os._exit(0)


def main() -> None:
    """Answer requests until the pipe is closed."""
    _end_with_server()
    channel = Channel(*_private_pipes())
    first = frames.read(channel.requests)
    if first is None:
        return
    settings = msgspec.json.decode(first.payload, type=Settings)
    _bound_memory(settings.limits.memory)
    rows = {f"{row.method} {row.path}": row for row in endpoints.ENDPOINTS}
    threading.Thread(target=channel.listen, daemon=True).start()
    channel.send(frames.READY, 0)
    while True:
        frame = channel.waiting.get()
        name, _, body = frame.payload.partition(b"\n")
        kind, payload = _outcome(channel, frame.number, rows[name.decode()], body, settings)
        channel.send(kind, frame.number, payload)


def _outcome(
    channel: Channel, number: int, row: Endpoint, body: bytes, settings: Settings
) -> tuple[bytes, bytes]:
    """The kind and the bytes of the last message of a request."""

    def send(message: dict[str, Any]) -> None:
        channel.send(frames.PROGRESS, number, encode(message["progress"]))

    def stopped() -> bool:
        return channel.stopped == number

    try:
        found = answer(row, msgspec.json.decode(body, type=row.request), settings, send, stopped)
    except Stopped:
        found = failure("stopped", "the request was stopped")
    if "error" not in found:
        try:
            payload = encode(found["answer"])
        except (TypeError, ValueError, RecursionError) as error:
            found = _fault(row, error, "the answer cannot be written as JSON")
        except MemoryError:
            found = failure("limit", "the answer needs more memory than a worker may have")
        else:
            if len(payload) <= frames.LONGEST:
                return frames.ANSWER, payload
            found = failure("limit", f"the answer has more than {frames.LONGEST:,} bytes")
    return frames.ERROR, encode(found)


def answer(
    row: Endpoint, request: Request, settings: Settings, send: Any, stopped: Any = None
) -> dict[str, Any]:
    """The answer to a request, or the error that it ends with, as the server passes it on.

    ``send`` gets reports of progress. ``stopped`` says whether to stop: then the next report raises
    :class:`Stopped`.

    >>> from zermelo.web.api.schema import Nothing
    >>> found = answer(endpoints.ENDPOINTS[0], Nothing(), Settings(), print)
    >>> found["answer"]["name"]
    'zermelo'
    """
    last = 0.0

    def report(done: int, total: int, stage: str) -> None:
        nonlocal last
        if stopped is not None and stopped():
            raise Stopped
        now = time.monotonic()
        if now - last >= REPORT_SECONDS:
            last = now
            stage = str(stage).partition("; kept in ")[0]  # without a folder of this machine
            if isinstance(total, SoFar):
                stage, done, total = shown_progress(done, total, stage), 0, 0
            send({"progress": {"done": int(done), "total": int(total), "stage": stage}})

    try:
        with reporting(report, "answer"):
            return {"answer": row.function(Call(request, settings, report))}
    except LimitError as error:
        return _refused("limit", str(error), settings)
    except CertificateError as error:
        return failure("fault", f"a fault of ours, the certificate does not hold: {error}")
    except ZermeloError as error:
        return _refused("invalid", str(error), settings)
    except MemoryError:
        return failure("limit", "the work needs more memory than a worker of this server may have")
    except RecursionError:
        return failure("limit", "the request is nested too deeply")
    except (Exception, SystemExit) as error:
        place = place_in_rules(error)
        if place is None:
            return _fault(row, error)
        where = f"{os.path.basename(place[0])}:{place[1]}"
        reason = f"{where}: the rules fail: {type(error).__name__}: {error}"
        return _refused("invalid", reason, settings)


def failure(kind: str, message: str) -> dict[str, Any]:
    """An error as a message.

    >>> failure("limit", "too large")
    {'error': {'kind': 'limit', 'message': 'too large'}}
    """
    return {"error": {"kind": kind, "message": " ".join(message.split())}}


def _fault(row: Endpoint, error: BaseException, reason: str = "") -> dict[str, Any]:
    """A fault of ours: the terminal of the server shows all of it, the client its kind."""
    name = type(error).__name__
    print(f"zermelo: a fault of ours in {row.method} {row.path}: {name}: {error}", file=sys.stderr)
    if os.environ.get("ZERMELO_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    return failure("fault", f"a fault of ours, {name}{f': {reason}' if reason else ''}")


def _refused(kind: str, message: str, settings: Settings) -> dict[str, Any]:
    """An error that calls the files of the command line by their names, not by their paths."""
    served = settings.served
    if served is not None and served.kind != "game" and served.solved is None:
        for source in filter(None, (served.source, served.rules)):
            message = _without_folders(message, source)
    return failure(kind, message)


def _without_folders(message: str, source: str) -> str:
    """A message in which a file, or a class in a file of rules, has no folder.

    >>> _without_folders("/home/ada/nim.py:Nim has no moves", "/home/ada/nim.py:Nim")
    'nim.py:Nim has no moves'
    """
    file = source.partition(".py:")[0]
    paths = [source, file]
    # The current directory may be gone, and a file on another drive has no relative path.
    with contextlib.suppress(OSError, ValueError):
        paths = [source, os.path.relpath(source), file, os.path.relpath(file)]
    for path in paths:
        message = message.replace(path, os.path.basename(path))
    with contextlib.suppress(OSError, ValueError):
        message = message.replace(os.path.join(os.path.dirname(os.path.abspath(file)), ""), "")
    return message


def _private_pipes() -> tuple[RawIOBase, RawIOBase]:
    """Standard input and output under other numbers; 0 becomes the null device, and 1 stderr."""
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _end_with_server() -> None:
    """Ask Linux to end this process with the server, even in the midst of a kernel."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _bound_memory(size: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            size = min(size, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


if __name__ == "__main__":
    main()
