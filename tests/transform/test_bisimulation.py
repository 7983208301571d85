"""Partition refinement against a naive oracle, and games on the quotient."""

import random

import numpy as np
import pytest
from tests.games import KEYWORDS, all_digraphs, all_owned_digraphs, objective, random_digraph
from tests.sampling import rounds

import zermelo as zm
from zermelo.errors import InvalidGraphError, MemoryLimitError
from zermelo.registry import SOLVERS
from zermelo.transform import bisimulation, is_bounded_epimorphism, quotient, reachable
from zermelo.transform.bisimulation import game_bisimulation


def naive(graph, colours):
    """Split by colour and set of successor classes until nothing changes."""
    classes = list(colours)
    while True:
        keys = [
            (classes[v], frozenset(classes[w] for w in graph.successors(v).tolist()))
            for v in range(graph.n)
        ]
        number = {}
        for key in keys:
            number.setdefault(key, len(number))
        refined = [number[key] for key in keys]
        if len(number) == len(set(classes)):
            return refined
        classes = refined


def own_colours(graph):
    return [0] * graph.n if graph.owner is None else graph.owner.tolist()


def from_numpy(sources, targets, n):
    return zm.Graph.from_arrays(np.asarray(sources), np.asarray(targets), n)


def test_everything_small():
    for n in (0, 1, 2, 3):
        for g in all_digraphs(n):
            assert bisimulation(g).tolist() == naive(g, own_colours(g))
    for g in all_owned_digraphs(2):
        assert bisimulation(g).tolist() == naive(g, own_colours(g))


@pytest.mark.sampled
def test_random_with_colours():
    rng = random.Random(14)
    for _ in range(rounds(1500)):
        g = random_digraph(rng, rng.choice((8, 20)))
        assert bisimulation(g).tolist() == naive(g, own_colours(g))
        colours = [rng.choice((-7, 0, 10**15)) for _ in range(g.n)]
        assert bisimulation(g, colours).tolist() == naive(g, colours)


