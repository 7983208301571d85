"""The positions sorted by decreasing priority; several solvers begin with this."""

import numpy as np

from zermelo._kernels.parity.ranks import DIGIT, Ranks, count_priorities, sort_positions
from zermelo.labels import Int32Array


def ranked(priority: Int32Array) -> Ranks:
    """The positions sorted by decreasing priority, with arrays for kernels that sort them again.

    >>> ranks = ranked(np.array([3, 8, 3], np.int32))
    >>> ranks.rank.tolist(), ranks.order.tolist(), ranks.first.tolist()
    ([3, 0, 3], [1, 0, 2], [0, 1])
    """
    n = len(priority)
    if int(priority.max(initial=0)) > 4 * n + 1024:
        # The priorities are too large for an array with an entry for each priority.
        values, place_of = np.unique(priority, return_inverse=True)
        place_of = place_of.reshape(-1)
        priority = (2 * place_of + (values & 1)[place_of]).astype(np.int32)
    count = np.zeros(int(priority.max(initial=0)) + 1, np.int64)
    count_priorities(priority, count)
    occurs = (count > 0)[::-1]
    number: Int32Array = (np.cumsum(occurs) - occurs)[::-1].astype(np.int32)
    place = np.zeros_like(count)
    place[:-1] = np.cumsum(count[:0:-1])[::-1]
    first = place[count > 0][::-1].copy()
    rank, order = np.empty(n, np.int32), np.empty(n, np.int32)
    sort_positions(priority, place, number, rank, order)
    return Ranks(rank, order, first, np.zeros(1 << DIGIT, np.int32))
