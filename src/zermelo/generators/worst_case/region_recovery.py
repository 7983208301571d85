"""A counterexample to priority promotion with region recovery."""

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
