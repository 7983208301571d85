"""``zermelo solve`` of several files, with a limit of time, and lists of who wins where."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.interrupts import start

import zermelo as zm
from zermelo.cli import deadline
from zermelo.cli.deadline import Deadline, OutOfTime

COMMAND = [sys.executable, "-m", "zermelo"]

GAME = 'parity 3; start 2; 0 2 0 1,2 "a"; 1 1 1 0 "b"; 2 3 1 2,3 "c"; 3 4 0 3,0 "d,e";'
"""Player 1 wins from c, player 0 from the others."""


@pytest.fixture
def games(tmp_path, monkeypatch):
    """A directory with parity games, a game of normal play, and a bad file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.pg").write_text(GAME)
    (tmp_path / "two.gm").write_text("0 2 0 1; 1 1 1 0;")
    (tmp_path / "three.txt").write_text("a b\nb a\na t\n")
    (tmp_path / "bad.pg").write_text("junk")
    return tmp_path


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """A game that Zielonka's algorithm does not solve in our lifetime."""
    path = tmp_path_factory.mktemp("endless") / "ladder.pg"
    zm.write(zm.generators.recursive_ladder(60), path)
    return path


def rows(text):
    head, *lines = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(head, line, strict=True)) for line in lines]


# -------------------------------------------------------------------- several files


