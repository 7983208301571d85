"""Muller games on the command line: colours, machines, solution files."""

import json

import pytest

import zermelo as zm

PATH = "a [1]\nb [0]\nc [1]\na b\nb a\nb c\nc b\n"
BOTH = ["--objective", "muller:inf(0) & inf(1)", "--colour", "a=0,c=1"]
"""Player 0 sees both ends of the path for ever, going from the middle to each in turns."""

MACHINE = """player 0: 2 memory states, first 0
memory 0
  moves b → c
  goes to 1 on c
memory 1
  moves b → a
  goes to 0 on a
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "path.txt"
    file.write_text(PATH)
    return file


def test_solve(run, path):
    result = run("solve", path, *BOTH, "--verify")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert rows[0] == ["position", "label", "distance", "move", "player", "winner"]
    assert [row[:2] for row in rows[1:]] == [["a", "LOSE"], ["b", "WIN"], ["c", "LOSE"]]


def test_the_machine(run, path):
    assert run("solve", path, *BOTH, "--machine", "0").stdout == MACHINE
    with_table = run("solve", path, *BOTH, "--machine", "0", "--all").stdout
    assert with_table.startswith("position\t")
    assert with_table.endswith("\n\n" + MACHINE)


def test_json(run, path):
    data = json.loads(run("solve", path, *BOTH, "--json", "--machine", "0").stdout)
    assert data["objective_data"] == {"colour": [0, [], 1], "acceptance": "Inf(0) & Inf(1)"}
    assert data["memory_states"] == [2, 1]
    machine = data["machine"]
    assert (machine["player"], machine["initial"], len(machine["moves"])) == (0, 0, 2)
    assert {row[1] for row in machine["moves"]} == {0, 2}
    assert "machine" not in json.loads(run("solve", path, *BOTH, "--json").stdout)


@pytest.mark.slow
def test_on_a_terminal(on_terminal, path):
    status, shown = on_terminal("solve", path, *BOTH, "--machine", "0", NO_COLOR="1")
    assert status == 0
    assert "muller, Inf(0) & Inf(1), 2 different colours" in shown
    assert "player 0 wins from 3, player 1 from 0" in shown
    assert "player 0 plays with 2 memory states, player 1 with 1 memory state" in shown
    assert "memory 1\n  moves b → a" in shown


def test_a_solution_that_is_written_verifies(run, path, tmp_path):
    out = tmp_path / "solution.json.gz"
    assert run("solve", path, *BOTH, "--output", out, "--quiet").exit_code == 0
    result = run("verify", path, out)
    assert result.stdout == f"{out} holds: it solves {path} (3 positions, muller)\n"


def test_a_solution_that_does_not_hold(run, path, tmp_path):
    out = tmp_path / "solution.json"
    assert run("solve", path, *BOTH, "--output", out, "--quiet").exit_code == 0
    data = json.loads(out.read_text())
    for row in data["machines"][0]["moves"]:
        row[1] = 0
    out.write_text(json.dumps(data))
    result = run("verify", path, out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no cycle that player 1 wins, but the machine of player 0 leaves" in result.stderr


def test_a_format_without_room_is_refused_before_anything_is_solved(run, path, tmp_path):
    out = tmp_path / "solution.csv"
    result = run("solve", path, *BOTH, "--solver", "no such solver", "--output", out)
    assert result.exit_code == 2
    assert "the csv format has one move for each position" in result.stderr


def test_a_colour_that_is_none(run, path):
    result = run("solve", path, "--objective", "muller:t", "--colour", "a=9999999999")
    assert result.exit_code == 2
    assert "--colour: expected a number 0 … 2,147,483,647, got '9999999999'" in result.stderr


def test_the_memory_that_info_names_is_enough_to_solve(run, path, tmp_path, monkeypatch):
    file = tmp_path / "path.json"
    objective = zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)")
    zm.write((zm.read(path).graph, objective), file)
    need = json.loads(run("info", file, "--json").stdout)["memory"]["solving"]
    assert need == 26 * 6 + 34 * 6 + 21 * 8  # two leaves, three positions, four moves
    monkeypatch.setenv("ZERMELO_MEMORY", str(need))
    assert run("solve", file).exit_code == 0
    game = zm.read(file)
    for less in (need - 1, 26 * 6 - 1):  # after the pairs were counted, and before
        monkeypatch.setenv("ZERMELO_MEMORY", str(less))
        with pytest.raises(zm.errors.MemoryLimitError, match="3 positions and 2 leaves of the Zie"):
            zm.solve(game)


def test_info_on_a_game_with_too_many_colours(run, on_terminal, tmp_path):
    graph = zm.Graph.from_edges([(v, (v + 1) % 30) for v in range(30)], owner=[0] * 30)
    file = tmp_path / "many.json"
    zm.write((graph, zm.Muller(range(30), [set(range(30))])), file)
    assert json.loads(run("info", file, "--json").stdout)["memory"]["solving"] is None
    assert "to solve it" not in on_terminal("info", file)[1]
    assert "expected at most 20 colours, got 30" in run("solve", file).stderr


HOA = """HOA: v1 States: 3 AP: 0 Acceptance: 2 Inf(0) & Inf(1)
spot-state-player: 0 1 0 --BODY--
State: 0 {0} [t] 1 State: 1 [t] 0 [t] 2 State: 2 {1} [t] 1 --END--"""


def test_acceptance_of_emerson_and_lei_from_a_file(run, tmp_path):
    """The same game with the players changed: in this format player 1 wants acceptance."""
    file, out = tmp_path / "game.hoa", tmp_path / "solution.json"
    file.write_text(HOA)
    data = json.loads(run("solve", file, "--verify", "--output", out, "--json").stdout)
    assert data["objective"] == "muller"
    assert data["memory_states"] == [1, 2]
    assert [row["label"] for row in data["positions"]] == ["LOSE", "WIN", "LOSE"]
    assert run("verify", file, out).exit_code == 0
    assert run("convert", file, tmp_path / "game.json").exit_code == 0
    assert isinstance(zm.read(tmp_path / "game.json").objective, zm.Muller)
