"""``zermelo explore``: the graph of a game that has rules."""

import click

from zermelo.cli.complete import formats, games
from zermelo.cli.files import check_output
from zermelo.cli.rules import NO_CHECK, at_work, load, read_position, with_turns
from zermelo.cli.show import count, note


@click.command(short_help="Write the graph of a game that has rules.")
@click.argument("game", metavar="GAME", shell_complete=games)
@click.argument("out", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--start", metavar="POSITION", help="Another position to start from.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many positions.")
@click.option("--symmetry", is_flag=True, help="Keep one position of all that look alike.")
@click.option("--to", metavar="NAME", shell_complete=formats, help="The format of OUT.")
@NO_CHECK
def command(
    game: str, out: str, start: str | None, limit: int | None, symmetry: bool, to: str | None,
    no_check: bool,
) -> None:  # fmt: skip
    """Write the graph of all positions of GAME that play can reach to OUT.

    GAME is a name from zermelo games, and its parameters after a colon, or a Python file of rules.
    OUT may be - for standard output, where the graph is an edge list unless said, and JSON where
    GAME says who wins.

    \b
    zermelo explore nim:3,4,5 nim.json
    zermelo explore cram:4x4 --symmetry - | zermelo solve -
    """
    from zermelo.cli.progress import Meter
    from zermelo.explore import explore
    from zermelo.io import write
    from zermelo.objectives import NormalPlay
    from zermelo.rules.faults import text_of

    with Meter() as meter:
        rules = with_turns(load(game, no_check, meter))
    with at_work(rules):
        objective = rules.objective()
    plain = isinstance(objective, NormalPlay)
    check_output(out, "graph" if plain else "objective", to)
    first = None if start is None else read_position(rules, start, "--start")
    with Meter() as meter:
        meter.stage(f"exploring {game}")
        with at_work(rules):
            graph = explore(rules, first, limit, symmetry=symmetry, progress=meter)
            shown = graph.with_names([text_of(rules, x) for x in graph.names or ()])
            made = shown if plain else (shown, objective.from_spec(objective.spec(graph), shown))
        meter.stage(f"writing {out}")
        default = "edgelist" if plain else "json"
        write(made, out, format=default if out == "-" and to is None else to)
    if out != "-":
        note(f"wrote {out}: {count(graph.n, 'position')}, {count(graph.m, 'move')}")
