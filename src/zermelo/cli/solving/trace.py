"""``zermelo trace``: how a game is solved, step by step."""

import itertools
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli.inputs.objective import objective_options, take_wish
from zermelo.cli.inputs.source import open_game
from zermelo.cli.options import FORMAT, JSON, SOURCE, GroupedCommand, option, position
from zermelo.cli.output import show
from zermelo.cli.output.listing import LABEL_STYLES
from zermelo.registry.traces import TRACES

if TYPE_CHECKING:
    from zermelo.trace import Steps

SOLVERS = list(dict.fromkeys(name for row in TRACES.own for name in row.solvers))
"""All methods that can be traced."""

NUMBERS = ("round", "in", "time", "depth", "step", "piece", "weight")
"""The columns of numbers."""


@click.command(cls=GroupedCommand)
@SOURCE
@objective_options
@option(
    "--solver", None,
    "nmfl, nmfl-cap or fraenkel-levy: every step of this algorithm; the default is round by round.",
    type=click.Choice(SOLVERS), default="auto",
)  # fmt: skip
@position("--start", "Decide only what this start depends on, in games of return and repetition.")
@position("--position", "Show only the steps that concern this position.")
@FORMAT
@JSON
def command(**given: Any) -> None:
    """Solve a game step by step, as one would by hand, and name the rule of each step.

    In a pipe the output is a tab-separated table. Of a game that ends it has one row for each
    decision: round, position, label, distance, rule (end, can, must, agreed, rest), moves (those
    that decide it, with commas), and player if it matters who is to move. The command is meant for
    small games. GAME is a name from zermelo games, such as nim:1,2, or a Python file of rules.

    With --solver nmfl or nmfl-cap (for the asymmetric game) or fraenkel-levy (for normal play) the
    output is every change of a label: time, line (of Figure 3 of Löwe's paper, or the round),
    position, player, before, after, and causes.

    Parity, Büchi, co-Büchi and Muller games have the levels of Zielonka's recursion: depth, rule
    (stuck, attract, keep, give up), player, priority or colours, and region. Energy games and
    mean-payoff games with a threshold have the credits that rise: step, position, player, before,
    after, rule (stuck, best, worst), move, weight. Games of return and repetition have the pieces
    of the graph: piece, rule (plain, exit, single, augment, matching, reversible, search, open),
    positions, won, lost.

    \b
    zermelo trace game.txt
    zermelo trace game.txt --objective asymmetric --solver nmfl
    zermelo trace game.pg --position 3 --json
    zermelo trace game.txt --objective no-return
    """
    wish, as_json = take_wish(given), given["as_json"]
    made = open_game(given["file"], given["format_"])
    graph, objective = made.graph, made.choose(wish)
    start, position = (made.find(given[name], f"--{name}") for name in ("start", "position"))
    steps = zm.trace(graph, objective, given["solver"], start)
    if as_json:
        head = {"file": given["file"], "objective": objective.keyword, **steps.facts()}
        show.print_json_rows(head, steps.key, steps.records(position))
    elif show.on_terminal():
        _show(steps, position)
    else:
        show.print_rows(steps.header, steps.rows(position))


def _show(steps: "Steps", position: "Hashable | None") -> None:
    """A table; rows of the same step are a section."""
    from rich.text import Text

    header, rows = steps.table(position)
    columns = [(x, {"justify": "right" if x in NUMBERS else "left"}) for x in header]
    table = show.rich_table(*((x, {**options, "overflow": "fold"}) for x, options in columns))
    for _, group in itertools.groupby(rows, key=lambda row: row[0]):
        section = list(group)
        for k, row in enumerate(section):
            cells = ["" if x is None else str(x) for x in row]
            if steps.sections and k > 0:
                cells[0] = ""
            last = steps.sections and k == len(section) - 1
            table.add_row(*(Text(x, LABEL_STYLES.get(x, "")) for x in cells), end_section=last)
    show.console().print(table)
