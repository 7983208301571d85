"""A new objective is one file and one row: from a package outside to every way in and out.

The toy objective is *keep*: on a graph with owners, player 0 wins iff the play stays for ever in a
set of positions. Its file has the objective, a solver and a checker of its own.
"""

import io
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import zermelo as zm
from tests import test_ways
from tests.contract import test_solvers
from zermelo.errors import CertificateError, InvalidObjectiveError, PluginWarning
from zermelo.registry import OBJECTIVES, ObjectiveRow, objective_row
from zermelo.registry.table import Table
from zermelo.testing import check_objective, check_solver

KEEP = '''
from dataclasses import dataclass

import numpy as np

from zermelo.errors import CertificateError
from zermelo.objectives.base import PlainSet
from zermelo.objectives.infinite import need_owners
from zermelo.registry import Flag, ObjectiveRow, SolverRow
from zermelo.solutions.parity import ParitySolution, parity_solution


@dataclass(frozen=True, eq=False)
class Keep(PlainSet):
    """Player 0 wins iff the token stays in the positions for ever."""

    family = "keep"
    keyword = "keep"

    @classmethod
    def from_text(cls, text, graph):
        return cls([x for x in text.split(",") if x])


class KeepSolution(ParitySolution):
    family = "keep"


def region(graph, objective):
    """Take positions away that player 0 cannot keep, one by one."""
    need_owners(graph, objective)
    kept = graph.mask(objective.positions).copy()
    changed = True
    while changed:
        changed = False
        for v in range(graph.n):
            inside = kept[graph.successors(v)]
            stays = inside.any() if graph.owner[v] == 0 else inside.all() and inside.size
            if kept[v] and not stays:
                kept[v], changed = False, True
    return kept


def solve(graph, objective, progress=None, *, slow=False):
    kept = region(graph, objective)
    winner = np.where(kept, 0, 1).astype(np.int8)
    move = np.full(graph.n, -1, np.int32)
    for v in range(graph.n):
        for w in graph.successors(v).tolist():
            if winner[w] == winner[v] == graph.owner[v]:
                move[v] = w
    found = parity_solution(graph, objective, "keeper", winner, move, {"slow": slow})
    return claim(graph, objective, "keeper", {
        "level": found.level, "label": found.label, "distance": found.distance, "move": move,
    }, None)


def claim(graph, objective, solver, arrays, start):
    level, label, distance = arrays["level"], arrays["label"], arrays["distance"]
    return KeepSolution(
        graph, objective, solver, level, label, distance, arrays["move"], start=start
    )


def check(solution):
    kept = region(solution.graph, solution.objective)
    graph, winner = solution.graph, solution.winner
    for v in range(graph.n):
        if (winner[v] == 0) != kept[v] or solution.level[v] != (winner[v] == 0):
            raise CertificateError(f"position {graph.name(v)!r}: wrong winner")
        if solution.distance[v] != -1:
            raise CertificateError(f"position {graph.name(v)!r}: there are no distances")
        w = solution.move[v]
        if w >= 0 and (w not in graph.successors(v) or winner[w] != winner[v]):
            raise CertificateError(f"position {graph.name(v)!r}: wrong move")


def oracle(graph, objective):
    winner = np.where(region(graph, objective), 0, 1).tolist()
    return {"winner": dict(zip(enumerate(graph.owner.tolist()), winner))}


row = ObjectiveRow(
    "keep", "player 0 wins iff play stays in some positions", "keep_games:Keep",
    family="keep", checker="keep_games:check", players="own", claim="keep_games:claim",
    syntax="keep:a,b",
)
solver = SolverRow(
    "keeper", "what can be kept", "keep_games:solve", "keep",
    options=(Flag("slow", "Take your time.", False),),
)
'''

GRAPH = zm.Graph.from_edges(
    [("a", "b"), ("b", "a"), ("b", "t"), ("c", "a"), ("c", "t"), ("t", "t")],
    owner={"a": 0, "b": 0, "c": 1, "t": 1},
)
SPEC = {"objective": "keep", "positions": [0, 1, 3], "player": 0}


@pytest.fixture
def package(tmp_path):
    """A package with the toy, as an installer leaves it."""
    (tmp_path / "keep_games.py").write_text(KEEP)
    info = tmp_path / "keep_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: keep-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[zermelo.objectives]\nkeep = keep_games:row\n"
        "[zermelo.solvers]\nkeeper = keep_games:solver\n"
    )
    return tmp_path


