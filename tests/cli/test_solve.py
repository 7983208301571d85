"""``zermelo solve``: what it answers in a pipe and as JSON."""

import json

import numpy as np
import pytest

import zermelo as zm

TABLE = """\
position	label	distance	move
a	WIN	1	t
b	DRAW	-	c
t	LOSE	0	-
c	DRAW	-	d
d	DRAW	-	c
"""


def table(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_the_table_in_a_pipe(run, game):
    result = run("solve", game)
    assert (result.exit_code, result.stdout, result.stderr) == (0, TABLE, "")


def test_from_standard_input(run, process):
    text = "a b\nb a\na t\nb c\nc d\nd c\nc a\n"
    assert run("solve", "-", stdin=text).stdout == TABLE
    assert process("solve", "-", stdin=text, check=0).stdout == TABLE


@pytest.mark.parametrize("objective", ["normal", "misere", "asymmetric", "g0", "g1", "h1"])
def test_the_table_agrees_with_the_solution(run, game, objective):
    graph = zm.read(game).graph
    solution = zm.solve(graph, zm.objectives.OBJECTIVES[objective]())
    rows = table(run("solve", game, "--objective", objective, "--verify").stdout)
    assert len(rows) == solution.label.size
    for row in rows:
        answer = solution.at(row["position"], int(row.get("player", 0)))
        assert row["label"] == answer.label.name
        assert row["distance"] == ("-" if answer.distance < 0 else str(answer.distance))
        assert row["move"] == "-" if answer.move is None else row["move"] in answer.best_moves
    assert [row["position"] for row in rows[:2]] == (
        ["a", "a"] if solution.label.ndim == 2 else ["a", "b"]
    )


def test_both_players_have_rows_where_they_differ(run, game):
    rows = table(run("solve", game, "--objective", "asymmetric").stdout)
    assert [(row["position"], row["player"]) for row in rows[:4]] == [
        ("a", "0"),
        ("a", "1"),
        ("b", "0"),
        ("b", "1"),
    ]
    one = table(run("solve", game, "--objective", "asymmetric", "--player", 1).stdout)
    assert one == rows[1::2]


def test_start_line_and_explain(run, game):
    start = run("solve", game, "--start", "b").stdout
    assert start == "position\tlabel\tdistance\tmove\nb\tDRAW\t-\tc\n"
    line = run("solve", game, "--line", "a").stdout
    assert line == "position\tlabel\tdistance\tmove\na\tWIN\t1\tt\nt\tLOSE\t0\t-\n"
    reason = run("solve", game, "--explain", "a", "--depth", 1).stdout
    assert reason.startswith("a is WIN in 1")
    assert "t is LOSE" in reason
    shallow = run("solve", game, "--explain", "a", "--depth", 0).stdout
    assert len(shallow.splitlines()) == 1
    everything = run("solve", game, "--start", "b", "--line", "a", "--all", "--explain", "d").stdout
    parts = everything.split("\n\n")
    assert len(parts) == 4
    assert [part + "\n" for part in parts[:3]] == [start, line, TABLE]


def test_an_infinite_line_ends_where_it_repeats(run, game):
    rows = table(run("solve", game, "--line", "d").stdout)
    assert [row["position"] for row in rows] == ["d", "c", "d"]
    data = json.loads(run("solve", game, "--line", "d", "--json").stdout)
    assert data["line"] == {"positions": ["d", "c", "d"], "cycle": 0}


def test_a_line_where_the_player_matters(run, game):
    rows = table(
        run("solve", game, "--objective", "asymmetric", "--line", "a", "--player", 1).stdout
    )
    assert [row["player"] for row in rows] == ["1", "0", "1"][: len(rows)]


def test_limit(run, game):
    assert run("solve", game, "--limit", 2).stdout == "".join(TABLE.splitlines(True)[:3])
    assert run("solve", game, "--limit", 0).stdout == TABLE.splitlines(True)[0]
    assert run("solve", game, "--all").stdout == TABLE
    data = json.loads(run("solve", game, "--limit", 1, "--json").stdout)
    assert [row["position"] for row in data["positions"]] == ["a"]


def test_quiet(run, game):
    result = run("solve", game, "--quiet", "--verify")
    assert (result.exit_code, result.output) == (0, "")


def test_json(run, game):
    data = json.loads(run("solve", game, "--json", "--start", "a", "--verify").stdout)
    assert data["graph"] == {
        "positions": 5,
        "moves": 7,
        "terminals": 1,
        "owners": None,
        "names": True,
        "digest": zm.read(game).graph.digest,
    }
    assert (data["objective"], data["objective_data"]) == ("normal", {})
    assert (data["solver"], data["verified"]) == ("retrograde", True)
    assert data["counts"] == {
        "positions": 5,
        "win": 1,
        "lose": 1,
        "tie": 0,
        "draw": 3,
        "longest_win": 1,
        "longest_lose": 0,
    }
    assert data["start"] == [
        {
            "position": "a",
            "player": None,
            "label": "WIN",
            "distance": 1,
            "winner": None,
            "value": 1,
            "best_moves": ["t"],
        }
    ]
    assert data["positions"][:3] == [
        {"position": "a", "label": "WIN", "distance": 1, "move": "t"},
        {"position": "b", "label": "DRAW", "distance": None, "move": "c"},
        {"position": "t", "label": "LOSE", "distance": 0, "move": None},
    ]


def test_json_has_one_shape(run, game):
    always = {"file", "graph", "objective", "objective_data", "solver", "verified", "counts"}
    for objective in ("normal", "asymmetric", "reach:t", "terminal-payoff:t=1/3"):
        data = json.loads(run("solve", game, "--objective", objective, "--json").stdout)
        assert always | {"positions"} <= set(data)
        keys = {"position", "label", "distance", "move"}
        assert all(keys <= set(row) for row in data["positions"])
        assert data["counts"]["positions"] == len(data["positions"])
    assert {row["value"] for row in data["positions"]} <= {"1/3", 0}
    explained = json.loads(run("solve", game, "--explain", "a", "--json").stdout)
    assert explained["explanation"]["position"] == "a"


def test_an_empty_list_of_positions_is_json(run, game):
    assert json.loads(run("solve", game, "--limit", 0, "--json").stdout)["positions"] == []


def test_values_have_a_column(run, game):
    rows = table(run("solve", game, "--payoff", "t=1/2", "--infinite", "0.25").stdout)
    assert list(rows[0]) == ["position", "label", "distance", "move", "player", "value", "winner"]
    assert {row["value"] for row in rows} <= {"1/2", "1/4"}


def test_owned_graphs_show_the_player_to_move(run, tmp_path):
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "t")], owner=[0, 1, 0])
    path = tmp_path / "owned.json"
    zm.write(graph, path)
    rows = table(run("solve", path, "--targets", "t", "--for-player", 1).stdout)
    assert [(row["position"], row["player"]) for row in rows] == [
        ("a", "0"),
        ("b", "1"),
        ("t", "0"),
    ]
    assert [row["label"] for row in rows] == ["LOSE", "WIN", "LOSE"]
    mine = table(run("solve", path, "--targets", "t", "--player", 1).stdout)
    assert [row["position"] for row in mine] == ["b"]
    wrong = run("solve", path, "--start", "a", "--player", 1)
    assert wrong.exit_code == 2
    assert "position 'a' belongs to player 0" in wrong.stderr


