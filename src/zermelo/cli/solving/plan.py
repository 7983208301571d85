"""``zermelo plan``: what solving a game would take, on each engine."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.advice import for_the_shell
from zermelo.cli.complete import files_and_games
from zermelo.cli.inputs.rules import load
from zermelo.cli.inputs.source import names_rules, open_game
from zermelo.cli.options import FORMAT, JSON, NO_CHECK, flag, keyword, option
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter


@click.command()
@click.argument("file", metavar="[FILE|GAME]", required=False, shell_complete=files_and_games)
@keyword("normal, misere, asymmetric, g0, g1 or h1; the default is that of the game.")
@option("--memory", "SIZE", "The memory of this machine, for example 4G.")
@option("--cores", "N", "The cores of this machine and of each node.", type=int)
@option(
    "--nodes-memory node_memory", "SIZE", "The memory of each node of a cluster.", default="64G",
    show_default=True,
)  # fmt: skip
@option(
    "--workdir", "DIR",
    "A directory on the disk that is measured; the default is where temporary files are.",
    type=click.Path(),
)  # fmt: skip
@option(
    "--samples", "N", "How many positions of a game with rules are looked at.", type=int,
    default=100_000, show_default=True,
)  # fmt: skip
@option(
    "--seconds", "S", "How long the positions may be looked at.", type=float, default=10.0,
    show_default=True,
)  # fmt: skip
@option("--seed", "N", "The seed of random choices.", type=int, default=0)
@flag("--no-symmetry", "Count every position, also symmetric ones.")
@flag("--no-distances", "Plan a table of labels alone.")
@option("--positions", "N", "Plan a game of this size on paper, such as 1e12.")
@option("--moves", "N", "The moves of the game on paper, else four a position.")
@NO_CHECK
@FORMAT
@JSON
def command(file: str | None, objective: str | None, as_json: bool, **given: Any) -> None:
    """Estimate the positions and moves of a game, and the memory, files and time that solving it
    takes in memory, from disk and on a cluster. Nothing is solved, and a large file is not read
    whole if its header or a sample tells its size.

    GAME is a name from zermelo games, such as connect4:7x6, or a Python file of rules. FILE may be
    a directory of shards.

    \b
    zermelo plan connect4:7x6 --nodes-memory 128G
    zermelo plan big.npz --memory 8G
    zermelo plan --positions 1e12 --moves 8e12
    """
    from zermelo.cli.rules.build import named_objective

    if file is None and given["positions"] is None:
        raise click.UsageError("expected a FILE or a GAME, or --positions for a plan on paper")
    wanted = None if objective is None else named_objective(objective)
    no_check, format_ = given.pop("no_check"), given.pop("format_")
    given |= {x: _number(given[x], f"--{x}") for x in ("positions", "moves")}
    given |= {x: not given.pop(f"no_{x}") for x in ("symmetry", "distances")}
    with Meter() as meter:
        game = None if file is None else _source(file, format_, no_check, meter)
        meter.stage("planning")
        found = zm.plan(game, wanted, format=format_, **given)
    _show(found, as_json)


def _source(file: str, format_: str | None, no_check: bool, meter: Meter) -> Any:
    """Rules, loaded and checked, or the path of a file."""
    if format_ is None and names_rules(file):
        return load(file, no_check, meter)
    if file != "-" and not (os.path.lexists(file) or is_url(file)):
        open_game(file, format_)  # raises the error of a file that does not exist
    return file


def _number(text: str | None, option: str) -> int | None:
    """A number such as 1000000, 1e6 or 10^6.

    >>> _number("1e12", "--positions"), _number("10^6", "--positions"), _number(None, "--moves")
    (1000000000000, 1000000, None)
    """
    import re
    from fractions import Fraction

    if text is None:
        return None
    plain = text.replace(",", "").replace("_", "").strip()
    if power := re.fullmatch(r"10(?:\^|\*\*)(\d{1,2})", plain):
        return int(10 ** int(power[1]))
    if re.fullmatch(r"\d{1,30}(\.\d{1,30})?([eE]\+?\d{1,2})?", plain):
        number = Fraction(plain)
        if number.denominator == 1:
            return int(number)
    raise click.BadParameter(
        f"expected a number such as 1000000 or 1e12, got {text[:40]!r}", param_hint=option
    )


def _show(found: "zm.Plan", as_json: bool) -> None:
    facts = [(name, for_the_shell(value)) for name, value in found.facts()]
    show.show_facts({**found.record(), "advice": for_the_shell(found.advice)}, facts, as_json)
    if not as_json and show.on_terminal():
        show.print_table(found.COLUMNS, found.rows())
    elif not as_json:
        print()
        show.print_rows(found.COLUMNS, found.rows())
