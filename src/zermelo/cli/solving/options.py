"""The options of ``zermelo solve``, and which of them go together."""

import os
from typing import Any

import click

import zermelo as zm
from zermelo.cli import options as opt
from zermelo.cli.complete import files_and_games, passes
from zermelo.registry import SolverRow, objective_row

GAMES = click.argument(
    "files", metavar="FILE|GAME...", nargs=-1, required=True, shell_complete=files_and_games
)
"""The argument FILE|GAME, which may be repeated; - is standard input."""

_SHOWING = (
    "line", "explain", "machine", "winners", "strategies", "positional", "limit", "everything",
)  # fmt: skip
"""The options that print something about one game."""

ENGINE_NAMES = ("engine", "memory", "partitions", "scheduler", "workdir")
"""The options of engines, by the names that :func:`zermelo.solve` has for them."""

_SOLVER_OPTIONS = (
    opt.SOLVER,
    opt.OPTION,
    opt.option(
        "--pass passes", "NAME",
        "Simplify a parity game first, for example by `components`; may be repeated. The same as "
        "--option passes=NAME.", passes, multiple=True,
    ),
    opt.number(
        "--nodes",
        "Search at most N nodes, in games of return and repetition. The same as --option nodes=N.",
    ),
    opt.option(
        "--quotient", None,
        "Solve the bisimulation quotient and lift its answers back. The same as --option "
        "quotient=true.", is_flag=True, default=None,
    ),
)  # fmt: skip

_ANSWER_OPTIONS = (
    opt.position("--start", "Answer for this position; on a terminal with best play."),
    opt.player(
        "--player",
        "Who is to move: shows only the situations of that player, who is also to move at "
        "--start; for games in which it matters.",
    ),
    opt.position("--line", "Show best play from this position, move by move."),
    opt.position(
        "--explain",
        "Show why this position has its label: the moves, cycles or weights that decide it.",
    ),
    opt.number(
        "--depth", "How deep the tree of --explain goes, if it shows one; the default is 3."
    ),
    opt.flag(
        "-p --winners",
        "List for each player the positions that she wins, as Oink and PGSolver do.",
    ),
    opt.flag("--strategies", "The lists of --winners with the winners' moves."),
    opt.player("--machine", "Show the strategy of this player as a machine, for Muller games."),
    opt.flag(
        "--positional",
        "In a game of return or repetition: is there a positional winning strategy from --start? "
        "Show it, or plays that refute all; the exit status is 1 if there is none.",
    ),
    opt.number(
        "--limit",
        f"Show N positions; the default is {opt.MAX_ROWS} on a terminal and all in a pipe.",
    ),
    opt.flag("--all everything", "Show all positions."),
    opt.flag(
        "--json as_json",
        "Answer with one JSON object, for several files with one on each line.",
    ),
    opt.flag("-q --quiet", "Print nothing; useful with --output, --verify."),
)  # fmt: skip

_FILE_OPTIONS = (
    opt.FORMAT,
    opt.option(
        "-o --output", "FILE",
        "Write the solution: .json .csv .parquet .npz, .sol for parity games; .gz, .bz2, .xz and "
        ".zst compress.", type=click.Path(allow_dash=True),
    ),
    opt.option(
        "--output-dir", "DIR",
        "Write the solution of every FILE into this directory, under its name: .sol for parity "
        "games, .json for others; --to chooses another format.", type=click.Path(),
    ),
    opt.target_format(
        "The format of --output, if the name of the file does not show it, or of --output-dir."
    ),
    opt.option(
        "--controller", "FILE",
        "Write the controller of a synthesis game in HOA: an automaton that answers inputs with "
        "outputs; - is standard output.", type=click.Path(allow_dash=True),
    ),
    opt.FORCE,
)  # fmt: skip


def solve_options(command: opt.F) -> opt.F:
    """Give the command its options, in the order of ``--help``."""
    groups = {
        "Solver": _SOLVER_OPTIONS,
        "Engine": opt.ENGINE,
        "Answer": _ANSWER_OPTIONS,
        "Files": _FILE_OPTIONS,
    }
    command = opt.flag("--verify", "Check the solution before it is shown.")(opt.TIMEOUT(command))
    for heading, options in reversed(groups.items()):
        command = opt.under(heading, *options)(command)
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
    for name in ("passes", "nodes", "quotient"):
        if given[name] in (None, ()):
            continue
        if name in found:
            raise click.UsageError(f"expected {opt.spelled(name)} or --option {name}=…, got both")
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
        others = ["quiet", "as_json", "winners", "strategies", "line", "explain"]
        others = ["output", *others] if given["output"] == "-" else others
        opt.refuse(
            given, others, "does not go with --controller -, which prints the controller alone"
        )
    if given["quiet"] or given["output"] == "-":
        silent = "--quiet" if given["quiet"] else "--output -"
        printing = (*_SHOWING, "player", "as_json")
        opt.refuse(given, printing, f"prints an answer, which {silent} does not allow")


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
    # A JSON object has the rows of its game, so their number matters.
    rows = ("limit", "everything") if given["as_json"] else ()
    single = [name for name in (*_SHOWING, "controller") if name not in rows]
    opt.refuse(given, single, f"is for one file, got {len(given['files'])} files")


def check_game(given: dict[str, Any], graph: "zm.Graph", objective: "zm.Objective") -> None:
    """Refuse options that are for other games."""
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
