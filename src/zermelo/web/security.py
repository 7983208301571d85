"""Who may talk to the server, and what the browser may do with its pages.

- The name of the host in a request must be one that the server was started for. A page of another
  site whose name leads to this machine (DNS rebinding) has another one and is refused.
- A request that another site's page makes has an ``Origin`` or a ``Sec-Fetch-Site`` that says so.
- A server that listens beyond this machine wants a token: in the address once, then as a
  cookie, or in the header ``Authorization: Bearer``.
- Every answer carries a content policy that lets pages use the server's own files only.
"""

import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.web.settings import Settings
from zermelo.web.worker import failure

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "zermelo_token"


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

    >>> host_of("localhost:8642"), host_of("[::1]:80")
    ('localhost', '::1')
    """
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".")
    except ValueError:
        return ""


class Guard:
    """Refuses foreign hosts, foreign origins and clients without the token; adds the headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._knows(host_of(host)):
            return refuse(
                421, "host", f"expected a request to this server's own address, got {host!r}"
            )
        if (origin := headers.get("origin")) is not None and urlsplit(origin).netloc != host:
            return refuse(403, "origin", f"requests from other sites are refused, got {origin!r}")
        if headers.get("sec-fetch-site") == "cross-site" and (
            scope["path"].startswith("/api/") or headers.get("sec-fetch-mode") != "navigate"
        ):
            return refuse(403, "origin", "requests from other sites are refused")
        return self._without_token(scope, headers)

    def _knows(self, name: str) -> bool:
        """Whether a name is one of the server's: loopback, its host, or any number of a network."""
        own = self.settings.host
        if is_loopback(own):
            return name in LOOPBACK or name == own
        try:
            ipaddress.ip_address(name)
            return True  # a name cannot be rebound if it is a number
        except ValueError:
            return name in (own, "localhost")

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        token = self.settings.token
        if token is None:
            return None
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if shown and same(shown, token) and scope["method"] == "GET":
            response = RedirectResponse(scope["path"], status_code=303)
            response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
            return response
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and same(bearer.strip(), token):
            return None
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and same(cookie.value, token):
            return None
        return refuse(401, "token", "expected the token that zermelo serve has printed")


def same(shown: str, token: str) -> bool:
    """Whether two tokens are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(shown.encode(), token.encode())


def refuse(status: int, kind: str, message: str) -> Response:
    """An answer that says why a request is refused."""
    return JSONResponse(failure(kind, message), status_code=status)
