"""Widgets for notebooks: the views of the explorer, answered by the kernel itself.

A widget has the same elements as the page. Its requests are messages. A thread of the kernel
answers them with the same functions as the server's workers, one at a time, while cells can run.
"""

import contextlib
import functools
import io
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo._inputs.values import optional_module
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.web.bundle import STATIC, bundle, styles
from zermelo.web.settings import Served, Settings

if TYPE_CHECKING:
    from zermelo.partizan.analysis.thermograph import Thermograph
    from zermelo.solutions.base import Solution

optional_module("msgspec", "notebook")  # before what imports it

from zermelo.web.api import endpoints  # noqa: E402
from zermelo.web.api.call import Endpoint  # noqa: E402
from zermelo.web.api.schema import Request, check, from_query  # noqa: E402
from zermelo.web.server.worker import Stopped, answer, failure  # noqa: E402

Send = Callable[[dict[str, Any]], Any]

ONE_AT_A_TIME = threading.Lock()
"""Held while a request is answered: what requests keep for the next ones is not for two threads."""


class MessageHandler:
    """Answers the messages of one widget.

    >>> handler = MessageHandler(Settings(own_process=False))
    >>> sent = []
    >>> handler.answer({"id": "1", "method": "GET", "path": "/about", "request": {}}, sent.append)
    >>> sent[0]["id"], sent[0]["answer"]["name"]
    ('1', 'zermelo')
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cancelled: set[str] = set()

    def take(self, message: Any, send: Send) -> None:
        """Answer a message in a thread of its own, or cancel an earlier one."""
        if isinstance(message, dict) and isinstance(message.get("cancel"), str):
            self.cancelled.add(message["cancel"])
        elif isinstance(message, dict) and isinstance(message.get("id"), str):
            threading.Thread(target=self.answer, args=(message, send), daemon=True).start()

    def answer(self, message: dict[str, Any], send: Send) -> None:
        """Send reports of progress, and at last the answer or an error, with the message's id."""
        number = message["id"]

        def stopped() -> bool:
            return number in self.cancelled

        def tell(found: dict[str, Any]) -> None:
            if not stopped():
                send({"id": number, **found})

        with contextlib.suppress(Stopped), ONE_AT_A_TIME:
            try:
                row, request = _request(message)
            except InvalidOptionError as error:
                tell(failure("invalid", str(error)))
            else:
                tell(answer(row, request, self.settings, tell, stopped))
        self.cancelled.discard(number)


@functools.cache
def _rows() -> dict[tuple[str, str], Endpoint]:
    return {(row.method, row.path): row for row in endpoints.ENDPOINTS}


def _request(message: dict[str, Any]) -> tuple[Endpoint, Request]:
    """The row and the request of a message, checked as the server checks them."""
    row = _rows().get((str(message.get("method")), str(message.get("path"))))
    if row is None:
        raise InvalidOptionError("there is nothing at this address")
    request = message.get("request")
    if row.method == "GET" and isinstance(request, dict):
        return row, from_query({name: str(x) for name, x in request.items()}, row.request)
    return row, check(request, row.request)


# -------------------------------------------------------------------- widgets


@functools.cache
def widget_class(view: str) -> Any:
    """The class of the widgets of a view: ``graph``, ``play``, ``values`` or ``thermograph``.

    >>> widget_class("thermograph").__name__
    'ThermographWidget'
    """
    anywidget = optional_module("anywidget", "notebook")
    traitlets = optional_module("traitlets", "notebook")
    base = "values" if view == "thermograph" else view
    sheets = [x for x in (f"views/{base}.css",) if (STATIC / x).exists()]
    members = {
        "__module__": __name__,
        "__doc__": f"The view {view!r} of the explorer in a notebook.",
        "_esm": bundle(f"notebook/{view}.js"),
        "_css": styles("style.css", *sheets, "notebook/widget.css"),
        "parameters": traitlets.Dict().tag(sync=True),
    }
    return type(f"{view.capitalize()}Widget", (anywidget.AnyWidget,), members)


def show(view: str, parameters: dict[str, Any], served: Served | None = None) -> Any:
    """A widget of a view, whose requests are answered by this process."""
    widget = widget_class(view)(parameters=parameters)
    handler = MessageHandler(Settings(served=served, own_process=False))
    widget.handler = handler
    widget.on_msg(lambda _, message, __: handler.take(message, widget.send))
    return widget


def explore_solution(solution: "Solution") -> Any:
    """The view Graph with the game of a solution, solved."""
    from zermelo.formats.front import write
    from zermelo.game import Game

    graph, most = solution.graph, Settings().limits.positions
    if graph.n > most:
        raise LimitError(
            f"expected a graph of at most {most:,} positions to explore, got {graph.n:,}"
        )
    text = io.BytesIO()
    write(Game(graph, solution.objective), text, format="json")
    parameters = {"text": text.getvalue().decode(), "format": "json", "solve": "1"}
    return show("graph", parameters)


def explore_thermograph(picture: "Thermograph", name: str = "") -> Any:
    """A thermograph to look into."""
    from zermelo.web.api.values.records import thermograph_record

    return show("thermograph", {"data": thermograph_record(picture), "name": name})


def play_solved(solved: Any) -> Any:
    """The view Play with a game that was solved in memory, or with that of a table."""
    path = getattr(solved, "path", None)
    if path is not None:
        name = os.fspath(path)
        return show("play", {}, Served("table", os.path.abspath(name), name))
    return show("play", {}, Served("rules", solved.location, solved.location, solved=solved))
