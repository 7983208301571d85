"""Ladders: rings and chains of positions that are alike."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room
from zermelo.generators.parity.common import Moves, assemble


def ladder(n: int) -> Game:
    """The ladder of ``n`` rungs: 2 · ``n`` positions in a ring.

    Position v has moves to v + 1 and v + 2, modulo 2 · ``n``; its owner and its priority are the
    parity of v. This is ``laddergame`` of PGSolver [FriedmannLange2009]. Player 0 can stay on even
    positions for ever, and player 1 can stay on odd ones, so the player to move wins.

    >>> graph, parity = ladder(2)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 1], [0, 2], [1, 2], [1, 3], [2, 0], [2, 3], [3, 0], [3, 1]], [0, 1, 0, 1])
    """
    n = check_integer("n", n, 1, MAX_POSITIONS // 2)
    check_room(2 * n, 4 * n)
    v = np.arange(2 * n, dtype=np.int64)
    return assemble(2 * n, [(v, (v + 1) % v.size), (v, (v + 2) % v.size)], v & 1, v & 1)


MAX_RUNGS = 2**29


def model_checker_ladder(n: int) -> Game:
    """The ``n``-th model-checker ladder, with 3 · ``n`` + 1 positions, all owned by player 1.

    This is ``modelcheckerladder`` of PGSolver [FriedmannLange2009]. For i = 0 … ``n`` − 1 there are
    the positions aᵢ, bᵢ, cᵢ, which are numbered 3 i, 3 i + 1, 3 i + 2; the last position is aₙ. The
    moves are aᵢ → bᵢ; bᵢ → cᵢ, aᵢ₊₁; cᵢ → aᵢ₊₁; aₙ → a₀. The priorities of aᵢ, bᵢ, cᵢ are
    2 (``n`` − i), 0, 2 (``n`` − i) − 1. Every play returns to a₀ again and again, so player 0 wins.

    >>> graph, parity = model_checker_ladder(1)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 1], [1, 2], [1, 3], [2, 3], [3, 0]], [2, 0, 1, 0])
    """
    n = check_integer("n", n, 1, MAX_RUNGS)
    check_room(3 * n + 1, 4 * n + 1)
    i = np.arange(n, dtype=np.int64)
    a, b, c = 3 * i, 3 * i + 1, 3 * i + 2
    priority = np.zeros(3 * n + 1, np.int64)
    priority[a], priority[c] = 2 * (n - i), 2 * (n - i) - 1
    moves: Moves = [(a, b), (b, c), (b, a + 3), (c, a + 3), (3 * n, 0)]
    return assemble(3 * n + 1, moves, 1, priority)
