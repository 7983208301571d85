"""``zermelo explore``: the graph of a game that has rules."""

import click

import zermelo as zm
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.source import from_rules, read_rules
from zermelo.cli.options import FORCE, GAME, NO_CHECK, OUT, flag, number, position, target_format
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import graph_size, note_written

MAX_POSITIONS = 2**31 - 2
"""The largest number of positions that a graph can have."""


@click.command()
@GAME
@OUT
@position("--start", "Start from this position.", "POSITION")
@number("--limit", "Fail if there are more than N positions.", 1)
@flag("--symmetry", "Keep one of all symmetric positions.")
@target_format()
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
    from zermelo.rules.base import defines
    from zermelo.rules.faults import unwrapped

    with Meter() as meter:
        rules = read_rules(game, meter, no_check=no_check)
        plain = isinstance(rules.objective(), zm.NormalPlay)
        if symmetry and not defines(unwrapped(rules), "canonical"):
            raise click.UsageError(
                f"--symmetry: the rules of {game} know of no positions that look alike"
            )
        check_output(out, "graph" if plain else "objective", (game,), force, format_=to)
        made = from_rules(
            game, meter, rules, start=start, limit=limit or MAX_POSITIONS, symmetry=symmetry
        )
        meter.stage(f"writing {out}")
        graph, default = made.graph, "edgelist" if plain else "json"
        thing = graph if made.objective is None else (graph, made.objective)
        zm.write(thing, out, format=default if out == "-" and to is None else to)
    note_written(out, graph_size(graph))
