"""Gazda's games, on which Zielonka's algorithm takes exponential time."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_LEVELS = 2**29


def gazda(n: int) -> Game:
    """The game of Gazda with the levels 0 … ``n``; it has 3 · ``n`` + 3 positions.

    The game is from [Gazda2016] Section 3.5; Oink [Dijk2018] calls it ``counter_m``. Zielonka's
    algorithm takes exponential time on it. Level i has the positions a, b, c, which are numbered
    3 i, 3 i + 1, 3 i + 2. The moves are:

    - a → b; b → c; c → b;
    - a and b → a of level i + 1, if i < ``n``; c → c of level i − 1, if i > 0.

    Player i mod 2 owns a and b, and the other player owns c. The priority of a is i + 2; that of b
    and c is 1 − (i mod 2).

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
