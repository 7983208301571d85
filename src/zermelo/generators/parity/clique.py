"""Cliques: a move between any two positions, and every position has its own priority."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer
from zermelo.generators.graphs.shapes import MAX_COMPLETE, complete
from zermelo.generators.parity.common import with_priorities


def clique(n: int, loops: bool = False) -> Game:
    """All moves between ``n`` positions, with loops if ``loops``; position v has priority v.

    The owner of v is the parity of v. This is ``cliquegame`` of PGSolver [FriedmannLange2009].

    >>> graph, parity = clique(4)
    >>> graph.m, graph.owner.tolist(), parity.priority.tolist()
    (12, [0, 1, 0, 1], [0, 1, 2, 3])
    """
    n = check_integer("n", n, 1 if flag(loops, "loops") else 2, MAX_COMPLETE)
    v = np.arange(n)
    return with_priorities(complete(n, loops).graph.with_owner((v & 1).astype(np.int8)), v)
