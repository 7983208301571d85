"""Bounded epimorphisms: against the definition, and Loewe2004 Props. 2.1 to 2.3."""

import itertools
import random

import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidGraphError
from zermelo.transform import (
    alternating_graph,
    check_bounded_epimorphism,
    is_bounded_epimorphism,
    quotient,
    reachable,
    situation_to_position,
    unravel,
    walk_to_position,
    walk_to_situation,
)


def by_definition(g, s, h, t, z):
    """The first of the four conditions that fails, 0 if none does."""
    e_g = {tuple(e) for e in g.to_edges().tolist()}
    e_h = {tuple(e) for e in h.to_edges().tolist()}
    if z[s] != t:
        return 1
    if set(z) != set(range(h.n)):
        return 2
    if any((z[u], z[v]) not in e_h for u, v in e_g):
        return 3
    for v0 in range(g.n):
        for w0, w1 in e_h:
            if z[v0] == w0 and not any(z[v1] == w1 and (v0, v1) in e_g for v1 in range(g.n)):
                return 4
    return 0


def check_witness(g, h, z, report):
    e_g = {tuple(e) for e in g.to_edges().tolist()}
    e_h = {tuple(e) for e in h.to_edges().tolist()}
    if report.condition == 2:
        assert report.witness[0] not in z
    elif report.condition == 3:
        u, v, x, y = report.witness
        assert (z[u], z[v]) == (x, y)
        assert (u, v) in e_g
        assert (x, y) not in e_h
    elif report.condition == 4:
        v, x, y = report.witness
        assert z[v] == x
        assert (x, y) in e_h
        assert all(z[w] != y for u, w in e_g if u == v)


def test_every_map_between_tiny_graphs():
    targets = [h for n in (1, 2) for h in all_digraphs(n)]
    count = dict.fromkeys(range(5), 0)
    for g in targets:
        for h in targets:
            for z in itertools.product(range(h.n), repeat=g.n):
                report = check_bounded_epimorphism(g, 0, h, 0, z)
                assert report.condition == by_definition(g, 0, h, 0, z)
                assert bool(report) == is_bounded_epimorphism(g, 0, h, 0, z)
                check_witness(g, h, z, report)
                count[report.condition] += 1
    assert all(count.values())


def test_random_maps():
    rng = random.Random(10)
    for _ in range(1500):
        g, h = random_digraph(rng, 5).with_owner(None), random_digraph(rng, 3).with_owner(None)
        z = [rng.randrange(h.n) for _ in range(g.n)]
        z[0] = 0
        report = check_bounded_epimorphism(g, 0, h, 0, z)
        assert report.condition == by_definition(g, 0, h, 0, z)
        check_witness(g, h, z, report)


def test_messages_name_the_condition():
    g = zm.Graph.from_edges([("a", "b")])
    h = zm.Graph.from_edges([("x", "y"), ("x", "z")])
    lines = [
        ({"a": "y", "b": "y"}, "condition 1: 'a' maps to 'y', not to 'x'"),
        ({"a": "x", "b": "y"}, "condition 2: nothing maps to 'z'"),
    ]
    for mapping, line in lines:
        assert str(check_bounded_epimorphism(g, "a", h, "x", mapping)) == line
    two = zm.Graph.from_edges([("p", "q"), ("p", "r"), ("s", "q"), ("s", "r"), ("u", "q")])
    report = check_bounded_epimorphism(
        two, "p", h, "x", {"p": "x", "s": "x", "u": "x", "q": "y", "r": "z"}
    )
    assert report.witness == ("u", "x", "z")
    assert str(report).startswith("condition 4: 'x' → 'z' is a move, but 'u' has none")


def test_owners_are_kept_where_both_have_them():
    g = zm.Graph.from_edges([(0, 1)], owner=[0, 1])
    assert check_bounded_epimorphism(g, 0, g, 0, [0, 1])
    assert check_bounded_epimorphism(g, 0, g.with_owner(None), 0, [0, 1])
    assert check_bounded_epimorphism(g, 0, g.with_owner([0, 0]), 0, [0, 1]).condition == 5


def test_bad_maps():
    g = zm.Graph.from_edges([("a", "b")])
    for bad in ([0], [0, 2], [0, -1], [0.0, 1.0], {"a": "a"}):
        with pytest.raises(InvalidGraphError, match="mapping"):
            check_bounded_epimorphism(g, "a", g, "a", bad)


# -------------------------------------------------------------------- propositions


def acyclic(rng):
    n = rng.randint(1, 6)
    edges = [(u, v) for u in range(n) for v in range(u + 1, n) if rng.random() < 0.5]
    return zm.Graph.from_edges(edges, n=n)


def test_proposition_2_1():
    """The quotient by the kernel of a bounded epimorphism is the image."""
    rng = random.Random(11)
    for _ in range(200):
        g = reachable(acyclic(rng), 0)
        tree = unravel(g, 0, g.n).graph
        z = [g.index(walk_to_position(w)) for w in tree.names]
        assert is_bounded_epimorphism(tree, 0, g, 0, z)
        image = quotient(tree, z).with_names(None)
        # G/≡ numbers classes by first appearance; undo that to compare with G itself
        place = {c: k for k, c in enumerate(dict.fromkeys(z))}
        edges = sorted([place[u], place[v]] for u, v in g.to_edges().tolist())
        assert image.to_edges().tolist() == edges


def test_proposition_2_2():
    rng = random.Random(12)
    for _ in range(200):
        g = reachable(random_digraph(rng).with_owner(None), 0)
        a = alternating_graph(g, 0)
        assert is_bounded_epimorphism(a, (0, 0), g, 0, situation_to_position)
        dag = reachable(acyclic(rng), 0)
        tree = unravel(dag, 0, dag.n)
        assert tree.complete
        assert is_bounded_epimorphism(tree.graph, (0,), dag, 0, walk_to_position)
        assert is_bounded_epimorphism(tree.graph, (0,), dag, 0, tree.position)
        both = alternating_graph(dag, 0)
        assert is_bounded_epimorphism(tree.graph, (0,), both, (0, 0), walk_to_situation)


def test_a_cut_tree_is_no_cover():
    loop = zm.Graph.from_edges([(0, 0)])
    tree = unravel(loop, 0, 3)
    report = check_bounded_epimorphism(tree.graph, (0,), loop, 0, walk_to_position)
    assert report.condition == 4
    assert report.witness == ((0, 0, 0, 0), 0, 0)


def test_proposition_2_3():
    """Below a walk that ends in v, the tree of s is the tree of v."""
    rng = random.Random(13)
    for _ in range(100):
        g = reachable(acyclic(rng), 0)
        tree = unravel(g, 0, g.n).graph
        walk = rng.choice(tree.names)
        below, part = reachable(tree, walk), reachable(g, walk[-1])
        assert is_bounded_epimorphism(below, walk, part, walk[-1], walk_to_position)
        a = alternating_graph(part, walk[-1])
        k = len(walk) - 1
        assert is_bounded_epimorphism(
            below, walk, a, (walk[-1], 0), lambda w, k=k: walk_to_situation(w[k:])
        )
