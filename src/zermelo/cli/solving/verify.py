"""``zermelo verify``: check that a solution holds."""

import os

import click

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.inputs.files import name_of
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.options import FORMAT, JSON, SOURCE, option
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, print_json, say
from zermelo.cli.synthesis.output import check_circuit_file, is_circuit
from zermelo.errors import CertificateError, FormatError


@click.command()
@SOURCE
@click.argument("solution_file", metavar="SOLUTION", type=click.Path(allow_dash=True))
@FORMAT
@option("--memory", "SIZE", "The memory that checking a solution in shards may take, such as 2GB.")
@JSON
def command(
    file: str, solution_file: str, format_: str | None, memory: str | None, as_json: bool
) -> int:
    """Check that SOLUTION, as `zermelo solve --output` wrote it, solves the graph in FILE. It may
    also be a matching or a kernel, as `zermelo matching` and `zermelo kernel` write them, or a
    circuit (.aag, .aig) for a game of synthesis, from `zermelo synthesize` or another program. A
    solution in shards is a directory, and FILE is the directory of the game.

    The checker shares no code with the solvers and takes time linear in the graph. The exit status
    is 0 if the solution holds, 1 if it does not, and 2 if it is a solution of another graph. Of a
    solution with undecided positions the answer says how many are decided; if none is, the exit
    status is 1.
    GAME is a name from zermelo games, such as nim:3,4, or a Python file of rules.

    \b
    zermelo solve game.txt --output solution.json
    zermelo verify game.txt solution.json
    """
    if is_url(solution_file) or os.path.isdir(solution_file):
        return _shards(file, solution_file, memory, as_json)
    if memory is not None:
        raise click.UsageError("--memory is for solutions in shards")
    if file == "-" and solution_file == "-":
        raise click.UsageError("expected FILE or SOLUTION from standard input, got both")
    reason = None
    with Meter() as meter:
        made = open_game(file, format_, meter)
        graph, asked = made.graph, made.objective
        meter.stage(f"reading {name_of(solution_file)}")
        record: dict[str, object] = {"file": file, "solution": solution_file}
        try:
            if is_circuit(solution_file):
                return _circuit(made, solution_file, record, as_json)
            solution = zm.read_solution(solution_file, graph, objective=asked)
            answered = getattr(solution, "objective", None)  # a matching or a kernel has none
            # A game of normal play may be a file that leaves the objective open.
            if asked is not None and answered and asked.spec(graph) != answered.spec(graph):
                raise FormatError(
                    f"the solution is of a game of {answered.keyword!r} with its own "
                    f"data, {name_of(file)} asks for another ({asked.keyword!r})",
                    path=name_of(solution_file),
                )
            meter.stage("verifying")
            if answered is None:
                record |= {"answer": solution.file_kind}
            else:
                record |= {"objective": answered.keyword, "solver": solution.solver}
            solution.verify()
            if undecided := solution.counts().get("undecided"):
                record["undecided"] = undecided
            if undecided == len(solution) > 0:
                reason = f"of {count(undecided, 'position')} none is decided, so nothing is solved"
        except CertificateError as error:
            reason = str(error)
    return _show(record, reason, graph.n, as_json)


def _show(record: dict[str, object], reason: str | None, n: int, as_json: bool) -> int:
    """Say whether a solution holds, and return the exit status."""
    file, solution_file = str(record["file"]), str(record["solution"])
    if as_json:
        print_json({**record, "holds": reason is None, "reason": reason})
        return 0 if reason is None else 1
    if reason is not None:
        where = name_of(solution_file)
        text = reason if reason.startswith(where) else f"{where}: {reason}"
        say(" ".join(text.split()))
        return 1
    what, size = record.get("objective") or record["answer"], count(n, "position")
    if undecided := record.get("undecided"):
        assert isinstance(undecided, int)
        size = f"{n - undecided:,} of {size} decided"
    print(f"{name_of(solution_file)} holds: it solves {name_of(file)} ({size}, {what})")
    return 0


def _shards(file: str, path: str, memory: str | None, as_json: bool) -> int:
    """Check a solution in shards against a game in shards."""
    from zermelo.formats.binary.shards import is_shards

    if not is_shards(file):
        raise click.UsageError(
            f"{name_of(path)} is a directory, and expected was the directory of the game in shards "
            f"that it solves, got {name_of(file)}"
        )
    shards, solution, reason = zm.Shards(file), zm.ShardedSolution(path), None
    answered, asked = solution.manifest["objective"], shards.spec
    if asked["objective"] != "normal" and asked != answered:
        raise FormatError(
            f"the solution is of a game of {answered['objective']!r}, {name_of(file)} asks for "
            f"another ({asked['objective']!r})",
            path=name_of(path),
        )
    with Meter() as meter:
        try:
            solution.verify(shards, memory=memory, progress=meter)
        except CertificateError as error:
            reason = str(error)
    record: dict[str, object] = {
        "file": file, "solution": path, "objective": answered["objective"], "solver": "retrograde",
    }  # fmt: skip
    return _show(record, reason, shards.n, as_json)


def _circuit(made: Source, path: str, record: dict[str, object], as_json: bool) -> int:
    """Check a circuit against a game of synthesis."""
    player, pairs = check_circuit_file(made.game, path)
    owner = ("environment", "system")[player]
    if as_json:
        print_json({**record, "answer": "circuit", "player": player, "holds": True, "reason": None})
    else:
        print(
            f"{name_of(path)} holds: the {owner} wins {name_of(made.text)} with it "
            f"({count(pairs, 'pair')} of states)"
        )
    return 0
