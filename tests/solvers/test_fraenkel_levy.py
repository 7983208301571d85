"""The Fraenkel–Lévy labelling against its definition in [Loewe2004] §4 and the default solver."""

import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import SolverError
from zermelo.solvers.terminal import fraenkel_levy


def digraphs(n):
    """All digraphs on n positions, loops included."""
    arcs = list(itertools.product(range(n), repeat=2))
    for mask in range(1 << len(arcs)):
        yield zm.Graph.from_edges([a for k, a in enumerate(arcs) if mask >> k & 1], n=n)


def random_graph(rng, n, owned=False):
    arcs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 2 * n))]
    owner = [rng.randrange(2) for _ in range(n)] if owned else None
    return zm.Graph.from_edges(arcs, n=n, owner=owner)


def rounds_by_definition(graph):
    """FL⁰, FL¹, … as dictionaries, up to the first that equals the one before it."""
    moves = [graph.successors(v).tolist() for v in range(graph.n)]
    fl = {v: -1 for v in range(graph.n) if not moves[v]}
    yield fl
    while True:
        more = dict(fl)
        for v in range(graph.n):
            if v in fl:
                continue
            sign = dict.fromkeys(moves[v], -1)
            if graph.owner is not None:
                sign = {w: 1 if graph.owner[v] == graph.owner[w] else -1 for w in moves[v]}
            seen = [sign[w] * fl[w] if w in fl else 0 for w in moves[v]]
            if 1 in seen:
                more[v] = 1
            elif all(x == -1 for x in seen):
                more[v] = -1
        if more == fl:
            return
        yield more
        fl = more


def check(graph):
    s = zm.solve(graph, solver="fraenkel-levy")
    rounds = list(rounds_by_definition(graph))
    assert s.stats["rounds"] == len(rounds) - 1
    assert s.stats["rounds"] <= graph.n
    for n, fl in enumerate(rounds):
        known = (s.distance != zm.NO_DISTANCE) & (s.distance <= n)
        assert {v: int(s.label[v]) for v in np.flatnonzero(known)} == fl
    assert s.stats["layers"].tolist() == np.bincount(
        s.distance[s.distance >= 0], minlength=1
    ).tolist()  # fmt: skip
    default = zm.solve(graph)
    for name in ("label", "level", "distance", "value", "winner", "move"):
        assert np.array_equal(getattr(s, name), getattr(default, name)), name


@pytest.mark.slow("3")
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_every_small_digraph(n):
    for graph in digraphs(n):
        check(graph)


@pytest.mark.parametrize("owned", [False, True])
def test_random_graphs(owned):
    rng = random.Random(20)
    for _ in range(300):
        check(random_graph(rng, rng.randint(1, 12), owned))


def test_every_owner_of_every_digraph_of_two_positions():
    for graph in digraphs(2):
        for owner in itertools.product((0, 1), repeat=2):
            check(graph.with_owner(owner))


def test_a_path_takes_as_many_rounds_as_moves():
    s = zm.solve(zm.Graph.from_edges([(v, v + 1) for v in range(1000)]), solver="fraenkel-levy")
    assert s.stats["rounds"] == 1000
    assert s.distance.tolist() == list(range(1000, -1, -1))


def test_a_cycle_without_exit_is_a_draw_in_no_round():
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]), solver="fraenkel-levy")
    assert s.label.tolist() == [0, 0]
    assert s.stats["rounds"] == 0


def test_it_stops_and_continues(monkeypatch):
    graph = random_graph(random.Random(5), 200)
    whole = zm.solve(graph, solver="fraenkel-levy")
    seen = []
    monkeypatch.setattr(fraenkel_levy, "BUDGET", 1)
    s = zm.solve(graph, solver="fraenkel-levy", progress=lambda *report: seen.append(report))
    assert np.array_equal(s.label, whole.label)
    assert np.array_equal(s.distance, whole.distance)
    done = [report[0] for report in seen]
    assert len(done) == s.stats["rounds"]
    assert done == sorted(done)


@pytest.mark.parametrize("mode", ["interpret", "compile"])
@pytest.mark.parametrize("owned", [False, True])
def test_both_ways_to_run_agree(monkeypatch, mode, owned):
    monkeypatch.setenv("ZERMELO_KERNELS", mode)
    check(random_graph(random.Random(6), 60, owned))


def test_other_games_are_refused():
    graph = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(SolverError, match="misere"):
        zm.solve(graph, zm.Misere(), solver="fraenkel-levy")
    with pytest.raises(SolverError, match="normal play"):
        fraenkel_levy.solve(graph, zm.Misere())
