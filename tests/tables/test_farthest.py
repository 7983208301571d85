"""A lost position whose longest loss leads out of its tier, and its neighbours."""

from itertools import pairwise

import pytest
from tests.tables import plain
from tests.tables.games import arrays

from zermelo.tables._work import Work
from zermelo.tables.solve import solve_rules


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


@pytest.mark.parametrize("members", [(), ("back",), ("index",), ("back", "index")])
@pytest.mark.parametrize(("tail", "inside"), [(1, 2), (3, 2), (7, 2), (1, 4), (7, 4), (5, 8)])
@pytest.mark.parametrize("way", ["stored", "made again"])
def test_the_longest_loss_of_all_tiers_counts(members, tail, inside, way, monkeypatch):
    if way == "made again":
        monkeypatch.setattr(Work, "fits", lambda self, more: False)
    rules = game(tail, inside, *members)
    solved = solve_rules(rules)
    assert solved[0] == (-1, 1 + max(tail, inside - 1))
    for position, value in plain.solve(rules).items():
        assert solved[position] == value
