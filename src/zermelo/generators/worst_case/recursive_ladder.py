"""Recursive ladders, on which Zielonka's algorithm takes exponential time."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_LEVELS = 2**28


def recursive_ladder(n: int) -> Game:
    """The ``n``-th recursive ladder; it has 5 · ``n`` positions.

    The game is from [Friedmann2011]; PGSolver calls it ``recursiveladder``. There are the levels
    0 … ``n``. Level i has the positions a, b if i ≥ 1, and c, d, e if i < ``n``; the numbers of
    a, b, c, d, e are 5 i − 2, …, 5 i + 2. Write aᵢ for the position a of level i, and so on. Moves
    lead to those of the following positions that exist:

    - aᵢ → bᵢ, dᵢ₋₁; bᵢ → aᵢ, cᵢ;
    - cᵢ → dᵢ, bᵢ₊₁; dᵢ → eᵢ, dᵢ₋₁, dᵢ₊₁; eᵢ → dᵢ, bᵢ₊₁.

    Player i mod 2 owns b and d, and the other player owns a, c and e. The priorities of c, d and e
    are 3 i + 5, 3 i + 4 and 3 i + 3; those of a and b are 1 − (i mod 2).

    >>> graph, parity = recursive_ladder(1)
    >>> graph.to_edges().tolist()
    [[0, 1], [0, 4], [1, 2], [2, 1], [2, 4], [3, 1], [3, 4], [4, 3]]
    >>> graph.owner.tolist(), parity.priority.tolist()
    ([1, 0, 1, 0, 1], [5, 4, 3, 0, 0])
    """
    n = check_integer("n", n, 1, MAX_LEVELS)
    check_room(5 * n, 13 * n)
    low = np.arange(n, dtype=np.int64)  # the levels that have c, d and e
    high = low + 1  # those that have a and b
    a, b = 5 * high - 2, 5 * high - 1
    c, d, e = 5 * low, 5 * low + 1, 5 * low + 2
    moves = [
        (a, d), (a, b), (b, a), (b[:-1], c[1:]),  # entry k of a, b is of level k + 1, of c of k
        (c, b), (c, d), (d[1:], d[:-1]), (d[:-1], d[1:]), (d, e), (e, d), (e, b),
    ]  # fmt: skip
    owner, priority = np.empty(5 * n, np.int8), np.empty(5 * n, np.int64)
    owner[a], owner[b] = 1 - high % 2, high % 2
    owner[c], owner[d], owner[e] = 1 - low % 2, low % 2, 1 - low % 2
    priority[a], priority[b] = 1 - high % 2, 1 - high % 2
    priority[c], priority[d], priority[e] = 3 * low + 5, 3 * low + 4, 3 * low + 3
    return assemble(5 * n, moves, owner, priority)
