"""Games on which progress measures take long."""

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room
from zermelo.generators.parity.common import assemble


def jurdzinski(depth: int = 3, width: int = 3) -> Game:
    """The game of Jurdziński with ``depth`` rows and ``width`` columns.

    [Jurdzinski2000] uses it to prove a lower bound for small progress measures. This version, in
    which the highest priority decides, is ``jurdzinskigame`` of PGSolver [FriedmannLange2009]. Row
    h has the positions L(w) for w = 0 … ``width`` and R(w) for w = 0 … ``width`` − 1. The rows
    h ≥ 1 also have A(w) for w = 0 … ``width`` − 1. Positions are numbered row by row, in this
    order. Moves lead to those of the following positions that exist:

    - L(w) → R(w − 1), R(w), and A(w) if h ≥ 1; A(w) → R(w);
    - R(w) → L(w), L(w + 1); from row 0 also to R(w) of every other row, and from every other row
      also to R(w) of row 0.

    Player 0 owns L in row 0, and R and A in the other rows; player 1 owns the other positions. In
    row 0 the priority of L is 0 and that of R is 1. In row h ≥ 1 the priority of L and R is 2 h
    and that of A is 2 h + 1.

    >>> graph, parity = jurdzinski(2, 1)
    >>> graph.n, graph.owner.tolist(), parity.priority.tolist()
    (7, [0, 0, 1, 1, 1, 0, 0], [0, 0, 1, 2, 2, 2, 3])
    """
    depth = check_integer("depth", depth, 1)
    width = check_integer("width", width, 1)
    n = 2 * width + 1 + (depth - 1) * (3 * width + 1)
    if n > MAX_POSITIONS:
        raise InvalidOptionError(
            f"depth, width: expected at most {MAX_POSITIONS:,} positions, got {n:,}"
        )
    check_room(n, 9.0 * depth * width)
    w = np.arange(width, dtype=np.int64)
    left, right = w, width + 1 + w
    h = np.arange(1, depth, dtype=np.int64)[:, None]
    start = 2 * width + 1 + (h - 1) * (3 * width + 1)
    left_h, right_h, a = start + left, start + right, start + right + width
    moves = [
        (left, right), (left + 1, right), (right, left), (right, left + 1),
        (right, right_h), (right_h, right),
        (left_h, right_h), (left_h + 1, right_h), (right_h, left_h), (right_h, left_h + 1),
        (left_h, a), (a, right_h),
    ]  # fmt: skip
    owner, priority = np.zeros(n, np.int8), np.zeros(n, np.int64)
    owner[right] = priority[right] = 1
    owner[left_h] = owner[left_h + 1] = 1
    priority[left_h] = priority[left_h + 1] = priority[right_h] = 2 * h
    priority[a] = 2 * h + 1
    return assemble(n, moves, owner, priority)


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
