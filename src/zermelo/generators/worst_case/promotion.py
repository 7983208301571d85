"""Counterexamples to priority promotion, with region recovery and with delayed promotions."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_GROUPS = 2**29


def region_recovery(n: int) -> Game:
    """A ring of ``n`` groups against priority promotion; the game has 4 · ``n`` positions.

    This is ``counter_rr`` of Oink [Dijk2018], a hard game for its solver with region recovery.
    Group i has the positions a, b, c, d, which are numbered 4 i, …, 4 i + 3 and belong to player
    (``n`` + i) mod 2. The moves are a ↔ b; c ↔ d; a → c; b → d; c → a of the next group; and d → b
    of the next group. The group after the last one is group 0. The priority of a and b is
    ``n`` − 1 − i, and that of c and d is ``n`` + 1 + i.

    >>> graph, parity = region_recovery(1)
    >>> graph.to_edges().tolist(), graph.owner.tolist(), parity.priority.tolist()
    ([[0, 1], [0, 2], [1, 0], [1, 3], [2, 0], [2, 3], [3, 1], [3, 2]], [1, 1, 1, 1], [0, 0, 2, 2])
    """
    n = check_integer("n", n, 1, MAX_GROUPS)
    check_room(4 * n, 8 * n)
    i = np.arange(n, dtype=np.int64)
    a, b, c, d = 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3
    moves = [(a, b), (b, a), (c, d), (d, c), (a, c), (b, d)]
    moves += [(c, np.roll(a, -1)), (d, np.roll(b, -1))]
    priority = np.stack([n - 1 - i, n - 1 - i, n + 1 + i, n + 1 + i], axis=1).reshape(-1)
    return assemble(4 * n, moves, np.repeat((n + i) & 1, 4), priority)


MAX_LEVELS = 2**28


def delayed_promotion(n: int) -> Game:
    """A game with the levels 0 … ``n`` against delayed promotions; it has 4 · ``n`` + 4 positions.

    This is ``counter_dp`` of Oink [Dijk2018], a hard game for its solver with delayed promotions.
    Level i has the positions a, b, c, d, which are numbered 4 i, …, 4 i + 3. The moves are a ↔ b;
    b ↔ c; d → c; b → d of level i + 1, if it exists; and c → d of level i − 1, if it exists. Player
    i mod 2 owns c and d, and the other player owns a and b. The priority of a, b and c is i, and
    that of d is i + 3.

    >>> graph, parity = delayed_promotion(1)
    >>> graph.to_edges().tolist()
    [[0, 1], [1, 0], [1, 2], [1, 7], [2, 1], [3, 2], [4, 5], [5, 4], [5, 6], [6, 3], [6, 5], [7, 6]]
    >>> graph.owner.tolist(), parity.priority.tolist()
    ([1, 1, 0, 0, 0, 0, 1, 1], [0, 0, 0, 3, 1, 1, 1, 4])
    """
    n = check_integer("n", n, 1, MAX_LEVELS)
    size = 4 * n + 4
    check_room(size, 7 * n + 5)
    i = np.arange(n + 1, dtype=np.int64)
    a, b, c, d = 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3
    moves = [(a, b), (b, a), (b, c), (c, b), (d, c), (c[1:], d[:-1]), (b[:-1], d[1:])]
    owner = np.stack([1 - (i & 1), 1 - (i & 1), i & 1, i & 1], axis=1).reshape(-1)
    priority = np.stack([i, i, i, i + 3], axis=1).reshape(-1)
    return assemble(size, moves, owner, priority)
