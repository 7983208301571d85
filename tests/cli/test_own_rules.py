"""Games of one's own, from a file: valued, played, built, probed and checked from the shell."""

import json

import pytest
from tests.rules.mistakes import COMPILED, PARTIZAN, PLAIN

from zermelo.rules.loading.load import load_rules
from zermelo.verify.rules.check import check_rules
from zermelo.verify.rules.compiled import same_compiled

GRID = '''\
from zermelo.rules.partizan.domineering import Domineering


class Mine(Domineering):
    """Domineering under another name."""
'''

TEN = '''\
import zermelo as zm


class Ten(zm.Rules):
    """Add 1 or 2; who comes to 10 wins, who goes beyond it ties. Positions cannot be read."""

    def start(self):
        return 0

    def moves(self, n):
        return [n + 1, n + 2]

    def outcome(self, n):
        return {10: -1, 11: 0}.get(n)
'''


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def put(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)

    return put


def rows(done):
    assert done.exit_code == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()[1:]]


def test_values_of_partizan_rules(run, write):
    write(coins=PARTIZAN, mine=GRID)
    assert rows(run("value", "coins.py:3"))[0][:3] == ["coins.py:3", "{2|1}", "L"]
    found = rows(run("value", "coins.py:Coins:4,3", "--position", "3+1", "--position", "-"))
    assert [row[:2] for row in found] == [
        ["coins.py:Coins:4,3 3+1", "{3|2}"],
        ["coins.py:Coins:4,3 -", "0"],
    ]
    assert rows(run("value", "mine.py:2x3", "--verify"))[0][1] == "{2|-1/2}"
    assert rows(run("value", "domineering:4x4", "--position", "..##/..##/##../##.."))[0][1] == "0"
    whole, one = (
        run("value", "--sum", "mine.py:2x3", x) for x in ("mine.py:2x2", "domineering:2x2")
    )
    assert rows(whole)[0][1] == rows(one)[0][1]
    best = run("value", "--best", "left", "coins.py:3", "coins.py:2", "--json")
    assert json.loads(best.stdout)["wins"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["coins.py", "--position", "x"], "--position: expected a position such as '3+2', got 'x'"),
        (["{1|0}", "--position", "x"], "--position goes with GAME"),
        (["pairs.py"], "expected a game in which Left and Right differ, got pairs.py"),
        (["nim:1,2"], "got nim:1,2; zermelo grundy nim:1,2 shows its values"),
        (["tictactoe"], "got tictactoe; zermelo solve tictactoe or"),
        (["hexapawn:3x3"], "got hexapawn:3x3; zermelo solve hexapawn:3x3 or"),
        (["none.py"], "none.py: no such file"),
        (["*", "--thermograph", "out.png"], "expected a file FILE.svg, or no file to draw it"),
        (["*", "--thermograph", "out.PDF"], "got out.PDF; SVG is the only format"),
    ],
)
def test_errors_of_values(run, write, args, message):
    write(coins=PARTIZAN, pairs=PLAIN)
    done = run("value", *args)
    assert done.exit_code == 2
    assert message in done.stderr


def test_an_expression_may_follow_the_thermograph(run):
    for text in ("3.v", "2.{1|0}", "{2|1/2}", "over"):
        assert run("value", "--thermograph", text).exit_code == 0


def test_partizan_rules_are_played(run, write):
    write(coins=PARTIZAN, mine=GRID)
    line = json.loads(run("play", "coins.py", "--self", "--json").stdout)["line"]
    assert line[0]["player"] == "L (first)"
    assert line[0]["position"] == "3+2 L"
    line = json.loads(run("play", "coins.py", "--self", "--json", "--start", "3+2 R").stdout)[
        "line"
    ]
    assert [step["player"] for step in line][:2] == ["R (second)", "L (first)"]
    assert line[-1]["value"] == "loses in 0"
    line = json.loads(run("play", "mine.py:2x2", "--self", "--json", "--start", "../.. R").stdout)
    assert line["line"][0]["player"] == "R (second)"
    shown = run("play", "coins.py", stdin="1\nq\n").stdout
    assert "coins.py: you are L (first), I am R (second)." in shown


def test_partizan_rules_are_built_and_checked(run, write):
    write(coins=PARTIZAN, mine=GRID)
    for game in ("coins.py", "mine.py:2x3"):
        assert run("build", game, "-o", "t.zt").exit_code == 0
        assert "win" in run("probe", "t.zt", "--rules", game).stdout
    done = run("check-rules", "coins.py")
    assert done.exit_code == 0
    members = [line.split()[1] for line in done.stdout.splitlines()]
    assert members == ["start", "left", "right", "components", "canonical", "show", "parse"]


