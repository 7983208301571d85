"""``zermelo solve --positional``."""

import json
from pathlib import Path

import pytest

import zermelo as zm

EXAMPLES = Path(__file__).parents[2] / "examples" / "geography"
THEOREM = str(EXAMPLES / "theorem-3.json")


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "path.txt").write_text("a b\nb a\nb c\nc b\nc d\nd c\n")


def test_a_strategy_is_shown(run):
    done = run("solve", "path.txt", "--objective", "no-return", "--start", "b", "--positional",
               "--verify")  # fmt: skip
    assert (done.exit_code, done.stdout, done.stderr) == (0, "position\tmove\nb\ta\n", "")
    data = json.loads(run("solve", "path.txt", "--objective", "return", "--start", "a",
                          "--positional", "--json").stdout)  # fmt: skip
    assert (data["winner"], data["positional"], data["moves"]) == (
        1, True, [{"position": "b", "move": "a"}]
    )  # fmt: skip


def test_no_strategy_is_proved(run):
    done = run("solve", THEOREM, "--positional", "--verify")
    assert done.exit_code == 1
    assert done.stdout == "moves\tplay\nm:l\ts,v,l,m,l\nm:r\ts,w,r,m,r\n"
    assert "player 1 wins from s, but not by a positional strategy" in done.stderr
    data = json.loads(run("solve", THEOREM, "--positional", "--json").stdout)
    assert (data["positional"], data["strategies"]) == (False, 2)
    assert {row["play"][2] for row in data["refutation"]} == {"l", "r"}


def test_limits_and_wrong_uses(run):
    done = run("solve", THEOREM, "--positional", "--nodes", 2)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "has followed 2 histories" in done.stderr
    done = run("solve", "path.txt", "--positional", "--start", "a")
    assert "searched for in games of return and repetition" in done.stderr
    done = run("solve", "path.txt", "--positional", "--objective", "no-return")
    assert "--positional needs --start" in done.stderr
    for option in (["--line", "a"], ["--winners"], ["--output", "x.json"], ["--solver", "search"]):
        done = run("solve", "path.txt", "--positional", "--start", "a", *option)
        assert (done.exit_code, "does not go with --positional" in done.stderr) == (2, True)
    assert "is for one file" in run("solve", THEOREM, "path.txt", "--positional").stderr


def test_the_strategy_is_that_of_the_library(run):
    game = zm.read("path.txt").graph
    for start in game:
        found = zm.positional_strategy(game, zm.NoRepetition(), start)
        done = run("solve", "path.txt", "--objective", "no-repetition", "--start", start,
                   "--positional", "--json")  # fmt: skip
        data = json.loads(done.stdout)
        assert (data["winner"], data["positional"]) == (found.player, bool(found))
