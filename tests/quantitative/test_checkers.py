"""Attacks on the checkers of quantitative games: no wrong answer and no bad strategy may pass."""

import dataclasses
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from tests.quantitative import oracle
from tests.sampling import rounds
from zermelo.errors import CertificateError, MemoryLimitError
from zermelo.verify.common.weighted import exact

OBJECTIVES = {
    "energy": zm.Energy,
    "capacity": lambda weight: zm.Energy(weight, capacity=5),
    "threshold": lambda weight: zm.MeanPayoff(weight, threshold=Fraction(1, 3)),
    "mean-payoff": zm.MeanPayoff,
    "discounted": zm.Discounted,
    "shortest-path": lambda weight: zm.ShortestPath(weight, [0]),
    "longest-path": lambda weight: zm.ShortestPath(weight, [0], player=0),
}
over_kinds = pytest.mark.parametrize("kind", OBJECTIVES)


def sample(kind, seed, most=5):
    """A small game and its solution."""
    rng = random.Random(seed)
    graph, weight = oracle.random_game(rng, most, 10)
    weight = {edge: x % 9 - 4 for edge, x in weight.items()}
    return rng, weight, zm.solve(graph, OBJECTIVES[kind](weight)).verify()


def verdict(solution):
    try:
        solution.verify()
    except CertificateError:
        return False
    return True


def forged(solution, name, s, x):
    """A copy with one entry changed."""
    array = getattr(solution, name).copy()
    array.flat[s] = x
    return dataclasses.replace(solution, **{name: array})


@pytest.mark.sampled
@over_kinds
def test_one_wrong_label_or_level(kind):
    for seed in range(rounds(40)):
        _, _, solution = sample(kind, seed)
        for s in range(solution.graph.n):
            for level, label in itertools.product((0, 1, 2), (-1, 0, 1)):
                if (level, label) != (solution.level[s], solution.label[s]):
                    claimed = forged(forged(solution, "level", s, level), "label", s, label)
                    assert not verdict(claimed)
            assert not verdict(forged(solution, "distance", s, 3))


ANSWERS = {
    "energy": ("credit",), "capacity": ("credit",), "threshold": (),
    "mean-payoff": ("numerator", "denominator"), "discounted": (),
    "shortest-path": ("numerator", "denominator"), "longest-path": ("numerator", "denominator"),
}  # fmt: skip


@pytest.mark.sampled
@over_kinds
def test_one_wrong_answer(kind):
    """Credits and values are unique, so no other number may pass."""
    for seed in range(rounds(40)):
        _, _, solution = sample(kind, seed)
        for name, s in itertools.product(ANSWERS[kind], range(solution.graph.n)):
            right = int(getattr(solution, name)[s])
            for x in (right + 1, right - 1, -right - 2, 0, 2**62, -(2**63), 2**63 - 1):
                if x != right:
                    assert not verdict(forged(solution, name, s, x)), (name, s, x)


@over_kinds
def test_all_answers_moved(kind):
    """The same wrong number everywhere, with the labels that belong to it."""
    for seed in range(40):
        _, _, solution = sample(kind, seed)
        for name in ANSWERS[kind]:
            for step in (1, -1, 7):
                array = getattr(solution, name) + step
                assert not verdict(dataclasses.replace(solution, **{name: array}))


@pytest.mark.slow("mean-payoff")
@over_kinds
def test_moves(kind):
    """A move that is accepted keeps the answer, by the oracle; others are refused."""
    accepted = 0
    for seed in range(60):
        _, weight, solution = sample(kind, seed)
        graph = solution.graph
        for s in range(graph.n):
            for w in range(-2, graph.n + 1):
                if w == solution.strategy[s]:
                    continue
                if not verdict(forged(solution, "strategy", s, w)):
                    continue
                accepted += 1
                assert w in graph.successors(s)
                assert keeps(weight, solution, s, w), (seed, s, w)
    assert accepted or kind == "discounted"


def keeps(given, solution, s, w):
    """Whether the answer at a position stays the same if its owner can make only this move."""
    edges = [e for e in given if e[0] != s or e[1] == w]
    graph = zm.Graph.from_edges(edges, n=solution.graph.n, owner=solution.graph.owner)
    weight = {edge: given[edge] for edge in edges}
    objective = solution.objective
    again = type(objective).from_spec(
        {**objective.spec(solution.graph), "weight": [weight[tuple(e)] for e in
                                                      graph.to_edges().tolist()]},
        graph,
    )  # fmt: skip
    other = zm.solve(graph, again)
    return other.value[s] == solution.value[s]


