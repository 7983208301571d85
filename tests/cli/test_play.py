"""``zermelo play``: in a pipe, on a terminal, with a table, by itself."""

import json
import os
import pty
import re
import subprocess

import pytest
from tests.cli.conftest import COMMAND

import zermelo as zm
from zermelo.play.known import solve_to_play
from zermelo.play.match import Match
from zermelo.play.positions import followers
from zermelo.registry import GAMES

LARGE = {"dao", "l-game", "mnk", "connect4", "othello", "chess", "dobutsu", "teeko"}
"""Games whose example takes more than a moment to solve."""


def play(run, *args, typed=""):
    result = run("play", *args, stdin=typed)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_whole_game_in_a_pipe(run):
    shown = play(run, "nim:1,2", typed="?\n1+1\n1\n")
    assert "nim:1,2: you are first, I am second." in shown
    assert re.search(r"\* +\d  1\+1 +wins in 3", shown)
    assert "I play 1." in shown
    assert shown.endswith("You win.\n")


def test_moves_by_number_by_text_and_unknown_ones(run):
    shown = play(run, "tictactoe", "--seed", 3, typed="zz\n10\n0\n-1\n\n5\nB3\nq\n")
    assert shown.count("There is no move") == 4
    assert "There is no move 'zz'." in shown
    assert "2  . x ." in shown  # the fifth move is b2
    assert shown.endswith("You leave the game.\n")


def test_the_end_of_input_leaves_the_game(run):
    assert play(run, "tictactoe").endswith("You leave the game.\n")


def test_moves_are_taken_back(run):
    shown = play(run, "tictactoe", "--seed", 3, typed="u\n1\nu\nq\n")
    assert "There is nothing to take back." in shown
    boards = re.findall(r"3 .*\n2 .*\n1 .*\n", shown)
    assert boards[0] == boards[-1] == "3  . . .\n2  . . .\n1  . . .\n"
    assert any("x" in board for board in boards)


def test_second(run):
    shown = play(run, "hexapawn:3x3", "--second", "--seed", 1, typed="q\n")
    assert "you are o (second), I am x (first)" in shown
    assert "I play " in shown


@pytest.mark.slow("three-mens-morris:fly", "tictactoe")
@pytest.mark.parametrize("name", ["pong-hau-ki", "tictactoe", "three-mens-morris:fly"])
def test_nobody_beats_perfect_play_from_a_drawn_start(run, name):
    """Whoever always makes the first move of the list never wins."""
    for seed in range(4):
        shown = play(run, name, "--seed", seed, typed="1\n" * 300)
        assert shown.splitlines()[-1] in (
            "You lose.",
            "The end: a tie.",
            "This position occurs for the third time: a draw.",
        )


@pytest.mark.parametrize(
    ("name", "order"),
    [("dodgem:3", "--second"), ("nim:3,4,5", "--second"), ("hexapawn:3x3", "--first"),
     ("chopsticks:split-cutoff5", "--first"), ("hare-and-hounds", "--second")],
)  # fmt: skip
def test_perfect_play_wins_what_it_can(run, name, order):
    shown = play(run, name, order, "--seed", 5, typed="1\n" * 300)
    assert shown.endswith("You lose.\n")


@pytest.mark.sampled(cases=12)
@pytest.mark.parametrize(
    "row", [row for row in GAMES if row.name not in LARGE], ids=lambda row: row.name
)
def test_every_game_can_be_played(run, row):
    shown = play(run, row.example, "--seed", 2, typed="?\n1\n1\n1\nu\n?\nq\n")
    assert shown.startswith(f"{row.example}: you are ")
    assert shown.splitlines()[-1] in (
        "You leave the game.", "You win.", "You lose.", "The end: a tie.",
        "This position occurs for the third time: a draw.",
    )  # fmt: skip


