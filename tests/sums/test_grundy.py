"""Sprague–Grundy values: known answers, the definition by sums with nimbers, and both passes."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from tests.games import all_digraphs
from tests.sums.loopy import nim_heap, product, random_game

import zermelo as zm
from zermelo.errors import InvalidGraphError, InvalidOptionError, MemoryLimitError
from zermelo.sums import grundy as module
from zermelo.sums.order import find_cycle, numbered, successors_first
from zermelo.sums.values import mex, outcome

GOLDEN = Path(__file__).parents[1] / "golden" / "loopy_values.jsonl"
EXAMPLE = zm.Graph.from_edges([("a", "b"), ("a", "t"), ("b", "a"), ("b", "t"), ("e", "a")])


def test_known_values():
    rows = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    assert len(rows) == 200
    for row in rows:
        edges = [(u, v) for u, options in enumerate(row["succ"]) for v in options]
        solved = zm.grundy(zm.Graph.from_edges(edges, n=len(row["succ"]))).verify()
        wanted = [zm.Infinite(x["inf"]) if isinstance(x, dict) else x for x in row["sg"]]
        assert [solved[v] for v in range(len(wanted))] == wanted


def test_the_example_of_the_theory():
    s = zm.grundy(EXAMPLE).verify()
    assert (s["t"], s["e"], s["a"], s["b"]) == (0, 0, zm.Infinite({0}), zm.Infinite({0}))
    assert s.label.tolist() == zm.solve(EXAMPLE).label.tolist()
    assert zm.Sum([(EXAMPLE, "a"), 1]).outcome == zm.Label.DRAW
    assert zm.Sum([(EXAMPLE, "a"), (EXAMPLE, "b")]).outcome == zm.Label.DRAW
    assert zm.Sum([(EXAMPLE, "e"), 2]).value == 2


def agrees_with_nimbers(graph, most):
    solved = zm.grundy(graph).verify()
    places, whole = product([graph, nim_heap(most)])
    label = zm.solve(whole).label
    for (v, n), x in zip(places, label.tolist(), strict=True):
        assert outcome(zm.nim_sum([solved[v], n])) == x, (v, n)
    assert solved.label.tolist() == zm.solve(graph).label.tolist()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_small_digraph(n):
    """Values are defined by the outcomes of sums with nimbers, which plain solving tells."""
    graphs = list(all_digraphs(n))
    for graph in graphs[:: 1 if n < 3 else 7]:
        agrees_with_nimbers(graph, n + 1)


@pytest.mark.parametrize("seed", range(40))
def test_random_digraphs(seed):
    agrees_with_nimbers(random_game(random.Random(seed), 9), 4)


@pytest.mark.parametrize("seed", range(10))
def test_an_acyclic_graph_is_valued_by_mex(seed):
    rng = random.Random(seed)
    n = 30
    names = rng.sample(range(n), n)
    edges = [(names[u], names[v]) for u in range(n) for v in range(u) if rng.random() < 0.2]
    graph = zm.Graph.from_edges(edges, n=n)
    solved = zm.grundy(graph).verify()
    wanted = {}
    for v in names:
        wanted[v] = mex(wanted[w] for w in graph.successors(v).tolist())
    assert solved.acyclic
    assert solved.value.tolist() == [wanted[v] for v in range(n)]


@pytest.mark.parametrize("seed", range(30))
def test_rounds_and_pass_agree(seed):
    """The rounds for cyclic graphs give acyclic ones the same values, and a valid certificate."""
    rng = random.Random(seed)
    n = 12
    edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.3]
    graph = zm.Graph.from_edges(edges, n=n)
    rounds = module._by_rounds(graph, None)
    assert not rounds.acyclic
    assert rounds.verify().value.tolist() == zm.grundy(graph).value.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_many_short_steps_are_one_long_one(seed, monkeypatch):
    graph = random_game(random.Random(seed), 12)
    whole = module._by_rounds(graph, None)
    monkeypatch.setattr(module, "STEP", 1)
    reports = []
    steps = module._by_rounds(graph, lambda done, total, what: reports.append((done, total, what)))
    assert reports or not graph.terminals.size
    assert {(total, what) for _, total, what in reports} <= {(graph.n, "labelled")}
    assert steps.value.tolist() == whole.value.tolist()
    assert steps.counter.tolist() == whole.counter.tolist()


def test_an_error_in_progress_ends_the_job(monkeypatch):
    monkeypatch.setattr(module, "STEP", 1)

    def stop(done, total, what):
        raise KeyboardInterrupt

    for edges in ([(0, 1), (1, 2)], [(1, 2), (2, 0)], [(0, 1), (1, 0), (0, 2)]):
        with pytest.raises(KeyboardInterrupt):
            zm.grundy(zm.Graph.from_edges(edges), stop)


def test_nothing_a_loop_and_a_dead_end():
    assert len(zm.grundy(zm.Graph.from_edges([], n=0)).verify()) == 0
    assert zm.grundy(zm.Graph.from_edges([], n=2)).verify().value.tolist() == [0, 0]
    loop = zm.grundy(zm.Graph.from_edges([(0, 0), (0, 1)])).verify()
    assert loop[0] == zm.Infinite({0})
    assert loop.histogram() == {0: 1, zm.Infinite({0}): 1}
    assert [loop.counts()[k] for k in ("win", "lose", "draw")] == [1, 1, 0]
    assert repr(loop) == "Grundy(2 positions, values up to 0, 1 infinite)"


def test_arrays_are_of_their_kind_and_read_only():
    for graph in (EXAMPLE, nim_heap(3)):
        s = zm.grundy(graph)
        assert (s.value.dtype, s.counter.dtype, s.options.dtype) == (np.int32,) * 3
        assert s.options_indptr.dtype == np.int64
        for array in (s.value, s.counter, s.options, s.options_indptr, s.label, s.rank):
            assert not array.flags.writeable


def test_owners_are_refused():
    graph = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    for ask in (zm.grundy, zm.kernel):
        with pytest.raises(InvalidGraphError, match="without owners"):
            ask(graph)
        with pytest.raises(InvalidGraphError, match="expected a Graph or a Game, got list"):
            ask([(0, 1)])


def test_memory_is_asked_for_first(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", str(module.estimate(EXAMPLE) - 1))
    with pytest.raises(MemoryLimitError, match="the values of 4 positions and 5 moves"):
        zm.grundy(EXAMPLE)


def test_orders():
    up, down = zm.Graph.from_edges([(0, 2), (1, 2)]), zm.Graph.from_edges([(2, 0), (2, 1)])
    mixed, cyclic = zm.Graph.from_edges([(1, 0), (1, 2)]), zm.Graph.from_edges([(0, 1), (1, 0)])
    assert [numbered(g) for g in (up, down, mixed, cyclic)] == [1, -1, 0, 0]
    for g in (up, down, mixed):
        order, height = successors_first(g)
        place = {v: k for k, v in enumerate(order.tolist())}
        assert all(place[v] < place[u] and height[v] < height[u] for u, v in g.to_edges().tolist())
    assert find_cycle(cyclic, successors_first(cyclic).height) == [0, 1, 0]


@pytest.mark.compiled
@pytest.mark.parametrize("degree", [2.0, 2.6, 4.0])
def test_large_graphs(degree):
    """Large enough for machine code and its prefetching; the checker is the judge."""
    graph = zm.generators.random_graph(80_000, degree, seed=3).graph
    solved = zm.grundy(graph).verify()
    assert (solved.value < 0).any()
    assert (solved.value > 0).any()
    assert np.array_equal(solved.label, zm.solve(graph).label)


@pytest.mark.compiled
@pytest.mark.parametrize("shuffle", [False, True])
def test_large_acyclic_graphs(shuffle):
    graph = zm.generators.layered(80_000, layers=40, locality=1.0, seed=3).graph
    if shuffle:
        name = np.random.default_rng(5).permutation(graph.n)
        ends = graph.to_edges()
        graph = zm.Graph.from_arrays(name[ends[:, 0]], name[ends[:, 1]], graph.n)
    assert numbered(graph) == (0 if shuffle else 1)
    solved = zm.grundy(graph).verify()
    assert solved.acyclic
    assert np.array_equal(solved.label, zm.solve(graph).label)


@pytest.mark.parametrize("bad", [-1, 1.5, "2", True, None])
def test_nimbers_are_natural_numbers(bad):
    with pytest.raises(InvalidOptionError, match="expected a nimber"):
        zm.Infinite([bad])


def test_infinite_values_add_up():
    x = zm.Infinite({0, 3})
    assert x + 1 == 1 + x == zm.Infinite({1, 2})
    assert x + x == zm.Infinite()
    assert hash(x) == hash(zm.Infinite([3, 0, 0]))
    assert (str(x), repr(x), str(zm.Infinite())) == ("∞(0,3)", "Infinite([0, 3])", "∞()")
    with pytest.raises(TypeError):
        x + 0.5
    assert zm.nim_sum([]) == 0
    assert zm.nim_sum([5, x, 4]) == zm.Infinite({1, 2})
