"""A request as the functions of the interface get it, and a row of the table of requests."""

import typing
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from zermelo._runtime.progress import Report
from zermelo.web.api.schema import Request
from zermelo.web.settings import Settings

R = TypeVar("R", bound=Request)


class Call(NamedTuple, Generic[R]):
    """A request as a function of ``web/api`` gets it."""

    request: R
    settings: Settings
    report: Report
    """Called with the amount done, the total amount, and the name of the stage."""


class Endpoint(NamedTuple):
    """One request: its address, and the function that answers, whose types say what it takes."""

    method: str
    """GET, whose request is in the address, or POST, whose request is JSON."""
    path: str
    """Below :data:`~zermelo.web.api.endpoints.PREFIX`."""
    function: Callable[[Call[Any]], Any]
    key: str | None = None
    """A member of the request; requests with the same one go to the same worker, which may keep
    what it has computed."""

    @property
    def request(self) -> Any:
        """The type of the request."""
        return typing.get_args(typing.get_type_hints(self.function, include_extras=True)["call"])[0]

    @property
    def answer(self) -> Any:
        """The type of the answer."""
        return typing.get_type_hints(self.function, include_extras=True)["return"]

    @property
    def summary(self) -> str:
        """What the function answers: the first sentence of its description."""
        return str(self.function.__doc__).partition(".")[0]
