"""A value as data: its text, who wins, its properties, its options and its thermograph."""

import contextlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from zermelo.errors import UndefinedError
from zermelo.partizan.analysis.play import hint
from zermelo.partizan.analysis.thermograph import Thermograph
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value
from zermelo.plots.text import shortened
from zermelo.web.api.call import Call
from zermelo.web.api.schema import LeftOut, Positive, Text

MAX_TEXT = 20_000
"""The most characters of a value; the end of a longer one is left out."""
MAX_OPTIONS = 100

Notation = Annotated[str, Meta(max_length=MAX_TEXT)]
ResultWord = Literal["wins", "draws", "loses"]


class OutcomeRecord(TypedDict):
    """Who wins: the class (L, R, N, P, or one with draws), and what a player gets who begins."""

    name: Text
    sentence: Text
    left: ResultWord
    right: ResultWord


class Corner(TypedDict):
    """A temperature, and the score of a wall there."""

    t: Text
    x: Text


class ThermographRecord(TypedDict):
    """The corner points of both walls, from the temperature -1 upwards."""

    left: list[Corner]
    right: list[Corner]
    mean: Text
    temperature: Text


class Option(TypedDict):
    """An option; ``whole`` says that nothing of the text is left out."""

    text: Notation
    whole: bool


class Fact(TypedDict):
    """Something that is known of a value."""

    name: Text
    text: Notation


class ValueRecord(TypedDict):
    """A value: its canonical form, who wins, its options; ``more`` of them are left out."""

    text: Notation
    whole: bool
    kind: Literal["number", "infinitesimal", "near", "hot", "loopy"]
    outcome: OutcomeRecord
    facts: list[Fact]
    left: list[Option]
    right: list[Option]
    more: LeftOut
    thermograph: ThermographRecord | None


class Component(TypedDict):
    """A component of a sum; a move in the hottest one is usually the best."""

    text: Notation
    value: Notation
    count: Positive
    mean: Text | None
    temperature: Text | None
    hottest: bool


MAX_STORE = 1_000_000
"""The store of values of a worker is emptied when it has more."""

RESULTS: dict[int, ResultWord] = {1: "wins", 0: "draws", -1: "loses"}


def tidy(call: Call[Any]) -> None:
    """Empty the store of values if it is large, and nobody else has values in it."""
    if call.settings.own_process and len(STORE) > MAX_STORE:
        STORE.clear()


def cut(x: object) -> str:
    """A text without what is beyond :data:`MAX_TEXT`.

    >>> cut(12), len(cut("a" * 30_000))
    ('12', 20000)
    """
    return shortened(str(x), MAX_TEXT)


def outcome_record(outcome: Outcome) -> OutcomeRecord:
    """Who wins.

    >>> import zermelo as zm
    >>> outcome_record(zm.value("*").outcome)["sentence"]
    'The player who begins wins.'
    """
    sentence = str(outcome)
    return {
        "name": outcome.name,
        "sentence": f"{sentence[0].upper()}{sentence[1:]}.",
        "left": RESULTS[outcome.left_first],
        "right": RESULTS[-outcome.right_first],
    }


def value_record(v: Any) -> ValueRecord:
    """A value, or a loopy value.

    >>> import zermelo as zm
    >>> found = value_record(zm.value("{2|-1}"))
    >>> found["kind"], found["thermograph"]["temperature"], found["left"]
    ('hot', '3/2', [{'text': '2', 'whole': True}])
    """
    name = str(v)
    short = isinstance(v, Value)
    left, right = (list(v.left), list(v.right)) if short or v.is_stopper else ([], [])
    return {
        "text": cut(name),
        "whole": len(name) <= MAX_TEXT,
        "kind": _kind(v) if short else "loopy",
        "outcome": outcome_record(v.outcome),
        "facts": [{"name": x, "text": cut(y)} for x, y in (_facts(v) if short else _loopy(v))],
        "left": [_option(x) for x in left[:MAX_OPTIONS]],
        "right": [_option(x) for x in right[:MAX_OPTIONS]],
        "more": sum(max(0, len(options) - MAX_OPTIONS) for options in (left, right)),
        "thermograph": thermograph_record(v.thermograph) if short else None,
    }


def thermograph_record(picture: Thermograph) -> ThermographRecord:
    """The corner points of both walls, exact.

    >>> import zermelo as zm
    >>> thermograph_record(zm.value("{2|-1}").thermograph)["left"]
    [{'t': '-1', 'x': '3'}, {'t': '3/2', 'x': '1/2'}]
    """
    return {
        "left": [{"t": str(t), "x": str(x)} for t, x in picture.left_wall],
        "right": [{"t": str(t), "x": str(x)} for t, x in picture.right_wall],
        "mean": str(picture.mean),
        "temperature": str(picture.temperature),
    }


def components_record(
    counts: Mapping[Any, int], texts: Mapping[Any, str] | None = None
) -> list[Component]:
    """Components of a sum with the number of times that each occurs; loopy ones have no mean.

    >>> import zermelo as zm
    >>> [x["hottest"] for x in components_record({zm.value("{5|-3}"): 2, zm.value("^"): 1})]
    [True, False]
    """
    values = list(counts)
    short = [k for k, x in enumerate(values) if isinstance(x, Value)]
    best = hint([values[k] for k in short])
    hottest = None if best is None else short[best]
    return [
        {
            "text": cut((texts or {}).get(x, x)),
            "value": cut(x),
            "count": counts[x],
            "mean": str(x.mean) if isinstance(x, Value) else None,
            "temperature": str(x.temperature) if isinstance(x, Value) else None,
            "hottest": k == hottest,
        }
        for k, x in enumerate(values)
    ]


def _option(x: Any) -> Option:
    name = str(x)
    return {"text": cut(name), "whole": len(name) <= MAX_TEXT}


def _kind(v: Any) -> Literal["number", "hot", "infinitesimal", "near"]:
    if v.is_number:
        return "number"
    if v.temperature > 0:
        return "hot"
    return "infinitesimal" if v.is_infinitesimal else "near"


def _facts(v: Any) -> list[tuple[str, object]]:
    """What is known of a value without loops, as far as it says something new."""
    facts: list[tuple[str, object]] = [
        ("left stop", v.left_stop),
        ("right stop", v.right_stop),
        ("mean", v.mean),
        ("temperature", v.temperature),
        ("birthday", v.birthday),
    ]
    if v.is_number:
        facts.append(("integer", "yes" if v.is_integer else "no"))
    if v.nimber:
        facts.append(("nimber", f"*{v.nimber}"))
    if v.is_infinitesimal and not v.is_number:
        facts.append(("all-small", "yes" if v.is_all_small else "no"))
        with contextlib.suppress(UndefinedError):
            facts.append(("atomic weight", v.atomic_weight))
    if not v.is_number and not v.is_infinitesimal and (near := v.reduced) != v:
        facts.append(("up to infinitesimals", near))
    return facts


def _loopy(v: Any) -> list[tuple[str, object]]:
    facts: list[tuple[str, object]] = [("stopper", "yes" if v.is_stopper else "no")]
    if not v.is_stopper and v.has_sides:
        facts += [("onside", v.onside), ("offside", v.offside)]
    return facts
