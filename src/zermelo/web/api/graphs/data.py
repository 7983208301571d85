"""Games of requests: read with their limits, kept for the next request, and as data for a page.

A game travels as text in one of the package's own formats, usually JSON. A worker keeps the last
games and their solutions, found by the digest of the text.
"""

import base64
import binascii
import hashlib
import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any, TypedDict, TypeVar

import numpy as np
from msgspec import Meta

import zermelo as zm
from zermelo.draw.legend import legend
from zermelo.draw.picture import Picture
from zermelo.errors import InvalidGraphError, InvalidOptionError, LimitError, MissingDependencyError
from zermelo.formats.front import sniff
from zermelo.plots.text import shortened
from zermelo.registry import FORMATS
from zermelo.web.api.call import Call
from zermelo.web.api.schema import LARGEST_INTEGER, Natural, Request, Text

MAX_DRAWN = 2_000
"""Positions that a page draws one by one; larger graphs are summarised."""

MAX_TEXT = 8 << 20
"""Characters of a game."""

MAX_NAME = 300
"""Characters of a name that are shown."""

MOVES_EACH = 20
"""Moves that a graph may have for each position of the limit."""

MAX_KEPT = 6
"""Results that a worker keeps."""

BINARY = ("npz", "parquet")

T = TypeVar("T")

_kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()


def kept(key: tuple[Any, ...], make: Callable[[], T]) -> T:
    """What was made for this key before, or else what is made now.

    >>> kept(("a",), lambda: 1), kept(("a",), lambda: 2)
    (1, 1)
    """
    if key in _kept:
        _kept.move_to_end(key)
    else:
        _kept[key] = make()
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
    found: T = _kept[key]
    return found


# -------------------------------------------------------------------- games

Format = Annotated[str, Meta(max_length=40, description="The format; null if the text shows it")]


class GameRequest(Request):
    """A game in one of the text formats, usually JSON as zermelo writes it.

    Requests with the same session go to the same worker.
    """

    game: Annotated[str, Meta(max_length=MAX_TEXT)]
    format: Format | None = None
    session: Annotated[str, Meta(max_length=100)] = ""


class GraphAnswer(TypedDict):
    """A game as JSON in zermelo's own format, and what a page shows of it.

    There are no names if they are too many to draw.
    """

    game: Annotated[str, Meta(max_length=1 << 26)]
    names: list[Text]
    n: Natural
    m: Natural
    format: Text
    title: Text


def game_key(call: Call[Any]) -> str:
    """The digest of the game of a request."""
    given = call.request.game, call.request.format
    return hashlib.sha256(repr(given).encode("utf-8", "replace")).hexdigest()


def read_game(call: Call[Any]) -> zm.Game:
    """The game of a request."""
    text, form = call.request.game, call.request.format
    return kept(("game", game_key(call)), lambda: parse(call, encoded(text), form)[0])


def encoded(given: str) -> bytes:
    """A text as bytes; a lone surrogate, which no file has, is an error.

    >>> encoded("é")
    b'\\xc3\\xa9'
    """
    try:
        return given.encode()
    except UnicodeEncodeError:
        raise InvalidGraphError("expected text in Unicode, got half of a surrogate pair") from None


