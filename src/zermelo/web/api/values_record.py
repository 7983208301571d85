"""A value as data: its text, who wins, its properties, its options and its thermograph."""

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.errors import UndefinedError
from zermelo.web.endpoints import Call
from zermelo.web.schema import array, boolean, integer, nullable, one_of, record, text

if TYPE_CHECKING:
    from zermelo.partizan.analysis.thermograph import Thermograph
    from zermelo.partizan.outcome import Outcome

MOST_TEXT = 20_000
"""The most characters of a value; the end of a longer one is left out."""
MOST_OPTIONS = 100

OUTCOME = record(
    {
        "name": text("The class: L, R, N, P, or one with draws"),
        "sentence": text("Who wins"),
        "left": one_of(["wins", "draws", "loses"], "What Left gets who begins"),
        "right": one_of(["wins", "draws", "loses"], "What Right gets who begins"),
    }
)

WALL = array(
    record({"t": text("A temperature"), "x": text("The score there")}),
    "Corner points, from the temperature -1 upwards",
)

THERMOGRAPH = record({"left": WALL, "right": WALL, "mean": text(), "temperature": text()})

OPTION = record({"text": text(most=MOST_TEXT), "whole": boolean("Whether nothing is left out")})

VALUE = record(
    {
        "text": text("The canonical form", most=MOST_TEXT),
        "whole": boolean("Whether the text is complete"),
        "kind": one_of(["number", "infinitesimal", "near", "hot", "loopy"]),
        "outcome": OUTCOME,
        "facts": array(record({"name": text(), "text": text(most=MOST_TEXT)})),
        "left": array(OPTION, "Left's options"),
        "right": array(OPTION, "Right's options"),
        "more": integer("Options that are left out", least=0),
        "thermograph": nullable(THERMOGRAPH),
    }
)

COMPONENT = record(
    {
        "text": text("The component", most=MOST_TEXT),
        "value": text(most=MOST_TEXT),
        "count": integer("How many there are", least=1),
        "mean": nullable(text()),
        "temperature": nullable(text()),
        "hottest": boolean("Whether a move here is usually the best"),
    }
)

MOST_KEPT = 1_000_000
"""The store of values of a worker is emptied when it has more."""

RESULTS = {1: "wins", 0: "draws", -1: "loses"}


def tidy(call: Call) -> None:
    """Empty the store of values if it is large, and nobody else has values in it."""
    from zermelo.partizan.store import STORE

    if call.settings.own_process and len(STORE) > MOST_KEPT:
        STORE.clear()


def cut(x: object) -> str:
    """A text without what is beyond :data:`MOST_TEXT`.

    >>> cut(12), len(cut("a" * 30_000))
    ('12', 20000)
    """
    found = str(x)
    return found if len(found) <= MOST_TEXT else found[: MOST_TEXT - 1] + "…"


def outcome_record(outcome: "Outcome") -> dict[str, Any]:
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


def value_record(v: Any) -> dict[str, Any]:
    """A value, or a loopy value.

    >>> import zermelo as zm
    >>> found = value_record(zm.value("{2|-1}"))
    >>> found["kind"], found["thermograph"]["temperature"], found["left"]
    ('hot', '3/2', [{'text': '2', 'whole': True}])
    """
    from zermelo.partizan.value import Value

    name = str(v)
    short = isinstance(v, Value)
    sides = {
        side: list(getattr(v, side)) if short or v.is_stopper else [] for side in ("left", "right")
    }
    return {
        "text": cut(name),
        "whole": len(name) <= MOST_TEXT,
        "kind": _kind(v) if short else "loopy",
        "outcome": outcome_record(v.outcome),
        "facts": [{"name": x, "text": cut(y)} for x, y in (_facts(v) if short else _loopy(v))],
        **{side: [_option(x) for x in options[:MOST_OPTIONS]] for side, options in sides.items()},
        "more": sum(max(0, len(options) - MOST_OPTIONS) for options in sides.values()),
        "thermograph": thermograph_record(v.thermograph) if short else None,
    }


def thermograph_record(picture: "Thermograph") -> dict[str, Any]:
    """The corner points of both walls, exact.

    >>> import zermelo as zm
    >>> thermograph_record(zm.value("{2|-1}").thermograph)["left"]
    [{'t': '-1', 'x': '3'}, {'t': '3/2', 'x': '1/2'}]
    """
    walls = {"left": picture.left_wall, "right": picture.right_wall}
    return {
        **{side: [{"t": str(t), "x": str(x)} for t, x in wall] for side, wall in walls.items()},
        "mean": str(picture.mean),
        "temperature": str(picture.temperature),
    }


def components_record(
    counts: Mapping[Any, int], texts: Mapping[Any, str] | None = None
) -> list[dict[str, Any]]:
    """Components of a sum with the number of times that each occurs; loopy ones have no mean.

    >>> import zermelo as zm
    >>> [x["hottest"] for x in components_record({zm.value("{5|-3}"): 2, zm.value("^"): 1})]
    [True, False]
    """
    from zermelo.partizan.analysis.play import hint
    from zermelo.partizan.value import Value

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


def _option(x: Any) -> dict[str, Any]:
    name = str(x)
    return {"text": cut(name), "whole": len(name) <= MOST_TEXT}


def _kind(v: Any) -> str:
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
