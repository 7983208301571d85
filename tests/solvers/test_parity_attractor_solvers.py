"""Fixpoint iteration and priority promotion against a plain recursive solver and the checker."""

import random

import numpy as np
import pytest
from tests.sampling import rounds

import zermelo as zm

SOLVERS = ["zielonka", "fixpoint", "priority-promotion"]
over_solvers = pytest.mark.parametrize("solver", SOLVERS)


def attractor(inside, moves, owner, player, target):
    """What a player can force into ``target`` within a set of positions."""
    got = set(target)
    while True:
        more = {
            v
            for v in inside - got
            if (any if owner[v] == player else all)(w in got for w in moves[v] if w in inside)
        }
        if not more:
            return got
        got |= more


def recursive(inside, moves, owner, priority):
    """Player 0's winning region, by Zielonka's recursion as in the textbook."""
    if not inside:
        return set()
    top = max(priority[v] for v in inside)
    player = top % 2
    drawn = attractor(inside, moves, owner, player, {v for v in inside if priority[v] == top})
    rest = inside - drawn
    zero = recursive(rest, moves, owner, priority)
    lost = zero if player else rest - zero
    if not lost:
        return set() if player else set(inside)
    away = attractor(inside, moves, owner, 1 - player, lost)
    zero = recursive(inside - away, moves, owner, priority)
    return zero | away if player else zero


def random_game(rng, most, least=0):
    n = rng.randint(1, most)
    high, d = rng.choice((1, 2, 3, 4)), rng.choice((2, 3, 5, n, 2 * n))
    edges = {(v, rng.randrange(n)) for v in range(n) for _ in range(rng.randint(least, high))}
    g = zm.Graph.from_edges(sorted(edges), n=n, owner=[rng.randint(0, 1) for _ in range(n)])
    return g, [rng.randrange(d) for _ in range(n)]


def expected(g, priority):
    owner, priority = g.owner.tolist(), list(priority)
    moves = [g.successors(v).tolist() for v in range(g.n)]
    for v in range(g.n):
        if not moves[v]:
            moves[v], priority[v] = [v], 1 - owner[v]
    zero = recursive(set(range(g.n)), moves, owner, priority)
    return [0 if v in zero else 1 for v in range(g.n)]


@pytest.mark.sampled
@over_solvers
@pytest.mark.parametrize("least", [0, 1])
def test_small_games(solver, least):
    rng = random.Random(f"{solver} {least}")
    for _ in range(rounds(1000)):
        g, priority = random_game(rng, 9, least)
        s = zm.solve(g, zm.Parity(priority), solver=solver)
        what = f"{g.to_edges().tolist()}, owner {g.owner.tolist()}, priority {priority}"
        assert s.winner.tolist() == expected(g, priority), what
        assert s.verify() is s


@over_solvers
@pytest.mark.parametrize("mode", ["interpret", "compile"])
def test_both_ways_to_run(solver, mode, monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    rng = random.Random(solver)
    for _ in range(40):
        g, priority = random_game(rng, 60)
        s = zm.solve(g, zm.Parity(priority), solver=solver).verify()
        assert s.winner.tolist() == expected(g, priority)


@pytest.mark.parametrize("d", [2, 7, 5000])
@pytest.mark.parametrize("high", [2, 5])
def test_larger_games_agree(d, high):
    n = 2000
    rng = np.random.default_rng([d, high])
    g = zm.Graph.from_edges(
        [(v, w) for v in range(n) for w in set(rng.integers(0, n, rng.integers(1, high + 1)))],
        n=n,
        owner=rng.integers(0, 2, n),
    )
    objective = zm.Parity(rng.integers(0, d, n))
    first, *others = (zm.solve(g, objective, solver=x).verify() for x in SOLVERS)
    assert all(np.array_equal(first.winner, other.winner) for other in others)


@over_solvers
def test_ladder_with_many_priorities(solver):
    """Rungs of two positions, each with moves to the next rung: both players stay on their side."""
    n = 4000
    edges = [(v, (v - v % 2 + 2 + k) % n) for v in range(n) for k in (0, 1)]
    g = zm.Graph.from_edges(edges, n=n, owner=[v % 2 for v in range(n)])
    s = zm.solve(g, zm.Parity(np.arange(n)), solver=solver).verify()
    assert np.array_equal(s.winner, g.owner)


@pytest.mark.parametrize(
    ("solver", "budget"),
    [
        ("zielonka", "zermelo.solvers.infinite.zielonka.BUDGET_A_CALL"),
        ("fixpoint", "zermelo.solvers.infinite.fixpoint.BUDGET_A_CALL"),
        ("priority-promotion", "zermelo.solvers.infinite.priority_promotion.BUDGET"),
    ],
)
def test_short_budgets_change_nothing(solver, budget, monkeypatch):
    rng = random.Random(solver)
    games = [random_game(rng, 80) for _ in range(20)]
    whole = [zm.solve(g, zm.Parity(p), solver=solver) for g, p in games]
    monkeypatch.setattr(budget, 1)
    reports = []
    for (g, p), s in zip(games, whole, strict=True):
        t = zm.solve(g, zm.Parity(p), solver=solver, progress=lambda *x: reports.append(x))
        assert np.array_equal(s.winner, t.winner)
        assert np.array_equal(s.strategy, t.strategy)
    assert all(0 <= done <= total for done, total, _ in reports)
    assert reports


@over_solvers
def test_empty_game_and_huge_priorities(solver):
    empty = zm.Graph.from_edges([], n=0, owner=[])
    assert zm.solve(empty, zm.Parity([]), solver=solver).winner.size == 0
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    s = zm.solve(g, zm.Parity([2**31 - 4, 2**31 - 3]), solver=solver).verify()
    assert s.winner.tolist() == [1, 1]


def test_loose_positions_are_watched_through_a_loose_successor():
    """A position that stays loose keeps a move to a loose one, or it is opened for nothing.

    Without that move the answers are the same, but this game takes five rounds.
    """
    edges = [(0, 0), (0, 3), (0, 4), (1, 0), (1, 3), (1, 4), (2, 0), (2, 1), (2, 2), (3, 2),
             (3, 4), (4, 1), (4, 2), (4, 4)]  # fmt: skip
    graph = zm.Graph.from_edges(edges, n=5, owner=[0, 0, 1, 1, 0])
    solution = zm.solve(graph, zm.Parity([5, 1, 2, 0, 0]), solver="fixpoint").verify()
    assert solution.stats["rounds"] == 4
