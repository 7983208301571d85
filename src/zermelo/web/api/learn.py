"""The room "learn": worked examples of the sources, each of which opens in the right room."""

import functools
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from zermelo.errors import InvalidOptionError
from zermelo.web.endpoints import Call, Endpoint
from zermelo.web.schema import array, boolean, nullable, one_of, record, text

FOLDER = Path(__file__).parent.parent / "examples"


@functools.cache
def groups() -> list[dict[str, Any]]:
    """The groups of examples, in the order of their files.

    >>> groups()[0]["title"]
    'First steps'
    """
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]


def link(example: dict[str, Any]) -> str:
    """The address that shows an example.

    >>> link({"name": "first", "room": "graph"})
    '#/graph?example=first'
    >>> link({"name": "half", "room": "values", "parameters": {"expr": "{0|1}"}})
    '#/values?expr=%7B0%7C1%7D'
    """
    parameters = example.get("parameters") or {"example": example["name"]}
    return f"#/{example['room']}?{urlencode(parameters)}"


def listed(call: Call) -> dict[str, Any]:
    """All examples, without their games."""
    return {
        "groups": [
            {
                "title": group["title"],
                "summary": group["summary"],
                "examples": [
                    {**{key: x[key] for key in ("name", "title", "sentence", "room")}}
                    | {"link": link(x)}
                    for x in group["examples"]
                ],
            }
            for group in groups()
        ]
    }


def example(call: Call) -> dict[str, Any]:
    """One example on a graph: the game as text, and how to look at it."""
    name = call.request["name"]
    for group in groups():
        for x in group["examples"]:
            if x["name"] == name and "game" in x:
                game = x["game"]
                return {
                    "name": name,
                    "title": x["title"],
                    "sentence": x["sentence"],
                    "source": group["title"],
                    "text": json.dumps(game, ensure_ascii=False),
                    "format": "json",
                    "objective": game.get("objective", {}).get("objective", "normal"),
                    "solver": x.get("solver"),
                    "trace": x.get("trace", False),
                }
    raise InvalidOptionError(f"there is no example of a graph with the name {name!r}")


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET",
        "/learn/list",
        "The worked examples, in groups",
        "learn:listed",
        record({}),
        record(
            {
                "groups": array(
                    record(
                        {
                            "title": text(),
                            "summary": text(),
                            "examples": array(
                                record(
                                    {
                                        "name": text(),
                                        "title": text(),
                                        "sentence": text(),
                                        "room": one_of(["play", "graph", "values"]),
                                        "link": text("The address within the page"),
                                    }
                                )
                            ),
                        }
                    )
                )
            }
        ),
    ),
    Endpoint(
        "GET",
        "/learn/example",
        "One worked example on a graph",
        "learn:example",
        record({"name": text(most=100, least=1, examples=["first-game"])}),
        record(
            {
                "name": text(),
                "title": text(),
                "sentence": text(),
                "source": text(),
                "text": text("The game in the JSON format of games", most=1_000_000),
                "format": one_of(["json"]),
                "objective": text("The keyword of the objective, which is in the text, too"),
                "solver": nullable(text("The solver to choose")),
                "trace": boolean("Whether the steps of the solver are worth a look"),
            }
        ),
    ),
)
