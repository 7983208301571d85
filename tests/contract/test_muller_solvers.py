"""What every solver of Muller games must do; runs over the registry.

Each solver agrees with the oracle (latest appearance records) on all small games and on random
ones, passes the checker with both machines, and leaves its input alone.
"""

import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from tests import games
from tests import muller_oracle as oracle
from zermelo.registry import OBJECTIVES, SOLVERS

CASES = [
    (row.name, other.name)
    for row in SOLVERS
    for other in OBJECTIVES.own
    if other.family == "muller" and row.applies_to(other.family, other.name)
]
over_cases = pytest.mark.parametrize(("solver", "keyword"), CASES)
CONDITIONS = (
    "Inf(0) & Inf(1)",
    "Fin(0) | Inf(1)",
    "Fin(0) & Fin(1)",
    [{0}, {0, 1}],
    [{0}, {1}],
    [],
)


def test_there_are_solvers():
    assert CASES


def solve_untouched(graph, objective, solver):
    """Solve; the graph must be as before and the answer's arrays fixed and read-only."""
    arrays = (graph.indptr, graph.indices, graph.owner)
    before = [a.copy() for a in arrays]
    s = zm.solve(graph, objective, solver=solver)
    assert (s.graph, s.objective, s.solver) == (graph, objective, solver)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))
    for array, kind in ((s.level, np.int8), (s.label, np.int8), (s.distance, np.int32)):
        assert array.shape == (graph.n,)
        assert array.dtype == kind
        assert array.flags.c_contiguous
        assert not array.flags.writeable
    assert len(s.machines) == 2
    return s


def check(graph, objective, solver):
    s = solve_untouched(graph, objective, solver)
    what = f"{graph.to_edges().tolist()}, owner {graph.owner.tolist()}, {objective}"
    assert s.winner.tolist() == oracle.solve(graph, objective), what
    assert s.verify() is s, what


@pytest.mark.slow("2-latest-appearance-records-muller", "2-zielonka-tree-muller")
@over_cases
@pytest.mark.parametrize("n", range(1, 3))
def test_all_owned_digraphs(solver, keyword, n):
    for graph in games.all_owned_digraphs(n):
        for colour in itertools.product((None, 0, 1), repeat=n):
            for condition in CONDITIONS:
                check(graph, OBJECTIVES[keyword].load()(list(colour), condition), solver)


@pytest.mark.slow
@over_cases
def test_three_positions(solver, keyword):
    """Every owned digraph with three positions, with colours and a condition by its number."""
    rng = random.Random(f"{solver} {keyword}")
    for k, graph in enumerate(games.all_owned_digraphs(3)):
        colour = [rng.choice((None, 0, 1, [0, 1])) for _ in range(3)]
        check(graph, OBJECTIVES[keyword].load()(colour, CONDITIONS[k % len(CONDITIONS)]), solver)


@over_cases
def test_random_games(solver, keyword):
    for seed in range(60):
        graph, objective = oracle.random_game(f"{solver} {seed}", most=7, colours=3)
        check(graph, objective, solver)


@over_cases
def test_corner_cases(solver, keyword):
    make = OBJECTIVES[keyword].load()
    nothing = zm.Graph.from_edges([], n=0, owner=[])
    s = solve_untouched(nothing, make([], "Inf(0)"), solver)
    assert s.label.size == s.winner.size == s.move.size == 0
    s.verify()
    for edges, n in (
        ([(0, 0)], 1),
        ([], 1),
        ([], 4),
        ([(0, 1)], 3),
        ([(k, (k + 1) % 12) for k in range(12)], 12),
        ([(0, k) for k in range(1, 9)], 9),
    ):
        for parity in (0, 1):
            owner = [(k + parity) % 2 for k in range(n)]
            graph = zm.Graph.from_edges(edges, n=n, owner=owner)
            for condition in CONDITIONS:
                check(graph, make([k % 2 for k in range(n)], condition), solver)


@over_cases
def test_progress_and_repetition(solver, keyword):
    """The same answer every time, whether or not somebody watches."""
    for seed in range(10):
        graph, objective = oracle.random_game(seed)
        seen = []
        first = zm.solve(graph, objective, solver, progress=lambda *r: seen.append(r))  # noqa: B023
        again = zm.solve(graph, objective, solver)
        for name in ("level", "label", "distance", "move"):
            assert getattr(first, name).tobytes() == getattr(again, name).tobytes()
        assert all(0 <= done <= total and what for done, total, what in seen)
