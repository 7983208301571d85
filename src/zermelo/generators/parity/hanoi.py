"""The towers of Hanoi as a game of one player."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_DISCS = 19


def hanoi(n: int) -> Game:
    """The towers of Hanoi with ``n`` discs: 3ⁿ positions, all owned by player 0.

    Disc 0 is the smallest. In position Σ pₖ 3ᵏ disc k is on peg pₖ. In position 0, the start, all
    discs are on peg 0. Player 0 wins by moving all discs to peg 1; that position has a loop and
    priority 0. All other priorities are 1. This is ``towersofhanoi`` of PGSolver
    [FriedmannLange2009].

    >>> graph, parity = hanoi(1)
    >>> graph.to_edges().tolist(), parity.priority.tolist()
    ([[0, 1], [0, 2], [1, 1], [2, 0], [2, 1]], [1, 0, 1])
    """
    n = check_integer("n", n, 1, MAX_DISCS)
    size = 3**n
    check_room(size, 3 * size)
    v = np.arange(size, dtype=np.int64)
    goal = (size - 1) // 2
    small = v % 3  # the peg of the smallest disc
    next_peg = v + np.where(small == 2, -2, 1)
    peg_after = v + np.where(small == 0, 2, -1)
    # The other move takes the smallest disc that is not on the peg of disc 0 to the third peg.
    power = np.ones(size, np.int64)
    peg = small.copy()
    for k in range(1, n):
        undecided = peg == small
        power[undecided] = 3**k
        peg[undecided] = v[undecided] // 3**k % 3
    other = v + (3 - small - 2 * peg) * power
    moving = v != goal
    third = moving & (peg != small)
    moves = [
        (v[moving], next_peg[moving]), (v[moving], peg_after[moving]), (v[third], other[third]),
        (goal, goal),
    ]  # fmt: skip
    return assemble(size, moves, 0, moving)
