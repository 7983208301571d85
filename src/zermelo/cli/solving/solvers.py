"""``zermelo solvers``: the table of algorithms, and one row of it with its options."""

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import solvers
from zermelo.cli.inputs.files import JSON
from zermelo.cli.output.show import NOTHING, on_terminal, print_facts, print_json, print_rows

if TYPE_CHECKING:
    from zermelo.registry import Option, SolverRow


@click.command()
@click.argument("name", metavar="[NAME]", required=False, shell_complete=solvers)
@JSON
def command(name: str | None, as_json: bool) -> None:
    """List the solvers: what each solves, how fast, and where it comes from.

    With NAME, show that solver and its options: zm.solve takes them as keywords, and
    zermelo solve as --option NAME=VALUE.

    \b
    zermelo solvers
    zermelo solvers geography
    """
    from zermelo.registry import SOLVERS

    if name is not None:
        _show_one(SOLVERS[name], as_json)
        return
    rows = list(SOLVERS)
    if as_json:
        print_json({"solvers": [_record(row) for row in rows]})
    elif on_terminal():
        _show(rows)
    else:
        columns = ("solver", "objectives", "complexity", "reference", "summary")
        print_rows(columns, ([_text(_record(row)[key]) for key in columns] for row in rows))


def _record(row: "SolverRow") -> dict[str, Any]:
    return {
        "solver": row.name,
        "objectives": solves(row),
        "complexity": row.complexity,
        "reference": row.reference,
        "summary": row.summary,
        "options": [option.name for option in row.options],
    }


def _text(entry: Any) -> str:
    return " ".join(entry) if isinstance(entry, list) else str(entry)


def solves(row: "SolverRow") -> list[str]:
    """The keywords of the objectives that a solver takes."""
    from zermelo.registry import OBJECTIVES

    return [other.name for other in OBJECTIVES if row.applies_to(other.family, other.name)]


def _show_one(row: "SolverRow", as_json: bool) -> None:
    """One solver and its options."""
    record = {**_record(row), "alias": row.alias or None}
    if as_json:
        print_json({**record, "options": [_option_record(option) for option in row.options]})
        return
    facts = [(name, _text(x) if x else NOTHING) for name, x in record.items() if name != "options"]
    facts += [(f"option {option.name}", _about(option)) for option in row.options]
    if on_terminal():
        print_facts(facts)
    else:
        print_rows(("what", "value"), facts)


def _option_record(option: "Option") -> dict[str, Any]:
    return {
        "name": option.name,
        "values": option.values,
        "default": option.default,
        "repeatable": option.repeatable,
        "summary": option.summary,
    }


def _about(option: "Option") -> str:
    """An option in a sentence, its values and its default."""
    default = "none" if option.default in (None, ()) else str(option.default).lower()
    return f"{option.summary} Expects {option.values}; the default is {default}."


def _show(rows: "list[SolverRow]") -> None:
    from rich.text import Text

    from zermelo.cli.output.show import console, rich_table

    table = rich_table(("solver", {"no_wrap": True}), "what it does", ("time", {"no_wrap": True}))
    for row in rows:
        about = Text(row.summary)
        about.append(f"\n{', '.join(solves(row))}", "dim")
        if row.options:
            names = ", ".join(option.name for option in row.options)
            about.append(f"\noptions: {names}", "dim")
        if row.reference:
            about.append(f"\n{row.reference}", "dim italic")
        table.add_row(Text(row.name, "bold"), about, Text(row.complexity))
    console().print(table)
    console().print("zermelo solvers NAME shows a solver with its options", style="dim")
