"""``zermelo draw``: pictures of graphs and of solved games."""

from typing import Any

import click

from zermelo.cli.files import FORCE, FORMAT, check_output
from zermelo.cli.objective import objective_options, take_wish
from zermelo.cli.show import note
from zermelo.cli.source import GAME, open_game


@click.command(short_help="Draw a graph or a solved game.")
@GAME
@click.argument("out", metavar="OUT", type=click.Path(allow_dash=True))
@objective_options
@click.option("--no-solve", is_flag=True, help="Draw the graph alone.")
@click.option("--start", metavar="A", help="Draw the positions that can be reached from this one.")
@click.option(
    "--depth", type=click.IntRange(min=0), metavar="N",
    help="Draw positions within N moves of --start; its default is the start of the game.",
)  # fmt: skip
@click.option("--engine", metavar="NAME", help="The layout program: dot, neato, sfdp, circo, …")
@FORMAT
@FORCE
def command(**given: Any) -> None:
    """Draw the game in FILE to OUT: .svg, .png, .pdf or .dot; - is standard output, as SVG.

    Colours show the labels; in games that one of the players always wins, such as parity games,
    they show the winner, and priorities are written at the positions. With --no-solve there are no
    results. GAME is a name from zermelo games, such as nim:2,2, or a Python file of rules.

    \b
    zermelo draw game.txt game.svg
    zermelo draw game.txt near-a.png --start a --depth 3 --objective misere
    """
    from zermelo.cli.progress import Meter
    from zermelo.draw import draw, svg
    from zermelo.solve import solve

    wish, file, out = take_wish(given), given["file"], given["out"]
    if given["no_solve"] and (wish.objective or wish.given):
        raise click.UsageError("expected an objective or --no-solve, got both")
    inputs = (file, wish.payoffs, wish.priorities, wish.colours, wish.weights)
    check_output(out, "picture", inputs, given["force"])
    with Meter() as meter:
        made = open_game(file, given["format_"], meter)
        start = None if given["start"] is None else made.find(given["start"], "--start")
        start = made.start if start is None and given["depth"] is not None else start
        if start is None and given["depth"] is not None:
            raise click.UsageError(
                "--depth goes with --start, and this file has no start of its own"
            )
        thing: Any = made.game
        if not given["no_solve"]:
            meter.stage("solving")
            thing = made.at_start(solve(made.graph, made.choose(wish), progress=meter))
        meter.stage(f"drawing {out}")
        options = {"start": start, "depth": given["depth"], "engine": given["engine"]}
        if out == "-":
            text = svg(thing, **options)
        else:
            draw(thing, out, **options)
    if out == "-":
        print(text, end="")
    else:
        note(f"wrote {out}")
