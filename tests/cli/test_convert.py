"""``zermelo convert``: there and back."""

import pytest

import zermelo as zm
from zermelo.registry import FORMATS

GRAPH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")], owner=[0, 1, 0])
SUFFIXES = [
    row.suffixes[0] for row in FORMATS if "graph" in row.holds and row.suffixes and not row.games
]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_there_and_back(run, tmp_path, suffix):
    one, two, back = tmp_path / "one.json", tmp_path / f"two{suffix}", tmp_path / "back.json"
    holds = next(row.holds for row in FORMATS if suffix in row.suffixes)
    graph = GRAPH if "owner" in holds else GRAPH.with_owner(None).with_names(None)
    zm.write(graph, one)
    assert run("convert", one, two).exit_code == 0
    assert run("convert", two, back).exit_code == 0
    assert zm.read(back) == zm.Game(graph)


def test_the_objective_comes_along(run, tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.json.gz"
    zm.write((GRAPH, zm.Reach(["t"])), one)
    result = run("convert", one, two)
    assert (result.exit_code, result.output) == (0, "")
    graph, objective = zm.read(two)
    assert graph == GRAPH
    assert objective.spec(graph)["positions"] == [2]


@pytest.mark.slow
def test_through_pipes(process, game):
    edges = process("convert", "-", "-", "--to", "json", stdin=game.read_text(), check=0).stdout
    again = process("convert", "-", "-", "--from", "json", "--to", "dot", stdin=edges, check=0)
    assert "digraph" in again.stdout


def test_onto_itself(run, game):
    before = zm.read(game)
    assert run("convert", game, game, "--force").exit_code == 0
    assert zm.read(game) == before


@pytest.mark.parametrize("suffix", [".txt", ".dot", ".graphml", ".npz", ".parquet", ".json.bz2"])
def test_the_start_comes_along(run, tmp_path, suffix):
    one, two, back = tmp_path / "one.json", tmp_path / f"two{suffix}", tmp_path / "back.json"
    zm.write(zm.Game(GRAPH, start="b"), one)
    assert run("convert", one, two).exit_code == 0
    assert zm.read(two).start == "b"
    assert run("convert", two, back, "--no-names").exit_code == 0
    assert zm.read(back).start == 1
    assert run("convert", two, back, "--no-start").exit_code == 0
    assert zm.read(back) == zm.Game(GRAPH)


def test_a_start_that_the_format_cannot_store(run, tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.mtx"
    zm.write(zm.Game(GRAPH.with_owner(None).with_names(None), start=1), one)
    result = run("convert", one, two)
    assert result.exit_code == 2
    assert "does not store where play starts" in result.stderr
    assert "zermelo convert --no-start" in result.stderr
    assert not two.exists()
    assert run("convert", one, two, "--no-start").exit_code == 0
