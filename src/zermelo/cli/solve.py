"""``zermelo solve``: who wins from every position, how, and how fast."""

import time
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import formats, passes, solvers
from zermelo.cli.files import FORCE, FORMAT, JSON, check_output
from zermelo.cli.objective import F, Wish, objective_options, player_number, take_wish
from zermelo.cli.show import note, on_terminal
from zermelo.cli.source import GAME, open_game

if TYPE_CHECKING:
    from collections.abc import Hashable

    from zermelo.cli.progress import Meter
    from zermelo.cli.source import Source
    from zermelo.graph import Graph
    from zermelo.objectives import Objective
    from zermelo.registry import SolverRow
    from zermelo.solutions.base import Solution

FEW = 20
"""Positions that a terminal shows if no number is given."""

_SOLVER_OPTIONS = (
    click.option(
        "--solver", metavar="NAME", default="auto", shell_complete=solvers,
        help="The algorithm, a name from `zermelo solvers`; the default is the best that applies.",
    ),
    click.option(
        "--option", "options", metavar="NAME=VALUE", multiple=True,
        help="An option of the solver, as `zermelo solvers NAME` lists them; may be repeated.",
    ),
    click.option(
        "--pass", "passes", metavar="NAME", multiple=True, shell_complete=passes,
        help="Simplify a parity game first, for example by `components`; may be repeated. The "
        "same as --option passes=NAME.",
    ),
    click.option(
        "--nodes", type=click.IntRange(min=0), metavar="N",
        help="Search at most N nodes, in games of return and repetition. The same as "
        "--option nodes=N.",
    ),
    click.option(
        "--quotient", is_flag=True, default=None,
        help="Solve the bisimulation quotient and lift its answers back. The same as --option "
        "quotient=true.",
    ),
)  # fmt: skip

_ANSWER_OPTIONS = (
    click.option(
        "--start", metavar="A", help="Answer for this position; on a terminal with best play."
    ),
    click.option(
        "--player", type=click.Choice(["0", "1"]), callback=player_number,
        help="Who is to move: shows only the situations of that player, who is also to move at "
        "--start; for games in which it matters.",
    ),
    click.option("--line", metavar="A", help="Show best play from this position, move by move."),
    click.option("--explain", metavar="A", help="Show why this position has its label."),
    click.option(
        "--depth", type=click.IntRange(min=0), metavar="N",
        help="How deep --explain goes; the default is 3.",
    ),
    click.option(
        "--machine", type=click.Choice(["0", "1"]), callback=player_number,
        help="Show the strategy of this player as a machine, for Muller games.",
    ),
)  # fmt: skip

_OUTPUT_OPTIONS = (
    click.option("--verify", is_flag=True, help="Check the solution before it is shown."),
    click.option(
        "-o", "--output", metavar="FILE", type=click.Path(allow_dash=True),
        help="Write the solution: .json .csv .parquet .npz, .sol for parity games; .gz and .zst "
        "compress.",
    ),
    click.option(
        "--to", metavar="NAME", shell_complete=formats,
        help="The format of --output, if the name of the file does not show it.",
    ),
    FORCE,
    click.option(
        "--limit", type=click.IntRange(min=0), metavar="N",
        help=f"Show N positions; the default is {FEW} on a terminal and all in a pipe.",
    ),
    click.option("--all", "everything", is_flag=True, help="Show all positions."),
    JSON,
    click.option(
        "-q", "--quiet", is_flag=True, help="Print nothing; useful with --output, --verify."
    ),
)  # fmt: skip


def _solve_options(command: F) -> F:
    """Give the command its options, in the order of ``--help``."""
    for option in reversed((*_SOLVER_OPTIONS, *_ANSWER_OPTIONS, FORMAT, *_OUTPUT_OPTIONS)):
        command = option(command)
    return command


@click.command(short_help="Solve a game: who wins from every position, how, how fast.")
@GAME
@objective_options
@_solve_options
def command(**given: Any) -> None:
    """Solve the game in FILE: who wins from every position, how, and how fast.

    GAME is a name from zermelo games with its parameters, such as tictactoe or nim:3,4, or a Python
    file of rules. Its positions are written as the rules show them, and the first is the start.

    On a terminal the output is a summary and a table. In a pipe it is a tab-separated table with a
    header and one row for each position. The columns are position, label (WIN, DRAW or LOSE for the
    player to move), distance (plies to the end under best play), move (a best move), then player
    (the player to move) if positions have owners or the two players' situations differ, then value
    if there are payoffs. A dash means no distance or no move. With --start, --line, --explain or
    --machine a pipe gets only what these options ask for, and with --output it gets nothing: the
    rows are in the file. --all or --limit shows the rows as well.

    \b
    zermelo solve game.txt --start a
    zermelo solve game.txt --objective reach:goal --for-player 1 --verify
    zermelo solve game.txt --payoff x=3 --payoff y=1/2 --output solution.json
    zermelo solve game.txt --objective 'muller:Inf(0) & Inf(1)' --colour a=0,b=1
    """
    from zermelo.cli.progress import Meter

    wish = take_wish(given)
    _check_options(given)
    inputs = (given["file"], wish.payoffs, wish.priorities, wish.colours, wish.weights)
    check_output(given["output"], "solution", inputs, given["force"], format_=given["to"])
    with Meter() as meter:
        source = open_game(given["file"], given["format_"], meter)
        asked = {
            name: None if given[name] is None else source.find(given[name], f"--{name}")
            for name in ("start", "line", "explain")
        }
        solution, seconds, interrupted = _solve(source, wish, asked["start"], given, meter)
        output = None if interrupted else given["output"]  # an interrupted search writes no file
        _finish(solution, output, given, meter)
    if output not in (None, "-"):
        note(f"wrote {output}")
    if not given["quiet"] and given["output"] != "-":
        if asked["start"] is None and (given["as_json"] or on_terminal()):
            asked["start"] = source.start  # in a pipe it is the first row
        _show(solution, asked, {**given, "output": output}, seconds)
    if interrupted is not None:
        raise interrupted


