"""Zielonka's algorithm: every answer proves itself, by both strategies on both regions."""

import random

import numpy as np
import pytest
from tests.sampling import rounds

import zermelo as zm
from zermelo.graph import Graph
from zermelo.solvers.infinite import zielonka
from zermelo.solvers.infinite.frame import Answer, ParityGame


def random_game(rng: random.Random, most: int) -> ParityGame:
    n = rng.randint(1, most)
    degree = rng.choice([1, 2, 2, 3, 5])
    edges = [(v, w) for v in range(n) for w in rng.sample(range(n), min(n, rng.randint(1, degree)))]
    graph = Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])
    colours = rng.randint(1, n + 2)
    return ParityGame(graph, np.array([rng.randrange(colours) for _ in range(n)], np.int32))


def assert_proved(game: ParityGame, answer: Answer) -> None:
    """Each winner's moves stay in its region and allow no cycle that the other one wins."""
    priority = game.priority.tolist()
    for player in (0, 1):
        moves = {}
        for v in np.flatnonzero(answer.winner == player).tolist():
            moves[v] = game.graph.successors(v).tolist()
            if game.owner[v] == player:
                assert answer.strategy[v] in moves[v]
                moves[v] = [int(answer.strategy[v])]
            assert all(answer.winner[w] == player for w in moves[v])
        for v in moves:
            if priority[v] % 2 == player:
                continue
            seen, stack = set(), list(moves[v])
            while stack:
                u = stack.pop()
                if u not in seen and priority[u] <= priority[v]:
                    seen.add(u)
                    stack += moves[u]
            assert v not in seen, f"a cycle through {v} is bad for player {player}"


@pytest.mark.slow("1-2000-5", "2-1500-12")
@pytest.mark.parametrize(("seed", "games", "most"), [(1, 2000, 5), (2, 1500, 12), (3, 600, 40)])
def test_random_games(seed, games, most):
    rng = random.Random(seed)
    for _ in range(games):
        game = random_game(rng, most)
        assert_proved(game, zielonka.run(game))


@pytest.mark.sampled
@pytest.mark.compiled
def test_compiled(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    rng = random.Random(4)
    for most in (8, 40, 300):
        for _ in range(rounds(150)):
            game = random_game(rng, most)
            assert_proved(game, zielonka.run(game))


@pytest.mark.parametrize("seed", range(20))
def test_top_positions_are_released_with_what_they_dominate(seed):
    # Long thin games start levels again often and in the middle of runs of priorities.
    rng = random.Random(seed)
    n = 200
    edges = [(v, w) for v in range(n) for w in rng.sample(range(n), rng.randint(1, 2))]
    graph = Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])
    game = ParityGame(graph, np.array(rng.sample(range(4 * n), n), np.int32))
    assert_proved(game, zielonka.run(game))


def test_a_chain_of_as_many_priorities_as_positions():
    n = 100_000
    v = np.arange(n)
    graph = Graph.from_arrays(
        np.concatenate([v, v[:-1]]), np.concatenate([v, v[1:]]), n, owner=(v % 2).astype(np.int8)
    )
    answer = zielonka.run(ParityGame(graph, v.astype(np.int32)))
    # Everyone at an own priority stays there for ever.
    assert np.array_equal(answer.winner, v % 2)
    assert np.array_equal(answer.strategy, v)


def test_a_long_ladder():
    n = 100_000
    v = np.arange(n)
    graph = Graph.from_arrays(
        np.concatenate([v, v]),
        np.concatenate([(v + 1) % n, (v + 2) % n]),
        n,
        owner=(v % 2).astype(np.int8),
    )
    answer = zielonka.run(ParityGame(graph, (v % 2).astype(np.int32)))
    # Everyone stays on the own rung, where all priorities have the own parity.
    assert np.array_equal(answer.winner, v % 2)
    assert np.array_equal(answer.strategy, (v + 2) % n)


def test_zielonka_stops_at_its_limit():
    v = np.arange(1000)
    graph = Graph.from_arrays(v, (v + 1) % 1000, 1000, owner=np.zeros(1000, np.int8))
    game = ParityGame(graph, v.astype(np.int32))
    assert zielonka.attempt(game, limit=0) is None
    assert zielonka.attempt(game) is not None


def test_the_empty_game_and_far_priorities():
    empty = ParityGame(Graph.from_edges([], n=0, owner=[]), np.zeros(0, np.int32))
    assert zielonka.run(empty).winner.size == 0
    graph = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    answer = zielonka.run(ParityGame(graph, np.array([2**31 - 3, 5], np.int32)))
    assert answer.winner.tolist() == [1, 1]


def test_a_run_of_one_parity_ends_at_a_claimed_position_of_the_other():
    """Position 3 is attracted to the first top, 4, and has the priority between those of 4 and 1.

    A solver that takes 1 for a top of the same run is left with a cycle that player 0 wins.
    """
    moves = [(0, 0), (1, 3), (1, 1), (2, 1), (2, 4), (3, 2), (4, 5), (5, 0)]
    game = zm.Graph.from_edges(moves, owner=[0, 0, 1, 1, 0, 0])
    zm.solve(game, zm.Parity([0, 1, 0, 2, 5, 3]), solver="zielonka").verify()


def test_a_position_drawn_again_keeps_no_move_to_what_was_decided():
    """A move of the winner that leads to an older region is replaced; small enough to interpret."""
    edges = [(0, 2), (0, 3), (0, 4), (1, 4), (1, 7), (2, 2), (2, 4), (3, 0), (3, 2), (3, 4),
             (4, 2), (4, 3), (4, 4), (5, 4), (5, 7), (6, 4), (6, 7), (7, 5), (7, 7)]  # fmt: skip
    graph = zm.Graph.from_edges(edges, n=8, owner=[1, 1, 1, 1, 0, 1, 0, 1])
    zm.solve(graph, zm.Parity([4, 3, 3, 8, 1, 3, 1, 4]), solver="zielonka").verify()


def test_a_position_drawn_again_gets_a_move_that_stays():
    """The first of its moves leads to an older region; it needs one that does not."""
    edges = [(0, 0), (0, 6), (1, 0), (1, 6), (2, 0), (2, 1), (2, 6), (3, 3), (3, 5), (4, 3),
             (4, 6), (5, 3), (5, 6), (6, 0), (6, 1), (6, 6), (7, 3), (7, 6)]  # fmt: skip
    graph = zm.Graph.from_edges(edges, n=8, owner=[1, 1, 1, 1, 0, 1, 0, 1])
    zm.solve(graph, zm.Parity([3, 8, 4, 4, 0, 3, 1, 3]), solver="zielonka").verify()
