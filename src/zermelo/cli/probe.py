"""``zermelo probe``: look a position up in a table."""

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import files_and_games, positions
from zermelo.cli.files import JSON
from zermelo.cli.show import NOTHING, on_terminal, print_facts, print_json, print_rows
from zermelo.cli.source import require_table

if TYPE_CHECKING:
    from zermelo.tables.table import Table

RULES = click.option(
    "--rules", metavar="GAME", shell_complete=files_and_games,
    help="The game, if the table does not store its name.",
)  # fmt: skip


@click.command(short_help="Look a position up in a table.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.argument("position", metavar="[POSITION]", required=False, shell_complete=positions)
@click.option("--line", is_flag=True, help="Show a line of best play.")
@RULES
@JSON
def command(file: str, position: str | None, line: bool, rules: str | None, as_json: bool) -> None:
    """Show who wins from POSITION, how fast, and by which moves.

    POSITION is written as the game writes it (FEN in chess); the default is the start. FILE is a
    table that zermelo build wrote.

    \b
    zermelo build chess:KRvK -o krk.zt
    zermelo probe krk.zt "8/8/8/8/8/2k5/8/K6R w - - 0 1" --line
    """
    from zermelo.tables.table import Table

    require_table(file)
    with Table(file, rules) as table:
        record = _record(table, position, line)
    if as_json:
        print_json(record)
        return
    moves, played = record.pop("best_moves"), record.pop("line", [])
    facts = [(name, NOTHING if x is None else str(x)) for name, x in record.items()]
    facts += [("best move", x) for x in moves] + [("line", x) for x in played]
    if on_terminal():
        print_facts(facts)
    else:
        print_rows(("what", "value"), facts)


def _record(table: "Table", position: str | None, line: bool) -> dict[str, Any]:
    show = table.rules.show
    found = table.probe(show(table.rules.start()) if position is None else position)
    record: dict[str, Any] = {
        "position": found.position,
        "value": found.outcome,
        "label": found.label.name,
        "distance": None if found.distance < 0 else found.distance,
        "best_moves": [x if isinstance(x, str) else show(x) for x in found.best_moves],
    }
    if line:
        played = table.line(found.position)
        record["line"] = [x if isinstance(x, str) else show(x) for x in played]
    return record
