"""Run the server: find a port, print the address, open the browser, end with Ctrl-C."""

import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import uvicorn

from zermelo.errors import InvalidOptionError
from zermelo.web.app import create_app
from zermelo.web.security import is_loopback
from zermelo.web.settings import Settings


def address(settings: Settings, fragment: str = "") -> str:
    """The address of the page, with the token if there is one.

    >>> address(Settings(port=8000))
    'http://127.0.0.1:8000/'
    """
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    token = f"?token={settings.token}" if settings.token else ""
    return f"http://{host}:{settings.port}/{token}{fragment}"


def listen(settings: Settings) -> socket.socket:
    """A socket at the host and port; an error says which one is taken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        sock.close()
        reason = getattr(error, "strerror", None) or error
        raise InvalidOptionError(
            f"cannot listen at {settings.host}, port {settings.port}: {reason}; "
            "--port chooses another port, and 0 any free one"
        ) from None
    return sock


def run(settings: Settings, sock: socket.socket, say: Callable[[str], None], browse: bool) -> None:
    """Serve until Ctrl-C."""
    config = uvicorn.Config(
        create_app(settings), log_level="warning", access_log=False, server_header=False,
        lifespan="on", timeout_graceful_shutdown=2, ws="none", date_header=False,
    )  # fmt: skip
    server = uvicorn.Server(config)
    fragment = _room(settings)
    shown = address(settings, fragment)

    def announce() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.02)
        if server.started:
            say(f"the explorer is at {shown} (Ctrl-C ends it)")
            if browse:
                webbrowser.open(shown)

    threading.Thread(target=announce, daemon=True).start()
    server.run(sockets=[sock])


def _room(settings: Settings) -> str:
    """The part of the address that opens what the command line named."""
    if settings.served is None:
        return ""
    return "#/graph" if settings.served.kind == "graph" else "#/play"


def needs_token(host: str) -> bool:
    """Whether a server at this host wants a token.

    >>> needs_token("127.0.0.1"), needs_token("0.0.0.0")
    (False, True)
    """
    return not is_loopback(host)