def _solve(
    source: "Source",
    wish: Wish,
    start: "Hashable | None",
    given: dict[str, Any],
    meter: "Meter",
) -> "tuple[Solution, float, KeyboardInterrupt | None]":
    """The solution, the seconds that it took, and the interrupt after which it is incomplete."""
    from zermelo.formats.front import check_solution_file
    from zermelo.registry import choose_solver
    from zermelo.solve import solve

    graph, objective = source.graph, source.choose(wish)
    if source.game.weight is not None and objective.family != "quantitative":
        note(
            f"the file has weights, which a game of {objective.keyword} does not use; "
            "--objective mean-payoff, energy, discounted or shortest-path asks about them"
        )
    _check_game(given, graph, objective)
    if given["output"] is not None:
        check_solution_file(given["output"], given["to"], objective)
    row = choose_solver(objective, given["solver"])
    options = solver_options(row, given)
    row.load()
    meter.stage("solving")
    interrupted, begun = None, time.perf_counter()
    try:
        solution = solve(graph, objective, row.name, start, meter, **options)
    except KeyboardInterrupt as stop:
        if not hasattr(stop, "solution"):
            raise
        interrupted, solution = stop, stop.solution  # a search: show what is known
    return solution, time.perf_counter() - begun, interrupted


def solver_options(row: "SolverRow", given: dict[str, Any]) -> dict[str, Any]:
    """The options of a solver from the command line: ``--option NAME=VALUE`` and their own flags.

    >>> from zermelo.registry import SOLVERS
    >>> flags = {"passes": (), "nodes": None, "quotient": None}
    >>> solver_options(SOLVERS["geography"], {**flags, "options": ("nodes=50",)})
    {'nodes': 50}
    """
    texts: dict[str, list[str]] = {}
    for text in given["options"]:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=VALUE, got {text!r}", param_hint="--option")
        texts.setdefault(name, []).append(value)
    found = {name: row.option(name).parse(values) for name, values in texts.items()}
    for name, flag in (("passes", "--pass"), ("nodes", "--nodes"), ("quotient", "--quotient")):
        if given[name] in (None, ()):
            continue
        if name in found:
            raise click.UsageError(f"expected {flag} or --option {name}=…, got both")
        found[name] = row.option(name).check(given[name])
    return found


def _finish(
    solution: "Solution", output: str | None, given: dict[str, Any], meter: "Meter"
) -> None:
    """Check the solution and write it, if the options ask for that."""
    if given["verify"]:
        meter.stage("verifying")
        solution.verify()
    if output is not None:
        from zermelo.formats.front import write

        meter.stage(f"writing {output}")
        write(solution, output, format=given["to"])


def _show(
    solution: "Solution", asked: "dict[str, Hashable | None]", given: dict[str, Any], seconds: float
) -> None:
    """Print the answers that the options ask for, in the form that they ask for."""
    from zermelo.cli.solve_plain import Request, show_json, show_plain

    request = Request(
        given["file"], given["player"], asked["start"], asked["line"], asked["explain"],
        given["depth"], given["limit"], given["everything"], seconds, given["verify"],
        given["machine"], given["output"],
    )  # fmt: skip
    if given["as_json"]:
        show_json(solution, request)
    elif on_terminal():
        from zermelo.cli.solve_terminal import show

        show(solution, request)
    else:
        show_plain(solution, request)


def _check_options(given: dict[str, Any]) -> None:
    """Refuse options that would do nothing beside others."""
    if given["as_json"] and given["quiet"]:
        raise click.UsageError("expected --json or --quiet, got both")
    if given["everything"] and given["limit"] is not None:
        raise click.UsageError("expected --all or --limit, got both")
    if given["depth"] is not None and given["explain"] is None:
        raise click.UsageError("--depth goes with --explain")
    for option in ("to", "force"):
        if given[option] and given["output"] is None:
            raise click.UsageError(f"--{option} goes with --output")
    silent = "--quiet" if given["quiet"] else "--output -" if given["output"] == "-" else None
    shows = {"everything": "all", "as_json": "json", "start": "start"}
    for name in ("line", "explain", "machine", "limit", "everything", "player", "as_json"):
        if silent is not None and given[name] not in (None, False):
            raise click.UsageError(
                f"--{shows.get(name, name)} prints an answer, which {silent} does not allow"
            )


def _check_game(given: dict[str, Any], graph: "Graph", objective: "Objective") -> None:
    """Refuse options that are for other games."""
    from zermelo.registry import objective_row

    row, keyword = objective_row(objective), objective.keyword
    if given["explain"] is not None and not row.distances:
        only = "is for games that end"
        if row.strategies == "past":  # they end, but a label belongs to what was played before
            only = "is for games in which the past does not matter"
        raise click.UsageError(
            f"--explain {only}, not for {keyword} games; --line shows how the winner plays"
        )
    if given["machine"] is not None and row.strategies != "memory":
        reason = (
            f"in {keyword} games a strategy depends on all that was played, and --line shows a play"
            if row.strategies == "past"
            else f"strategies of {keyword} games need no memory"
        )
        raise click.UsageError(f"--machine is for muller games; {reason}")
    if given["player"] is not None and graph.owner is None and not objective.doubled(graph):
        raise click.UsageError(
            f"--player is for games in which it matters who is to move, and in this game of "
            f"{keyword} it does not"
        )
