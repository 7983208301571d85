"""The table of all requests that the server answers. Adding one is one function and one row."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from zermelo.web.schema import Schema, record, text
from zermelo.web.settings import Settings

PREFIX = "/api/v1"

ROOMS = ("about", "play", "graphs", "values", "learn")
"""The modules of ``web/api``; each has a tuple ``ENDPOINTS``."""

Report: TypeAlias = Callable[[int, int, str], object]


class Call(NamedTuple):
    """A request as a function of ``web/api`` gets it."""

    request: dict[str, Any]
    """Its members, checked by the schema."""
    settings: Settings
    report: Report
    """Called with the amount done, the total amount, and the name of the stage."""


class Endpoint(NamedTuple):
    """One request: its address, what it gets, what it answers, and the function that answers."""

    method: str
    """GET, whose request is in the address, or POST, whose request is JSON."""
    path: str
    """Below :data:`PREFIX`."""
    summary: str
    target: str
    """``module:function`` in ``zermelo.web.api``; the function takes a :class:`Call`."""
    request: Schema
    answer: Schema
    key: str | None = None
    """A member of the request; requests with the same one go to the same worker, which may keep
    what it has computed."""

    def function(self) -> Callable[[Call], dict[str, Any]]:
        """Import the function."""
        module, _, name = self.target.partition(":")
        found: Callable[[Call], dict[str, Any]] = getattr(
            importlib.import_module(f"zermelo.web.api.{module}"), name
        )
        return found


ERROR = record(
    {
        "error": record(
            {
                "kind": text("What went wrong, as a keyword", most=100),
                "message": text("What went wrong, as a sentence", most=100_000),
            }
        )
    },
    description="A request that was refused or failed",
)


def all_endpoints() -> tuple[Endpoint, ...]:
    """Every row, in the order of the rooms.

    >>> [x.path for x in all_endpoints()][0]
    '/about'
    """
    modules = (importlib.import_module(f"zermelo.web.api.{room}") for room in ROOMS)
    return tuple(row for module in modules for row in module.ENDPOINTS)
