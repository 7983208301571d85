"""Graph: canonical, immutable, and the same from every source."""

import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from zermelo import Graph
from zermelo.errors import InvalidGraphError, UnknownPositionError, ZermeloError

numbered = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=40),
        st.one_of(st.none(), st.lists(st.integers(0, 1), min_size=n, max_size=n)),
    )
)


@given(numbered)
def test_rows_are_sorted_and_merged_and_every_door_leads_to_the_same_graph(case):
    n, edges, owner = case
    g = Graph.from_edges(edges, n=n, owner=owner)
    rows = [sorted({v for u, v in edges if u == w}) for w in range(n)]
    assert [g.successors(v).tolist() for v in range(n)] == rows
    assert [g.predecessors(v).tolist() for v in range(n)] == [
        [u for u in range(n) if v in rows[u]] for v in range(n)
    ]
    assert g.m == len(set(edges))
    assert g.terminals.tolist() == [v for v in range(n) if not rows[v]]

    shuffled_rows = [[v for u, v in edges if u == w] for w in range(n)]
    indptr = np.cumsum([0] + [len(row) for row in shuffled_rows])
    again = [
        Graph.from_csr(indptr, np.array([v for row in shuffled_rows for v in row], int), owner),
        Graph.from_edges(g.to_edges(), n=n, owner=owner),
        Graph.from_networkx(g.to_networkx()),
        Graph.from_scipy(g.to_scipy(), owner=owner),
        pickle.loads(pickle.dumps(g)),
    ]
    for other in again:
        assert other == g
        assert hash(other) == hash(g)
        assert other.digest == g.digest


def test_digest_is_stable_and_depends_on_moves_and_owners_but_not_on_names():
    g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    assert g.digest == "d1453eb62993998cd47ca2c9fd0ee348"
    assert g.digest == g.with_names(["x", "y", "z"]).digest
    assert g.digest != g.with_owner([0, 0, 0]).digest
    assert g.digest != Graph.from_edges([("a", "b"), ("b", "a"), ("b", "t")]).digest
    assert g != g.with_names(None)


def test_nothing_changes_a_graph():
    indptr, indices = np.array([0, 1, 1]), np.array([1], np.int32)
    g = Graph.from_csr(indptr, indices)
    indptr[1] = 0
    indices[0] = 0
    assert g.to_edges().tolist() == [[0, 1]]
    for array in (g.indptr, g.indices, g.out_degree, g.terminals, *g.reverse):
        assert not array.flags.writeable
    with pytest.raises(AttributeError, match="never changes"):
        g.owner = None
    with pytest.raises(AttributeError, match="never changes"):
        del g.indptr
    assert g.reverse is g.reverse


def test_names_and_numbers():
    g = Graph.from_edges([("a", "b")])
    assert (g.index("b"), g.index(1), g.name(0), "c" in g, list(g)) == (
        1,
        1,
        "a",
        False,
        ["a", "b"],
    )
    numeric = Graph.from_edges([("a", 7)])
    assert numeric.index(7) == 1
    with pytest.raises(UnknownPositionError, match="called 1; the graph has 'a', 7"):
        numeric.index(1)
    with pytest.raises(UnknownPositionError, match="expected a position 0 … 1, got 2"):
        g.index(2)
    with pytest.raises(UnknownPositionError, match="numbers only"):
        Graph.from_edges([(0, 1)]).index("a")
    ordered = Graph.from_edges([("b", "a")], names=["a", "b", "c"])
    assert ordered.to_edges().tolist() == [[1, 0]]
    assert ordered.n == 3
    assert Graph.from_edges([(0, 1)], names=["x", "y"]).names == ("x", "y")
    assert Graph.from_edges([("a", "b")], owner={"a": 1, "b": 0}).owner.tolist() == [1, 0]


def test_masks():
    g = Graph.from_edges([("a", "b"), ("b", "c")])
    for given_set in (["a", "c"], {"a", "c"}, np.array([0, 2]), np.array([True, False, True])):
        assert g.mask(given_set).tolist() == [True, False, True]
    assert not g.mask([]).any()


def test_empty_graph_and_loops():
    empty = Graph.from_edges([])
    assert (empty.n, empty.m, repr(empty)) == (0, 0, "Graph(0 positions, 0 moves, 0 terminals)")
    assert empty.reverse[0].tolist() == [0]
    loop = Graph.from_edges([(0, 0), (0, 0)])
    assert loop.to_edges().tolist() == [[0, 0]]


