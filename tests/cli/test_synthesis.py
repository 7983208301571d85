"""Games of synthesis on the command line: realizable or not, and the controller."""

import json
import os

import pytest

import zermelo as zm

HEAD = 'HOA: v1 States: 1 Start: 0 AP: 2 "in" "out" controllable-AP: {} Acceptance: 1 Fin(0)\n'
BODY = "--BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--\n"
CONTROLLER = """HOA: v1
States: 1
Start: 0
AP: 2 "in" "out"
controllable-AP: 1
acc-name: all
Acceptance: 0 t
properties: trans-labels explicit-labels deterministic
--BODY--
State: 0
[!0&!1] 0
[0&1] 0
--END--
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """To copy the input is realizable; to refuse every step is not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copy.ehoa").write_text(HEAD.format(1) + BODY)
    (tmp_path / "refuse.ehoa").write_text(HEAD.format(1) + "--BODY-- State: 0 {0} [t] 0 --END--")
    (tmp_path / "game.pg").write_text("start 0; 0 1 1 0;")
    return tmp_path


@pytest.mark.slow
def test_the_verdict(run, on_terminal, files):
    assert run("solve", "copy.ehoa").stdout == "REALIZABLE\n"
    assert run("solve", "refuse.ehoa").stdout == "UNREALIZABLE\n"
    assert run("solve", "refuse.ehoa").exit_code == 0
    assert json.loads(run("solve", "copy.ehoa", "--json").stdout)["realizable"] is True
    assert json.loads(run("solve", "refuse.ehoa", "--json").stdout)["realizable"] is False
    assert "realizable" not in json.loads(run("solve", "game.pg", "--json").stdout)
    _, text = on_terminal("solve", "copy.ehoa", NO_COLOR="1")
    assert "REALIZABLE: the system (player 1) wins from the initial state" in text
    _, text = on_terminal("solve", "refuse.ehoa", NO_COLOR="1")
    assert "UNREALIZABLE: the environment (player 0) wins" in text


def test_the_rows_as_well(run, files):
    verdict, empty, head, *_ = run("solve", "copy.ehoa", "--all").stdout.splitlines()
    assert (verdict, empty) == ("REALIZABLE", "")
    assert head.startswith("position\tlabel")


def test_several_specifications(run, files):
    out = run("solve", "copy.ehoa", "refuse.ehoa", "game.pg").stdout
    column = [line.split("\t")[13] for line in out.splitlines()]
    assert column == ["answer", "REALIZABLE", "UNREALIZABLE", "player 1"]


def test_another_objective_is_no_synthesis(run, files):
    out = run("solve", "copy.ehoa", "--objective", "buchi:0").stdout
    assert out.startswith("position\tlabel")


def test_the_controller(run, files):
    assert run("solve", "copy.ehoa", "--controller", "-").stdout == CONTROLLER
    result = run("solve", "copy.ehoa", "--controller", "c.hoa", "-q")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (files / "c.hoa").read_text() == CONTROLLER
    assert run("solve", "copy.ehoa", "--controller", "c.hoa.xz").stdout == "REALIZABLE\n"
    assert run("solve", "c.hoa.xz").stdout == "REALIZABLE\n"
    assert zm.read("c.hoa.xz").synthesis is not None


def test_no_controller(run, files):
    result = run("solve", "refuse.ehoa", "--controller", "c.hoa")
    assert (result.exit_code, result.stdout) == (1, "UNREALIZABLE\n")
    assert result.stderr == (
        "zermelo: refuse.ehoa is unrealizable: the environment wins from the initial state, so "
        "there is no controller to write\n"
    )
    assert not os.path.exists("c.hoa")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["game.pg", "--controller", "-"], "--controller is for automata of synthesis: an HOA"),
        (["copy.ehoa", "--controller", "c.txt"], "expected a file that ends with .hoa"),
        (["copy.ehoa", "--controller", "copy.hoa", "--json", "-q"], "expected --json or --quiet"),
        (["copy.ehoa", "--controller", "-", "--json"], "--json does not go with --controller -"),
        (["copy.ehoa", "--controller", "no/c.hoa"], "there is no directory 'no'"),
        (["copy.ehoa", "--controller", "-", "--objective", "buchi:0"], "of another objective"),
    ],
)
def test_controllers_that_cannot_be(run, files, arguments, message):
    result = run("solve", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_game_that_says_who_moves(run, files):
    text = HEAD.format(1).replace("Acceptance", "spot-state-player: 1 Acceptance") + BODY
    (files / "spot.hoa").write_text(text)
    assert run("solve", "spot.hoa").stdout == "REALIZABLE\n"
    result = run("solve", "spot.hoa", "--controller", "-")
    assert result.exit_code == 2
    assert "they depend on 'in', which the environment chooses" in result.stderr
