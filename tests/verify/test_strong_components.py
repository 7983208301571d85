"""The checkers' own strong components, compared with reachability and with each other."""

import random

import numpy as np
import pytest

from zermelo.verify.common import strong as _strong
from zermelo.verify.common.strong import strong_components


def by_reachability(n, edges):
    """The matrix of reachability; components are the classes of mutual reachability."""
    reach = np.eye(n, dtype=bool)
    for u, w in edges:
        reach[u, w] = True
    for k in range(n):
        reach |= np.outer(reach[:, k], reach[k])
    return reach & reach.T


def same(component):
    return component[:, None] == component[None, :]


@pytest.mark.parametrize("large", [0, 1 << 60])
@pytest.mark.parametrize("rounds", [1, 2, 48])
def test_small_graphs(monkeypatch, large, rounds):
    monkeypatch.setattr(_strong, "MIN_MOVES_OF_ARRAYS", large)
    monkeypatch.setattr(_strong, "MAX_ROUNDS", rounds)
    rng = random.Random(rounds)
    for _ in range(400):
        n = rng.randint(1, 12)
        edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 2 * n))]
        ends = np.array(edges, np.int64).reshape(-1, 2)
        component = strong_components(n, ends[:, 0], ends[:, 1])
        assert np.array_equal(same(component), by_reachability(n, edges))
        assert np.array_equal(component[component], component), "named by one of its members"


def canonical(component):
    """Components numbered by their first members."""
    _, first, inverse = np.unique(component, return_index=True, return_inverse=True)
    return first[inverse.reshape(-1)]


@pytest.mark.parametrize("degree", [0.7, 1.0, 1.5, 4.0])
def test_whole_arrays_agree_with_tarjan(monkeypatch, degree):
    rng = np.random.default_rng(5)
    n = 60_000
    source, target = rng.integers(0, n, (2, int(n * degree)))
    quick = canonical(strong_components(n, source, target))
    monkeypatch.setattr(_strong, "MIN_MOVES_OF_ARRAYS", 1 << 60)
    assert np.array_equal(canonical(strong_components(n, source, target)), quick)


def test_long_ways():
    """A cycle, and a path, of a hundred thousand positions: no recursion and not many rounds."""
    n = 100_000
    places = np.arange(n)
    assert np.unique(strong_components(n, places, (places + 1) % n)).size == 1
    assert np.unique(strong_components(n, places[:-1], places[1:])).size == n
