"""``zermelo games``: the table of games that have rules."""

from typing import TYPE_CHECKING

import click

from zermelo.cli.files import JSON
from zermelo.cli.show import on_terminal, print_json, print_rows

if TYPE_CHECKING:
    from zermelo.registry import GameRow

COLUMNS = ("game", "parameters", "example", "summary")


@click.command(short_help="List the games that have rules.")
@JSON
def command(as_json: bool) -> None:
    """List the games that have rules, and how their parameters are written.

    If a summary says nothing else, the player who cannot move loses, and infinite play is a draw.

    \b
    zermelo solve tictactoe
    zermelo play connect4:4x4
    zermelo explore chomp:3x4 chomp.json
    """
    from zermelo.registry import GAMES

    rows = [(row.name, row.parameters, row.example, row.summary) for row in GAMES]
    if as_json:
        print_json({"games": [dict(zip(COLUMNS, row, strict=True)) for row in rows]})
    elif on_terminal():
        _show(list(GAMES))
    else:
        print_rows(COLUMNS, rows)


def _show(rows: "list[GameRow]") -> None:
    from rich.text import Text

    from zermelo.cli.show import console, rich_table

    table = rich_table(("game", {"no_wrap": True}), "what the players do", "for example")
    for row in rows:
        form = f"{row.name}:{row.parameters}" if row.parameters else row.name
        table.add_row(Text(row.name, "bold"), Text(row.summary), Text(row.example))
        table.add_row("", Text(form, "dim"), "")
    console().print(table)
    console().print(
        "the default: who cannot move loses; zermelo solve GAME, play GAME, build GAME -o FILE",
        style="dim",
    )
