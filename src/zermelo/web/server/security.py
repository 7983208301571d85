"""Who may talk to the server, and what the browser may do with its pages.

- The name of the host in a request must be one that the server was started for. A page of another
  site whose name leads to this machine (DNS rebinding) has another one and is refused.
- A request that another site's page makes has an ``Origin`` or a ``Sec-Fetch-Site`` that says so.
  Another site may only link to the page.
- A server that listens beyond this machine wants a token: in the address of the page once, then as
  a cookie, or in the header ``Authorization: Bearer``.
- Every answer carries a content policy that lets pages use the server's own files only.
"""

import hmac
import ipaddress
import socket
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.web.api.strict_json import encode
from zermelo.web.server.worker import failure
from zermelo.web.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

LOOPBACK = ("127.0.0.1", "localhost", "::1")

MAX_ADDRESS = 1 << 19
"""Characters of a path and its parameters."""

OWN_SITES = ("same-origin", "none")
"""``Sec-Fetch-Site`` of requests that the page makes, or the user with the address bar."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(header: str) -> str:
    """The name in a ``Host`` header, without its port.

    >>> host_of("localhost:8642"), host_of("[::1]:80"), host_of("user@localhost")
    ('localhost', '::1', '')
    """
    if any(mark in header for mark in "@/?#\\,") or header != header.strip():
        return ""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
        return (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""


class Guard:
    """Refuses foreign hosts, foreign origins and clients without the token; adds the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.cookie = f"zermelo_token_{settings.port}"  # cookies do not know ports
        own = settings.host.lower().rstrip(".")
        machine = socket.gethostname().lower()
        self.local = is_loopback(settings.address or own)
        self.names = {own, *LOOPBACK} if self.local else {own, "localhost", machine}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = [*headers, *_RAW_HEADERS]
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if len(scope["path"]) + len(scope["query_string"]) > MAX_ADDRESS:
            return refuse(414, "address", f"the address has more than {MAX_ADDRESS:,} characters")
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self._knows(host_of(host)):
            return refuse(
                421, "host", f"expected a request to this server's own address, got {host[:80]!r}"
            )
        for origin in headers.getlist("origin"):
            if origin.lower() not in (f"http://{host}", f"https://{host}"):
                return refuse(
                    403, "origin", f"requests from other sites are refused, got {origin[:80]!r}"
                )
        if headers.get("sec-fetch-site", "none") not in OWN_SITES and not (
            scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        ):
            return refuse(403, "origin", "requests from other sites are refused")
        return self._without_token(scope, headers)

    def _knows(self, name: str) -> bool:
        """Whether a name is one of the server's; a number cannot be rebound."""
        if name in self.names:
            return True
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            return False
        return number.is_loopback or not self.local

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        token = self.settings.token
        if token is None:
            return None
        if scope["path"] == "/" and scope["method"] in ("GET", "HEAD"):
            query = scope["query_string"].decode("latin-1")
            if any(same(shown, token) for shown in parse_qs(query).get("token", [])):
                page = RedirectResponse("/", status_code=303)
                page.set_cookie(self.cookie, token, httponly=True, samesite="lax", path="/")
                return page
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and same(bearer.strip(), token):
            return None
        if same(cookie_parser(headers.get("cookie", "")).get(self.cookie, ""), token):
            return None
        response = refuse(401, "token", "expected the token that zermelo serve has printed")
        response.headers["www-authenticate"] = "Bearer"
        return response


def same(shown: str, token: str) -> bool:
    """Whether two tokens are equal, in a time that does not depend on where they differ.

    >>> same("a", "a"), same("", "a")
    (True, False)
    """
    return hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode("utf-8", "replace"))


def refuse(status: int, kind: str, message: str) -> Response:
    """An answer that says why a request is refused.

    >>> refuse(404, "address", "there is nothing at this address").status_code
    404
    """
    body = encode(failure(kind, message))
    return Response(body, status_code=status, media_type="application/json")
