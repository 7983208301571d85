"""Solvers of infinite games know what they need before they take it."""

import pytest

import zermelo as zm
from zermelo.errors import MemoryLimitError
from zermelo.objectives import OBJECTIVES
from zermelo.registry import SOLVERS
from zermelo.solvers.infinite.frame import estimate

GRAPH = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
PARITY = [row.name for row in SOLVERS if row.family == "parity"]


def objective_of(solver):
    taken = [k for k, cls in OBJECTIVES.items() if SOLVERS[solver].applies_to(cls.family, k)]
    return zm.Parity([2, 1, 1]) if "parity" in taken else OBJECTIVES[taken[0]]([1])


@pytest.mark.parametrize("solver", PARITY)
def test_too_little_is_refused(solver, monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", str(estimate(GRAPH) - 1))
    with pytest.raises(MemoryLimitError, match="set ZERMELO_MEMORY to allow more"):
        zm.solve(GRAPH, objective_of(solver), solver=solver)


@pytest.mark.parametrize("solver", ["zielonka", "buchi", "buchi-classical"])
def test_the_solvers_with_the_least_memory_need_no_more(solver, monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", str(estimate(GRAPH)))
    assert zm.solve(GRAPH, objective_of(solver), solver=solver).winner.size == 3


def test_reverse_moves_and_dead_ends_count():
    g = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    before = estimate(g)
    assert g.predecessors(0).tolist() == [1]
    assert before - estimate(g) == 12 * 2 + 8 * 2
    dead = zm.Graph.from_edges([(0, 1), (0, 2)], n=3, owner=[0, 1, 0])
    total = zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0])
    assert estimate(dead) == estimate(total) - 12 + 4 * 2 + 8 * 3
    assert dead.predecessors(1).tolist() == [0]
    assert estimate(dead) == estimate(total) - 12 + 4 * 2 + 8 * 3  # the copy has its own
