"""Complete digraphs: a move between any two positions."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room, make_game
from zermelo.graph import Graph

MAX_COMPLETE = 2**15
"""The largest number of positions; the graph then has about 2³⁰ moves."""


def complete(n: int, loops: bool = False, owners: str = "none", seed: int = 0) -> Game:
    """A move from every position to every other, and to itself if ``loops``.

    >>> complete(4)
    Game(normal on Graph(4 positions, 12 moves, 0 terminals))
    """
    n = check_integer("n", n, 0, MAX_COMPLETE)
    check_room(n, n * n)
    degree = n if flag(loops, "loops") else max(n - 1, 0)
    targets = np.tile(np.arange(degree, dtype=np.int32), (n, 1))
    if not loops:
        targets += targets >= np.arange(n, dtype=np.int32)[:, None]
    graph = Graph._of(np.arange(n + 1, dtype=np.int64) * degree, targets.reshape(-1).copy())
    return make_game(graph, owners, seed)
