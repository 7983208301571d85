"""What the contract does not reach: short budgets, a store that is full, families of hard games."""

import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import MemoryLimitError
from zermelo.registry import GENERATORS
from zermelo.solvers.infinite import tangle_learning
from zermelo.solvers.infinite.frame import make_game


def some_games(count=40, n=120):
    """Sparse games with many priorities: these have tangles."""
    for seed in range(count):
        rng = random.Random(seed)
        edges = [(v, rng.randrange(n)) for v in range(n) for _ in range(rng.randint(1, 2))]
        graph = zm.Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])
        yield make_game(graph, zm.Parity([rng.randrange(n) for _ in range(n)]))


def same(a, b):
    return np.array_equal(a.winner, b.winner) and np.array_equal(a.strategy, b.strategy)


def test_short_budgets_change_nothing(monkeypatch):
    whole = [tangle_learning.run(game) for game in some_games()]
    assert sum(answer.stats["tangles"] for answer in whole) > len(whole)
    monkeypatch.setattr(tangle_learning, "BUDGET_A_CALL", 1)
    reports = []
    for game, answer in zip(some_games(), whole, strict=True):
        assert same(tangle_learning.run(game, lambda *r: reports.append(r)), answer)
    assert len(reports) > 2 * len(whole)
    assert all(0 <= done <= total and what for done, total, what in reports)


def test_a_full_store_grows_and_forgets(monkeypatch):
    whole = [tangle_learning.run(game) for game in some_games()]
    calls, forget = [], tangle_learning.k.forget

    def counting(status, tangles, state):
        before = int(state[tangle_learning.k.SIZE])
        forget(status, tangles, state)
        calls.append(before > state[tangle_learning.k.SIZE])

    monkeypatch.setattr(tangle_learning, "FIRST_ENTRIES", 0)
    monkeypatch.setattr(tangle_learning.k, "forget", counting)
    for game, answer in zip(some_games(), whole, strict=True):
        s = tangle_learning.solve(game.graph, zm.Parity(game.priority)).verify()
        assert np.array_equal(s.winner, answer.winner)
    assert True in calls
    assert False in calls


def test_a_store_that_does_not_fit(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1k")
    with pytest.raises(MemoryLimitError, match="storing the tangles"):
        tangle_learning.grown(np.zeros(1000, np.int32))


@pytest.mark.parametrize(
    ("family", "n"),
    [
        ("two-counters", 4),
        ("recursive-ladder", 12),
        ("gazda", 6),
        ("worst-core", 5),
        ("region-recovery", 5),
        ("delayed-promotion", 5),
        ("switch-all", 3),
        ("clique", 30),
    ],
)
def test_hard_families(family, n):
    graph, objective = GENERATORS[family].load()(n=n)
    s = zm.solve(graph, objective, solver="tl").verify()
    assert s.winner.tolist() == zm.solve(graph, objective, solver="zielonka").winner.tolist()
