"""``zermelo synthesize``: the verdict, the machine in every format, and what is refused."""

import gzip
import json
import os

import pytest
from tests.synthesis.test_choices import CASES

import zermelo as zm
from zermelo.registry.machines import MACHINES
from zermelo.synthesis.mealy import MealyMachine

HEAD = 'HOA: v1 States: {} Start: 0 AP: 2 "in" "out" controllable-AP: 1 Acceptance: {}\n--BODY--\n'
COPY = HEAD.format(1, "1 Fin(0)") + "State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--\n"
# The output of the first step must be the next input: the environment waits for it.
GUESS = HEAD.format(3, "1 Fin(0)") + (
    "State: 0 [!1] 1 [1] 2 State: 1 [0] 0 {0} [!0] 1 State: 2 [0] 0 [!0] 0 {0} --END--\n"
)
TWICE = HEAD.format(2, "0 t") + "State: 0 [t] 1 State: 1 [t] 0 --END--\n"
AAG = "aag 1 1 0 1 0\n2\n2\ni0 in\no0 out\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copy.ehoa").write_text(COPY)
    (tmp_path / "guess.ehoa").write_text(GUESS)
    (tmp_path / "twice.ehoa").write_text(TWICE)
    (tmp_path / "game.pg").write_text("start 0; 0 1 1 0;")
    return tmp_path


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_the_circuits_of_automata_whose_edges_overlap(run, files, text):
    """What was written as checked is not refused afterwards."""
    (files / "nd.ehoa").write_text(text)
    assert "checked\tyes" in run("synthesize", "nd.ehoa", "-o", "nd.aag").stdout
    done = run("verify", "nd.ehoa", "nd.aag")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "nd.aag holds: the system wins nd.ehoa with it" in done.stdout


def test_the_verdict(run):
    done = run("synthesize", "copy.ehoa")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "REALIZABLE", "machine\tsystem", "states\t1", "states_before\t1", "inputs\t1",
        "outputs\t1", "latches\t0", "gates\t0", "checked\tyes",
    ]  # fmt: skip
    done = run("synthesize", "guess.ehoa")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "UNREALIZABLE\n", "")
    assert run("synthesize", "guess.ehoa", "-q").stdout == ""


def test_states_before_and_after(run):
    small = json.loads(run("synthesize", "twice.ehoa", "--json").stdout)
    assert (small["machine"]["states"], small["machine"]["states_before"]) == (1, 2)
    large = run("synthesize", "twice.ehoa", "--no-minimize", "--no-check").stdout.splitlines()
    assert "states\t2" in large
    assert large[-1] == "checked\tno"


def test_a_circuit(run):
    assert run("synthesize", "copy.ehoa", "-o", "c.aag").exit_code == 0
    with open("c.aag") as file:
        assert file.read() == AAG
    assert run("synthesize", "copy.ehoa", "-o", "-", "--to", "aag").stdout == AAG
    done = run("verify", "copy.ehoa", "c.aag")
    assert done.stdout == "c.aag holds: the system wins copy.ehoa with it (1 pair of states)\n"
    data = json.loads(run("verify", "copy.ehoa", "c.aag", "--json").stdout)
    assert data["holds"] is True
    with open("c.aag", "w") as file:
        file.write(AAG.replace("2\n2\n", "2\n3\n"))
    done = run("verify", "copy.ehoa", "c.aag")
    assert done.exit_code == 1
    assert "c.aag: the environment wins a play against the circuit" in done.stderr
    assert json.loads(run("verify", "copy.ehoa", "c.aag", "--json").stdout)["holds"] is False


@pytest.mark.parametrize("row", MACHINES.own, ids=lambda row: row.name)
def test_all_formats(run, row):
    for suffix in row.suffixes:
        assert run("synthesize", "copy.ehoa", "-o", f"m{suffix}", "-q").exit_code == 0
        assert os.path.getsize(f"m{suffix}")
        # A second time: a machine replaces a machine.
        assert run("synthesize", "copy.ehoa", "-o", f"m{suffix}", "-q").exit_code == 0
    done = run("synthesize", "copy.ehoa", "-o", "named", "--to", row.name)
    assert done.exit_code == 0
    assert run("synthesize", "copy.ehoa", "-o", "m.xyz.gz", "--to", row.suffixes[0][1:]).stdout
    with open("named", "rb") as plain, gzip.open("m.xyz.gz") as packed:
        assert plain.read() == packed.read()


def test_the_environment(run):
    done = run("synthesize", "guess.ehoa", "--counterstrategy", "-o", "e.aag")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:2] == ["UNREALIZABLE", "machine\tenvironment"]
    done = run("verify", "guess.ehoa", "e.aag")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "the environment wins guess.ehoa with it" in done.stdout
    data = json.loads(run("synthesize", "guess.ehoa", "--counterstrategy", "--json").stdout)
    assert (data["realizable"], data["machine"]["machine"]) == (False, "environment")


