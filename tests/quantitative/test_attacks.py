"""Attacks on the checkers of quantitative games at their edges: players who alternate, the start,
and numbers that only just fit into 64 bits."""

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.verify.common.weighted import MAX_SUMMAND, exact

RING = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("b", "b"), ("a", "d"), ("d", "a")])
WEIGHT = [3, -1, -4, 1, -2, 0]
"""The players alternate on this graph, so each position stands for two situations."""

OBJECTIVES = {
    "energy": zm.Energy(WEIGHT),
    "capacity": zm.Energy(WEIGHT, capacity=4),
    "threshold": zm.MeanPayoff(WEIGHT, threshold=Fraction(-1, 2)),
    "mean-payoff": zm.MeanPayoff(WEIGHT),
    "discounted": zm.Discounted(WEIGHT),
    "shortest-path": zm.ShortestPath(WEIGHT, ["d"]),
    "longest-path": zm.ShortestPath(WEIGHT, ["d"], player=0),
}
over_objectives = pytest.mark.parametrize("kind", OBJECTIVES)


def with_entry(solution, name, place, x):
    """A copy with one entry changed."""
    array = getattr(solution, name).copy()
    array[place] = x
    return dataclasses.replace(solution, **{name: array})


def put(solution, name, x):
    """A copy with an attribute that its constructor would refuse."""
    copy = dataclasses.replace(solution)
    object.__setattr__(copy, name, x)
    return copy


@over_objectives
def test_alternating_players(kind):
    """Errors name the position and the player, for each of both situations."""
    solution = zm.solve(RING, OBJECTIVES[kind]).verify()
    assert solution.label.shape == (4, 2)
    for v, player in itertools.product(range(4), range(2)):
        where = f"position '{'abcd'[v]}', player {player} to move: expected "
        wrong = -1 if solution.label[v, player] >= 0 else 1
        with pytest.raises(CertificateError, match=where + "label"):
            with_entry(solution, "label", (v, player), wrong).verify()
        with pytest.raises(CertificateError, match=where + "level 0 … 2, .* claims 3"):
            with_entry(solution, "level", (v, player), 3).verify()
        with pytest.raises(CertificateError, match=where + "level 0 … 2, .* claims -1"):
            with_entry(solution, "level", (v, player), -1).verify()
        with pytest.raises(CertificateError, match=where + "one of its moves, .* to number 7"):
            with_entry(solution, "strategy", (v, player), 7).verify()
        if solution.strategy[v, player] >= 0:
            with pytest.raises(CertificateError, match=where + "a move, .* claims none"):
                with_entry(solution, "strategy", (v, player), -1).verify()


def test_the_move_that_refutes_a_claim_is_named():
    solution = zm.solve(RING, OBJECTIVES["mean-payoff"])
    for name, v, player, to in (
        ("lower", 0, 0, "b"),
        ("lower", 1, 0, "c"),
        ("lower", 1, 1, "b"),
        ("upper", 0, 1, "d"),
        ("upper", 2, 0, "a"),
    ):
        whose = f"position '{'abcd'[v]}', player {player} to move: .* see the move to '{to}'$"
        with pytest.raises(CertificateError, match=whose):
            with_entry(solution, name, (v, player), -99).verify()


@over_objectives
def test_the_start_is_a_position(kind):
    solution = zm.solve(RING, OBJECTIVES[kind])
    for start in (None, 0, 3):
        put(solution, "start", start).verify()
    for start in (-1, 4, 5):
        with pytest.raises(CertificateError, match=f"start: expected .* 0 … 3, got {start}"):
            put(solution, "start", start).verify()


@over_objectives
def test_arrays_have_the_shape_of_the_game(kind):
    solution = zm.solve(RING, OBJECTIVES[kind])
    for name in ("level", "label", "distance", "strategy", *solution.arrays):
        array = getattr(solution, name)
        for other in (array.reshape(-1), array[:3], np.zeros((4, 3), array.dtype)):
            with pytest.raises(CertificateError, match=rf"{name}: expected .* shape \(4, 2\)"):
                put(solution, name, other).verify()


