"""The alternating graph A_G and its part A_G^s."""

import random

import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidGraphError
from zermelo.transform import alternating_graph, reachable


def by_definition(graph):
    return sorted(
        ((graph.name(v), e), (graph.name(w), 1 - e))
        for v, w in graph.to_edges().tolist()
        for e in (0, 1)
    )


def edges_of(graph):
    return sorted((graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist())


def test_whole_by_definition():
    rng = random.Random(2)
    graphs = [g for n in (0, 1, 2, 3) for g in all_digraphs(n)]
    graphs += [random_digraph(rng).with_owner(None) for _ in range(100)]
    for g in graphs:
        a = alternating_graph(g)
        assert a.names == tuple((v, e) for v in range(g.n) for e in (0, 1))
        assert a.owner.tolist() == [0, 1] * g.n
        assert edges_of(a) == by_definition(g)
        assert zm.Graph.from_csr(a.indptr, a.indices, a.owner, a.names) == a
        assert alternating_graph(g, named=False).with_names(a.names) == a


def test_part_is_the_reachable_part_of_the_whole():
    rng = random.Random(3)
    for _ in range(200):
        g = random_digraph(rng).with_owner(None)
        s = rng.randrange(g.n)
        assert alternating_graph(g, s) == reachable(alternating_graph(g), (s, 0))
        assert alternating_graph(g, s, named=False).names is None


def test_solving_the_alternating_graph_is_solving_the_game():
    """The asymmetric game on G is a game on the owned graph A_G."""
    rng = random.Random(4)
    for _ in range(50):
        g = random_digraph(rng).with_owner(None)
        a = alternating_graph(g)
        for objective in (zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1()):
            there, here = zm.solve(a, objective), zm.solve(g, objective)
            assert there.label.tolist() == here.label.reshape(-1).tolist()
            assert there.distance.tolist() == here.distance.reshape(-1).tolist()


def test_an_odd_cycle_doubles_and_an_even_one_splits():
    assert alternating_graph(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)]), 0).n == 6
    assert alternating_graph(zm.Graph.from_edges([(0, 1), (1, 0)]), 0).n == 2


def test_owned_graphs_are_refused():
    with pytest.raises(InvalidGraphError, match="owners"):
        alternating_graph(zm.Graph.from_edges([(0, 1)], owner=[0, 1]))
