"""Stand-in driver."""

import numpy as np

from zermelo._kernels.retrograde import STATE_SIZE, retrograde


def run_phases(rev_indptr, rev_indices, word, queue, seeds, phases, layout, tick):
    state = np.zeros(STATE_SIZE, np.int64)
    segments = np.zeros(2 * (len(phases) - 1), np.int64)
    while not retrograde(
        rev_indptr, rev_indices, word, queue, seeds, phases, segments, state, layout, 1 << 22
    ):
        if tick:
            tick(int(state[1] + state[3]))
    return segments