def test_sums_are_exact_from_a_bound_on():
    """Sums of three numbers below the bound fit into 64 bits; larger ones are Python's integers."""
    assert 3 * (MAX_SUMMAND - 1) < 2**63 < 4 * MAX_SUMMAND + 1
    for edge in (MAX_SUMMAND, -MAX_SUMMAND):
        nearer = edge - 1 if edge > 0 else edge + 1
        assert [a.dtype.kind for a in exact(np.array([0, nearer]), np.array([1]))] == ["i", "i"]
        assert [a.dtype.kind for a in exact(np.array([0, edge]), np.array([1]))] == ["O", "O"]
    assert exact(np.zeros(0, np.int64))[0].dtype.kind == "i"
    assert exact(np.array([1], object))[0].dtype.kind == "O"


def test_values_of_shortest_paths_are_integers_or_infinite():
    """A fraction is neither, and no other condition would look at it."""
    graph = zm.Graph.from_edges([("a", "t")], owner={"a": 1, "t": 0})
    right = zm.solve(graph, zm.ShortestPath([3], ["t"])).verify()
    half = with_entry(with_entry(right, "denominator", 0, 2), "strategy", 0, -1)
    with pytest.raises(CertificateError, match="expected an integer, or ±1 over 0"):
        half.verify()


def test_a_player_who_is_stuck_has_lost():
    """Where player 0 is stuck there is no move that refutes a finite value."""
    graph = zm.Graph.from_edges([(0, 0)], n=2, owner=[0, 0])
    right = zm.solve(graph, zm.ShortestPath([1], [0])).verify()
    assert right.numerator.tolist() == [0, -1]
    wrong = with_entry(with_entry(right, "numerator", 1, 5), "denominator", 1, 1)
    wrong = with_entry(with_entry(wrong, "stage", 1, 0), "potential", 1, 0)
    with pytest.raises(CertificateError, match="expected that whoever is stuck has lost"):
        wrong.verify()


def test_ranks_and_reach_are_zero_where_nothing_is_claimed():
    graph = zm.Graph.from_edges([(0, 1), (2, 2)], n=4, owner=[1, 0, 0, 0])
    right = zm.solve(graph, zm.ShortestPath([3, 1], [1])).verify()
    for name, v in (("rank", 1), ("rank", 2), ("reach", 1), ("reach", 3)):
        for x in (1, 2):
            with pytest.raises(CertificateError, match=f"expected {name} 0, .* claims {x}"):
                with_entry(right, name, v, x).verify()


def claimed(graph, weight, **arrays):
    """A solution of the shortest-path game to the last position, with arrays as claimed."""
    right = zm.solve(graph, zm.ShortestPath(weight, [graph.n - 1])).verify()
    never = (np.array(arrays["denominator"]) == 0) & (np.array(arrays["numerator"]) > 0)
    level = np.where(never, 2, 0)
    arrays |= {"level": level, "label": np.where(graph.owner == 0, level - 1, 1 - level)}
    changed = {name: np.array(x, getattr(right, name).dtype) for name, x in arrays.items()}
    return dataclasses.replace(right, **changed)


def test_endless_savings_need_a_way_to_a_target():
    """A loop of weight −1 is worth nothing to player 1 if no target can be reached."""
    for owner, expected in ((0, "that a target comes nearer"), (1, "a move by which a target")):
        graph = zm.Graph.from_edges([(0, 0)], n=2, owner=[owner, 0])
        for reach in (0, 1, 2):
            wrong = claimed(
                graph, [-1], numerator=[-1, 0], denominator=[0, 1], stage=[1, 0],
                reach=[reach, 0], strategy=[-1 if owner == 0 else 0, -1],
            )  # fmt: skip
            with pytest.raises(CertificateError, match=expected):
                wrong.verify()
    # A position that has a larger number is not nearer, even if it is a position of value +∞.
    graph = zm.Graph.from_edges([(0, 1), (1, 1), (0, 0)], n=3, owner=[1, 0, 0])
    wrong = claimed(
        graph, [-1, 0, 0], numerator=[-1, 1, 0], denominator=[0, 0, 1], stage=[1, 0, 0],
        reach=[1, -1, 0], strategy=[0, 1, -1],
    )  # fmt: skip
    with pytest.raises(CertificateError, match="a move by which a target comes nearer"):
        wrong.verify()


