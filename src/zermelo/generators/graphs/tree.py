"""Trees: moves lead away from the root, position 0."""

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import (
    MAX_POSITIONS,
    check_integer,
    check_room,
    generator,
    make_game,
)
from zermelo.graph import Graph
from zermelo.labels import Int64Array


def tree(branching: int = 2, depth: int = 4, owners: str = "none", seed: int = 0) -> Game:
    """The complete tree: ``branching`` moves from every position above level ``depth``.

    Positions are numbered level by level, and those of level ``depth`` are terminals. Owners that
    alternate do so from level to level.

    >>> tree(branching=3, depth=2)
    Game(normal on Graph(13 positions, 12 moves, 9 terminals), start 0)
    >>> tree(2, 2, owners="alternate").graph.owner.tolist()
    [0, 1, 1, 0, 0, 0, 0]
    """
    branching = check_integer("branching", branching, 1)
    depth = check_integer("depth", depth)
    n = depth + 1
    if branching > 1:
        n = (branching ** (min(depth, 32) + 1) - 1) // (branching - 1)
    if n > MAX_POSITIONS:
        raise InvalidOptionError(
            f"expected a tree of at most {MAX_POSITIONS:,} positions; "
            f"branching={branching} and depth={depth} give more"
        )
    check_room(n, 2 * n)
    child = np.arange(1, n, dtype=np.int64)
    level = np.arange(n)
    if branching > 1:
        level = np.repeat(np.arange(depth + 1), [branching**k for k in range(depth + 1)])
    graph = Graph.from_arrays((child - 1) // branching, child, n)
    return make_game(graph, owners, seed, level, start=0)


def random_tree(n: int, seed: int = 0, owners: str = "none") -> Game:
    """A random recursive tree: the parent of v is a uniform choice among 0 … v − 1.

    Owners that alternate do so from level to level.

    >>> g = random_tree(100, seed=3).graph
    >>> g.n, g.m
    (100, 99)
    """
    n = check_integer("n", n)
    check_room(n, 2 * n)
    child = np.arange(1, n, dtype=np.int64)
    parent = generator(seed).integers(0, child) if n > 1 else child
    graph = Graph.from_arrays(parent, child, n)
    turn = _depths(parent, n) if owners == "alternate" else None
    return make_game(graph, owners, seed, turn, start=0 if n else None)


def _depths(parent: Int64Array, n: int) -> Int64Array:
    """The level of every position, by pointer doubling."""
    above = np.concatenate([np.zeros(min(n, 1), np.int64), parent])
    depth = (np.arange(n) > 0).astype(np.int64)
    while above.any():
        depth += depth[above]
        above = above[above]
    return depth
