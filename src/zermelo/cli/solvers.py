"""``zermelo solvers``: the table of algorithms."""

from typing import TYPE_CHECKING

import click

from zermelo.cli.files import JSON
from zermelo.cli.show import on_terminal, print_json, print_rows

if TYPE_CHECKING:
    from zermelo.registry import SolverRow


@click.command(short_help="List the solvers.")
@JSON
def command(as_json: bool) -> None:
    """List the solvers: what each solves, how fast, and where it comes from."""
    from zermelo.registry import SOLVERS

    rows = list(SOLVERS)
    if as_json:
        print_json({"solvers": [_record(row) for row in rows]})
    elif on_terminal():
        _show(rows)
    else:
        print_rows(
            ("solver", "objectives", "complexity", "reference", "summary"),
            ([" ".join(x) if isinstance(x, list) else x for x in _record(row).values()]
             for row in rows),
        )  # fmt: skip


def _record(row: "SolverRow") -> dict[str, object]:
    return {
        "solver": row.name,
        "objectives": solves(row),
        "complexity": row.complexity,
        "reference": row.reference,
        "summary": row.summary,
    }


def solves(row: "SolverRow") -> list[str]:
    """The keywords of the objectives that a solver takes."""
    from zermelo.objectives import OBJECTIVES

    return [k for k, cls in OBJECTIVES.items() if row.applies_to(cls.family, k)]


def _show(rows: "list[SolverRow]") -> None:
    from rich.text import Text

    from zermelo.cli.show import console, rich_table

    table = rich_table(("solver", {"no_wrap": True}), "what it does", ("time", {"no_wrap": True}))
    for row in rows:
        about = Text(row.summary)
        about.append(f"\n{', '.join(solves(row))}", "dim")
        if row.reference:
            about.append(f"\n{row.reference}", "dim italic")
        table.add_row(Text(row.name, "bold"), about, Text(row.complexity))
    console().print(table)
