"""``zermelo value --number``, ``--literal`` and ``--explain``: forms as they are written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import zermelo as zm
from zermelo.cli.output import show
from zermelo.cli.values.arguments import Arguments

if TYPE_CHECKING:
    from zermelo.partizan.text.number_definition import NumberTest
    from zermelo.partizan.text.simplify import FormTrace

NUMBER_COLUMNS = (
    "expression", "is_number", "number", "value", "moves", "position", "left", "right",
    "left_number", "right_number",
)  # fmt: skip
MAX_FIELD_LENGTH = 1_000
"""A form with a longer text is not written into a field of a table."""
MAX_DEFINITIONS = 200
"""The most definitions of a form that are shown."""


def _field(form: "zm.Literal | None", *, top: bool = False) -> str:
    """A form in a table; ``top`` asks for its options, in braces, even if it has a name."""
    from zermelo.partizan.text.literal_text import braced, flat_length

    if form is None:
        return show.NOTHING
    if flat_length(form) > MAX_FIELD_LENGTH:
        return f"a form with {form.positions:,} positions"
    return braced(form) if top else form.text


# -------------------------------------------------------------------- numbers


def show_numbers(source: "Arguments", as_json: bool) -> None:
    """Print whether each form is a number by the definition, and where the definition fails."""
    tests = ((name, zm.is_number(form)) for name, form in source.forms())
    if as_json:
        rows = ({"expression": name, **test.to_dict()} for name, test in tests)
        show.print_json_rows({}, "numbers", rows)
    elif show.on_terminal():
        for name, test in tests:
            print(test if len(source.what) == 1 and name == source.what[0] else f"{name}: {test}")
    else:
        show.print_rows(NUMBER_COLUMNS, (_number_row(name, test) for name, test in tests))


def _number_row(name: str, test: "NumberTest") -> list[Any]:
    moves = "; ".join(f"{who} to {_field(x, top=True)}" for who, x in test.moves) or None
    forms = (_field(test.position, top=True), _field(test.left), _field(test.right))
    numbers = (test.left_number, test.right_number)
    return [name, bool(test), test.number, test.value, moves, *forms, *numbers]


# -------------------------------------------------------------------- literal forms


def show_literal(source: "Arguments", as_json: bool) -> None:
    """Print each form as it is written, and the steps that simplify it."""
    from zermelo.partizan.text.simplify import simplification

    traces = ((name, simplification(form)) for name, form in source.forms())
    if as_json:
        show.print_json_rows({}, "forms", (_record(name, trace) for name, trace in traces))
        return
    if not show.on_terminal():
        show.print_rows(("what", "value"), (fact for pair in traces for fact in _facts(*pair)))
        return
    for k, pair in enumerate(traces):
        if k:
            print()
        show.print_facts(list(_facts(*pair)))


def _record(name: str, trace: "FormTrace") -> dict[str, Any]:
    from zermelo.partizan.text.literal_text import sum_text

    form = trace.form
    return {
        "expression": name,
        "summands": [_field(x) for x in form.summands],
        "sum": sum_text(form),
        "form": form.definitions(),
        "positions": form.positions,
        "is_canonical": form.is_canonical,
        "steps": [step.to_dict() for step in trace],
        "value": str(trace.value),
    }


def _facts(name: str, trace: "FormTrace") -> Iterator[tuple[str, str]]:
    """The rows that describe a form."""
    from zermelo.partizan.text.literal_text import FLAT, braced, flat_length, sum_text

    form = trace.form
    yield "expression", name
    if (options := sum_text(form)) is not None:
        yield "sum", options
    if flat_length(form) <= FLAT:
        yield "form", braced(form)
    else:
        for line in form.definitions(MAX_DEFINITIONS):
            letter, equals, text = line.partition(" = ")
            yield (letter, text) if equals else ("more", line)
    yield "positions", f"{form.positions:,}"
    for k, step in enumerate(trace, 1):
        yield f"step {k}", str(step)
    yield "canonical form", str(trace.value)


# -------------------------------------------------------------------- explanations


def show_explanations(source: "Arguments", depth: int | None, as_json: bool) -> None:
    """Print who wins each value, or the sum of all, and by which moves."""
    from zermelo.partizan.analysis.explanation import DEPTH, explain_values

    pairs = list(source.components())
    if source.as_sum:
        pairs = [(" + ".join(name for name, _ in pairs), tuple(x for _, row in pairs for x in row))]
    depth = DEPTH if depth is None else depth
    explained = ((name, row, explain_values(row, depth=depth)) for name, row in pairs)
    if as_json:
        rows = ({"expression": name, **found.to_dict()} for name, _, found in explained)
        show.print_json_rows({}, "explanations", rows)
        return
    for k, (name, row, found) in enumerate(explained):
        if k:
            print()
        if len(row) == 1 and isinstance(row[0], zm.Value | zm.LoopyValue) and name != str(row[0]):
            print(f"{name} has the value {row[0]}.")
        print(found)
