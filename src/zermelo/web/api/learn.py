"""Worked examples of the sources, each of which opens in the view that shows it."""

import functools
import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, cast
from urllib.parse import urlencode

from msgspec import Meta

from zermelo.errors import InvalidOptionError
from zermelo.web.api.call import Call
from zermelo.web.api.schema import Nothing, Request, Text

FOLDER = Path(__file__).parent.parent / "examples"


SHOWN = ("name", "title", "sentence", "room")
"""What the list has of an example."""


class Name(Request):
    """The name of an example."""

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["first-game"])]


class ListedExample(TypedDict):
    """An example, the view that shows it, and the address within the page."""

    name: Text
    title: Text
    sentence: Text
    room: Literal["play", "graph", "values"]
    link: Text


class Group(TypedDict):
    """Examples of one source."""

    title: Text
    summary: Text
    examples: list[ListedExample]


class Examples(TypedDict):
    """All examples."""

    groups: list[Group]


class Example(TypedDict):
    """A game as text in the JSON format of games, and how to look at it.

    ``objective`` is the keyword of the objective, which is in the text, too; ``trace`` says whether
    the steps of the solver are worth a look.
    """

    name: Text
    title: Text
    sentence: Text
    source: Text
    text: Annotated[str, Meta(max_length=1_000_000)]
    format: Literal["json"]
    objective: Text
    solver: Text | None
    trace: bool


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


def listed(call: Call[Nothing]) -> Examples:
    """The worked examples, in groups."""
    return {
        "groups": [
            {
                "title": group["title"],
                "summary": group["summary"],
                "examples": [
                    cast(ListedExample, {**{key: x[key] for key in SHOWN}, "link": link(x)})
                    for x in group["examples"]
                ],
            }
            for group in groups()
        ]
    }


def example(call: Call[Name]) -> Example:
    """One worked example on a graph: the game as text, and how to look at it."""
    name = call.request.name
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