CERTIFICATES = {
    "energy": ("rank", "potential", "stage"), "capacity": ("rank", "potential", "stage"),
    "threshold": ("credit", "rank", "potential", "stage"), "mean-payoff": ("lower", "upper"),
    "discounted": ("stuck",), "shortest-path": ("rank", "potential", "stage", "reach"),
    "longest-path": ("rank", "potential", "stage", "reach"),
}  # fmt: skip


@pytest.mark.slow("capacity", "energy", "longest-path", "mean-payoff", "shortest-path", "threshold")
@pytest.mark.sampled
@over_kinds
def test_certificates(kind):
    """Each array of a certificate is looked at: some changes of each are refused."""
    for name in CERTIFICATES[kind]:
        refused = 0
        for seed in range(rounds(40)):
            _, _, solution = sample(kind, seed)
            for s in range(solution.graph.n):
                right = int(getattr(solution, name)[s])
                for x in (right + 1, right - 1, -1, 0, -(10**6), 10**6, -(2**63), 2**63 - 1):
                    refused += x != right and not verdict(forged(solution, name, s, x))
        assert refused > 20, name


@pytest.mark.sampled
@over_kinds
def test_forgeries_by_chance(kind):
    """What passes with several arrays changed is right by the oracle."""
    for seed in range(rounds(40)):
        rng, _, solution = sample(kind, seed, most=3)
        names = (*ANSWERS[kind], *CERTIFICATES[kind], "strategy")
        for _ in range(rounds(40)):
            claimed = solution
            for _ in range(rng.randint(1, 4)):
                if solution.graph.n:
                    s, x = rng.randrange(solution.graph.n), rng.randint(-2, 3)
                    claimed = forged(claimed, rng.choice(names), s, x)
            if verdict(claimed):
                assert claimed.winner.tolist() == solution.winner.tolist()
                assert claimed.value.tolist() == solution.value.tolist()


@over_kinds
def test_another_game(kind):
    """The weights are read again: with others, a solution is refused, or it is still right."""
    for seed in range(40):
        rng, given, solution = sample(kind, seed)
        weight = {edge: x + rng.choice((-1, 0, 1)) for edge, x in given.items()}
        objective = OBJECTIVES[kind](weight)
        claimed = dataclasses.replace(solution, objective=objective)
        right = zm.solve(solution.graph, objective)
        if verdict(claimed):
            assert claimed.value.tolist() == right.value.tolist()
            assert claimed.winner.tolist() == right.winner.tolist()
        else:
            assert weight != given
        longer = OBJECTIVES[kind]([1] * (solution.graph.m + 1))
        with pytest.raises(CertificateError, match="objective: weight: expected"):
            dataclasses.replace(solution, objective=longer).verify()


def test_messages():
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])
    weight = {("a", "b"): -3, ("b", "a"): 4, ("b", "b"): 0}
    energy = zm.solve(graph, zm.Energy(weight))
    assert energy.credit.tolist() == [3, 0]
    for name, s, x, message in (
        ("credit", 0, 2, "'a', player 0 to move: expected that the credit suffices"),
        ("credit", 0, 4, "'a', .* expected that less than the credit does not suffice"),
        ("credit", 1, -1, "'b', .* expected that player 0 wins exactly with a credit"),
        ("credit", 1, -2, "'b', .* expected credit from 0 on, or NO_CREDIT, .* claims -2"),
        ("strategy", 0, -1, "'a', .* expected a move, the solution claims none"),
        ("strategy", 1, 0, "'b', .* expected no move, the solution claims 'a'"),
        ("strategy", 0, 0, "'a', .* expected one of its moves, the solution claims the move to"),
        ("stage", 0, 1, "'a', .* expected stage 0 exactly where a credit suffices"),
        ("potential", 0, 1, "'a', .* expected potential 0, the solution claims 1"),
        ("rank", 1, 1, "'b', .* expected rank 0, the solution claims 1"),
        ("label", 0, 0, "'a', .* expected label WIN, the solution claims DRAW"),
    ):
        with pytest.raises(CertificateError, match=message):
            forged(energy, name, s, x).verify()
    mean = zm.solve(graph, zm.MeanPayoff(weight))
    assert mean.value.tolist() == [0, 0]
    with pytest.raises(CertificateError, match=r"'a', .* expected a value in lowest terms"):
        forged(mean, "denominator", 0, 2).verify()
    with pytest.raises(CertificateError, match=r"'a', .* that player 1 concedes at most the value"):
        forged(mean, "upper", 0, -5).verify()


