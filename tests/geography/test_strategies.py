"""Strategies beat every opponent; if they need memory, no positional strategy wins."""

import itertools
import random

import pytest

import zermelo as zm
from tests import oracles_geography as oracle
from tests.geography import games
from zermelo.errors import InvalidOptionError

OVER = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("e", "b"), ("e", "c")]
"""From a, player 1 must remember at e whether the token came through b or through c."""

SYMACYCLIC = [
    *[("s", "v"), ("s", "w"), ("v", "l"), ("w", "r")],
    *[("l", "m"), ("m", "l"), ("m", "r"), ("r", "m")],
]
"""Two entries, l and r, to one symmetric component: at m the winner moves to the other one."""


def beats_everybody(succ, game, start, player, move):
    """Whether a strategy wins every play; ``move`` takes histories."""
    stack = [(start,)]
    while stack:
        history = stack.pop()
        winner = games.winner(succ, game, history)
        if winner is None:
            mine = (len(history) - 1) % 2 == player
            moves = [move(history)] if mine else succ[history[-1]]
            if mine and moves[0] not in succ[history[-1]]:
                return False
            stack += [(*history, w) for w in moves]
        elif winner != player:
            return False
    return True


@pytest.mark.parametrize("game", oracle.GAMES)
def test_strategies_beat_every_opponent(game):
    for g in games.random_graphs(12, f"strategies {game}", high=6, moves=10):
        succ = games.rows(g)
        solution = zm.solve(g, games.objective(game))
        for v in range(g.n):
            s = solution.strategy(v)
            assert beats_everybody(succ, game, v, s.player, s.move)
            line = solution.line(v)
            assert games.winner(succ, game, tuple(line)) == s.player
            if s.positional is not None:
                kept = s.positional
                assert beats_everybody(succ, game, v, s.player, lambda h, p=kept: p.get(h[-1]))


def symmetric_graphs(count, seed):
    for g in games.random_graphs(count, seed, high=8, moves=9):
        u, v = g.to_edges().T
        yield zm.Graph.from_arrays([*u, *v], [*v, *u], g.n)


def test_symmetric_graphs_have_positional_strategies():
    for g in symmetric_graphs(30, "positional"):
        solution = zm.solve(g, zm.NoReturn())
        for v in range(g.n):
            s = solution.strategy(v)
            kept = s.positional
            assert kept is not None
            succ = games.rows(g)
            assert beats_everybody(succ, "no-return", v, s.player, lambda h, p=kept: p.get(h[-1]))


@pytest.mark.parametrize(("edges", "start"), [(OVER, "a"), (SYMACYCLIC, "s")])
def test_the_winner_needs_memory(edges, start):
    g = zm.Graph.from_edges(edges)
    solution = zm.solve(g, zm.NoReturn()).verify()
    succ, at = games.rows(g), g.index(start)
    strategy = solution.strategy(start)
    assert strategy.player == 1
    assert strategy.positional is None
    for moves in itertools.product(*(row or [None] for row in succ)):
        assert not beats_everybody(succ, "no-return", at, 1, lambda h, p=moves: p[h[-1]])
    names = g.names.index
    move = strategy.move
    assert beats_everybody(succ, "no-return", at, 1, lambda h: names(move([g.name(v) for v in h])))


def test_play_against_an_opponent():
    g = zm.Graph.from_edges(OVER)
    strategy = zm.solve(g, zm.NoReturn(), start="a").strategy()
    for first, last in (("b", "c"), ("c", "b")):
        line = strategy.play(lambda line, x=first: x if len(line) == 1 else "e")
        assert list(line) == ["a", first, "d", "e", last]
    assert list(strategy.play(limit=2)) == ["a", "b", "d"]
    with pytest.raises(InvalidOptionError, match="'a' has no legal move to 'e'"):
        strategy.play(lambda line: "e")


def test_bad_histories_are_refused():
    g = zm.Graph.from_edges(OVER)
    solution = zm.solve(g, zm.NoReturn())
    for history, match in (
        ([], "at least the start"),
        (["a", "d"], "'a' has no move to 'd'"),
        (["b", "d", "e", "b"], "the game ended when 'b' was entered"),
    ):
        with pytest.raises(InvalidOptionError, match=match):
            solution.winning_moves(history)
    with pytest.raises(InvalidOptionError, match="expected one from 'a' with player 1"):
        solution.strategy("a").move(["a"])
    with pytest.raises(InvalidOptionError, match="none was asked about"):
        solution.strategy()
    undecided = zm.solve(zm.generators.cycle(5), zm.NoReturn(), nodes=0)
    with pytest.raises(InvalidOptionError, match="nobody is known to win from 0"):
        undecided.strategy(0)
    assert list(undecided.line(0)) == [0]


def mixed_graphs(count, seed):
    """Symmetric parts joined by one-way moves, some with a few such moves inside, and loops."""
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = 0, []
        for size in rng.choices((1, 2, 3, 4), k=rng.randint(1, 3)):
            inside = [(v, w) for v in range(size) for w in range(v) if rng.random() < 0.7]
            edges += [(n + v, n + w) for x in inside for v, w in (x, x[::-1])]
            if n:
                edges += [(n + rng.randrange(size), rng.randrange(n)) for _ in range(2)]
            n += size
        edges += [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.choice((0, 0, 1, 2)))]
        yield zm.Graph.from_edges(edges[:14], n=n)


@pytest.mark.slow("no-repetition", "no-repetition misere", "repetition")
@pytest.mark.parametrize("game", oracle.GAMES)
def test_games_made_of_symmetric_parts(game):
    """Labels, all winning moves and strategies, against the definition and every opponent."""
    for g in mixed_graphs(12, f"mixed {game}"):
        succ = games.rows(g)
        solution = zm.solve(g, games.objective(game)).verify()
        assert solution.label.tolist() == oracle.labels(succ, game)
        for v in range(g.n):
            s = solution.strategy(v)
            if s.player == 0:
                assert list(solution[v].best_moves) == oracle.winning_moves(succ, game, (v,))
            assert beats_everybody(succ, game, v, s.player, s.move)
            if (kept := s.positional) is not None:
                assert beats_everybody(succ, game, v, s.player, lambda h, p=kept: p.get(h[-1]))
