"""``zermelo transform``: files in and out, parameters, the list, and what is refused."""

import json

import pytest

import zermelo as zm
from zermelo.registry.transforms import TRANSFORMS


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.txt").write_text("a b\nb a\na t\nc a\n")
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    zm.write(zm.Game(graph, zm.Buchi(["b"]), "a"), "buchi.json")


@pytest.mark.slow
def test_the_list(run, on_terminal):
    header, *rows = run("transform").stdout.splitlines()
    assert header == "name\tparameters\tsummary"
    assert [row.split("\t")[0] for row in rows] == [row.name for row in TRANSFORMS]
    data = json.loads(run("transform", "--json").stdout)["transformations"]
    unravel = next(x for x in data if x["name"] == "unravel")
    assert unravel["parameters"][0] == {"name": "depth", "required": True, "default": None}
    status, shown = on_terminal("transform")
    assert status == 0
    assert "the tree of walks" in shown


def test_a_graph_is_transformed(run):
    assert run("transform", "reachable", "start=a", "g.txt", "part.json").exit_code == 0
    part = zm.read("part.json")
    assert (part.graph.names, part.start) == (("a", "b", "t"), "a")
    assert run("transform", "star", "start=t", "name=x", "g.txt", "x.txt").exit_code == 0
    assert zm.read("x.txt").start == "x"
    assert run("transform", "subgraph", "positions=a,c", "g.txt", "two.txt").exit_code == 0
    assert zm.read("two.txt").graph.m == 1


def test_the_objective_goes_along(run):
    assert run("transform", "to-parity", "buchi.json", "game.pg").exit_code == 0
    game = zm.read("game.pg")
    assert game.objective.priority.tolist() == [1, 2]
    done = run("transform", "quotient", "buchi.json", "-")
    assert json.loads(done.stdout)["objective"]["positions"] == [1]
    assert json.loads(done.stdout)["start"] == 0


def test_an_objective_of_the_command_line(run):
    zm.write(zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1]), "plain.json")
    done = run("transform", "to-parity", "plain.json", "a.pg", "--objective", "buchi:b")
    assert done.exit_code == 0
    run("transform", "to-parity", "buchi.json", "b.pg")
    assert zm.read("a.pg").objective.priority.tolist() == [1, 2]
    done = run("transform", "to-parity", "buchi.json", "c.pg", "--priority", "a=3,b=5")
    assert done.exit_code == 0
    assert zm.read("c.pg").objective.priority.tolist() == [3, 5]
    done = run("transform", "reach-to-safety", "plain.json", "-", "--targets", "a")
    assert json.loads(done.stdout)["objective"]["objective"] == "safety"


def test_games_and_pipes(run):
    assert run("transform", "quotient", "nim:2,2", "-", "--to", "edgelist").stdout.startswith(
        "2+2 "
    )
    done = run("transform", "unravel", "start=a", "depth=1", "-", "-", stdin="a b\nb a\n")
    assert json.loads(done.stdout)["names"] == [["a"], ["a", "b"]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("unravel g.txt out.json", "'unravel' needs depth=…"),
        ("unravel depth=x g.txt out.json", "depth: expected an integer, got 'x'"),
        ("unravel depth=-1 start=a g.txt out.json", "depth: expected 0 or more, got -1"),
        (
            "star g.txt out.json",
            "expected the parameter start, because the game itself has no start",
        ),
        ("star start=z g.txt out.json", "no position is called 'z'"),
        ("star g.txt", "expected a file to read and a file to write after 'star'"),
        ("nothing g.txt out.json", "no transformation is called 'nothing'"),
        (
            "star colour=3 g.txt out.json",
            "'star' has no parameter 'colour'; its parameters are [start=A] [name=*] [owner=N] (",
        ),
        ("to-parity colour=3 g.txt out.json", "has no parameter 'colour'; it has none"),
        ("to-parity g.txt out.json", "g.txt: expected the objective Buchi, CoBuchi or Parity"),
        ("to-parity g.txt out.json --objective buchi:z", "no position is called 'z'"),
        ("to-parity g.txt out.json --for-player 1", "--for-player goes with reach"),
        ("quotient nope.txt out.json", "nope.txt: no such file"),
        ("quotient g.txt g.txt", "this is the input itself"),
        ("alternating start=a g.txt out.txt", "an edge list stores names that are all text"),
        ("unravel depth=1 start=a g.txt out.txt", "does not store where a tree was cut"),
        ("quotient g.txt out.json --json", "--json goes with the list"),
        ("--to json", "a list of transformations takes no options"),
        ("--objective reach:a", "a list of transformations takes no options"),
    ],
)
def test_refusals(run, tmp_path, call, message):
    done = run("transform", *call.split())
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out.json").exists()
    assert not (tmp_path / "out.txt").exists()