def test_the_files_own_objective(run, tmp_path):
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    path = tmp_path / "own.json"
    zm.write((graph, zm.Reach(["b"])), path)
    assert json.loads(run("solve", path, "--json").stdout)["objective"] == "reach"
    data = json.loads(run("solve", path, "--json", "--objective", "misere").stdout)
    assert data["objective"] == "misere"


def test_solvers_agree(run, game):
    one = run("solve", game, "--solver", "fraenkel-levy").stdout
    assert [row["label"] for row in table(one)] == [row["label"] for row in table(TABLE)]
    assert run("solve", game, "--quotient", "--verify").exit_code == 0


@pytest.mark.parametrize("suffix", [".json", ".csv", ".npz", ".json.gz"])
def test_output(run, game, tmp_path, suffix):
    out = tmp_path / f"solution{suffix}"
    result = run("solve", game, "--output", out, "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    again = zm.read_solution(out, zm.read(game))
    assert np.array_equal(again.label, [1, 0, -1, 0, 0])
    again.verify()


def test_output_to_a_pipe(process, game):
    done = process("solve", game, "--output", "-", "--to", "csv", check=0)
    assert done.stdout.startswith("# zermelo-solution: 1\n")
    assert "a,WIN,1,1,t\n" in done.stdout


def test_names_with_tabs_stay_in_their_field(run, tmp_path):
    path = tmp_path / "tab.json"
    zm.write(zm.Graph.from_edges([("a\tb", "line\nbreak"), ("back\\slash", "a\tb")]), path)
    rows = table(run("solve", path).stdout)
    assert [row["position"] for row in rows] == ["a\\tb", "line\\nbreak", "back\\\\slash"]
    data = json.loads(run("solve", path, "--json").stdout)
    assert [row["position"] for row in data["positions"]] == ["a\tb", "line\nbreak", "back\\slash"]


def test_a_certificate_that_fails_is_a_no(run, game, monkeypatch):
    def fail(self):
        raise zm.errors.CertificateError("position 'a': expected LOSE")

    monkeypatch.setattr("zermelo.solutions.terminal.TerminalSolution.verify", fail)
    result = run("solve", game, "--verify")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "zermelo: the certificate does not hold: position 'a': expected LOSE\n"
    )


def test_an_empty_graph(run, tmp_path):
    path = tmp_path / "empty.json"
    zm.write(zm.Graph.from_edges([], n=0), path)
    assert run("solve", path).stdout == TABLE.splitlines(True)[0]
    assert json.loads(run("solve", path, "--json").stdout)["positions"] == []


def test_json_names_positions_and_players_alike(run, game):
    """Each row of the table is a row of the JSON, dash for null."""
    for objective in ("normal", "asymmetric", "safety:a,b,c", "terminal-payoff:t=2"):
        rows = table(run("solve", game, "--objective", objective).stdout)
        data = json.loads(run("solve", game, "--objective", objective, "--json").stdout)
        again = [
            {k: "-" if x is None else str(x) for k, x in row.items()} for row in data["positions"]
        ]
        assert again == rows


def test_a_file_that_the_budget_has_no_room_for(run, tmp_path):
    size = 500_000
    path = tmp_path / "game.npz"
    np.savez(path, indptr=np.arange(size + 1), indices=np.zeros(size, np.int32))
    done = run("solve", path, "--engine", "disk", "--memory", "1MB", "--workdir", tmp_path)
    assert done.exit_code == 2
    assert "give more with --memory, or write the game in shards (zermelo convert)" in done.stderr
    assert done.stderr.count("\n") == 1
