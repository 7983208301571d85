"""Explanations and traces of games with weights: every fact is checked against plain oracles."""

import itertools
import math
import random
from fractions import Fraction

import pytest

import zermelo as zm
from tests.quantitative import oracle
from zermelo.trace import WorthExplanation

DISCOUNT = Fraction(2, 3)
THRESHOLD = Fraction(1, 3)


def made(kind, weight, graph):
    if kind == "energy":
        return zm.Energy(weight)
    if kind == "capacity":
        return zm.Energy(weight, capacity=3)
    if kind == "mean":
        return zm.MeanPayoff(weight)
    if kind == "threshold":
        return zm.MeanPayoff(weight, threshold=THRESHOLD)
    if kind == "discounted":
        return zm.Discounted(weight, DISCOUNT)
    return zm.ShortestPath(weight, [graph.name(0)], player=0 if kind == "long path" else 1)


KINDS = ("energy", "capacity", "mean", "threshold", "discounted", "short path", "long path")


def scaled(weight):
    """The weights of the energy game that a threshold makes."""
    p, q = THRESHOLD.numerator, THRESHOLD.denominator
    return {move: q * w - p for move, w in weight.items()}


def expected(kind, graph, weight):
    """The values of all positions, from an oracle; credits are infinite where none suffices."""
    game = oracle.Game(graph, scaled(weight) if kind == "threshold" else weight)
    if kind in ("energy", "threshold"):
        found = oracle.credits(game)
    elif kind == "capacity":
        found = oracle.charges(game, 3)
    elif kind == "mean":
        return list(game.values(oracle.mean).values())
    elif kind == "discounted":
        return list(game.values(oracle.discounted(DISCOUNT)).values())
    else:
        return list(oracle.cheapest(game, {0}, 0 if kind == "long path" else 1).values())
    return [math.inf if x == zm.NO_CREDIT else x for x in found.values()]


def worth(kind, value, weight):
    """What a move is worth, by the definition, if the next position has this value."""
    if kind in ("energy", "threshold"):
        return max(0, value - weight)
    if kind == "capacity":
        need = max(0, value - weight)
        return need if need <= 3 else math.inf
    if kind == "mean":
        return value
    return weight + (DISCOUNT if kind == "discounted" else 1) * value


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_is_true(kind):
    rng = random.Random(f"explain {kind}")
    ended = played = 0
    for _ in range(60):
        graph, weight = oracle.random_game(rng, 5, 9)
        solution = zm.solve(graph, made(kind, weight, graph))
        values = expected(kind, graph, weight)
        for v in range(graph.n):
            found = solution.explain(v)
            assert isinstance(found, WorthExplanation)
            assert (found.position, int(found.player)) == (v, graph.owner[v])
            assert found.value == values[v]
            ended += bool(found.ended)
            if found.ended:
                assert not found.choices
                assert not graph.successors(v).size or (v == 0 and "path" in kind)
                continue
            used = scaled(weight) if kind == "threshold" else weight
            assert [(x.move, x.weight) for x in found.choices] == [
                (w, weight[v, w]) for w in graph.successors(v).tolist()
            ]
            worths = [worth(kind, values[x.move], used[v, x.move]) for x in found.choices]
            assert [x.worth for x in found.choices] == worths
            assert [x.best for x in found.choices] == [x == values[v] for x in worths]
            assert values[v] == (min if found.least else max)(worths)
            check_line(kind, graph, weight, found)
            check_potential(found, weight, solution)
            played += len(found.line) > 1
    assert ended > 10
    assert played > 20 or kind == "capacity"


def check_line(kind, graph, weight, found):
    """The line is a play that collects the stated weights and pays the value."""
    line = found.line
    if kind == "capacity":
        assert not line
        return
    assert line[0] == found.position
    weights = [weight[move] for move in itertools.pairwise(line)]
    assert found.sums.weights == weights
    last = line[-1]
    cycle = None if line.cycle is None else weights[line.cycle :]
    assert found.sums.cycle == (cycle or [])
    if kind in ("energy", "threshold"):
        used = scaled(weight) if kind == "threshold" else weight
        paid = [used[move] for move in itertools.pairwise(line)]
        if found.value == math.inf:
            assert sum(paid[line.cycle :]) < 0 if cycle else graph.owner[last] == 0
        else:
            assert sum(paid[line.cycle :]) >= 0 if cycle else graph.owner[last] == 1
            assert oracle.needed(paid) <= found.value
    elif kind in ("mean", "discounted"):
        pays = oracle.mean if kind == "mean" else oracle.discounted(DISCOUNT)
        if cycle is None:
            assert found.value == (math.inf if graph.owner[last] else -math.inf)
        else:
            assert pays(weights[: line.cycle], cycle) == found.value
    elif abs(found.value) != math.inf:
        assert last == 0
        assert sum(weights) == found.value


