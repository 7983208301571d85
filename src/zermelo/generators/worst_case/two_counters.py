"""Two binary counters, each a distraction from the other: hard for solvers that use attractors."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import Moves, assemble

MAX_BITS = 2**14


def two_counters(n: int) -> Game:
    """Two counters of ``n`` bits each; the game has 3 · ``n``² + 5 · ``n`` positions.

    The game is from [Dijk2019]. Zielonka's algorithm, priority promotion and tangle learning take
    exponential time on it. This version is ``tc`` of Oink [Dijk2018] at commit fc79aee, without
    its last steps, which sort the positions and close gaps between priorities.

    Bit i of player p's counter has the positions H, T, L, then S, A, B for every j < i, then Z;
    positions are numbered in this order. The bits follow each other in the order (0, 0), (0, 1),
    (1, 0), (1, 1), … of the pairs (i, p). Player p owns H, S and Z; the opponent owns T, L, A and
    B. The moves are:

    - H → L of player p's bit i − 1, or of bit ``n`` − 1 if i = 0;
    - L → T;
    - T → H, and to the first S, or to Z if there is no S;
    - S → A, B;
    - A → L of player p's bit j, and to the next S, or to Z after the last one;
    - B → L of the opponent's bit j, and to the next S, or to Z after the last one;
    - Z → T, and to L of every bit j > i of the opponent; if p = 1, also of bit j = i.

    Let t = ``n``² + 9 ``n`` − 2 i. The priorities of H, L, T are t − 2, t − 2 ``n`` − 3, 2 if
    p = 0, and t − 1, t − 2 ``n`` − 2, 1 if p = 1. Those of S, A, B, Z are one less than that of T.

    >>> graph, parity = two_counters(1)
    >>> graph.owner.tolist(), parity.priority.tolist()
    ([0, 1, 1, 0, 1, 0, 0, 1], [8, 2, 5, 1, 9, 1, 6, 0])
    >>> graph.to_edges().tolist()
    [[0, 2], [1, 0], [1, 3], [2, 1], [3, 1], [4, 6], [5, 4], [5, 7], [6, 5], [7, 2], [7, 5]]
    """
    n = check_integer("n", n, 1, MAX_BITS)
    size = 3 * n * n + 5 * n
    check_room(size, 8 * n * n + 8 * n)
    bit = np.arange(n, dtype=np.int64)
    first = 3 * bit * bit + 5 * bit
    first = np.stack([first, first + 4 + 3 * bit])
    low = first + 2  # the positions L
    owner, priority = np.empty(size, np.int8), np.empty(size, np.int64)
    moves: Moves = []
    for i in range(n):
        top = n * n + 9 * n - 2 * i
        for p in (0, 1):
            h = int(first[p, i])
            t, z = h + 1, h + 3 + 3 * i
            s = h + 3 + 3 * bit[:i]
            a, b = s + 1, s + 2
            owner[h : z + 1] = 1 - p
            owner[[h, z]] = owner[s] = p
            priority[h : z + 1] = 1 - p
            priority[[h, t, low[p, i]]] = (
                (top - 1, 1, top - 2 * n - 2) if p else (top - 2, 2, top - 2 * n - 3)
            )
            moves += [
                (h, low[p, i - 1]), (t, [h, h + 3]), (low[p, i], t),
                (s, a), (s, b), (a, s + 3), (b, s + 3), (a, low[p, :i]), (b, low[1 - p, :i]),
                (z, t), (z, low[1 - p, i + 1 - p :]),
            ]  # fmt: skip
    return assemble(size, moves, owner, priority)
