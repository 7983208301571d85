"""Answers on access: if the solver is broken, no wrong answer is given."""

import dataclasses

import numpy as np
import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.labels import UNDECIDED
from zermelo.solvers.geography import strategy as continuation

SETTLE = continuation.settle
over_games = pytest.mark.parametrize("game", oracle.GAMES)


def flipped(*given, **options):
    play = SETTLE(*given, **options)
    return dataclasses.replace(play, label=-play.label)


def won(*given, **options):
    play = SETTLE(*given, **options)
    return dataclasses.replace(play, label=np.ones_like(play.label))


def nothing(*given, **options):
    """The result of the plain game, and no pieces."""
    play = SETTLE(*given, **options)
    label, silent = play.plain.label.copy(), np.zeros(play.graph.n, np.int32)
    first = np.where(label > 0, play.plain.move, -1).astype(np.int32)
    label[label == 0] = UNDECIDED
    return dataclasses.replace(play, label=label, order=silent, pieces=(), first=first)


def another_graph(graph, *given, **options):
    kept = np.flatnonzero(np.arange(graph.m) % 3)
    source, target = graph.to_edges()[kept].T
    return SETTLE(zm.Graph.from_arrays(source, target, graph.n), *given, **options)


def another_game(graph, objective, *given, **options):
    other = zm.NoReturn(misere=objective.stuck < 0)
    return SETTLE(graph, other, *given, **options)


def short(*given, **options):
    play = SETTLE(*given, **options)
    return dataclasses.replace(play, label=play.label[1:].copy())


def another_type(*given, **options):
    play = SETTLE(*given, **options)
    return dataclasses.replace(play, first=play.first.astype(np.float64))


SABOTAGE = [flipped, won, nothing, another_graph, another_game, short, another_type]


@pytest.mark.sampled(cases=9)
@over_games
@pytest.mark.parametrize("settle", SABOTAGE)
def test_sabotage_of_the_solver(game, settle, monkeypatch):
    """Every answer is right or refused; most are refused."""
    refused = 0
    for g in games.random_graphs(12, f"sabotage {game}", high=6, moves=12):
        succ = games.rows(g)
        solution = zm.solve(g, games.objective(game)).verify()
        with monkeypatch.context() as patched:
            patched.setattr(continuation, "settle", settle)
            for v in range(g.n):
                try:
                    found = solution[v].best_moves if solution.label[v] > 0 else ()
                    assert list(found) == oracle.winning_moves(succ, game, (v,))
                    line = solution.line(v)
                    strategy = solution.strategy(v)
                    assert list(line) == list(strategy.play())
                    assert games.winner(succ, game, tuple(line)) == strategy.player
                except CertificateError:
                    refused += 1
    assert refused > 5


@over_games
def test_first_moves_need_no_solver(game, monkeypatch):
    """``verify`` checks ``move``, which is found together with the labels."""
    monkeypatch.setattr(continuation, "settle", None)
    for g in games.random_graphs(12, f"first {game}", high=7, moves=12):
        succ = games.rows(g)
        for solver in ("geography", "geography-search"):
            solution = zm.solve(g, games.objective(game), solver).verify()
            for v in range(g.n):
                moves = oracle.winning_moves(succ, game, (v,)) if solution.label[v] > 0 else []
                assert solution.move[v] in (moves or [-1])


def test_all_winning_moves_where_the_plain_game_has_one():
    """The winning moves are t and the move into the cycle, where three moves are left."""
    g = zm.Graph.from_edges([("s", "t"), ("s", "x"), ("x", "y"), ("y", "z"), ("z", "x")])
    solution = zm.solve(g, zm.NoReturn())
    assert solution["s"].best_moves == solution.winning_moves(["s"]) == ("t", "x")


def test_a_move_that_was_not_decided_is_refused(monkeypatch):
    """The rest of the cycle is won or lost; the move to t is not the only winning move."""
    g = zm.Graph.from_edges([("s", "t"), ("s", "x"), ("x", "y"), ("y", "z"), ("z", "x")])
    solution = zm.solve(g, zm.NoReturn())
    monkeypatch.setattr(continuation, "settle", nothing)
    with pytest.raises(CertificateError, match="expected a label, because a move leads there"):
        solution.winning_moves(["s"])


def test_positional_strategies_are_checked(monkeypatch):
    g = zm.generators.path(5, symmetric=True).graph
    strategy = zm.solve(g, zm.NoReturn()).strategy(0)
    find = continuation._positional
    monkeypatch.setattr(
        continuation,
        "_positional",
        lambda *given: ({v: v - 1 for v in find(*given)[0]}, find(*given)[1]),
    )
    with pytest.raises(CertificateError, match="expected its mate"):
        _ = strategy.positional


def test_a_wrong_winner_is_found_when_no_move_wins():
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 1)])
    solution = zm.solve(g, zm.NoReturn()).verify()
    assert solution.label.tolist() == [-1, -1, 1]
    wrong = dataclasses.replace(solution, label=np.array([1, -1, 1], np.int8))
    with pytest.raises(CertificateError, match="expected a winning move after 0, got none"):
        wrong.line(0)


def test_a_strategy_that_was_left_has_no_move():
    """At 3 she has a move, but it no longer wins."""
    g = zm.Graph.from_edges([(0, 1), (0, 2), (2, 3), (3, 4), (4, 5)])
    strategy = zm.solve(g, zm.NoReturn()).strategy(0)
    assert strategy.move([0]) == 1
    with pytest.raises(InvalidOptionError, match=r"no move wins any more after \[0, 2, 3\]"):
        strategy.move([0, 2, 3])


def test_a_player_needs_no_move_where_being_stuck_wins():
    strategy = zm.solve(zm.Graph.from_edges([(0, 1), (1, 2)]), zm.NoReturn(misere=True)).strategy(0)
    assert strategy.move([0, 1, 2]) is None
    assert list(strategy.play()) == [0, 1, 2]
