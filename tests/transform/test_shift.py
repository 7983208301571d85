"""The shift of walks from its definition, Proposition 2.3, and the game after a walk."""

import random

import pytest

import zermelo as zm
from zermelo import transform
from zermelo.errors import InvalidGraphError, InvalidObjectiveError, InvalidOptionError
from zermelo.registry.transforms import TRANSFORMS


def acyclic(rng):
    """A random graph whose trees of walks are finite."""
    n = rng.randint(1, 6)
    edges = [(u, v) for v in range(n) for u in range(v + 1, n) if rng.random() < 0.5]
    return zm.Graph.from_edges(edges, n=n).with_names([f"p{v}" for v in range(n)])


def below(tree, walk):
    """The part of a tree that can be reached from a walk, ConCom(T, W)."""
    return transform.reachable(tree, walk)


@pytest.mark.parametrize("seed", range(40))
def test_the_shift_is_an_isomorphism_and_gives_the_maps_of_proposition_2_3(seed):
    rng = random.Random(seed)
    graph = acyclic(rng)
    s = rng.choice(graph.names)
    tree = transform.unravel(graph, s, graph.n).graph
    for walk in tree.names:
        v = walk[-1]
        part, own = below(tree, walk), transform.unravel(graph, v, graph.n).graph
        image = {w: transform.shift_walk(w, walk) for w in part.names}
        assert sorted(image.values()) == sorted(own.names)  # one to one and onto
        moves = {(image[part.name(a)], image[part.name(b)]) for a, b in part.to_edges().tolist()}
        assert moves == {(own.name(a), own.name(b)) for a, b in own.to_edges().tolist()}
        connected = transform.reachable(graph, v)
        assert transform.is_bounded_epimorphism(
            part, walk, connected, v, lambda w: transform.walk_to_position(w)
        )
        situations = transform.alternating_graph(graph, v)
        assert transform.is_bounded_epimorphism(
            part, walk, situations, (v, 0),
            lambda w, walk=walk: transform.shifted_walk_to_situation(w, walk),
        )  # fmt: skip


def test_the_proposition_fails_for_the_whole_tree():
    """No map at all is a bounded epimorphism from ⟨T_G^a, (a, b)⟩ to A_G^b, for a → b."""
    graph = zm.Graph.from_edges([("a", "b")])
    tree = transform.unravel(graph, "a", 5).graph
    situations = transform.alternating_graph(graph, "b")
    assert situations.n == 1
    only = situations.names[0]
    assert not transform.is_bounded_epimorphism(
        tree, ("a", "b"), situations, only, lambda walk: only
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("objective", [zm.NormalPlay(), zm.Misere(), zm.Asymmetric()])
def test_the_game_after_a_walk_is_the_game_on_the_tree_from_there(seed, objective):
    rng = random.Random(seed)
    graph = acyclic(rng)
    s = rng.choice(graph.names)
    tree = transform.unravel(graph, s, graph.n).graph
    walk = rng.choice(tree.names)
    after = TRANSFORMS["shift"].load()(zm.Game(graph, objective, s), list(walk))
    assert after.start == walk[-1]
    assert transform.pointed_value(
        (after.graph, after.start), objective
    ) == transform.pointed_value((tree, walk), objective)


def test_what_is_no_walk_is_refused():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    shift = TRANSFORMS["shift"].load()
    with pytest.raises(InvalidGraphError, match="'a' → 'a' is no move"):
        shift(zm.Game(graph), ["a", "a"])
    with pytest.raises(InvalidGraphError, match="at least one position"):
        shift(zm.Game(graph), [])
    with pytest.raises(InvalidOptionError, match="a walk from the start 'b', got one from 'a'"):
        shift(zm.Game(graph, start="b"), ["a", "b"])
    with pytest.raises(InvalidObjectiveError, match="no-return"):
        shift(zm.Game(graph, zm.NoReturn()), ["a", "b"])
    with pytest.raises(InvalidGraphError, match="expected a walk that begins with"):
        transform.shift_walk(("a", "b"), ("b",))
    with pytest.raises(InvalidGraphError, match="expected a walk, a tuple"):
        transform.shift_walk((), ("b",))


def test_every_function_that_makes_a_game_is_in_the_table():
    """What `zermelo.transform` makes of a graph or a game, the shell makes, too."""
    other_names = {
        "alternating_graph": "alternating", "with_root": "star", "shift_walk": "shift",
    }  # fmt: skip
    no_graphs = {
        # answers about graphs and maps, and maps of positions
        "anti_equivalent", "equivalent", "is_equivalence", "pointed_value", "bisimulation",
        "check_bounded_epimorphism", "is_bounded_epimorphism", "reachable_mask", "walks",
        "situation_to_position", "walk_to_position", "walk_to_situation",
        "shifted_walk_to_situation",
    }  # fmt: skip
    functions = {x for x in transform.__all__ if x[0].islower()} - no_graphs
    names = {other_names.get(x, x.replace("_", "-")) for x in functions}
    assert names == {row.name for row in TRANSFORMS.own}
