"""``zermelo solvers``, ``info``, ``trace`` and ``completion``."""

import json
import subprocess
import sys

import pytest

import zermelo as zm
from zermelo.objectives import OBJECTIVES
from zermelo.registry import FORMATS, GENERATORS, SOLVERS
from zermelo.trace import trace


def test_solvers(run):
    rows = [line.split("\t") for line in run("solvers").stdout.splitlines()]
    assert rows[0] == ["solver", "objectives", "complexity", "reference", "summary"]
    assert [row[0] for row in rows[1:]] == [row.name for row in SOLVERS]
    data = json.loads(run("solvers", "--json").stdout)["solvers"]
    assert [x["solver"] for x in data] == [row.name for row in SOLVERS]
    families = {row.name: row.family for row in SOLVERS}
    assert {k for x in data for k in x["objectives"]} == set(OBJECTIVES)
    assert set(data[0]["objectives"]) == {
        k for k, cls in OBJECTIVES.items() if cls.family == families[data[0]["solver"]]
    }
    assert next(x for x in data if x["solver"] == "nmfl")["objectives"] == ["asymmetric"]


def test_info(run, game):
    data = json.loads(run("info", game, "--json").stdout)
    assert (data["positions"], data["moves"], data["terminals"], data["loops"]) == (5, 7, 1, 0)
    assert data["owners"] is None
    assert data["digest"] == zm.read(game).graph.digest
    assert data["moves_a_position"] == {"least": 0, "most": 2, "mean": 1.4}
    assert data["memory"]["solving"] > 0
    rows = dict(line.split("\t") for line in run("info", game).stdout.splitlines())
    assert rows["positions"] == "5"
    assert rows["moves_a_position.most"] == "2"


def test_info_on_owners_and_objectives(run, tmp_path):
    graph = zm.Graph.from_edges([("a", "b"), ("b", "b")], owner=[0, 1])
    path = tmp_path / "owned.json"
    zm.write((graph, zm.Safety(["a"])), path)
    data = json.loads(run("info", path, "--json").stdout)
    assert (data["owners"], data["loops"]) == ([1, 1], 1)
    assert data["objective"] == {"objective": "safety", "positions": [0], "player": 0}


def test_info_on_nothing(run, tmp_path):
    path = tmp_path / "empty.json"
    zm.write(zm.Graph.from_edges([], n=0), path)
    data = json.loads(run("info", path, "--json").stdout)
    assert data["moves_a_position"] == {"least": 0, "most": 0, "mean": 0}


@pytest.mark.parametrize("objective", ["normal", "asymmetric", "reach:t", "terminal-payoff:t=3"])
def test_trace(run, game, objective):
    graph = zm.read(game).graph
    data = json.loads(run("trace", game, "--objective", objective, "--json").stdout)
    rows = [line.split("\t") for line in run("trace", game, "--objective", objective)
            .stdout.splitlines()]  # fmt: skip
    decisions = [d for r in data["rounds"] for d in r["decisions"]]
    assert rows[0][:6] == ["round", "position", "label", "distance", "rule", "moves"]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert [row[1] for row in rows[1:]] == [d["position"] for d in decisions]
    if objective == "normal":
        expected = [str(d.position) for r in trace(graph) for d in r.decisions]
        assert [d["position"] for d in decisions] == expected


def test_trace_of_nothing(run, tmp_path):
    path = tmp_path / "empty.json"
    zm.write(zm.Graph.from_edges([], n=0), path)
    assert run("trace", path).stdout == "round\tposition\tlabel\tdistance\trule\tmoves\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_ZERMELO_COMPLETE" in result.stdout


def complete(*words):
    """What bash would offer for the last word."""
    done = subprocess.run(
        [sys.executable, "-m", "zermelo"],
        env={
            "_ZERMELO_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("zermelo", *words)),
            "COMP_CWORD": str(len(words)),
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_completion_offers_commands_and_options():
    assert complete("sol") == ["solve", "solvers"]
    assert complete("solve", "--objective", "mis") == ["misere"]
    assert complete("solve", "--solver", "n") == ["nmfl", "nmfl-cap"]
    assert complete("generate", "ran") == [
        row.name for row in GENERATORS if row.name.startswith("ran")
    ]
    assert complete("generate", "random", "deg")[0] == "degree="
    assert set(complete("convert", "--to", "j")) == {
        row.name for row in FORMATS if row.name.startswith("j")
    }


SHAPES = [
    ("a b\nb c\n", "acyclic", "backward induction", True),
    ("a b\nb a\n", "symmetric", "retrograde analysis", True),
    ("a b\nb c\nc a\n", "general", "retrograde analysis", False),
]


@pytest.mark.parametrize(("moves", "kind", "technique", "bipartite"), SHAPES)
def test_info_advises(run, moves, kind, technique, bipartite):
    data = json.loads(run("info", "-", "--json", stdin=moves).stdout)
    assert (data["shape"]["kind"], data["shape"]["bipartite"]) == (kind, bipartite)
    assert data["shape"]["cyclic"] == (kind != "acyclic")
    assert data["advice"]["technique"].startswith(technique)
    assert ("XOR" in data["advice"]["sums"]) == (kind == "acyclic")


ADVICE = [
    (zm.NoReturn(), "search in the strong components", "PSPACE-complete"),
    (zm.NoReturn(misere=True), "search in the strong components", "PSPACE-complete"),
    (zm.Return(), "search in the strong components", "PSPACE-complete"),
    (zm.NoRepetition(), "search on the line digraph", "PSPACE-complete"),
    (zm.Repetition(), "retrograde analysis", "O(V + E)"),
    (zm.Reach(["a"]), "retrograde analysis", "O(V + E)"),
    (zm.Parity([1, 2, 3]), "recursion", "quasi-polynomial"),
    (zm.Buchi(["a"]), "repeated attractors", "O(V · E)"),
    (zm.Muller([0, 1, 2], "Inf(0)"), "reduction to a parity game", "exponential"),
    (zm.MeanPayoff([1, 2, 3]), "energy games", "pseudo-polynomial"),
]


@pytest.mark.parametrize(("objective", "technique", "cost"), ADVICE,
                         ids=[x[0].keyword for x in ADVICE])  # fmt: skip
def test_info_advises_for_objectives(run, tmp_path, objective, technique, cost):
    graph = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    owned = objective.family in ("parity", "muller")
    graph = graph.with_owner([0, 1, 0]) if owned else graph
    zm.write((graph, objective), tmp_path / "game.json")
    advice = json.loads(run("info", tmp_path / "game.json", "--json").stdout)["advice"]
    assert advice["technique"].startswith(technique)
    assert cost in advice["cost"]
    assert ("memory" in advice["strategies"]) == (objective.keyword == "muller")


def test_large_graphs_are_not_examined(run, game, monkeypatch, on_terminal):
    from zermelo.cli.solving import technique

    monkeypatch.setattr(technique, "MAX_EXAMINED_SIZE", 3)
    data = json.loads(run("info", game, "--json").stdout)
    assert data["shape"] is None
    assert data["advice"]["technique"].startswith("retrograde analysis")
