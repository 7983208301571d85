"""The unravelled tree, cut and lazy."""

import random
from itertools import islice, takewhile

import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidGraphError, MemoryLimitError
from zermelo.transform import unravel, walks


def check(graph, start, depth):
    tree = unravel(graph, start, depth)
    names = tree.graph.names
    assert list(names) == list(takewhile(lambda w: len(w) <= depth + 1, walks(graph, start)))
    edges = [(names[u], names[v]) for u, v in tree.graph.to_edges().tolist()]
    assert edges == [(w[:-1], w) for w in names[1:]]
    assert tree.position.tolist() == [graph.index(w[-1]) for w in names]
    assert tree.depth.tolist() == [len(w) - 1 for w in names]
    ends = [graph.successors(v).size == 0 for v in tree.position]
    assert tree.cut.tolist() == [
        len(w) == depth + 1 and not end for w, end in zip(names, ends, strict=True)
    ]
    assert tree.complete == (not tree.cut.any())
    if graph.owner is not None:
        assert tree.graph.owner.tolist() == graph.owner[tree.position].tolist()
    return tree


def test_everything_small():
    for n in (1, 2):
        for g in all_digraphs(n):
            for depth in range(5):
                check(g, 0, depth)


def test_random():
    rng = random.Random(5)
    for _ in range(60):
        g = random_digraph(rng, 5)
        check(g, rng.randrange(g.n), rng.randint(0, 4))


def test_an_acyclic_graph_is_unravelled_whole():
    diamond = zm.Graph.from_edges([("s", "a"), ("s", "b"), ("a", "t"), ("b", "t")])
    tree = check(diamond, "s", 10**6)
    assert tree.complete
    assert tree.graph.n == 5
    assert not unravel(diamond, "s", 1).complete


def test_walks_are_lazy():
    loop = zm.Graph.from_edges([("a", "a")])
    assert [len(w) for w in islice(walks(loop, "a"), 4)] == [1, 2, 3, 4]


def test_an_explosion_is_refused_before_it_happens():
    dense = zm.Graph.from_edges([(u, v) for u in range(10) for v in range(10)])
    with pytest.raises(MemoryLimitError, match="walks"):
        unravel(dense, 0, 10**9)
    with pytest.raises(InvalidGraphError, match="depth"):
        unravel(dense, 0, -1)


def test_memory_is_estimated_for_long_walks(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    with pytest.raises(MemoryLimitError):
        unravel(zm.Graph.from_edges([(0, 0)]), 0, 10**9)
