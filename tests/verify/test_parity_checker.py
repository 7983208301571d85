"""Attacks on the checker of parity games: no wrong winner and no losing strategy may pass."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from tests import oracles_parity
from tests.contract.test_parity_solvers import KEYWORDS, random_owned
from zermelo.errors import CertificateError
from zermelo.objectives import OBJECTIVES
from zermelo.solutions.parity import ParitySolution, parity_solution
from zermelo.verify.infinite.parity import check_parity

NO_MOVE = zm.NO_MOVE


def claim(graph, objective, winner, strategy):
    """The solution that claims these winners and moves."""
    made = parity_solution(
        graph, objective, "nobody", np.array(winner, np.int8), np.full(graph.n, NO_MOVE, np.int32)
    )
    return dataclasses.replace(made, strategy=np.array(strategy, np.int32))


def forged(solution, **arrays):
    """A copy with other arrays (or lists)."""
    changes = {
        name: np.array(new, getattr(solution, name).dtype) if isinstance(new, list) else new
        for name, new in arrays.items()
    }
    return dataclasses.replace(solution, **changes)


def changed(array, v, x):
    copy = array.copy()
    copy[v] = x
    return copy


def sample(seed, most=5):
    """A game and a right solution, found by the oracle."""
    rng = random.Random(seed)
    graph = random_owned(rng, most)
    objective = OBJECTIVES[KEYWORDS[seed % len(KEYWORDS)]].example(graph, rng)
    game = oracles_parity.game_of(graph, objective)
    winner = oracles_parity.zielonka(*game)
    strategy = [NO_MOVE] * graph.n
    for player in (0, 1):
        found = next(
            s
            for s in oracles_parity.strategies(*game[:2], player)
            if oracles_parity.strategy_wins(game, winner, player, s)
        )
        for v, w in found.items():
            if winner[v] == player:
                strategy[v] = w
    return rng, game, claim(graph, objective, winner, strategy)


def is_right(game, winner, strategy):
    """Whether every part of a claim is right, by the oracle."""
    moves, owner, _ = game
    return (
        oracles_parity.zielonka(*game) == winner
        and all((w != NO_MOVE) == (owner[v] == winner[v]) for v, w in enumerate(strategy))
        and all(w in moves[v] for v, w in enumerate(strategy) if w != NO_MOVE)
        and all(oracles_parity.strategy_wins(game, winner, p, strategy) for p in (0, 1))
    )


def verdict(solution):
    try:
        solution.verify()
    except CertificateError:
        return False
    return True


# -------------------------------------------------------------------- against the oracle


@pytest.mark.parametrize("seed", range(24))
def test_every_claim_about_a_tiny_game(seed):
    """All winners with all moves: accepted iff right."""
    _, game, solution = sample(seed, most=3)
    graph, accepted = solution.graph, 0
    for winner in itertools.product((0, 1), repeat=graph.n):
        for strategy in itertools.product(range(NO_MOVE, graph.n), repeat=graph.n):
            right = is_right(game, list(winner), list(strategy))
            accepted += right
            claimed = claim(graph, solution.objective, winner, strategy)
            assert verdict(claimed) == right, (graph.to_edges().tolist(), winner, strategy)
    assert accepted


@pytest.mark.parametrize("seed", range(150))
def test_one_wrong_winner(seed):
    """With and without its label, and with each possible move."""
    _, _, solution = sample(seed)
    check_parity(solution)
    graph = solution.graph
    for v in range(graph.n):
        level = changed(solution.level, v, 1 - solution.level[v])
        label = changed(solution.label, v, -solution.label[v])
        assert not verdict(forged(solution, level=level))
        assert not verdict(forged(solution, label=label))
        assert not verdict(forged(solution, label=changed(solution.label, v, 0)))
        for w in range(NO_MOVE, graph.n):
            strategy = changed(solution.strategy, v, w)
            assert not verdict(forged(solution, level=level, label=label, strategy=strategy))


@pytest.mark.sampled(cases=142)
@pytest.mark.parametrize("seed", range(250))
def test_one_other_move(seed):
    """Accepted iff the strategy still wins, by the oracle."""
    _, game, solution = sample(seed)
    winner = solution.winner.tolist()
    for v in range(solution.graph.n):
        for w in range(-2, solution.graph.n + 1):
            strategy = changed(solution.strategy, v, w)
            right = is_right(game, winner, strategy.tolist())
            assert verdict(forged(solution, strategy=strategy)) == right


@pytest.mark.parametrize("seed", range(150))
def test_many_wrong_entries(seed):
    """Winners and moves changed at random, on larger games; the moves are legal."""
    rng, game, solution = sample(seed, most=7)
    moves, owner, _ = game
    for _ in range(15):
        winner, strategy = solution.winner.tolist(), solution.strategy.tolist()
        for _ in range(rng.randint(1, 4)):
            v = rng.randrange(solution.graph.n)
            winner[v] = rng.choice((winner[v], 1 - winner[v]))
            strategy[v] = NO_MOVE
            if owner[v] == winner[v] and moves[v]:
                strategy[v] = rng.choice(moves[v])
        claimed = claim(solution.graph, solution.objective, winner, strategy)
        assert verdict(claimed) == is_right(game, winner, strategy)


def all_won(graph, objective):
    """The claim that the player who never moves wins everywhere."""
    n = graph.n
    return claim(graph, objective, [1 - graph.owner[0]] * n, [NO_MOVE] * n)


@pytest.mark.sampled(cases=6)
@pytest.mark.parametrize("top", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("owner", [0, 1])
def test_bad_cycles_at_any_depth(top, owner):
    """One player owns all positions; the claim is accepted iff no cycle is bad for that player."""
    rng, seen = random.Random(10 * top + owner), set()
    for _ in range(250):
        n = rng.randint(2, 25)
        edges = {(v, rng.randrange(n)) for v in range(n)}
        edges |= {(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, n // 2))}
        graph = zm.Graph.from_edges(sorted(edges), n=n, owner=[owner] * n)
        good = top - (top + owner) % 2 if top > 1 else 1 - owner
        # Most games have some cycles, and many of these have a high priority of the right parity.
        some = [good if rng.random() < 0.3 else rng.randint(0, top) for _ in range(n)]
        if rng.random() < 0.4:
            some = [max(0, x - (x + owner + 1) % 2) if x else 1 - owner for x in some]
        objective = zm.Parity(some)
        game = oracles_parity.game_of(graph, objective)
        right = set(oracles_parity.zielonka(*game)) == {1 - owner}
        seen.add(right)
        assert verdict(all_won(graph, objective)) == right, (sorted(edges), some)
    assert seen == {True, False}


def test_every_depth_of_nested_cycles():
    """Cycle k is closed by position k of priority k; any one of them is made bad."""
    n = 33
    edges = [(v, v + 1) for v in range(n - 1)] + [(v, 0) for v in range(n)]
    graph = zm.Graph.from_edges(edges, n=n, owner=[1] * n)
    priority = [2 * v for v in range(n)]
    all_won(graph, zm.Parity(priority)).verify()
    for v in range(n):
        odd = priority.copy()
        odd[v] += 1
        with pytest.raises(CertificateError, match=f"position {v}, player 1 to move: expected no"):
            all_won(graph, zm.Parity(odd)).verify()


# -------------------------------------------------------------------- attacks with a plan


def test_a_dead_end_is_lost_for_its_owner():
    graph = zm.Graph.from_edges([("a", "b")], owner=[0, 0])
    with pytest.raises(CertificateError, match="'b', player 0 to move: expected that player 1 win"):
        claim(graph, zm.Parity([0, 0]), [0, 0], [1, NO_MOVE]).verify()
    claim(graph, zm.Parity([0, 0]), [1, 1], [NO_MOVE, NO_MOVE]).verify()


def test_messages():
    graph = zm.Graph.from_edges(
        [("a", "a"), ("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")], owner={"a": 0, "b": 0, "c": 1}
    )
    right = claim(graph, zm.Parity({"a": 1, "b": 2, "c": 1}), [0, 0, 1], [1, 0, 2]).verify()
    for arrays, message in (
        ({"strategy": [0, 0, 2]}, "'a', player 0 to move: expected no cycle that player 1 wins"),
        ({"strategy": [2, 0, 2]}, "'a', .* expected one of its moves, the solution claims the mov"),
        ({"strategy": [1, 2, 2]}, "'b', .* a move to a position that player 0 wins"),
        ({"strategy": [1, -1, 2]}, "'b', .* expected a move of the winner, the solution claims no"),
        ({"strategy": [1, 3, 2]}, "'b', .* expected strategy -1 … 2, the solution claims 3"),
        ({"level": [1, 0, 0]}, "'b', .* expected label LOSE, the solution claims WIN"),
        ({"level": [1, 2, 0]}, "'b', .* expected level 0 … 1, the solution claims 2"),
        ({"label": [1, 0, 1]}, "'b', .* expected label WIN, the solution claims DRAW"),
        ({"label": [1, 2, 1]}, "'b', .* expected label -1 … 1, the solution claims 2"),
        ({"distance": [-1, 0, -1]}, "'b', .* expected distance -1, the solution claims 0"),
        (
            {"level": [1, 1, 1], "label": [1, 1, -1]},
            "'c', .* no move, because its owner loses, the solution claims 'c'",
        ),
        (
            {"level": [0, 0, 0], "label": [-1, -1, 1], "strategy": [-1, -1, 2]},
            "'b', player 0 to move: expected no cycle that player 0 wins",
        ),
        (
            {"level": [0, 1, 0], "label": [-1, 1, 1], "strategy": [-1, 0, 2]},
            "'a', .* expected that player 0 wins, because of the move to 'b'",
        ),
    ):
        with pytest.raises(CertificateError, match=f"position {message}"):
            forged(right, **arrays).verify()


def test_shapes_and_types():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    right = claim(graph, zm.Buchi([1]), [0, 0], [1, NO_MOVE]).verify()
    for name in ("level", "label", "distance", "strategy"):
        array = getattr(right, name)
        others = [array[:1].copy(), array.reshape(1, 2).copy(), array.astype(np.uint8)]
        others += [array.astype(np.float64)] + [array.astype(np.int64)] * (name != "level")
        for other in others:
            with pytest.raises(CertificateError, match=f"{name}: expected"):
                forged(right, **{name: other}).verify()
    forged(right, level=right.level.astype(np.int32)).verify()
    with pytest.raises(CertificateError, match="start: expected a position number 0 … 1, got 2"):
        dataclasses.replace(right, start=2).verify()
    with pytest.raises(CertificateError, match="start: expected a position number 0 … 1, got -1"):
        dataclasses.replace(right, start=-1).verify()
    dataclasses.replace(right, start=0).verify()


def test_another_game():
    """The priorities are read again, and the graph is that of the solution."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 0])
    right = claim(graph, zm.Buchi([0]), [0, 0], [1, 0]).verify()
    dataclasses.replace(right, objective=zm.Parity([1, 2])).verify()
    for objective in (zm.CoBuchi([0]), zm.Buchi([0], player=1), zm.Parity([0, 2], "max odd")):
        assert not verdict(dataclasses.replace(right, objective=objective))
    for objective in (zm.NormalPlay(), zm.Parity([1, 2, 3])):
        with pytest.raises(CertificateError, match="objective: "):
            dataclasses.replace(right, objective=objective).verify()
    with pytest.raises(CertificateError, match="graph: expected owners"):
        dataclasses.replace(right, graph=graph.with_owner(None)).verify()
    with pytest.raises(CertificateError, match="position 0, player 1 to move: expected label"):
        dataclasses.replace(right, graph=graph.with_owner([1, 0])).verify()


