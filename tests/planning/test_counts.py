"""Estimates of positions and moves against exact counts, with fixed seeds."""

import math
import time

import numpy as np
import pytest

import zermelo as zm
from zermelo.planning.census import Sampling
from zermelo.planning.from_rules import census_of_rules
from zermelo.rules.base import as_rules
from zermelo.tables.solving.estimates import Estimate, from_repeats, share, show_count, total_of
from zermelo.tables.solving.sampling import explore_compiled, explore_plain, extrapolate, grow
from zermelo.tables.solving.solve import solve_rules


def census(name, samples, seed=0, seconds=600.0, *, symmetry=True):
    how = Sampling(samples, seconds, seed, symmetry, distances=True)
    return census_of_rules(as_rules(zm.game(name)), None, how)


def far():
    return time.monotonic() + 600


def test_an_estimate_says_what_it_is():
    assert Estimate.exact(5).is_exact
    assert not Estimate(5, 4, 6).is_exact
    assert str(Estimate(5, 4, None)) == "about 5, at least 4"
    assert Estimate(10, 8, None).times(1.5) == Estimate(15, 12, None)
    assert show_count(10**18) == "1e+18"


@pytest.mark.parametrize("samples", [10, 100, 1000])
def test_shares_hold_in_about_95_of_100_samples(samples):
    rng = np.random.default_rng(samples)
    held = 0
    for _ in range(200):
        found = share(int((rng.random(samples) < 0.3).sum()), samples, 10**12)
        assert found.low <= found.value <= found.high <= 10**12
        held += found.low <= 3 * 10**11 <= found.high
    assert held >= 180


def test_sums_hold_in_about_95_of_100_samples():
    rng, held = np.random.default_rng(5), 0
    for _ in range(200):
        found = total_of(rng.poisson(4, 400), 10**12)
        held += found.low <= 4 * 10**12 <= found.high
    assert held >= 180


def test_nothing_is_concluded_from_no_samples():
    assert share(0, 0, 100) == Estimate(0, 0, 100)
    assert total_of(np.zeros(0), 0) == Estimate.exact(0)
    assert total_of(np.zeros(9), 7).high is None
    assert from_repeats([3.0, 3.0, 3.0], 5).value == 5


@pytest.mark.parametrize("name", ["tictactoe", "pong-hau-ki", "mu-torere", "chopsticks"])
def test_a_small_index_is_counted_exactly(name):
    rules = as_rules(zm.game(name))
    found = census(name, rules.size)
    solved = solve_rules(rules)
    assert found.table.slots == Estimate.exact(rules.size)
    assert found.positions.low <= int((solved.entry != 0).sum()) <= found.positions.high


@pytest.mark.parametrize("name", ["three-mens-morris", "achi", "dodgem", "tapatan"])
def test_random_indices_agree_with_all_indices(name):
    rules = as_rules(zm.game(name))
    samples = min(600, rules.size // 4)
    every = census(name, rules.size, seconds=600)
    held = 0
    for seed in range(5):
        found = census(name, samples, seed)
        assert found.method.startswith(f"{samples} random indices")
        held += every.positions.value <= found.positions.high
        assert abs(found.positions.value - every.positions.value) <= 0.2 * every.positions.value
        assert abs(found.moves.value - every.moves.value) <= 0.3 * every.moves.value
    assert held >= 4


def test_the_same_seed_gives_the_same_census():
    one, other = census("achi", 200, seed=7), census("achi", 200, seed=7)
    assert (one.positions, one.moves, one.table) == (other.positions, other.moves, other.table)
    assert one.moves != census("achi", 200, seed=8).moves


@pytest.mark.slow("kalah:2x2")
@pytest.mark.parametrize("name", ["nim:3,4,5", "kayles:6", "connect3:3x3", "kalah:2x2"])
def test_what_was_explored_wholly_is_exact(name):
    found = census(name, 10_000)
    game = zm.explore(zm.game(name), symmetry=True)
    assert found.positions == Estimate.exact(game.graph.n)
    assert found.moves == Estimate.exact(game.graph.m)
    assert found.ends == Estimate.exact(game.graph.terminals.size)


def test_without_symmetry_all_positions_count():
    found = census("connect3:3x3", 10_000, symmetry=False)
    assert found.positions.value == zm.explore(zm.game("connect3:3x3")).graph.n


@pytest.mark.parametrize(("name", "limit"), [("connect3:3x3", 40), ("connect3:3x3", 150)])
def test_populations_hold_the_true_number(name, limit):
    """A few layers are explored, the rest is estimated."""
    rules = as_rules(zm.game(name))
    whole = explore_compiled(rules, 10**5, far())
    begun = explore_compiled(rules, limit, far())
    assert whole.whole
    assert whole.graded
    assert not begun.whole
    found = grow(rules, begun, 100, 1, far())
    assert found.layers == len(whole.layers)
    for estimate, exact in (
        (found.positions, whole.found), (found.moves, whole.moves), (found.ends, whole.ends),
    ):  # fmt: skip
        assert abs(estimate.value - exact) <= 0.15 * exact
        assert estimate.low <= estimate.value <= estimate.high


@pytest.mark.slow
@pytest.mark.compiled
def test_connect_four_on_7_by_6_squares():
    """John Tromp counted 4,531,985,219,092 positions; about half of them up to reflection."""
    found = census("connect4:7x6", 40_000, seed=3)
    assert 0.5 <= found.positions.value / (4_531_985_219_092 / 2) <= 2
    assert found.layers == "about 42 at most"


def test_a_population_that_has_no_time_gives_nothing():
    rules = as_rules(zm.game("connect3:3x3"))
    begun = explore_compiled(rules, 40, far())
    assert grow(rules, begun, 100, 0, 0.0) is None


def test_a_curve_is_only_a_guess():
    found = census("kalah:2x2", 10)
    assert found.method.startswith("a guess")
    assert found.positions.high is None
    assert found.positions.low > 10
    layers = [math.comb(30, k) for k in range(16)]
    assert 0.3 <= extrapolate(layers) / 2**30 <= 3
    assert extrapolate([1, 3]) == 8
    assert extrapolate([1]) == 2
    assert extrapolate([3**k for k in range(10)]) < math.inf


def test_exploring_stops_at_the_limit_and_in_time():
    rules = as_rules(zm.game("connect4:5x5"))
    begun = explore_compiled(rules, 100, far())
    assert 100 < begun.found <= 100 + rules.most_moves * begun.expanded
    assert explore_compiled(rules, 100, 0.0).expanded == 0
    plain = explore_plain(as_rules(zm.game("nim:9,9,9")), 50, far(), symmetry=False)
    assert 50 < plain.found < 100
    assert not plain.whole
