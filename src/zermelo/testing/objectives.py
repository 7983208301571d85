"""``check_objective``: an objective is solved, checked, written and read back."""

import contextlib
import dataclasses
import io
import json
import random
from collections.abc import Iterator
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.front import read, read_solution, write
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, UNDECIDED, Label
from zermelo.objectives.base import Objective
from zermelo.registry import OBJECTIVES, SOLVERS, ObjectiveRow, SolverRow
from zermelo.solve import solve
from zermelo.testing.cases import graphs_for, objective_row_of
from zermelo.testing.report import Report, check_count, code_of

LETTERS = "abcdtuvw"
"""The names of positions, so that the syntax of a row such as ``reach:a,b`` can be read."""


def check_objective(
    objective: Any, *, solver: SolverRow | None = None, games: int = 60, seed: int = 0
) -> Report:
    """Check an objective, given by its keyword, its row or its class, with its own ``example``.

    Its class and its row must say the same. An objective is a frozen record with a hash, a text
    and plain data, which ``from_spec`` reads back; so do files. Some solver solves it. The checker
    accepts the solution, also from a file, and refuses it after any label, level, distance or move
    was changed. Graphs with the wrong kind of players are refused. ``solver`` is the row of a
    solver that is not installed yet.

    >>> print(check_objective("reach", games=20))
    objective reach holds: 20 games, 226 corrupted solutions refused
    """
    row = objective_row_of(objective)
    check_count("games", games)
    report = Report(f"objective {row.name}")
    with OBJECTIVES.including(row), contextlib.ExitStack() as stack:
        if solver is not None:
            stack.enter_context(SOLVERS.including(solver))
        with report.calling("its class"):
            _check_class(row, report)
        rng = random.Random(seed)
        for graph in graphs_for(row.players, games, seed, moves=10):
            named = graph.with_names(list(LETTERS[: graph.n]))
            with report.calling("example"):
                game = Game(named, row.example(named, rng))
            report.tried["games"] += 1
            _check_record(game, report)
            _check_solution(game, row, report, rng)
        _check_text(row, report)
    return report


def _check_class(row: ObjectiveRow, report: Report) -> None:
    """The class says what the row says."""
    kind: Any = row.load()
    if not (isinstance(kind, type) and issubclass(kind, Objective)):
        report.fail(f"expected a subclass of Objective at {row.target}, got {kind!r}")
    for name, said in (("keyword", row.name), ("family", row.family)):
        if getattr(kind, name) != said:
            report.fail(f"its class has the {name} {getattr(kind, name)!r}, its row {said!r}")
    if row.players not in ("either", "alternate", "own"):
        report.fail(f"players: expected either, alternate or own, got {row.players!r}")


def _check_record(game: Game, report: Report) -> None:
    """The objective is frozen, it has a hash and a text, and its data survive; nothing raises."""
    with report.calling("spec"):
        code = code_of(game, "print({objective})")
    with report.calling("its class", code):
        _check_data(game, report, code)


def _check_data(game: Game, report: Report, code: str) -> None:
    """The objective is frozen, it has a hash and a text, and its data survive."""
    graph, objective = game
    frozen = dataclasses.is_dataclass(objective)
    try:
        for field in dataclasses.fields(objective):
            setattr(objective, field.name, None)
            frozen = False
    except (AttributeError, TypeError):
        pass
    if not frozen:
        report.fail("expected a frozen dataclass, which nobody can change", code)
    if not isinstance(hash(objective), int) or not repr(objective) or not objective.describe(graph):
        report.fail("expected a hash, a repr and a description", code)
    with report.calling("check_data", code):
        objective.check_data(graph)
    spec = objective.spec(graph)
    if json.loads(json.dumps(spec)) != spec or spec.get("objective") != objective.keyword:
        report.fail(f"spec: expected plain data with its keyword, got {spec}", code)
    with report.calling("from_spec", code):
        again = type(objective).from_spec(spec, graph)
    if again.spec(graph) != spec or Game(graph, again) != game:
        report.fail(f"from_spec reads {spec} as {again.spec(graph)}", code)
    if _through_file(game) != game:
        report.fail("a JSON file does not give the game back", code)


