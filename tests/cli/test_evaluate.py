"""``zermelo evaluate``: formulas, propositions, starts, paths, and what is refused."""

import json
from pathlib import Path

import pytest

import zermelo as zm


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.txt").write_text("a b\nb a\na t\n")
    (tmp_path / "labels.json").write_text('{"goal": ["t"], "other": []}')
    (tmp_path / "numbers.txt").write_text("0 1\n1 0\n")
    (tmp_path / "numbers.json").write_text('{"p": [1]}')


def test_every_position_has_a_row(run):
    done = run("evaluate", "mu X. <>[]X", "g.txt")
    assert done.stdout == "position\tholds\na\tyes\nb\tno\nt\tno\n"
    data = json.loads(
        run("evaluate", "EF goal", "g.txt", "--labels", "labels.json", "--json").stdout
    )
    assert data["count"] == 3
    assert data["answers"][0] == {"position": "a", "holds": True}
    found = zm.evaluate("AF goal", zm.read("g.txt").graph, goal=["t"]).tolist()
    rows = run("evaluate", "AF goal", "g.txt", "--label", "goal=t").stdout.splitlines()[1:]
    assert [row.endswith("yes") for row in rows] == found


def test_propositions(run):
    call = ["evaluate", "p & !q", "g.txt", "--label", "p=a,b", "--label", "q=b", "--label", "r="]
    assert run(*call).stdout.splitlines()[1:] == ["a\tyes", "b\tno", "t\tno"]
    done = run("evaluate", "p", "numbers.txt", "--labels", "numbers.json")
    assert done.stdout.splitlines()[1:] == ["0\tno", "1\tyes"]
    assert run("evaluate", "graph | formula", "g.txt", "--label", "graph=a", "--label",
               "formula=b").stdout.count("yes") == 2  # fmt: skip


def test_a_start_and_a_path(run):
    good = run("evaluate", "EF goal", "g.txt", "--label", "goal=t", "--start", "b", "--witness")
    assert good.exit_code == 0
    assert "kind\twitness\npath\tb,a,t\ncycle\t-\nproof\tyes\n" in good.stdout
    bad = run("evaluate", "AF goal", "g.txt", "--label", "goal=t", "--start", "b", "--witness")
    assert bad.exit_code == 1
    assert "kind\tcounterexample\npath\tb,a\ncycle\t0\nproof\tyes\n" in bad.stdout
    data = json.loads(run("evaluate", "AG p", "g.txt", "--label", "p=a,b,t", "--start", "a",
                          "--witness", "--json").stdout)  # fmt: skip
    assert (data["holds"], data["proof"]) == (True, False)
    assert run("evaluate", "EF goal", "g.txt", "--label", "goal=", "--start", "a").exit_code == 1


def test_the_start_of_the_file(run):
    zm.write(zm.Game(zm.read("g.txt").graph, start="b"), "start.json")
    done = run("evaluate", "EX p", "start.json", "--label", "p=a", "--witness")
    assert "path\tb,a\n" in done.stdout
    assert "--witness needs a start" in run("evaluate", "true", "g.txt", "--witness").stderr


def test_files_and_games(run):
    assert run("evaluate", "EF true", "g.txt", "-o", "out.csv").stdout == ""
    assert Path("out.csv").read_text() == "position,holds\na,yes\nb,yes\nt,yes\n"
    assert run("evaluate", "EF true", "g.txt", "-o", "out.csv").exit_code == 0
    rows = run("evaluate", "mu X. <>[]X", "nim:1,1").stdout.splitlines()[1:]
    assert [row.split("\t")[1] for row in rows].count("yes") == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["p |", "g.txt"], "formula:1:4: expected a formula, got the end"),
        (["EF goal", "g.txt"], "no proposition is called 'goal'; given: none; --label P=A,B gives"),
        (["p", "g.txt", "--label", "p=z"], "no position is called 'z'"),
        (["p", "g.txt", "--label", "p"], "expected P=A,B, got 'p'"),
        (["p", "g.txt", "--label", "mu=a"], "expected the name of a proposition"),
        (["p", "g.txt", "--label", "p=a", "--label", "p=b"], "the proposition 'p' is given twice"),
        (["<0>true", "g.txt"], "needs a graph with owners"),
        (["p", "g.txt", "--labels", "g.txt"], "g.txt:1:1"),
        (["true", "g.txt", "--start", "a", "--limit", "3"], "--limit does not go with --start"),
        (["mu X. []X", "cut.json"], "were cut off"),
        (["true", "nope.txt"], "nope.txt: no such file"),
        (["p", "g.txt", "--labels", "nope.json"], "nope.json: no such file"),
    ],
)
def test_refusals(run, call, message):
    zm.write(zm.transform.unravel(zm.read("g.txt").graph, "a", 2).graph, "cut.json")
    done = run("evaluate", *call)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_on_a_terminal(on_terminal):
    _, text = on_terminal("evaluate", "AF goal", "g.txt", "--label", "goal=t", "--start", "a",
                          "--witness")  # fmt: skip
    assert "AF goal fails at a" in text
    assert "a → b → a → …" in text
    _, text = on_terminal("evaluate", "EX true", "g.txt")
    assert "2 of 3 positions" in text
