"""``zermelo games``: the table of games that have rules."""

import click

from zermelo.cli.complete import games
from zermelo.cli.options import JSON
from zermelo.cli.output import show
from zermelo.registry import GAMES, GameRow

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
    if name is not None:
        _show_one(GAMES[name.partition(":")[0]], as_json)
        return
    show.show_list("games", [_record(row) for row in GAMES], COLUMNS, as_json, _draw)


def _record(row: "GameRow") -> dict[str, str]:
    return dict(zip(COLUMNS, (row.name, row.parameters, row.example, row.summary), strict=True))


def _show_one(row: "GameRow", as_json: bool) -> None:
    """One game, with the rules that are left out."""
    record = _record(row)
    if left_out := getattr(row.load(), "left_out", ""):
        record["left_out"] = left_out
    facts = [(name.replace("_", " "), x or None) for name, x in record.items()]
    show.show_facts(record, facts, as_json)


def _draw() -> None:
    from rich.text import Text

    rows: list[list[Text]] = []
    for row in GAMES:
        form = f"{row.name}:{row.parameters}" if row.parameters else row.name
        rows.append([Text(row.name, "bold"), Text(row.summary), Text(row.example)])
        rows.append([Text(), Text(form, "dim"), Text()])
    show.print_table([("game", {"no_wrap": True}), "what the players do", "for example"], rows)
    show.print_remark(
        "If nothing else is said, the player who cannot move loses. Use zermelo solve GAME, "
        "zermelo play GAME or zermelo build GAME -o FILE."
    )
