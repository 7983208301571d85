import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import InvalidOptionError
from zermelo.generators import random_graph
from zermelo.generators.graphs.random import LAWS, distinct_targets

# The variance of each law at mean 3, where there is one.
VARIANCE = {"poisson": 3.0, "regular": 0.0, "uniform": 4.0, "geometric": 12.0}


@pytest.mark.parametrize("law", LAWS)
def test_mean_out_degree(law):
    graph = random_graph(50_000, degree=3, law=law, seed=4).graph
    assert graph.out_degree.mean() == pytest.approx(3.0, abs=0.06)


@pytest.mark.parametrize("law", VARIANCE)
def test_variance_of_out_degree(law):
    graph = random_graph(50_000, degree=3, law=law, seed=4).graph
    assert graph.out_degree.var() == pytest.approx(VARIANCE[law], rel=0.05)


def test_laws_by_their_support():
    assert set(random_graph(2000, 2, "regular").graph.out_degree.tolist()) == {2}
    assert set(random_graph(2000, 1.5, "uniform").graph.out_degree.tolist()) == {0, 1, 2, 3}


def test_a_power_law_has_a_heavy_tail():
    def largest(law):
        return random_graph(50_000, degree=3, law=law, seed=4).graph.out_degree.max()

    assert largest("powerlaw") > 4 * largest("geometric")


def test_in_degrees_are_uniform():
    graph = random_graph(50_000, degree=3, law="regular", seed=9).graph
    arrivals = np.bincount(graph.indices, minlength=graph.n)
    assert arrivals.var() == pytest.approx(3.0, rel=0.05)  # nearly Poisson


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("loops", [False, True])
def test_loops(law, loops):
    edges = random_graph(30, degree=4, law=law, seed=2, loops=loops).graph.to_edges()
    assert (edges[:, 0] == edges[:, 1]).any() == loops


def test_seeds_differ():
    digests = {random_graph(50, seed=seed).graph.digest for seed in range(20)}
    assert len(digests) == 20


@pytest.mark.parametrize("n", [0, 1, 2, 7])
@pytest.mark.parametrize("loops", [False, True])
def test_more_moves_than_positions_is_everything(n, loops):
    graph = random_graph(n, degree=50, law="regular", loops=loops).graph
    assert graph.m == (n * n if loops else n * max(n - 1, 0))


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(9, 14), st.integers(0, 2**32))
def test_targets_are_distinct_and_increase(degrees, choices, seed):
    degrees = np.array(degrees, np.int64)
    targets = distinct_targets(np.random.default_rng(seed), degrees, choices)
    assert targets.size == degrees.sum()
    for row in np.split(targets, np.cumsum(degrees)[:-1]) if degrees.size else ():
        assert (np.diff(row) > 0).all()
        assert ((row >= 0) & (row < choices)).all()


def test_every_set_of_targets_is_as_likely():
    degrees = np.full(60_000, 3)
    rows = distinct_targets(np.random.default_rng(1), degrees, 5).reshape(-1, 3)
    _, counts = np.unique(rows, axis=0, return_counts=True)
    assert counts.size == 10
    assert np.abs(counts - 6_000).max() < 6_000 * 0.06


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"law": "normal"}, "law: expected 'poisson', 'regular'"),
        ({"law": "regular", "degree": 2.5}, "takes an integer, got 2.5"),
        ({"law": "uniform", "degree": 0.3}, "takes a multiple of 0.5, got 0.3"),
        ({"degree": -1}, "degree: expected a number from 0"),
        ({"degree": float("nan")}, "degree"),
        ({"loops": 1}, "loops: expected True or False, got 1"),
        ({"seed": -3}, "seed: expected an integer"),
        ({"n": 2.0}, "n: expected an integer"),
        ({"n": True}, "n: expected an integer"),
    ],
)
def test_refuses(options, words):
    with pytest.raises(InvalidOptionError, match=words):
        random_graph(**{"n": 10, **options})
