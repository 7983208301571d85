"""Fixpoint iteration with justifications: exponential at worst, often a few looks a position.

At first every position is believed to be won by the parity of its priority. From the lowest
priority up, each is looked at: given what is believed of its successors, who wins it? The answer is
kept with its reason, one good move of the winner or all moves of the loser. Where the answer is
another than believed, all that rests on the old belief is forgotten and looked at again, and
nothing else. When every position has a reason, the beliefs are right and the moves win.

Reference: [VanDijkRubbens2019] for the iteration, [LapauwEtAl2020] for the justifications.

| paper                                | code                                                  |
|--------------------------------------|-------------------------------------------------------|
| winner H_J(v), v is justified        | bits 0 and 1 of ``state[v]``                          |
| direct justification dj of v         | ``strategy[v]``, −1 for all moves                     |
| unjustified positions                | the places that wait                                  |
| distraction                          | a position whose justified winner is not its parity's |

Differs from the paper: the next position is found in a tree of bits, so that many priorities cost
no scans; a move to a justified position is preferred.
"""

import numpy as np

from zermelo._kernels.fixpoint import (
    COUNTS_SIZE,
    EVALUATIONS,
    FLIPS,
    PLACE,
    RESETS,
    iterate,
)
from zermelo.labels import Int64Array
from zermelo.solvers.infinite._frame import Answer, ParityGame, Progress, framed

BUDGET = 1 << 26
"""Moves looked at between two reports of progress."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game."""
    n = game.n
    order = np.argsort(game.priority, kind="stable").astype(np.int32)
    place = np.empty(n, np.int32)
    place[order] = np.arange(n, dtype=np.int32)
    state = (game.priority & 1).astype(np.int8)
    strategy = np.full(n, -1, np.int32)
    counts = np.zeros(COUNTS_SIZE, np.int64)
    stack = np.empty(n, np.int32)
    bits, level_at = all_waiting(n)
    rev_indptr, rev_indices = game.reverse
    while not iterate(
        game.indptr, game.indices, rev_indptr, rev_indices, game.owner, game.priority,
        order, place, bits, level_at, state, strategy, stack, counts, BUDGET,
    ):  # fmt: skip
        if progress is not None:
            progress(int(counts[PLACE]), n, "justified")
    stats = {"evaluations": EVALUATIONS, "flips": FLIPS, "resets": RESETS}
    return Answer(state & np.int8(1), strategy, {k: int(counts[at]) for k, at in stats.items()})


def all_waiting(n: int) -> tuple[Int64Array, Int64Array]:
    """The tree of bits in which all of n places wait, and where its levels begin.

    >>> bits, level_at = all_waiting(33)
    >>> [hex(word) for word in bits.tolist()], level_at.tolist()
    (['0xffffffff', '0x1', '0x3'], [0, 2, 3])
    """
    levels, starts = [], [0]
    while True:
        words = np.full((n + 31) >> 5, 0xFFFFFFFF, np.int64)
        if n & 31:
            words[-1] = (1 << (n & 31)) - 1
        levels.append(words)
        starts.append(starts[-1] + words.size)
        n = words.size
        if n <= 1:
            return np.concatenate(levels), np.array(starts, np.int64)


solve = framed("fixpoint", run)
