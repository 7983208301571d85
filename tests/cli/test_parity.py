"""Games of infinite duration on the command line."""

import json

import pytest

import zermelo as zm
from zermelo.solvers.infinite.frame import estimate


@pytest.fixture
def parity(tmp_path):
    """Player 0 wins from a, c and f; player 1 wins from b and d."""
    graph = zm.Graph.from_edges(
        [("a", "c"), ("a", "b"), ("c", "a"), ("b", "b"), ("d", "b"), ("d", "a")],
        owner={"a": 0, "b": 0, "c": 1, "d": 1, "f": 1},
        names=["a", "b", "c", "d", "f"],
    )
    path = tmp_path / "parity.json"
    zm.write((graph, zm.Parity({"a": 2, "b": 1, "c": 1, "d": 0, "f": 3})), path)
    return path


TABLE = """position\tlabel\tdistance\tmove\tplayer\twinner
a\tWIN\t-\tc\t0\t0
b\tLOSE\t-\t-\t0\t1
c\tLOSE\t-\t-\t1\t0
d\tWIN\t-\tb\t1\t1
f\tLOSE\t-\t-\t1\t0
"""


def test_solve(run, parity):
    result = run("solve", parity, "--verify")
    assert (result.exit_code, result.stdout) == (0, TABLE)


def test_json(run, parity):
    data = json.loads(run("solve", parity, "--json", "--line", "a").stdout)
    assert data["objective"] == "parity"
    assert data["objective_data"] == {"priority": [2, 1, 1, 0, 3], "convention": "max even"}
    assert data["line"] == {"positions": ["a", "c", "a"], "cycle": 0}
    assert data["positions"][0] == {
        "position": "a", "label": "WIN", "distance": None, "move": "c", "player": 0,
        "winner": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "winners"),
    [
        (["--convention", "max odd"], "0000"),
        (["--priority", "a=1,b=1,c=1,d=1,f=1"], "1111"),
        (["--objective", "buchi:c"], "0101"),
        (["--objective", "buchi:c", "--for-player", "1"], "0000"),
        (["--objective", "co-buchi:a,b"], "1111"),
        (["--objective", "co-buchi:b"], "0101"),
    ],
)
def test_other_objectives(run, parity, options, winners):
    out = run("solve", parity, *options, "--verify", "--json").stdout
    rows = json.loads(out)["positions"][:4]
    found = [r["player"] if r["label"] == "WIN" else 1 - r["player"] for r in rows]
    assert [r["winner"] for r in rows] == found
    assert "".join(map(str, found)) == winners


def test_a_solution_that_is_written_verifies(run, parity, tmp_path):
    out = tmp_path / "solution.json"
    assert run("solve", parity, "--output", out).exit_code == 0
    assert run("verify", parity, out).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["solve", "--quotient"],
            "solver 'portfolio' has no option 'quotient'",
        ),
        (["trace", "--solver", "nmfl"], "expected one of auto, zielonka for parity games"),
        (["trace", "--start", "a"], "is of all positions; --position A shows those of one"),
        (["trace", "--position", "zz"], "--position: no position is called 'zz'"),
        (["solve", "--solver", "retrograde"], "does not solve 'parity' games; these do: "),
    ],
)
def test_options_that_these_games_do_not_have(run, parity, arguments, message):
    result = run(arguments[0], parity, *arguments[1:])
    assert result.exit_code != 0
    assert message in result.stderr


def test_the_memory_that_info_names_is_what_solve_requires(run, parity, monkeypatch):
    need = json.loads(run("info", parity, "--json").stdout)["memory"]["solving"]
    monkeypatch.setenv("ZERMELO_MEMORY", str(need))
    assert run("solve", parity).exit_code == 0
    monkeypatch.setenv("ZERMELO_MEMORY", str(need - 1))
    result = run("solve", parity)
    assert (result.exit_code, result.stdout) == (2, "")
    assert " on 5 positions and 6 moves needs about" in result.stderr


def test_info_and_draw(run, parity, tmp_path):
    data = json.loads(run("info", parity, "--json").stdout)
    assert data["objective"]["objective"] == "parity"
    assert data["memory"]["solving"] == estimate(zm.read(parity).graph) > 0
    picture = tmp_path / "parity.svg"
    assert run("draw", parity, picture).exit_code == 0
    assert picture.read_text().startswith("<")
