"""Chess on the command line: tables speak SAN and UCI, games are played in both."""

import json
import re

import pytest

import zermelo as zm
from zermelo.cli.output.board import chess_board

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

FAR = "8/8/8/8/8/2k5/8/K6R w - - 0 1"
NEAR = "1k6/8/1K6/8/8/8/8/2R5 b - - 0 1"


@pytest.fixture(scope="module")
def rook(tmp_path_factory):
    path = tmp_path_factory.mktemp("chess") / "krk.zt"
    zm.build("chess:KRvK", path).close()
    return path


def rows(text):
    return [tuple(line.split("\t")) for line in text.splitlines()]


def test_probe_says_who_mates_when_and_how(run, rook):
    found = rows(run("probe", rook, FAR).output)
    assert ("verdict", "White mates in 14 (27 plies)") in found
    assert [x for name, x in found if name == "best move"] == ["Rd1 (h1d1)", "Rh4 (h1h4)"]


def test_probe_gives_a_line_with_numbers(run, rook):
    data = json.loads(run("probe", rook, NEAR, "--line", "--json").output)
    assert data["verdict"] == "Black is mated in 1 (2 plies)"
    assert data["move_names"] == [["Ka8", "b8a8"]]
    assert data["play"] == "1... Ka8 2. Rc8#"
    assert [x.split()[1] for x in data["line"]] == ["b", "w", "b"]
    assert ("line", "1... Ka8 2. Rc8#") in rows(run("probe", rook, NEAR, "--line").output)


def test_probe_plays_moves_first(run, rook):
    for moves in (["Rh4", "Kb3"], ["h1h4", "c3b3"]):
        found = dict(rows(run("probe", rook, FAR, *moves).output))
        assert found["position"] == "8/8/8/8/7R/1k6/8/K7 w - - 0 1"
        assert found["verdict"] == "White mates in 13 (25 plies)"


def test_colours_are_exchanged(run, rook):
    found = rows(run("probe", rook, "8/8/8/8/8/2K5/8/k6r b - - 0 1").output)
    assert ("verdict", "Black mates in 14 (27 plies)") in found
    assert ("best move", "Rd1 (h1d1)") in found


def test_the_end_and_draws(run, rook):
    for position, verdict in (
        ("k6R/8/1K6/8/8/8/8/8 b", "Black is checkmated"),
        ("k7/1R6/1K6/8/8/8/8/8 b", "draw: Black is stalemated"),
        ("k7/8/8/8/8/8/8/K7 w", "draw"),
    ):
        assert dict(rows(run("probe", rook, position).output))["verdict"] == verdict


def test_the_clock_is_noted(run, rook):
    found = rows(run("probe", rook, FAR.replace("0 1", "90 99")).output)
    note = dict(found)["note"]
    assert note.startswith("the clock of the fifty-move rule (90 plies) is ignored; with it,")
    assert "note" not in dict(rows(run("probe", rook, FAR).output))


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["8/8/8/8/8/2k5/8/K6R"], "expected the side to move, w or b"),
        (["8/8/8/8/8/2k5/8/K6R w K - 0 1"], "castling is left out of endgames"),
        (["8/8/8/8/8/2k5/8/K6R w - e3 0 1"], "expected the square that a pawn has just passed"),
        (["8/8/8/8/8/2k5/8/K6Q w - - 0 1"], "expected men of KRvK"),
        ([FAR, "O-O"], "castling (O-O) is left out of endgames"),
        ([FAR, "Rh4", "Kh9"], "there is no move 'Kh9' here; the moves are"),
    ],
)
def test_what_cannot_be_answered_is_one_sentence(run, rook, args, complaint):
    done = run("probe", rook, *args)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_is_left_out_is_said(run, rook):
    sentence = zm.game("chess:KRvK").left_out
    assert sentence in run("games", "chess").output
    assert json.loads(run("games", "chess:KRvK", "--json").output)["left_out"] == sentence
    assert ("left_out", sentence) in rows(run("table-info", rook).output)
    for command in ("probe", "play"):
        assert "fifty-move rule" in re.sub(r"\s+", " ", run(command, "--help").output)
    assert sentence in run("play", "chess:KRvK", "--table", rook, stdin="q\n").output


def test_play_takes_both_notations_and_explains(run, rook):
    typed = "?\nO-O\nKz9\nrh5\na1b2\nq\n"
    shown = run("play", "chess:KRvK", "--table", rook, "--start", FAR, "--seed", 1, stdin=typed)
    assert shown.exit_code == 0, shown.stderr
    text = shown.stdout
    assert text.startswith("chess:KRvK: you are White, I am Black.\n")
    assert re.search(r"\* +\d+  Rd1 \(h1d1\) +White mates in 14 \(27 plies\)\n", text)
    assert re.search(r"    2  Ka2 \(a1a2\) +White mates in 15 \(29 plies\)\n", text)
    assert "Castling (O-O) is left out of endgames; play another move.\n" in text
    assert "There is no move 'Kz9'." in text
    assert "5  . . . . . . . R\n" in text
    assert "2  . K . . . . . .\n" in text
    assert len(re.findall(r"I play K[a-h][1-8]\.", text)) == 2


def test_play_to_mate_and_to_stalemate(run, rook):
    start = "k7/7R/1K6/8/8/8/8/8 w"
    won = run("play", "chess:KRvK", "--table", rook, "--start", start, stdin="Rh8\n")
    assert won.stdout.endswith("Black is checkmated. You win.\n")
    tied = run("play", "chess:KRvK", "--table", rook, "--start", start, stdin="Rb7\n")
    assert tied.stdout.endswith("Draw: Black is stalemated. The end: a tie.\n")


def test_a_line_of_perfect_play(run, rook):
    done = run("play", "chess:KRvK", "--table", rook, "--start", NEAR, "--self", "--json")
    data = json.loads(done.output)
    assert data["moves"] == "1... Ka8 2. Rc8#"
    assert [step["move"] for step in data["line"]] == ["Ka8", "Rc8#", None]
    assert [step["player"] for step in data["line"]] == ["Black", "White", "Black"]
    assert data["line"][-1]["value"] == "Black is checkmated"


def test_boards_on_a_terminal(on_terminal, rook):
    status, shown = on_terminal("probe", rook, FAR)
    assert status == 0
    assert "\x1b[48;5;65;1;38;5;231m ♚ \x1b[0m" in shown  # White's king on a dark square
    assert "White mates in 14" in shown
    _, plain = on_terminal("probe", rook, FAR, NO_COLOR="1")
    assert "1  ♔ . . . . . . ♖\n" in plain
    _, letters = on_terminal("probe", rook, FAR, PYTHONIOENCODING="latin-1")
    assert "1  K . . . . . . R\n" in letters
    _, line = on_terminal("play", "chess:KRvK", "--table", rook, "--start", NEAR, "--self")
    assert "Black plays Ka8: Black is mated in 1 (2 plies)" in line
    assert "1... Ka8 2. Rc8#" in line


def test_the_squares_of_the_board():
    board = chess_board(["k.", ".R"], coloured=True)
    assert board.count("[48;5;108;") == board.count("[48;5;65;") == 2
    assert board.splitlines()[-1] == "   a  b"
