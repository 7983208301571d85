"""The room of values: expressions, their moves in a sum, and how they become canonical.

Positions of games are in :mod:`zermelo.web.api.values_games`, and heaps in
:mod:`zermelo.web.api.values_heaps`; the rows of all of them are here.
"""

from collections import Counter
from typing import Any

from zermelo.errors import LimitError, NotationError, UndefinedError
from zermelo.web.api.values_record import (
    COMPONENT,
    MOST_TEXT,
    OUTCOME,
    VALUE,
    components_record,
    cut,
    outcome_record,
    tidy,
    value_record,
)
from zermelo.web.endpoints import Call, Endpoint
from zermelo.web.schema import array, boolean, integer, nullable, one_of, record, text

MOST_COMPONENTS = 60
"""The most summands whose moves are searched."""
MOST_SUMS = 200_000
"""The most sums that a search for moves looks at."""
MOST_MOVES = 400
MOST_STEPS = 200
MOST_LINES = 400


def evaluate(call: Call) -> dict[str, Any]:
    """The canonical form of an expression, and what is known of it."""
    import zermelo as zm

    tidy(call)
    expression = call.request["expression"]
    with _one_sentence():
        found = zm.value(expression)
    return {"expression": expression, "value": value_record(found)}


def moves(call: Call) -> dict[str, Any]:
    """The components of a sum, and for each player all moves, with those that win."""
    from zermelo.partizan.analysis.play import best_moves, sum_outcome
    from zermelo.partizan.loopy.value import LoopyValue

    parts = _components(call)
    if any(isinstance(x, LoopyValue) for x in parts):
        raise UndefinedError("the moves of a sum are listed for values without loops only")
    if len(parts) > MOST_COMPONENTS:
        raise LimitError(
            f"the sum has {len(parts):,} components; moves are listed for at most {MOST_COMPONENTS}"
        )
    values = [getattr(x, "value", x) for x in parts]
    kinds = list(Counter(values))
    outcome = sum_outcome(values, limit=MOST_SUMS)
    sides = {}
    for side in ("left", "right"):
        winning = {(m.before, m.after) for m in best_moves(values, side, limit=MOST_SUMS)}
        listed = [
            {"component": k, "from": cut(x), "to": cut(y), "wins": (x, y) in winning}
            for k, x in enumerate(kinds)
            for y in getattr(x, side)
        ]
        listed.sort(key=lambda move: not move["wins"])
        more = max(0, len(listed) - MOST_MOVES)
        sides[side] = {"wins": bool(winning), "moves": listed[:MOST_MOVES], "more": more}
    return {
        "components": components_record(Counter(values)),
        "outcome": outcome_record(outcome),
        **sides,
    }


def steps(call: Call) -> dict[str, Any]:
    """The form as it is written, each step that simplifies it, and whether it is a number."""
    import zermelo as zm
    from zermelo.partizan.text.literal_text import FLAT, braced, flat_length
    from zermelo.partizan.text.simplify import simplification

    tidy(call)
    with _one_sentence():
        form = zm.literal(call.request["expression"])
        trace = simplification(form)
        number = zm.is_number(form)
    flat = flat_length(form) <= FLAT
    return {
        "form": [braced(form)] if flat else [cut(x) for x in form.definitions(40)],
        "positions": form.positions,
        "canonical": form.is_canonical,
        "steps": [
            {"before": cut(x.before), "reason": cut(x.reason), "after": cut(x.after)}
            for x in trace.steps[:MOST_STEPS]
        ],
        "more": max(0, len(trace) - MOST_STEPS),
        "value": cut(trace.value),
        "is_number": bool(number),
        "number": cut(number),
    }


