"""Quantitative objectives: every way to give weights, and sentences for what does not fit."""

from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, UnknownPositionError, ZermeloError
from zermelo.objectives.weights import exact_fraction, weights_on
from zermelo.solvers.quantitative._thresholds import middle, simplest_between

GRAPH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "a")], owner=[0, 1])
WEIGHTS = [3, -1, 2]
"""Along GRAPH.indices: a → a, a → b, b → a."""


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        tuple(WEIGHTS),
        np.array(WEIGHTS),
        np.array(WEIGHTS, np.int8),
        np.array(WEIGHTS, object),
        {("a", "a"): 3, ("a", "b"): -1, ("b", "a"): 2},
        {(0, 0): 3, ("a", 1): -1, ("b", "a"): 2},
        {("a", "a"): 3, ("a", "b"): -1, ("b", "a"): 2, (0, 1): -1},
        [("a", "a", 3), ("a", "b", -1), ("b", "a", 2), ("b", "a", 2)],
        [["a", "a", np.int64(3)], ["a", "b", -1], ["b", "a", 2]],
        lambda u, v: {"aa": 3, "ab": -1, "ba": 2}[u + v],
        iter(WEIGHTS),
    ],
)
def test_every_way_to_give_weights(given):
    objective = zm.Energy(given)
    for _ in range(2):  # a second time, too
        found = objective.weights(GRAPH)
        assert found.tolist() == WEIGHTS
        assert found.dtype == np.int64
        assert not found.flags.writeable


@pytest.mark.parametrize(
    "given", [[4, 5], np.array([4, 5]), {"a": 4, "b": 5}, {0: 4, "b": 5}, lambda u: 4 + (u == "b")]
)
def test_weights_of_positions(given):
    assert zm.MeanPayoff(given, on="positions").weights(GRAPH).tolist() == [4, 4, 5]


def test_weights_are_kept():
    given = np.array(WEIGHTS)
    table = {("a", "a"): 3, ("a", "b"): -1, ("b", "a"): 2}
    objectives = zm.Energy(given), zm.Energy(table)
    given[0] = 99
    table["a", "a"] = 99
    assert all(x.weights(GRAPH).tolist() == WEIGHTS for x in objectives)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2], r"weight: expected 3 entries, one for each move, got \(2,\)"),
        ([1, 2.5, 3], "weight of the move 'a' → 'b': expected an integer, got 2.5"),
        ([1, True, 3], "weight of the move 'a' → 'b': expected an integer, got True"),
        ([1, "x", 3], "weight of the move 'a' → 'b': expected an integer, got 'x'"),
        ([1, None, 3], "weight of the move 'a' → 'b': expected an integer, got None"),
        (np.array([1.0, 2, 3]), "weight of the move 'a' → 'a': expected an integer, got 1.0"),
        ([1, 2, 2**60 + 1], r"'b' → 'a': expected an integer from -2\*\*60 to 2\*\*60, got 1152"),
        ([1, 2, -(2**70)], r"'b' → 'a': expected an integer from -2\*\*60 to 2\*\*60, got -118"),
        ({("a", "a"): 3, ("b", "a"): 2}, "the move 'a' → 'b' has no weight"),
        ({("b", "b"): 3}, "weight of 'b' → 'b': the graph has no such move"),
        ({"a": 3}, "weight: expected a pair of positions as key, got 'a'"),
        ({("a", "a"): 3, (0, 0): 4}, "the move 'a' → 'a' has two weights, 3 and 4; parallel moves"),
        ([("a", "b", 1), ("a", "b")], r"weight 1: expected a triple \(u, v, weight\), got"),
        (lambda u, v: 0.5, "weight of the move 'a' → 'a': expected an integer, got 0.5"),
        ([[1, 2, 3]] * 2, "no position is called 1|expected a position"),
    ],
)
def test_weights_that_do_not_fit(given, message):
    with pytest.raises(ZermeloError, match=message):
        zm.solve(GRAPH, zm.Energy(given))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1], r"weight: expected 2 entries, one for each position, got \(1,\)"),
        ({"a": 1}, "position 'b' has no weight"),
        ({"a": 1, 0: 2, "b": 3}, "position 'a' has two weights, 1 and 2"),
        ({"a": 1, "b": "x"}, "weight of position 'b': expected an integer, got 'x'"),
    ],
)
def test_weights_of_positions_that_do_not_fit(given, message):
    with pytest.raises(InvalidObjectiveError, match=message):
        zm.Energy(given, on="positions").weights(GRAPH)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: zm.Energy(3), r"weight: expected an array with an entry for each move, a dict"),
        (lambda: zm.Energy("abc"), "weight: expected an array"),
        (lambda: zm.Energy([1], on="edges"), "on: expected 'moves' or 'positions', got 'edges'"),
        (lambda: zm.Energy([1], -1), "capacity: expected an integer from 0 to"),
        (lambda: zm.Energy([1], 0.5), "capacity: expected an integer from 0 to"),
        (lambda: zm.MeanPayoff([1], "x"), "threshold: expected a number such as 1/3 or 0.25"),
        (lambda: zm.MeanPayoff([1], float("nan")), "threshold: expected a number such as"),
        (lambda: zm.MeanPayoff([1], True), "threshold: expected a number such as"),
        (lambda: zm.Discounted([1], 1), "discount: expected a fraction between 0 and 1, got 1"),
        (lambda: zm.Discounted([1], 0), "discount: expected a fraction between 0 and 1, got 0"),
        (lambda: zm.Discounted([1], "-1/2"), "discount: expected a fraction between 0 and 1"),
        (lambda: zm.Discounted([1], [1]), "discount: expected a number such as"),
        (lambda: zm.ShortestPath([1], [0], player=2), "player: expected 0 or 1, got 2"),
    ],
)
def test_data_that_do_not_fit(make, message):
    with pytest.raises(InvalidObjectiveError, match=message):
        make()


