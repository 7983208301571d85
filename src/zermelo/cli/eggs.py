"""``zermelo eggs``: Sprague–Grundy values of games of no return."""

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import complete
from zermelo.cli.deadline import TIMEOUT, Deadline
from zermelo.cli.files import FORCE, FORMAT, JSON, shown
from zermelo.cli.listing import LIMIT, Listing, check_answer_output
from zermelo.cli.show import count, note, on_terminal
from zermelo.cli.source import GAME, open_game

if TYPE_CHECKING:
    from zermelo.graph import Graph

COLUMNS = ("position", "value", "label")
DEBUT_COLUMNS = ("debut", "value", "label")


@click.command(short_help="Show Sprague–Grundy values of games of no return (EGGS).")
@GAME
@click.option(
    "--start", metavar="A", shell_complete=complete.positions,
    help="Show the value of this start, and that of each first move.",
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(),
    help="Write the values as a table: .csv or .tsv.",
)  # fmt: skip
@click.option(
    "--nodes", type=click.IntRange(min=0), metavar="N",
    help="Stop with an error after N situations.",
)  # fmt: skip
@FORCE
@LIMIT
@TIMEOUT
@FORMAT
@JSON
def command(
    file: str, start: str | None, output: str | None, nodes: int | None, force: bool,
    limit: int | None, timeout: float | None, format_: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Show the EGGS value of every start in FILE: its Sprague–Grundy value if no position may
    be visited twice.

    The value is 0 if the player to move loses. The value of a sum is the nim-sum of the values.
    They are PSPACE-hard to find in general; --timeout and --nodes bound the search. --start asks
    about one start only, and shows its value and those of the debuts after one move. The label is
    what the player to move gets; after one move, that is the opponent.

    \b
    zermelo eggs game.txt
    zermelo eggs game.txt --start a --timeout 60
    """
    from zermelo.cli.progress import Meter
    from zermelo.objectives import NoReturn
    from zermelo.sums.eggs import NoReturnGame

    check_answer_output(output, file, force, certificate=False)
    with Meter() as meter, Deadline(timeout, shown(file), meter.close):
        made = open_game(file, format_, meter)
        game = made.game if isinstance(made.objective, NoReturn) else made.graph
        if made.objective is not None and game is made.graph:
            raise click.UsageError(
                f"{shown(file)} is a game of {made.objective.keyword}, and EGGS values are for "
                f"games of no return; zermelo solve {file} says who wins"
            )
        no_return = NoReturnGame(game, nodes=nodes)
        meter.stage("finding values")
        if start is None:
            graph = made.graph
            values = [no_return.grundy((graph.name(v),)) for v in range(graph.n)]
            listing = _all(file, graph, values)
        else:
            name = made.find(start, "--start")
            options = [(x[-1], no_return.grundy(x)) for x in no_return.options((name,))]
            listing = _one(file, name, no_return.grundy((name,)), options)
    if output is not None:
        listing.write(output)
        note(f"wrote {output}")
        if limit is None and not as_json and not on_terminal():
            return
    listing.show(limit, as_json)


def _label(value: int) -> str:
    return "WIN" if value else "LOSE"


def _all(file: str, graph: "Graph", values: list[int]) -> Listing:
    lost = values.count(0)

    def rows() -> Iterator[tuple[Any, ...]]:
        for v, value in enumerate(values):
            yield graph.name(v), value, _label(value)

    head = {"file": file, "positions": graph.n, "lost": lost, "largest": max(values, default=0)}
    facts = [
        ("game", f"{shown(file)}, {count(graph.n, 'position')}, no return"),
        ("values", f"0 to {max(values, default=0)}; {count(lost, 'start')} lost"),
    ]
    return Listing(head, facts, "values", COLUMNS, rows, graph.n)


def _one(file: str, name: Hashable, value: int, options: list[tuple[Hashable, int]]) -> Listing:
    from zermelo.cli.show import plain_name

    def rows() -> Iterator[tuple[Any, ...]]:
        yield [name], value, _label(value)
        for move, after in options:
            yield [name, move], after, _label(after)

    head = {"file": file, "start": plain_name(name), "value": value, "label": _label(value)}
    facts = [
        ("game", f"{shown(file)}, no return"),
        ("start", f"{name}: value {value}, {_label(value)} for the player to move"),
    ]
    return Listing(head, facts, "debuts", DEBUT_COLUMNS, rows, len(options) + 1)
