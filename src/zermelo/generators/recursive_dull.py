"""Recursive dull games: no cycle but loops, and yet exponential for Zielonka's algorithm."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators._parity import assemble

MAX_LOOPS = 2**29


def recursive_dull(n: int) -> Game:
    """The ``n``-th recursive dull game, 3 · ``n`` positions, all of player 0.

    ``recursivedullgame`` of PGSolver [FriedmannLange2009]. Positions v = 0 … 2 ``n`` − 1 are a
    chain down to 0, which has a loop; their priorities are v + 2. Position 2 ``n`` + k has a loop
    of priority 1 and a move to 2 k + 1. Player 0 wins everywhere, by going to the chain's end. All
    cycles are loops, yet Zielonka's algorithm takes about 2 to the ``n`` steps, if it does not
    solve strong components one by one; [GazdaWillemse2013] have this bound for dull games.

    >>> graph, parity = recursive_dull(1)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 0], [1, 0], [2, 1], [2, 2]], [2, 3, 1])
    """
    n = check_integer("n", n, 1, MAX_LOOPS)
    check_room(3 * n, 4 * n)
    v, k = np.arange(2 * n, dtype=np.int64), np.arange(n, dtype=np.int64)
    moves = [(v, np.maximum(v - 1, 0)), (2 * n + k, 2 * n + k), (2 * n + k, 2 * k + 1)]
    return assemble(3 * n, moves, 0, np.concatenate([v + 2, np.ones_like(k)]))
