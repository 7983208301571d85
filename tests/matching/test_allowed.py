"""Edges of some maximum matching, and decompositions without one vertex, against definitions."""

import networkx as nx
import numpy as np
import pytest

import zermelo as zm
from tests.matching import oracle
from tests.matching.test_matching import STRUCTURED, chain_of_odd_cycles, random_graph
from zermelo.matching import allowed_moves, inessential_without


def check(graph):
    matching = zm.maximum_matching(graph)
    allowed = allowed_moves(matching)
    assert allowed.tolist() == oracle.allowed(graph)
    source = np.repeat(np.arange(graph.n), graph.out_degree)
    for v in range(graph.n):
        without = inessential_without(matching, v)
        assert without.tolist() == oracle.exposed_without(graph, v)
        if not matching.inessential[v]:  # the winning moves of no-return, either way
            assert (allowed[source == v] == without[graph.successors(v)]).all()


@pytest.mark.slow("2", "4")
@pytest.mark.parametrize("n", range(5))
def test_every_small_graph(n):
    for edges in oracle.all_graphs(n):
        check(zm.Graph.from_edges([e for u, v in edges for e in ((u, v), (v, u))], n=n))


@pytest.mark.slow
def test_every_graph_with_five_or_six_vertices():
    for graph in nx.graph_atlas_g():
        if graph.number_of_nodes() in (5, 6):
            check(zm.Graph.from_networkx(graph))


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed):
    check(random_graph(seed, 8 + seed % 4, 1.5 + seed % 5 / 2))


@pytest.mark.parametrize("seed", range(20))
def test_digraphs_with_loops(seed):
    rng = np.random.default_rng(seed)
    graph = zm.Graph.from_edges(rng.integers(0, 8, (12, 2)), n=8)
    matching = zm.maximum_matching(graph)
    assert allowed_moves(matching).tolist() == oracle.allowed(graph)


@pytest.mark.parametrize("name", [k for k, (g, *_) in STRUCTURED.items() if len(g) < 16])
def test_structured(name):
    check(zm.Graph.from_networkx(STRUCTURED[name][0]))


def perfect(seed, n, degree):
    """A random graph with a perfect matching hidden in it."""
    graph = nx.gnp_random_graph(n, degree / n, seed=seed)
    name = np.random.default_rng(seed).permutation(n)
    graph.add_edges_from(name.reshape(-1, 2).tolist())
    return zm.Graph.from_networkx(graph)


@pytest.mark.parametrize("pays", [0, 1, 1000])
@pytest.mark.parametrize("seed", range(12))
def test_rounds_and_searches_agree(seed, pays, monkeypatch):
    """However early the searches take over from the matchings; each edge by a plain search."""
    monkeypatch.setattr("zermelo.matching.allowed.ROUND_PAYS", pays)
    monkeypatch.setattr("zermelo.matching.allowed.STEP", 300)
    graph = perfect(seed, 60, 1.5 + seed % 4 / 2)
    matching = zm.maximum_matching(graph)
    reports = []
    allowed = allowed_moves(matching, progress=lambda *x: reports.append(x))
    rows = np.split(allowed, graph.indptr[1:-1])
    for v in range(graph.n):
        assert (rows[v] == inessential_without(matching, v)[graph.successors(v)]).all()
    assert all(done <= total and what == "decided" for done, total, what in reports)


def test_a_large_bipartite_graph_needs_no_search(monkeypatch):
    def refuse(*_):
        raise AssertionError("a search in a bipartite graph")

    monkeypatch.setattr("zermelo.matching.allowed._by_matchings", refuse)
    ladder = zm.Graph.from_networkx(nx.convert_node_labels_to_integers(nx.ladder_graph(400)))
    assert allowed_moves(zm.maximum_matching(ladder)).all()
    comb = nx.path_graph(400)
    comb.add_edges_from((v, 400 + v) for v in range(400))
    graph = zm.Graph.from_networkx(comb)
    ends = graph.to_edges()
    assert (allowed_moves(zm.maximum_matching(graph)) == (ends.max(axis=1) >= 400)).all()


def test_bridges_decide_a_chain_of_pentagons(monkeypatch):
    """It has one perfect matching; every search would go through all of it."""
    monkeypatch.setattr("zermelo.matching.allowed._by_matchings", None)
    graph = zm.Graph.from_networkx(chain_of_odd_cycles(200, 5))
    matching = zm.maximum_matching(graph)
    ends = graph.to_edges()
    assert (allowed_moves(matching) == (matching.mate[ends[:, 0]] == ends[:, 1])).all()
