"""Gazda's games, on which Zielonka's algorithm takes exponential time."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators._parity import assemble

MAX_LEVELS = 2**29


def gazda(n: int) -> Game:
    """The game of Gazda with levels 0 … ``n``, 3 · ``n`` + 3 positions.

    [Gazda2016] Section 3.5, as in ``counter_m`` of Oink [Dijk2018]: exponential for Zielonka's
    algorithm. Level i has positions a, b, c, numbered 3 i, 3 i + 1, 3 i + 2; a → b; b → c; c → b;
    a and b → a of level i + 1, and c → c of level i − 1, where they exist. Player i mod 2 owns a
    and b, the other one c. The priorities are i + 2 for a and 1 − i mod 2 for b and c.

    >>> graph, parity = gazda(1)
    >>> graph.to_edges().tolist()
    [[0, 1], [0, 3], [1, 2], [1, 3], [2, 1], [3, 4], [4, 5], [5, 2], [5, 4]]
    >>> graph.owner.tolist(), parity.priority.tolist()
    ([0, 0, 1, 1, 1, 0], [2, 1, 1, 3, 0, 0])
    """
    n = check_integer("n", n, 1, MAX_LEVELS)
    size = 3 * n + 3
    check_room(size, 6 * n + 3)
    i = np.arange(n + 1, dtype=np.int64)
    a, b, c = 3 * i, 3 * i + 1, 3 * i + 2
    moves = [(a, b), (b, c), (c, b), (a[:-1], a[1:]), (b[:-1], a[1:]), (c[1:], c[:-1])]
    owner = np.stack([i & 1, i & 1, 1 - (i & 1)], axis=1).reshape(-1)
    priority = np.stack([i + 2, 1 - (i & 1), 1 - (i & 1)], axis=1).reshape(-1)
    return assemble(size, moves, owner, priority)