def decoded(given: str) -> bytes:
    """The bytes of a binary file.

    >>> decoded("UEs=")
    b'PK'
    """
    try:
        return base64.b64decode(given, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidOptionError("expected the bytes of a file in base64") from None


def parse(call: Call[Any], data: bytes, form: str | None) -> tuple[zm.Game, str]:
    """A game from the content of a file, and the name of its format."""
    if form is not None and form not in [row.name for row in FORMATS if "graph" in row.holds]:
        names = ", ".join(row.name for row in FORMATS if "graph" in row.holds)
        raise InvalidOptionError(f"format: expected one of {names}, got {form!r}")
    row = sniff(data) if form is None else FORMATS[form]
    file = io.BytesIO(data)
    file.name = "the text"  # what messages call it
    try:
        game = zm.read(file, format=row.name)
    except MissingDependencyError as error:
        raise InvalidOptionError(str(error)) from None
    check_size(call, game.graph.n, game.graph.m)
    return game, row.name


def check_size(call: Call[Any], n: float, m: float = 0) -> None:
    """Refuse a graph with more positions or moves than this server takes."""
    most = call.settings.limits.positions
    for count, most_of_it, noun in ((n, most, "positions"), (m, MOVES_EACH * most, "moves")):
        if count > most_of_it:
            raise LimitError(
                f"the graph has {count:,.0f} {noun}, and this server takes at most {most_of_it:,}"
            )


def graph_answer(game: zm.Game, form: str, title: str) -> GraphAnswer:
    """A game as a page gets it."""
    graph = game.graph
    if game.weights() is not None and _beyond(np.asarray(game.weights())):
        raise LimitError("the page takes weights from -2**53 to 2**53, and this game has others")
    file = io.BytesIO()
    zm.write(_with_plain_names(game), file, format="json")
    return {
        "game": file.getvalue().decode(),
        "names": [_shown(graph.name(v)) for v in range(graph.n)] if graph.n <= MAX_DRAWN else [],
        "n": graph.n,
        "m": graph.m,
        "format": form,
        "title": shortened(title, MAX_NAME),
    }


def _beyond(weights: Any) -> bool:
    return bool(weights.size and np.abs(weights).max() > LARGEST_INTEGER)


def _with_plain_names(game: zm.Game) -> zm.Game:
    """The game with names that JavaScript can keep: text, and integers that are not too large."""
    names = game.graph.names
    if names is None or all(_is_plain(x) for x in names):
        return game
    graph = game.graph.with_names([x if isinstance(x, str) else str(x) for x in names])
    start = None if game.start is None else graph.name(game.graph.index(game.start))
    objective = type(game.objective).from_spec(game.objective.spec(game.graph), graph)
    return zm.Game(graph, objective, start, impartial=game.impartial, weight=game.weight)


def _is_plain(name: Any) -> bool:
    if isinstance(name, tuple):
        return all(map(_is_plain, name))
    if isinstance(name, int) and not isinstance(name, bool):
        return abs(name) <= LARGEST_INTEGER
    return isinstance(name, str)


def _shown(name: Any) -> str:
    return str(name)[:MAX_NAME]


# -------------------------------------------------------------------- pictures


class LegendEntry(TypedDict):
    """A line of the legend."""

    sign: Text
    text: Text
    kind: Text
    dash: Text


class PictureData(TypedDict):
    """Positions with their results, each list in the same order.

    ``positions`` are numbers in the game, and ``moves`` and ``best`` lead to places in this
    picture. ``cells`` are the results for one player or for both, each a text and a kind; ``best``
    has the best moves for each of them. ``cut`` counts the moves that are not in the picture.
    """

    positions: list[Natural]
    names: list[Text]
    owners: list[Annotated[int, Meta(ge=0, le=1)] | None]
    moves: list[list[Natural]]
    weights: list[list[Text]]
    cells: list[list[Annotated[list[Text], Meta(min_length=2, max_length=2)]]]
    best: list[list[list[Natural]]]
    answers: list[Text]
    ends: list[bool]
    cut: list[Natural]
    starts: list[bool]
    legend: list[LegendEntry]


def picture_data(picture: Picture, graph: zm.Graph) -> PictureData:
    """A picture as plain data."""
    size = len(picture.nodes)
    moves: list[list[int]] = [[] for _ in range(size)]
    weights: list[list[str]] = [[] for _ in range(size)]
    best: list[list[list[int]]] = [[[] for _ in node.cells or [0]] for node in picture.nodes]
    for edge in picture.edges:
        moves[edge.source].append(edge.target)
        weights[edge.source].append(edge.label)
        for k in edge.best:
            best[edge.source][k].append(edge.target)
    owner = graph.owner
    return {
        "positions": [node.position for node in picture.nodes],
        "names": [_shown(graph.name(node.position)) for node in picture.nodes],
        "owners": [None if owner is None else int(owner[x.position]) for x in picture.nodes],
        "moves": moves,
        "weights": weights,
        "cells": [[[cell.text, cell.kind] for cell in node.cells] for node in picture.nodes],
        "best": best,
        "answers": [node.tooltip for node in picture.nodes],
        "ends": [node.ends for node in picture.nodes],
        "cut": [node.cut for node in picture.nodes],
        "starts": [node.start for node in picture.nodes],
        "legend": [
            {
                "sign": x.sign,
                "text": x.text,
                "kind": x.kind,
                "dash": x.stroke.dash if x.stroke else "",
            }
            for x in legend(picture)
        ],
    }