def test_nothing():
    graph = zm.Graph.from_edges([], n=0, owner=[])
    assert isinstance(claim(graph, zm.Parity([]), [], []).verify(), ParitySolution)


# -------------------------------------------------------------------- large games


@pytest.mark.slow("5")
@pytest.mark.parametrize("degree", [2, 5])
def test_large_random_games(degree):
    """Any wrong winner and any move out of the region is found among 200,000 positions."""
    rng = np.random.default_rng(degree)
    n = 200_000
    source = np.repeat(np.arange(n), rng.integers(1, 2 * degree, n))
    graph = zm.Graph.from_arrays(source, rng.integers(0, n, source.size), n, rng.integers(0, 2, n))
    solution = zm.solve(graph, zm.Buchi(np.flatnonzero(rng.random(n) < 0.3))).verify()
    winner, strategy = solution.winner, solution.strategy
    for v in rng.integers(0, n, 4):
        others = changed(winner, v, 1 - winner[v])
        moves = graph.successors(int(v))
        for w in (NO_MOVE, *moves):
            claimed = claim(graph, solution.objective, others, changed(strategy, v, w))
            assert not verdict(claimed)
    out = np.flatnonzero((strategy != NO_MOVE) & (np.diff(graph.indptr) > 1))[:2000]
    pairs = [(v, w) for v in out for w in graph.successors(int(v)) if winner[w] != winner[v]]
    for v, w in pairs[:4]:
        assert not verdict(forged(solution, strategy=changed(strategy, v, w)))


