"""Thousands of small games as one large one, each with priorities of its own.

What goes wrong in one small game of ten thousand shows here, in a second: the checker looks at all.
"""

import numpy as np
import pytest

import zermelo as zm

pytestmark = pytest.mark.slow

FAST = ("portfolio", "zielonka", "fixpoint", "priority-promotion", "tangle-learning")


def side_by_side(games, size, seed):
    rng = np.random.default_rng(seed)
    n = games * size
    v = np.arange(n)
    first = v - v % size
    moves = [first + rng.integers(0, size, n) for _ in range(2)]
    owner = rng.integers(0, 2, n).astype(np.int8)
    graph = zm.Graph.from_arrays(np.concatenate([v, v]), np.concatenate(moves), n, owner=owner)
    return graph, zm.Parity(2 * first + rng.integers(0, size, n))


@pytest.mark.compiled
@pytest.mark.parametrize("solver", FAST)
@pytest.mark.parametrize("size", [6, 9, 12, 16])
def test_side_by_side(solver, size):
    for seed in range(6):
        graph, objective = side_by_side(60_000 // size, size, seed)
        zm.solve(graph, objective, solver=solver).verify()
