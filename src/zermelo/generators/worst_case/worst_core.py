"""Worst cases for algorithms that divide and conquer: the core family and the robust family."""

import numpy as np

from zermelo._inputs.values import flag
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_HALF = 2**27
MAX_ROBUST = 2**14


def worst_core(n: int, robust: bool = False) -> Game:
    """The ``n``-th game of the core family, of 6 · ``n`` + 3 positions, or its ``robust`` variant.

    The games are from [BenerecettiEtAl2017]; Oink [Dijk2018] calls them ``counter_core`` and
    ``counter_rob``. Zielonka's algorithm takes exponential time on them. On the core family this
    holds even with memoisation; on the robust family also if the algorithm decomposes games into
    strong components and looks for dominions.

    Level i = 0 … 2 ``n`` has the positions a, b, c, which are numbered 3 i, 3 i + 1, 3 i + 2. The
    moves are a → b; b → c; c → b, c; c → a of level i + 1, if it exists; and b → a of level i − 1,
    if it exists. Player i mod 2 owns a and b, and the other player owns c. The priorities of a, b,
    c are 2 ``n`` + 1 + i, i, i.

    In the robust variant there are new positions of priority 0 between the c of any two levels
    i < j: one position if i and j have the same parity, else two. Moves lead in both directions
    along the path from the first c over these positions to the second c. The owner of a new
    position is the opponent of the owner of the c next to it.

    >>> graph, parity = worst_core(1)
    >>> graph.n, graph.owner.tolist(), parity.priority.tolist()
    (9, [0, 0, 1, 1, 1, 0, 0, 0, 1], [3, 0, 0, 4, 1, 1, 5, 2, 2])
    >>> worst_core(1, robust=True).graph
    Graph(14 positions, 32 moves, 0 terminals, owned)
    """
    n = check_integer("n", n, 1, MAX_ROBUST if flag(robust, "robust") else MAX_HALF)
    levels = 2 * n + 1
    check_room(3 * levels + 3 * n * n, 6 * levels + (16 * n * n if robust else 0))
    i = np.arange(levels, dtype=np.int64)
    a, b, c = 3 * i, 3 * i + 1, 3 * i + 2
    moves = [(a, b), (b, c), (c, b), (c, c), (c[:-1], a[1:]), (b[1:], a[:-1])]
    owner = np.stack([i & 1, i & 1, 1 - (i & 1)], axis=1).reshape(-1)
    priority = np.stack([2 * n + 1 + i, i, i], axis=1).reshape(-1)
    size = 3 * levels
    if robust:
        low, high = np.triu_indices(levels, 1)  # all pairs of levels, row by row
        count = 1 + ((low ^ high) & 1)
        near = size + np.cumsum(count) - count
        far = near + count - 1  # the same position if there is only one
        two = count == 2
        moves += [(c[low], near), (near, c[low]), (c[high], far), (far, c[high])]
        moves += [(near[two], far[two]), (far[two], near[two])]
        size += int(count.sum())
        owner = np.concatenate([owner, np.empty(size - owner.size, owner.dtype)])
        owner[near], owner[far] = low & 1, high & 1
        priority = np.concatenate([priority, np.zeros(size - priority.size, priority.dtype)])
    return assemble(size, moves, owner, priority)
