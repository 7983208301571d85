"""``zermelo table-info``: what a table holds, and whether it is sound."""

from typing import Any

import click

from zermelo.cli.complete import files
from zermelo.cli.files import FORCE, JSON, check_output
from zermelo.cli.probe import RULES
from zermelo.cli.show import NOTHING, on_terminal, print_facts, print_json, print_rows
from zermelo.cli.source import require_table


@click.command("table-info", short_help="Show what a table holds, and whether it is sound.")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.option(
    "--check", is_flag=True, help="Read every block, and check that the file is undamaged."
)
@click.option("--verify", is_flag=True, help="Check that the entries are right by the rules.")
@click.option(
    "--samples", type=click.IntRange(min=1), metavar="N",
    help="With --verify: check N random positions instead of all.",
)  # fmt: skip
@click.option(
    "--export", "out", metavar="OUT", shell_complete=files,
    help="Write all entries to OUT.csv or .parquet.",
)  # fmt: skip
@FORCE
@RULES
@JSON
def command(
    file: str,
    check: bool,
    verify: bool,
    samples: int | None,
    out: str | None,
    force: bool,
    rules: str | None,
    as_json: bool,
) -> None:
    """Show the game, the counts and the size of the table FILE.

    A damaged file is an error that names the block. A table that --verify finds wrong ends with
    exit status 1.

    \b
    zermelo table-info krk.zt --check --verify --samples 1000
    """
    from zermelo.cli.progress import Meter
    from zermelo.tables.export import export
    from zermelo.tables.file import TableFile
    from zermelo.tables.table import Table

    if samples is not None and not verify:
        raise click.UsageError("--samples goes with --verify")
    if force and out is None:
        raise click.UsageError("--force goes with --export")
    if rules is not None and not verify and out is None:
        raise click.UsageError("--rules goes with --verify or --export")
    check_output(out, "values", (file, rules), force)
    require_table(file)
    with Meter() as meter, TableFile(file) as table:
        record = _record(file, table)
        if check:
            table.check(meter)
            record["blocks_checked"] = table.layout.blocks
        if verify or out is not None:
            with Table(file, rules) as opened:
                if verify:
                    opened.verify(samples, progress=meter)
                    record["positions_verified"] = opened.verified
                if out is not None:
                    record["positions_exported"] = export(opened, out, meter)
    if as_json:
        print_json(record)
        return
    facts = [(name, NOTHING if x is None else str(x)) for name, x in _flat(record)]
    if on_terminal():
        print_facts(facts)
    else:
        print_rows(("what", "value"), facts)


def _record(file: str, table: Any) -> dict[str, Any]:
    header, layout = table.header, table.layout
    counts = table.counts()
    return {
        "file": file,
        "game": header["rules"]["game"] or header["rules"]["class"],
        "digest": header["rules"]["digest"],
        "objective": header["objective"],
        "symmetry": header["symmetry"],
        "distances": "conversion" if layout.conversion else not layout.alone,
        "counts": counts,
        "bytes": table.size,
        "stored": header["stored"],
        "bits_a_position": round(8 * table.size / header["stored"], 3),
        "entries": layout.entries,
        "keys": layout.keys,
        "blocks": layout.blocks,
        "planes": table.plane_sizes(),
    } | _left_out(header["rules"]["game"])


def _left_out(game: Any) -> dict[str, str]:
    """What the rules of a game leave out of the usual ones, if anything."""
    from zermelo.registry import GAMES

    name = str(game).partition(":")[0]
    sentence = getattr(GAMES[name].load(), "left_out", "") if name in GAMES else ""
    return {"left_out": sentence} if sentence else {}


def _flat(record: dict[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, x in record.items():
        rows += [(f"{name}.{k}", y) for k, y in x.items()] if isinstance(x, dict) else [(name, x)]
    return rows
