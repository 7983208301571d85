"""Stars: a root with moves to many terminals."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room, make_game
from zermelo.graph import Graph


def star(n: int, owners: str = "none", seed: int = 0) -> Game:
    """Root 0 with moves to ``n`` terminals 1 … n, so n + 1 positions.

    This is the example of [Loewe2004] on which the non-monotone labelling takes quadratic time.

    >>> star(3)
    Game(normal on Graph(4 positions, 3 moves, 3 terminals), start 0)
    """
    n = check_integer("n", n, 0, MAX_POSITIONS - 1)
    check_room(n, n)
    indptr = np.full(n + 2, n, np.int64)
    indptr[0] = 0
    graph = Graph._of(indptr, np.arange(1, n + 1, dtype=np.int32))
    return make_game(graph, owners, seed, np.arange(n + 1) > 0, start=0)
