"""``zermelo draw``: pictures of graphs and of solved games."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli import options as opt
from zermelo.cli.inputs.files import check_output
from zermelo.cli.inputs.objective import objective_options, take_wish
from zermelo.cli.inputs.rules import load, read_position, running_rules, with_turns
from zermelo.cli.inputs.source import names_rules, open_game
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import note, note_written

OF_BOARD = ("file", "out", "position", "force")
"""The parameters that go with ``--position``."""
MAX_READABLE_POSITIONS = 300
"""With more positions than this, a remark says how to draw a part."""


@click.command(cls=opt.GroupedCommand)
@opt.SOURCE
@opt.OUT
@objective_options
@opt.flag("--no-solve", "Draw the graph alone.")
@opt.position("--start", "Draw the positions that can be reached from this one.")
@opt.number(
    "--depth", "Draw positions within N moves of --start; its default is the start of the game.",
)  # fmt: skip
@opt.position(
    "--position", "Draw the board of this one position of GAME; start is its start.", "POSITION",
)  # fmt: skip
@opt.option(
    "--engine", "NAME",
    "The layout: dot, sfdp, neato, … of Graphviz; layered, circular, spring need nothing.",
    complete.layouts,
)  # fmt: skip
@opt.FORMAT
@opt.FORCE
def command(**given: Any) -> None:
    """Draw the game in FILE to OUT: .svg, .png, .pdf or .dot; - is standard output, as SVG.

    Colours show the labels; in games that one of the players always wins, such as parity games,
    they show the winner, and priorities are written at the positions. With --no-solve there are no
    results. GAME is a name from zermelo games, such as nim:2,2, or a Python file of rules.

    With --position, the picture is one position on its board, as SVG.

    \b
    zermelo draw game.txt game.svg
    zermelo draw game.txt near-a.png --start a --depth 3 --objective misere
    zermelo draw chess:KRvK board.svg --position "8/8/8/8/8/2k5/8/K6R w"
    """
    from zermelo.draw import svg
    from zermelo.draw.picture import shown_positions

    if given["position"] is not None:
        _draw_board(given)
        return
    wish, file, out = take_wish(given), given["file"], given["out"]
    if given["no_solve"] and (wish.objective or wish.given):
        raise click.UsageError("expected an objective or --no-solve, got both")
    inputs = (file, wish.payoffs, wish.priorities, wish.colours, wish.weights)
    check_output(out, "picture", inputs, given["force"])
    with Meter() as meter:
        made = open_game(file, given["format_"], meter)
        start = made.find(given["start"], "--start")
        start = made.start if start is None and given["depth"] is not None else start
        if start is None and given["depth"] is not None:
            raise click.UsageError(
                "--depth goes with --start, and this file has no start of its own"
            )
        thing: Any = made.game
        if not given["no_solve"]:
            meter.stage("solving")
            thing = made.at_start(zm.solve(made.graph, made.choose(wish), progress=meter))
        meter.stage(f"drawing {out}")
        drawn = (
            made.graph.n if start is None else len(shown_positions(thing, start, given["depth"]))
        )
        options = {"start": start, "depth": given["depth"], "engine": given["engine"]}
        if out == "-":
            text = svg(thing, **options)
        else:
            zm.draw(thing, out, **options)
    if out == "-":
        print(text, end="")
    note_written(out)
    if drawn > MAX_READABLE_POSITIONS:
        advice = "" if given["depth"] is not None else "; --start A --depth 3 draws a part of them"
        note(f"{drawn:,} positions are hard to read in one picture{advice}")


def _draw_board(given: dict[str, Any]) -> None:
    """Draw one position of a game with rules."""
    file, out = given["file"], given["out"]
    source = click.get_current_context().get_parameter_source
    typed = click.core.ParameterSource.COMMANDLINE
    if other := [name for name in given if name not in OF_BOARD and source(name) == typed]:
        option = other[0].strip("_").replace("_", "-")
        raise click.UsageError(f"--{option} does not go with --position")
    if not names_rules(file) and (file == "-" or os.path.exists(file)):
        raise click.UsageError("--position goes with a game that has rules, not with a file")
    if out != "-" and not out.lower().endswith(".svg"):
        raise click.UsageError(f"expected a file of SVG, such as board.svg, got {out!r}")
    check_output(out, "picture", (file,), given["force"])
    rules = with_turns(load(file))
    text = given["position"]
    with running_rules(rules):
        position = rules.start() if text == "start" else read_position(rules, text, "--position")
        picture = str(rules.draw(position))
    with click.open_file(out, "w", encoding="utf-8") as stream:
        stream.write(picture + "\n")
    note_written(out)
