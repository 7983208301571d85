"""The server as an ASGI application: pages, the JSON interface, and its OpenAPI document.

A request of the interface is checked by its schema and goes to a worker process. With the header
``Accept: application/x-ndjson`` the answer is a stream of lines: ``{"progress": …}`` as often as
there is something to report, and at last ``{"answer": …}`` or ``{"error": …}``. If the client goes
away, the work ends.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message

from zermelo.errors import InvalidOptionError
from zermelo.web.endpoints import PREFIX, Endpoint, all_endpoints
from zermelo.web.openapi import document
from zermelo.web.pool import Pool
from zermelo.web.schema import check, from_query
from zermelo.web.security import Guard, refuse
from zermelo.web.settings import Settings

STATIC = Path(__file__).parent / "static"

STREAM = "application/x-ndjson"

STATUS = {"invalid": 422, "limit": 422, "busy": 429, "fault": 500}
"""The status of an answer by the kind of its error."""


def create_app(settings: Settings | None = None) -> Starlette:
    """The application with these settings; its workers start with the first requests.

    >>> app = create_app()
    >>> app.state.pool.busy()
    0
    """
    settings = settings or Settings()
    pool = Pool(settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await pool.close()

    routes = [
        Route(PREFIX + row.path, _handler(row, pool), methods=[row.method])
        for row in all_endpoints()
    ]
    app = Starlette(
        routes=[
            *routes,
            Route(PREFIX + "/openapi.json", _document, methods=["GET"]),
            Route("/", _page, methods=["GET"]),
            Mount("/static", _Static(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={404: _not_found, 405: _not_allowed},
        lifespan=lifespan,
    )
    app.state.pool = pool
    app.state.settings = settings
    return app


class _Static(StaticFiles):
    """The files of the pages; browsers ask each time whether one has changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


def _document(request: Request) -> Response:
    return JSONResponse(document())


async def _not_found(request: Request, error: Exception) -> Response:
    return refuse(404, "address", "there is nothing at this address")


async def _not_allowed(request: Request, error: Exception) -> Response:
    response = refuse(405, "method", "this address does not take this method")
    response.headers.update(getattr(error, "headers", None) or {})
    return response


def _handler(row: Endpoint, pool: Pool) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        limit = pool.settings.limits.body
        try:
            given = await _request(request, row, limit)
        except _Refused as refused:
            return refused.response
        except ClientDisconnect:
            return Response(status_code=400)
        if STREAM in request.headers.get("accept", ""):
            return _Stream(row, given, pool)
        answer = await _unless_gone(request, pool.ask(row, given, lambda _: None))
        if answer is None:
            return Response(status_code=400)  # nobody reads this
        if "error" in answer:
            return JSONResponse(answer, status_code=STATUS[answer["error"]["kind"]])
        return JSONResponse(answer["answer"])

    return handle


class _Refused(Exception):
    """A request that is refused before any work begins."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        self.response = refuse(status, kind, message)


async def _request(request: Request, row: Endpoint, limit: int) -> dict[str, Any]:
    """The request as data, checked by its schema."""
    try:
        if row.method == "GET":
            given: Any = from_query(dict(request.query_params), row.request)
        else:
            given = await _body(request, limit)
        check(given, row.request)
    except InvalidOptionError as error:
        raise _Refused(422, "invalid", str(error)) from None
    found: dict[str, Any] = given
    return found


async def _body(request: Request, limit: int) -> Any:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Refused(415, "type", f"expected the content type application/json, got {kind!r}")
    too_large = _Refused(413, "limit", f"the request is larger than {limit:,} bytes")
    if (length := request.headers.get("content-length", "0")).isdigit() and int(length) > limit:
        raise too_large
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > limit:
            raise too_large
    try:
        return json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise _Refused(400, "invalid", "expected JSON in UTF-8") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


async def _unless_gone(request: Request, work: Awaitable[Any]) -> Any:
    """The result of the work, or None if the client goes away first; then the work is cancelled."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request.receive))
    try:
        await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        return None
    finally:
        for pending in (task, gone):
            if not pending.done():
                pending.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await pending


async def _gone(receive: Callable[[], Awaitable[Message]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Stream(Response):
    """Lines of progress, then the answer."""

    media_type = STREAM

    def __init__(self, row: Endpoint, request: dict[str, Any], pool: Pool) -> None:
        self.status_code, self.background = 200, None
        self.init_headers()
        self.row, self.request, self.pool = row, request, pool

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the lines as they come."""
        lines: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        async def work() -> None:
            try:
                lines.put_nowait(await self.pool.ask(self.row, self.request, lines.put_nowait))
            finally:
                lines.put_nowait(None)

        task = asyncio.ensure_future(work())
        gone = asyncio.ensure_future(_gone(receive))
        gone.add_done_callback(lambda _: task.cancel())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while (line := await lines.get()) is not None:
                text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
                body = text.encode("utf-8", "replace")
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            for pending in (task, gone):
                pending.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await pending
