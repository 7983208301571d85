"""``zermelo probe --from``: look up the positions of a file, one on each line."""

from collections.abc import Iterator
from typing import Any

import click

import zermelo as zm
from zermelo.cli.inputs.files import name_of
from zermelo.cli.output.show import print_json, print_rows
from zermelo.errors import FormatError, ZermeloError

LINES_AT_A_TIME = 10_000
"""Lines that are looked up together."""

COLUMNS = ("position", "value", "label", "distance", "best_move")


def probe_lines(table: "zm.Table", source: str, as_json: bool) -> None:
    """Print the answers at the positions of a file, or of standard input."""
    rows = _rows(table, source)
    if as_json:
        for row in rows:
            print_json(row, one_line=True)
        return
    print_rows(COLUMNS, (["" if row[x] is None else row[x] for x in COLUMNS] for row in rows))


def _rows(table: "zm.Table", source: str) -> Iterator[dict[str, Any]]:
    """The answers, in the order of the lines; empty lines have none."""
    batch: list[tuple[int, str]] = []
    with click.open_file(source, encoding="utf-8") as file:
        for number, line in enumerate(_decoded(file, source), start=1):
            if text := line.strip():
                batch.append((number, text))
            if len(batch) == LINES_AT_A_TIME:
                yield from _answers(table, source, batch)
                batch = []
    yield from _answers(table, source, batch)


def _decoded(file: Any, source: str) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise FormatError(f"expected text in UTF-8: {error}", path=name_of(source)) from None


def _answers(
    table: "zm.Table", source: str, batch: list[tuple[int, str]]
) -> Iterator[dict[str, Any]]:
    from zermelo.rules.notation import second_moves
    from zermelo.tables.probing.notated import names_moves

    rules, positions = table.rules, []
    for number, text in batch:
        try:
            positions.append(table.read_position(text))
        except ZermeloError as error:
            raise FormatError(str(error), path=name_of(source), line=number) from error
    found = table.probe_many(positions, moves=True, absent="mark")
    for k, (number, text) in enumerate(batch):
        if not found.present[k]:
            message = f"{table.path} has no position {text!r}"
            raise FormatError(message, path=name_of(source), line=number)
        label, distance, after = (
            zm.Label(int(found.label[k])),
            int(found.distance[k]),
            found.move[k],
        )
        drawn = "tie" if found.tied[k] else "draw"
        move = None
        if after is not None:
            here = positions[k]
            named = names_moves(rules)
            move = (
                rules.move_names(here, after, second_moves(rules, here))[0]
                if named
                else rules.show(after)
            )
        agreed = distance != 0 and table.is_agreed(positions[k], label)
        far = None if distance < 0 else distance
        yield {
            "position": text,
            "value": {zm.Label.WIN: "win", zm.Label.LOSE: "lose"}.get(label, drawn),
            "label": label.name,
            "distance": None if agreed else far,
            "best_move": move,
            **({"agreed_distance": far} if agreed and far is not None else {}),
        }
