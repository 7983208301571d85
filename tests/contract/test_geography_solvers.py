"""What every solver of games of return and repetition must do; runs over the registry.

Each solver, on each objective that it takes and each graph that it takes, agrees with the plain
definition (all histories), passes the checker, and leaves its input alone. A solver for some graphs
only says of the others that they are not for it.
"""

import random

import numpy as np
import pytest

import zermelo as zm
from tests import games as small
from tests import oracles_geography as oracle
from tests.geography import games
from tests.sampling import some
from zermelo.errors import InvalidObjectiveError, ZermeloError
from zermelo.registry import OBJECTIVES, SOLVERS

CASES = [
    (row.name, game)
    for row in SOLVERS
    for game in oracle.GAMES
    if row.applies_to("geography", game.partition(" ")[0])
]
over_cases = pytest.mark.parametrize(("solver", "game"), CASES)


def test_every_objective_of_the_family_has_an_oracle():
    keywords = {row.name for row in OBJECTIVES.own if row.family == "geography"}
    assert keywords == {game.partition(" ")[0] for game in oracle.GAMES}


def solve_untouched(graph, objective, solver, **more):
    """Solve; the graph must be as before and the answer's arrays fixed and read-only."""
    before = [graph.indptr.copy(), graph.indices.copy()]
    s = zm.solve(graph, objective, solver, **more)
    assert (s.graph, s.objective, s.solver) == (graph, objective, solver)
    assert np.array_equal(graph.indptr, before[0])
    assert np.array_equal(graph.indices, before[1])
    kinds = {"level": np.int8, "label": np.int8, "distance": np.int32, "move": np.int32}
    for name, kind in kinds.items():
        array = getattr(s, name)
        assert array.shape == (graph.n,)
        assert array.dtype == kind
        assert array.flags.c_contiguous
        assert not array.flags.writeable
    return s


def check(graph, game, solver):
    """Whether the solver took the graph; if so, its answers are right."""
    try:
        s = solve_untouched(graph, games.objective(game), solver)
    except ZermeloError as refusal:
        return refusal
    what = f"{graph.to_edges().tolist()}, {game}"
    assert s.label.tolist() == oracle.labels(games.rows(graph), game), what
    assert s.verify() is s, what
    return None


@pytest.mark.slow("3-acyclic-no-repetition misere")
@pytest.mark.sampled
@over_cases
@pytest.mark.parametrize("n", range(4))
def test_all_digraphs(solver, game, n):
    refusals = [check(graph, game, solver) for graph in some(list(small.all_digraphs(n)))]
    assert None in refusals
    assert all(str(x) for x in refusals if x is not None)
    if solver.startswith("geography"):
        assert set(refusals) == {None}


@over_cases
def test_random_digraphs(solver, game):
    taken = 0
    for graph in games.random_graphs(40, f"{solver} {game}", high=7, moves=12):
        taken += check(graph, game, solver) is None
    assert taken == 40 or not solver.startswith("geography")


@over_cases
def test_a_start(solver, game):
    """What the start depends on is decided, and the start is remembered."""
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (3, 0), (3, 2)], n=5)
    for v in range(graph.n):
        s = solve_untouched(graph, games.objective(game), solver, start=v).verify()
        assert s.start == v
        assert s.label[v] == (1 if oracle.wins(games.rows(graph), game, (v,)) else -1)


@over_cases
def test_corner_cases(solver, game):
    nothing = zm.Graph.from_edges([], n=0)
    s = solve_untouched(nothing, games.objective(game), solver)
    assert s.label.size == s.distance.size == s.move.size == 0
    s.verify()
    for edges, n in (
        ([(0, 0)], 1),
        ([], 1),
        ([], 5),
        ([(0, 1)], 4),
        ([(0, 0), (1, 2), (1, 0)], 3),
        ([(k, k + 1) for k in range(12)], 13),
        ([(k, (k + 1) % 7) for k in range(7)], 7),
        ([(0, k) for k in range(1, 9)], 9),
        ([(j, k) for j in range(3) for k in range(3)], 3),
    ):
        refusal = check(zm.Graph.from_edges(edges, n=n), game, solver)
        assert refusal is None or not solver.startswith("geography")


@over_cases
def test_owners_are_refused(solver, game):
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="expected a graph without owners"):
        zm.solve(graph, games.objective(game), solver)


@over_cases
def test_progress_and_repetition(solver, game):
    """The same bytes every time, whether or not somebody watches."""
    rng = random.Random(f"{solver} {game}")
    edges = [(v, w) for v in range(7) for w in range(v + 1, 7) if rng.random() < 0.5]
    graph = zm.Graph.from_edges(edges, n=7)
    seen = []
    first = zm.solve(graph, games.objective(game), solver, progress=lambda *r: seen.append(r))
    again = zm.solve(graph, games.objective(game), solver)
    for name in ("level", "label", "distance", "move"):
        assert getattr(first, name).tobytes() == getattr(again, name).tobytes()
    assert all(0 <= done <= total and what for done, total, what in seen)
