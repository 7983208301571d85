"""``zermelo solve``: who wins from every position, how, and how fast."""

import dataclasses
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import formats, passes, solvers
from zermelo.cli.files import FORCE, FORMAT, JSON, check_output
from zermelo.cli.objective import (
    objective_options,
    player_number,
    take_wish,
)
from zermelo.cli.show import note, on_terminal
from zermelo.cli.source import GAME, open_game

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from zermelo.graph import Graph
    from zermelo.labels import Int64Array
    from zermelo.objectives import Objective
    from zermelo.solutions.base import Solution
    from zermelo.solutions.machine import Machine

FEW = 20
"""Positions that a terminal shows unless told otherwise."""


@dataclass(frozen=True)
class Request:
    """What to show of a solution."""

    file: str
    player: int | None
    start: "Hashable | None"
    line: "Hashable | None"
    explain: "Hashable | None"
    depth: int | None
    limit: int | None
    everything: bool
    seconds: float
    verified: bool
    machine: int | None = None
    output: str | None = None

    @property
    def asks(self) -> bool:
        """Whether it asks for less than all positions, or they are in a file already."""
        asked = (self.start, self.line, self.explain, self.machine, self.output)
        return any(x is not None for x in asked)

    @property
    def rows(self) -> bool:
        """Whether a table of positions is shown although something else is asked for."""
        return self.everything or bool(self.limit)


@click.command(short_help="Solve a game: who wins from every position, how, how fast.")
@GAME
@objective_options
@click.option(
    "--solver",
    metavar="NAME",
    default="auto",
    shell_complete=solvers,
    help="The algorithm, a name from `zermelo solvers`; the best that applies unless said.",
)
@click.option(
    "--pass",
    "passes",
    metavar="NAME",
    multiple=True,
    shell_complete=passes,
    help="Simplify a parity game first, such as by `components`; may be repeated.",
)
@click.option(
    "--start", metavar="A", help="Answer for this position; on a terminal with best play."
)
@click.option(
    "--player",
    type=click.Choice(["0", "1"]),
    callback=player_number,
    help="Who is to move: shows that player's situations only, and is to move at --start; where "
    "that matters.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=0),
    metavar="N",
    help="Search at most so many nodes, in games of return and repetition.",
)
@click.option("--line", metavar="A", help="Show best play from this position, move by move.")
@click.option("--explain", metavar="A", help="Show why this position has its label.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="How deep --explain goes; 3 unless said.",
)
@click.option(
    "--machine",
    type=click.Choice(["0", "1"]),
    callback=player_number,
    help="Show this player's strategy as a machine, for Muller games.",
)
@FORMAT
@click.option("--verify", is_flag=True, help="Check the solution before it is shown.")
@click.option("--quotient", is_flag=True, help="Solve the bisimulation quotient and lift it back.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write the solution: .json .csv .parquet .npz, .sol for parity games; .gz and .zst work.",
)
@click.option(
    "--to",
    metavar="NAME",
    shell_complete=formats,
    help="The format of --output, where its name does not tell.",
)
@FORCE
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Show so many positions; {FEW} on a terminal and all in a pipe unless said.",
)
@click.option("--all", "everything", is_flag=True, help="Show all positions.")
@JSON
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; useful with --output, --verify.")
def command(**given: Any) -> None:  # fmt: skip
    """Solve the game in FILE: who wins from every position, how, and how fast.

    GAME is a name from zermelo games with its parameters, such as tictactoe or nim:3,4, or a Python
    file of rules: its positions are written as the rules show them, and the first is the start.

    On a terminal: a summary and a table. In a pipe: a tab-separated table with a header, one row
    a position; columns position, label (WIN, DRAW or LOSE for the player to move), distance (plies
    to the end under best play), move (a best one), then player (who is to move) where positions
    have owners or the two players' situations differ, then value where there are payoffs. A dash
    means no distance or no move. With --start, --line, --explain or --machine a pipe gets only what
    they ask for, and with --output nothing but that: the rows are in the file. --all or --limit
    shows them besides.

    \b
    zermelo solve game.txt --start a
    zermelo solve game.txt --objective reach:goal --for-player 1 --verify
    zermelo solve game.txt --payoff x=3 --payoff y=1/2 --output solution.json
    zermelo solve game.txt --objective 'muller:Inf(0) & Inf(1)' --colour a=0,b=1
    """
    from zermelo.cli.progress import Meter
    from zermelo.formats.front import check_solution_file
    from zermelo.solve import choose_solver, solve

    wish = take_wish(given)
    _check_options(given)
    file, output = given["file"], given["output"]
    inputs = (file, wish.payoffs, wish.priorities, wish.colours)
    check_output(output, "solution", inputs, given["force"], format_=given["to"])
    with Meter() as meter:
        made = open_game(file, given["format_"], meter)
        graph, objective = made.graph, made.choose(wish)
        asked = {
            name: None if given[name] is None else made.find(given[name], f"--{name}")
            for name in ("start", "line", "explain")
        }
        _check_family(given, graph, objective)
        if output is not None:
            check_solution_file(output, given["to"], objective)
        choose_solver(objective, given["solver"]).load()
        meter.stage("solving")
        begun = time.perf_counter()
        interrupted = None
        try:
            solution = solve(
                graph,
                objective,
                given["solver"],
                asked["start"],
                meter,
                quotient=given["quotient"],
                passes=given["passes"],
                nodes=given["nodes"],
            )
        except KeyboardInterrupt as stop:
            if not hasattr(stop, "solution"):
                raise
            # a search: show what is known, write nothing
            interrupted, solution, output = stop, stop.solution, None
        seconds = time.perf_counter() - begun
        if given["verify"]:
            meter.stage("verifying")
            solution.verify()
        if output is not None:
            from zermelo.formats.front import write

            meter.stage(f"writing {output}")
            write(solution, output, format=given["to"])
    if output not in (None, "-"):
        note(f"wrote {output}")
    if not given["quiet"] and given["output"] != "-":
        if asked["start"] is None and (given["as_json"] or on_terminal()):
            asked["start"] = made.start  # in a pipe it is the first row
        _show(solution, asked, {**given, "output": output}, seconds)
    if interrupted is not None:
        raise interrupted