def explain(call: Call) -> dict[str, Any]:
    """Who wins when Left and when Right begins, by which moves, and why other moves fail."""
    from zermelo.partizan.analysis.explanation import explain_values

    depth = call.request.get("depth", 4)
    lines = str(explain_values(_components(call), depth=depth)).splitlines()
    return {
        "lines": [
            {"level": (len(x) - len(x.lstrip())) // 2, "text": cut(x.strip())}
            for x in lines[:MOST_LINES]
        ],
        "more": max(0, len(lines) - MOST_LINES),
    }


def _components(call: Call) -> tuple[Any, ...]:
    from zermelo.partizan.analysis.explanation import components_of

    tidy(call)
    with _one_sentence():
        return components_of(call.request["expression"])


class _one_sentence:
    """Errors of the notation say their sentence alone: the page marks the column by itself."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NotationError):
            raise UndefinedError(error.message) from None


EXPRESSION = text(
    "A value in the notation of zm.value", least=1, most=2_000, examples=["{2|-1} + ^*"]
)
ASKED = record({"expression": EXPRESSION})

SIDE = record(
    {
        "wins": boolean("Whether this player wins, moving first"),
        "moves": array(
            record(
                {
                    "component": integer(least=0),
                    "from": text(most=MOST_TEXT),
                    "to": text(most=MOST_TEXT),
                    "wins": boolean("Whether the player wins by this move"),
                }
            ),
            "The winning moves come first",
        ),
        "more": integer("Moves that are left out", 0),
    }
)

HEAP_MOVE = record(
    {
        "heap": integer("The heap that is changed, from 0", least=0),
        "from": integer(least=0),
        "to": array(integer(least=0), "The heaps that are left of it"),
    }
)

POSITION_MOVE = record(
    {
        "text": text("The position after the move", most=MOST_TEXT),
        "value": text(most=MOST_TEXT),
        "result": one_of(["wins", "draws", "loses"], "What the player gets who makes the move"),
    }
)

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST",
        "/values/evaluate",
        "The canonical form of an expression: outcome, stops, mean, temperature, thermograph",
        "values:evaluate",
        ASKED,
        record({"expression": text(), "value": VALUE}),
    ),
    Endpoint(
        "POST",
        "/values/moves",
        "The components of a sum, and the moves of both players that win",
        "values:moves",
        ASKED,
        record(
            {"components": array(COMPONENT), "outcome": OUTCOME, "left": SIDE, "right": SIDE},
        ),
    ),
    Endpoint(
        "POST",
        "/values/steps",
        "How a form as it is written becomes canonical, and whether it is a number",
        "values:steps",
        ASKED,
        record(
            {
                "form": array(text(most=MOST_TEXT), "The form, or its definitions if it is long"),
                "positions": integer(least=1),
                "canonical": boolean(),
                "steps": array(
                    record(
                        {
                            "before": text(most=MOST_TEXT),
                            "reason": text(most=MOST_TEXT),
                            "after": text(most=MOST_TEXT),
                        }
                    )
                ),
                "more": integer("Steps that are left out", least=0),
                "value": text(most=MOST_TEXT),
                "is_number": boolean("Whether the form is a number by the definition"),
                "number": text("The reason", most=MOST_TEXT),
            }
        ),
    ),
    Endpoint(
        "POST",
        "/values/explain",
        "Who wins an expression, by which moves, and why other moves fail",
        "values:explain",
        record({"expression": EXPRESSION, "depth": integer(least=1, most=8)}, optional=["depth"]),
        record(
            {
                "lines": array(record({"level": integer(least=0), "text": text(most=MOST_TEXT)})),
                "more": integer("Sentences that are left out", least=0),
            }
        ),
    ),
    Endpoint(
        "GET",
        "/values/games",
        "The games whose positions have partizan values, and how one draws them",
        "values_games:games",
        record({}),
        record(
            {
                "games": array(
                    record(
                        {
                            "name": text(),
                            "summary": text(),
                            "kind": one_of(["grid", "strip", "graph"]),
                            "letters": array(record({"letter": text(), "meaning": text()})),
                            "example": text("A position"),
                            "squares": integer("The most squares or edges", least=1),
                        }
                    )
                )
            }
        ),
    ),
    Endpoint(
        "POST",
        "/values/position",
        "The value of a position of a game, of its parts, and of all moves",
        "values_games:position",
        record(
            {
                "game": text(most=60, least=1, examples=["domineering"]),
                "position": text(most=4_000, least=1, examples=["../.#"]),
            }
        ),
        record(
            {
                "game": text(),
                "position": text(most=MOST_TEXT),
                "value": VALUE,
                "components": array(COMPONENT),
                "left": array(POSITION_MOVE),
                "right": array(POSITION_MOVE),
                "more": integer("Moves that are left out", least=0),
            }
        ),
    ),
    Endpoint(
        "POST",
        "/values/heap",
        "The nim-values of a heap game, its period, and the winning moves in a position",
        "values_heaps:heap",
        record(
            {
                "game": text("A code such as 0.77, a set such as 1,2,5, or a name", most=400),
                "to": integer("The largest heap whose value is wanted", least=1, most=5_000),
                "heaps": array(integer(least=0, most=20_000), "A position", most=30),
            },
            optional=["to", "heaps"],
        ),
        record(
            {
                "game": text(),
                "code": text("The code"),
                "values": array(integer(least=0)),
                "searched": integer("The heaps up to which a period was sought", least=0),
                "period": nullable(
                    record(
                        {
                            "period": integer(least=1),
                            "preperiod": integer(least=0),
                            "saltus": integer("The growth in each period", least=0),
                            "row": array(integer(), "The values of one period"),
                            "exceptions": array(
                                record({"heap": integer(least=0), "value": integer(least=0)}),
                                "Heaps whose values differ from the period",
                            ),
                        }
                    )
                ),
                "position": nullable(
                    record(
                        {
                            "heaps": array(integer(least=0)),
                            "values": array(integer(least=0), "The value of each heap"),
                            "value": integer("The nim-sum", least=0),
                            "moves": array(HEAP_MOVE, "Winning moves"),
                            "more": integer("Winning moves that are left out", least=0),
                        }
                    )
                ),
            }
        ),
    ),
    Endpoint(
        "GET",
        "/values/heaps",
        "The heap games that have a name, and their codes",
        "values_heaps:names",
        record({}),
        record({"games": array(record({"name": text(), "code": text()}))}),
    ),
)
