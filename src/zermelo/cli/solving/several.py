"""``zermelo solve`` for several files: the program starts once, and each file gets one line.

A bad file gets its message on standard error, and the others are solved. With ``--timeout`` a child
of this process solves the files, because compiled code can only be stopped together with its
process. The child goes on until it is stopped; then the next child begins with the next file.
"""

import os
import signal
import sys
from typing import Any

import click

import zermelo as zm
from zermelo.cli.deadline import STATUS as OUT_OF_TIME
from zermelo.cli.deadline import time_is_up
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.objective import Wish
from zermelo.cli.output import show
from zermelo.cli.solving.plain import Outcome, show_json
from zermelo.registry import FORMATS

COLUMNS = (
    "file", "positions", "moves", "objective", "solver", "seconds", "win", "lose", "draw",
    "undecided", "player0", "player1", "start", "answer", "output",
)  # fmt: skip
"""The columns of the table in a pipe, one row for each file."""

SEVERITY = (70, 2, 1, OUT_OF_TIME)
"""Exit statuses of single files; the first that occurs is that of the command."""

FINAL_STATUSES = (130, 141)
"""Exit statuses after which no other file is solved: interrupted, nobody reads the output."""


def solve_several(given: dict[str, Any], wish: Wish) -> int:
    """Solve all files of the command line; the exit status is that of the worst."""
    files: tuple[str, ...] = given["files"]
    if given["output_dir"] is not None:
        _check_names(files, given["output_dir"])
    if given["timeout"] is not None and not hasattr(os, "fork"):
        raise click.UsageError("--timeout is for one file on this system, got several")
    if not (given["as_json"] or given["quiet"] or show.on_terminal()):
        print("\t".join(COLUMNS), flush=True)
    if given["timeout"] is None:
        statuses = [_solve_one(file, wish, given) for file in files]
    else:
        statuses = _solve_in_children(files, wish, given)
    return next((status for status in SEVERITY if status in statuses), 0)


def output_in(folder: str, file: str, objective: "zm.Objective", to: str | None) -> str:
    """The file of a directory for the solution of a game.

    Parity games have PGSolver's format, others JSON, unless ``to`` names another one.
    """
    from zermelo.formats.front import format_row

    if to is not None:
        row = format_row(to, "solution")
    else:
        fitting = (x for x in FORMATS if "solution" in x.holds and x.games == objective.family)
        row = next(fitting, FORMATS["json"])
    return os.path.join(folder, stem(file) + row.suffixes[0])


def stem(file: str) -> str:
    """The name of a solution without its suffix, from the argument that named the game.

    >>> stem("games/a.pg.gz"), stem("b.tlsf.ehoa"), stem("nim:3,4"), stem("-")
    ('a', 'b.tlsf', 'nim:3,4', 'standard-input')
    """
    from zermelo.formats.common.compression import split_suffix

    if file == "-":
        return "standard-input"
    name = split_suffix(os.path.basename(file))[0]
    root, suffix = os.path.splitext(name)
    known = next((row for row in FORMATS if suffix.lower() in row.suffixes), None)
    return root if root and suffix and known is not None else name


def _check_names(files: tuple[str, ...], folder: str) -> None:
    """Refuse files whose solutions would have the same name, also where case does not matter."""
    seen: dict[str, str] = {}
    for file in files:
        name = stem(file)
        before = seen.setdefault(name.casefold(), file)
        if before is not file:
            raise click.UsageError(
                f"{before} and {file} would both be written to {os.path.join(folder, name)}.…; "
                "solve them in two commands with two directories"
            )


def _solve_one(file: str, wish: Wish, given: dict[str, Any]) -> int:
    """Solve one file and print its line; a failure becomes a message and an exit status."""
    from zermelo.cli.main import explain
    from zermelo.cli.solving.solve import solve_file

    try:
        outcome = solve_file(file, wish, given)
        if outcome.interrupted is not None:
            raise outcome.interrupted
        if not given["quiet"]:
            _show(outcome.about_start(), given)
            sys.stdout.flush()
        return 0
    except BaseException as error:
        status, message = explain(error)
        if status in FINAL_STATUSES or isinstance(error, SystemExit | GeneratorExit):
            raise
        if name_of(file) not in message:
            message = f"{name_of(file)}: {message}"
        show.say(message)
        _show_failure(file, message, status, given)
        return status


