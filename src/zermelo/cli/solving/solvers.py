"""``zermelo solvers``: the table of algorithms, and one row of it with its options."""

from typing import Any

import click

from zermelo.cli.complete import solvers
from zermelo.cli.options import JSON
from zermelo.cli.output import show
from zermelo.registry import OBJECTIVES, SOLVERS, SolverRow

COLUMNS = ("solver", "objectives", "complexity", "reference", "summary")


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
    if name is not None:
        _show_one(SOLVERS[name], as_json)
        return
    show.show_list("solvers", [_record(row) for row in SOLVERS], COLUMNS, as_json, _draw)


def _record(row: "SolverRow") -> dict[str, Any]:
    return {
        "solver": row.name,
        "objectives": [x.name for x in OBJECTIVES if row.applies_to(x.family, x.name)],
        "complexity": row.complexity,
        "reference": row.reference,
        "summary": row.summary,
        "options": [option.name for option in row.options],
    }


def _show_one(row: "SolverRow", as_json: bool) -> None:
    """One solver and its options."""
    record = {**_record(row), "alias": row.alias or None}
    keys = ("name", "values", "default", "repeatable", "summary")
    options = [{key: getattr(option, key) for key in keys} for option in row.options]
    facts = [
        (name, show.entry_text(x or None, " ")) for name, x in record.items() if name != "options"
    ]
    for option in row.options:
        default = "none" if option.default in (None, ()) else str(option.default).lower()
        about = f"{option.summary} Expects {option.values}; the default is {default}."
        facts.append((f"option {option.name}", about))
    show.show_facts({**record, "options": options}, facts, as_json)


def _draw() -> None:
    from rich.text import Text

    rows = []
    for row in SOLVERS:
        record, about = _record(row), Text(row.summary)
        about.append(f"\n{', '.join(record['objectives'])}", "dim")
        if row.options:
            about.append(f"\noptions: {', '.join(record['options'])}", "dim")
        if row.reference:
            about.append(f"\n{row.reference}", "dim italic")
        rows.append([Text(row.name, "bold"), about, Text(row.complexity)])
    show.print_table(
        [("solver", {"no_wrap": True}), "what it does", ("time", {"no_wrap": True})], rows
    )
    show.print_remark("zermelo solvers NAME shows a solver with its options")