def _show(
    solution: "Solution", asked: "dict[str, Hashable | None]", given: dict[str, Any], seconds: float
) -> None:
    """Print what was asked for, in the way that was asked for."""
    request = Request(
        given["file"], given["player"], asked["start"], asked["line"], asked["explain"],
        given["depth"], given["limit"], given["everything"], seconds, given["verify"],
        given["machine"], given["output"],
    )  # fmt: skip
    if given["as_json"]:
        _json(solution, request)
    elif on_terminal():
        from zermelo.cli.solve_terminal import show

        show(solution, request)
    else:
        _plain(solution, request)


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
                f"--{shows.get(name, name)} shows something, and {silent} leaves no room for it"
            )


def _check_family(given: dict[str, Any], graph: "Graph", objective: "Objective") -> None:
    """Refuse options that are for other games."""
    family, keyword = objective.family, objective.keyword
    only = "is for games that end"
    if family == "geography":  # they end, but a label belongs to what was played before
        only = "is for games in which the past does not matter"
    if given["explain"] is not None and family != "terminal":
        raise click.UsageError(
            f"--explain {only}, not for {keyword} games; --line shows how the winner plays"
        )
    if given["quotient"] and family != "terminal":
        raise click.UsageError(f"--quotient {only}, not for {keyword} games")
    if given["nodes"] is not None and family != "geography":
        raise click.UsageError(
            f"--nodes is for games of return and repetition, not for {keyword} games"
        )
    if given["passes"] and family != "parity":
        raise click.UsageError(f"--pass is for parity games, not for {keyword} games")
    if given["machine"] is not None and family != "muller":
        why = (
            f"in {keyword} games a strategy depends on all that was played, and --line shows a play"
            if family == "geography"
            else f"strategies of {keyword} games need no memory"
        )
        raise click.UsageError(f"--machine is for muller games; {why}")
    if given["player"] is not None and graph.owner is None:
        both = family == "terminal" and objective.terminal_form(graph).doubled
        if not both:
            raise click.UsageError(
                f"--player is for games in which it matters who is to move, and in this game of "
                f"{keyword} it does not"
            )


