"""Exploring rules that somebody wrote: objects, modules, outcomes, limits, mistakes."""

import types

import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError, InvalidRulesError, LimitError, MemoryLimitError
from zermelo.rules.base import as_rules
from zermelo.rules.impartial.nim import Nim
from zermelo.rules.values import position_values


class TicTacToe(zm.Rules):
    """Rows, columns and diagonals of "xo " times 9; x moves first."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def start(self):
        return " " * 9

    def moves(self, board):
        mine = "xo"[9 - board.count(" ") & 1]
        return [board[:i] + mine + board[i + 1 :] for i in range(9) if board[i] == " "]

    def outcome(self, board):
        if any(board[a] == board[b] == board[c] != " " for a, b, c in self.LINES):
            return zm.Label.LOSE
        return None if " " in board else zm.Label.DRAW


def test_tic_tac_toe_has_the_counts_of_the_table_of_computed_games():
    rules = TicTacToe()
    graph, _ = zm.explore(rules)
    s = zm.solve(graph, rules.objective()).verify()
    labels = s.label.tolist()
    # positions, moves, W, L, T, start: a tie in 9; truth/computed_games.tsv
    assert (graph.n, graph.m) == (5478, 16167)
    assert [labels.count(x) for x in (1, -1, 0)] == [2836, 1574, 1068]
    assert (s[rules.start()].label, s[rules.start()].distance) == (0, 9)


def test_an_outcome_ends_play_whatever_the_moves_are():
    rules = types.SimpleNamespace(
        start=lambda: 0, moves=lambda n: [n + 1], outcome=lambda n: 1 if n == 3 else None
    )
    graph, _ = zm.explore(rules)
    assert graph.n == 4
    assert zm.solve(graph, as_rules(rules).objective()).label.tolist() == [-1, 1, -1, 1]
    with pytest.raises(InvalidRulesError, match="at 3 the outcome is 1"):
        position_values(rules)[0]


def test_a_stuck_player_without_an_outcome_loses_in_games_with_outcomes():
    rules = types.SimpleNamespace(
        start=lambda: "a", moves=lambda x: "bc" if x == "a" else "", outcome={"b": 0}.get
    )
    graph, _ = zm.explore(rules)
    assert zm.solve(graph, as_rules(rules).objective()).label.tolist() == [1, 0, -1]


def test_any_object_with_start_and_moves_is_rules():
    module = types.ModuleType("my_game")
    exec("start = lambda: 7\ndef moves(n): return {n - k for k in (1, 2) if k <= n}", vars(module))
    graph, _ = zm.explore(module)
    assert graph.names[0] == 7
    assert sorted(graph.names) == list(range(8))
    assert [zm.solve(graph)[n].label < 0 for n in range(8)] == [n % 3 == 0 for n in range(8)]
    assert position_values(module)[7] == 1
    assert isinstance(as_rules(module).objective(), zm.NormalPlay)


def test_cycles_and_loops_stay():
    rules = types.SimpleNamespace(start=lambda: 0, moves=lambda n: [n, (n + 1) % 3, n])
    graph, _ = zm.explore(rules)
    assert graph.to_edges().tolist() == [[0, 0], [0, 1], [1, 1], [1, 2], [2, 0], [2, 2]]
    with pytest.raises(InvalidRulesError, match="play can come back to 0"):
        position_values(rules)[0]


def test_another_start():
    assert zm.explore(Nim(9, 9), (1, 2)).graph.n == 5
    assert zm.explore(Nim(9, 9), start=()).graph.n == 1


def test_the_limit_reports_how_far_it_went():
    assert zm.explore(Nim(1, 2), limit=5).graph.n == 5
    with pytest.raises(LimitError, match="more than 4 positions; 1 of them were explored"):
        zm.explore(Nim(1, 2), limit=4)
    for wrong in (0, -1, 2.5, "3", True):
        with pytest.raises(InvalidOptionError, match="limit: expected a number of positions"):
            zm.explore(Nim(1, 2), limit=wrong)


def test_a_game_without_end_stops_before_memory_does(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    rules = types.SimpleNamespace(start=lambda: 1, moves=lambda n: [2 * n, 2 * n + 1])
    with pytest.raises(MemoryLimitError, match=r"positions were found, [\d,]+ of them explored"):
        zm.explore(rules)


def test_progress_is_reported():
    calls = []
    zm.explore(Nim(20, 30, 31), progress=lambda *call: calls.append(call))
    assert len(calls) > 1
    assert all(0 <= done <= found for done, found, _ in calls)
    assert calls == sorted(calls)


def test_mistakes_are_named():
    with pytest.raises(InvalidRulesError, match="call Nim to make some"):
        zm.explore(Nim)
    with pytest.raises(InvalidRulesError, match=r"with start\(\) and moves\(position\), got None"):
        zm.explore(None)
    for moves, message in (
        (lambda x: None, r"moves\(0\): expected positions, got None"),
        (lambda x: [[x]], r"moves\(0\): expected positions that are hashable, got \[0\]"),
    ):
        with pytest.raises(InvalidRulesError, match=message):
            zm.explore(types.SimpleNamespace(start=lambda: 0, moves=moves))
    with pytest.raises(InvalidRulesError, match=r"start\(\): expected positions that are hash"):
        zm.explore(types.SimpleNamespace(start=list, moves=lambda x: x))
    assert TicTacToe().parse(TicTacToe().start()) == TicTacToe().start()
    rules = type("Shown", (TicTacToe,), {"show": lambda self, board: f"[{board}]"})()
    with pytest.raises(InvalidRulesError, match=r"Shown cannot read positions: no parse\(\)"):
        rules.parse(rules.show(rules.start()))


@pytest.mark.slow
def test_values_need_no_recursion():
    rules = types.SimpleNamespace(start=lambda: 50_000, moves=lambda n: [n - 1] if n else [])
    values = position_values(rules)
    assert values.start == 0
    assert len(values) == 50_001