def _show_failure(file: str, message: str, status: int, given: dict[str, Any]) -> None:
    """Print the JSON object of a file that has no answer, if JSON is asked for."""
    if given["as_json"]:
        show.print_json({"file": file, "error": message, "status": status}, one_line=True)
        sys.stdout.flush()


def _show(outcome: "Outcome", given: dict[str, Any]) -> None:
    if given["as_json"]:
        show_json(outcome, one_line=True)
    elif show.on_terminal():
        print(_sentence(outcome))
    else:
        print("\t".join(map(show.field, _row(outcome).values())))


def _row(outcome: "Outcome") -> dict[str, Any]:
    """The row of a file in the table."""
    solution, counts = outcome.solution, outcome.solution.counts()
    players: list[int | None] = [None, None]
    if solution.has_players:
        players = [int((solution.winner == e).sum()) for e in (0, 1)]
    values = (
        outcome.source.text, solution.graph.n, solution.graph.m, solution.objective.keyword,
        solution.solver, f"{outcome.seconds:.6f}", counts["win"], counts["lose"],
        counts["tie"] + counts["draw"], counts.get("undecided", 0), *players, outcome.start,
        _answer(outcome), outcome.output,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _answer(outcome: "Outcome") -> str | None:
    """The answer at the start: the verdict of synthesis, the winner, or the label."""
    solution, start = outcome.solution, outcome.start
    if outcome.verdict is not None:
        return outcome.verdict
    if start is None:
        return None
    found = [solution.at(start, e) for e in (0, 1)] if solution.doubled else [solution.at(start)]
    texts = []
    for answer in found:
        winner = "draw" if answer.winner is None else f"player {int(answer.winner)}"
        texts.append(answer.outcome.upper() if answer.player is None else winner)
    return "/".join(dict.fromkeys(texts))


def _sentence(outcome: "Outcome") -> str:
    """The line of a file on a terminal."""
    row, solution = _row(outcome), outcome.solution
    if row["player0"] is not None and not solution.doubled:
        result = f"player 0 wins from {row['player0']:,}, player 1 from {row['player1']:,}"
    else:
        result = ", ".join(f"{row[key]:,} {key.upper()}" for key in ("win", "lose", "draw"))
    parts = [f"{show.count(solution.graph.n, 'position')}, {result}"]
    if row["answer"] is not None:
        parts.append(f"start {row['start']}: {row['answer']}")
    parts.append(f"{solution.solver}, {show.duration(outcome.seconds)}")
    if outcome.output is not None:
        parts.append(f"wrote {outcome.output}")
    return f"{name_of(outcome.source.text)}: {'; '.join(parts)}"


# -------------------------------------------------------------------- children


def _solve_in_children(files: tuple[str, ...], wish: Wish, given: dict[str, Any]) -> list[int]:
    """Solve the files in a child process; when it is stopped, the next one goes on."""
    statuses: list[int] = []
    while len(statuses) < len(files):
        done, code = _run_child(files[len(statuses) :], wish, given)
        statuses += done
        if code in FINAL_STATUSES:
            raise KeyboardInterrupt if code == 130 else BrokenPipeError
        if len(statuses) < len(files):  # the child has ended in the middle of a file
            file = files[len(statuses)]
            message = time_is_up(name_of(file), given["timeout"])  # the child has said so
            if code != OUT_OF_TIME:
                message = (
                    f"{name_of(file)}: the process that solved it has ended with status {code}"
                )
                show.say(message)
                code = 70
            _show_failure(file, message, code, given)
            statuses.append(code)
    return statuses


def _run_child(files: tuple[str, ...], wish: Wish, given: dict[str, Any]) -> tuple[list[int], int]:
    """The statuses of the files that a child has finished, and its own exit status."""
    sys.stdout.flush()
    sys.stderr.flush()
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        _be_child(files, wish, given, theirs)
    os.close(theirs)
    statuses: list[int] = []
    try:
        with os.fdopen(ours, "rb") as reports:
            while report := reports.read(1):
                statuses += report
        _, code = os.waitpid(child, 0)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    return statuses, os.waitstatus_to_exitcode(code)


def _be_child(files: tuple[str, ...], wish: Wish, given: dict[str, Any], reports: int) -> None:
    """Solve files and report the status of each; never returns."""
    status = 70
    try:
        for file in files:
            os.write(reports, bytes([_solve_one(file, wish, given)]))
        status = 0
    except BaseException as error:
        status = 141 if isinstance(error, BrokenPipeError) else 130
    finally:
        os._exit(status)
