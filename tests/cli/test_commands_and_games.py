"""Every command and every kind of game: the answer is right, or a refusal that says what fits."""

import json

import pytest

import zermelo as zm
from zermelo.cli.inputs import source
from zermelo.draw import svg
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.loading.games import game
from zermelo.rules.partizan.base import PartizanRules
from zermelo.tables.solving.solve import solve_rules

NAMES = [row.example for row in GAMES]
FEW = 3000
"""Games with more positions are not solved here."""


def rows(text):
    return [line.split("\t") for line in text.splitlines()]


def plain_rules(name):
    rules = game(name)
    return rules if isinstance(rules, CompiledRules) else as_rules(rules)


@pytest.mark.parametrize("name", NAMES)
def test_grundy_is_for_impartial_games_of_normal_play(run, name):
    result = run("grundy", name)
    if GAMES[name.partition(":")[0]].target.startswith("zermelo.rules.impartial."):
        assert result.exit_code == 0
        start = rows(result.stdout)[1]
        assert start[::2] == rows(run("solve", name).stdout)[1][:2]
        assert (start[1] == "0") == (start[2] == "LOSE")
        return
    other = "solve" if not isinstance(game(name), PartizanRules) else "value"
    for call in (["grundy", name], ["grundy", "--sum", name], ["grundy", "--sum", "*1", name]):
        result = run(*call)
        assert result.exit_code == 2
        assert f"zermelo {other} {name}" in result.stderr
        assert result.stderr.count("\n") == 1
        assert result.stdout == ""


@pytest.mark.sampled(cases=19)
@pytest.mark.parametrize("name", NAMES)
def test_solve_agrees_with_tables(run, monkeypatch, name):
    monkeypatch.setattr(source, "MAX_GRAPH_POSITIONS", FEW)
    result = run("solve", name, "--json")
    if result.exit_code:
        assert f"zermelo build {name} -o FILE.zt" in result.stderr
        return
    rules = plain_rules(name)
    (start,) = json.loads(result.stdout)["start"]
    assert start["position"] == rules.show(rules.start())
    label, distance, _ = solve_rules(rules, symmetry=False).look_up(rules.start())
    forced = None if distance < 0 or label == zm.Label.DRAW else distance
    assert (start["label"], start["distance"]) == (zm.Label(label).name, forced)


@pytest.mark.sampled(cases=16)
@pytest.mark.parametrize("name", NAMES)
def test_positions_are_spelled_as_the_rules_show_them(run, monkeypatch, name):
    monkeypatch.setattr(source, "MAX_GRAPH_POSITIONS", FEW)
    rules = plain_rules(name)
    start = rules.show(rules.start())
    result = run("solve", name, "--start", start)
    if result.exit_code == 0:
        assert rows(result.stdout)[1][0] == start
        assert run("info", name).exit_code == 0
        assert run("trace", name, "--json").exit_code == 0
        drawn = run("draw", name, "-", "--depth", 1)
        assert drawn.exit_code == 0
        assert drawn.stdout.startswith("<svg")


@pytest.mark.parametrize("name", [x for x in NAMES if x.partition(":")[0] not in ("nim", "kayles")])
def test_quotients_are_of_heap_games(run, name):
    result = run("quotient", name)
    assert result.exit_code == 2
    assert "expected the code of a heap game" in result.stderr
    assert f"zermelo solve {name} --objective misere" in result.stderr


EDGES = [("a", "b"), ("b", "a"), ("a", "t"), ("b", "c"), ("c", "a")]
OWNER = {"a": 0, "b": 1, "c": 0, "t": 1}
OBJECTIVES = [
    zm.NormalPlay(), zm.Misere(), zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1(), zm.Reach(["t"]),
    zm.Safety(["a", "b"]), zm.ReachAvoid(["t"], avoid=["b"]),
    zm.TerminalPayoff({"t": 3}), zm.NoReturn(), zm.NoReturn(misere=True),
    zm.Return(), zm.NoRepetition(), zm.Repetition(), zm.Buchi(["a"]), zm.CoBuchi(["a"]),
    zm.Parity({"a": 1, "b": 2, "c": 0, "t": 3}), zm.Muller({"a": 0, "b": 1}, "Inf(0) & Inf(1)"),
]  # fmt: skip


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_files_of_every_objective(run, tmp_path, objective):
    owned = objective.family in ("parity", "muller")
    graph = zm.Graph.from_edges(EDGES, owner=OWNER if owned else None)
    path = tmp_path / "game.json"
    zm.write((graph, objective), path)
    assert run("info", path).exit_code == 0
    solved = run("solve", path, "--verify", "--json")
    assert json.loads(solved.stdout)["objective"] == objective.keyword
    assert run("draw", path, tmp_path / "game.svg").exit_code == 0
    untraced = ("mean-payoff", "discounted", "shortest-path")
    keywords_of_trace = [x.keyword for x in OBJECTIVES if x.keyword not in untraced]
    fits = {"grundy": ("normal",), "trace": keywords_of_trace}
    for command, keywords in fits.items():
        result = run(command, path)
        if objective.keyword in keywords:
            assert result.exit_code == 0
        else:
            assert result.exit_code == 2
            assert "zermelo solve" in result.stderr
    for command in ("explore", "quotient"):
        result = run(command, path, *(["out.json"] if command == "explore" else []))
        assert result.exit_code == 2
        assert f"zermelo solve {path}" in result.stderr


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda x: x.keyword)
def test_pictures_show_the_solution(run, tmp_path, objective):
    owned = objective.family in ("parity", "muller")
    graph = zm.Graph.from_edges(EDGES, owner=OWNER if owned else None)
    path = tmp_path / "game.json"
    zm.write((graph, objective), path)
    picture = run("draw", path, "-").stdout
    solution = zm.solve(graph, objective)
    endless = objective.family == "terminal" and any(
        x and d < 0
        for x, d in zip(solution.label.ravel(), solution.distance.ravel(), strict=True)
    )  # fmt: skip
    assert (f"∞: {objective.endless_mean}" in picture) == endless == ("∞" in picture)
    assert ("results are for play that starts there" in picture) == (
        objective.family == "geography"
    )