@pytest.mark.parametrize("kind", ["random", "functional", "layered", "copies"])
def test_larger(kind):
    rng = np.random.default_rng(15)
    for n in (50, 300):
        for _ in range(5):
            if kind == "random":
                g = from_numpy(rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n), n)
            elif kind == "functional":
                g = from_numpy(np.arange(n), rng.integers(0, n, n), n)
            elif kind == "layered":
                u = rng.integers(0, n - 10, 3 * n)
                g = from_numpy(u, u // 10 * 10 + 10 + rng.integers(0, 3, u.size), n + 10)
            else:
                u, v = rng.integers(0, n // 5, (2, n // 4))
                u, v = ((np.arange(5)[:, None] * (n // 5) + x).ravel() for x in (u, v))
                g = from_numpy(u, v, n)
            assert bisimulation(g).tolist() == naive(g, own_colours(g))


def test_smaller_half_needs_the_counts():
    """Both a and b move to {t}; only a also moves to the larger half {a, b}.

    Splitting by the smaller half alone, which is right for functions, calls them alike.
    """
    g = zm.Graph.from_edges([("a", "b"), ("a", "t"), ("b", "t")])
    assert bisimulation(g).tolist() == [0, 1, 2]


# -------------------------------------------------------------------- golden values


@pytest.mark.parametrize("n", [0, 1, 2, 10, 1000])
def test_a_path_of_n_moves_has_n_plus_1_classes(n):
    g = zm.Graph.from_edges([(v, v + 1) for v in range(n)], n=n + 1)
    assert bisimulation(g).tolist() == list(range(n + 1))


@pytest.mark.parametrize("n", [1, 2, 3, 100])
def test_a_cycle_has_one_class(n):
    g = zm.Graph.from_edges([(v, (v + 1) % n) for v in range(n)])
    assert bisimulation(g).tolist() == [0] * n


@pytest.mark.parametrize("depth", [0, 1, 2, 7])
def test_a_complete_binary_tree_has_a_class_a_level(depth):
    n = 2 ** (depth + 1) - 1
    g = zm.Graph.from_edges([((v - 1) // 2, v) for v in range(1, n)], n=n)
    assert bisimulation(g).tolist() == [(v + 1).bit_length() - 1 for v in range(n)]


def test_compiled_and_large():
    n = 200_000
    v = np.arange(1, n)
    assert bisimulation(from_numpy(v - 1, v, n)).tolist() == list(range(n))
    assert bisimulation(from_numpy(v - 1, v % (n - 1), n - 1)).max() == 0
    size = 2**17 - 1
    u = np.arange(1, size)
    assert bisimulation(from_numpy((u - 1) // 2, u, size)).max() == 16


# -------------------------------------------------------------------- propositions


@pytest.mark.sampled
def test_the_quotient_map_is_a_bounded_epimorphism():
    rng = random.Random(16)
    graphs = [g for n in (1, 2, 3) for g in all_digraphs(n)]
    graphs += [random_digraph(rng) for _ in range(rounds(300))]
    for g in graphs:
        classes = bisimulation(g)
        small = quotient(g, classes)
        assert is_bounded_epimorphism(g, 0, small, 0, classes)
        assert bisimulation(small).tolist() == list(range(small.n))


def games_of(graph, rng):
    for keyword in KEYWORDS:
        yield objective(keyword, graph, rng)


def check_quotient(graph, wanted, solver="auto"):
    plain = zm.solve(graph, wanted)
    lifted = zm.solve(graph, wanted, solver, quotient=True)
    assert lifted.label.tolist() == plain.label.tolist()
    assert lifted.distance.tolist() == plain.distance.tolist()
    assert lifted.value.tolist() == plain.value.tolist()
    assert lifted.level.dtype == plain.level.dtype
    assert lifted.graph is graph
    assert lifted.objective is wanted
    assert lifted.solver.endswith("+quotient")
    assert lifted.move.tolist() == plain.move.tolist()
    assert lifted.verify() is lifted
    return lifted


@pytest.mark.slow
@pytest.mark.sampled
def test_every_game_is_the_same_on_the_quotient():
    rng = random.Random(17)
    graphs = [g for n in (0, 1, 2) for g in all_digraphs(n)]
    graphs += list(all_owned_digraphs(2))
    graphs += all_digraphs(3)
    graphs += [random_digraph(rng) for _ in range(rounds(150))]
    for g in graphs:
        for wanted in games_of(g, rng):
            check_quotient(g, wanted)


@pytest.mark.sampled
def test_labels_do_not_tell_bisimilar_positions_apart():
    """The solution of the graph itself is constant on classes."""
    rng = random.Random(18)
    for _ in range(rounds(200)):
        g = random_digraph(rng)
        for wanted in games_of(g, rng):
            s = zm.solve(g, wanted)
            _, classes = game_bisimulation(g, wanted.terminal_form(g))
            for array in (s.level, s.label, s.distance):
                first = {}
                for c, row in zip(classes.tolist(), array.tolist(), strict=True):
                    assert first.setdefault(c, row) == row


@pytest.mark.slow
def test_other_solvers_solve_quotients():
    rng = random.Random(19)
    for row in SOLVERS:
        if row.family != "terminal":
            continue
        for _ in range(20):
            g = random_digraph(rng).with_owner(None)
            if row.name == "depth-first":
                g = zm.Graph.from_edges([(u, v) for u, v in g.to_edges().tolist() if u < v], n=g.n)
            for wanted in games_of(g, rng):
                if row.applies_to(wanted.family, wanted.keyword):
                    assert check_quotient(g, wanted, row.name).solver == f"{row.name}+quotient"


def test_statistics_and_start():
    g = zm.Graph.from_edges([((v - 1) // 2, v) for v in range(1, 63)])
    s = zm.solve(g, quotient=True, start=3)
    assert s.start == 3
    assert s.stats["classes"] == 6
    assert s.stats["class_moves"] == 5


def test_moves_from_an_end_do_not_matter():
    g = zm.Graph.from_edges([("a", "x"), ("b", "y"), ("x", "a"), ("y", "y")])
    g = g.with_owner([0, 0, 0, 0])
    assert bisimulation(g).tolist() == [0, 0, 0, 0]
    reach = zm.Reach(["x", "y"])
    _, classes = game_bisimulation(g, reach.terminal_form(g))
    assert dict(zip(g.names, classes.tolist(), strict=True)) == {"a": 0, "x": 1, "b": 0, "y": 1}


def test_names_survive_in_the_quotient():
    g = zm.Graph.from_edges([("a", "b"), ("a", "c")])
    assert quotient(g, bisimulation(g)).names == ("a", "b")
    assert reachable(g, "b").names == ("b",)


# -------------------------------------------------------------------- bad input


def test_bad_colours():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidGraphError, match="2 class numbers"):
        bisimulation(g, [0])


def test_cost_is_known_before(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1k")
    with pytest.raises(MemoryLimitError):
        bisimulation(zm.Graph.from_edges([(v, v + 1) for v in range(100)]))
