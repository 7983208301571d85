"""Quotient graphs."""

import random

import numpy as np
import pytest
from tests.games import random_digraph

import zermelo as zm
from zermelo.errors import InvalidGraphError
from zermelo.transform import bisimulation, quotient
from zermelo.transform.quotient import (
    canonical_partition,
    first_members,
    quotient_by_bisimulation,
)


def by_definition(graph, partition):
    number = {}
    for c in partition:
        number.setdefault(c, len(number))
    classes = [number[c] for c in partition]
    edges = sorted({(classes[u], classes[v]) for u, v in graph.to_edges().tolist()})
    return classes, edges


def test_by_definition():
    rng = random.Random(8)
    for _ in range(300):
        g = random_digraph(rng).with_owner(None)
        partition = [rng.choice((-5, 3, 10**12, 4)) for _ in range(g.n)]
        classes, edges = by_definition(g, partition)
        h = quotient(g, partition)
        assert [tuple(e) for e in h.to_edges().tolist()] == edges
        assert h.n == max(classes) + 1
        assert canonical_partition(partition, g.n).tolist() == classes
        assert first_members(np.array(classes)).tolist() == [classes.index(c) for c in range(h.n)]


def test_the_trivial_partitions():
    g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    assert quotient(g, [0, 1, 2, 3]) == g
    one = quotient(g, [9] * 4)
    assert one.names == ("a",)
    assert one.to_edges().tolist() == [[0, 0]]


def test_owners_must_agree():
    g = zm.Graph.from_edges([("a", "b"), ("b", "c")], owner={"a": 0, "b": 1, "c": 0})
    assert quotient(g, [0, 1, 0]).owner.tolist() == [0, 1]
    with pytest.raises(InvalidGraphError, match=r"'a' and 'b' .* players 0 and 1"):
        quotient(g, [0, 0, 1])


@pytest.mark.parametrize("bad", [[0], [0, 1, 2], [0.5, 1.0], [[0, 1]], ["a", "b"]])
def test_bad_partitions(bad):
    with pytest.raises(InvalidGraphError, match="partition"):
        quotient(zm.Graph.from_edges([(0, 1)]), bad)


def test_empty():
    assert quotient(zm.Graph.from_edges([], n=0), []).n == 0


def test_representatives_suffice_for_a_bisimulation():
    rng = random.Random(9)
    for _ in range(200):
        g = random_digraph(rng)
        classes = bisimulation(g)
        assert quotient_by_bisimulation(g, classes) == quotient(g, classes)
