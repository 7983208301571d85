"""What every solver of parity games must do beside the contract of all solvers (test_solvers.py).

Its strategies win, its lines of play show it, and games with many positions or priorities are
solved, too.
"""

import functools
import itertools
import random
import subprocess
import sys

import numpy as np
import pytest

import zermelo as zm
from tests import games, oracles_parity
from tests.limits import HANG
from tests.sampling import rounds
from zermelo.objectives import OBJECTIVES
from zermelo.objectives.infinite import CONVENTIONS
from zermelo.registry import SOLVERS

KEYWORDS = [k for k, cls in OBJECTIVES.items() if cls.family == "parity"]
CASES = [
    (row.name, keyword)
    for row in SOLVERS
    for keyword in KEYWORDS
    if row.applies_to("parity", keyword)
]
NAMES = sorted({name for name, keyword in CASES if keyword == "parity"})
GAMES = 200
"""Small random games of each objective, shared by all solvers."""

over_cases = pytest.mark.parametrize(("solver", "keyword"), CASES)
over_names = pytest.mark.parametrize("solver", NAMES)


def seeded(*parts):
    """A generator of random numbers that depends on the case alone."""
    return random.Random(" ".join(map(str, parts)))


def random_owned(rng, most=8):
    graph = games.random_digraph(rng, most)
    if rng.random() < 0.5:  # half of the games have no dead end
        edges = graph.to_edges().tolist()
        edges += [(int(v), rng.randrange(graph.n)) for v in graph.terminals]
        graph = zm.Graph.from_edges(edges, n=graph.n)
    return graph.with_owner([rng.randint(0, 1) for _ in range(graph.n)])


@functools.cache
def corpus(keyword):
    """Small random games with their winners by the oracle."""
    rng, found = seeded("corpus", keyword), []
    for _ in range(rounds(GAMES, 50)):
        graph = random_owned(rng)
        objective = OBJECTIVES[keyword].example(graph, rng)
        winner = oracles_parity.zielonka(*oracles_parity.game_of(graph, objective))
        found.append((graph, objective, winner))
    return found


@pytest.mark.sampled
@over_cases
def test_strategies_by_the_oracle(solver, keyword):
    """Both strategies win by the oracle's own lights, too, not only by the checker's."""
    for graph, objective, winner in corpus(keyword):
        s = zm.solve(graph, objective, solver=solver)
        game = oracles_parity.game_of(graph, objective)
        for player in (0, 1):
            assert oracles_parity.strategy_wins(game, winner, player, s.strategy.tolist())


@pytest.mark.sampled
@over_cases
def test_lines(solver, keyword):
    """Best play ends where the loser is stuck, or goes round a cycle that the winner wins."""
    for graph, objective, winner in corpus(keyword):
        moves, owner, priority = oracles_parity.game_of(graph, objective)
        s = zm.solve(graph, objective, solver=solver)
        for v in range(graph.n):
            line = s.line(v)
            assert line[0] == v
            assert all(w in moves[u] for u, w in itertools.pairwise(line))
            if line.cycle is None:
                assert not moves[line[-1]]
                assert owner[line[-1]] != winner[v]
            else:
                assert line[line.cycle] == line[-1]
                assert max(priority[u] for u in line[line.cycle :]) % 2 == winner[v]
            answer = s.at(v)
            assert answer.label == (1 if owner[v] == winner[v] else -1)
            assert answer.distance == zm.NO_DISTANCE
            assert (answer.move is None) == (not moves[v])


def middling(seed, n, degree, top):
    """A random game of n positions with priorities up to top, and hardly any dead end."""
    rng = np.random.default_rng(seed)
    count = rng.integers(1, 2 * degree, n)
    source = np.repeat(np.arange(n), count)
    graph = zm.Graph.from_arrays(source, rng.integers(0, n, source.size), n, rng.integers(0, 2, n))
    return graph, zm.Parity(rng.integers(0, top + 1, n), CONVENTIONS[seed % 4])


@functools.cache
def middling_winners(*parts):
    """The winners, by the first solver of all; the checker says that it is right."""
    graph, objective = middling(*parts)
    return zm.solve(graph, objective).verify().winner.tolist()


@over_names
@pytest.mark.parametrize(
    ("n", "degree", "top"), [(40, 1, 6), (150, 2, 3), (300, 2, 9), (90, 3, 90)]
)
def test_middling_games(solver, n, degree, top):
    """Winners are unique, so all solvers must have the same ones."""
    for seed in range(8):
        graph, objective = middling(seed, n, degree, top)
        s = zm.solve(graph, objective, solver=solver).verify()
        assert s.winner.tolist() == middling_winners(seed, n, degree, top)


MANY = """
import numpy as np, zermelo as zm
n = 1500
places = np.arange(n)
for to in ((places + 1) % n, np.minimum(places + 1, n - 1)):
    graph = zm.Graph.from_arrays(places, to, n, places % 2)
    s = zm.solve(graph, zm.Parity(places), solver={solver!r}).verify()
    assert set(s.winner.tolist()) == {{(n - 1) % 2}}
"""


@pytest.mark.slow("progress-measures", "quasi-polynomial")
@over_names
def test_many_priorities(solver):
    """A ring and a chain with more priorities than Python may recurse, one move a position.

    In a process of its own, since a solver that is exponential here would never come back.
    """
    code = MANY.format(solver=solver)
    done = subprocess.run(
        [sys.executable, "-c", code], timeout=HANG, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("seed", range(300))
def test_the_oracle_is_right(seed):
    """Zielonka's recursion agrees with all positional strategies against all others."""
    rng = seeded("oracle", seed)
    graph = random_owned(rng, most=4)
    objective = OBJECTIVES[rng.choice(KEYWORDS)].example(graph, rng)
    game = oracles_parity.game_of(graph, objective)
    winner = oracles_parity.winners_by_strategies(game)
    assert oracles_parity.zielonka(*game) == winner
    for player in (0, 1):
        region = [v for v in range(graph.n) if winner[v] == player]
        for strategy in itertools.islice(oracles_parity.strategies(*game[:2], player), 40):
            wins = all(oracles_parity.beats_all(game, player, strategy, v) for v in region)
            assert oracles_parity.strategy_wins(game, winner, player, strategy) == wins
