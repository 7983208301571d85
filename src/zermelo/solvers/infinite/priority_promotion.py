"""Priority promotion with region recovery: exponential at worst, often close to linear.

Regions are formed for the priorities, from the highest down. The region of a priority has the
positions of that priority and the lower positions that these attract. The player of its parity wins
every play that stays in the region. A region is *closed* if the opponent cannot leave it to lower
positions and the player does not have to. A closed region is promoted: it is merged into the lowest
of the higher regions to which the opponent can escape. If the opponent cannot escape at all, the
region is a dominion; it is solved together with its attractor.

Reference: [BenerecettiEtAl2018] for promotion, [BenerecettiEtAl2016] for region recovery.

| paper                          | code                                                       |
|--------------------------------|------------------------------------------------------------|
| region function r, its measure | ``region``, as levels: 0 for the highest priority          |
| α, the parity of a measure     | ``parity[level]``                                          |
| best escape priority bep       | ``escape``                                                 |
| open, closed region            | ``is_closed``                                              |

Differs from the paper: after a promotion, or after a dominion has been removed, let R be the
highest region that has lost a move of its strategy, or that could now attract more. Only R and the
lower regions are undone. The higher regions stay valid: all remaining positions with a move into
the removed set belong to the opponent, so these regions have lost nothing that they depend on.
Positions that were found to be closed are not examined again.
"""

import numpy as np

from zermelo._kernels.graphs.ordered_set import Waiting
from zermelo._kernels.parity import priority_promotion as k
from zermelo.labels import Int8Array, Int32Array
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed

BUDGET = 1 << 24
"""The number of positions that change their region between two reports of progress."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game."""
    n = game.n
    level, parity = levels_of(game.priority)
    lists, waiting = lists_of(level, parity.size), all_waiting(parity.size)
    strategy, winner = np.full(n, -1, np.int32), np.zeros(n, np.int8)
    regions = k.Regions(game.owner, level, parity, level.copy(), strategy, winner)
    queue = np.empty(n, np.int32)
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.CURRENT] = 0 if n else -1
    state[k.PROCESSED], state[k.AGAIN], state[k.CLEAN] = -1, -1, 1
    while not k.promote(game.moves, game.reverse, regions, lists, waiting, queue, state, BUDGET):
        if progress is not None:
            progress(int(state[k.SOLVED]), n, "solved")
    stats = {"promotions": k.PROMOTIONS, "dominions": k.DOMINIONS, "resets": k.RESETS}
    return Answer(winner, strategy, {name: int(state[at]) for name, at in stats.items()})


def levels_of(priority: Int32Array) -> tuple[Int32Array, Int8Array]:
    """The level of each position, 0 for the highest priority, and the parity of each level.

    >>> level, parity = levels_of(np.array([7, 2, 7, 4], np.int32))
    >>> level.tolist(), parity.tolist()
    ([0, 2, 0, 1], [1, 0, 0])
    """
    values, inverse = np.unique(priority, return_inverse=True)
    level = (values.size - 1 - inverse).astype(np.int32)
    return level, (values[::-1] & 1).astype(np.int8)


def lists_of(level: Int32Array, levels: int) -> k.Lists:
    """The lists of the positions of each level.

    >>> lists = lists_of(np.array([0, 1, 0], np.int32), 2)
    >>> lists.ends.reshape(-1, 3).tolist(), lists.links.reshape(-1, 2).tolist()
    ([[0, 2, 0], [1, 1, 1]], [[2, -1], [-1, -1], [-1, 0]])
    """
    n = level.size
    order = np.argsort(level, kind="stable").astype(np.int32)
    ends, links = np.full((levels, 3), -1, np.int32), np.full((n, 2), -1, np.int32)
    same = level[order[1:]] == level[order[:-1]]
    links[order[:-1][same], k.AFTER] = order[1:][same]
    links[order[1:][same], k.BEFORE] = order[:-1][same]
    ends[level[order[::-1]], k.FIRST] = order[::-1]
    ends[level[order], k.LAST] = order
    ends[:, k.SCAN] = ends[:, k.FIRST]
    return k.Lists(ends.reshape(-1), links.reshape(-1))


def all_waiting(n: int) -> Waiting:
    """The tree of bits in which all of n places wait.

    >>> waiting = all_waiting(33)
    >>> [hex(x) for x in waiting.bits.tolist()], waiting.level_at.tolist()
    (['0xffffffff', '0x1', '0x3'], [0, 2, 3])
    """
    levels, starts = [], [0]
    while True:
        bits = np.full((n + 31) >> 5, 0xFFFFFFFF, np.int64)
        if n & 31:
            bits[-1] = (1 << (n & 31)) - 1
        levels.append(bits)
        starts.append(starts[-1] + bits.size)
        n = bits.size
        if n <= 1:
            return Waiting(np.concatenate(levels), np.array(starts, np.int64))


solve = framed("priority-promotion", run)
