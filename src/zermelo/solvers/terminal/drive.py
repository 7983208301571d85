"""Run the retrograde wave to its end, in steps short enough for progress reports and Ctrl-C."""

from collections.abc import Callable

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.graphs.reverse import has_locality
from zermelo._kernels.terminal import retrograde as k
from zermelo._runtime.threads import Team, thread_count
from zermelo.labels import Int32Array, Int64Array

MOVES_A_STEP = 1 << 21
"""The moves of one step, which takes some thirty milliseconds."""

MIN_SHARED_FRONT = 1 << 15
"""From this many situations on, all threads share a front, if the graph has no locality. With
locality one thread hardly waits for the memory, and atomic instructions would cost more."""

MAX_SETTLED_A_STEP = 1 << 17
"""The number of situations that a slice of such a front settles in one step."""

NEVER = 1 << 62

Tick = Callable[[int], object]


def run_phases(
    predecessors: Moves,
    situations: k.Situations,
    seeds: Int32Array,
    starts: Int64Array,
    scheme: k.Scheme,
    tick: Tick | None = None,
    threads: int | None = None,
) -> Int64Array:
    """Settle all phases, see :mod:`zermelo._kernels.terminal.retrograde`; return ``segments``.

    Between two steps ``tick`` is called with the number of settled situations; an error that it
    raises ends the run. ``threads`` is the largest number of threads to use.
    """
    segments = np.zeros(2 * (len(starts) - 1), np.int64)
    phases = k.Phases(seeds, starts, segments)
    near = np.zeros(k.NEAR_SIZE, np.int32)
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.BUDGET] = MOVES_A_STEP
    with Team(thread_count(threads)) as team:
        small = situations.status.size < MIN_SHARED_FRONT
        alone = small or team.size == 1 or has_locality(predecessors.indices)
        state[k.WIDE] = NEVER if alone else MIN_SHARED_FRONT
        lists: list[Int32Array] = []
        while True:
            outcome = k.retrograde(predecessors, situations, phases, scheme, near, state)
            if outcome == k.FINISHED:
                return segments
            if outcome == k.WIDE_FRONT:
                while len(lists) < team.slices:
                    lists.append(np.zeros(MAX_SETTLED_A_STEP + k.NEAR_SIZE, np.int32))
                share_front(predecessors, situations, scheme, state, lists, tick, team)
            if tick is not None:
                tick(int(state[k.LEFT_TAIL] + state[k.RIGHT_TAIL]))


def share_front(
    predecessors: Moves,
    situations: k.Situations,
    scheme: k.Scheme,
    state: Int64Array,
    lists: list[Int32Array],
    tick: Tick | None,
    team: Team,
) -> None:
    """Advance through the front that ``retrograde`` has reached; threads take slices of it."""
    queue = situations.queue
    side = int(state[k.LEFT_HEAD] == state[k.LEFT_STOP])
    head, stop = (k.RIGHT_HEAD, k.RIGHT_STOP) if side else (k.LEFT_HEAD, k.LEFT_STOP)
    f = side ^ scheme.flip
    code = ~((int(state[k.DEPTH]) << 1) | f)
    cuts = np.linspace(state[head], state[stop], len(lists) + 1).astype(np.int64)
    cursors = np.zeros((len(lists), k.STATE_SIZE), np.int64)
    cursors[:, k.HEAD], cursors[:, k.STOP] = cuts[:-1], cuts[1:]
    # Invariant: as in ``retrograde``, with one head for each slice.
    while (cursors[:, k.HEAD] < cursors[:, k.STOP]).any():
        team.run(
            k.advance,
            [
                (predecessors, situations, near, cursor, code, side, scheme)
                for near, cursor in zip(lists, cursors, strict=True)
            ],
        )
        for near, cursor in zip(lists, cursors, strict=True):
            settled = near[: cursor[k.FILLED]]
            if f and not scheme.agree:
                stop_at = queue.size - int(state[k.RIGHT_TAIL])
                queue[stop_at - settled.size : stop_at] = settled
                state[k.RIGHT_TAIL] += settled.size
            else:
                start = int(state[k.LEFT_TAIL])
                queue[start : start + settled.size] = settled
                state[k.LEFT_TAIL] += settled.size
        if tick is not None:
            tick(int(state[k.LEFT_TAIL] + state[k.RIGHT_TAIL]))
    state[head] = state[stop]
