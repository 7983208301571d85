"""The server as an ASGI application: pages, the JSON interface, and its OpenAPI document.

A request of the interface is checked by its schema and goes to a worker process. With the header
``Accept: application/x-ndjson`` the answer is a stream of lines: ``{"progress": …}`` as often as
there is something to report, and at last ``{"answer": …}`` or ``{"error": …}``. If the client goes
away, the work ends.
"""

import asyncio
import contextlib
import functools
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from zermelo.errors import InvalidOptionError
from zermelo.web.api import endpoints
from zermelo.web.api.call import Endpoint
from zermelo.web.api.endpoints import PREFIX
from zermelo.web.api.openapi import document
from zermelo.web.api.schema import Request as Given
from zermelo.web.api.schema import check, from_query
from zermelo.web.api.strict_json import encode, parse
from zermelo.web.server.pool import Outcome, Pool, Tell, failed
from zermelo.web.server.security import Guard, refuse
from zermelo.web.server.static_files import StaticFiles
from zermelo.web.settings import Settings

STREAM = "application/x-ndjson"

STATUS = {None: 200, "invalid": 422, "limit": 422, "busy": 429, "fault": 500}
"""The status of an answer by the kind of its error."""

LARGE_BODY = 1 << 18
"""A request of more bytes is read in a thread, so that the server answers others meanwhile."""

PART_BYTES = 1 << 18
"""Bytes of an answer that are sent at once."""

MAX_CLIENT_SECONDS = 30.0
"""Seconds that a client has to send its request, and to take each part of the answer."""

MAX_DISCARDED = 256 << 20
"""Bytes of a request that is too large, which are read and forgotten so that the client sees why it
was refused; browsers show no answer that comes while they send."""