def chosen_situations(
    solution: "Solution", request: Request, few: int | None = None
) -> "Int64Array":
    """The situations that the table shows, at most ``few`` of them unless all are asked for."""
    from zermelo.cli.answers import situations

    chosen = situations(solution, request.player)
    if request.everything:
        return chosen
    return chosen[: few if request.limit is None else request.limit]


def machines(solution: "Solution") -> "tuple[Machine, ...]":
    """The two players' strategies with memory; none where no memory is needed."""
    found: tuple[Machine, ...] = getattr(solution, "machines", ())
    return found


def reason(solution: "Solution", request: Request) -> Any:
    """Why the position to be explained has its label."""
    from zermelo.cli.answers import situation
    from zermelo.trace import explain

    situation(solution, request.explain, request.player)
    depth = 3 if request.depth is None else request.depth
    return explain(solution, request.explain, request.player, depth)


def _plain(solution: "Solution", request: Request) -> None:
    """Sections with an empty line between them; a single section when little is asked for."""
    from zermelo.cli import answers
    from zermelo.cli.show import print_rows

    columns, player = answers.header(solution), request.player
    rows: list[Iterator[list[object]]] = []
    if request.start is not None:
        single = _single(solution, request.start, player)
        rows.append(answers.plain_rows(solution, single))
    if request.line is not None:
        answers.situation(solution, request.line, player)
        line = solution.line(request.line, player)
        rows.append(answers.line_rows(solution, line, player))
    if not request.asks or request.rows:
        rows.append(answers.plain_rows(solution, chosen_situations(solution, request)))
    for k, part in enumerate(rows):
        if k:
            print()
        print_rows(columns, part)
    if request.explain is not None:
        from zermelo.trace import format_reason

        if rows:
            print()
        print(format_reason(reason(solution, request)))
    if request.machine is not None:
        if rows:
            print()
        print(machines(solution)[request.machine])


def _single(solution: "Solution", position: "Hashable", player: int | None) -> "Int64Array":
    """The situations at a position: both where they differ and no player is named."""
    import numpy as np

    from zermelo.cli.answers import situation

    s = situation(solution, position, player)
    both = solution.doubled and player is None
    return np.array([s, s + 1] if both else [s], np.int64)


def _json(solution: "Solution", request: Request) -> None:
    from zermelo.cli import answers
    from zermelo.cli.info import graph_record
    from zermelo.cli.show import plain_name, print_json_rows

    graph = solution.graph
    data = solution.objective.spec(graph)
    head: dict[str, Any] = {
        "file": request.file,
        "graph": graph_record(graph),
        "objective": data.pop("objective"),
        "objective_data": data,
        "solver": solution.solver,
        "verified": request.verified,
        "counts": answers.counts_record(solution),
    }
    if solution.stats:
        head["stats"] = {k: _jsonable(x) for k, x in solution.stats.items()}
    if request.start is not None:
        player = request.player
        if solution.doubled and player is None:
            found = [solution.at(request.start, e) for e in (0, 1)]
        else:
            answers.situation(solution, request.start, player)
            found = [solution.at(request.start, player)]
        head["start"] = [answers.answer_record(x) for x in found]
    if request.line is not None:
        answers.situation(solution, request.line, request.player)
        line = solution.line(request.line, request.player)
        head["line"] = {"positions": [plain_name(x) for x in line], "cycle": line.cycle}
    if request.explain is not None:
        head["explanation"] = reason(solution, request).to_dict()
    if both := machines(solution):
        head["memory_states"] = [len(machine) for machine in both]
    if request.machine is not None:
        from zermelo.formats._machine import machine_to_plain

        plain = machine_to_plain(both[request.machine])
        head["machine"] = {"player": request.machine, **plain}
    rows = chosen_situations(solution, request)
    print_json_rows(head, "positions", answers.records(solution, rows))


def _jsonable(x: Any) -> Any:
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return dataclasses.asdict(x)
    if hasattr(x, "tolist"):
        return x.tolist()
    return x if isinstance(x, int | float | str) else str(x)
