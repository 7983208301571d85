"""``zermelo draw GAME OUT --position POSITION``: one position on its board."""

from xml.etree import ElementTree

import pytest

import zermelo as zm
from zermelo.registry import GAMES


@pytest.mark.parametrize("row", list(GAMES), ids=lambda row: row.name)
def test_the_start_of_every_game(run, row):
    done = run("draw", row.example, "-", "--position", "start")
    assert done.exit_code == 0, done.stderr
    assert ElementTree.fromstring(done.output).tag.endswith("svg")


def test_a_position_to_a_file(run, tmp_path):
    out = tmp_path / "board.svg"
    for position in ("x.o/.../..x", "start"):  # the second picture replaces the first
        assert run("draw", "tictactoe", out, "--position", position).exit_code == 0
    assert out.read_text(encoding="utf-8") == zm.game("tictactoe").draw(0) + "\n"


def test_a_partizan_position_has_its_turn(run):
    done = run("draw", "toads-and-frogs:t.f", "-", "--position", ".tf R")
    assert done.output == zm.game("toads-and-frogs:t.f").draw(".tf") + "\n"


def test_rules_of_ones_own(run, tmp_path):
    path = tmp_path / "ten.py"
    path.write_text("def start():\n    return 10\ndef moves(n):\n    return [n - 1] if n else []\n")
    assert ">7</text>" in run("draw", path, "-", "--position", "7").output


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["tictactoe", "b.png"], "expected a file of SVG, such as board.svg, got 'b.png'"),
        (["tictactoe", "no/b.svg"], "there is no directory 'no'"),
        (["tictactoe", "-", "--depth", "0"], "--depth does not go with --position"),
        (["tictactoe", "-", "--objective", "misere"], "--objective does not go with --position"),
        (["tictactoe", "-", "--no-solve"], "--no-solve does not go with --position"),
        (["GAME", "-"], "--position goes with a game that has rules, not with a file"),
        (["tictactoes", "-"], "no game is called 'tictactoes'; did you mean 'tictactoe'?"),
    ],
)
def test_what_does_not_go_together(run, game, args, complaint):
    done = run("draw", *(game if x == "GAME" else x for x in args), "--position", "start")
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.output == done.stderr


def test_a_position_that_cannot_be_read(run):
    done = run("draw", "tictactoe", "-", "--position", "xyz")
    assert done.exit_code == 2
    assert "--position: expected a position such as '.../.../...', got 'xyz'" in done.stderr