@pytest.fixture
def keep(package, monkeypatch):
    """The module of the toy, with its rows in the tables of this process."""
    from zermelo.registry import SOLVERS

    monkeypatch.syspath_prepend(str(package))
    sys.modules.pop("keep_games", None)
    import keep_games

    for table, row in ((OBJECTIVES, keep_games.row), (SOLVERS, keep_games.solver)):
        monkeypatch.setattr(table, "_rows", {**table._rows, row.name: row})
    yield keep_games
    sys.modules.pop("keep_games", None)


@pytest.mark.sampled
def test_it_keeps_the_contract(keep):
    """Its row brings an example, so the kit and the contract tests need no data for it."""
    report = check_objective(keep.row, games=20)
    assert report.tried["games"] == 20
    assert report.tried["corrupted solutions refused"] > 60
    assert report.tried["texts of the command line"] == 1
    report = check_solver(keep.solver, games=30)
    assert "compared with the definition" not in report.tried
    check_solver(keep.solver, oracle=keep.oracle, games=30)
    test_solvers.test_solvers_keep_the_contract(keep.solver, keep.row)
    test_solvers.test_objectives_keep_the_contract(keep.row)
    test_solvers.test_an_unknown_option_lists_those_of_the_solver(keep.solver)
    test_solvers.test_a_value_of_another_type_is_refused(keep.solver, keep.solver.options[0])
    test_ways.test_graphs_that_an_objective_does_not_fit_are_refused(keep.row)


def test_the_kit_needs_no_installation(package, monkeypatch):
    monkeypatch.syspath_prepend(str(package))
    sys.modules.pop("keep_games", None)
    import keep_games

    check_objective(keep_games.row, solver=keep_games.solver, games=20)
    assert "keep" not in OBJECTIVES
    sys.modules.pop("keep_games", None)


def test_from_python(keep):
    objective = keep.Keep(["a", "b", "c"])
    s = zm.solve(GRAPH, objective, slow=True)
    assert s.winner.tolist() == [0, 0, 1, 1]
    assert s.verify() is s
    assert zm.solve(zm.Game(GRAPH, objective, "a")).start == 0
    assert objective.describe(GRAPH) == "keep a, b, c, wanted by player 0"
    with pytest.raises(ValueError, match="'keeper' has no option 'nodes'; its option is slow"):
        zm.solve(GRAPH, objective, nodes=3)
    with pytest.raises(ValueError, match="slow: expected True or False, got 3"):
        zm.solve(GRAPH, objective, slow=3)


def test_its_own_checker_is_found(keep):
    s = zm.solve(GRAPH, keep.Keep(["a", "b", "c"]))
    arrays = {"level": s.level, "label": -s.label, "distance": s.distance, "move": s.move}
    with pytest.raises(CertificateError, match="position 'a': wrong winner"):
        keep.claim(GRAPH, s.objective, "keeper", arrays, None).verify()


def test_through_files(keep):
    game = zm.Game(GRAPH, keep.Keep(["a", "b", "c"]))
    file, solved = io.BytesIO(), io.BytesIO()
    zm.write(game, file, format="json")
    assert json.loads(file.getvalue())["objective"] == SPEC
    again = zm.read(io.BytesIO(file.getvalue()))
    assert again == game
    zm.write(zm.solve(again), solved, format="json")
    found = zm.read_solution(io.BytesIO(solved.getvalue()), again)
    assert isinstance(found, keep.KeepSolution)
    assert found.verify().winner.tolist() == [0, 0, 1, 1]


