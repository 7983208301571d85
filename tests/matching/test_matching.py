"""Maximum matchings and Gallai–Edmonds decompositions, against definitions and against networkx."""

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as zm
from tests.matching import oracle
from zermelo._kernels.geography.matching import LAST_STAMP, STAMP
from zermelo.errors import InvalidGraphError, MemoryLimitError
from zermelo.matching import Matching
from zermelo.matching._forest import Forest, near, undirected


def random_graph(seed, n, degree):
    return zm.Graph.from_networkx(nx.gnp_random_graph(n, degree / n, seed=seed))


def letters(decomposition):
    return "".join("DAC"[k] for k in decomposition.matching.part)


@pytest.mark.slow("5")
@pytest.mark.parametrize("n", range(6))
def test_every_small_graph(n):
    for edges in oracle.all_graphs(n):
        graph = zm.Graph.from_edges(edges, n=n)
        found = zm.gallai_edmonds(graph).verify()
        assert found.matching.size == oracle.sizes(graph)((1 << n) - 1)
        assert letters(found) == oracle.parts(graph)


@pytest.mark.slow
def test_every_graph_with_six_or_seven_vertices():
    rng = random.Random(6)
    classes = [g for g in nx.graph_atlas_g() if g.number_of_nodes() > 5]
    assert len(classes) == 156 + 1044
    for peer in classes:
        n = peer.number_of_nodes()
        name = rng.sample(range(n), n)
        graph = zm.Graph.from_edges([(name[u], name[v]) for u, v in peer.edges], n=n)
        assert letters(zm.gallai_edmonds(graph).verify()) == oracle.parts(graph)


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_by_definition(seed):
    graph = random_graph(seed, 7 + seed % 3, 1.2 + seed % 7 / 2)
    assert letters(zm.gallai_edmonds(graph).verify()) == oracle.parts(graph)


@pytest.mark.sampled(cases=12)
@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_as_networkx(seed):
    n = 10 + seed * 50 // 39
    graph = random_graph(seed, n, 1.5 + seed % 5 / 2)
    peer = nx.Graph(graph.to_networkx())
    size = len(nx.max_weight_matching(peer, maxcardinality=True))
    found = zm.gallai_edmonds(graph).verify()
    assert found.matching.size == size
    for v in range(n):
        rest = peer.subgraph(set(peer) - {v})
        missed = len(nx.max_weight_matching(rest, maxcardinality=True)) == size
        assert (found[v] == "D") == missed


def chain_of_odd_cycles(count, length):
    """Odd cycles in a row, each joined with the next by an edge."""
    graph = nx.disjoint_union_all([nx.cycle_graph(length)] * count)
    graph.add_edges_from((k * length + length // 2, (k + 1) * length) for k in range(count - 1))
    return graph


def nested_blossoms(depth):
    """A triangle inside a pentagon inside …: each level puts two vertices in the way of a new edge.

    A stem leads to the innermost one, so that a search from its end shrinks them all.
    """
    graph = nx.cycle_graph(3)
    top = 2
    for _ in range(depth):
        n = graph.number_of_nodes()
        graph.add_edges_from([(top, n), (n, n + 1), (n + 1, 0)])
        top = n + 1
    return graph


STRUCTURED = {
    "empty": (nx.empty_graph(0), 0, ""),
    "lonely": (nx.empty_graph(3), 0, "DDD"),
    "even path": (nx.path_graph(6), 3, "CCCCCC"),
    "odd path": (nx.path_graph(7), 3, "DADADAD"),
    "star": (nx.star_graph(4), 1, "ADDDD"),
    "odd cycle": (nx.cycle_graph(9), 4, "D" * 9),
    "even cycle": (nx.cycle_graph(8), 4, "C" * 8),
    "even clique": (nx.complete_graph(8), 4, "C" * 8),
    "odd clique": (nx.complete_graph(9), 4, "D" * 9),
    "Petersen": (nx.petersen_graph(), 5, "C" * 10),
    "two triangles": (chain_of_odd_cycles(2, 3), 3, "C" * 6),
    "three pentagons": (chain_of_odd_cycles(3, 5), 7, None),
    "many heptagons": (chain_of_odd_cycles(30, 7), 105, None),
    "nested": (nested_blossoms(20), 21, "D" * 43),
    "odd triangular lattice": (nx.triangular_lattice_graph(6, 7), None, None),
    "windmill": (nx.windmill_graph(5, 3), 5, "D" * 11),
    "K(3, 5)": (nx.complete_bipartite_graph(3, 5), 3, "AAADDDDD"),
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_structured(name):
    peer, size, expected = STRUCTURED[name]
    found = zm.gallai_edmonds(zm.Graph.from_networkx(peer)).verify()
    if size is None:
        size = len(nx.max_weight_matching(peer, maxcardinality=True))
    assert found.matching.size == len(found.matching.edges) == size
    assert found.matching.deficiency == peer.number_of_nodes() - 2 * size
    if expected is not None:
        assert letters(found) == expected


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11))))
def test_any_digraph_is_taken_as_undirected(n, pairs):
    pairs = [(u % n, v % n) for u, v in pairs]
    graph = zm.Graph.from_edges(pairs, n=n)
    both = zm.Graph.from_edges([e for u, v in pairs if u != v for e in ((u, v), (v, u))], n=n)
    indptr, indices = undirected(graph)
    assert (indptr.tolist(), indices.tolist()) == (both.indptr.tolist(), both.indices.tolist())
    one, other = zm.gallai_edmonds(graph).verify(), zm.gallai_edmonds(both).verify()
    assert letters(one) == letters(other)


