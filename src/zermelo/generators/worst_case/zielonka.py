"""Games on which Zielonka's algorithm takes exponential time."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_LADDER_LEVELS = 2**28


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
    n = check_integer("n", n, 1, MAX_LADDER_LEVELS)
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


MAX_LOOPS = 2**29


def recursive_dull(n: int) -> Game:
    """The ``n``-th recursive dull game, with 3 · ``n`` positions, all owned by player 0.

    This is ``recursivedullgame`` of PGSolver [FriedmannLange2009]. The positions
    v = 0 … 2 ``n`` − 1 form a chain: v has a move to v − 1, and 0 has a loop; the priority of v is
    v + 2. For k = 0 … ``n`` − 1, position 2 ``n`` + k has priority 1, a loop, and a move to
    2 k + 1. Player 0 wins everywhere by moving to the end of the chain. All cycles are loops, but
    Zielonka's algorithm takes about 2ⁿ steps if it does not solve the strong components one by
    one. [GazdaWillemse2013] prove this bound for dull games.

    >>> graph, parity = recursive_dull(1)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 0], [1, 0], [2, 1], [2, 2]], [2, 3, 1])
    """
    n = check_integer("n", n, 1, MAX_LOOPS)
    check_room(3 * n, 4 * n)
    v, k = np.arange(2 * n, dtype=np.int64), np.arange(n, dtype=np.int64)
    moves = [(v, np.maximum(v - 1, 0)), (2 * n + k, 2 * n + k), (2 * n + k, 2 * k + 1)]
    return assemble(3 * n, moves, 0, np.concatenate([v + 2, np.ones_like(k)]))


MAX_GAZDA_LEVELS = 2**29


def gazda(n: int) -> Game:
    """The game of Gazda with the levels 0 … ``n``; it has 3 · ``n`` + 3 positions.

    The game is from [Gazda2016] Section 3.5; Oink [Dijk2018] calls it ``counter_m``. Zielonka's
    algorithm takes exponential time on it. Level i has the positions a, b, c, which are numbered
    3 i, 3 i + 1, 3 i + 2. The moves are:

    - a → b; b → c; c → b;
    - a and b → a of level i + 1, if i < ``n``; c → c of level i − 1, if i > 0.

    Player i mod 2 owns a and b, and the other player owns c. The priority of a is i + 2; that of b
    and c is 1 − (i mod 2).

    >>> graph, parity = gazda(1)
    >>> graph.to_edges().tolist()
    [[0, 1], [0, 3], [1, 2], [1, 3], [2, 1], [3, 4], [4, 5], [5, 2], [5, 4]]
    >>> graph.owner.tolist(), parity.priority.tolist()
    ([0, 0, 1, 1, 1, 0], [2, 1, 1, 3, 0, 0])
    """
    n = check_integer("n", n, 1, MAX_GAZDA_LEVELS)
    size = 3 * n + 3
    check_room(size, 6 * n + 3)
    i = np.arange(n + 1, dtype=np.int64)
    a, b, c = 3 * i, 3 * i + 1, 3 * i + 2
    moves = [(a, b), (b, c), (c, b), (a[:-1], a[1:]), (b[:-1], a[1:]), (c[1:], c[:-1])]
    owner = np.stack([i & 1, i & 1, 1 - (i & 1)], axis=1).reshape(-1)
    priority = np.stack([i + 2, 1 - (i & 1), 1 - (i & 1)], axis=1).reshape(-1)
    return assemble(size, moves, owner, priority)