@pytest.mark.slow
def test_a_bad_cycle_in_a_large_game():
    """On a ring with chords the one position of priority 2 wins everything; a loop avoids it."""
    n = 100_000
    places = np.arange(n)
    source = np.concatenate([places, [n // 2]])
    target = np.concatenate([(places + 1) % n, [7]])
    graph = zm.Graph.from_arrays(source, target, n, np.zeros(n, np.int8))
    ring = ((places + 1) % n).astype(np.int32)
    right = claim(graph, zm.Buchi([n - 1]), np.zeros(n), ring).verify()
    with pytest.raises(CertificateError, match="position 7, player 0 to move: expected no cycle"):
        forged(right, strategy=changed(ring, n // 2, 7)).verify()
    forged(right, objective=zm.Buchi([8]), strategy=changed(ring, n // 2, 7)).verify()


def test_as_many_priorities_as_positions():
    """50,000 nested cycles, closed one after the other; the one of odd priority is found."""
    n = 50_000
    places = np.arange(n)
    source = np.concatenate([places[:-1], places])
    target = np.concatenate([places[1:], np.zeros(n, np.int64)])
    graph = zm.Graph.from_arrays(source, target, n, np.ones(n, np.int8))
    all_won(graph, zm.Parity(2 * places)).verify()
    for v in (0, 1, n // 3, n - 1):
        with pytest.raises(CertificateError, match=f"position {v}, player 1 to move: expected no"):
            all_won(graph, zm.Parity(changed(2 * places, v, 2 * v + 1))).verify()
