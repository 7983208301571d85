"""Two binary counters that distract each other: hard for all solvers that attract."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators._parity import Moves, assemble

MAX_BITS = 2**14


def two_counters(n: int) -> Game:
    """Two counters of ``n`` bits, 3 · ``n``² + 5 · ``n`` positions.

    [Dijk2019]: exponential for Zielonka's algorithm, priority promotion and tangle learning. The
    version of ``tc`` in Oink [Dijk2018] at commit fc79aee, before it sorts the positions and
    closes gaps between priorities. Bit i of player p's counter has, in this order, positions H, T,
    L, then S, A, B for every j < i, then Z; bits come in the order (0, 0), (0, 1), (1, 0), (1, 1),
    … of (i, p). Player p owns H, S and Z, the opponent the others.

    - H → L of the player's bit i − 1, or ``n`` − 1 for i = 0; L → T;
    - T → H, and to the first S, or Z if there is none;
    - S → A, B; A and B → the next S, or Z; A → L of the player's bit j; B → L of the opponent's;
    - Z → T, and to L of the opponent's bits j > i, for p = 1 also j = i.

    With t = ``n``² + 9 ``n`` − 2 i the priorities of H, L, T are t − 2, t − 2 ``n`` − 3, 2 for
    player 0 and t − 1, t − 2 ``n`` − 2, 1 for player 1; those of S, A, B, Z are one less than T's.

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
    gate = first + 2
    owner, priority = np.empty(size, np.int8), np.empty(size, np.int64)
    moves: Moves = []
    for i in range(n):
        top = n * n + 9 * n - 2 * i
        for p in (0, 1):
            c = int(first[p, i])
            high, low, z = c, c + 1, c + 3 + 3 * i
            s = c + 3 + 3 * bit[:i]
            a, b = s + 1, s + 2
            owner[c : z + 1] = 1 - p
            owner[[high, z]] = owner[s] = p
            priority[c : z + 1] = 1 - p
            priority[[high, low, c + 2]] = (
                (top - 1, 1, top - 2 * n - 2) if p else (top - 2, 2, top - 2 * n - 3)
            )
            moves += [
                (high, gate[p, i - 1]), (low, [high, c + 3]), (c + 2, low),
                (s, a), (s, b), (a, s + 3), (b, s + 3), (a, gate[p, :i]), (b, gate[1 - p, :i]),
                (z, low), (z, gate[1 - p, i + 1 - p :]),
            ]  # fmt: skip
    return assemble(size, moves, owner, priority)
