"""Kernels of graphs with cycles, against all subsets; the check of a set, with its reason."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples

import zermelo as zm
from zermelo.errors import InvalidGraphError, LimitError


def plain_kernels(n, moves):
    """All kernels by the definition, as a set of sets."""
    every = chain.from_iterable(combinations(range(n), k) for k in range(n + 1))
    return {
        subset
        for subset in every
        if not any(u in subset and v in subset for u, v in moves)
        and all(
            u in subset or any((u, v) in moves for v in subset) for u in range(n)
        )
    }  # fmt: skip


@examples(150)
@given(st.integers(0, 7).flatmap(lambda n: st.tuples(
    st.just(n), st.sets(st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(n - 1, 0))))
    if n else st.just(set()),
)))  # fmt: skip
def test_all_kernels_and_no_others(drawn):
    n, moves = drawn
    graph = zm.Graph.from_edges(sorted(moves), n=n)
    found = zm.kernels(graph)
    assert found.complete
    assert len(set(found)) == len(found)
    assert set(found) == plain_kernels(n, moves)
    for k in found:
        assert zm.is_kernel(graph, k)
    one = zm.kernels(graph, 1)
    assert list(one) == list(found)[:1]
    assert one.complete == (len(found) <= 1)


@pytest.mark.parametrize(
    ("n", "count"), [(2, 2), (3, 0), (4, 2), (5, 0), (6, 2), (7, 0)]
)  # fmt: skip
def test_directed_cycles(n, count):
    assert len(zm.kernels(zm.generators.cycle(n))) == count


def test_an_acyclic_graph_has_the_kernel_of_normal_play():
    graph = zm.generators.random_graph(60, degree=2, seed=3).graph
    order = [(u, v) for u, v in graph.to_edges().tolist() if u > v]
    acyclic = zm.Graph.from_edges(order, n=60)
    found = zm.kernels(acyclic)
    assert (list(found), found.nodes) == ([zm.kernel(acyclic).positions], 0)


def test_satisfiable_formulas_have_kernels():
    # One cycle of two for a variable, one of three for a clause, and moves from the latter to the
    # literals of the clause: the kernels are the satisfying assignments.
    def graph(*clauses):
        moves = []
        for x in "pqr":
            moves += [(x, f"!{x}"), (f"!{x}", x)]
        for k, clause in enumerate(clauses):
            moves += [((k, i), (k, (i + 1) % 3)) for i in range(3)]
            moves += [((k, i), literal) for i in range(3) for literal in clause]
        return zm.Graph.from_edges(moves)

    assert len(zm.kernels(graph(["p", "q", "r"]))) == 7
    unsatisfiable = [[a, b] for a in ("p", "!p") for b in ("q", "!q")]
    assert list(zm.kernels(graph(*unsatisfiable))) == []


def test_the_search_is_bounded():
    graph = zm.Graph.from_edges(
        [e for k in range(20) for e in ((2 * k, 2 * k + 1), (2 * k + 1, 2 * k))]
    )
    with pytest.raises(LimitError, match="taken 100 nodes without an end; finding a kernel"):
        zm.kernels(graph, nodes=100)
    assert len(zm.kernels(graph, 3, nodes=100)) == 3
    assert len(zm.kernels(zm.generators.cycle(4), nodes=None)) == 2


def test_reasons():
    graph = zm.Graph.from_edges([("a", "a"), ("a", "b"), ("b", "c")])
    assert "from 'a' to itself" in zm.is_kernel(graph, ["a"]).reason
    assert "no move leads from 'a'" in zm.is_kernel(graph, ["c"]).reason
    assert "no move leads from 'c'" in zm.is_kernel(graph, ["b"]).reason
    assert "both are in the set" in zm.is_kernel(graph, ["b", "c"]).reason
    assert zm.is_kernel(zm.Graph.from_edges([]), [])


def test_owners_have_no_kernels():
    with pytest.raises(InvalidGraphError, match="kernels are for impartial games"):
        zm.kernels(zm.Graph.from_edges([(0, 1)], owner=[0, 1]))
