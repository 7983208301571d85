"""Reductions: the new game's solution, lifted, is the old game's."""

import itertools
import random

import pytest
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.transform import (
    normal_play_to_reach,
    parity_to_energy,
    parity_to_mean_payoff,
    reach_to_safety,
    safety_to_reach,
    to_parity,
)


def random_owned(rng, most=6):
    g = random_digraph(rng, most)
    return g.with_owner([rng.randint(0, 1) for _ in range(g.n)])


@pytest.mark.parametrize("player", [0, 1])
def test_reach_and_safety(player):
    rng = random.Random(31)
    for _ in range(200):
        g = random_owned(rng, 8)
        chosen = [v for v in range(g.n) if rng.random() < 0.4]
        for game, reduce in ((zm.Reach, reach_to_safety), (zm.Safety, safety_to_reach)):
            direct = zm.solve(g, game(chosen, player=player))
            r = reduce(g, direct.objective)
            assert type(r.objective) is not game
            lifted = r.lift(zm.solve(r.graph, r.objective))
            assert lifted.winner.tolist() == direct.winner.tolist()
            assert lifted.move.tolist() == direct.move.tolist()


def test_normal_play_is_two_reachability_games():
    for n in (0, 1, 2, 3):
        for g in all_digraphs(n):
            games = normal_play_to_reach(g)
            labels = games.labels(*(zm.solve(r.graph, r.objective) for r in games))
            assert labels.tolist() == zm.solve(g).label.tolist()


@pytest.mark.parametrize("convention", ["max even", "max odd", "min even", "min odd"])
def test_to_parity(convention):
    rng = random.Random(32)
    for _ in range(100):
        g = random_owned(rng)
        chosen = [v for v in range(g.n) if rng.random() < 0.4]
        objectives = [zm.Buchi(chosen), zm.CoBuchi(chosen, player=1)]
        objectives.append(zm.Parity([rng.randint(0, 5) for _ in range(g.n)], convention))
        for objective in objectives:
            direct = zm.solve(g, objective)
            r = to_parity(g, objective)
            assert r.lift(zm.solve(r.graph, r.objective)).winner.tolist() == direct.winner.tolist()


def cycle_sum(moves, weight, v):
    """The sum of weights on the cycle that a play from v with these moves ends in."""
    seen = {}
    while v not in seen:
        seen[v] = len(seen)
        v = moves[v]
    return sum(weight[u] for u, k in seen.items() if k >= seen[v])


def positional(g, player):
    mine = [v for v in range(g.n) if g.owner[v] == player]
    for choice in itertools.product(*(g.successors(v).tolist() for v in mine)):
        yield dict(zip(mine, choice, strict=True))


def test_parity_to_mean_payoff_and_energy():
    """Positional strategies suffice in mean-payoff games, so all of them are tried."""
    rng = random.Random(33)
    for _ in range(150):
        g = random_owned(rng, 5)
        objective = zm.Parity([rng.choice((0, 1, 2, 3, 10, 11)) for _ in range(g.n)])
        winner = zm.solve(g, objective).winner.tolist()
        game = parity_to_mean_payoff(g, objective)
        assert parity_to_energy(g, objective).weight.tolist() == game.weight.tolist()
        weight = game.weight.tolist()
        replies = list(positional(game.graph, 1))
        for v in range(g.n):
            value = max(
                min(cycle_sum({**s, **t}, weight, v) for t in replies)
                for s in positional(game.graph, 0)
            )
            assert value != 0
            assert (value > 0) == (winner[v] == 0)
