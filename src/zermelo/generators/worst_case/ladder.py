"""Ladders: rings of positions in which each one has moves to the next two."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room
from zermelo.generators.parity.common import assemble


def ladder(n: int) -> Game:
    """The ladder of ``n`` rungs: 2 · ``n`` positions in a ring.

    Position v has moves to v + 1 and v + 2, modulo 2 · ``n``; its owner and its priority are the
    parity of v. This is ``laddergame`` of PGSolver [FriedmannLange2009]. Player 0 can stay on even
    positions for ever, and player 1 can stay on odd ones, so the player to move wins.

    >>> graph, parity = ladder(2)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 1], [0, 2], [1, 2], [1, 3], [2, 0], [2, 3], [3, 0], [3, 1]], [0, 1, 0, 1])
    """
    n = check_integer("n", n, 1, MAX_POSITIONS // 2)
    check_room(2 * n, 4 * n)
    v = np.arange(2 * n, dtype=np.int64)
    return assemble(2 * n, [(v, (v + 1) % v.size), (v, (v + 2) % v.size)], v & 1, v & 1)
