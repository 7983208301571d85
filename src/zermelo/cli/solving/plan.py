"""``zermelo plan``: what solving a game would take, on each engine."""

import os
from typing import TYPE_CHECKING

import click

from zermelo._runtime.urls import is_url
from zermelo.cli.complete import files_and_games, objective_names
from zermelo.cli.inputs.files import FORMAT, JSON
from zermelo.cli.inputs.rules import NO_CHECK
from zermelo.cli.output.show import (
    console,
    on_terminal,
    print_facts,
    print_json,
    print_rows,
    rich_table,
)

if TYPE_CHECKING:
    from typing import Any

    from zermelo.planning.plan import Plan


@click.command()
@click.argument("file", metavar="[FILE|GAME]", required=False, shell_complete=files_and_games)
@click.option(
    "--objective", metavar="NAME", shell_complete=objective_names,
    help="normal, misere, asymmetric, g0, g1 or h1; the default is that of the game.",
)  # fmt: skip
@click.option("--memory", metavar="SIZE", help="The memory of this machine, for example 4G.")
@click.option("--cores", metavar="N", type=int, help="The cores of this machine and of each node.")
@click.option(
    "--nodes-memory", metavar="SIZE", default="64G", show_default=True,
    help="The memory of each node of a cluster.",
)  # fmt: skip
@click.option(
    "--workdir", metavar="DIR", type=click.Path(),
    help="A directory on the disk that is measured; the default is where temporary files are.",
)  # fmt: skip
@click.option(
    "--samples", metavar="N", type=int, default=100_000, show_default=True,
    help="How many positions of a game with rules are looked at.",
)  # fmt: skip
@click.option(
    "--seconds", metavar="S", type=float, default=10.0, show_default=True,
    help="How long the positions may be looked at.",
)  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=0, help="The seed of random choices.")
@click.option("--no-symmetry", is_flag=True, help="Count every position, also symmetric ones.")
@click.option("--no-distances", is_flag=True, help="Plan a table of labels alone.")
@click.option("--positions", metavar="N", help="Plan a game of this size on paper, such as 1e12.")
@click.option("--moves", metavar="N", help="The moves of the game on paper, else four a position.")
@NO_CHECK
@FORMAT
@JSON
def command(
    file: str | None,
    objective: str | None,
    memory: str | None,
    cores: int | None,
    nodes_memory: str,
    workdir: str | None,
    samples: int,
    seconds: float,
    seed: int,
    no_symmetry: bool,
    no_distances: bool,
    positions: str | None,
    moves: str | None,
    no_check: bool,
    format_: str | None,
    as_json: bool,
) -> None:
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
    from zermelo.cli.output.progress import Meter
    from zermelo.cli.rules.build import named_objective
    from zermelo.planning.plan import plan

    if file is None and positions is None:
        raise click.UsageError("expected a FILE or a GAME, or --positions for a plan on paper")
    wanted = None if objective is None else named_objective(objective)
    with Meter() as meter:
        game = None if file is None else _source(file, format_, no_check, meter)
        meter.stage("planning")
        found = plan(
            game, wanted, memory=memory, cores=cores, node_memory=nodes_memory, samples=samples,
            seconds=seconds, seed=seed, symmetry=not no_symmetry, distances=not no_distances,
            format=format_, workdir=workdir, positions=_number(positions, "--positions"),
            moves=_number(moves, "--moves"),
        )  # fmt: skip
    _show(found, as_json)


def _source(file: str, format_: str | None, no_check: bool, meter: "Any") -> "Any":
    """Rules, loaded and checked, or the path of a file."""
    from zermelo.cli.inputs.rules import load
    from zermelo.cli.inputs.source import names_rules, open_game

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


def _show(found: "Plan", as_json: bool) -> None:
    from zermelo.cli.advice import for_the_shell

    facts = [(name, for_the_shell(value)) for name, value in found.facts()]
    if as_json:
        print_json({**found.record(), "advice": for_the_shell(found.advice)})
    elif on_terminal():
        print_facts(facts)
        table = rich_table(*found.COLUMNS)
        for row in found.rows():
            table.add_row(*row)
        console().print(table)
    else:
        print_rows(("what", "value"), facts)
        print()
        print_rows(found.COLUMNS, found.rows())
