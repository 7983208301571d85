"""Every objective either has a trace or says in a sentence why not, and it explains its answers."""

import json
import random

import pytest
from click.testing import CliRunner

import zermelo as zm
from tests.test_ways import game_of
from zermelo.cli.main import cli
from zermelo.errors import InvalidObjectiveError, ZermeloError
from zermelo.registry import OBJECTIVES
from zermelo.registry.traces import TRACES
from zermelo.trace import Explanation, Steps

UNTRACED = {"mean-payoff", "discounted", "shortest-path"}
ROWS = pytest.mark.parametrize("row", OBJECTIVES.own, ids=lambda row: row.name)


def graphs(players):
    """Awkward graphs: nothing, a dead end, a loop, names that are no texts."""
    owned = players == "own"
    for edges, names, owner in (
        ([], [], []),
        ([], ["a"], [1]),
        ([("a", "a")], ["a"], [0]),
        ([((0, 1), "<b>"), ("<b>", (0, 1)), ("<b>", 3.5)], [(0, 1), "<b>", 3.5], [0, 1, 0]),
    ):
        yield zm.Graph.from_edges(edges, names=names, owner=owner if owned else None)


def games(row):
    yield game_of(row)
    for graph in graphs(row.players):
        yield zm.Game(graph, row.example(graph, random.Random(1)))


def test_every_family_has_a_row():
    assert {row.family for row in OBJECTIVES.own} == {row.name for row in TRACES.own}


@ROWS
def test_traces_have_rows_records_and_pages(row):
    for game in games(row):
        if row.name in UNTRACED:
            with pytest.raises(
                InvalidObjectiveError, match=r"have no trace: .* zm.explain says why"
            ):
                zm.trace(game)
            continue
        steps = zm.trace(game)
        assert isinstance(steps, Steps)
        rows = list(steps.rows())
        assert all(len(x) == len(steps.header) for x in rows)
        records = list(steps.records())
        assert json.loads(json.dumps(records)) == records
        header, words = steps.table()
        assert all(len(x) == len(header) for x in words)
        assert "<table>" in steps._repr_html_()
        assert "<b>" not in steps._repr_html_()
        for name in game.graph:
            some = list(steps.rows(name))
            assert [x for x in rows if x in some] == some
            assert len(list(steps.records(name))) <= len(records)
        assert all(str(step) for step in steps)
        with pytest.raises(ZermeloError, match="no position"):
            list(steps.rows("not there"))


@ROWS
def test_explanations_have_sentences_data_and_pages(row):
    for game in games(row):
        solution = zm.solve(game.graph, game.objective)
        for name in game.graph:
            found = solution.explain(name, depth=2)
            assert isinstance(found, Explanation)
            assert str(found) == str(zm.explain(solution, name, depth=2))
            assert str(found).startswith((str(name), "player "))
            assert str(name) in str(found).split("\n")[0]
            data = found.to_dict()
            assert json.loads(json.dumps(data)) == data
            assert "<b>" not in found._repr_html_()
            assert str(zm.explain(zm.Game(*game), name, depth=2)) == str(found)
        with pytest.raises(ZermeloError, match="no position"):
            solution.explain("not there")


@ROWS
def test_the_command(tmp_path, row):
    game = game_of(row)
    path = str(tmp_path / "game.json")
    zm.write(game, path)
    run = CliRunner().invoke
    plain, data = run(cli, ["trace", path]), run(cli, ["trace", path, "--json"])
    if row.name in UNTRACED:
        for result in (plain, data):
            assert result.exit_code == 2
            assert result.stderr.startswith("zermelo: ")
            assert "have no trace" in result.stderr
            assert "zermelo solve --explain says why" in result.stderr
    else:
        steps = zm.trace(game.graph, game.objective)
        lines = [line.split("\t") for line in plain.stdout.splitlines()]
        assert tuple(lines[0]) == steps.header
        assert len(lines) == 1 + len(list(steps.rows()))
        assert json.loads(data.stdout)[steps.key] == list(steps.records())
        one = run(cli, ["trace", path, "--position", "a"]).stdout.splitlines()
        assert len(one) == 1 + len(list(steps.rows("a")))
    solution = zm.solve(game.graph, game.objective)
    for name in game.graph:
        text = run(cli, ["solve", path, "--explain", str(name)])
        assert text.stdout == f"{solution.explain(name)}\n"
        data = run(cli, ["solve", path, "--explain", str(name), "--json", "--limit", "0"])
        assert json.loads(data.stdout)["explanation"] == solution.explain(name).to_dict()


def test_an_objective_of_an_unknown_family_is_refused_in_a_sentence():
    class Elsewhere(zm.NormalPlay):
        family = "elsewhere"
        keyword = "strange"

    graph = zm.Graph.from_edges([(0, 1)])
    for ask in (
        lambda: zm.trace(graph, Elsewhere()),
        lambda: zm.explain(zm.Game(graph, Elsewhere()), 0),
    ):
        with pytest.raises(ZermeloError, match=r"no trace and no explanation is known for strange"):
            ask()
