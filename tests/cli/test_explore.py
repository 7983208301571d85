"""``zermelo games`` and ``zermelo explore``."""

import json

import pytest

import zermelo as zm
from zermelo.registry import FORMATS, GAMES, GameRow
from zermelo.rules.base import as_rules


def test_the_list_of_games(run):
    rows = [line.split("\t") for line in run("games").stdout.splitlines()]
    assert rows[0] == ["game", "parameters", "example", "summary"]
    assert [row[0] for row in rows[1:]] == [row.name for row in GAMES]
    data = json.loads(run("games", "--json").stdout)["games"]
    assert [x["example"] for x in data] == [row.example for row in GAMES]


def test_the_list_on_a_terminal(on_terminal):
    status, shown = on_terminal("games", columns=120)
    assert status == 0
    assert "chomp:ROWSxCOLUMNS" in shown


LARGE = {
    "tictactoe", "mnk", "connect4", "three-mens-morris", "tapatan", "achi", "nine-holes", "l-game",
    "dao", "othello", "chess", "dobutsu", "teeko",
}  # fmt: skip
"""Games whose example has thousands of positions."""


@pytest.mark.sampled(cases=9)
@pytest.mark.slow("connect3", "fox-and-geese")
@pytest.mark.parametrize(
    "row", [row for row in GAMES if row.name not in LARGE], ids=lambda row: row.name
)
def test_every_game_fits_every_format_with_names(run, tmp_path, row):
    rules = zm.game(row.example)
    rules = rules if isinstance(rules, zm.CompiledRules) else as_rules(rules)
    plain = isinstance(rules.objective(), zm.NormalPlay)
    graph, _ = zm.explore(rules)
    shown = graph.with_names([rules.show(x) for x in graph.names])
    needed = {"graph", "names"} if plain else {"graph", "names", "objective"}
    for form in FORMATS:
        if needed <= {*form.holds} and not form.games:
            out = tmp_path / f"game{form.suffixes[0]}"
            result = run("explore", row.example, out)
            assert (result.exit_code, result.output) == (0, "")
            found = zm.read(out).graph
            edges = {(found.name(u), found.name(v)) for u, v in found.to_edges().tolist()}
            assert edges == {(shown.name(u), shown.name(v)) for u, v in graph.to_edges().tolist()}


@pytest.mark.slow
def test_options(process):
    solved = process("explore", "wythoff:9,9", "--start", "5,3", "-", check=0).stdout
    assert solved.splitlines()[0].startswith('"3,5" ')
    whole = process("explore", "cram:3x3", "-", check=0).stdout
    assert len(process("explore", "cram:3x3", "--symmetry", "-", check=0).stdout) < len(whole)
    done = process("explore", "nim:9,9,9", "--limit", "50", "-", check=2)
    assert done.stderr.startswith("zermelo: there are more than 50 positions; ")
    done = process("explore", "chom:2x2", "-", check=2)
    assert done.stderr.startswith("zermelo: no game is called 'chom'; did you mean 'chomp'?")


class Race(zm.Rules):
    """Who says 3 wins, by an outcome; nobody can move from 4, a tie."""

    def start(self):
        return 0

    def moves(self, n):
        return [n + 1, n + 2]

    def outcome(self, n):
        return {3: -1, 4: 0}.get(n)


class RaceRow(GameRow):
    def load(self):
        return Race


def test_outcomes_are_written_with_the_graph(run, tmp_path, monkeypatch):
    monkeypatch.setitem(GAMES._rows, "race", RaceRow("race", "count to 3", ""))
    out = tmp_path / "race.json"
    assert run("explore", "race", out).exit_code == 0
    graph, objective = zm.read(out)
    assert graph.names == ("0", "1", "2", "3", "4")
    assert zm.solve(graph, objective).label.tolist() == [-1, 1, 1, -1, 0]
    result = run("explore", "race", tmp_path / "race.txt")
    assert result.exit_code == 2
    assert "no format for an objective has this suffix" in result.stderr
