"""Reductions between games with weights: the lifted solutions solve the original games."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.labels import NO_MOVE
from zermelo.solutions.parity import parity_solution
from zermelo.transform import (
    energy_to_mean_payoff,
    mean_payoff_to_discounted,
    mean_payoff_to_energy,
    mean_payoff_to_parity,
    parity_to_energy,
    parity_to_mean_payoff,
    win_lose_draw_to_parity,
)

INF = float("inf")


def random_owned(rng, most=4):
    g = random_digraph(rng, most)
    return g.with_owner([rng.randint(0, 1) for _ in range(g.n)])


def positional(g, player):
    """All positional strategies of a player."""
    mine = [v for v in range(g.n) if g.owner[v] == player and g.out_degree[v]]
    for choice in itertools.product(*(g.successors(v).tolist() for v in mine)):
        yield dict(zip(mine, choice, strict=True))


def mean_of_play(g, weight, moves, v):
    """The mean of the weights of the cycle that play ends in; ±∞ if a player is stuck."""
    seen, path = {}, []
    while v not in seen:
        if v not in moves:
            return -INF if g.owner[v] == 0 else INF
        seen[v] = len(path)
        path.append((v, moves[v]))
        v = moves[v]
    cycle = path[seen[v] :]
    return Fraction(sum(weight[move] for move in cycle), len(cycle))


def oracle(g, weights):
    """The value of each position, by all pairs of positional strategies."""
    weight = dict(zip(map(tuple, g.to_edges().tolist()), weights, strict=True))
    mine, replies = list(positional(g, 0)), list(positional(g, 1))
    return [
        max(min(mean_of_play(g, weight, {**s, **t}, v) for t in replies) for s in mine)
        for v in range(g.n)
    ]


def guarantees(g, weights, player, move, region, threshold):
    """Whether fixed moves of a player secure the threshold against all replies, in a region."""
    weight = dict(zip(map(tuple, g.to_edges().tolist()), weights, strict=True))
    mine = {v: move[v] for v in region if g.owner[v] == player and g.out_degree[v]}
    if NO_MOVE in mine.values():
        return False
    for reply in positional(g, 1 - player):
        for v in region:
            # Outside of the region the player has no moves to follow, so play must stay inside.
            value = mean_of_play(g, weight, {**reply, **mine}, v)
            if not (value >= threshold if player == 0 else value < threshold):
                return False
    return True


def random_game(seed):
    rng = random.Random(seed)
    g = random_owned(rng)
    weights = [rng.randint(-4, 4) for _ in range(g.m)]
    threshold = Fraction(rng.randint(-6, 6), rng.randint(1, 3))
    return g, weights, threshold


@pytest.mark.slow
def test_energy_and_mean_payoff_with_a_threshold():
    for seed in range(1500):
        g, weights, threshold = random_game(seed)
        values = oracle(g, weights)
        r = energy_to_mean_payoff(g, zm.Energy(weights))
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.winner.tolist() == [int(x < 0) for x in values], seed
        for player in (0, 1):
            region = np.flatnonzero(lifted.winner == player).tolist()
            assert guarantees(g, weights, player, lifted.move, region, 0), seed
        r = mean_payoff_to_energy(g, zm.MeanPayoff(weights, threshold))
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.winner.tolist() == [int(x < threshold) for x in values], seed
        for player in (0, 1):
            region = np.flatnonzero(lifted.winner == player).tolist()
            assert guarantees(g, weights, player, lifted.move, region, threshold), seed


@pytest.mark.parametrize("player", [0, 1])
def test_mean_payoff_to_parity(player):
    for seed in range(400):
        g, weights, threshold = random_game(seed)
        values = oracle(g, weights)
        objective = zm.MeanPayoff(weights, threshold)
        r = mean_payoff_to_parity(g, objective, player)
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.winner.tolist() == [int(x < threshold) for x in values], seed
        region = np.flatnonzero(lifted.winner == player).tolist()
        assert guarantees(g, weights, player, lifted.move, region, threshold), seed


def test_mean_payoff_to_parity_where_players_alternate():
    for seed in range(100):
        g, weights, threshold = random_game(seed)
        g = g.with_owner(None)
        objective = zm.MeanPayoff(weights, threshold)
        r = mean_payoff_to_parity(g, objective)
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.winner.tolist() == zm.solve(g, objective).winner.tolist(), seed


@pytest.mark.slow
def test_parity_to_weights_and_back():
    """The winners are those of the parity game, and the moves win it, by the checker."""
    for seed in range(700):
        rng = random.Random(seed)
        g = random_owned(rng, 6)
        objective = zm.Parity([rng.choice((0, 1, 2, 3, 10, 11)) for _ in range(g.n)])
        winner = zm.solve(g, objective).winner.tolist()
        for reduce in (parity_to_mean_payoff, parity_to_energy):
            game = reduce(g, objective)
            lifted = game.lift(zm.solve(game.graph, game.objective).verify())
            assert lifted.winner.tolist() == winner, seed
            parity_solution(g, objective, "lifted", lifted.winner, lifted.move).verify()


@pytest.mark.slow
def test_parity_to_mean_payoff_without_a_threshold():
    for seed in range(200):
        rng = random.Random(seed)
        g = random_owned(rng, 5)
        objective = zm.Parity([rng.randint(0, 4) for _ in range(g.n)])
        game = parity_to_mean_payoff(g, objective)
        solution = zm.solve(game.graph, zm.MeanPayoff(game.weight, on="positions")).verify()
        assert 0 not in solution.value.tolist()
        lifted = game.lift(solution)
        parity_solution(g, objective, "lifted", lifted.winner, lifted.move).verify()


def test_mean_payoff_to_discounted():
    """Values and winners are those of the oracle, and the moves of both players are optimal."""
    for seed in range(200):
        g, weights, threshold = random_game(seed)
        values = oracle(g, weights)
        r = mean_payoff_to_discounted(g, zm.MeanPayoff(weights))
        solution = zm.solve(r.graph, r.objective).verify()
        lifted = r.lift(solution)
        assert lifted.value.tolist() == values, seed
        assert lifted.winner.tolist() == [{1: 0, 0: -1, -1: 1}[(x > 0) - (x < 0)] for x in values]
        for bound in set(values) - {INF, -INF}:
            region = [v for v in range(g.n) if values[v] >= bound]
            assert guarantees(g, weights, 0, lifted.move, region, bound), seed
        r = mean_payoff_to_discounted(g, zm.MeanPayoff(weights, threshold))
        assert r.lift(solution).winner.tolist() == [int(x < threshold) for x in values], seed


def test_parity_to_mean_payoff_to_discounted_and_back():
    for seed in range(100):
        rng = random.Random(seed)
        g = random_owned(rng, 5)
        objective = zm.Parity([rng.randint(0, 3) for _ in range(g.n)])
        game = parity_to_mean_payoff(g, objective)
        r = mean_payoff_to_discounted(game.graph, game.objective)
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.winner.tolist() == zm.solve(g, objective).winner.tolist(), seed
        move = np.where(lifted.winner == game.graph.owner, lifted.move, NO_MOVE)
        parity_solution(g, objective, "lifted", lifted.winner, move).verify()


def test_mean_payoff_to_discounted_where_players_alternate():
    for seed in range(60):
        g, weights, _ = random_game(seed)
        g = g.with_owner(None)
        r = mean_payoff_to_discounted(g, zm.MeanPayoff(weights))
        lifted = r.lift(zm.solve(r.graph, r.objective))
        assert lifted.value.tolist() == zm.solve(g, zm.MeanPayoff(weights)).value.tolist(), seed


def test_weights_beyond_64_bits_are_refused():
    g = zm.Graph.from_edges([(v, (v + 1) % 40) for v in range(40)], owner=[0] * 40)
    game = parity_to_mean_payoff(g, zm.Parity(list(range(40))))
    assert max(map(abs, game.weight.tolist())) == 40**39
    with pytest.raises(LimitError, match="208 bits"):
        game.objective  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize("objective", [zm.NormalPlay(), zm.Misere()])
def test_win_lose_draw(objective):
    for n in range(4):
        for g in all_digraphs(n):
            games = win_lose_draw_to_parity(g, objective)
            solutions = [zm.solve(r.graph, r.objective) for r in games]
            direct = zm.solve(g, objective)
            lifted = games.lift(*solutions)
            assert lifted.winner.tolist() == direct.winner.tolist()
            labels = games.labels(*solutions)
            assert labels[:, 0].tolist() == labels[:, 1].tolist() == direct.label.tolist()
            # Every move that is given keeps what its player has.
            after = {w: direct.label[w] for w in range(n)}
            for v, player in itertools.product(range(n), (0, 1)):
                w = int(lifted.move[v, player])
                if w != NO_MOVE:
                    assert w in g.successors(v)
                    assert after[w] == -direct.label[v]
                else:
                    assert direct.label[v] < 0 or not g.out_degree[v]


@pytest.mark.slow
@pytest.mark.parametrize("objective", [zm.NormalPlay(), zm.Misere()])
def test_win_lose_draw_with_owners(objective):
    rng = random.Random(5)
    for _ in range(300):
        g = random_owned(rng, 6)
        games = win_lose_draw_to_parity(g, objective)
        solutions = [zm.solve(r.graph, r.objective) for r in games]
        direct = zm.solve(g, objective)
        assert games.lift(*solutions).winner.tolist() == direct.winner.tolist()
        assert games.labels(*solutions).tolist() == direct.label.tolist()


def test_what_is_refused():
    g = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    with pytest.raises(InvalidObjectiveError, match="without a capacity, got capacity 3"):
        energy_to_mean_payoff(g, zm.Energy([1, 2], 3))
    with pytest.raises(InvalidObjectiveError, match="with a threshold, got none"):
        mean_payoff_to_energy(g, zm.MeanPayoff([1, 2]))
    with pytest.raises(InvalidObjectiveError, match="expected the objective MeanPayoff"):
        mean_payoff_to_discounted(g, zm.Energy([1, 2]))
    with pytest.raises(LimitError, match="up to 4,611,686,018,427,387,"):
        mean_payoff_to_energy(g, zm.MeanPayoff([2**60, 2], Fraction(1, 4)))
    with pytest.raises(LimitError, match="2,000,003 positions, more than the limit 2,000,000"):
        mean_payoff_to_parity(g, zm.MeanPayoff([-(10**6), 2], 0))
    with pytest.raises(InvalidOptionError, match="player"):
        mean_payoff_to_parity(g, zm.MeanPayoff([1, 2], 0), player=2)
    r = energy_to_mean_payoff(g, zm.Energy([1, 2]))
    with pytest.raises(InvalidObjectiveError, match="expected a solution of the game"):
        r.lift(zm.solve(zm.Graph.from_edges([(0, 1)])))
