"""The options of ``zermelo solve``, and which of them go together."""

import os
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.complete import (
    files_and_games,
    formats,
    options_of_solver,
    passes,
    positions,
    solvers,
    solving_engines,
)
from zermelo.cli.deadline import TIMEOUT
from zermelo.cli.inputs.files import FORCE, FORMAT
from zermelo.cli.inputs.objective import F, player_number

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.objectives import Objective
    from zermelo.registry import SolverRow

GAMES = click.argument(
    "files", metavar="FILE|GAME...", nargs=-1, required=True, shell_complete=files_and_games
)
"""The argument FILE|GAME, which may be repeated; - is standard input."""

_SHOWING = (
    "line", "explain", "machine", "winners", "strategies", "positional", "limit", "everything",
)  # fmt: skip
"""The options that print something about one game."""

_SPELLED = {"everything": "all", "as_json": "json"}
"""Names of options on the command line that differ from those of parameters."""

FEW = 20
"""Positions that a terminal shows if no number is given."""

_SOLVER_OPTIONS = (
    click.option(
        "--solver", metavar="NAME", default="auto", shell_complete=solvers,
        help="The algorithm, a name from `zermelo solvers`; the default is the best that applies.",
    ),
    click.option(
        "--option", "options", metavar="NAME=VALUE", multiple=True,
        shell_complete=options_of_solver,
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

SOLVER, OPTION = _SOLVER_OPTIONS[:2]
"""The options ``--solver`` and ``--option``, for other commands that solve games."""

_ENGINE_OPTIONS = (
    click.option(
        "--engine", metavar="ENGINE", shell_complete=solving_engines,
        help="Where the game is solved: memory, or disk, which keeps to a budget of memory. The "
        "default is memory where it suffices.",
    ),
    click.option(
        "--memory", metavar="SIZE",
        help="The budget of the engine for the whole process, or for each worker, such as 2GB.",
    ),
    click.option(
        "--partitions", type=click.IntRange(min=1), metavar="N",
        help="The number of partitions that the engine works with; by default as few as fit.",
    ),
    click.option(
        "--scheduler", metavar="ADDRESS",
        help="The Dask scheduler for --engine dask; by default a cluster on this machine.",
    ),
    click.option(
        "--workdir", metavar="DIR", type=click.Path(),
        help="The directory for the files of the engine, or a URL such as s3://bucket/jobs for "
        "--engine dask; the same command goes on after an interruption.",
    ),
)  # fmt: skip

ENGINE_NAMES = ("engine", "memory", "partitions", "scheduler", "workdir")
"""The options of engines, by the names that :func:`zermelo.solve` has for them."""

_ANSWER_OPTIONS = (
    click.option(
        "--start", metavar="A", shell_complete=positions,
        help="Answer for this position; on a terminal with best play.",
    ),
    click.option(
        "--player", type=click.Choice(["0", "1"]), callback=player_number,
        help="Who is to move: shows only the situations of that player, who is also to move at "
        "--start; for games in which it matters.",
    ),
    click.option(
        "--line", metavar="A", shell_complete=positions,
        help="Show best play from this position, move by move.",
    ),
    click.option(
        "--explain", metavar="A", shell_complete=positions,
        help="Show why this position has its label: the moves, cycles or weights that decide it.",
    ),
    click.option(
        "--depth", type=click.IntRange(min=0), metavar="N",
        help="How deep the tree of --explain goes, if it shows one; the default is 3.",
    ),
    click.option(
        "-p", "--winners", is_flag=True,
        help="List for each player the positions that she wins, as Oink and PGSolver do.",
    ),
    click.option(
        "--strategies", is_flag=True, help="The lists of --winners with the winners' moves."
    ),
    click.option(
        "--machine", type=click.Choice(["0", "1"]), callback=player_number,
        help="Show the strategy of this player as a machine, for Muller games.",
    ),
    click.option(
        "--positional", is_flag=True,
        help="In a game of return or repetition: is there a positional winning strategy from "
        "--start? Show it, or plays that refute all; the exit status is 1 if there is none.",
    ),
    click.option(
        "--controller", metavar="FILE", type=click.Path(allow_dash=True),
        help="Write the controller of a synthesis game in HOA: an automaton that answers inputs "
        "with outputs; - is standard output.",
    ),
)  # fmt: skip

_OUTPUT_OPTIONS = (
    click.option("--verify", is_flag=True, help="Check the solution before it is shown."),
    click.option(
        "-o", "--output", metavar="FILE", type=click.Path(allow_dash=True),
        help="Write the solution: .json .csv .parquet .npz, .sol for parity games; .gz, .bz2, .xz "
        "and .zst compress.",
    ),
    click.option(
        "--output-dir", metavar="DIR", type=click.Path(),
        help="Write the solution of every FILE into this directory, under its name: .sol for "
        "parity games, .json for others; --to chooses another format.",
    ),
    click.option(
        "--to", metavar="NAME", shell_complete=formats,
        help="The format of --output, if the name of the file does not show it, or of "
        "--output-dir.",
    ),
    FORCE,
    TIMEOUT,
    click.option(
        "--limit", type=click.IntRange(min=0), metavar="N",
        help=f"Show N positions; the default is {FEW} on a terminal and all in a pipe.",
    ),
    click.option("--all", "everything", is_flag=True, help="Show all positions."),
    click.option(
        "--json", "as_json", is_flag=True,
        help="Answer with one JSON object, for several files with one on each line.",
    ),
    click.option(
        "-q", "--quiet", is_flag=True, help="Print nothing; useful with --output, --verify."
    ),
)  # fmt: skip


def solve_options(command: F) -> F:
    """Give the command its options, in the order of ``--help``."""
    groups = (_SOLVER_OPTIONS, _ENGINE_OPTIONS, _ANSWER_OPTIONS, (FORMAT,), _OUTPUT_OPTIONS)
    for option in reversed([option for group in groups for option in group]):
        command = option(command)
    return command


def engine_options(command: F) -> F:
    """Give a command the options of engines."""
    for option in reversed(_ENGINE_OPTIONS):
        command = option(command)
    return command


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


def check_options(given: dict[str, Any]) -> None:
    """Refuse options that would do nothing beside others."""
    if given["as_json"] and given["quiet"]:
        raise click.UsageError("expected --json or --quiet, got both")
    if given["everything"] and given["limit"] is not None:
        raise click.UsageError("expected --all or --limit, got both")
    if given["depth"] is not None and given["explain"] is None:
        raise click.UsageError("--depth goes with --explain")
    if given["output"] is not None and given["output_dir"] is not None:
        raise click.UsageError("expected --output or --output-dir, got both")
    outputs = [given["output"], given["output_dir"]]
    if given["to"] and outputs == [None, None]:
        raise click.UsageError("--to goes with --output or --output-dir")
    if given["force"] and [*outputs, given["controller"]] == [None] * 3:
        raise click.UsageError("--force goes with --output, --output-dir or --controller")
    if given["controller"] == "-":
        for name in ("output", "quiet", "as_json", "winners", "strategies", "line", "explain"):
            if given[name] not in (None, False) and (name != "output" or given[name] == "-"):
                raise click.UsageError(
                    f"--{_SPELLED.get(name, name)} does not go with --controller -, which prints "
                    "the controller alone"
                )
    silent = "--quiet" if given["quiet"] else "--output -" if given["output"] == "-" else None
    for name in (*_SHOWING, "player", "as_json"):
        if silent is not None and given[name] not in (None, False):
            raise click.UsageError(
                f"--{_SPELLED.get(name, name)} prints an answer, which {silent} does not allow"
            )


def check_directory(folder: str) -> None:
    """Refuse a file in the place of the directory for solutions."""
    if not folder or (os.path.lexists(folder) and not os.path.isdir(folder)):
        raise click.BadParameter(
            f"expected a directory, and {folder!r} is none", param_hint="--output-dir"
        )


def check_several(given: dict[str, Any]) -> None:
    """Refuse options that are for one game, when there are several."""
    if given["output"] is not None:
        raise click.UsageError(
            "--output is for one file; --output-dir DIR writes a solution of each of several files"
        )
    if given["files"].count("-") > 1:
        raise click.UsageError("expected standard input once, got - several times")
    for name in (*_SHOWING, "controller"):
        # A JSON object has the rows of its game, so their number matters.
        fits = name in ("limit", "everything") and given["as_json"]
        if given[name] not in (None, False) and not fits:
            raise click.UsageError(
                f"--{_SPELLED.get(name, name)} is for one file, got {len(given['files'])} files"
            )


def check_game(given: dict[str, Any], graph: "Graph", objective: "Objective") -> None:
    """Refuse options that are for other games."""
    from zermelo.registry import objective_row

    row, keyword = objective_row(objective), objective.keyword
    if given["explain"] is not None:
        from zermelo.registry.traces import trace_row

        trace_row(objective)
    if given["machine"] is not None and row.strategies != "memory":
        reason = (
            f"in {keyword} games a strategy depends on all that was played, and --line shows a play"
            if row.strategies == "past"
            else f"strategies of {keyword} games need no memory"
        )
        raise click.UsageError(f"--machine is for muller games; {reason}")
    if given["winners"] or given["strategies"]:
        from zermelo.cli.output.winners import check_winners

        check_winners(graph, objective, given["player"], strategies=given["strategies"])
    if given["player"] is not None and graph.owner is None and not objective.doubled(graph):
        raise click.UsageError(
            f"--player is for games in which it matters who is to move, and in this game of "
            f"{keyword} it does not"
        )
