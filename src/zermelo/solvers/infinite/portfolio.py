"""The default solver: cheap passes, then two solvers in turn until one has finished.

Most games are solved by their loops and a short run of :mod:`zielonka
<zermelo.solvers.infinite.zielonka>`, in nearly linear time. If that run is long, the game is hard
for this algorithm, but perhaps not for another one. Then the game is cut into strong components,
and on each of them Zielonka's algorithm and tangle learning take turns with growing limits. So
together they need a small multiple of the time that the better one would need alone. Families on
which the first takes exponential time are easy for the second [DijkTangles2018].
"""

import numpy as np

from zermelo._runtime import memory
from zermelo.solvers.infinite import zielonka
from zermelo.solvers.infinite.components import by_components
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed
from zermelo.solvers.infinite.passes import self_loops

FIRST_LIMIT = 12
"""Positions that the first run may claim and free, for each position of the game."""

TURN_LIMIT = 400
"""The same number for the first turn of each solver on a strong component."""

APART_A_POSITION, APART_A_MOVE = 80, 16
"""Bytes that the strong components, the largest of them as a game, and its solver need."""

MIN_LIMIT = 1 << 16
"""The least limit of a run, however small the game is."""

LIMIT_GROWTH = 4
"""The factor by which the limit of a solver grows from turn to turn."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game.

    >>> from zermelo import Graph
    >>> graph = Graph.from_edges([(0, 0), (0, 1), (1, 2), (2, 1)], owner=[0, 1, 0])
    >>> run(ParityGame(graph, np.array([1, 2, 1], np.int32))).winner.tolist()
    [0, 0, 0]
    """
    looped = self_loops(game)
    rest = looped.game
    if rest.n == 0:
        return looped.lift(Answer(np.zeros(0, np.int8), np.zeros(0, np.int32)))
    answer = zielonka.attempt(rest, progress, FIRST_LIMIT * rest.n + MIN_LIMIT)
    if answer is None:
        memory.require(
            APART_A_POSITION * rest.n + APART_A_MOVE * rest.graph.m,
            f"taking a hard game of {rest.n:,} positions and {rest.graph.m:,} moves apart",
            "try the solver 'zielonka'",
        )
        return looped.lift(by_components(take_turns)(rest, progress))
    return looped.lift(named(answer, "zielonka"))


def take_turns(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game by two solvers in turn, each with a growing limit."""
    from zermelo.solvers.infinite import tangle_learning

    limit = TURN_LIMIT * game.n + MIN_LIMIT
    while True:
        answer = zielonka.attempt(game, progress, limit)
        if answer is not None:
            return named(answer, "zielonka")
        answer = tangle_learning.attempt(game, progress, limit)
        if answer is not None:
            return named(answer, "tangle-learning")
        limit *= LIMIT_GROWTH


def named(answer: Answer, algorithm: str) -> Answer:
    """The answer, with the name of the algorithm that found it."""
    return Answer(answer.winner, answer.strategy, answer.stats | {"algorithm": algorithm})


solve = framed("portfolio", run)
