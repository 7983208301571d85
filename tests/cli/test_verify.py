"""``zermelo verify``: yes, no, or no solution at all."""

import json

import pytest


@pytest.fixture
def solved(run, game, tmp_path):
    out = tmp_path / "solution.json"
    assert run("solve", game, "--output", out, "--quiet").exit_code == 0
    return out


def test_a_solution_that_holds(run, game, solved):
    result = run("verify", game, solved)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{solved} holds: it solves {game} (5 positions, normal)\n"


def test_a_solution_that_holds_as_json(run, game, solved):
    result = run("verify", game, solved, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "file": str(game),
        "solution": str(solved),
        "objective": "normal",
        "solver": "retrograde",
        "holds": True,
        "reason": None,
    }


@pytest.mark.parametrize("objective", ["misere", "asymmetric", "reach:t", "terminal-payoff:t=1/3"])
def test_every_kind_holds(run, game, tmp_path, objective):
    out = tmp_path / "solution.json"
    run("solve", game, "--objective", objective, "--output", out, "--quiet")
    assert run("verify", game, out).exit_code == 0


def lie(path):
    data = json.loads(path.read_text())
    data["distance"][0] += 2
    path.write_text(json.dumps(data))


def test_a_solution_that_does_not_hold(run, game, solved):
    lie(solved)
    result = run("verify", game, solved)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"zermelo: {solved}: ")
    assert result.stderr.count("\n") == 1


def test_a_solution_that_does_not_hold_as_json(run, game, solved):
    lie(solved)
    result = run("verify", game, solved, "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["holds"] is False
    assert "position 'a'" in data["reason"]
    assert result.stderr == ""


def test_a_solution_of_another_game(run, tmp_path, solved):
    other = tmp_path / "other.txt"
    other.write_text("a b\n")
    result = run("verify", other, solved)
    assert result.exit_code == 2
    assert "another graph" in result.stderr
    assert result.stderr.count("\n") == 1


def test_one_of_the_two_from_standard_input(run, game, solved):
    assert run("verify", "-", solved, stdin=game.read_text()).exit_code == 0
    both = run("verify", "-", "-")
    assert both.exit_code == 2
    assert "got both" in both.stderr
