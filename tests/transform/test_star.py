"""G_s*, and the bilabelling through it (Loewe2004 Prop. 3.10)."""

import random

import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidGraphError
from zermelo.transform import alternating_graph, reachable, with_root


def test_by_definition():
    rng = random.Random(6)
    for _ in range(100):
        g = random_digraph(rng)
        s = rng.randrange(g.n)
        h = with_root(g, s)
        assert h.names == (*range(g.n), "*")
        assert h.to_edges().tolist() == [*g.to_edges().tolist(), [g.n, s]]
        if g.owner is not None:
            assert h.owner.tolist() == [*g.owner.tolist(), 1 - g.owner[s]]
            assert with_root(g, s, owner=int(g.owner[s])).owner[-1] == g.owner[s]


def test_the_name_must_be_new():
    g = zm.Graph.from_edges([("a", "*")])
    assert with_root(g, "a", "x").names == ("a", "*", "x")
    with pytest.raises(InvalidGraphError, match="taken"):
        with_root(g, "a")
    with pytest.raises(InvalidGraphError, match="taken"):
        with_root(zm.Graph.from_edges([(0, 1)]), 0, 1)
    with pytest.raises(InvalidGraphError, match="no owners"):
        with_root(g, "a", "x", owner=1)
    with pytest.raises(InvalidGraphError, match="0 or 1"):
        with_root(g.with_owner([0, 1]), "a", "x", owner=2)


def situations_of(graph, start):
    """A solution on A_G^s as a mapping from situations to labels."""
    a = alternating_graph(graph, start)
    s = zm.solve(a, zm.Asymmetric())
    return {name: int(label) for name, label in zip(a.names, s.label, strict=True)}


@pytest.mark.slow
def test_proposition_3_10():
    """A_G^s and A_{G_s*}^x together have every situation, agree, and give the bilabelling."""
    rng = random.Random(7)
    graphs = [(g, s) for n in (1, 2) for g in all_digraphs(n) for s in range(n)]
    graphs += [(g, 0) for g in all_digraphs(3)]
    graphs += [(g, 0) for g in (random_digraph(rng).with_owner(None) for _ in range(100))]
    for whole, s in graphs:
        g = reachable(whole, s)
        here, there = situations_of(g, s), situations_of(with_root(g, s), "*")
        assert there.pop(("*", 0)) is not None
        assert set(here) | set(there) == {(v, e) for v in g for e in (0, 1)}
        assert all(here[x] == there[x] for x in set(here) & set(there))
        both = there | here
        label = zm.solve(g, zm.Asymmetric()).label
        assert all(label[g.index(v), e] == x for (v, e), x in both.items())