def test_what_a_search_gave_up_is_no_draw_in_a_picture():
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (1, 0), (0, 3), (3, 1)])
    text = svg(zm.solve(graph, zm.NoReturn(), start=0, nodes=0))
    assert ">undecided<" in text
    assert ">draw<" not in text


MACHINES = dict.fromkeys(
    ["no-return", "no-return:misere", "return", "no-repetition", "repetition"],
    "depends on all that was played",
) | {"parity": "need no memory"}


@pytest.mark.parametrize(("objective", "message"), MACHINES.items())
def test_machines_are_for_muller_games(run, tmp_path, objective, message):
    path = tmp_path / "game.txt"
    path.write_text("a [0]\nb [1]\na b\nb a\n" if objective == "parity" else "a b\nb a\n")
    more = ["--priority", "a=0,b=1"] if objective == "parity" else []
    result = run("solve", path, "--objective", objective, *more, "--machine", 0)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.slow
def test_misere_inverts_a_game_with_outcomes(run):
    ends = {"connect3:3x3": "misere", "tictactoe": "misere"}
    for name, objective in ends.items():
        turned = rows(run("solve", name, "--objective", objective, "--limit", 1).stdout)[1]
        rules = game(name)
        label, distance, _ = solve_rules(rules, zm.Misere()).look_up(rules.start())
        assert turned[1:3] == [zm.Label(label).name, str(distance)]
        assert (
            rows(run("solve", name, "--objective", "normal", "--limit", 1).stdout)[1]
            == (rows(run("solve", name, "--limit", 1).stdout)[1])
        )
    refused = run("solve", "tictactoe", "--objective", "no-return")
    assert refused.exit_code == 2
    assert "zermelo explore tictactoe FILE.json" in refused.stderr


def test_rules_of_ones_own(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = (
        "def start():\n    return 5\ndef moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n"
    )
    (tmp_path / "count.py").write_text(code)
    assert rows(run("solve", "count.py").stdout)[1] == ["5", "WIN", "3", "3"]
    assert rows(run("grundy", "count.py").stdout)[1] == ["5", "2", "WIN"]
    assert run("convert", "count.py", "count.json").exit_code == 0
    assert run("solve", "count.py", "-o", "s.json").exit_code == 0
    assert run("verify", "count.py", "s.json").exit_code == 0
    (tmp_path / "bad.py").write_text(code.replace("[n - k", "[n // 0 - k"))
    result = run("solve", "bad.py")
    assert (result.exit_code, result.stderr) == (
        2, "zermelo: bad.py:4: moves fails: ZeroDivisionError: integer division or modulo by "
        "zero\n",
    )  # fmt: skip
    (tmp_path / "same.py").write_text(code + "def show(n):\n    return 'x'\n")
    assert "positions 5 and 1 both show as 'x'" in run("solve", "same.py").stderr


def test_sums_of_games(run):
    def value(*components):
        return json.loads(run("grundy", "--sum", *components, "--json").stdout)["value"]

    assert value("nim:3,4") == 7
    assert value("cram:2x3", "nim:3,4", "*7") == value("cram:2x3")
    assert value("nim:3,4:4+3") == value("nim:3,4:3+4") == 7
    assert value("nim:3,4:2+4") == 6
    assert "does not reach 9" in run("grundy", "--sum", "nim:3,4:9").stderr
    shown = rows(run("grundy", "nim:3,4,5", "--start", "5+4+3").stdout)
    assert shown[1][1] == "3+4+5"
