"""Recursive dull games: all cycles are loops, but Zielonka's algorithm takes exponential time."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_LOOPS = 2**29


def recursive_dull(n: int) -> Game:
    """The ``n``-th recursive dull game, with 3 · ``n`` positions, all owned by player 0.

    This is ``recursivedullgame`` of PGSolver [FriedmannLange2009]. The positions
    v = 0 … 2 ``n`` − 1 form a chain: v has a move to v − 1, and 0 has a loop; the priority of v is
    v + 2. For k = 0 … ``n`` − 1, position 2 ``n`` + k has priority 1, a loop, and a move to
    2 k + 1. Player 0 wins everywhere by moving to the end of the chain. All cycles are loops, but
    Zielonka's algorithm takes about 2ⁿ steps if it does not solve the strong components one by
    one. [GazdaWillemse2013] prove this bound for dull games.

    >>> graph, parity = recursive_dull(1)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 0], [1, 0], [2, 1], [2, 2]], [2, 3, 1])
    """
    n = check_integer("n", n, 1, MAX_LOOPS)
    check_room(3 * n, 4 * n)
    v, k = np.arange(2 * n, dtype=np.int64), np.arange(n, dtype=np.int64)
    moves = [(v, np.maximum(v - 1, 0)), (2 * n + k, 2 * n + k), (2 * n + k, 2 * k + 1)]
    return assemble(3 * n, moves, 0, np.concatenate([v + 2, np.ones_like(k)]))
