"""Cycles, in one direction or in both."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room, make_game
from zermelo.graph import Graph


def cycle(n: int, symmetric: bool = False, owners: str = "none", seed: int = 0) -> Game:
    """A cycle of ``n`` positions: moves 0 → 1 → … → n − 1 → 0, and back if ``symmetric``.

    A cycle of one position is a loop. No player is ever stuck, so normal play is a draw everywhere.

    >>> cycle(3).graph.to_edges().tolist()
    [[0, 1], [1, 2], [2, 0]]
    """
    n = check_integer("n", n)
    check_room(n, 2 * n)
    u = np.arange(n, dtype=np.int64)
    v = (u + 1) % max(n, 1)
    if flag(symmetric, "symmetric"):
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
    return make_game(Graph.from_arrays(u, v, n), owners, seed)
