"""``zermelo grundy`` for graphs and sums of them."""

import csv
import json

import pytest

import zermelo as zm

EXAMPLE = "a b\na t\nb a\nb t\ne a\n"
"""t and e are worth 0, a and b ∞(0)."""


@pytest.fixture
def loopy(tmp_path):
    path = tmp_path / "loopy.txt"
    path.write_text(EXAMPLE)
    return path


def table(text):
    return [line.split("\t") for line in text.splitlines()]


def test_values_in_a_pipe(run, loopy):
    rows = table(run("grundy", loopy, "--verify").stdout)
    assert rows == [
        ["position", "value", "label"],
        ["a", "∞(0)", "WIN"], ["b", "∞(0)", "WIN"], ["t", "0", "LOSE"], ["e", "0", "LOSE"],
    ]  # fmt: skip
    assert len(table(run("grundy", loopy, "--limit", 1).stdout)) == 2
    assert run("grundy", "-", "--format", "edgelist", stdin=EXAMPLE).stdout.count("\n") == 5


def test_histogram(run, loopy):
    assert table(run("grundy", loopy, "--histogram").stdout)[1:] == [["0", "2"], ["∞(0)", "2"]]
    data = json.loads(run("grundy", loopy, "--histogram", "--json").stdout)
    assert data["histogram"] == [
        {"value": 0, "positions": 2}, {"value": {"inf": [0]}, "positions": 2},
    ]  # fmt: skip
    assert "positions" not in data


def test_json(run, loopy):
    data = json.loads(run("grundy", loopy, "--json", "--verify").stdout)
    assert (data["acyclic"], data["verified"], data["largest"], data["infinite"]) == (0, 1, 0, 2)
    assert data["graph"]["digest"] == zm.read(loopy).graph.digest
    assert data["positions"][0] == {"position": "a", "value": {"inf": [0]}, "label": "WIN"}


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_output(run, loopy, tmp_path, suffix):
    path = tmp_path / f"values.{suffix}"
    assert run("grundy", loopy, "-o", path, "--histogram").exit_code == 0
    rows = list(
        csv.DictReader(path.read_text().splitlines(), delimiter="\t" if suffix == "tsv" else ",")
    )
    assert [row["value"] for row in rows] == ["∞(0)", "∞(0)", "0", "0"]
    assert [row["counter"] for row in rows] == ["-1", "-1", "0", "1"]


def test_one_position(run, loopy):
    result = run("grundy", loopy, "--start", "a", "--play").stdout
    assert result == (
        "component\tfrom\tto\tvalue\tlabel\n0\ta\tb\t∞(0)\tLOSE\n0\ta\tt\t0\tWIN\n\na → t\n"
    )


def test_a_sum_lists_all_winning_moves(run, loopy):
    result = run("grundy", "--sum", "*1", "*2", f"{loopy}:e", "*4", "--play")
    rows = table(result.stdout)
    assert rows[:2] == [["component", "from", "to", "value", "label"], ["3", "4", "3", "0", "WIN"]]
    assert rows[3][0].startswith("1+2+e+4 → 1+2+e+3 → ")
    data = json.loads(run("grundy", "--sum", "*3", "*5", "*7", "--json").stdout)
    assert (data["value"], data["outcome"]) == (1, "WIN")
    assert [(m["component"], m["to"]) for m in data["moves"]] == [(0, 2), (1, 4), (2, 6)]
    assert data["best_move"] in data["moves"]
    lost = json.loads(run("grundy", "--sum", "*2", "*2", "--json", "--all").stdout)
    assert (lost["outcome"], len(lost["moves"]), lost["best_move"]["label"]) == ("LOSE", 4, "LOSE")
    assert table(run("grundy", "--sum", "*2", "*2").stdout) == [rows[0]]


def test_a_sum_with_cycles(run, loopy):
    data = json.loads(run("grundy", "--sum", f"{loopy}:a", f"{loopy}:b", "--json", "--play").stdout)
    assert (data["value"], data["outcome"], data["cycle"]) == ({"inf": []}, "DRAW", 0)
    assert data["components"][0] == {"component": f"{loopy}:a", "value": {"inf": [0]}}
    assert {m["label"] for m in data["moves"]} == {"DRAW"}


