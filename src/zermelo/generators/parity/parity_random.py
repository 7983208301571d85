"""Random parity games, the simplest benchmark of parity solvers."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_range, check_room, generator
from zermelo.generators.graphs.random import random_moves
from zermelo.generators.parity.common import MAX_PRIORITIES, with_priorities


def parity_random(
    n: int,
    priorities: int = 10,
    out_low: int = 1,
    out_high: int = 5,
    loops: bool = True,
    seed: int = 0,
) -> Game:
    """A random parity game on ``n`` positions.

    Each position has a random owner, a uniform priority below ``priorities``, and a uniform number
    of moves from ``out_low`` to ``out_high`` to uniform distinct targets, which include itself if
    ``loops``. The structure is that of ``randomgame`` of PGSolver [FriedmannLange2009] and
    ``rngame`` of Oink [Dijk2018]; their parameter is the highest priority, ``priorities`` − 1.

    >>> graph, parity = parity_random(1000, priorities=4, out_low=2, out_high=2, seed=7)
    >>> graph.n, graph.m, int(parity.priority.max())
    (1000, 2000, 3)
    """
    n = check_integer("n", n, 1)
    priorities = check_integer("priorities", priorities, 1, MAX_PRIORITIES)
    choices = n if flag(loops, "loops") else n - 1
    check_range("out_low", out_low, "out_high", out_high, 1, choices)
    check_room(n, n * (out_low + out_high) / 2)
    rng = generator(seed)
    degrees = rng.integers(out_low, out_high + 1, n)
    graph = random_moves(rng, degrees, loops)
    owner = rng.integers(0, 2, n, dtype=np.int8)
    priority = rng.integers(0, priorities, n, dtype=np.int32)
    return with_priorities(graph.with_owner(owner), priority)
