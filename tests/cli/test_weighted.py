"""Games with weights on the command line: objectives, outputs, pictures, bad input."""

import json
from xml.etree import ElementTree

import pytest

import zermelo as zm

GAME = "a [0]\nb [1]\nc [0]\na b 3\nb a -2\nb c -7\nc c 0\nc a 1\n"
"""Player 1 moves from b to c, where player 0 stays: the credits are 4, 7 and 0."""


@pytest.fixture
def game(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(GAME)
    return file


def rows(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.split("\t") for line in result.stdout.splitlines()]


def test_energy(run, game):
    found = rows(run("solve", game, "--objective", "energy", "--verify"))
    assert found == [
        ["position", "label", "distance", "move", "player", "credit", "winner"],
        ["a", "WIN", "-", "b", "0", "4", "0"],
        ["b", "LOSE", "-", "c", "1", "7", "0"],
        ["c", "WIN", "-", "c", "0", "0", "0"],
    ]


def test_energy_with_a_capacity(run, game):
    found = rows(run("solve", game, "--objective", "energy:capacity=6", "--verify"))
    assert [row[5:] for row in found[1:]] == [["-", "1"], ["-", "1"], ["0", "0"]]
    assert rows(run("solve", game, "--objective", "energy:6"))[1][5] == "-"


def test_mean_payoff(run, tmp_path):
    file = tmp_path / "m.txt"
    file.write_text("[mean-payoff]\na [0]\nb [1]\na b 4\nb a -3\nb b 1\n")
    found = rows(run("solve", file, "--verify"))
    assert found[0] == ["position", "label", "distance", "move", "player", "value", "winner"]
    assert [row[5] for row in found[1:]] == ["1/2", "1/2"]
    found = rows(run("solve", file, "--objective", "mean-payoff:threshold=2/3", "--verify"))
    assert found[0] == ["position", "label", "distance", "move", "player", "winner"]
    assert [row[5] for row in found[1:]] == ["1", "1"]


def test_the_file_names_the_threshold(run, tmp_path):
    file = tmp_path / "m.txt"
    file.write_text("[mean-payoff:threshold=1/2]\na a 1\n")
    assert rows(run("solve", file))[0][-1] == "winner"
    found = run("solve", file, "--start", "a", "--json")
    assert json.loads(found.stdout)["start"][0]["value"] is None
    assert rows(run("solve", file, "--objective", "mean-payoff"))[0][-2:] == ["player", "winner"]
    assert rows(run("solve", file, "--objective", "energy"))[0][-2] == "credit"


def test_discounted(run, game):
    found = rows(run("solve", game, "--objective", "discounted:1/2", "--verify"))
    assert found[0][5] == "value"
    solution = zm.solve(zm.read(game), zm.Discounted(zm.read(game).weight, "1/2"))
    assert [row[5] for row in found[1:]] == [str(x) for x in solution.value.tolist()]


def test_shortest_path(run, tmp_path):
    file = tmp_path / "p.txt"
    file.write_text("a [1]\nb [1]\nt [0]\na b 2\na t 9\nb t 3\nb b 1\nt a 1\n")
    for options in (
        ["--objective", "shortest-path:t"],
        ["--objective", "shortest-path", "--targets", "t"],
        ["--objective", "shortest-path:t,player=1"],
    ):
        found = rows(run("solve", file, *options, "--verify"))
        assert [row[5] for row in found[1:]] == ["5", "3", "0"]
    line = json.loads(run("solve", file, *options, "--line", "a", "--json").stdout)["line"]
    assert line == {"positions": ["a", "b", "t"], "cycle": None, "weights": [2, 3], "mean": None}
    found = rows(run("solve", file, *options[:2], "--for-player", "0", "--verify"))
    assert found[1][5] == "-inf"


def test_json(run, game):
    result = run(
        "solve", game, "--objective", "mean-payoff", "--start", "a", "--line", "a", "--json"
    )
    data = json.loads(result.stdout)
    assert data["objective"] == "mean-payoff"
    assert data["objective_data"]["weight"] == [3, -2, -7, 1, 0]
    assert data["start"][0]["value"] == 0
    assert data["line"]["weights"] == [3, -7, 0]
    assert data["line"]["mean"] == 0
    data = json.loads(run("solve", game, "--objective", "energy:capacity=1", "--json").stdout)
    assert [row["credit"] for row in data["positions"]] == [None, None, 0]


@pytest.mark.slow
def test_on_a_terminal(on_terminal, game):
    status, text = on_terminal("solve", game, "--objective", "energy", "--start", "a")
    assert status == 0
    assert "WIN with the least credit 4 by b; player 0 wins" in text
    assert "the weights add up to -4, then each round adds 0: the mean is 0" in text
    status, text = on_terminal("solve", game, "--objective", "mean-payoff", "--line", "b")
    assert "value 0" in text
    status, text = on_terminal("solve", game)
    assert "the file has weights, which a game of normal does not use" in text
    status, text = on_terminal("info", game)
    assert "integers from -7 to 3" in text


def test_weights_from_a_file(run, tmp_path):
    file, weights = tmp_path / "g.txt", tmp_path / "w.json"
    file.write_text("a b\nb a\na a\n")
    options = ("--objective", "mean-payoff", "--weights", weights)
    weights.write_text('[["a", "b", 3], ["b", "a", 1], ["a", "a", -1]]')
    assert {row[5] for row in rows(run("solve", file, *options))[1:]} == {"2"}
    weights.write_text('{"a": 5, "b": 1}')
    assert {row[5] for row in rows(run("solve", file, *options, "--verify"))[1:]} == {"3"}


@pytest.mark.parametrize("suffix", [".json", ".csv", ".npz", ".parquet", ".csv.gz"])
@pytest.mark.parametrize(
    "objective", ["energy", "mean-payoff", "mean-payoff:1/3", "discounted", "shortest-path:c"]
)
def test_solution_files(run, tmp_path, game, suffix, objective):
    out = tmp_path / f"s{suffix}"
    assert run("solve", game, "--objective", objective, "-o", out).exit_code == 0
    result = run("verify", game, out)
    assert (result.exit_code, result.stderr) == (0, "")
    assert objective.partition(":")[0] in result.stdout


def test_a_false_solution(run, tmp_path, game):
    out = tmp_path / "s.json"
    assert run("solve", game, "--objective", "energy", "-o", out).exit_code == 0
    data = json.loads(out.read_text())
    data["credit"][0] -= 1
    out.write_text(json.dumps(data))
    assert run("verify", game, out).exit_code == 1


def test_info(run, game, tmp_path):
    data = json.loads(run("info", game, "--json").stdout)
    assert data["weights"] == {"least": -7, "most": 3}
    assert data["objective"] is None
    out = tmp_path / "plain.txt"
    assert run("convert", game, out, "--no-weights").exit_code == 0
    assert json.loads(run("info", out, "--json").stdout)["weights"] is None


@pytest.mark.parametrize("suffix", [".json", ".dot", ".graphml", ".npz", ".parquet", ".el"])
def test_convert(run, game, tmp_path, suffix):
    out = tmp_path / f"g{suffix}"
    assert run("convert", game, out).exit_code == 0
    assert zm.read(out) == zm.read(game)
    assert rows(run("solve", out, "--objective", "energy"))[1][5] == "4"


def test_generate(run, tmp_path):
    out = tmp_path / "g.npz"
    result = run("generate", "weighted-random", "n=50", "weight=9", "objective=energy", out)
    assert (result.exit_code, result.stderr) == (0, "")
    game = zm.read(out)
    assert game.objective.keyword == "energy"
    assert abs(game.weights()).max() <= 9
    assert run("generate", "slow-climb", "weight=5", tmp_path / "c.txt").exit_code == 0
    assert rows(run("solve", tmp_path / "c.txt"))[1][5] == "5"
    assert run("generate", "weighted-parity", "size=3", "family=ladder", out).exit_code == 0
    result = run("generate", "weighted-parity", "size=9", "family=recursive-ladder", out)
    assert result.exit_code == 2
    assert "bits, and objectives have weights up to 2**60" in result.stderr


def picture(path):
    """The weights that a picture shows."""
    space = "{http://www.w3.org/2000/svg}"
    found = ElementTree.parse(path).iter(f"{space}text")
    return [x for x in found if x.get("class") == "weight"]


def test_draw(run, game, tmp_path):
    out = tmp_path / "g.svg"
    assert run("draw", game, out, "--objective", "energy").exit_code == 0
    weights = picture(out)
    assert sorted(x.text for x in weights) == ["-2", "-7", "0", "1", "3"]
    text = out.read_text()
    assert 'data-result="4"' in text
    assert "number: least credit of player 0" in text
    assert "number at a move: weight" in text
    assert "number: moves to the end" not in text
    assert 'class="node player0"' in text
    assert run("draw", game, out, "--objective", "mean-payoff:threshold=1/3").exit_code == 0
    assert 'class="node player1"' in out.read_text()
    assert run("draw", game, out, "--no-solve").exit_code == 0
    assert len(picture(out)) == 5
    assert run("draw", game, tmp_path / "g.dot", "--objective", "energy").exit_code == 0
    assert 'label=" -7 "' in (tmp_path / "g.dot").read_text()


PLAIN = "a b\nb a\n"
BAD = [
    (PLAIN, ["--objective", "energy"], "energy needs an integer weight for every move"),
    (GAME, ["--objective", "discounted:0"], "discount: expected a fraction between 0 and 1"),
    (GAME, ["--objective", "discounted:1"], "discount: expected a fraction between 0 and 1"),
    (GAME, ["--objective", "discounted:x"], "discount: expected a number such as 1/3"),
    (GAME, ["--objective", "mean-payoff:threshold=1/0"], "threshold: expected a number such as"),
    (GAME, ["--objective", "mean-payoff:threshold=nan"], "threshold: expected a number such as"),
    (GAME, ["--objective", "mean-payoff:limit=3"], "expected mean-payoff or mean-payoff:threshold"),
    (GAME, ["--objective", "mean-payoff:1,2"], "expected mean-payoff or mean-payoff:threshold"),
    (GAME, ["--objective", "mean-payoff:"], "expected data after the colon"),
    (GAME, ["--objective", "energy:capacity=1.5"], "capacity: expected 0, 1, 2, …, got '1.5'"),
    (GAME, ["--objective", "energy:capacity=-1"], "capacity: expected 0, 1, 2, …, got '-1'"),
    (GAME, ["--objective", "shortest-path"], "shortest-path needs targets"),
    (GAME, ["--objective", "shortest-path:z"], "--objective: the graph has no position 'z'"),
    (GAME, ["--objective", "shortest-path", "--targets", "z"], "--targets: no position is called"),
    (GAME, ["--objective", "shortest-path:a", "--targets", "a"], "expected shortest-path:… or --t"),
    (GAME, ["--objective", "shortest-path:a,player=2"], "expected player=0 or player=1"),
    (GAME, ["--objective", "energy", "--targets", "a"], "--targets goes with reach or reach-avo"),
    (GAME, ["--objective", "reach:a", "--weights", "FILE"], "--weights goes with energy or mean"),
    (GAME, ["--objective", "energy", "--solver", "zielonka"], "zielonka"),
    ("[energy]\na b 1\nb a\n", [], "the move 'b' → 'a' has no weight"),
    ("a b 1.5\n", ["--objective", "energy"], "expected one or two names, or two and an integer"),
    ("a b nan\n", ["--objective", "energy"], "expected one or two names, or two and an integer"),
    ("a b 9223372036854775808\n", [], "expected a weight from -2**60 to 2**60"),
    ("[discounted:2]\na b 1\n", [], "discount: expected a fraction between 0 and 1"),
]


@pytest.mark.parametrize(("text", "options", "message"), BAD)
def test_bad_input(run, tmp_path, text, options, message):
    file = tmp_path / "g.txt"
    file.write_text(text)
    given = [str(file) if x == "FILE" else x for x in options]
    result = run("solve", file, *given)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ('[["a", "b", 1]]', "w.json: the move 'b' → 'a' has no weight"),
        ('[["a", "b", 1], ["b", "a", 1.5]]', "expected an integer, got"),
        ('[["a", "b", 1], ["b", "a", "x"]]', "expected an integer, got 'x'"),
        ('[["a", "b", 1], ["b", "z", 1]]', "w.json: no position is called 'z'"),
        ('[["a", "b", 1], ["b", "b", 1]]', "the graph has no such move"),
        ('[["a", "b", 1], ["b", "a"]]', "w.json: /1: expected a triple [from, to, weight]"),
        ('{"a": 1}', "w.json: position 'b' has no weight"),
        ("3", "w.json: expected weights, a list of triples"),
        ("[1]", "w.json: weight: expected 2 entries, one for each move"),
    ],
)
def test_bad_files_of_weights(run, tmp_path, weights, message):
    file, extra = tmp_path / "g.txt", tmp_path / "w.json"
    file.write_text(PLAIN)
    extra.write_text(weights)
    result = run("solve", file, "--objective", "energy", "--weights", extra)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