def test_targets_that_are_not_there():
    with pytest.raises(UnknownPositionError, match="no position is called 'z'"):
        zm.solve(GRAPH, zm.ShortestPath(WEIGHTS, ["z"]))


@pytest.mark.parametrize(
    "objective",
    [
        zm.Energy(WEIGHTS),
        zm.Energy(WEIGHTS, 7),
        zm.MeanPayoff(WEIGHTS),
        zm.MeanPayoff(WEIGHTS, "-2/3"),
        zm.Discounted(WEIGHTS, 0.75),
        zm.ShortestPath(WEIGHTS, ["b"], player=0),
    ],
)
def test_plain_data(objective):
    """What a file stores gives the same objective, and damaged data are refused."""
    spec = objective.spec(GRAPH)
    again = type(objective).from_spec(spec, GRAPH)
    assert again.spec(GRAPH) == spec
    assert zm.Game(GRAPH, objective) == zm.Game(GRAPH, again)
    assert objective.describe(GRAPH).startswith(f"{objective.keyword}, weights from -1 to 3")
    for key in set(spec) - {"objective"}:
        for wrong in ("x", {"a": 1}):
            with pytest.raises(InvalidObjectiveError):
                type(objective).from_spec({**spec, key: wrong}, GRAPH)


def test_decimal_numbers():
    assert exact_fraction(0.1, "x") == Fraction(1, 10)
    assert exact_fraction(np.float64(0.25), "x") == Fraction(1, 4)
    assert exact_fraction(np.int8(3), "x") == 3
    assert exact_fraction("1e-3", "x") == Fraction(1, 1000)


def test_a_graph_without_moves():
    for graph in (zm.Graph.from_edges([], n=0, owner=[]), zm.Graph.from_edges([], n=2)):
        assert weights_on(graph, [], "moves").size == 0
        assert weights_on(graph, {}, "moves").size == 0
        assert zm.Energy([]).describe(graph) == "energy, no weights"


def test_positions_without_moves():
    """Whoever is stuck has lost."""
    graph = zm.Graph.from_edges([("a", "b")], owner={"a": 0, "b": 1})
    stuck = graph.with_owner([1, 0])
    inf = float("inf")
    assert zm.solve(graph, zm.Energy([-3])).credit.tolist() == [3, 0]
    assert zm.solve(stuck, zm.Energy([9])).credit.tolist() == [zm.NO_CREDIT] * 2
    for kind in (zm.MeanPayoff, zm.Discounted):
        assert zm.solve(graph, kind([-3])).value.tolist() == [inf, inf]
        assert zm.solve(stuck, kind([9])).value.tolist() == [-inf, -inf]
    assert zm.solve(graph, zm.ShortestPath([1], [])).value.tolist() == [inf, inf]
    assert zm.solve(stuck, zm.ShortestPath([1], [])).value.tolist() == [-inf, -inf]


def test_simplest_fractions():
    some = sorted({Fraction(p, q) for q in range(1, 8) for p in range(-2 * q, 2 * q + 1)})
    for low in some:
        for high in some:
            if low < high:
                found = simplest_between(low, high)
                assert low < found < high
                between = [x.denominator for x in some if low < x < high]
                assert not between or found.denominator == min(between)
                assert low < middle(low, high, 5) < high
