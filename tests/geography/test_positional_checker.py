"""The checker of positional strategies accepts only those that beat every opponent."""

import dataclasses
import random

import numpy as np
import pytest

import zermelo as zm
from tests.geography import games
from tests.geography.test_strategies import beats_everybody, mixed_graphs
from zermelo.errors import CertificateError
from zermelo.solvers.geography.strategy import _positional
from zermelo.verify.geography.positional import check_positional


def accepted(*claim):
    try:
        check_positional(*claim)
    except CertificateError:
        return False
    return True


def claims(rng, n, moves, mates):
    """A strategy with its matchings, and similar ones."""
    yield moves, mates
    yield {}, mates
    for v in moves:
        yield {x: w for x, w in moves.items() if x != v}, mates
        yield moves | {v: rng.randrange(n)}, mates
    for k, mate in mates.items():
        yield moves, {}
        for v in range(n):
            other = mate.copy()
            other[v] = rng.randrange(-1, n)
            yield moves, mates | {k: other}
            yield moves | ({v: int(other[v])} if other[v] >= 0 else {}), mates | {k: other}
            if mate[v] >= 0:
                pair = mate.copy()
                pair[[v, mate[v]]] = -1
                yield moves, mates | {k: pair}
                yield {x: w for x, w in moves.items() if x not in (v, mate[v])}, mates | {k: pair}


@pytest.mark.slow
@pytest.mark.parametrize("misere", [False, True])
def test_what_is_accepted_wins(misere):
    game = "no-return misere" if misere else "no-return"
    rng, verdicts = random.Random(game), set()
    for g in mixed_graphs(40, f"positional {game}"):
        solution = zm.solve(g, zm.NoReturn(misere))
        for v in range(g.n):
            player = solution.strategy(v).player
            found = _positional(solution, v, player)
            for moves, mates in claims(rng, g.n, *(found or ({}, {}))):
                for winner in (player, 1 - player):
                    verdict = accepted(solution.play, v, winner, moves, mates)
                    verdicts.add(verdict)
                    if verdict:
                        wins = beats_everybody(
                            games.rows(g), game, v, winner, lambda h, p=moves: p.get(h[-1])
                        )
                        assert wins, (g.to_edges().tolist(), v, winner, moves)
            assert found is None or accepted(solution.play, v, player, *found)
    assert verdicts == {True, False}


def test_each_reason():
    path = zm.generators.path(3, symmetric=True).graph
    play = zm.solve(path, zm.NoReturn()).play

    def mates(*given):
        return {1: np.array(given, np.int32)}

    def attack(match, *claim):
        with pytest.raises(CertificateError, match=match):
            check_positional(*claim)

    check_positional(play, 0, 1, {1: 2}, mates(-1, 2, 1))
    attack("expected it to be exposed, because she enters", play, 0, 1, {1: 0}, mates(1, 0, -1))
    attack("as large as its own", play, 0, 1, {}, mates(-1, -1, -1))
    attack("a mate in its piece", play, 0, 1, {1: 2}, mates(-1, 2, -1))
    attack("a mate in its piece", play, 0, 1, {1: 1}, mates(-1, 1, -1))
    attack("a mate in its piece", play, 0, 1, {1: 1}, mates(2, -1, 0))
    attack("a mate or -1", play, 0, 1, {1: 2}, mates(-1, 3, 1))
    attack("a mate or -1", play, 0, 1, {1: 2}, mates(-2, 2, 1))
    attack("mate: expected int32", play, 0, 1, {1: 2}, {1: np.array([-1, 2], np.int32)})
    attack("expected its mate 2", play, 0, 1, {1: 0}, mates(-1, 2, 1))
    attack("expected its mate 2", play, 0, 1, {}, mates(-1, 2, 1))
    attack("expected the label of the winner", play, 0, 0, {1: 2}, {})
    wrong = dataclasses.replace(play, label=-play.label)
    attack("expected", wrong, 0, 0, {1: 2}, {})
    plain = zm.solve(zm.Graph.from_edges([(0, 1), (0, 2), (2, 1)]), zm.NoReturn()).play
    attack("expected its first move 1", plain, 0, 0, {0: 2}, {})
    circle = zm.solve(zm.generators.cycle(3), zm.NoReturn()).play
    attack("expected no piece that needs memory", circle, 0, 1, {1: 2}, {})
    attack("piece 1: expected a symmetric piece", circle, 0, 1, {1: 2}, mates(-1, 2, 1))
