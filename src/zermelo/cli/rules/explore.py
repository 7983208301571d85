"""``zermelo explore``: the graph of a game that has rules."""

import click

from zermelo.cli.complete import files_and_games, formats, positions
from zermelo.cli.inputs.files import FORCE, check_output
from zermelo.cli.inputs.rules import NO_CHECK
from zermelo.cli.output.show import count, note

ALL = 2**31 - 2
"""The largest number of positions that a graph can have."""


@click.command()
@click.argument("game", metavar="GAME", shell_complete=files_and_games)
@click.argument("out", metavar="OUT", type=click.Path(allow_dash=True))
@click.option(
    "--start", metavar="POSITION", shell_complete=positions, help="Start from this position."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Fail if there are more than N positions.",
)
@click.option("--symmetry", is_flag=True, help="Keep one of all symmetric positions.")
@click.option("--to", metavar="NAME", shell_complete=formats, help="The format of OUT.")
@FORCE
@NO_CHECK
def command(
    game: str, out: str, start: str | None, limit: int | None, symmetry: bool, to: str | None,
    force: bool, no_check: bool,
) -> None:  # fmt: skip
    """Write the graph of all positions of GAME that play can reach to OUT.

    GAME is a name from zermelo games with its parameters after a colon, or a Python file of rules.
    OUT may be - for standard output; the default format there is an edge list, or JSON if GAME
    has its own objective. Positions are written as the rules show them.

    \b
    zermelo explore nim:3,4,5 nim.json
    zermelo explore cram:4x4 --symmetry - | zermelo solve -
    """
    from zermelo.cli.inputs.source import from_rules, knows_symmetry, read_rules
    from zermelo.cli.output.progress import Meter
    from zermelo.formats.front import write
    from zermelo.objectives import NormalPlay

    with Meter() as meter:
        rules = read_rules(game, meter, no_check=no_check)
        plain = isinstance(rules.objective(), NormalPlay)
        if symmetry and not knows_symmetry(rules):
            raise click.UsageError(
                f"--symmetry: the rules of {game} know of no positions that look alike"
            )
        check_output(out, "graph" if plain else "objective", (game,), force, format_=to)
        made = from_rules(game, meter, rules, start=start, limit=limit or ALL, symmetry=symmetry)
        meter.stage(f"writing {out}")
        graph, default = made.graph, "edgelist" if plain else "json"
        thing = graph if made.objective is None else (graph, made.objective)
        write(thing, out, format=default if out == "-" and to is None else to)
    if out != "-":
        note(f"wrote {out}: {count(graph.n, 'position')}, {count(graph.m, 'move')}")
