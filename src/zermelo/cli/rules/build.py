"""``zermelo build``: solve a game that has rules, and write the answers to a table."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo import objectives
from zermelo.cli import options as opt
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.rules import load, running_rules
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, duration, note, print_json
from zermelo.registry import unknown


@click.command(cls=opt.GroupedCommand)
@opt.GAME
@opt.option(
    "-o --output out", "FILE",
    "The table to write, or a directory for a file of each tier (tables/).", required=True,
    type=click.Path(),
)  # fmt: skip
@opt.under(
    "Table",
    opt.keyword("normal, misere, asymmetric, g0, g1 or h1; the default is the objective of GAME."),
    opt.flag("--no-symmetry", "Store an entry for every position, not one for all symmetric ones."),
    opt.option(
        "--distances", None,
        "What distances lead to: the end of play (the default), or the next conversion, in chess "
        "a capture, a pawn move or mate.", type=click.Choice(("end", "conversion")),
    ),
    opt.flag("--no-distances", "Store labels alone: who wins, but not how soon."),
)  # fmt: skip
@opt.under("Engine", *opt.ENGINE)
@opt.NO_CHECK
@opt.flag(
    "--no-verify", "Do not check all entries of a table of rules from a file; the table says so."
)
@opt.FORCE
@opt.JSON
def command(game: str, out: str, objective: str | None, as_json: bool, **given: Any) -> None:
    """Solve GAME and write a table of all its positions to FILE.

    GAME is a name from zermelo games with its parameters after a colon, or a Python file with
    rules. FILE appears when it is complete. If a build is stopped or killed, the same command
    continues it.

    Rules from a file are checked first, and all entries of their table are checked by the rules
    before FILE appears; that takes about as long as building.

    With --no-distances the table is smaller, and in memory it is built with half the memory for
    entries; it has no lines of best play.

    If FILE is a directory, or ends with a slash, each tier of a game such as a chess endgame has
    its own file there: tables/KQvK.zt. Files that are there are used, and only the others are
    built; --force builds those again that do not fit.

    With --distances conversion, distances are those of the fifty-move rule of chess: plies to the
    next capture, pawn move or mate. Other rules tell by converts or tier which moves convert.

    A game that does not fit into memory is solved from disk, within the budget of --memory. The
    table is the same, byte for byte.

    \b
    zermelo build chess:KRvK -o krk.zt
    zermelo build chess:KPvKP -o tables/
    zermelo build teeko -o teeko.zt --engine disk --memory 1GB
    zermelo probe krk.zt "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    """
    from time import monotonic

    from zermelo._runtime.progress import spent
    from zermelo.rules.faults import own
    from zermelo.tables.building.folder import is_folder

    distances, no_distances = given.pop("distances"), given.pop("no_distances")
    no_check, force = given.pop("no_check"), given.pop("force")
    if distances is not None and no_distances:
        raise click.UsageError("--distances and --no-distances exclude each other")
    in_folder = is_folder(out)
    if not in_folder:
        check_output(out, "table", (game,), force)
    there = set(os.listdir(out)) if in_folder and os.path.isdir(out) else set()
    wanted = None if objective is None else named_objective(objective)
    given |= {x: not given.pop(f"no_{x}") for x in ("symmetry", "verify")}
    given["distances"] = distances if distances == "conversion" else not no_distances
    began = monotonic()
    with Meter() as meter:
        rules = load(game, no_check, meter)
        meter.stage(f"building {game}")
        with running_rules(rules):
            table = zm.build(
                rules, out, wanted, progress=meter, check=False, replace=force, **given
            )
    with table:
        counts, length = table.counts(), table.size
        files = sorted(table.files - there) if in_folder else []
        if as_json:
            record = {"file": out, "game": game, "bytes": length, "counts": counts}
            if own(rules):
                record["verified"] = not table.unverified
            print_json({**record, "built": files} if in_folder else record)
        else:
            compiled = spent()
            took = duration(monotonic() - began - compiled)
            once = f", and {duration(compiled)} for compiling, once" if compiled > 1 else ""
            positions = count(counts["positions"], "position")
            new = f", {len(files)} of {len(table.files)} files are new" if in_folder else ""
            doubt = ", not verified" if table.unverified else ""
            note(f"wrote {out}: {positions}, {length:,} bytes{new}{doubt}, {took}{once}")


def named_objective(name: str) -> "zm.Objective":
    """One of the objectives that need no more than their name.

    >>> named_objective("misere")
    Misere()
    >>> named_objective("parity")
    Traceback (most recent call last):
    zermelo.errors.UnknownNameError: no objective of a table is called 'parity'. Known: ...
    """
    from zermelo.objectives.terminal import StuckPayoff

    known = {
        keyword: kind
        for keyword, kind in objectives.OBJECTIVES.items()
        if issubclass(kind, StuckPayoff)
    }
    if name not in known:
        raise unknown("objective of a table", name, list(known))
    made: zm.Objective = known[name]()
    return made
