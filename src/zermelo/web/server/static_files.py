"""The files of the pages: a fixed list of names, so that no address leads to any other file."""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from zermelo.web.bundle import STATIC
from zermelo.web.server.security import refuse

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What files are served, and as what; the machine's own table of types is not asked."""


class StaticFiles:
    """The files that exist when the server starts; a changed file is read again."""

    def __init__(self, folder: Path = STATIC) -> None:
        self.files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in TYPES
        }
        self.known: dict[str, tuple[int, bytes, str]] = {}

    def content(self, name: str) -> tuple[bytes, str]:
        """The bytes of a file, and their digest as an entity tag.

        >>> StaticFiles().content("index.html")[0][:9]
        b'<!doctype'
        """
        path = self.files[name]
        changed = path.stat().st_mtime_ns
        if name not in self.known or self.known[name][0] != changed:
            body = path.read_bytes()
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            self.known[name] = (changed, body, tag)
        return self.known[name][1:]

    async def page(self, request: Request) -> Response:
        """The page."""
        return self._respond("index.html", request)

    async def file(self, request: Request) -> Response:
        """A file that the page asks for."""
        name = request.path_params["name"]
        if name not in self.files:
            return refuse(404, "address", "there is nothing at this address")
        return self._respond(name, request)

    def _respond(self, name: str, request: Request) -> Response:
        """The file; browsers ask each time whether it has changed."""
        body, tag = self.content(name)
        headers = {"cache-control": "no-cache", "etag": tag}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        kind = TYPES[Path(name).suffix]
        return Response(body, headers={**headers, "content-type": kind})
