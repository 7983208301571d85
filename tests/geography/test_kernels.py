"""The kernels of the search alone: matchings at leaves, and tables that grow."""

import random

import numpy as np
import pytest

import zermelo as zm
from tests.geography import games
from zermelo._kernels.geography import leaf
from zermelo._kernels.geography import search as kernels
from zermelo._kernels.graphs.records import Moves
from zermelo.solvers.geography._arena import Arena
from zermelo.verify.common.inessential import inessential


@pytest.mark.parametrize("seed", range(40))
def test_what_is_lost_in_a_symmetric_rest(seed):
    """The result does not depend on earlier situations, even for the token's position."""
    rng = random.Random(seed)
    n = rng.randint(3, 11)
    pairs = [(v, w) for v in range(n) for w in range(v) if rng.random() < rng.choice((0.2, 0.5))]
    g = zm.Graph.from_edges([x for v, w in pairs for x in ((v, w), (w, v))], n=n)
    token, *others = rng.sample(range(n), rng.randint(2, n))

    def left_behind():
        return np.array([rng.choice((-1, 0, 1)) for _ in range(n)], np.int64)

    area = leaf.Area(*(left_behind() for _ in leaf.Area._fields))
    trees = leaf.Trees(*(left_behind() for _ in leaf.Trees._fields))
    area.blocked[:], area.value[:] = 1, 0
    area.blocked[others], area.value[others] = 0, leaf.MEMBER
    area.decided[: len(others) + 1] = [token, *others]
    leaf.lost_in_symmetric(Moves(g.indptr, g.indices), area, trees, len(others) + 1)
    rest = {v: [w for w in g.successors(v).tolist() if w in others] for v in others}
    assert {v for v in others if trees.lost[v]} == inessential(rest)


@pytest.mark.parametrize("n", [30, 70])
def test_a_table_that_grows_keeps_what_it_knows(n):
    """Every entry is found again, under the hash of its set."""
    g = zm.generators.random_graph(n, degree=3, law="regular", seed=1).graph
    source, target = g.to_edges().T
    proper = source != target
    g = zm.Graph.from_arrays(source[proper], target[proper], n)
    arena = Arena(g, np.full(n, -1, np.int8))
    arena.decide(0, 400)
    known = entries(arena)
    assert len(known) > 20
    width = arena.width
    assert width == 1 + (n > 62)
    larger = np.zeros(16 * arena.table.size, np.int64)
    one = np.zeros(width + 1, np.int64)
    kernels.rehash(arena.table, arena._hashes, one, larger)
    arena.table = larger
    assert entries(arena) == known
    for (v, members), label in known.items():
        h = int(arena._hashes.as_token[v])
        for j in range(width):
            one[j] = sum(1 << w - 62 * j for w in members if w // 62 == j)
        for w in members:
            h ^= int(arena._hashes.in_set[w])
        one[width] = h
        assert kernels.probe(larger, one, 0, width, v) == label


def entries(arena):
    """The entries of a table, by position and set."""
    position, sets, labels = arena.entries()
    found = {}
    for v, row, label in zip(position.tolist(), sets.tolist(), labels.tolist(), strict=True):
        members = [62 * j + b for j, x in enumerate(row) for b in range(62) if x >> b & 1]
        found[v, tuple(members)] = label
    return found


def test_a_full_table_answers_the_same():
    """With sixteen slots, entries are overwritten all the time."""
    for g in games.random_graphs(20, "slots", low=7, high=9):
        rows = [[w for w in row if w != v] for v, row in enumerate(games.rows(g))]
        g = zm.Graph.from_edges([(v, w) for v, row in enumerate(rows) for w in row], n=g.n)
        for returns in (False, True):
            large, small = (
                Arena(g, np.full(g.n, -1, np.int8), returns, slots) for slots in (1 << 12, 1)
            )
            for v in range(g.n):
                assert small.decide(v)[0] == large.decide(v)[0]
                assert small.table.size == 16 * (small.width + 1)
