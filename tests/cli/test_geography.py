"""Games of return on the command line."""

import json

import pytest

GAME = "a b\na c\nb d\nc d\nd e\ne b\ne c\n"


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    return str(path)


def rows(result):
    assert result.exit_code == 0, result.output
    return [line.split("\t") for line in result.stdout.splitlines()]


def test_one_start(run, game):
    found = rows(run("solve", game, "--objective", "no-return", "--start", "a", "--verify"))
    assert found == [["position", "label", "distance", "move"], ["a", "LOSE", "-", "-"]]


def test_a_line_names_the_winner_at_its_end(run, game):
    found = rows(run("solve", game, "--objective", "no-return", "--line", "a"))
    assert [(x[0], x[1], x[3]) for x in found[1:]] == [
        ("a", "LOSE", "b"),
        ("b", "WIN", "d"),
        ("d", "LOSE", "e"),
        ("e", "WIN", "c"),
        ("c", "LOSE", "-"),
    ]


def test_positions_that_were_not_asked_for_are_undecided(run, game):
    found = rows(run("solve", game, "--objective", "no-return", "--start", "a", "--all"))
    assert ["d", "UNDECIDED", "-", "-"] in found
    limited = rows(run("solve", game, "--objective", "no-return", "--nodes", "0"))
    assert ["e", "UNDECIDED", "-", "-"] in limited


def test_misere_and_json(run, game):
    result = run("solve", game, "--objective", "no-return:misere", "--start", "a", "--json")
    data = json.loads(result.stdout)
    assert data["objective_data"] == {"misere": True}
    assert data["start"][0]["label"] == "WIN"


def test_a_solution_file_is_checked(run, game, tmp_path):
    out = tmp_path / "solution.json"
    assert run("solve", game, "--objective", "repetition", "-q", "-o", str(out)).exit_code == 0
    assert run("verify", game, str(out)).exit_code == 0
    data = json.loads(out.read_text())
    data["label"][0] *= -1
    data["level"][0] = 1 - data["level"][0]
    out.write_text(json.dumps(data))
    assert run("verify", game, str(out)).exit_code == 1


def test_nodes_are_for_searched_games(run, game):
    result = run("solve", game, "--nodes", "5")
    assert result.exit_code == 2
    assert "solver 'retrograde' has no option 'nodes'; its options are" in result.stderr


def test_a_formula_as_a_game(run, tmp_path):
    formula, out = tmp_path / "f.cnf", tmp_path / "game.json"
    formula.write_text("p cnf 1 2\n1 0\n-1 0\n")
    assert run("generate", "sat", f"cnf={formula}", str(out)).exit_code == 0
    assert rows(run("solve", str(out), "--start", "u1"))[1][:2] == ["u1", "LOSE"]
    refused = run("generate", "sat", f"cnf={formula}", str(tmp_path / "game.txt"))
    assert refused.exit_code == 2
    assert "no format for an objective has this suffix" in refused.stderr


@pytest.mark.parametrize(
    ("key", "entries", "message"),
    [
        ("distance", [7, 5, 3, 1, -1], "expected no distance"),
        ("level", [1, 1, 1, 1, 1], "expected level 1 with label 1"),
        ("move", [1, -1, -1, -1, -1], "the claimed move does not win"),
    ],
)
def test_a_solution_file_claims_nothing_that_is_not_checked(
    run, game, tmp_path, key, entries, message
):
    out = tmp_path / "solution.json"
    assert run("solve", game, "--objective", "no-return", "-q", "-o", str(out)).exit_code == 0
    data = json.loads(out.read_text())
    assert data[key] != entries
    data[key] = entries
    out.write_text(json.dumps(data))
    result = run("verify", game, str(out))
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C as soon as something is searched."""
    from zermelo.solvers.geography._arena import Arena

    def decide(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Arena, "decide", decide)


def test_an_interrupted_search_shows_what_it_knows(run, game, interrupted, tmp_path):
    (tmp_path / "game.txt").write_text(GAME + "x y\n")
    out = tmp_path / "solution.json"
    result = run("solve", game, "--objective", "no-return", "--verify", "-o", str(out))
    assert (result.exit_code, result.stderr) == (130, "zermelo: interrupted\n")
    found = [line.split("\t") for line in result.stdout.splitlines()]
    assert ["x", "WIN", "-", "y"] in found
    assert ["a", "UNDECIDED", "-", "-"] in found
    assert not out.exists()


@pytest.mark.parametrize("options", [("-q",), ("-o", "-", "--to", "json")])
def test_an_interrupted_search_is_silent_where_that_was_asked_for(run, game, interrupted, options):
    result = run("solve", game, "--objective", "no-return", *options)
    assert (result.exit_code, result.stderr) == (130, "zermelo: interrupted\n")
    assert result.stdout == ""


def test_verify_says_how_much_is_decided(run, game, tmp_path):
    out = str(tmp_path / "solution.json")
    run("solve", game, "--objective", "no-return", "--start", "a", "--output", out)
    found = run("verify", game, out)
    assert found.exit_code == 0
    assert "holds: it solves" in found.stdout
    assert "(3 of 5 positions decided, no-return)" in found.stdout
    assert json.loads(run("verify", game, out, "--json").stdout)["undecided"] == 2


def test_a_solution_that_decides_nothing_does_not_hold(run, game, tmp_path):
    out = str(tmp_path / "solution.json")
    run("solve", game, "--objective", "no-return", "--nodes", "0", "--output", out)
    found = run("verify", game, out)
    assert found.exit_code == 1
    assert "of 5 positions none is decided" in found.stderr
    record = run("verify", game, out, "--json")
    assert record.exit_code == 1
    assert json.loads(record.stdout)["holds"] is False


def test_a_label_0_is_a_draw_and_no_undecided_start(run, game, tmp_path):
    """A file of labels 0 claims draws, and these games have none."""
    out = tmp_path / "solution.json"
    run("solve", game, "--objective", "no-return", "--nodes", "0", "--output", str(out))
    data = json.loads(out.read_text())
    assert data["label"] == [2] * 5
    out.write_text(json.dumps({**data, "label": [0] * 5, "level": [0] * 5}))
    found = run("verify", game, str(out))
    assert found.exit_code == 1
    assert "as nothing is drawn" in found.stderr


def test_an_undecided_start_in_json(run, game):
    given = ("solve", game, "--objective", "no-return", "--nodes", "0", "--start", "a", "--json")
    data = json.loads(run(*given).stdout)
    assert data["counts"]["undecided"] == 5
    (start,) = data["start"]
    assert (start["label"], start["value"], start["winner"]) == ("UNDECIDED", None, None)
