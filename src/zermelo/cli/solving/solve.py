"""``zermelo solve``: who wins from every position, how, and how fast."""

import contextlib
import os
import time
from collections.abc import Hashable, Iterator
from typing import Any

import click

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.deadline import Deadline
from zermelo.cli.inputs.files import check_output, name_of
from zermelo.cli.inputs.objective import Wish, objective_options, take_wish
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.options import GroupedCommand
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import note, note_written, on_terminal
from zermelo.cli.solving.options import (
    ENGINE_NAMES,
    GAMES,
    check_directory,
    check_game,
    check_options,
    check_several,
    solve_options,
    solver_options,
)
from zermelo.cli.solving.plain import Outcome, show_json, show_plain
from zermelo.cli.synthesis.output import (
    check_controller,
    require_synthesis,
    verdict_of,
    write_controller,
)
from zermelo.errors import MemoryLimitError
from zermelo.registry import choose_solver


@click.command(cls=GroupedCommand)
@GAMES
@objective_options
@solve_options
def command(**given: Any) -> int:
    """Solve the game in FILE: who wins from every position, how, and how fast.

    GAME is a name from zermelo games with its parameters, such as tictactoe or nim:3,4, or a Python
    file of rules. Its positions are written as the rules show them, and the first is the start.

    On a terminal the output is a summary and a table. In a pipe it is a tab-separated table with a
    header and one row for each position. The columns are position, label (WIN, DRAW, LOSE or
    UNDECIDED for the player to move), distance (plies to the end under best play), move (a best
    move), then player (the player to move) if positions have owners or the two players' situations
    differ, then value if there are payoffs, then winner (0, 1, or -1 for a draw) if there is a
    column player. A dash means no distance or no move. With --start, --line, --explain, --winners
    or --machine a pipe gets only what these options ask for, and with --output it gets nothing: the
    rows are in the file. --all or --limit shows the rows as well.

    FILE may also be a directory of shards (see zermelo convert). Such a game is solved within a
    budget of memory. If --output is a directory, the solution is written in shards, too.

    If there are several files, the output has one line for each, and --output-dir writes their
    solutions. A file that cannot be read gets a message on standard error; the other files are
    solved, and the exit status is 2.

    \b
    zermelo solve game.txt --start a
    zermelo solve game.txt --objective reach:goal --for-player 1 --verify
    zermelo solve game.txt --payoff x=3 --payoff y=1/2 --output solution.json
    zermelo solve game.txt --objective 'muller:Inf(0) & Inf(1)' --colour a=0,b=1
    zermelo solve games/*.pg --output-dir solutions --timeout 60
    zermelo solve shards/ --engine disk --memory 2GB --output solved/
    """
    wish = take_wish(given)
    check_options(given)
    if given["output_dir"] is not None:
        check_directory(given["output_dir"])
    if len(given["files"]) > 1:
        from zermelo.cli.solving.several import solve_several

        check_several(given)
        return solve_several(given, wish)
    (file,) = given["files"]
    if wants_shards(file, given["output"]):
        from zermelo.cli.solving.shards import solve_directory

        return solve_directory(file, wish, given)
    if given["positional"]:
        from zermelo.cli.solving.positional import answer_positional

        return answer_positional(file, wish, given)
    outcome = solve_file(file, wish, given)
    note_written(outcome.output)
    status = 0
    if given["controller"] is not None and outcome.interrupted is None:
        status = write_controller(outcome, given["controller"])
    if not given["quiet"] and "-" not in (given["output"], given["controller"]):
        _show(outcome, given)
    if outcome.interrupted is not None:
        raise outcome.interrupted
    return status


def wants_shards(file: str, output: str | None) -> bool:
    """Whether a game in shards is to be solved into a directory.

    >>> wants_shards("game.txt", "out")
    False
    """
    if output in (None, "-") or not (is_url(file) or os.path.isdir(file)):
        return False
    from zermelo.formats.binary.shards import is_shards

    assert output is not None
    if not is_url(output) and os.path.splitext(output.rstrip(os.sep))[1]:
        return False
    return is_shards(file)