def test_one_line_for_each_file(run, games):
    result = run("solve", "one.pg", "two.gm", "three.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    one, two, three = rows(result.stdout)
    assert (one["file"], one["positions"], one["objective"]) == ("one.pg", "4", "parity")
    assert (one["player0"], one["player1"], one["start"]) == ("3", "1", "c")
    assert (one["answer"], one["output"]) == ("player 1", "-")
    assert (two["start"], two["answer"]) == ("-", "-")
    assert (three["win"], three["lose"], three["draw"]) == ("1", "2", "0")
    assert (three["player0"], three["player1"]) == ("-", "-")


def test_a_bad_file_does_not_stop_the_others(run, games):
    result = run("solve", "one.pg", "bad.pg", "nope.pg", "two.gm")
    assert result.exit_code == 2
    assert [row["file"] for row in rows(result.stdout)] == ["one.pg", "two.gm"]
    bad, missing = result.stderr.splitlines()
    assert bad.startswith("zermelo: bad.pg:1:1: expected ")
    assert missing == "zermelo: nope.pg: no such file or directory"


def test_json_has_one_object_on_each_line(run, games):
    result = run("solve", "one.pg", "bad.pg", "two.gm", "--json", "--verify")
    one, bad, two = map(json.loads, result.stdout.splitlines())
    assert (one["file"], one["verified"], one["start"][0]["winner"]) == ("one.pg", True, 1)
    assert [row["winner"] for row in one["positions"]] == [0, 0, 1, 0]
    assert (bad["file"], bad["status"]) == ("bad.pg", 2)
    assert bad["error"] in result.stderr
    assert len(two["positions"]) == 2
    short = run("solve", "one.pg", "two.gm", "--json", "--limit", "0").stdout.splitlines()
    assert [json.loads(line)["positions"] for line in short] == [[], []]
    alone = json.loads(run("solve", "one.pg", "--json", "--verify").stdout)
    assert {**alone, "stats": 0} == {**one, "stats": 0}


def test_a_directory_of_solutions(run, games):
    result = run("solve", "one.pg", "two.gm", "three.txt", "--output-dir", "sols/new")
    assert result.exit_code == 0
    assert sorted(os.listdir("sols/new")) == ["one.sol", "three.json", "two.sol"]
    assert run("solve", "bad.pg", "--output-dir", "none").exit_code == 2
    assert not os.path.exists("none")
    assert [row["output"] for row in rows(result.stdout)] == [
        "sols/new/one.sol", "sols/new/two.sol", "sols/new/three.json",
    ]  # fmt: skip
    for game, solution in (("one.pg", "one.sol"), ("three.txt", "three.json")):
        assert run("verify", game, f"sols/new/{solution}").exit_code == 0
    assert run("solve", "one.pg", "--output-dir", "sols", "--to", "csv").exit_code == 0
    assert os.path.exists("sols/one.csv")
    quiet = run("solve", "one.pg", "two.gm", "--output-dir", "sols/new", "-q")
    assert (quiet.exit_code, quiet.stdout) == (0, "")


def test_names_never_collide(run, games):
    (games / "sub").mkdir()
    (games / "sub" / "One.gm.gz").write_bytes(b"never read")
    result = run("solve", "one.pg", "sub/One.gm.gz", "--output-dir", "sols")
    assert result.exit_code == 2
    assert "one.pg and sub/One.gm.gz would both be written to sols/One" in result.stderr
    assert not os.path.exists("sols")


def test_an_output_that_holds_something_else_is_not_replaced(run, games):
    (games / "sols").mkdir()
    (games / "sols" / "one.sol").write_text("a b\n")
    result = run("solve", "one.pg", "two.gm", "--output-dir", "sols")
    assert result.exit_code == 2
    assert "sols/one.sol: this file holds a game and would be replaced" in result.stderr
    assert (games / "sols" / "one.sol").read_text() == "a b\n"
    assert os.path.exists("sols/two.sol")
    forced = run("solve", "one.pg", "two.gm", "--output-dir", "sols", "--force")
    assert forced.exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-o", "x.sol"], "--output is for one file; --output-dir DIR writes a solution of each"),
        (["--line", "a"], "--line is for one file, got 2 files"),
        (["-p"], "--winners is for one file, got 2 files"),
        (["--all"], "--all is for one file, got 2 files"),
        (["--controller", "c.hoa"], "--controller is for one file, got 2 files"),
        (["--output-dir", "one.pg"], "expected a directory, and 'one.pg' is none"),
        (["--to", "csv"], "--to goes with --output or --output-dir"),
        (["-o", "x.sol", "--output-dir", "s"], "expected --output or --output-dir, got both"),
        (["--timeout", "0"], "expected a number of seconds above 0"),
        (["--timeout", "nan"], "expected a number of seconds above 0"),
        (["--timeout", "soon"], "expected a number of seconds above 0"),
    ],
)
def test_options_that_do_not_fit_several_files(run, games, options, message):
    result = run("solve", "one.pg", "two.gm", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_start_for_all_files(run, games):
    result = run("solve", "one.pg", "two.gm", "--start", "a")
    assert result.exit_code == 2
    assert [row["answer"] for row in rows(result.stdout)] == ["player 0"]
    assert result.stderr.startswith("zermelo: two.gm: --start: ")


def test_on_a_terminal(on_terminal, games):
    status, text = on_terminal("solve", "one.pg", "bad.pg", "three.txt", columns=200)
    assert status == 2
    expected = [
        "one.pg: 4 positions, player 0 wins from 3, player 1 from 1; start c: player 1; ",
        "zermelo: bad.pg:1:1: ",
        "three.txt: 3 positions, 1 WIN, 2 LOSE, 0 DRAW; retrograde, ",
    ]
    places = [text.find(x) for x in expected]  # a bar may stand before them on a slow machine
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.slow
def test_a_reader_that_goes_away(games):
    line = f'"{sys.executable}" -m zermelo solve {"one.pg " * 200} --timeout 60'
    for options in (line, line.replace("--timeout 60", "")):
        child = subprocess.Popen(
            options, shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        child.stdout.readline()
        child.stdout.close()
        errors = child.stderr.read()
        child.stderr.close()
        assert (child.wait(), errors) == (141, b"")


# -------------------------------------------------------------------- a limit of time


@pytest.mark.slow
@pytest.mark.parametrize("kernels", ["auto", "interpret"])
def test_the_time_is_up(process, endless, tmp_path, kernels):
    out = tmp_path / "out.sol"
    done = process(
        "solve", endless, "--solver", "zielonka", "--timeout", "1.5", "-o", out,
        env={**os.environ, "ZERMELO_KERNELS": kernels},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (124, "")
    assert done.stderr == (
        f"zermelo: {endless}: there is no answer after 1.5 s, the limit of --timeout; "
        "nothing is written\n"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_the_time_is_counted_for_each_file(process, games, endless):
    (games / "again.pg").write_bytes(endless.read_bytes())
    done = process(
        "solve", "one.pg", endless, "bad.pg", "again.pg", "two.gm", "--solver", "zielonka",
        "--timeout", "1", "--output-dir", "sols",
    )  # fmt: skip
    assert done.returncode == 2
    assert [row["file"] for row in rows(done.stdout)] == ["one.pg", "two.gm"]
    assert done.stderr.count("there is no answer after 1 s") == 2
    assert sorted(os.listdir("sols")) == ["one.sol", "two.sol"]
    done = process(
        "solve", "one.pg", endless, "--solver", "zielonka", "--timeout", "1", "--json"
    )  # fmt: skip
    assert done.returncode == 124
    one, late = map(json.loads, done.stdout.splitlines())
    assert (one["file"], late["file"], late["status"]) == ("one.pg", str(endless), 124)
    assert late["error"] in done.stderr


@pytest.mark.slow
def test_enough_time(process, games):
    done = process("solve", "one.pg", "two.gm", "--timeout", "100", check=0)
    assert [row["file"] for row in rows(done.stdout)] == ["one.pg", "two.gm"]
    assert process("solve", "one.pg", "--timeout", "100", check=0).stdout.count("\n") == 5


@pytest.mark.slow
def test_an_interrupt_ends_all_children(games, endless):
    child = start(
        [*COMMAND, "solve", "one.pg", str(endless), "two.gm", "--solver", "zielonka",
         "--timeout", "1000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with child:
        assert child.stdout.readline().startswith("file\t")
        assert child.stdout.readline().startswith("one.pg\t")
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == ""
        assert child.stderr.read() == "zermelo: interrupted\n"
    assert child.returncode == 130


@pytest.mark.slow
def test_a_search_that_is_not_finished_in_time(process, tmp_path):
    path = tmp_path / "graph.txt"
    edges = [f"{u} {v}" for u in range(14) for v in range(14) if u != v]
    path.write_text("\n".join(edges))
    done = process("solve", path, "--objective", "no-repetition", "--start", "0", "--timeout", "1")
    assert (done.returncode, done.stdout) == (124, "")
    assert "there is no answer after 1 s" in done.stderr


def wait_for_a_signal():
    """Wait in short sleeps: a signal that comes just before a sleep does not end it."""
    while True:
        time.sleep(0.001)


def test_a_deadline_in_python():
    with (
        pytest.raises(OutOfTime, match=r"^g: there is no answer after 0\.05 s"),
        Deadline(0.05, "g"),
    ):
        wait_for_a_signal()
    before = signal.getsignal(signal.SIGALRM)
    with Deadline(60, "g"):
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
    with Deadline(None, "g") as none:
        assert signal.getsignal(signal.SIGALRM) == before
    assert not none.expired


def turn_the_signal_into_another_error():
    try:
        wait_for_a_signal()
    except OutOfTime as error:
        raise ImportError("numpy could not be imported") from error


def test_what_interrupted_code_makes_of_the_signal_is_no_fault_of_ours():
    with pytest.raises(OutOfTime, match=r"^g: there is no answer after"), Deadline(0.01, "g"):
        turn_the_signal_into_another_error()


def test_a_signal_in_a_destructor_is_sent_again(capfd):
    class Slow:
        def __del__(self):
            wait_for_a_signal()

    def delete_and_wait():
        Slow()
        wait_for_a_signal()

    before = sys.unraisablehook
    with pytest.raises(OutOfTime), Deadline(0.01, "g"):
        delete_and_wait()
    assert sys.unraisablehook is before
    assert capfd.readouterr().err == ""


def test_a_tiny_limit_of_time_leaves_no_watch(monkeypatch):
    # A watch that is left would end this process.
    monkeypatch.setattr(deadline, "GRACE_SECONDS", 600.0)
    for _ in range(200):
        limit = Deadline(1e-6, "g")
        with pytest.raises(OutOfTime), limit:
            wait_for_a_signal()
        assert limit._watch.finished.is_set()


# -------------------------------------------------------------------- who wins where


def test_lists_of_winners(run, games):
    for flag in ("-p", "--winners"):
        assert run("solve", "one.pg", flag).stdout == (
            "start c: won by player 1\n"
            'won by player 0: a,b,"d,e"\n'
            "won by player 1: c\n"
        )  # fmt: skip
    assert run("solve", "two.gm", "--strategies").stdout == (
        "won by player 0: 0, 1\nstrategy of player 0: 0 → 1\n"
        "won by player 1:\nstrategy of player 1:\n"
    )


def test_lists_can_be_used_as_options(run, games):
    listed = run("solve", "one.pg", "-p").stdout.splitlines()[1].partition(": ")[2]
    result = run("solve", "one.pg", "--objective", f"safety:{listed}", "-p")
    assert result.stdout.splitlines()[1] == 'won by player 0: a,b,"d,e"'


def test_winners_and_strategies_in_json(run, games):
    data = json.loads(run("solve", "one.pg", "--strategies", "--json").stdout)
    assert data["winners"] == {"0": ["a", "b", "d,e"], "1": ["c"], "draw": []}
    assert data["strategies"]["1"] == [["c", "c"]]
    assert ["a", "b"] in data["strategies"]["0"]


def test_winners_with_draws_and_with_a_player_to_move(run, games):
    (games / "owned.txt").write_text("a [0]\nb [1]\nc [0]\na b\nb a\n")
    out = run("solve", "owned.txt", "-p").stdout
    assert out == "won by player 0:\nwon by player 1: c\ndraw: a, b\n"
    reach = ["--objective", "reach:t"]
    result = run("solve", "three.txt", *reach, "-p")
    assert "--winners needs --player 0 or --player 1 here" in result.stderr
    out = run("solve", "three.txt", *reach, "-p", "--player", "0").stdout
    assert out == "won by player 0: a, t\nwon by player 1: b\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["three.txt", "-p"], "--winners is for games in which each position has a player"),
        (
            ["one.pg", "--strategies", "--objective", "muller:Inf(0)", "--colour", "a=0"],
            "--strategies is for strategies without memory",
        ),
        (["one.pg", "-p", "-q"], "--winners prints an answer, which --quiet does not allow"),
    ],
)
def test_games_without_such_lists(run, games, arguments, message):
    result = run("solve", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_start_of_a_file_is_answered(run, on_terminal, games):
    data = json.loads(run("solve", "one.pg", "--json").stdout)
    assert data["start"][0]["position"] == "c"
    status, text = on_terminal("solve", "one.pg", NO_COLOR="1")
    assert status == 0
    assert "c, player 1 to move" in text
    assert "player 1 wins" in text
    assert run("solve", "one.pg", "-o", "one.json").exit_code == 0
    assert json.loads((games / "one.json").read_text())["start"] == 2