def create_app(settings: Settings | None = None) -> Starlette:
    """The application with these settings; its workers start with the first requests.

    >>> app = create_app()
    >>> app.state.pool.busy()
    0
    """
    settings = settings or Settings()
    pool, files = Pool(settings), StaticFiles()
    openapi = encode(document())

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await pool.close()

    async def described(request: Request) -> Response:
        return Response(openapi, media_type="application/json")

    routes = [
        Route(PREFIX + row.path, _handler(row, pool), methods=[row.method])
        for row in endpoints.ENDPOINTS
    ]
    app = Starlette(
        routes=[
            *routes,
            Route(PREFIX + "/openapi.json", described, methods=["GET"]),
            Route("/", files.page, methods=["GET"]),
            Route("/static/{name:path}", files.file, methods=["GET"]),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={
            404: _not_found,
            405: _not_allowed,
            InvalidOptionError: _not_valid,
            _Refused: _refused,
            ClientDisconnect: _refused,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.pool = pool
    app.state.settings = settings
    return app


async def _not_found(request: Request, error: Exception) -> Response:
    return refuse(404, "address", "there is nothing at this address")


async def _not_valid(request: Request, error: Exception) -> Response:
    return refuse(422, "invalid", str(error))


async def _refused(request: Request, error: Exception) -> Response:
    return error.response if isinstance(error, _Refused) else Response(status_code=400)


async def _not_allowed(request: Request, error: Exception) -> Response:
    response = refuse(405, "method", "this address does not take this method")
    response.headers.update(getattr(error, "headers", None) or {})
    return response


class _Refused(Exception):
    """A request that is refused before any work begins."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.response = refuse(status, kind, message)


def _handler(row: Endpoint, pool: Pool) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        if row.method == "GET":
            body, key = _read_query(request, row)
        else:
            body, key = await _read_body(request, row, pool.settings.limits.body)
        streamed = STREAM in request.headers.get("accept", "")
        return _Answer(functools.partial(pool.ask, row, body, key), streamed)

    return handle


def _read_query(request: Request, row: Endpoint) -> tuple[bytes, str | None]:
    """The request of an address, for a worker."""
    names = [name for name, _ in request.query_params.multi_items()]
    twice = {name for name in names if names.count(name) > 1} if len(names) < 1000 else names
    if twice:
        raise _Refused(422, "invalid", f"the parameter {min(twice)[:60]!r} stands twice")
    return _for_worker(from_query(dict(request.query_params), row.request), row)


async def _read_body(request: Request, row: Endpoint, limit: int) -> tuple[bytes, str | None]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Refused(
            415, "type", f"expected the content type application/json, got {kind[:60]!r}"
        )
    try:
        async with asyncio.timeout(MAX_CLIENT_SECONDS):
            body = await _bytes(request, limit)
    except TimeoutError:
        raise _Refused(
            408, "slow", f"the request did not arrive within {MAX_CLIENT_SECONDS:g} seconds"
        ) from None

    def checked() -> tuple[bytes, str | None]:
        try:
            given = parse(body)
        except ValueError as error:
            raise _Refused(400, "invalid", f"expected JSON in UTF-8: {error}") from None
        return _for_worker(check(given, row.request), row)

    return await asyncio.to_thread(checked) if len(body) > LARGE_BODY else checked()


async def _bytes(request: Request, limit: int) -> bytes:
    """The bytes of a request; one that is too large is refused without keeping it."""
    too_large = _Refused(413, "limit", f"the request has more than {limit:,} bytes")
    length = request.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() and len(length) < 20 else 0
    if announced > MAX_DISCARDED or (announced > limit and "expect" in request.headers):
        raise too_large
    body, size = bytearray(), 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_DISCARDED:
            break
        if size <= limit:
            body += part
        else:
            body.clear()
    if size > limit:
        raise too_large
    return bytes(body)


def _for_worker(given: Given, row: Endpoint) -> tuple[bytes, str | None]:
    """A request as JSON, and what it has in common with others for the same worker, as a digest."""
    key = "" if row.key is None else getattr(given, row.key)
    return msgspec.json.encode(given), hashlib.sha256(key.encode()).hexdigest() if key else None


class _Answer(Response):
    """Asks a worker and sends what it answers, at once or as lines with reports of progress."""

    def __init__(self, ask: Callable[[Tell], Awaitable[Outcome]], streamed: bool) -> None:
        self.background = None
        self.ask, self.streamed = ask, streamed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer; if the client goes away, the work ends."""
        sending = asyncio.ensure_future(self._send(send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait([sending, gone], return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            for pending in (sending, gone):
                pending.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        with contextlib.suppress(TimeoutError):  # a client that takes nothing is left alone
            if self.streamed:
                await self._send_lines(send)
            else:
                outcome = await self._outcome(lambda _: None)
                await _begin(send, STATUS[outcome.error], "application/json", len(outcome.body))
                await _send_parts(send, outcome.body)

    async def _outcome(self, tell: Tell) -> Outcome:
        try:
            return await self.ask(tell)
        except Exception as error:
            return failed("fault", f"a fault of ours, {type(error).__name__}")

    async def _send_lines(self, send: Send) -> None:
        reports: asyncio.Queue[bytes | None] = asyncio.Queue()
        work = asyncio.ensure_future(self._outcome(reports.put_nowait))
        work.add_done_callback(lambda _: reports.put_nowait(None))
        try:
            await _begin(send, 200, STREAM)
            while (report := await reports.get()) is not None:
                await _send_part(send, b'{"progress":' + report + b"}\n")
            outcome = await work
            body = outcome.body if outcome.error else b'{"answer":' + outcome.body + b"}"
            await _send_parts(send, body + b"\n")
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)


async def _begin(send: Send, status: int, kind: str, length: int | None = None) -> None:
    headers = [(b"content-type", kind.encode())]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _send_parts(send: Send, body: bytes) -> None:
    for begin in range(0, max(1, len(body)), PART_BYTES):
        await _send_part(send, body[begin : begin + PART_BYTES], begin + PART_BYTES < len(body))


async def _send_part(send: Send, body: bytes, more: bool = True) -> None:
    async with asyncio.timeout(MAX_CLIENT_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Callable[[], Awaitable[Message]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