def solve_file(file: str, wish: Wish, given: dict[str, Any]) -> Outcome:
    """Read, solve, check and write one game, within the time that ``--timeout`` gives."""
    inputs = (*given["files"], wish.payoffs, wish.priorities, wish.colours, wish.weights)
    if given["output"] is not None:
        check_output(given["output"], "solution", inputs, given["force"], format_=given["to"])
    if given["controller"] is not None:
        check_controller(given["controller"], inputs, given["force"])
    with Meter() as meter:
        with Deadline(given["timeout"], name_of(file), meter.close) as deadline:
            with _budget(given):
                source = open_game(file, given["format_"], meter)
            start, line, explain = (
                source.find(given[name], f"--{name}") for name in ("start", "line", "explain")
            )
            if given["controller"] is not None:
                require_synthesis(source, wish)
            objective = source.choose(wish)
            output = _output(source, objective, given, inputs)
            solution, seconds, interrupted = _solve(
                source, objective, start, output, given, meter, deadline
            )
            if given["verify"]:
                meter.stage("verifying")
                solution.verify()
        if interrupted is not None:  # an interrupted search writes no file
            output = None
        if output is not None:
            meter.stage(f"writing {output}")
            if given["output_dir"] is not None:
                os.makedirs(given["output_dir"], exist_ok=True)
            zm.write(solution, output, format=given["to"])
    verdict = None
    if source.game.synthesis is not None and wish == Wish():
        verdict = verdict_of(source, solution)
    return Outcome(
        source, solution, seconds, start, line, explain, verdict, output, interrupted, given
    )


@contextlib.contextmanager
def _budget(given: dict[str, Any]) -> Iterator[None]:
    """Read a game within the budget of the engine, which is for the whole process."""
    if given["memory"] is None or given["engine"] == "dask":  # there it is for each worker
        yield
        return
    from zermelo._runtime import memory
    from zermelo.engines.partitions.budget import Budget

    try:
        with memory.within(Budget.of(given["memory"]).usable):
            yield
    except MemoryLimitError as error:
        reason = str(error).partition(";")[0]
        raise MemoryLimitError(
            f"{reason}; give more with --memory, or write the game in shards (zermelo convert), "
            "which are read one after the other"
        ) from None


def _output(
    source: "Source",
    objective: "zm.Objective",
    given: dict[str, Any],
    inputs: tuple[str | None, ...],
) -> str | None:
    """The file of the solution, if one is to be written."""
    if given["output_dir"] is None:
        path: str | None = given["output"]
        return path
    from zermelo.cli.solving.several import output_in

    path = output_in(given["output_dir"], source.text, objective, given["to"])
    if os.path.isdir(given["output_dir"]):  # else it is made before the file is written
        check_output(path, "solution", inputs, given["force"], format_=given["to"])
    return path


def _solve(
    source: "Source",
    objective: "zm.Objective",
    start: "Hashable | None",
    output: str | None,
    given: dict[str, Any],
    meter: "Meter",
    deadline: Deadline,
) -> "tuple[zm.Solution, float, KeyboardInterrupt | None]":
    """The solution, the seconds that it took, and the interrupt after which it is incomplete."""
    from zermelo._runtime.progress import spent
    from zermelo.formats.front import check_solution_file

    graph = source.graph
    if source.game.weight is not None and objective.family != "quantitative":
        note(
            f"the file has weights, which a game of {objective.keyword} does not use; "
            "--objective mean-payoff, energy, discounted or shortest-path asks about them"
        )
    check_game(given, graph, objective)
    if output is not None:
        check_solution_file(output, given["to"], objective)
    row = choose_solver(objective, given["solver"])
    options = solver_options(row, given)
    engine = {name: given[name] for name in ENGINE_NAMES}
    row.load()
    meter.stage("solving")
    interrupted, begun = None, time.perf_counter() - spent()
    try:
        solution = zm.solve(graph, objective, row.name, start, meter, **engine, **options)
    except KeyboardInterrupt as stop:
        if deadline.expired or not hasattr(stop, "solution"):
            raise
        interrupted, solution = stop, stop.solution  # a search: show what is known
    return source.at_start(solution), time.perf_counter() - spent() - begun, interrupted


def _show(outcome: Outcome, given: dict[str, Any]) -> None:
    """Print the answers that the options ask for, in the form that they ask for."""
    if given["as_json"]:
        show_json(outcome.about_start())
    elif on_terminal():
        from zermelo.cli.solving.terminal import show_outcome

        show_outcome(outcome.about_start())
    else:  # the start of a game is a row of the table like all others
        show_plain(outcome)
