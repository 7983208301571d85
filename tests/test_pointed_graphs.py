"""The pointed graphs of examples/pointed: one for each pair of values of the asymmetric game."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import zermelo as zm
from tests.games import all_digraphs
from zermelo.cli.main import cli

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "examples" / "pointed").glob("*.json"))
VALUES = {"win": 1, "draw": 0, "lose": -1}


def pair(file):
    return tuple(VALUES[x] for x in file.stem.split("-"))


def test_there_is_a_file_for_every_pair_but_one():
    every = {(x, y) for x in VALUES.values() for y in VALUES.values()}
    assert {pair(file) for file in FILES} == every - {(1, -1)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("solver", ["retrograde", "nmfl"])
def test_the_start_has_the_values_of_the_name(file, solver):
    game = zm.read(file)
    solved = zm.solve(game, solver=solver).verify()
    assert tuple(solved.label[game.graph.index(game.start)].tolist()) == pair(file)
    assert zm.transform.reachable(game.graph, game.start).n == game.graph.n  # it is connected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_command_shows_both_values(file):
    done = CliRunner().invoke(cli, ["solve", str(file), "--start", "s", "--json"])
    assert done.exit_code == 0
    text = json.dumps(json.loads(done.stdout))
    names = [x.upper() for x in file.stem.split("-")]
    assert all(f'"label": "{name}"' in text for name in names)


def test_no_pair_has_a_smaller_graph():
    least = {}
    for n in (1, 2, 3):
        for graph in all_digraphs(n):
            for label in zm.solve(graph, zm.Asymmetric()).label.tolist():
                least.setdefault(tuple(label), n)
    for file in FILES:
        assert zm.read(file).graph.n == least.get(pair(file), 4)


def test_the_page_shows_every_file():
    page = (ROOT / "docs" / "theory.md").read_text()
    for file in FILES:
        moves = zm.read(file).graph
        arrows = ", ".join(f"{moves.name(u)}→{moves.name(v)}" for u, v in moves.to_edges().tolist())
        ends = [x.upper() for x in file.stem.split("-")]
        row = next(line for line in page.splitlines() if f"pointed/{file.name}" in line)
        cells = [cell.strip() for cell in row.split("|")]
        assert cells[1:3] == ends
        assert sorted(cells[3].split(", ")) == sorted((arrows or "none").split(", "))