def test_networkx_and_scipy_particulars():
    undirected = nx.Graph([("a", "b")])
    assert Graph.from_networkx(undirected).to_edges().tolist() == [[0, 1], [1, 0]]
    multi = nx.MultiDiGraph([("a", "b"), ("a", "b")])
    assert Graph.from_networkx(multi).m == 1
    owned = nx.DiGraph()
    owned.add_node("a", owner=1)
    owned.add_node("b")
    with pytest.raises(InvalidGraphError, match="node 'b' has no attribute 'owner'"):
        Graph.from_networkx(owned)
    zero = scipy.sparse.coo_array(([1, 0, 2, -2], ([0, 0, 1, 1], [1, 0, 0, 0])), shape=(2, 2))
    assert Graph.from_scipy(zero).to_edges().tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Graph.from_edges([(0, -1)]), "target 0: positions are numbered from 0, got -1"),
        (lambda: Graph.from_edges([(0, 5)], n=3), "expected positions 0 … 2, got 5"),
        (lambda: Graph.from_edges(["ab"]), "edge 0: expected a pair (from, to), got 'ab'"),
        (lambda: Graph.from_edges([(0, 1), (1, 2, 3)]), "edge 1: expected a pair"),
        (lambda: Graph.from_edges([(0, [])]), "edge 0: a position's name must be hashable"),
        (lambda: Graph.from_edges(np.zeros((2, 3), int)), "of shape (m, 2), got shape (2, 3)"),
        (lambda: Graph.from_edges(np.zeros((2, 2))), "source: expected integers, got float64"),
        (lambda: Graph.from_edges([(0, 10**20)]), "a number is out of range"),
        (lambda: Graph.from_edges([(0, 2**31)]), "expected at most 2,147,483,646"),
        (lambda: Graph.from_edges([], n=-1), "expected 0 to 2,147,483,646 positions, got -1"),
        (lambda: Graph.from_arrays([0, 1], [1]), "as many targets as sources, got 1 and 2"),
        (lambda: Graph.from_edges([(0, 1)], owner=[0]), "owner: expected 2 entries"),
        (lambda: Graph.from_edges([(0, 1)], owner=[0, 2]), "owner of position 1: expected 0 or 1"),
        (lambda: Graph.from_edges([(0, 1)], owner=["x", "y"]), "expected 0 or 1, got"),
        (lambda: Graph.from_edges([("a", "b")], owner={"a": 0}), "position 'b' has none"),
        (lambda: Graph.from_edges([(0, 1)], names=["a"]), "expected positions 0 … 0, got 1"),
        (lambda: Graph.from_edges([], names=["a", "a"]), "distinct names, got 'a' twice"),
        (lambda: Graph.from_edges([], names="ab"), "a sequence of names, got the string 'ab'"),
        (lambda: Graph.from_edges([("a", "b")], names=["a"]), "edge 0: names= does not list 'b'"),
        (lambda: Graph.from_edges([("a", "")], names=["a"]), "edge 0: names= does not list ''"),
        (lambda: Graph.from_edges([(1, 0)], names=[1, 2]), "edge 0: names= does not list 0"),
        (lambda: Graph.from_edges([("a", "b")], n=3), "expected 3 positions, got 2 names"),
        (lambda: Graph.from_csr([], []), "indptr to begin with 0"),
        (lambda: Graph.from_csr([0, 2], [0]), "end with the number of moves 1, got 2"),
        (lambda: Graph.from_csr([0, 2, 1, 2], [0, 1]), "it decreases after position 1"),
        (lambda: Graph.from_csr([0, 1], [1]), "expected positions 0 … 0, got 1"),
        (lambda: Graph.from_csr([[0, 1]], [1]), "indptr: expected one dimension, got 2"),
        (lambda: Graph.from_scipy(scipy.sparse.eye_array(2, 3)), "expected a square matrix"),
        (lambda: Graph.from_edges([(0, 1)]).mask("a"), "a collection of positions, got 'a'"),
        (lambda: Graph.from_edges([(0, 1)]).mask([3]), "expected a position 0 … 1, got 3"),
        (lambda: Graph.from_edges([(0, 1)]).mask(np.array([3])), "expected a position 0 … 1"),
        (lambda: Graph.from_edges([(0, 1)]).mask(np.array([True])), "a mask of 2 positions"),
    ],
)
def test_bad_input_is_named(build, message):
    with pytest.raises(ZermeloError) as caught:
        build()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_large_graphs_are_built_from_arrays():
    rng = np.random.default_rng(1)
    n, m = 200_000, 1_000_000
    u, v = rng.integers(0, n, m), rng.integers(0, n, m)
    g = Graph.from_arrays(u, v, n)
    expected = scipy.sparse.coo_array((np.ones(m), (u, v)), shape=(n, n)).tocsr()
    assert np.array_equal(g.indptr, expected.indptr)
    assert np.array_equal(g.indices, expected.indices)
    reverse = expected.tocsc()
    assert np.array_equal(g.reverse[0], reverse.indptr)
    assert np.array_equal(g.reverse[1], reverse.indices)