def check_potential(found, weight, solution):
    """The potentials add up along the move of the strategy."""
    if found.potential is None:
        return
    here, gain, there = found.potential
    w = int(solution.strategy[found.position])
    exact = found.value.denominator * weight[found.position, w] - found.value.numerator
    assert gain == (exact if found.player == 0 else -exact)
    assert here + gain >= there
    array = solution.lower if found.player == 0 else solution.upper
    assert (here, there) == (array[found.position], array[w])


@pytest.mark.parametrize("kind", KINDS)
def test_players_who_alternate(kind):
    """On a graph without owners the explanation is that of the situation on the graph with them."""
    rng = random.Random(f"alternate {kind}")
    for _ in range(12):
        owned, weight = oracle.random_game(rng, 4, 8)
        graph = owned.with_owner(None)
        both = zm.Graph.from_edges(
            [(2 * u + e, 2 * w + 1 - e) for u, w in weight for e in (0, 1)],
            n=2 * graph.n,
            owner=[0, 1] * graph.n,
        )
        doubled = {(2 * u + e, 2 * w + 1 - e): x for (u, w), x in weight.items() for e in (0, 1)}
        if "path" in kind:
            player = 0 if kind == "long path" else 1
            second = zm.ShortestPath(doubled, [0, 1], player=player)
        else:
            second = made(kind, doubled, both)
        one, other = zm.solve(graph, made(kind, weight, graph)), zm.solve(both, second)
        for v in range(graph.n):
            for e in (0, 1):
                found, twin = one.explain(v, e), other.explain(2 * v + e)
                assert (found.value, found.player, found.least) == (twin.value, e, twin.least)
                worths = [(x.move, x.weight, x.worth, x.best) for x in found.choices]
                same = [(x.move // 2, x.weight, x.worth, x.best) for x in twin.choices]
                assert worths == same
                assert str(found).count("\n") == str(twin).count("\n") or kind == "mean"


# -------------------------------------------------------------------- credits that rise


@pytest.mark.parametrize("kind", ["energy", "capacity", "threshold"])
@pytest.mark.parametrize("alternate", [False, True])
def test_every_credit_that_rises_must(kind, alternate):
    rng = random.Random(f"lift {kind} {alternate}")
    rules = set()
    for _ in range(60):
        graph, weight = oracle.random_game(rng, 5, 9)
        weight = {move: max(-9, min(9, x)) for move, x in weight.items()}
        graph = graph.with_owner(None) if alternate else graph
        objective = made(kind, weight, graph)
        used = scaled(weight) if kind == "threshold" else weight
        steps = zm.trace(graph, objective)
        credit = {}
        for step in steps:
            key = (step.position, int(step.player))
            assert credit.get(key, 0) == step.before < step.after
            moves = graph.successors(step.position).tolist()
            turn = {w: 1 - step.player if alternate else int(graph.owner[w]) for w in moves}
            needs = [max(0, credit.get((w, turn[w]), 0) - used[step.position, w]) for w in moves]
            need = (min if step.player == 0 else max)(needs, default=math.inf)
            assert step.after == (need if need <= steps.most else math.inf)
            if step.rule == "stuck":
                assert (moves, int(step.player), step.move) == ([], 0, None)
            else:
                assert step.rule == ("best" if step.player == 0 else "worst")
                assert needs[moves.index(step.move)] == need
            credit[key] = step.after
            rules.add(step.rule)
        least = zm.solve(graph, objective).credit
        for v in range(graph.n):
            for e in (0, 1) if alternate else (int(graph.owner[v]),):
                known = int(least[v, e] if alternate else least[v])
                assert credit.get((v, e), 0) == (math.inf if known == zm.NO_CREDIT else known)
    assert rules == {"stuck", "best", "worst"}


@pytest.mark.slow
def test_games_without_a_trace_say_so():
    graph = zm.Graph.from_edges([(0, 0)], owner=[0])
    for objective, why in (
        (zm.MeanPayoff([1]), "only a game with one threshold has a trace"),
        (zm.Discounted([1]), "strategies that improve as a whole"),
        (zm.ShortestPath([1], []), "several games"),
    ):
        with pytest.raises(zm.errors.InvalidObjectiveError, match=why):
            zm.trace(graph, objective)
    costly = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=[0, 0])
    with pytest.raises(zm.errors.InvalidOptionError, match="more than 100,000 steps"):
        zm.trace(costly, zm.Energy({(0, 0): -1, (0, 1): -(10**7), (1, 0): -1}))