def test_names_and_files_with_colons(run, tmp_path):
    path = tmp_path / "x:y.txt"
    path.write_text("p:1 q\n")
    data = json.loads(run("grundy", "--sum", f"{path}:p:1", "--json").stdout)
    assert data["components"][0]["value"] == 1


def test_heap_games(run, tmp_path, monkeypatch):
    wanted = run("grundy", "0.77", "--to", 4).stdout
    assert table(wanted) == [["heap", "value"], *map(list, zip("01234", "01231", strict=True))]
    assert run("grundy", "kayles", "--to", 4).stdout == wanted
    assert run("grundy", "1,2", "--to", 3).stdout.split()[-1] == "0"
    data = json.loads(run("grundy", "--sum", "kayles:5", "0.07:9", "*3", "--json", "--all").stdout)
    assert [x["value"] for x in data["components"]] == [4, 0, 3]
    assert [4, 1] not in [x["to"] for x in data["moves"]]
    assert [2, 2] in [x["to"] for x in data["moves"]]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0.77").write_text("a b\n")
    assert "a\t1\tWIN" in run("grundy", "0.77", "--format", "edgelist").stdout


@pytest.mark.slow
def test_on_a_terminal(on_terminal, loopy):
    status, shown = on_terminal("grundy", loopy, "--verify")
    assert status == 0
    for message in ("4 positions, 5 moves; has cycles", "2 infinite, verified", "∞(0)"):
        assert message in shown
    status, shown = on_terminal("grundy", loopy, "--histogram", "--limit", 3)
    assert "━" in shown
    status, shown = on_terminal("grundy", "--sum", f"{loopy}:a", "*3", "--all", columns=200)
    assert status == 0
    assert "∞(3), DRAW for the player to move" in shown
    assert "mover gets" in shown
    status, shown = on_terminal("grundy", loopy, "--limit", 1)
    assert "3 more; --all shows them" in shown


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--sum", "nothing.txt:a"], "nothing.txt: no such file"),
        (["--sum", "a"], "expected FILE:POSITION, GAME, *N or CODE:N, got 'a'"),
        (["--sum", "*-1"], "expected FILE:POSITION, GAME, *N or CODE:N"),
        (["--sum", "LOOPY:x"], "no position is called 'x'"),
        (["--sum", "LOOPY:a", "--histogram"], "--histogram does not go with --sum"),
        (["--sum", "LOOPY:a", "--output", "x.csv"], "--output does not go with --sum"),
        (["LOOPY", "LOOPY"], "expected one file, got 2; --sum is for components"),
        (["LOOPY", "--play"], "--play goes with --sum or --start"),
        (["LOOPY", "--period"], "--period does not go with a file"),
        (["LOOPY", "--start", "z"], "--start: no position is called 'z'"),
        (["LOOPY", "--all", "--limit", "3"], "expected --all or --limit, got both"),
        (["LOOPY", "-o", "values.txt"], "expected a table to end in .csv or .tsv"),
        (["LOOPY", "-o", "nowhere/values.csv"], "there is no directory 'nowhere'"),
        (["0.77", "--histogram"], "--histogram does not go with a heap game"),
        (["--sum", "0.77:x"], "0.77: no such file"),
        (["nothing.txt"], "nothing.txt: no such file or directory"),
        (
            ["kaylse"],
            "kaylse: no such file, and no game has this name; did you mean the game kayles?",
        ),
        (["OWNED"], "positions have owners, and Sprague–Grundy values are for impartial games"),
        ([], "missing argument"),
    ],
)
def test_bad_calls(run, loopy, tmp_path, args, message):
    (tmp_path / "owned.txt").write_text("a [0]\na a\n")
    named = {"LOOPY": str(loopy), "OWNED": str(tmp_path / "owned.txt")}
    for name, path in named.items():
        args = [x.replace(name, path) for x in args]
    result = run("grundy", *args)
    assert result.exit_code == 2, result.stdout
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_game_by_its_name(run):
    result = run("grundy", "wythoff:1,2", "--verify")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == ["position\tvalue\tlabel", "1,2\t0\tLOSE"]
    assert run("grundy", "wythoff:1").exit_code == 2
