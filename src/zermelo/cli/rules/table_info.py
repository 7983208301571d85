"""``zermelo table-info``: what a table holds, and whether it is sound."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo.cli.complete import files
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.source import require_table
from zermelo.cli.options import FORCE, JSON, RULES, flag, number, option
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.registry import GAMES


@click.command("table-info")
@click.argument("file", metavar="FILE", type=click.Path())
@flag("--check", "Read every block, and check that the file is undamaged.")
@flag("--verify", "Check that the entries are right by the rules.")
@number("--samples", "With --verify: check N random positions instead of all.", 1)
@option("--export out", "OUT", "Write all entries to OUT.csv or .parquet.", files)
@FORCE
@RULES
@JSON
def command(
    file: str, check: bool, verify: bool, samples: int | None, out: str | None, force: bool,
    rules: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show the game, the counts and the size of the table FILE. If it was built with --no-verify,
    verified is False.

    A damaged file is an error that names the block. A table that --verify finds wrong ends with
    exit status 1.

    If FILE is a directory of tables, there is a row for each game in it; --rules names one of them.

    \b
    zermelo table-info krk.zt --check --verify --samples 1000
    zermelo table-info tables/
    """
    from zermelo.tables.building.folder import located
    from zermelo.tables.storage.export import export
    from zermelo.tables.storage.file import TableFile

    if samples is not None and not verify:
        raise click.UsageError("--samples goes with --verify")
    if force and out is None:
        raise click.UsageError("--force goes with --export")
    in_folder = os.path.isdir(file)
    if rules is not None and not in_folder and not verify and out is None:
        raise click.UsageError("--rules goes with --verify or --export")
    if in_folder and rules is None:
        if out is not None:
            raise click.UsageError("--export of a directory needs --rules, which names one game")
        with Meter() as meter:
            folder_record = _folder_record(file, check, verify, samples, meter)
        _show_folder(folder_record, as_json)
        return
    if in_folder:
        file = os.fspath(located(file, rules))
    check_output(out, "values", (file, rules), force)
    require_table(file)
    with Meter() as meter, TableFile(file) as table:
        record = _record(file, table)
        if check:
            table.check(meter)
            record["blocks_checked"] = table.layout.blocks
        if verify or out is not None:
            with zm.Table(file, rules) as opened:
                if verify:
                    opened.verify(samples, progress=meter)
                    record["positions_verified"] = opened.verified
                if out is not None:
                    record["positions_exported"] = export(opened, out, meter)
    show.show_facts(record, _flat(record), as_json)


def _record(file: str, table: Any) -> dict[str, Any]:
    from zermelo.tables.storage.layout import VERIFIED

    header, layout = table.header, table.layout
    verified = {VERIFIED: header[VERIFIED]} if VERIFIED in header else {}
    return {
        "file": file,
        "game": header["rules"]["game"] or header["rules"]["class"],
        "digest": header["rules"]["digest"],
        "objective": header["objective"],
        "symmetry": header["symmetry"],
        "distances": "conversion" if layout.conversion else not layout.alone,
        "counts": table.counts(),
        "bytes": table.size,
        "stored": header["stored"],
        "bits_a_position": round(8 * table.size / max(1, header["stored"]), 3),
        "entries": layout.entries,
        "keys": layout.keys,
        "blocks": layout.blocks,
        "planes": table.plane_sizes(),
        **verified,
        **_left_out(header["rules"]["game"]),
    }


def _folder_record(
    folder: str, check: bool, verify: bool, samples: int | None, meter: Any
) -> dict[str, Any]:
    """What a directory of tables holds; tiers of larger games are verified with these."""
    from zermelo.tables.building.folder import largest, listing
    from zermelo.tables.storage.file import TableFile

    games = listing(folder)
    record: dict[str, Any] = {"folder": folder, "bytes": sum(game["bytes"] for game in games)}
    if check:
        for game in games:
            with TableFile(os.path.join(folder, game["file"])) as file:
                file.check(meter)
        record["files_checked"] = len(games)
    if verify:
        record["positions_verified"] = 0
        for game in largest(games):
            with zm.Table(os.path.join(folder, game["file"])) as table:
                record["positions_verified"] += table.verify(samples, progress=meter).verified
    shown = ("game", "file", "bytes", "counts")
    return {**record, "games": [{name: game[name] for name in shown} for game in games]}


def _show_folder(record: dict[str, Any], as_json: bool) -> None:
    """Print a row for each game of a directory."""
    from zermelo.tables.storage.codes import COUNTS

    if as_json:
        show.print_json(record)
        return
    rows = []
    for game in record["games"]:
        numbers = [game["counts"].get(name, -1) for name in COUNTS]
        shown = [show.NOTHING if x < 0 else str(x) for x in numbers]
        rows.append((game["game"], *shown, str(game["bytes"])))
    head = (*COUNTS, "bytes")
    if show.on_terminal():
        show.print_table(["game", *((name, {"justify": "right"}) for name in head)], rows)
    else:
        show.print_rows(("game", *head), rows)
    for name, what in (("files_checked", "files checked"), ("positions_verified", "verified")):
        if name in record:
            show.note(f"{record[name]:,} {what}")


def _left_out(game: Any) -> dict[str, str]:
    """What the rules of a game leave out of the usual ones, if anything."""
    name = str(game).partition(":")[0]
    sentence = getattr(GAMES[name].load(), "left_out", "") if name in GAMES else ""
    return {"left_out": sentence} if sentence else {}


def _flat(record: dict[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, x in record.items():
        rows += [(f"{name}.{k}", y) for k, y in x.items()] if isinstance(x, dict) else [(name, x)]
    return [(name, None if x is None else str(x)) for name, x in rows]
