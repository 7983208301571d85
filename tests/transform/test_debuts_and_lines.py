"""The line digraph and the tree of debuts turn games of no repetition and no return into others."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import examples

import zermelo as zm
from zermelo.errors import InvalidGraphError, LimitError

GRAPHS = st.integers(1, 5).flatmap(lambda n: st.tuples(
    st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=8)
))  # fmt: skip


@pytest.mark.slow
@examples(60)
@given(GRAPHS)
def test_no_repetition_is_no_return_on_the_line_digraph(drawn):
    n, moves = drawn
    graph = zm.Graph.from_edges(sorted(moves), n=n)
    solved = zm.solve(graph, zm.NoRepetition())
    for v in range(n):
        lines = zm.line_digraph(graph, v)
        assert lines.n == graph.m + 1
        on_lines = zm.solve(lines, zm.NoReturn(), start=("*", v))
        assert on_lines[("*", v)].label == solved[v].label


@examples(60)
@given(GRAPHS)
def test_debuts_are_the_simple_paths_and_their_values_are_eggs(drawn):
    n, moves = drawn
    graph = zm.Graph.from_edges(sorted(moves), n=n)
    for v in range(n):
        tree = zm.debut_tree(graph, v)
        paths = set(tree.graph.names)
        assert all(len(set(path)) == len(path) and path[0] == v for path in paths)
        assert all((a, b) in moves for path in paths for a, b in pairwise(path))
        for path in paths:
            fresh = {(*path, w) for u, w in moves if u == path[-1] and w not in path}
            after = tree.graph.successors(tree.graph.index(path)).tolist()
            assert {tree.graph.name(w) for w in after} == fresh
        assert tree.complete
        assert zm.grundy(tree.graph)[(v,)] == zm.eggs(graph, v)


def test_owners_are_those_who_move_next():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")], owner=[0, 1, 1])
    assert zm.line_digraph(graph).owner.tolist() == [1, 0, 1]
    assert zm.debut_tree(graph, "a").graph.owner.tolist() == [0, 1, 1]


def test_a_tree_that_is_cut_or_too_large():
    complete = zm.generators.complete(8)
    cut = zm.debut_tree(complete, 0, 2)
    assert (cut.graph.n, int(cut.cut.sum()), cut.complete) == (1 + 7 + 42, 42, False)
    with pytest.raises(LimitError, match="more than 1,000 debuts"):
        zm.debut_tree(complete, 0, limit=1000)
    with pytest.raises(InvalidGraphError, match="depth"):
        zm.debut_tree(complete, 0, -1)
    with pytest.raises(InvalidGraphError, match="taken"):
        zm.line_digraph(zm.Graph.from_edges([("*", "a")]), "a")
