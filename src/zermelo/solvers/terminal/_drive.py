"""Run the retrograde wave to its end, in steps short enough for progress and Ctrl-C."""

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
    NEAR_SIZE,
    RIGHT_HEAD,
    RIGHT_STOP,
    RIGHT_TAIL,
    STATE_SIZE,
    STOP,
    WIDE,
    WIDE_LAYER,
    WORDS_AHEAD,
    gather,
    retrograde,
    settle_owned,
)
from zermelo._threads import Team
from zermelo.labels import Int32Array, Int64Array

STEP = 1 << 21
"""Moves of one step: some fifty milliseconds."""

SHARE = 1 << 16
"""Moves that each slice gathers before all settle: enough to forget the cost of meeting."""

WIDE_FRONT = 1 << 15
"""Fronts with fewer situations stay with one thread."""

NEVER = 1 << 62

Tick = Callable[[int], object]


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
    state = np.zeros(STATE_SIZE, np.int64)
    segments = np.zeros(2 * (len(phases) - 1), np.int64)
    near = np.zeros(NEAR_SIZE, np.int32)
    with Team() as team:
        state[BUDGET] = STEP
        state[WIDE] = WIDE_FRONT if team.size > 1 else NEVER
        while True:
            outcome = retrograde(
                rev_indptr,
                rev_indices,
                word,
                queue,
                seeds,
                phases,
                segments,
                state,
                near,
                layout,
            )
            if outcome == FINISHED:
                return segments
            if outcome == WIDE_LAYER:
                if near.size == NEAR_SIZE:
                    near = np.zeros(team.slices**2 * SHARE + WORDS_AHEAD, np.int32)
                settle_front(
                    rev_indptr, rev_indices, word, queue, state, near, layout, tick, team
                )
            if tick is not None:
                tick(int(state[LEFT_TAIL] + state[RIGHT_TAIL]))


def settle_front(
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
    word: Int32Array,
    queue: Int32Array,
    state: Int64Array,
    near: Int32Array,
    layout: tuple[int, int, int],
    tick: Tick | None,
    team: Team,
) -> None:
    """Do with the whole team what ``retrograde`` does with the front that it is about to handle."""
    shift, flip, agree = layout
    size = team.slices
    share = (near.size - WORDS_AHEAD) // size**2
    side = int(state[LEFT_HEAD] == state[LEFT_STOP])
    head, stop = (RIGHT_HEAD, RIGHT_STOP) if side else (LEFT_HEAD, LEFT_STOP)
    f = side ^ flip
    code = ~((int(state[DEPTH]) << 1) | f)
    backwards = bool(f) and not agree
    cursors = np.zeros(size * CURSOR_SIZE, np.int64)
    table = cursors.reshape(size, CURSOR_SIZE)
    cuts = np.linspace(state[head], state[stop], size + 1).astype(np.int64)
    table[:, HEAD], table[:, STOP] = cuts[:-1], cuts[1:]
    # Invariant: as in ``retrograde``, with one head for each slice's stretch of the front.
    while (table[:, HEAD] < table[:, STOP]).any():
        team.run(
            gather,
            [
                (rev_indptr, rev_indices, queue, near, cursors, t, side, shift, size, share)
                for t in range(size)
            ],
        )
        team.run(
            settle_owned,
            [(word, near, cursors, o, size, share, code, side, agree) for o in range(size)],
        )
        for section, found in enumerate(table[:, FILLED : FILLED + size].ravel().tolist()):
            start = section * share
            append(queue, state, near[start : start + found], backwards)
        if tick is not None:
            tick(int(state[LEFT_TAIL] + state[RIGHT_TAIL]))
    state[head] = state[stop]


def append(queue: Int32Array, state: Int64Array, found: Int32Array, backwards: bool) -> None:
    """Put situations behind the front on the right if ``backwards``, else on the left."""
    if backwards:
        beyond = queue.size - int(state[RIGHT_TAIL])
        queue[beyond - found.size : beyond] = found
        state[RIGHT_TAIL] += found.size
    else:
        start = int(state[LEFT_TAIL])
        queue[start : start + found.size] = found
        state[LEFT_TAIL] += found.size
