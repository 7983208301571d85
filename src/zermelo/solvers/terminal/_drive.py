"""Run the retrograde wave to its end, in steps short enough for progress and Ctrl-C."""

from collections.abc import Callable

import numpy as np

from zermelo._kernels.retrograde import (
    BUDGET,
    LEFT_TAIL,
    NEAR_SIZE,
    RIGHT_TAIL,
    STATE_SIZE,
    retrograde,
)
from zermelo.labels import Int32Array, Int64Array

STEP = 1 << 21
"""Moves of one step: some thirty milliseconds."""


def run_phases(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    seeds: Int32Array,
    phases: Int64Array,
    layout: tuple[int, int, int],
    tick: Callable[[int], object] | None = None,
) -> Int64Array:
    """Settle all phases, see :func:`zermelo._kernels.retrograde.retrograde`; return ``segments``.

    ``word`` and ``queue`` have one entry a situation and are filled. Between two steps ``tick`` is
    told how many situations are settled; what it raises ends the run.
    """
    state = np.zeros(STATE_SIZE, np.int64)
    state[BUDGET] = STEP
    segments = np.zeros(2 * (len(phases) - 1), np.int64)
    near = np.zeros(NEAR_SIZE, np.int32)
    graph = rev_indptr, rev_indices
    while not retrograde(*graph, word, queue, seeds, phases, segments, state, near, layout):
        if tick is not None:
            tick(int(state[LEFT_TAIL] + state[RIGHT_TAIL]))
    return segments
