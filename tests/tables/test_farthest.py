"""A lost position whose longest loss leads out of its tier, and its neighbours."""

from itertools import pairwise

import pytest
from tests.tables import plain
from tests.tables.games import arrays

from zermelo.tables.solving.job import Job
from zermelo.tables.solving.solve import solve_rules


def game(tail, inside, *members):
    """Position 0 loses: by ``inside`` plies in its own tier, by 1 + ``tail`` through a lower one.

    Ends lose. Vertex 1 is the move that stays in the tier, 2 the one that leaves it.
    """
    edges = [(0, 1), (0, 2)]
    chain = [1, *range(3, 3 + inside - 1)]  # in the upper tier, to an end
    edges += list(pairwise(chain))
    lower = [2, *range(20, 20 + tail)]
    edges += list(pairwise(lower))
    n = 40
    tiers = [0 if v == 2 or v >= 20 else 1 for v in range(n)]
    ends = [2] * n
    ends[chain[-1]] = ends[lower[-1]] = -1
    given = {"edges": edges, "n": n, "ends": ends, "tiers": tiers}
    return arrays("ends", "tiers", *members, **given)


@pytest.mark.sampled(cases=26)
@pytest.mark.parametrize("members", [(), ("back",), ("index",), ("back", "index")])
@pytest.mark.parametrize(("tail", "inside"), [(1, 2), (3, 2), (7, 2), (1, 4), (7, 4), (5, 8)])
@pytest.mark.parametrize("way", ["stored", "made again"])
def test_the_longest_loss_of_all_tiers_counts(members, tail, inside, way, monkeypatch):
    if way == "made again":
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    rules = game(tail, inside, *members)
    solved = solve_rules(rules)
    assert solved.look_up(0)[:2] == (-1, 1 + max(tail, inside - 1))
    for position, value in plain.solve(rules).items():
        assert solved.look_up(position)[:2] == value


WAYS = [(), ("back",), ("index",), ("back", "index")]


def upper(edges, n, lower, ends, *members):
    """A game of two tiers: the vertices of ``lower``, and all others."""
    given = [ends.get(v, 2) for v in range(n)]
    tiers = [0 if v in lower else 1 for v in range(n)]
    return arrays("ends", "tiers", *members, edges=edges, n=n, ends=given, tiers=tiers)


@pytest.mark.parametrize("members", WAYS)
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("order", [(3, 4), (4, 3)])
def test_the_nearest_tie_of_lower_tiers_counts(members, inside, order):
    """Two moves lead down, to ties that are 1 and 3 plies away; one may stay, and leads nowhere."""
    near, far = order
    edges = [(0, 3), (0, 4), (near, 5), (far, 6), (6, 7), (7, 5)]
    edges += [(0, 1), (1, 0)] if inside else []
    rules = upper(edges, 8, {3, 4, 5, 6, 7}, {5: 0}, *members)
    solved = solve_rules(rules)
    assert solved.look_up(0)[:2] == (0, 2)
    assert {p: solved.look_up(p)[:2] for p in plain.solve(rules)} == plain.solve(rules)


@pytest.mark.parametrize("members", WAYS)
@pytest.mark.parametrize("way", ["stored", "made again"])
def test_a_win_that_is_bettered_counts_once(members, way, monkeypatch):
    """From 7 and 9 a move to 2 wins late, out of the tier, and one to 1 at once; 0 and 8 are drawn.

    Two wins that counted twice would hide that two positions are undecided.
    """
    if way == "made again":
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    rules = upper(
        [(0, 7), (0, 8), (0, 9), (8, 8), (7, 1), (7, 2), (9, 1), (9, 2),
         (2, 3), (3, 4), (4, 5), (5, 6)],
        10, {2, 3, 4, 5, 6}, {1: -1, 6: -1}, *members,
    )  # fmt: skip
    solved = solve_rules(rules)
    values = plain.solve(rules)
    assert {p: solved.look_up(p)[:2] for p in values} == values
    assert solved.counts() == plain.counts(values)
    assert solved.counts()["draw"] == 2


@pytest.mark.parametrize("members", WAYS)
@pytest.mark.parametrize("way", ["stored", "made again"])
def test_a_near_tie_of_the_tier_beats_a_far_one_below(members, way, monkeypatch):
    """All undecided positions have a tie below, and yet one of them has a nearer one beside it."""
    if way == "made again":
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    edges = [(0, 1), (0, 2), (2, 3), (3, 4), (4, 5)]
    rules = upper(edges, 6, {2, 3, 4, 5}, {1: 0, 5: 0}, *members)
    solved = solve_rules(rules)
    assert solved.look_up(0)[:2] == (0, 1)
    assert {p: solved.look_up(p)[:2] for p in plain.solve(rules)} == plain.solve(rules)
