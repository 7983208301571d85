"""Run the retrograde wave to its end, in steps short enough for progress and Ctrl-C."""

import itertools
from collections.abc import Callable

import numpy as np

from zermelo._kernels.retrograde import (
    BUDGET,
    CURSOR_SIZE,
    DEPTH,
    FILLED,
    FINISHED,
    HEAD,
    LEFT_HEAD,
    LEFT_STOP,
    LEFT_TAIL,
    MOST_BINS,
    NEAR_SIZE,
    RIGHT_HEAD,
    RIGHT_STOP,
    RIGHT_TAIL,
    STATE_SIZE,
    STOP,
    WIDE,
    WIDE_LAYER,
    WORDS_AHEAD,
    collect,
    gather,
    retrograde,
    settle_bins,
)
from zermelo._threads import Team
from zermelo.labels import Int32Array, Int64Array

STEP = 1 << 21
"""Moves of one step: some fifty milliseconds."""

WIDE_FRONT = 1 << 15
"""Fronts with fewer situations stay with one thread."""

SHARE = 1 << 17
"""Moves that each slice of a wide front gathers before all settle."""

BIN_WORDS = 1 << 16
"""The words of one bin: half of a core's own cache."""

NEVER = 1 << 62

Tick = Callable[[int], object]
Arrays = tuple[Int64Array, Int32Array, Int32Array, Int32Array]


def run_phases(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    seeds: Int32Array,
    phases: Int64Array,
    layout: tuple[int, int, int],
    tick: Tick | None = None,
) -> Int64Array:
    """Settle all phases, see :func:`zermelo._kernels.retrograde.retrograde`; return ``segments``.

    ``word`` and ``queue`` have one entry a situation and are filled. Between two steps ``tick`` is
    told how many situations are settled; what it raises ends the run.
    """
    arrays = rev_indptr, rev_indices, word, queue
    state = np.zeros(STATE_SIZE, np.int64)
    segments = np.zeros(2 * (len(phases) - 1), np.int64)
    near = np.zeros(NEAR_SIZE, np.int32)
    with Team() as team:
        state[BUDGET] = STEP
        state[WIDE] = WIDE_FRONT if team.size > 1 else NEVER
        while True:
            outcome = retrograde(*arrays, seeds, phases, segments, state, near, layout)
            if outcome == FINISHED:
                return segments
            if outcome == WIDE_LAYER:
                if near.size == NEAR_SIZE:
                    near = np.zeros(4 * SHARE * team.slices + WORDS_AHEAD, np.int32)
                settle_front(arrays, near, state, layout, tick, team)
            if tick is not None:
                tick(int(state[LEFT_TAIL] + state[RIGHT_TAIL]))


def settle_front(
    arrays: Arrays,
    near: Int32Array,
    state: Int64Array,
    layout: tuple[int, int, int],
    tick: Tick | None,
    team: Team,
) -> None:
    """Do with the whole team what ``retrograde`` does with the front that it is about to handle."""
    rev_indptr, rev_indices, word, queue = arrays
    shift, flip, agree = layout
    side = int(state[LEFT_HEAD] == state[LEFT_STOP])
    head, stop = (RIGHT_HEAD, RIGHT_STOP) if side else (LEFT_HEAD, LEFT_STOP)
    f = side ^ flip
    code = ~((int(state[DEPTH]) << 1) | f)
    backwards = bool(f) and not agree
    slices = team.slices
    bins = 1 << max(slices, min(word.size // BIN_WORDS, MOST_BINS)).bit_length() - 1
    capacity = (near.size - WORDS_AHEAD) // (slices * bins)
    cursors = np.zeros(slices * CURSOR_SIZE, np.int64)
    table = cursors.reshape(slices, CURSOR_SIZE)
    cuts = np.linspace(state[head], state[stop], slices + 1).astype(np.int64)
    table[:, HEAD], table[:, STOP] = cuts[:-1], cuts[1:]
    # Invariant: as in ``retrograde``, with one head for each slice of the front.
    while (table[:, HEAD] < table[:, STOP]).any():
        team.run(
            gather,
            [
                (rev_indptr, rev_indices, queue, near, cursors, t, side, shift, bins, capacity)
                for t in range(slices)
            ],
        )
        team.run(
            settle_bins,
            [
                (word, near, cursors, first, beyond, bins, capacity, code, side, agree)
                for first, beyond in itertools.pairwise(range(0, bins + 1, bins // slices))
            ],
        )
        found = int(table[:, FILLED : FILLED + bins].sum())
        if backwards:
            state[RIGHT_TAIL] += found
            collect(near, cursors, bins, capacity, queue, queue.size - int(state[RIGHT_TAIL]))
        else:
            collect(near, cursors, bins, capacity, queue, int(state[LEFT_TAIL]))
            state[LEFT_TAIL] += found
        if tick is not None:
            tick(int(state[LEFT_TAIL] + state[RIGHT_TAIL]))
    state[head] = state[stop]
