"""``zermelo games``: the table of games that have rules."""

from typing import TYPE_CHECKING

import click

from zermelo.cli.complete import games
from zermelo.cli.inputs.files import JSON
from zermelo.cli.output.show import NOTHING, on_terminal, print_facts, print_json, print_rows

if TYPE_CHECKING:
    from zermelo.registry import GameRow

COLUMNS = ("game", "parameters", "example", "summary")


@click.command()
@click.argument("name", metavar="[GAME]", required=False, shell_complete=games)
@JSON
def command(name: str | None, as_json: bool) -> None:
    """List the games that have rules, and how their parameters are written.

    With the name of a GAME, show this one alone, and what of its usual rules is left out.

    If a summary says nothing else, the player who cannot move loses, and infinite play is a draw.

    \b
    zermelo solve tictactoe
    zermelo play connect4:4x4
    zermelo explore chomp:3x4 chomp.json
    zermelo games chess
    """
    from zermelo.registry import GAMES

    if name is not None:
        _show_one(GAMES[name.partition(":")[0]], as_json)
        return
    rows = [(row.name, row.parameters, row.example, row.summary) for row in GAMES]
    if as_json:
        print_json({"games": [dict(zip(COLUMNS, row, strict=True)) for row in rows]})
    elif on_terminal():
        _show(list(GAMES))
    else:
        print_rows(COLUMNS, rows)


def _show_one(row: "GameRow", as_json: bool) -> None:
    """One game, with the rules that are left out."""
    record = dict(zip(COLUMNS, (row.name, row.parameters, row.example, row.summary), strict=True))
    if left_out := getattr(row.load(), "left_out", ""):
        record["left_out"] = left_out
    if as_json:
        print_json(record)
        return
    facts = [(name.replace("_", " "), x or NOTHING) for name, x in record.items()]
    if on_terminal():
        print_facts(facts)
    else:
        print_rows(("what", "value"), facts)


def _show(rows: "list[GameRow]") -> None:
    from rich.text import Text

    from zermelo.cli.output.show import console, rich_table

    table = rich_table(("game", {"no_wrap": True}), "what the players do", "for example")
    for row in rows:
        form = f"{row.name}:{row.parameters}" if row.parameters else row.name
        table.add_row(Text(row.name, "bold"), Text(row.summary), Text(row.example))
        table.add_row("", Text(form, "dim"), "")
    console().print(table)
    console().print(
        "If nothing else is said, the player who cannot move loses. Use zermelo solve GAME, "
        "zermelo play GAME or zermelo build GAME -o FILE.",
        style="dim",
    )
