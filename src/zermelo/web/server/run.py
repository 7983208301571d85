"""Run the server: find a port, print the address, open the browser, end with Ctrl-C.

Rules that the command line names are run by a worker only. Before the server announces its
address, a worker opens them, so that a mistake in them ends the command with one sentence. Rules
that are not opened in CHECK_SECONDS may never be; then the server begins without, and its
answers say what is wrong.
"""

import asyncio
import contextlib
import json
import math
import os
import socket
import threading
import webbrowser
from collections.abc import Callable

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.web.api import endpoints
from zermelo.web.api.strict_json import encode, parse
from zermelo.web.server.app import MAX_CLIENT_SECONDS, create_app
from zermelo.web.server.pool import Pool
from zermelo.web.settings import Served, Settings

MAX_CONNECTIONS = 400
"""Connections at the same time; more are refused."""

MAX_HEAD = 1 << 20
"""Bytes of the address and the headers of a request."""

CHECK_SECONDS = 10.0
"""Seconds in which a worker must open the rules of the command line, or they are not checked."""

CHECK_PULSE = 0.1
"""Seconds after which Ctrl-C is looked for while the rules are opened."""

IDLE_SECONDS = 30
"""Seconds after which a connection without requests is closed."""


def address(settings: Settings, host: str | None = None) -> str:
    """The address of the page, with the token if there is one.

    >>> address(Settings(port=8000))
    'http://127.0.0.1:8000/'
    >>> address(Settings(host="::1", port=8000, token="secret"))
    'http://[::1]:8000/?token=secret'
    """
    host = host or settings.host
    shown = f"[{host.replace('%', '%25')}]" if ":" in host else host
    token = f"?token={settings.token}" if settings.token else ""
    return f"http://{shown}:{settings.port}/{token}{_view(settings)}"


def addresses(settings: Settings) -> list[str]:
    """Where the page is: for a server of all networks here, and as other machines see it.

    >>> addresses(Settings(port=8000))
    ['http://127.0.0.1:8000/']
    """
    if settings.address not in ("0.0.0.0", "::"):
        return [address(settings)]
    outside = _outward()
    return [address(settings, "127.0.0.1"), *([address(settings, outside)] if outside else [])]


def _outward() -> str | None:
    """The number of this machine in its network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("192.0.2.1", 9))
        found = str(sock.getsockname()[0])
        return None if found.startswith("127.") else found
    return None


def _view(settings: Settings) -> str:
    """The part of the address that opens what the command line named."""
    if settings.served is None:
        return ""
    return "#/graph" if settings.served.kind == "graph" else "#/play"


def listen(host: str, port: int) -> socket.socket:
    """A socket at the host and port; an error says which one is taken, or that there is no host.

    >>> with listen("127.0.0.1", 0) as sock:
    ...     sock.getsockname()[0]
    '127.0.0.1'
    """
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_ADDRCONFIG
        )
    except (OSError, UnicodeError) as error:
        raise InvalidOptionError(
            f"cannot listen at the host {host[:80]!r}: {getattr(error, 'strerror', None) or error}"
        ) from None
    reasons = []
    for family, _, _, _, place in sorted(found, key=lambda x: x[0] != socket.AF_INET):
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        try:
            return socket.create_server(place, family=family, dualstack_ipv6=both)
        except OSError as error:
            reasons.append(os.strerror(error.errno or 0))
    raise InvalidOptionError(
        f"cannot listen at the host {host[:80]!r}, port {port}: {reasons[0]}; --port chooses "
        "another port, and 0 any free one"
    )


class _Protocol(H11Protocol):
    """A connection; one that does not send the head of its request in time is closed."""

    slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        if self.slow is not None:
            self.slow.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        waits = self.conn.their_state is h11.IDLE
        if waits and self.slow is None:
            self.slow = self.loop.call_later(MAX_CLIENT_SECONDS, self.transport.abort)
        elif not waits and self.slow is not None:
            self.slow.cancel()
            self.slow = None


def configure(app: Starlette, idle: int = IDLE_SECONDS) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app, http=_Protocol, loop="asyncio", ws="none", lifespan="on",
        log_level="error", access_log=False, server_header=False, date_header=False,
        timeout_keep_alive=idle, timeout_graceful_shutdown=1, limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEAD, proxy_headers=False,
    )  # fmt: skip


class _Server(uvicorn.Server):
    """Announces its address when it can be reached, and ends the work before the connections."""

    def __init__(self, config: uvicorn.Config, pool: Pool, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self.pool, self.announce = pool, announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, unless a worker refuses the rules that are to be served."""
        served = self.pool.settings.served
        if served is not None and served.kind == "rules":
            message = await self._refusal(served)
            if message is not None:
                await self.pool.close()
                raise InvalidRulesError(message)
        await super().startup(sockets)
        self.announce()
        self.warming = asyncio.ensure_future(self.pool.warm())

    async def _refusal(self, served: Served) -> str | None:
        """Why a worker refuses rules, in a sentence; None if it opens them, or takes too long."""
        row = next(row for row in endpoints.ENDPOINTS if row.path == "/play/position")
        await self.pool.warm()  # the time to start a process does not count
        asking = asyncio.ensure_future(self.pool.ask(row, encode({"game": f"@{served.name}"})))
        for _ in range(math.ceil(CHECK_SECONDS / CHECK_PULSE)):
            done, _ = await asyncio.wait([asking], timeout=CHECK_PULSE)
            if done or self.should_exit:
                break
        if not asking.done():
            asking.cancel()  # which ends the work
            return None
        outcome = asking.result()
        return parse(outcome.body)["error"]["message"] if outcome.error == "invalid" else None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work, then all connections."""
        await self.pool.close()
        await super().shutdown(sockets)


def run(
    settings: Settings,
    sock: socket.socket,
    say: Callable[[str], None],
    browse: bool = False,
    as_json: bool = False,
) -> None:
    """Serve until Ctrl-C; the first line that is said has the address."""
    shown = addresses(settings)

    def announce() -> None:
        if as_json:
            say(json.dumps({"address": shown[0], "port": settings.port, "token": settings.token}))
        else:
            say(f"the explorer is at {shown[0]} (Ctrl-C ends it)")
            if settings.token:
                others = f": {shown[1]}" if len(shown) > 1 else ""
                say(f"whoever has this address can use it, from other machines too{others}")
        if browse:
            threading.Thread(target=webbrowser.open, args=(shown[0],), daemon=True).start()

    app = create_app(settings)
    with contextlib.suppress(KeyboardInterrupt), sock:
        _Server(configure(app), app.state.pool, announce).run(sockets=[sock])