@pytest.mark.slow
def test_a_line_of_perfect_play(run):
    data = json.loads(play(run, "dodgem:3", "--self", "--json"))
    assert data["game"] == "dodgem:3"
    assert [step["value"] for step in data["line"]][:2] == ["wins in 19", "loses in 18"]
    assert data["line"][-1]["value"] == "loses in 0"
    assert data["line"][-1]["move"] is None
    assert data["comes_back_to"] is None
    rows = [line.split("\t") for line in play(run, "dodgem:3", "--self").splitlines()]
    assert rows[0] == ["ply", "player", "position", "value", "move"]
    assert [row[2] for row in rows[1:]] == [step["position"] for step in data["line"]]


def test_a_line_that_comes_back(run):
    data = json.loads(play(run, "pong-hau-ki", "--self", "--json"))
    assert {step["value"] for step in data["line"]} == {"draws"}
    assert 0 <= data["comes_back_to"] < len(data["line"])


def test_another_start(run):
    shown = play(run, "tictactoe", "--start", "xx./oo./...", "--self")
    assert "xx./oo./...\twins in 1\tc3" in shown
    assert play(run, "tictactoe", "--position", "xx./oo./...", "--self") == shown
    shown = play(run, "pong-hau-ki", "--start", "xx/./oo o", typed="q\n")
    assert "I play " in shown  # the position says that the second player is to move
    done = run("play", "tictactoe", "--start", "xyz")
    assert done.exit_code == 2
    assert "expected a position such as '.../.../...'" in done.stderr


@pytest.mark.slow
def test_with_a_table(run, tmp_path):
    path = tmp_path / "dodgem.zt"
    zm.build(zm.game("dodgem:3"), path).close()
    assert play(run, "dodgem:3", "--self", "--table", path) == play(run, "dodgem:3", "--self")
    done = run("play", "dodgem:2", "--table", path)
    assert done.exit_code == 2
    assert done.stderr == f"zermelo: {path}: it is a table of dodgem:3, not of dodgem:2\n"
    done = run("play", "nim:1,2", "--table", path)
    assert done.exit_code == 2
    assert "it is a table of dodgem:3, not of nim:1,2" in done.stderr


def test_rules_of_ones_own(run, tmp_path):
    path = tmp_path / "ten.py"
    path.write_text(
        "def start():\n    return 10\ndef moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n"
    )
    assert play(run, path, typed="9\n6\n3\n0\n").endswith("You win.\n")


def test_faults_are_sentences(run):
    for args, message in (
        (["play", "tictactoes"], "no game is called 'tictactoes'"),
        (["play", "tictactoe:5"], "expected misere or nothing"),
        (["play", "tictactoe", "--json"], "--json goes with --self"),
        (["play", "nowhere.py"], "no such file"),
        (["play", "tictactoe", "--table", "nowhere.zt"], "nowhere.zt"),
    ):
        done = run(*args)
        assert done.exit_code == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_a_game_that_is_too_large_asks_for_a_table(run, monkeypatch):
    monkeypatch.setattr("zermelo.play.known.MAX_POSITIONS", 1000)
    done = run("play", "tictactoe")
    assert done.exit_code == 2
    assert "zermelo build GAME -o FILE" in done.stderr


def test_on_a_terminal():
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    child = subprocess.Popen(
        [*COMMAND, "play", "nim:1,2"], stdin=theirs, stdout=theirs, stderr=theirs, env=env
    )
    os.close(theirs)
    os.write(ours, b"1+1\n1\n\x04")
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:
            break
        shown += part
    os.close(ours)
    assert child.wait() == 0
    assert b"> " in shown
    assert b"You win." in shown


def test_best_moves_are_those_of_the_solution():
    rules = zm.game("hare-and-hounds")
    graph, _ = zm.explore(rules)
    solution = zm.solve(graph, rules.objective())
    known = solve_to_play(rules, lambda *_: None)
    for x in graph.names[::97]:
        match = Match(rules, known, x)
        options = match.options()
        assert [o.position for o in options] == followers(rules, x)
        if options:
            assert {o.position for o in match.best(options)} == set(solution[x].best_moves)
