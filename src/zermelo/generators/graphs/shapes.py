"""Graphs of one shape: paths, cycles, stars and complete digraphs."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room, make_game
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
