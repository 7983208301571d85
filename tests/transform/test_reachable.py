"""Reachable parts and induced subgraphs."""

import random

import numpy as np
import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import UnknownPositionError
from zermelo.transform import reachable, reachable_mask, subgraph


def reached(graph, v):
    seen, todo = set(), [v]
    while todo:
        if (u := todo.pop()) not in seen:
            seen.add(u)
            todo += graph.successors(u).tolist()
    return sorted(seen)


def induced_edges(graph, kept):
    return [(u, v) for u, v in graph.to_edges().tolist() if u in kept and v in kept]


def check_part(graph, part, kept):
    assert part.names == tuple(kept)
    assert [(part.name(u), part.name(v)) for u, v in part.to_edges()] == induced_edges(graph, kept)
    if graph.owner is not None:
        assert part.owner.tolist() == graph.owner[kept].tolist()
    assert zm.Graph.from_csr(part.indptr, part.indices, part.owner, part.names) == part


def test_everything_small():
    for n in (1, 2, 3):
        for g in all_digraphs(n):
            for v in range(n):
                check_part(g, reachable(g, v), reached(g, v))


def test_random():
    rng = random.Random(1)
    for _ in range(300):
        g = random_digraph(rng)
        v = rng.randrange(g.n)
        check_part(g, reachable(g, v), reached(g, v))
        kept = sorted(rng.sample(range(g.n), rng.randint(0, g.n)))
        check_part(g, subgraph(g, kept), kept)
        both = sorted({*reached(g, v), *reached(g, 0)})
        assert np.flatnonzero(reachable_mask(g, [v, 0])).tolist() == both


def test_names_and_owners_are_kept():
    g = zm.Graph.from_edges(
        [("a", "b"), ("c", "d"), ("d", "b")], owner={"a": 0, "b": 1, "c": 1, "d": 0}
    )
    h = reachable(g, "c")
    assert h.names == ("b", "c", "d")
    assert h.owner.tolist() == [1, 1, 0]
    assert h.successors(h.index("d")).tolist() == [h.index("b")]


def test_empty_and_unknown():
    g = zm.Graph.from_edges([], n=0)
    assert reachable_mask(g, []).tolist() == []
    assert subgraph(g, []).n == 0
    with pytest.raises(UnknownPositionError):
        reachable(zm.Graph.from_edges([(0, 1)]), 2)


def test_compiled_on_a_long_path():
    n = 200_000
    v = np.arange(1, n)
    g = zm.Graph.from_arrays(v - 1, v, n)
    assert int(reachable_mask(g, np.array([n // 2])).sum()) == n - n // 2