def test_endless_savings_need_cycles_of_negative_sum():
    """Player 1 goes round a cycle, or to the target; weights along the cycle, potentials, ranks."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (0, 2)], owner=[1, 1, 0])

    def claim(there, back, rank):
        order = {(0, 1): there, (1, 0): back, (0, 2): 7}
        weight = [order[tuple(edge)] for edge in graph.to_edges().tolist()]
        return claimed(
            graph, weight, numerator=[-1, -1, 0], denominator=[0, 0, 1], stage=[1, 1, 0],
            potential=[0, 0, 0], rank=[*rank, 0], reach=[1, 2, 0], strategy=[1, 0, -1],
        )  # fmt: skip

    for there, back in ((-1, -1), (0, -1)):
        assert claim(there, back, (1, 0)).verify()
    for there, back in ((0, 0), (1, -1), (5, -1), (2, 2), (0, 1)):
        for rank in ((0, 0), (1, 0), (0, 1), (0, 5)):
            with pytest.raises(CertificateError, match="that every cycle has a negative sum"):
                claim(there, back, rank).verify()


def test_both_players_reckon_with_every_move_of_the_other():
    """The owner chooses between the costs 0 and 5, and the wrong one is claimed."""
    for owner, value, chosen, expected in ((0, 0, 1, "at most"), (1, 5, 2, "at least")):
        graph = zm.Graph.from_edges([(0, 1), (0, 2), (1, 3), (2, 3)], owner=[owner, 0, 0, 0])
        wrong = claimed(
            graph, [0, 5, 0, 0], numerator=[value, 0, 0, 0], strategy=[chosen, 3, 3, -1],
            denominator=[1] * 4, rank=[2, 1, 1, 0], reach=[2, 1, 1, 0],
        )  # fmt: skip
        with pytest.raises(CertificateError, match=f"a cost of {expected} the value"):
            wrong.verify()
    # Player 0 cannot stay away from the target if player 1 has a move there.
    graph = zm.Graph.from_edges([(0, 0), (0, 1)], owner=[1, 0])
    wrong = claimed(
        graph, [0, 0], numerator=[1, 0], denominator=[0, 1], reach=[-1, 0], rank=[0, 0],
        strategy=[-1, -1],
    )  # fmt: skip
    with pytest.raises(CertificateError, match="that play never comes to where a target"):
        wrong.verify()


def test_player_one_comes_to_the_target_in_the_end():
    """A loop that costs nothing keeps every value that is too small, but leads nowhere."""
    graph = zm.Graph.from_edges([(0, 0), (0, 1)], owner=[1, 0])
    for rank in (0, 1, 5):
        wrong = claimed(
            graph, [0, 7], numerator=[3, 0], denominator=[1, 1], rank=[rank, 0], reach=[1, 0],
            strategy=[0, -1],
        )  # fmt: skip
        with pytest.raises(CertificateError, match="a cost of at most the value"):
            wrong.verify()


def test_ranks_need_not_fall_where_the_other_player_loses_something():
    graph = zm.Graph.from_edges([(0, 1), (0, 2), (1, 2)], owner=[0, 0, 0])
    for rank in ([1, 1, 0], [1, 9, 0]):
        right = claimed(
            graph, [0, 1, 0], numerator=[1, 0, 0], denominator=[1] * 3, rank=rank,
            reach=[2, 1, 0], strategy=[2, 2, -1],
        )  # fmt: skip
        assert right.verify() is right


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_is_tempted_to_where_she_is_stuck(player):
    """A weight of ±100 is no better move if the play ends there, lost for the mover."""
    graph = zm.Graph.from_edges([(0, 0), (0, 1)], owner=[player, player])
    solution = zm.solve(graph, zm.Discounted([0, 100 - 200 * player])).verify()
    assert solution.value.tolist() == [0, float("-inf") if player == 0 else float("inf")]
    assert solution.stuck.tolist() == [-1, 0]
    for x in (-2, -3):
        with pytest.raises(CertificateError, match=f"expected stuck from 0 on, or -1, .* {x}"):
            with_entry(solution, "stuck", 0, x).verify()


@pytest.mark.parametrize("player", [0, 1])
def test_a_player_who_can_win_at_once_has_no_finite_value(player):
    graph = zm.Graph.from_edges([(0, 0), (0, 1)], owner=[player, 1 - player])
    sign = 1 - 2 * player
    right = zm.solve(graph, zm.Discounted([sign, 0])).verify()
    assert right.stuck.tolist() == [1, 0]
    wrong = with_entry(with_entry(right, "stuck", 0, -1), "strategy", 0, 0)
    with pytest.raises(CertificateError, match="an infinite value, because a move leads to one"):
        wrong.verify()
    wrong = with_entry(right, "stuck", 0, -1)
    with pytest.raises(CertificateError, match="an infinite value, because a move leads to one"):
        wrong.verify()


@pytest.mark.parametrize("player", [0, 1])
def test_a_strategy_keeps_finite_values_finite(player):
    graph = zm.Graph.from_edges([(0, 0), (0, 1)], owner=[player, player])
    solution = zm.solve(graph, zm.Discounted([0, 0])).verify()
    with pytest.raises(CertificateError, match="expected a move to where the value is finite"):
        with_entry(solution, "strategy", 0, 1).verify()


def test_discounted_values_that_are_equal():
    """All moves are equally good, which only exact fractions show: every strategy passes."""
    graph = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0), (1, 1)], owner=[0, 1])
    solution = zm.solve(graph, zm.Discounted([1, 1, 1, 1], "2/3")).verify()
    assert solution.value.tolist() == [3, 3]
    for u, v in itertools.product(range(2), range(2)):
        assert with_entry(solution, "strategy", u, v).verify()
    none = zm.solve(graph, zm.Discounted([0, 0, 0, 0], "2/3")).verify()
    assert none.level.tolist() == [1, 1]
    for level in (0, 2):
        wrong = with_entry(none, "level", 0, level)
        with pytest.raises(CertificateError, match="that the sign of the value decides who wins"):
            with_entry(wrong, "label", 0, level - 1).verify()


def test_thresholds_whose_products_exceed_64_bits():
    """The checker multiplies out exactly, also what no solver takes."""
    graph = zm.Graph.from_edges([(0, 0)], owner=[0])
    for weight, small, large in (
        (2, 0, Fraction(1, 2**62)),
        (-2, 0, Fraction(-1, 2**62)),
        (2**60, 0, Fraction(7, 8)),
        (0, -1, -(2**70)),
        (0, 1, 2**70),
    ):
        solution = zm.solve(graph, zm.MeanPayoff([weight], threshold=small)).verify()
        objective = zm.MeanPayoff([weight], threshold=large)
        assert dataclasses.replace(solution, objective=objective).verify()
        other = zm.MeanPayoff([weight], threshold=4 * weight - large)
        with pytest.raises(CertificateError):
            dataclasses.replace(solution, objective=other).verify()


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("weight", [3, 4])
def test_two_ways_of_the_same_discounted_sum_are_both_best(weight, player):
    """From b the sum is 2 + 10/2. From c it is the same if the first weight is 3, else it is 1
    more. The ways differ in every number, so that nothing but the exact sums can be compared."""
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "e"), ("d", "d"), ("e", "e")]
    graph = zm.Graph.from_edges(edges, owner=dict.fromkeys("abcde", player))
    weights = dict(zip(edges, (1, 1, 2, weight, 5, 4), strict=True))
    right = zm.solve(graph, zm.Discounted(weights, "1/2")).verify()
    a, b, c = map(graph.index, "abc")
    for move, best in ((b, weight == 3 or player == 1), (c, weight == 3 or player == 0)):
        claim = with_entry(right, "strategy", a, move)
        if best:
            claim.verify()
        else:
            with pytest.raises(CertificateError, match="no better move"):
                claim.verify()
