"""Expressions: their values, their moves in a sum, and how they become canonical."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

import zermelo as zm
from zermelo.errors import LimitError, NotationError, UndefinedError
from zermelo.partizan.analysis.explanation import components_of, explain_values
from zermelo.partizan.analysis.play import best_moves, sum_outcome
from zermelo.partizan.loopy.value import LoopyValue
from zermelo.partizan.text.literal_text import FLAT, braced, flat_length
from zermelo.partizan.text.simplify import simplification
from zermelo.web.api.call import Call
from zermelo.web.api.schema import LeftOut, Natural, Positive, Request, Text
from zermelo.web.api.values.records import (
    Component,
    Notation,
    OutcomeRecord,
    ValueRecord,
    components_record,
    cut,
    outcome_record,
    tidy,
    value_record,
)

MAX_COMPONENTS = 60
"""The most summands whose moves are searched."""
MAX_SUMS = 200_000
"""The most sums that a search for moves looks at."""
MAX_MOVES = 400
MAX_STEPS = 200
MAX_LINES = 400


class Expression(Request):
    """A value in the notation of ``zm.value``."""

    expression: Annotated[str, Meta(min_length=1, max_length=2_000, examples=["{2|-1} + ^*"])]


class ToExplain(Expression):
    """An expression, and how many moves deep the reasons go."""

    depth: Annotated[int, Meta(ge=1, le=8)] = 4


class Evaluated(TypedDict):
    """An expression and its value."""

    expression: Text
    value: ValueRecord


SumMove = TypedDict(
    "SumMove", {"component": Natural, "from": Notation, "to": Notation, "wins": bool}
)


class Side(TypedDict):
    """Whether a player wins who begins, and the moves, winning ones first."""

    wins: bool
    moves: list[SumMove]
    more: LeftOut


class SumMoves(TypedDict):
    """The components of a sum, who wins, and the moves of both players."""

    components: list[Component]
    outcome: OutcomeRecord
    left: Side
    right: Side


class Simplification(TypedDict):
    """A step that simplifies a form."""

    before: Notation
    reason: Notation
    after: Notation


class Steps(TypedDict):
    """A form, or its definitions if it is long, and how it becomes canonical.

    ``number`` is the reason why the form is or is not a number by the definition.
    """

    form: list[Notation]
    positions: Positive
    canonical: bool
    steps: list[Simplification]
    more: LeftOut
    value: Notation
    is_number: bool
    number: Notation


class Sentence(TypedDict):
    """A sentence of an explanation, and how far it is indented."""

    level: Natural
    text: Notation


class Explanation(TypedDict):
    """The sentences of an explanation; ``more`` are left out."""

    lines: list[Sentence]
    more: LeftOut


def evaluate(call: Call[Expression]) -> Evaluated:
    """The canonical form of an expression: outcome, stops, mean, temperature, thermograph."""
    tidy(call)
    expression = call.request.expression
    with _one_sentence():
        found = zm.value(expression)
    return {"expression": expression, "value": value_record(found)}


def moves(call: Call[Expression]) -> SumMoves:
    """The components of a sum, and for each player all moves, with those that win."""
    parts = _components(call)
    if any(isinstance(x, LoopyValue) for x in parts):
        raise UndefinedError("the moves of a sum are listed for values without loops only")
    if len(parts) > MAX_COMPONENTS:
        raise LimitError(
            f"the sum has {len(parts):,} components; moves are listed for at most {MAX_COMPONENTS}"
        )
    values = [getattr(x, "value", x) for x in parts]
    kinds = list(Counter(values))

    def side(player: Literal["left", "right"]) -> Side:
        winning = {(m.before, m.after) for m in best_moves(values, player, limit=MAX_SUMS)}
        listed: list[SumMove] = [
            {"component": k, "from": cut(x), "to": cut(y), "wins": (x, y) in winning}
            for k, x in enumerate(kinds)
            for y in getattr(x, player)
        ]
        listed.sort(key=lambda move: not move["wins"])
        more = max(0, len(listed) - MAX_MOVES)
        return {"wins": bool(winning), "moves": listed[:MAX_MOVES], "more": more}

    return {
        "components": components_record(Counter(values)),
        "outcome": outcome_record(sum_outcome(values, limit=MAX_SUMS)),
        "left": side("left"),
        "right": side("right"),
    }


def steps(call: Call[Expression]) -> Steps:
    """How a form as it is written becomes canonical, and whether it is a number."""
    tidy(call)
    with _one_sentence():
        form = zm.literal(call.request.expression)
        trace = simplification(form)
        number = zm.is_number(form)
    flat = flat_length(form) <= FLAT
    return {
        "form": [braced(form)] if flat else [cut(x) for x in form.definitions(40)],
        "positions": form.positions,
        "canonical": form.is_canonical,
        "steps": [
            {"before": cut(x.before), "reason": cut(x.reason), "after": cut(x.after)}
            for x in trace.steps[:MAX_STEPS]
        ],
        "more": max(0, len(trace) - MAX_STEPS),
        "value": cut(trace.value),
        "is_number": bool(number),
        "number": cut(number),
    }


def explain(call: Call[ToExplain]) -> Explanation:
    """Who wins an expression, by which moves, and why other moves fail."""
    found = explain_values(_components(call), depth=call.request.depth)
    lines = str(found).splitlines()
    return {
        "lines": [
            {"level": (len(x) - len(x.lstrip())) // 2, "text": cut(x.strip())}
            for x in lines[:MAX_LINES]
        ],
        "more": max(0, len(lines) - MAX_LINES),
    }


def _components(call: Call[Any]) -> tuple[Any, ...]:

    tidy(call)
    with _one_sentence():
        return components_of(call.request.expression)


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Errors of the notation say their sentence alone: the page marks the column by itself."""
    try:
        yield
    except NotationError as error:
        raise UndefinedError(error.message) from None