@pytest.mark.parametrize("seed", range(30))
def test_every_start_ends_with_the_same_parts(seed):
    """From no matching at all and from a bad one: more augmentations, more blossoms."""
    rng = random.Random(seed)
    graph = random_graph(seed, 60, 2 + seed % 4)
    expected = zm.gallai_edmonds(graph)
    bad = np.full(graph.n, -1, np.int32)
    for u, v in rng.sample(graph.to_edges().tolist(), graph.m // 3):
        if bad[u] < 0 and bad[v] < 0:
            bad[u], bad[v] = v, u
    for mate in (np.full(graph.n, -1, np.int32), bad):
        forest = Forest(undirected(graph), mate)
        forest.state[STAMP] = LAST_STAMP - 2  # so that marks begin anew in the midst of it
        forest.grow()
        assert forest.even.tolist() == expected.matching.inessential.tolist()
        Matching(graph, forest.mate, expected.matching.part.copy()).verify()


@pytest.mark.parametrize("seed", range(10))
def test_renumbering_changes_no_part(seed, monkeypatch):
    graph = random_graph(seed, 80, 2.5)
    expected = letters(zm.gallai_edmonds(graph))
    monkeypatch.setattr("zermelo.matching._forest.CACHED", 0)
    monkeypatch.setattr("zermelo.matching._forest.has_locality", lambda _: False)
    order, rows = near(undirected(graph))
    assert sorted(order.tolist()) == list(range(80))
    ends = order[zm.Graph.from_csr(*rows).to_edges()]
    assert zm.Graph.from_edges(ends, n=80) == graph
    assert letters(zm.gallai_edmonds(graph).verify()) == expected


def test_larger_graphs_carry_their_proof():
    lattice = nx.triangular_lattice_graph(40, 61)
    for graph in (
        zm.Graph.from_networkx(lattice),
        zm.Graph.from_networkx(nx.gnm_random_graph(3000, 4500, seed=1)),
        zm.Graph.from_networkx(nx.random_regular_graph(3, 2000, seed=1)),
        zm.Graph.from_networkx(chain_of_odd_cycles(301, 11)),
    ):
        rng = np.random.default_rng(1)
        name = rng.permutation(graph.n)
        ends = name[graph.to_edges()]
        zm.gallai_edmonds(zm.Graph.from_edges(ends, n=graph.n)).verify()


def test_names_and_edges():
    graph = zm.Graph.from_edges([("a", "b"), ("c", "b"), ("d", "e")])
    found = zm.gallai_edmonds(graph)
    m = found.matching
    assert (m["b"], m["d"], [m["a"], m["c"]].count(None)) == (m["b"], "e", 1)
    assert m[m["b"]] == "b"
    assert found["d"] == "C"
    assert sorted(map(tuple, m.edges.tolist())) == [tuple(sorted((1, int(m.mate[1])))), (3, 4)]
    assert repr(m) == "Matching(2 edges, 1 of 5 positions exposed)"
    assert repr(found) == "GallaiEdmonds(D 2, A 1, C 2)"
    with pytest.raises(ValueError, match="read-only"):
        m.mate[0] = 3


def test_input_is_left_alone_and_progress_is_reported(monkeypatch):
    monkeypatch.setattr("zermelo.matching._forest.STEP", 50)
    graph = random_graph(3, 200, 3)
    before = graph.digest
    reports = []
    zm.maximum_matching(graph, progress=lambda *x: reports.append(x)).verify()
    assert {(total, what) for _, total, what in reports} == {(200, "matched")}
    assert all(0 <= done <= 200 for done, _, _ in reports)
    assert zm.Graph(graph.indptr, graph.indices).digest == before

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        zm.maximum_matching(graph, progress=stop)


def test_bad_calls(monkeypatch):
    with pytest.raises(InvalidGraphError, match="expected a Graph or a Game, got list"):
        zm.maximum_matching([(0, 1)])
    monkeypatch.setenv("ZERMELO_MEMORY", "1k")
    with pytest.raises(MemoryLimitError, match="a maximum matching of 100 positions"):
        zm.maximum_matching(zm.Graph.from_networkx(nx.path_graph(100)))
