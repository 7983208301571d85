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
    from zermelo.verify.partizan.values import Options

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


@pytest.mark.slow
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


NUMBER_HEADER = [
    "expression", "is_number", "number", "value", "moves", "position", "left", "right",
    "left_number", "right_number",
]  # fmt: skip


def test_numbers_by_the_definition(run, tmp_path):
    path = tmp_path / "g.txt"
    path.write_text("a b L\nb c R\nc d L\nc d R\n")
    assert rows(run("value", "--number", "{0|1} - 1", "{1|{0|0}}", path)) == [
        NUMBER_HEADER,
        ["{0|1} - 1", "yes", "-1/2", "-1/2", *"------"],
        ["{1|{0|0}}", "no", "-", "{1|*}", "Right to {0|0}", "{0|0}", *"0000"],
        ["a", "no", "-", "1", "Left to {|*}; Right to {0|0}", "{0|0}", *"0000"],
        ["b", "no", "-", "0", "Right to {0|0}", "{0|0}", *"0000"],
        ["c", "no", "-", "*", "-", "{0|0}", *"0000"],
        ["d", "yes", "0", "0", *"------"],
    ]
    [row] = json.loads(run("value", "--number", "domineering:2x2", "--json").stdout)["numbers"]
    assert row["form"] == row["position"] == "{1|-1}"
    assert row["is_number"] is row["value_is_number"] is False
    assert (row["left_number"], row["right_number"]) == ("1", "-1")


def test_a_position_of_a_game_as_a_number(run):
    done = run("value", "--number", "toads-and-frogs:t.tff", "--position", "t.f")
    assert rows(done)[1][:4] == ["toads-and-frogs:t.tff t.f", "no", "-", "*"]


def test_the_literal_sum(run):
    done = run("value", "--literal", "{0|1} + {0|1}")
    facts = dict(rows(done))
    assert facts["sum"] == "{0 + 1/2, 1/2 + 0 | 1 + 1/2, 1/2 + 1}"
    assert facts["form"] == "{1/2|{1/2,1|2}}"
    assert facts["step 1"].startswith("{1/2,1|2}: Left's option 1/2 is dominated by 1")
    assert facts["canonical form"] == "1"
    [form] = json.loads(run("value", "--literal", "--sum", "{0|1}", "*", "--json").stdout)["forms"]
    assert form["expression"] == "{0|1} + *"
    assert form["summands"] == ["1/2", "*"]
    assert form["form"] == ["G = {*,1/2|{*,1|1},1/2}"]
    assert form["value"] == "1/2*"
    assert [step["rule"] for step in form["steps"]] == ["dominated"] * 3


def test_a_long_form_has_definitions(run):
    facts = dict(rows(run("value", "--literal", "4.{3|1||-2}")))
    assert {"G", "A", "B"} <= set(facts)
    assert "form" not in facts


def test_explanations(run):
    done = run("value", "--explain", "{0|1} + {0|1} - 1", "{2|-1}")
    first, second = done.stdout.split("\n\n")
    assert first.startswith("The sum of 3 components, 0: 1/2, 1: 1/2, 2: -1: the player who begins")
    assert second.splitlines()[-1] == "  Right moves to -1. Then Left has no move."
    game = run("value", "--explain", "domineering:2x3", "--depth", "1").stdout.splitlines()
    assert game[0] == "domineering:2x3 has the value {2|-1/2}."
    assert game[-1] == "  Right moves to -1/2. And so on."
    done = run("value", "--explain", "--sum", "{3|-3}", "{1|-1}", "*", "--json")
    [found] = json.loads(done.stdout)["explanations"]
    assert found["components"] == ["{3|-3}", "{1|-1}", "*"]
    assert [x["attempts"][0]["component"] for x in found["beginnings"]] == [0, 0]
    assert found["outcome"] == "N"


@pytest.mark.slow("args5-the literal sum has up to 22,880 positions")
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--number", "--literal", "1"], "--number and --literal cannot be given together"),
        (["--explain", "--verify", "1"], "--explain and --verify cannot be given together"),
        (["--depth", "3", "1"], "--depth goes with --explain"),
        (["--explain", "--depth", "0", "1"], "--depth"),
        (["--literal", "over"], "over is a loopy value"),
        (["--literal", "10.{3|1||-2}"], "the literal sum has up to 22,880 positions"),
        (["--number", "{1|"], "{1|: column 4: expected '}'"),
        (["--explain", "{1|"], "{1|: column 4: expected '}'"),
        (["--explain", "--sum", "on", "1"], "a sum with the loopy value 'on'"),
        (["--number", "nim:3"], "Left and Right differ"),
    ],
)
def test_what_forms_refuse(run, args, message):
    done = run("value", *args)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_with_loops_has_no_literal_forms(run, tmp_path):
    path = tmp_path / "loop.txt"
    path.write_text("a b L\nb a R\n")
    done = run("value", "--number", path)
    assert done.exit_code == 2
    assert "loop.txt: position a: play can return to a position" in done.stderr


def test_sentences_on_a_terminal(run, monkeypatch):
    monkeypatch.setattr("zermelo.cli.output.show.on_terminal", lambda stream=None: True)
    assert run("value", "--number", "{0|1}").stdout == (
        "Yes: {0|1} is the number 1/2, because in each of its positions every Left option is less "
        "than every Right option.\n"
    )
    two = run("value", "--number", "{0|1}", "*").stdout.splitlines()
    assert two[1].startswith("*: No: {0|0} is not a number, because Left's option 0 is not less")
    assert "canonical form" in run("value", "--literal", "{0|1} + 1", "*").stdout
