"""``zermelo probe``: look a position up in a table."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo.cli.complete import positions
from zermelo.cli.inputs.source import require_table
from zermelo.cli.options import JSON, RULES, flag, option
from zermelo.cli.output import show
from zermelo.cli.output.board import board_text


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("position", metavar="[POSITION]", required=False, shell_complete=positions)
@click.argument("moves", metavar="[MOVE]...", nargs=-1)
@flag("--line", "Show a line of best play.")
@option(
    "--from source", "LIST",
    "Look up all positions of a file, one on each line; - is standard input.",
    type=click.Path(dir_okay=False, allow_dash=True),
)  # fmt: skip
@RULES
@JSON
def command(
    file: str, position: str | None, moves: tuple[str, ...], line: bool, source: str | None,
    rules: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show who wins from POSITION, how fast, and by which moves.

    Best moves of a drawn position are all that keep the draw. Nobody forces its end; if play can
    end in a draw, agreed_distance is the length of the shortest way there on which both players
    would have to agree.

    POSITION is written as the game writes it (FEN in chess); the default is the start. Each MOVE is
    played first; in chess it is written as Kd6 or d5d6. FILE is a table that zermelo build wrote,
    or a directory of tables; there, POSITION or --rules says which one is meant. A table runs no
    code, so the rules of a table that was built from a Python file are given by --rules.

    Tables of chess leave out castling and the fifty-move rule: a FEN with a right to castle is
    refused, its clock is ignored. If the table has distances to conversion, a note says what the
    clock of the FEN means for the next capture, pawn move or mate.

    With --from there is a row for each line of LIST (with --json an object on a line): the
    position, the value, the label, the distance, and one best move.

    \b
    zermelo build chess:KRvK -o krk.zt
    zermelo probe krk.zt "8/8/8/8/8/2k5/8/K6R w - - 0 1" --line
    zermelo probe krk.zt "8/8/8/8/8/2k5/8/K6R w - - 0 1" Rh4 Kb3
    zermelo probe krk.zt --from positions.txt
    zermelo probe tables/ "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    zermelo probe strip.zt --rules strip.py:5
    """
    from zermelo.cli.rules.probe_many import probe_lines
    from zermelo.tables.building.folder import located_by

    if source is not None and (position is not None or line):
        raise click.UsageError("--from goes without POSITION and --line")
    require_table(file)
    if source is not None:
        with zm.Table(file, rules) as table:
            probe_lines(table, source, as_json)
        return
    if rules is None and position is not None:
        file = os.fspath(located_by(file, position))
    with zm.Table(file, rules) as table:
        given = table.rules.show(table.rules.start()) if position is None else position
        found = table.probe(given, *moves)
        record = _record(table, found, line)
        if remarks := _remarks(table, found, given, moves):
            record["remarks"] = list(remarks)
        drawn = show.on_terminal() and not as_json and _has_board(table)
        board = board_text(table.rules, table.rules.parse(found.position)) if drawn else ""
    if drawn:
        print(board, end="\n\n", flush=True)
    show.show_facts(record, _facts(record), as_json)


def _has_board(table: "zm.Table") -> bool:
    """Whether the rules draw positions on lines of text."""
    from zermelo.rules.base import defines
    from zermelo.rules.faults import unwrapped
    from zermelo.rules.partizan.base import can_read

    return defines(unwrapped(table.rules), "diagram") and can_read(table.rules)


def _record(table: "zm.Table", found: "zm.Answer", line: bool) -> dict[str, Any]:
    from zermelo.rules.base import defines
    from zermelo.tables.probing.notated import names_moves

    rules = table.rules
    record: dict[str, Any] = {"position": found.position}
    in_words = table.keyword is None and defines(rules, "verdict")
    if in_words:
        record["verdict"] = found.verdict
    record |= {
        "value": found.outcome,
        "label": found.label.name,
        "distance": None if found.forced_distance < 0 else found.distance,
        "best_moves": [x if isinstance(x, str) else rules.show(x) for x in found.best_moves],
    }
    if found.agreed_distance >= 0:
        record["agreed_distance"] = found.agreed_distance
    if names_moves(rules):
        record["move_names"] = [list(names) for names in found.move_names]
    if line:
        played = table.line(found.position)
        record["line"] = [x if isinstance(x, str) else rules.show(x) for x in played]
        if played.text:
            record["play"] = str(played)
    if table.distances == "conversion":
        record["distance_to"] = "conversion"
    return record


def _remarks(
    table: "zm.Table", found: "zm.Answer", given: str, moves: tuple[str, ...]
) -> tuple[str, ...]:
    """What the rules say about an answer after moves from the position ``given``."""
    from zermelo.rules.notation import second_moves

    rules, plies = table.rules, 0
    if table.distances != "conversion":
        remarks: tuple[str, ...] = rules.remarks(given, found.forced_distance)
        return remarks
    here = table.read_position(given)
    for ply, move in enumerate(moves):
        option = rules.parse_move(here, move, second_moves(rules, here, ply))
        plies += 1
        if table.converts(here, option):
            given, plies = rules.show(option), 0
        here = option
    remarks = rules.conversion_remarks(given, int(found.label), found.distance, plies)
    return remarks


def _facts(record: dict[str, Any]) -> list[tuple[str, Any]]:
    """The record as names and values; moves by their names, if they have any."""
    from zermelo.tables.probing.notated import spelled

    lists = ("best_moves", "move_names", "line", "play", "remarks")
    facts = [(name, x) for name, x in record.items() if name not in lists]
    names = record.get("move_names")
    moves = record["best_moves"] if names is None else [spelled(tuple(x)) for x in names]
    facts += [("best move", x) for x in moves]
    played = [record["play"]] if "play" in record else record.get("line", [])
    facts += [("line", x) for x in played]
    return facts + [("note", x) for x in record.get("remarks", ())]
