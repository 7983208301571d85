"""Where games on graphs come from: text, the command line, generators, built-in games."""

import inspect
from collections import defaultdict
from typing import Any

import zermelo as zm
from zermelo.draw.drawing import OWN_ENGINES
from zermelo.errors import InvalidOptionError, LimitError, ZermeloError
from zermelo.registry import FORMATS, GAMES, GENERATORS
from zermelo.rules.explore import shown_game
from zermelo.web.endpoints import Call
from zermelo.web.graph_data import (
    BINARY,
    MOST_DRAWN,
    check_size,
    decoded,
    encoded,
    graph_answer,
    parse,
)
from zermelo.web.objective_form import objective_forms

MOST_EXPLORED = 50_000
"""Positions of a built-in game that becomes a graph."""

FAMILIES = (
    "random", "path", "cycle", "tree", "random-tree", "grid", "layered", "star", "complete",
    "parity-random", "steady", "clustered", "ladder", "recursive-ladder", "jurdzinski", "hanoi",
    "elevator", "clique", "two-counters", "weighted-random", "slow-climb",
)  # fmt: skip
"""The generators that a page offers; none of them reads a file."""

# -------------------------------------------------------------------- what there is


def catalogue(call: Call) -> dict[str, Any]:
    """The objectives, formats, layouts, generators and games that a page can choose from."""
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
            for name in FAMILIES
        ],
        "games": [
            {"name": row.name, "summary": row.summary, "example": row.example or row.name}
            for row in GAMES
        ],
        "drawn": MOST_DRAWN,
    }


def _parameters(name: str) -> list[dict[str, Any]]:
    signature = inspect.signature(GENERATORS[name].load(), eval_str=True)
    found = []
    for p in signature.parameters.values():
        kinds = getattr(p.annotation, "__args__", (p.annotation,))
        kind = next((x.__name__ for x in (bool, int, float) if x in kinds), "str")
        default = None if p.default is p.empty else p.default
        found.append({"name": p.name, "kind": kind, "default": default})
    return found


# -------------------------------------------------------------------- games


def read(call: Call) -> dict[str, Any]:
    """The game of a text, or of a binary file in base64."""
    given, form = call.request["text"], call.request.get("format")
    data = decoded(given) if call.request.get("binary") else encoded(given)
    game, name = parse(call, data, form)
    return graph_answer(game, name, "")


def served(call: Call) -> dict[str, Any]:
    """The game of the file that the command line named."""
    found = call.settings.served
    if found is None or found.kind != "graph":
        raise InvalidOptionError("the server was started without a graph; zermelo serve FILE")
    try:
        game = zm.read(found.source)
    except OSError:
        raise InvalidOptionError(f"{found.name}: the file cannot be read any more") from None
    except ZermeloError as error:
        raise InvalidOptionError(str(error).replace(found.source, found.name)) from None
    check_size(call, game.graph.n, game.graph.m)
    return graph_answer(game, "", found.name)


def generate(call: Call) -> dict[str, Any]:
    """The game of a generator."""
    name, given = call.request["family"], call.request["parameters"]
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
    _check_wish(
        call, name, options | {k: v for k, v in _defaults(known).items() if k not in options}
    )
    try:
        game = GENERATORS[name].load()(**options)
    except TypeError as error:
        raise InvalidOptionError(f"{name}: {error}") from None
    check_size(call, game.graph.n, game.graph.m)
    return graph_answer(game, "", name)


def _defaults(known: dict[str, Any]) -> dict[str, Any]:
    return {name: x["default"] for name, x in known.items() if x["default"] is not None}


def _check_wish(call: Call, name: str, options: dict[str, Any]) -> None:
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


def explored(call: Call) -> dict[str, Any]:
    """The graph of a built-in game."""
    name = call.request["game"]
    most = min(MOST_EXPLORED, call.settings.limits.positions)
    try:
        game = shown_game(zm.game(name), most, progress=call.report)
    except LimitError:
        raise LimitError(
            f"{name} has more than {most:,} positions, too many to look at as a graph; the room "
            "Play takes it"
        ) from None
    return graph_answer(game, "", name)
