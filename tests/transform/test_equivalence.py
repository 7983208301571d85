"""Equivalent and anti-equivalent games, Loewe2004 §3."""

import random
from fractions import Fraction

import pytest
from tests.games import KEYWORDS, all_digraphs, objective, random_digraph
from tests.sampling import rounds

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.transform import (
    alternating_graph,
    anti_equivalent,
    bisimulation,
    equivalent,
    is_equivalence,
    pointed_value,
    quotient,
    reachable,
    situation_to_position,
    unravel,
    walk_to_position,
)

STUCK_GAMES = (zm.NormalPlay, zm.Misere, zm.Asymmetric, zm.G0, zm.G1, zm.H1)


def small_and_random(seed, count=100, largest=3):
    rng = random.Random(seed)
    yield from (g for n in range(1, largest + 1) for g in all_digraphs(n))
    yield from (random_digraph(rng).with_owner(None) for _ in range(count))


@pytest.mark.slow
def test_proposition_3_1():
    """S and S̄ are anti-equivalent: the identity is an S-S̄-anti-equivalence."""
    for g in small_and_random(20):
        assert is_equivalence(g, g, range(g.n), other_starter=1, anti=True)
    for g in small_and_random(20, 50, 2):
        assert anti_equivalent((g, 0), (g, 0), other_starter=1)
        assert equivalent((g, 0), (g, 0), other_starter=1, view="starter")


def test_proposition_3_1_fails_for_the_asymmetric_game():
    """A terminal: player 0 stuck draws, player 1 stuck loses."""
    t = zm.Graph.from_edges([], n=1)
    report = is_equivalence(t, t, [0], zm.Asymmetric(), other_starter=1, anti=True)
    assert not report
    assert report.counterexample == (0, 0)
    assert report.values == (0, 1)
    assert str(report) == "no anti-equivalence: 0 is worth 0, its image 0 1"


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("game", STUCK_GAMES)
def test_proposition_3_2(game, starter):
    """Bounded epimorphisms are equivalences."""
    for g in small_and_random(21, 30, 2):
        classes = bisimulation(g)
        small = quotient(g, classes)
        for view in ("player0", "starter"):
            assert is_equivalence(
                g, small, classes, game(), starter=starter, other_starter=starter, view=view
            )


@pytest.mark.slow
@pytest.mark.sampled
def test_corollary_3_3():
    """A game is equivalent to the one on its unravelled tree."""
    rng = random.Random(22)
    for _ in range(rounds(60)):
        n = rng.randint(1, 6)
        edges = [(u, v) for u in range(n) for v in range(u + 1, n) if rng.random() < 0.5]
        g = reachable(zm.Graph.from_edges(edges, n=n), 0)
        tree = unravel(g, 0, n).graph
        for game in STUCK_GAMES:
            for e in (0, 1):
                assert is_equivalence(tree, g, walk_to_position, game(), starter=e, other_starter=e)
                assert equivalent((tree, (0,)), (g, 0), game(), starter=e, other_starter=e)


def test_the_alternating_graph_without_its_owners():
    """Z_A is a bounded epimorphism of plain graphs, so an equivalence, too."""
    for g in small_and_random(23, 40, 2):
        a = alternating_graph(g).with_owner(None)
        for game in (zm.NormalPlay(), zm.Asymmetric()):
            assert is_equivalence(a, g, situation_to_position, game)


@pytest.mark.slow
def test_the_alternating_graph_with_its_owners_is_both_games():
    for g in small_and_random(24, 40, 2):
        a = alternating_graph(g)
        for game in STUCK_GAMES:
            for e in (0, 1):
                assert equivalent((a, (0, e)), (g, 0), game(), other_starter=e)


@pytest.mark.slow
def test_proposition_3_8():
    """All pairs of values of A and Ā except (W, L) occur, for the starter."""
    pairs = set()
    for n in (1, 2, 3):
        for g in all_digraphs(n):
            pairs |= {tuple(row) for row in zm.solve(g, zm.Asymmetric()).label.tolist()}
    rng = random.Random(25)
    for _ in range(2000):
        g = random_digraph(rng).with_owner(None)
        pairs |= {tuple(row) for row in zm.solve(g, zm.Asymmetric()).label.tolist()}
    assert pairs == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(1, -1)}


def test_the_views():
    """A win for player 1, who starts, is −1 for player 0."""
    g = zm.Graph.from_edges([("s", "t")])
    assert pointed_value((g, "s"), zm.G0(), starter=1) == -1
    assert pointed_value((g, "s"), zm.G0(), starter=1, view="starter") == 1
    owned = g.with_owner([1, 0])
    assert pointed_value((owned, "s")) == -1
    assert pointed_value((owned, "s"), view="starter") == 1


@pytest.mark.slow
@pytest.mark.sampled
def test_only_the_reachable_part_counts_and_values_agree():
    rng = random.Random(26)
    for _ in range(rounds(100)):
        g = random_digraph(rng)
        for keyword in KEYWORDS:
            wanted = objective(keyword, g, rng)
            s = zm.solve(g, wanted)
            for v in rng.sample(range(g.n), min(g.n, 2)):
                for e in (0, 1) if g.owner is None else (0,):
                    x = s.at(v, e if g.owner is None else None).value
                    flip = s.form.layout.name == "SYMMETRIC" and e == 1
                    assert pointed_value((g, v), wanted, starter=e) == (-x if flip else x)


def test_exact_payoffs():
    g = zm.Graph.from_edges([("s", "t")])
    third = zm.TerminalPayoff({"t": Fraction(1, 3)})
    assert equivalent((g, "s"), (g, "t"), third)
    assert anti_equivalent((g, "s"), (g, "s"), third, zm.TerminalPayoff({"t": Fraction(-1, 3)}))
    assert not equivalent((g, "s"), (g, "s"), third, zm.TerminalPayoff({"t": 0.3333}))


def test_bad_options():
    g = zm.Graph.from_edges([(0, 1)])
    with pytest.raises(InvalidOptionError, match="starter"):
        equivalent((g, 0), (g, 0), starter=2)
    with pytest.raises(InvalidOptionError, match="view"):
        equivalent((g, 0), (g, 0), view="mover")
    with pytest.raises(InvalidOptionError, match="owners"):
        pointed_value((g.with_owner([0, 1]), 0), starter=1)
