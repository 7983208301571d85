"""Reductions: the lifted solution of the new game solves the original game."""

import itertools
import random

import numpy as np
import pytest
from tests import muller_oracle
from tests.games import all_digraphs, random_digraph

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_MOVE
from zermelo.solutions.muller import muller_solution
from zermelo.transform import (
    muller_to_parity,
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


@pytest.mark.slow
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


def keeps_credit(g, moves, weight, v):
    """Whether player 1 reaches no cycle from v that loses credit, given these moves of player 0."""
    steps = [(u, w) for u, w in g.to_edges().tolist() if moves.get(u, w) == w]
    best = {v: 0}
    for _ in range(g.n):  # after n rounds of relaxation only a losing cycle still decreases
        before = dict(best)
        for u, w in steps:
            if u in best:
                best[w] = min(best.get(w, best[u] + weight[u]), best[u] + weight[u])
    return best == before


def test_parity_to_mean_payoff_and_energy():
    """Positional strategies suffice in both kinds of games, so all of them are tried."""
    rng = random.Random(33)
    for _ in range(150):
        g = random_owned(rng, 5)
        objective = zm.Parity([rng.choice((0, 1, 2, 3, 10, 11)) for _ in range(g.n)])
        winner = zm.solve(g, objective).winner.tolist()
        game, energy = parity_to_mean_payoff(g, objective), parity_to_energy(g, objective)
        assert (game.graph.out_degree > 0).all()
        weight = game.weight.tolist()
        mine, replies = list(positional(game.graph, 0)), list(positional(game.graph, 1))
        for v in range(g.n):
            value = max(min(cycle_sum({**s, **t}, weight, v) for t in replies) for s in mine)
            assert value != 0
            assert (value > 0) == (winner[v] == 0)
            lasts = any(keeps_credit(energy.graph, s, energy.weight.tolist(), v) for s in mine)
            assert lasts == (winner[v] == 0)


@pytest.mark.parametrize(
    ("solver", "method"),
    [
        ("zielonka", "zielonka-tree"),
        ("priority-promotion", "zielonka-tree"),
        ("strategy-improvement", "zielonka-tree"),
        ("zielonka", "lar"),
    ],
)
def test_muller_to_parity(solver, method):
    """Winners by the oracle; the machines win by the checker, for every parity solver."""
    for seed in range(120):
        g, objective = muller_oracle.random_game(2000 + seed)
        r = muller_to_parity(g, objective, method)
        lifted = r.lift(zm.solve(r.graph, r.objective, solver=solver).verify())
        assert lifted.winner.tolist() == muller_oracle.solve(g, objective), seed
        muller_solution(g, objective, solver, lifted.winner, lifted.machines).verify()
        assert ((lifted.move != NO_MOVE) == (lifted.winner == g.owner)).all()
        for v in np.flatnonzero(lifted.move != NO_MOVE).tolist():
            machine = lifted.machines[lifted.winner[v]]
            assert machine.move(v) == lifted.move[v]


def test_muller_to_parity_by_a_known_method():
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    objective = zm.Muller.parity([2, 1])
    short = muller_to_parity(g, objective, "lar")
    assert short.graph == muller_to_parity(g, objective, "latest-appearance-records").graph
    assert short.graph.n == 3  # one pair cannot be reached
    with pytest.raises(InvalidOptionError, match="method: expected 'zielonka-tree', 'latest-appea"):
        muller_to_parity(g, objective, "tree")


def test_muller_to_parity_leaves_nothing_to_remember_in_a_parity_game():
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    r = muller_to_parity(g, zm.Muller.parity([2, 1]))
    assert r.graph == g
    assert [len(x) for x in r.lift(zm.solve(r.graph, r.objective)).machines] == [1, 1]