def test_shapes_and_types():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    for kind, make in OBJECTIVES.items():
        right = zm.solve(graph, make([1, -1]))
        for name in ("strategy", *right.arrays):
            array = getattr(right, name)
            for other in (array[:1], array.astype(np.float64), array.reshape(1, 2).copy()):
                with pytest.raises(CertificateError, match=f"{name}: expected"):
                    dataclasses.replace(right, **{name: other})
        with pytest.raises(CertificateError, match="start: expected a position number 0 … 1"):
            dataclasses.replace(right, start=2)
        wrong = zm.Parity([0, 1])
        with pytest.raises(CertificateError, match=r"expected (one of the family|level 0 … 1)"):
            dataclasses.replace(right, objective=wrong).verify()
        assert kind


def test_a_solution_of_another_kind():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    mean = zm.solve(graph, zm.MeanPayoff([1, 1]))
    for other in (zm.Energy([1, 1]), zm.Discounted([1, 1]), zm.ShortestPath([1, 1], [0])):
        with pytest.raises(CertificateError, match="objective: expected one whose solution is"):
            dataclasses.replace(mean, objective=other).verify()


def test_numbers_beyond_64_bits():
    """Sums in the checker are exact, whatever a certificate claims."""
    a, b = exact(np.array([2**63 - 1]), np.array([1]))
    assert (a + b)[0] == 2**63
    graph = zm.Graph.from_edges([(0, 0)], owner=[1])
    lost = zm.solve(graph, zm.Energy([-1]))
    for x in (2**63 - 1, -(2**63)):
        assert verdict(forged(lost, "potential", 0, x))
    won = zm.solve(graph, zm.Energy([1]))
    assert not verdict(forged(won, "credit", 0, 2**63 - 1))
    big = zm.solve(graph, zm.Discounted([2**60], "999/1000")).verify()
    assert big.value[0] == 1000 * 2**60
    assert math.isfinite(big.value[0])


def test_infinite_discounted_values():
    graph = zm.Graph.from_edges([(0, 1), (0, 0)], n=3, owner=[0, 1, 0])
    s = zm.solve(graph, zm.Discounted([1, 1])).verify()
    assert s.value.tolist() == [math.inf, math.inf, -math.inf]
    for name, v, x in (("stuck", 0, -1), ("stuck", 1, -1), ("stuck", 1, 5), ("strategy", 0, 0)):
        assert not verdict(forged(s, name, v, x))


def test_the_check_of_exact_values_is_refused_where_they_do_not_fit_in_memory(monkeypatch):
    """All moves are equally good, so that exact values along 300 moves are compared."""
    n = 300
    graph = zm.Graph.from_edges(
        [(v, w) for v in range(0, n, 2) for w in (v + 1, (v + 3) % n)]
        + [(v, (v + 1) % n) for v in range(1, n, 2)],
        owner=[0] * n,
    )
    solution = zm.solve(graph, zm.Discounted([1] * graph.m, 1 - Fraction(1, 10**30)))
    solution.verify()
    monkeypatch.setenv("ZERMELO_MEMORY", "100k")
    with pytest.raises(MemoryLimitError, match="the check of exact values"):
        solution.verify()


@pytest.mark.parametrize("kind", [zm.Energy, zm.MeanPayoff])
def test_a_fault_in_the_situations_that_solvers_use(kind, monkeypatch):
    """The checker makes its situations itself: here solvers let the same player move again."""
    from zermelo.objectives import quantitative

    def wrong(graph, weight, right=quantitative.make_arena):
        arena = right(graph, weight)
        return arena._replace(indices=arena.indices ^ 1)

    monkeypatch.setattr(quantitative, "make_arena", wrong)
    weight = {(0, 1): 3, (1, 0): -3, (0, 0): -1, (1, 1): 1}
    solution = zm.solve(zm.Graph.from_edges(list(weight)), kind(weight))
    with pytest.raises(CertificateError):
        solution.verify()
