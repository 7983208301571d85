"""Where games on graphs come from: text, the command line, generators, built-in games."""

import inspect
from collections import defaultdict
from typing import Annotated, Any, Literal, TypedDict, get_args

from msgspec import Meta

import zermelo as zm
from zermelo.draw.drawing import OWN_ENGINES
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.registry import FORMATS, GAMES, GENERATORS
from zermelo.rules.explore import shown_game
from zermelo.web.api.call import Call
from zermelo.web.api.graphs.data import (
    BINARY,
    MAX_DRAWN,
    MAX_TEXT,
    Format,
    GraphAnswer,
    check_size,
    decoded,
    encoded,
    graph_answer,
    parse,
)
from zermelo.web.api.graphs.objectives import ObjectiveForm, objective_forms
from zermelo.web.api.schema import Integer, Nothing, Request, Text

MAX_EXPLORED = 50_000
"""Positions of a built-in game that becomes a graph."""

Family = Literal[
    "random", "path", "cycle", "tree", "random-tree", "grid", "layered", "star", "complete",
    "parity-random", "steady", "clustered", "ladder", "recursive-ladder", "jurdzinski", "hanoi",
    "elevator", "clique", "two-counters", "weighted-random", "slow-climb",
]  # fmt: skip
"""The generators that a page offers; none of them reads a file."""

Size = Meta(ge=-(10**15), le=10**15)


class TextToRead(Request):
    """The text of a game, or a binary file in base64."""

    text: Annotated[str, Meta(max_length=MAX_TEXT)]
    format: Format | None = None
    binary: bool = False


class Generator(Request):
    """A generator and its parameters."""

    family: Family
    parameters: dict[
        str,
        bool | Annotated[int, Size] | Annotated[float, Size] | Annotated[str, Meta(max_length=100)],
    ]


class BuiltIn(Request):
    """A built-in game, such as nim:3,4,5."""

    game: Annotated[str, Meta(max_length=200)]


class FormatEntry(TypedDict):
    """A format of games."""

    name: Text
    summary: Text
    suffixes: list[Text]
    binary: bool


class GeneratorParameter(TypedDict):
    """A parameter of a generator; it is required if its default is null."""

    name: Text
    kind: Text
    default: Any


class GeneratorEntry(TypedDict):
    """A generator."""

    name: Text
    summary: Text
    parameters: list[GeneratorParameter]


class BuiltInEntry(TypedDict):
    """A built-in game."""

    name: Text
    summary: Text
    example: Text


class Catalogue(TypedDict):
    """What there is; ``drawn`` is the largest number of positions that is drawn."""

    objectives: list[ObjectiveForm]
    formats: list[FormatEntry]
    layouts: list[Text]
    generators: list[GeneratorEntry]
    games: list[BuiltInEntry]
    drawn: Integer


# -------------------------------------------------------------------- what there is


def catalogue(call: Call[Nothing]) -> Catalogue:
    """Objectives, formats, layouts, generators and games that a page can choose from."""
    return {
        "objectives": objective_forms(),
        "formats": [
            {
                "name": row.name,
                "summary": row.summary,
                "suffixes": list(row.suffixes),
                "binary": row.name in BINARY,
            }
            for row in FORMATS
            if "graph" in row.holds
        ],
        "layouts": list(OWN_ENGINES),
        "generators": [
            {"name": name, "summary": GENERATORS[name].summary, "parameters": _parameters(name)}
            for name in get_args(Family)
        ],
        "games": [
            {"name": row.name, "summary": row.summary, "example": row.example or row.name}
            for row in GAMES
        ],
        "drawn": MAX_DRAWN,
    }


def _parameters(name: str) -> list[GeneratorParameter]:
    signature = inspect.signature(GENERATORS[name].load(), eval_str=True)
    found: list[GeneratorParameter] = []
    for p in signature.parameters.values():
        kinds = getattr(p.annotation, "__args__", (p.annotation,))
        kind = next((x.__name__ for x in (bool, int, float) if x in kinds), "str")
        default = None if p.default is p.empty else p.default
        found.append({"name": p.name, "kind": kind, "default": default})
    return found


# -------------------------------------------------------------------- games


def read(call: Call[TextToRead]) -> GraphAnswer:
    """Read a game: a text, or a binary file in base64."""
    request = call.request
    data = decoded(request.text) if request.binary else encoded(request.text)
    game, name = parse(call, data, request.format)
    return graph_answer(game, name, "")


def served(call: Call[Nothing]) -> GraphAnswer:
    """The game of the file that the command line named."""
    found = call.settings.served
    if found is None or found.kind != "graph":
        raise InvalidOptionError("the server was started without a graph; zermelo serve FILE")
    try:
        game = zm.read(found.source)
    except OSError:
        raise InvalidOptionError(f"{found.name}: the file cannot be read any more") from None
    check_size(call, game.graph.n, game.graph.m)
    return graph_answer(game, "", found.name)


def generate(call: Call[Generator]) -> GraphAnswer:
    """Generate a game."""
    name, given = call.request.family, call.request.parameters
    known = {x["name"]: x for x in _parameters(name)}
    options: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            names = ", ".join(known) or "none"
            raise InvalidOptionError(f"{name} has no parameter {key!r}; it has {names}")
        whole = isinstance(value, float) and value.is_integer() and known[key]["kind"] == "int"
        options[key] = int(value) if whole else value
    for key, parameter in known.items():
        if parameter["default"] is None and key not in options:
            raise InvalidOptionError(f"{name} needs the parameter {key}")
    _check_wish(call, name, {key: x["default"] for key, x in known.items()} | options)
    try:
        game = GENERATORS[name].load()(**options)
    except TypeError as error:
        raise InvalidOptionError(f"{name}: {error}") from None
    check_size(call, game.graph.n, game.graph.m)
    return graph_answer(game, "", name)


def _check_wish(call: Call[Any], name: str, options: dict[str, Any]) -> None:
    """Refuse what would be too large, before it is generated, where the size is easy to see."""
    size: dict[str, float] = defaultdict(float)  # what is no number is refused by the generator
    for key, x in options.items():
        if isinstance(x, int | float):
            size[key] = min(max(float(x), 0.0), 1e9)
    positions, moves = size["n"], size["n"] * size["degree"]
    if name == "grid":
        positions = size["width"] * size["height"]
    elif name == "tree":
        positions = size["branching"] ** min(size["depth"], 30)
    elif name == "hanoi":
        positions = 3 ** min(size["n"], 30)
    elif name in ("complete", "clique"):
        moves = size["n"] ** 2
    check_size(call, positions, moves)


def explored(call: Call[BuiltIn]) -> GraphAnswer:
    """The graph of a built-in game."""
    name = call.request.game
    most = min(MAX_EXPLORED, call.settings.limits.positions)
    try:
        game = shown_game(zm.game(name), most, progress=call.report)
    except LimitError:
        raise LimitError(
            f"{name} has more than {most:,} positions, too many to look at as a graph; the view "
            "Play takes it"
        ) from None
    return graph_answer(game, "", name)
