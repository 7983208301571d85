"""A worker process of the server: it reads requests from a pipe, answers, and reports progress.

Whatever a request does, an endless loop in a user's rules or a crash, happens here and not in
the server, which ends this process if the time is up or the client has gone. Messages are a line of
JSON each. The pipes are moved to other descriptors first, so what rules print goes to stderr and
mixes with nothing.
"""

import contextlib
import json
import os
import sys
import time
from typing import Any, BinaryIO

from zermelo.errors import CertificateError, LimitError, ZermeloError
from zermelo.web.endpoints import Call, Endpoint, all_endpoints
from zermelo.web.settings import Settings, read_settings

PULSE = 0.1
"""Seconds between two reports of progress."""


def main() -> None:
    """Answer requests until the pipe is closed."""
    requests, answers = _private_pipes()
    settings = read_settings(json.loads(requests.readline()))
    _bound_memory(settings.limits.memory)
    rows = {(row.method, row.path): row for row in all_endpoints()}
    _send(answers, {"ready": True})
    while line := requests.readline():
        given = json.loads(line)
        row = rows[given["method"], given["path"]]
        _send(answers, answer(row, given["request"], settings, lambda x: _send(answers, x)))


def answer(row: Endpoint, request: dict[str, Any], settings: Settings, send: Any) -> dict[str, Any]:
    """The answer to a request, or the error that it ends with, as the server passes it on.

    >>> from zermelo.web.endpoints import all_endpoints
    >>> found = answer(all_endpoints()[0], {}, Settings(), print)
    >>> found["answer"]["name"]
    'zermelo'
    """
    last = 0.0

    def report(done: int, total: int, stage: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PULSE:
            last = now
            send({"progress": {"done": int(done), "total": int(total), "stage": str(stage)}})

    try:
        from zermelo._runtime.waiting import report_compiling

        with report_compiling(report):
            return {"answer": row.function()(Call(request, settings, report))}
    except LimitError as error:
        return failure("limit", str(error))
    except CertificateError as error:
        return failure("fault", f"a fault of ours, the certificate does not hold: {error}")
    except ZermeloError as error:
        return failure("invalid", str(error))
    except MemoryError:
        return failure("limit", "the work needs more memory than a worker of this server may have")
    except RecursionError:
        return failure("limit", "the request is nested too deeply")
    except Exception as error:
        where = _in_rules(error)
        if where is not None:
            return failure("invalid", f"{where}: the rules fail: {type(error).__name__}: {error}")
        if os.environ.get("ZERMELO_DEBUG", "0") not in ("", "0"):
            import traceback

            traceback.print_exc()
        return failure("fault", f"a fault of ours, {type(error).__name__}: {error}")


def failure(kind: str, message: str) -> dict[str, Any]:
    """An error as a message.

    >>> failure("limit", "too large")
    {'error': {'kind': 'limit', 'message': 'too large'}}
    """
    return {"error": {"kind": kind, "message": " ".join(message.split())}}


def _in_rules(error: BaseException) -> str | None:
    """The line of a user's rules in which an error was raised, without its directory."""
    trace, found = error.__traceback__, None
    while trace is not None:
        frame = trace.tb_frame
        if str(frame.f_globals.get("__name__", "")).startswith("zermelo_rules_"):
            found = f"{os.path.basename(frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output under other numbers; what is left are nothing and stderr."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _bound_memory(size: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _send(answers: BinaryIO, message: dict[str, Any]) -> None:
    try:
        text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        answers.write(text.encode("utf-8", "replace") + b"\n")
        answers.flush()
    except BrokenPipeError:
        sys.exit(0)


if __name__ == "__main__":
    main()
