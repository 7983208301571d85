"""``zermelo value``: rows, JSON, pictures, sums, checks, and what is refused."""

import json
import re

import pytest

HEADER = [
    "expression", "value", "outcome", "birthday", "left_stop", "right_stop", "mean", "temperature",
    "atomic_weight",
]  # fmt: skip


def rows(done):
    assert done.exit_code == 0, done.output
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_rows(run):
    assert rows(run("value", "{0|1} + {0|1} - 1", "{2|-1}", "^^*")) == [
        HEADER,
        ["{0|1} + {0|1} - 1", "0", "P", "0", "0", "0", "0", "-1", "0"],
        ["{2|-1}", "{2|-1}", "N", "3", "2", "-1", "1/2", "3/2", "-"],
        ["^^*", "^^*", "L", "3", "0", "0", "0", "0", "2"],
    ]


@pytest.mark.parametrize("text", ["-1", "-^*", "-{1|0}", "-_2", "-1/2"])
def test_an_expression_may_begin_with_a_minus(run, text):
    assert rows(run("value", text))[1][0] == text


def test_json(run):
    done = run("value", "{2|-1}", "--json")
    [row] = json.loads(done.stdout)["values"]
    assert row["value"] == "{2|-1}"
    assert row["atomic_weight"] is None
    assert row["thermograph"] == {
        "left": [["-1", "3"], ["3/2", "1/2"]],
        "right": [["-1", "-2"], ["3/2", "1/2"]],
    }


@pytest.mark.parametrize("args", [("{2|-1}", "--thermograph"), ("--thermograph", "{2|-1}")])
def test_a_thermograph_in_letters(run, args):
    lines = run("value", *args).stdout.splitlines()
    assert lines[1].split("\t")[1] == "{2|-1}"
    assert lines[2] == ""
    assert lines[-1].split() == ["3", "2", "1/2", "-1", "-2"]
    assert "└──" in lines[-2]


def test_a_thermograph_as_a_picture(run, tmp_path):
    path = tmp_path / "t.svg"
    assert run("value", "{2|-1}", "--thermograph", path).exit_code == 0
    assert "{2|-1}" in path.read_text()
    done = run("value", "1", "2", "--thermograph", path)
    assert done.exit_code == 2
    assert "expected one value to draw, got 2" in done.stderr


def test_sums(run):
    assert rows(run("value", "--sum", "{1|0}", "{1|0}", "^"))[1][:2] == [
        "{1|0} + {1|0} + ^",
        "1^",
    ]


def test_best_moves(run):
    done = run("value", "--best", "left", "{3|-3}", "{1|-1}", "*")
    assert rows(done) == [["component", "from", "to"], ["0", "+-3", "3"]]
    done = run("value", "--best", "right", "{1|-1}", "{1|-1}", "--json")
    assert json.loads(done.stdout) == {"player": "right", "wins": False, "moves": []}


def test_games_given_by_rules(run):
    assert rows(run("value", "domineering:2x4", "--verify"))[1][1] == "Miny(2)"
    done = run("value", "nim:3,4,5")
    assert done.exit_code == 2
    assert "Left and Right differ" in done.stderr


def test_a_misspelled_game_is_distinguished_from_a_value(run):
    done = run("value", "hackenbsh:lr")
    assert done.exit_code == 2
    assert "did you mean 'hackenbush'?" in done.stderr


def test_files(run, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("a b L\na c R\nb c L\n")
    found = rows(run("value", path, "--verify"))
    assert [row[:2] for row in found[1:]] == [["a", "{1|0}"], ["b", "1"], ["c", "0"]]
    assert rows(run("value", "-", stdin=path.read_text())) == found
    path.write_text("a b\n")
    done = run("value", path)
    assert done.exit_code == 2
    assert "game.txt:1: expected a move and its player" in done.stderr


def test_loopy_values(run):
    assert rows(run("value", "on"))[1] == ["on", "on", "L", *"------"]


def test_verify(run, monkeypatch):
    assert run("value", "{0|1} + {0|1} - 1", "--verify").exit_code == 0
    from zermelo.partizan import certificate
    from zermelo.verify.partizan import Options

    monkeypatch.setattr(certificate, "written_out", lambda v: Options(((), (0,)), ((), ())))
    done = run("value", "{0|1} + {0|1} - 1", "--verify")
    assert done.exit_code == 1
    assert "the certificate does not hold" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["{0|1"], "{0|1: column 5: expected '}'"),
        (["1/3"], "column 1: expected a power of two"),
        (["xyzzy"], "column 1"),
        (["1" + " + 1" * 100 + " +"], "column 404: expected a value"),
        ([], "expected an expression"),
        (["1", "--nonsense"], "no such option: --nonsense"),
        (["*", "--best", "white"], "white"),
        (["on", "--best", "left"], "expected values without loops"),
        (["*99999999999999999999"], "62 bits"),
    ],
)
def test_bad_input_is_one_sentence(run, args, message):
    done = run("value", *args)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 300


def test_on_a_terminal(on_terminal):
    status, shown = on_terminal("value", "{2|-1}")
    assert status == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    facts = [tuple(re.split(r"  +", line.strip())) for line in plain.splitlines()]
    assert {("value", "{2|-1}"), ("left stop", "2"), ("temperature", "3/2")} <= set(facts)
    assert "atomic" not in plain
    status, shown = on_terminal("value", "--best", "left", "{3|-3}")
    assert "Left moves and wins by 1 move:" in shown
    status, shown = on_terminal("value", "--best", "left", "0")
    assert "Left moves and Right wins." in shown