def test_nothing_to_write(run):
    done = run("synthesize", "guess.ehoa", "-o", "c.aag")
    assert (done.exit_code, done.stdout) == (1, "UNREALIZABLE\n")
    assert "there is no controller to write; --counterstrategy writes the machine" in done.stderr
    done = run("synthesize", "copy.ehoa", "-o", "c.aag", "--counterstrategy")
    assert done.exit_code == 0
    assert "the environment has no machine that wins" in done.stderr
    assert not os.path.exists("c.aag")


def test_the_controller_is_a_game_again(run):
    assert run("synthesize", "copy.ehoa", "-o", "c.hoa").exit_code == 0
    assert run("synthesize", "c.hoa").stdout.startswith("REALIZABLE\n")
    assert zm.read("c.hoa").synthesis is not None


def test_a_game_in_which_players_move_in_turn(run, files):
    text = HEAD.format(3, "1 Inf(0)").replace("\n--BODY--", " spot-state-player: 0 1 1 --BODY--")
    text += "State: 0 [0] 1 [!0] 2 State: 1 [1] 0 {0} [!1] 0 State: 2 [!1] 0 {0} --END--"
    (files / "turns.hoa").write_text(text)
    assert run("synthesize", "turns.hoa", "-o", "-", "--to", "aag").stdout == AAG
    assert run("solve", "turns.hoa", "--controller", "-").stdout.count("State: ") == 1


@pytest.mark.slow
def test_on_a_terminal(on_terminal):
    _, text = on_terminal("synthesize", "twice.ehoa", NO_COLOR="1")
    assert "REALIZABLE: the system wins" in text
    assert "1 state (2 before minimizing), 1 input, 1 output" in text
    assert "0 latches, 0 gates; checked in the game (2 pairs of states)" in text


def test_solvers(run):
    for solver in ("zielonka", "spm"):
        assert run("synthesize", "copy.ehoa", "--solver", solver).exit_code == 0
    done = run("synthesize", "copy.ehoa", "--solver", "nmfl")
    assert done.exit_code == 2
    assert run("synthesize", "copy.ehoa", "--option", "passes=components").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["game.pg"], "game.pg is no game of synthesis: expected a file in HOA with the headers"),
        (["missing.ehoa"], "missing.ehoa"),
        (["copy.ehoa", "-o", "c.txt"], "c.txt: no format for a machine has this suffix; known:"),
        (["copy.ehoa", "-o", "-"], "writing to standard output needs a format: aag, aig"),
        (["copy.ehoa", "-o", "-", "--to", "verilog"], "no format of machines is called 'verilog'"),
        (["copy.ehoa", "-o", "-", "--to", "c", "--json"], "--json does not go with --output -"),
        (["copy.ehoa", "--to", "c"], "--to goes with --output"),
        (["copy.ehoa", "--force"], "--force goes with --output"),
        (["copy.ehoa", "--json", "-q"], "expected --json or --quiet"),
        (["copy.ehoa", "-o", "no/c.aag"], "there is no directory 'no'"),
        (["copy.ehoa", "-o", "copy.ehoa"], "this is the input itself; --force replaces it"),
        (["copy.ehoa", "-o", "game.pg", "--to", "aag"], "holds a game and would be replaced by a"),
    ],
)
def test_what_is_refused(run, arguments, message):
    done = run("synthesize", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_wrong_circuit_is_not_written(run, files, monkeypatch):
    """A circuit that does not pass the check is no answer."""
    monkeypatch.setattr(MealyMachine, "to", lambda *_: AAG.replace("\n2\n2\n", "\n2\n3\n").encode())
    done = run("synthesize", "copy.ehoa", "-o", "copy.aag")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "does not pass the check (the environment wins a play" in done.stderr
    assert done.stderr.endswith("--no-check leaves the check out\n")
    assert not (files / "copy.aag").exists()
    assert run("synthesize", "copy.ehoa", "--no-check").stdout.startswith("REALIZABLE\n")


def test_circuits_that_are_refused(run, files):
    (files / "c.aag").write_text("aag 1 1\n")
    done = run("verify", "copy.ehoa", "c.aag")
    assert done.exit_code == 2
    assert "c.aag:1: expected the numbers of variables" in done.stderr
    (files / "c.aag").write_text(AAG)
    done = run("verify", "game.pg", "c.aag")
    assert done.exit_code == 2
    assert "c.aag is a circuit, which belongs to a game of synthesis" in done.stderr


def test_the_time_is_up(process):
    done = process("synthesize", "copy.ehoa", "--timeout", "0.001", "-o", "c.aag")
    assert (done.returncode, done.stdout) == (124, "")
    assert "copy.ehoa: there is no answer after 0.001 s" in done.stderr
    assert not os.path.exists("c.aag")
