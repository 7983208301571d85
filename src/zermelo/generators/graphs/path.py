"""Paths, in one direction or in both."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room, make_game
from zermelo.graph import Graph


def path(n: int, symmetric: bool = False, owners: str = "none", seed: int = 0) -> Game:
    """A path of ``n`` positions: moves 0 → 1 → … → n − 1, and back if ``symmetric``.

    If it is not ``symmetric``, the labels of normal play alternate along the path.

    >>> path(4).graph.to_edges().tolist()
    [[0, 1], [1, 2], [2, 3]]
    >>> path(3, symmetric=True)
    Game(normal on Graph(3 positions, 4 moves, 0 terminals))
    """
    n = check_integer("n", n)
    check_room(n, 2 * n)
    u = np.arange(max(n - 1, 0), dtype=np.int64)
    if flag(symmetric, "symmetric"):
        u, v = np.concatenate([u, u + 1]), np.concatenate([u + 1, u])
    else:
        v = u + 1
    return make_game(Graph.from_arrays(u, v, n), owners, seed)