def _through_file(game: Game) -> Game:
    file = io.BytesIO()
    write(game, file, "json")
    return read(io.BytesIO(file.getvalue()), "json")


def _check_solution(game: Game, row: ObjectiveRow, report: Report, rng: random.Random) -> None:
    """The game is solved, and the checker accepts the solution and refuses corrupted ones."""
    graph, objective = game
    code = code_of(game, "zm.solve(g, {objective}).verify()")
    file = io.BytesIO()
    try:
        solution = solve(game).verify()
        write(solution, file, "json")
        again = read_solution(io.BytesIO(file.getvalue()), game, "json").verify()
    except ZermeloError as error:
        report.fail(f"its example is not solved and checked: {error}", code, error)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        report.fail(f"solving and checking its example raises {fault}", code, error)
    if again.label.tolist() != solution.label.tolist():
        report.fail("a JSON file changes the labels of its solution", code)
    for fault, corrupted in _corrupted(json.loads(file.getvalue()), solution, row, rng):
        try:
            read_solution(io.BytesIO(json.dumps(corrupted).encode()), game, "json").verify()
        except ZermeloError:
            report.tried["corrupted solutions refused"] += 1
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
            report.fail(f"its checker, given a wrong {fault}, raises {raised}", code, error)
        else:
            report.fail(f"its checker accepts a wrong {fault}", code)
    other = None if row.players == "own" else [0] * graph.n
    if row.players != "either" and graph.n:
        try:
            solve(graph.with_owner(other), objective)
        except ZermeloError:
            return
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            report.fail(f"a graph with{'out' * (other is None)} owners raises {fault}", code, error)
        report.fail(f"it takes a graph with{'out' * (other is None)} owners", code)


def _corrupted(
    data: dict[str, Any], solution: Any, row: ObjectiveRow, rng: random.Random
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Solutions with one wrong entry, and what is wrong there."""
    graph, label = solution.graph, solution.label.reshape(-1)
    width = label.size // max(graph.n, 1)
    top = len(solution.levels) - 1
    for s in range(label.size):
        v, where = s // width, f"of position {graph.name(s // width)!r}"
        if label[s] == UNDECIDED:
            continue
        right = int(label[s])
        yield f"label {where}", _changed(data, "label", s, width, -right or rng.choice((-1, 1)))
        level = int(solution.level.reshape(-1)[s])
        if top:
            yield f"level {where}", _changed(data, "level", s, width, (level + 1) % (top + 1))
        distance = int(solution.distance.reshape(-1)[s])
        yield f"distance {where}", _changed(data, "distance", s, width, distance + 1)
        if row.strategies != "position" or solution.move.reshape(-1)[s] == NO_MOVE:
            continue
        moves = {*graph.successors(v).tolist()}
        worse = {*range(graph.n)} - moves
        if right == Label.WIN and tuple(solution.levels) == (-1, 1):
            after = solution.winner if width == 1 else solution.winner[:, 1 - s % 2]
            worse |= {w for w in moves if after[w] != solution.winner.reshape(-1)[s]}
        for w in worse:
            yield f"move {where}", _changed(data, "move", s, width, w)


def _changed(data: dict[str, Any], key: str, s: int, width: int, value: int) -> dict[str, Any]:
    """A copy of the data of a file in which the entry of one situation is changed."""
    entries = json.loads(json.dumps(data[key]))
    if width == 2:
        entries[s // 2][s % 2] = value
    else:
        entries[s] = value
    return {**data, key: entries}


def _check_text(row: ObjectiveRow, report: Report) -> None:
    """The text of its syntax, such as ``keep:a,b``, gives an objective."""
    kind: Any = row.load()
    text = row.syntax.strip("'").partition(":")[2].removesuffix("]")
    if not text or kind.from_text.__func__ is Objective.from_text.__func__:  # type: ignore[attr-defined]
        return
    graph = Graph.from_edges([("a", "b"), ("b", "a"), ("c", "d"), ("d", "t")])
    graph = graph if row.players != "own" else graph.with_owner([0, 1, 0, 1, 0])
    with report.calling(f"from_text({text!r}, graph)"):
        game = Game(graph, kind.from_text(text, graph))
    _check_record(game, report)
    report.tried["texts of the command line"] += 1