@pytest.mark.slow
@pytest.mark.compiled
def test_rules_on_a_grid_are_compared_with_what_the_compiler_makes_of_them(write):
    write(mine=GRID)
    rules = load_rules("mine.py:2x2")
    same_compiled(rules, "fill_left", [3, 15], rules.most_options)
    assert check_rules(rules, compiled=False)[-1].holds


def test_a_table_of_another_game(run, write):
    write(coins=PARTIZAN, pairs=PLAIN, count=COMPILED)
    assert run("build", "coins.py", "-o", "t.zt").exit_code == 0
    for other in ("pairs.py", "count.py", "coins.py:3", "nim:1,2", "clobber:2x2"):
        done = run("play", other, "--table", "t.zt")
        assert done.exit_code == 2
        assert done.stderr.endswith(f"t.zt: it is a table of coins.py, not of {other}\n")


def test_positions_that_rules_cannot_read_are_looked_for(run, write):
    write(ten=TEN, coins=PARTIZAN.partition("    def parse")[0])
    line = json.loads(run("play", "ten.py", "--self", "--start", "7", "--json").stdout)["line"]
    assert [step["position"] for step in line] == ["7", "8", "10"]
    assert rows(run("value", "coins.py:4,3", "--position", "2+1"))[0][0] == "coins.py:4,3 2+1"
    for text, status in (("3+1 R", 0), ("3+2", 0), ("2+3 L", 2)):
        done = run("play", "coins.py:4,2", "--self", "--start", text)
        assert done.exit_code == status, done.stderr
    done = run("play", "ten.py", "--start", "99")
    assert done.exit_code == 2
    assert "--start: the rules have no parse, and none of the first 12 positions" in done.stderr


@pytest.mark.parametrize("start", ["x", "n", "", "n-5", "n999999999999999999999"])
def test_a_start_that_makes_no_sense(run, write, start):
    write(count=COMPILED)
    done = run("play", "count.py", "--self", "--start", start)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "fault" not in done.stderr


@pytest.mark.parametrize(
    ("value", "use"),
    [
        ("{1: 0, 2: 0}", "self.t.get(position, 0)"),
        ("[[0], [0]]", "self.t[0][0]"),
        ("np.zeros((2, 2), np.int64)", "self.t[0, 0]"),
        ("{1, 2}", "0 if position in self.t else 0"),
        ("[0.0]", "self.t[0]"),
    ],
)
def test_what_compiled_rules_may_not_read(run, write, value, use):
    text = COMPILED.replace("self.high = high", f"self.high = high\n        self.t = {value}")
    text = text.replace("position - 1 - k", use).replace("import", "import numpy as np\nimport", 1)
    write(count=text)
    done = run("build", "count.py", "-o", "t.zt")
    assert done.exit_code == 2
    assert "Countdown.moves" in done.stderr
    assert "expected" in done.stderr


def test_a_table_is_asked_for_texts_that_rules_cannot_read(run, write):
    write(count=COMPILED)
    assert run("build", "count.py", "-o", "t.zt").exit_code == 0
    assert "lose" in run("probe", "t.zt", "n9", "--rules", "count.py").stdout
    for text, message in (("x", "expected a position such as 'n10', got 'x': ValueError"),
                        ("n99", "has no position 'n99'")):  # fmt: skip
        done = run("probe", "t.zt", text, "--rules", "count.py")
        assert done.exit_code == 2
        assert message in done.stderr


def test_tables_of_rules_that_read_no_positions_are_asked_by_their_texts(run, write):
    write(coins=PARTIZAN.partition("    def parse")[0], ten=TEN)
    assert run("build", "coins.py", "-o", "t.zt").exit_code == 0
    for args in ((), ("3+2 L",), ("3+2",)):
        done = run("probe", "t.zt", *args, "--rules", "coins.py")
        assert done.exit_code == 0, done.stderr
        assert "position\t3+2" in done.stdout
    assert run("probe", "t.zt", "3+1 R", "--line", "--rules", "coins.py").exit_code == 0
    for text in ("3+9 L", "nonsense", "R"):
        done = run("probe", "t.zt", text, "--rules", "coins.py")
        assert done.exit_code == 2
        assert f"the table has no position {text!r}" in done.stderr
    assert run("build", "ten.py", "-o", "u.zt").exit_code == 0
    assert "position\t7" in run("probe", "u.zt", "7", "--rules", "ten.py").stdout


def test_a_game_is_no_table(run, write):
    write(ten=TEN)
    for command in (
        ("probe", "tictactoe"),
        ("table-info", "nim:3,4"),
        ("play", "nim:1", "--table", "nim:3"),
    ):
        done = run(*command)
        assert done.exit_code == 2
        assert "is a game; zermelo build" in done.stderr
    assert "no such file or directory" in run("probe", "nothing.zt").stderr