def run(place, *words):
    command = [sys.executable, "-m", "zermelo", *map(str, words)]
    paths = os.pathsep.join([str(place), str(Path(zm.__file__).parents[1])])
    env = {"PYTHONPATH": paths, "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=place)


@pytest.mark.slow
def test_from_the_command(package):
    zm.write(GRAPH, package / "g.json")
    done = run(
        package, "solve", "g.json", "--objective", "keep:a,b,c", "--option", "slow=yes",
        "--verify", "-o", "s.json", "--all",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    labels = {row.split("\t")[0]: row.split("\t")[1] for row in done.stdout.splitlines()[1:]}
    assert labels == {"a": "WIN", "b": "WIN", "c": "WIN", "t": "WIN"}
    zm_game = {**json.loads((package / "g.json").read_text()), "objective": SPEC}
    (package / "h.json").write_text(json.dumps(zm_game))
    assert run(package, "verify", "h.json", "s.json").stdout.startswith("s.json holds: it solves")
    assert run(package, "solve", "h.json", "--json").returncode == 0
    assert run(package, "info", "h.json").returncode == 0
    assert "parity games are of" not in run(package, "convert", "h.json", "k.json").stderr
    refused = run(package, "convert", "h.json", "k.json", "--no-owners")
    assert "--no-owners: keep games need positions that have owners" in refused.stderr
    for words, message in (
        (["--objective", "keep"], "keep needs data: --objective keep:a,b"),
        (["--objective", "keep:z"], "'z'"),
        (
            ["--objective", "keep:a", "--targets", "a"],
            "--targets goes with reach or reach-avoid or shortest-path, not with keep",
        ),
        (["--objective", "keep:a", "--explain", "a"], "no explanation is known for keep"),
        (["--objective", "keep:a", "--option", "fast=1"], "its option is slow"),
        (["--objective", "keep:a", "--option", "slow=maybe"], "slow: expected true or false"),
    ):
        done = run(package, "solve", "g.json", *words)
        assert done.returncode == 2
        assert message in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_in_the_list_of_solvers(package):
    rows = [line.split("\t") for line in run(package, "solvers").stdout.splitlines()]
    assert ["keeper", "keep"] in [row[:2] for row in rows]
    one = dict(line.split("\t") for line in run(package, "solvers", "keeper").stdout.splitlines())
    assert one["option slow"] == "Take your time. Expects true or false; the default is false."


@pytest.mark.slow
@pytest.mark.parametrize("code", ["import nothing_of_this_name", "row = 3", "row = 1 // 0"])
def test_a_broken_package_is_a_warning(package, code):
    (package / "keep_games.py").write_text(f"{code}\nsolver = None\n")
    for words in (["solvers"], ["solvers", "zielonka"]):
        done = run(package, *words)
        assert done.returncode == 0
        assert "the objective 'keep' of the package keep-games is left out: " in done.stderr
        assert "Traceback" not in done.stderr
    zm.write(GRAPH, package / "g.json")
    done = run(package, "solve", "g.json", "--objective", "keep:a")
    assert done.returncode == 2
    assert "no objective is called 'keep'" in done.stderr
    assert run(package, "solve", "g.json").stderr == ""  # our own rows are enough


# -------------------------------------------------------------------- the table itself


@pytest.mark.parametrize("row", OBJECTIVES.own, ids=lambda row: row.name)
def test_rows_say_what_the_classes_say(row):
    kind = row.load()
    assert (kind.keyword, kind.family) == (row.name, row.family)
    assert row.players in ("either", "alternate", "own")
    assert row.strategies in ("position", "memory", "past")
    for load in (row.load_checker, row.load_claim):
        assert callable(load())
    assert row.summary
    assert row.summary[0].islower()


def test_an_objective_without_a_row_has_that_of_its_family():
    class Mine(zm.Misere):
        keyword = "mine"

    class Other(zm.Objective):
        family = "nothing known"

    assert zm.solve(GRAPH, Mine()).verify().objective.keyword == "mine"
    assert objective_row(Mine()).family == "terminal"
    with pytest.raises(InvalidObjectiveError, match="no objective of the family 'nothing known'"):
        objective_row(Other())


def test_a_solution_of_another_family_is_no_certificate():
    s = zm.solve(GRAPH, zm.Parity([0, 1, 2, 3]))
    object.__setattr__(s, "objective", zm.Misere())
    with pytest.raises(CertificateError, match="expected one of the family 'parity'"):
        s.verify()


def test_a_table_warns_once(monkeypatch):
    class Point:
        name, value, dist = "mine", "plug:row", None

        def load(self):
            return 3

    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Point()])
    table = Table("objective", "zermelo.x", (ObjectiveRow("x", "an x", "x:X", "x", "x:check"),))
    with pytest.warns(PluginWarning, match="the objective 'mine' of the package plug:row"):
        assert [row.name for row in table] == ["x"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "mine" not in table
