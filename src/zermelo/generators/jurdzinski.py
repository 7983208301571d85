"""Jurdziński's games, on which small progress measures take exponential time."""

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import MAX_POSITIONS, check_integer, check_room
from zermelo.generators._parity import assemble


def jurdzinski(depth: int = 3, width: int = 3) -> Game:
    """The game of Jurdziński with ``depth`` rows and ``width`` columns.

    [Jurdzinski2000] has it as a lower bound for small progress measures; this is ``jurdzinskigame``
    of PGSolver [FriedmannLange2009], with the highest priority deciding. Row h has positions L(w)
    for w = 0 … ``width`` and R(w) for w < ``width``; rows h ≥ 1 also A(w) for w < ``width``; they
    are numbered row by row in this order. Where they exist:

    - L(w) → R(w − 1), R(w), and A(w) where h ≥ 1; A(w) → R(w);
    - R(w) → L(w), L(w + 1); in row 0 also to R(w) of all other rows, in these to R(w) of row 0.

    Player 0 owns L in row 0 and R and A in the others. Priorities are 0 for L and 1 for R in row
    0, and 2 h for L and R and 2 h + 1 for A in row h.

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
    left_h, right_h, above = start + left, start + right, start + right + width
    moves = [
        (left, right), (left + 1, right), (right, left), (right, left + 1),
        (right, right_h), (right_h, right),
        (left_h, right_h), (left_h + 1, right_h), (right_h, left_h), (right_h, left_h + 1),
        (left_h, above), (above, right_h),
    ]  # fmt: skip
    owner, priority = np.zeros(n, np.int8), np.zeros(n, np.int64)
    owner[right] = priority[right] = 1
    owner[left_h] = owner[left_h + 1] = 1
    priority[left_h] = priority[left_h + 1] = priority[right_h] = 2 * h
    priority[above] = 2 * h + 1
    return assemble(n, moves, owner, priority)
