"""A lower bound for quasi-polynomial progress measures."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_PAIRS = 2**30 - 2


def ordered_progress(n: int) -> Game:
    """A chain of 2 · ``n`` positions with moves back to its start, all owned by player 0.

    [FearnleyEtAl2017] prove a lower bound for ordered progress measures with this game; Oink
    [Dijk2018] calls it ``counter_qpt``. Position v has priority v + 1. It has a move to v + 1,
    except for the last one; if v is odd, it also has a move to 0. The highest priority of every
    cycle is even, so player 0 wins everywhere.

    >>> graph, parity = ordered_progress(2)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 1], [1, 0], [1, 2], [2, 3], [3, 0]], [1, 2, 3, 4])
    """
    n = check_integer("n", n, 1, MAX_PAIRS)
    check_room(2 * n, 3 * n)
    v = np.arange(2 * n, dtype=np.int64)
    return assemble(2 * n, [(v[:-1], v[1:]), (v[1::2], 0)], 0, v + 1)
