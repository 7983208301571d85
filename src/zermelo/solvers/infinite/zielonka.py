"""Zielonka's recursive algorithm, iterative: attract to the top priority, solve the rest, repair.

O(n^d · m) at worst for d priorities, close to linear on most games. Reference: [Zielonka1998].

Notation, paper → code: a subgame → the positions whose word is at least a level's; the attractor
set of the highest colour → what a level claims; the repeated removal of the opponent's winning
region → a restart of the level. Differs from the paper: there is no recursion, a run of priorities
of one parity is taken as one, and everything happens in place; see
:mod:`zermelo._kernels.zielonka`.
"""

from typing import Any

import numpy as np

from zermelo._kernels._jit import interpreting
from zermelo._kernels.attractor import start_attracting
from zermelo._kernels.zielonka import (
    BUDGET,
    CLAIMS,
    COUNT,
    DIGIT,
    FIRST,
    LEVEL,
    RESTARTS,
    STATE_SIZE,
    TRAIL,
    WIDTH,
    count_priorities,
    sort_positions,
    zielonka,
)
from zermelo.labels import NO_MOVE, Int32Array
from zermelo.solvers.infinite._frame import Answer, ParityGame, Progress, framed

BUDGET_A_CALL = 1 << 26
"""Positions that one call of the kernel claims and frees: a few tenths of a second."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game."""
    answer = attempt(game, progress)
    assert answer is not None
    return answer


def attempt(game: ParityGame, progress: Progress = None, limit: int | None = None) -> Answer | None:
    """Solve a total parity game, or give up after claiming and freeing ``limit`` positions."""
    n = game.n
    rank, work, levels = ranked(game.priority)
    word, strategy = np.empty(n, np.int32), np.empty(n, np.int32)
    start_attracting(game.indptr, game.indices, game.owner, word, strategy)
    state = np.zeros(STATE_SIZE, np.int64)
    state[LEVEL], state[COUNT] = 1, n
    rev_indptr, rev_indices = game.reverse
    done, most = False, BUDGET_A_CALL << (20 if interpreting() else 0)
    while not done:
        left = most if limit is None else limit - int(state[CLAIMS])
        if left <= 0:
            return None
        state[BUDGET] = min(left, most)
        done = zielonka(
            game.indptr,
            game.indices,
            rev_indptr,
            rev_indices,
            rank,
            word,
            strategy,
            work,
            levels,
            state,
        )
        if progress is not None:
            progress(n if done else 0, n, f"zielonka: {int(state[RESTARTS]):,} restarts")
    winner = (word >> 1 & 1).astype(np.int8)
    np.copyto(strategy, NO_MOVE, where=winner != game.owner)
    stats: dict[str, Any] = {"restarts": int(state[RESTARTS]), "claims": int(state[CLAIMS])}
    return Answer(winner, strategy, stats)


def ranked(priority: Int32Array) -> tuple[Int32Array, Int32Array, Int32Array]:
    """The arrays ``rank``, ``work`` and ``levels`` of the kernel, ready to start.

    >>> rank, work, levels = ranked(np.array([3, 8, 3], np.int32))
    >>> rank.tolist(), work[:6].tolist()
    ([3, 0, 3], [1, 0, 2, 1, 0, 2])
    """
    n = len(priority)
    if int(priority.max(initial=0)) > 4 * n + 1024:
        # The positions' own priorities are too far apart to count them one by one.
        values, place_of = np.unique(priority, return_inverse=True)
        place_of = place_of.reshape(-1)
        priority = (2 * place_of + (values & 1)[place_of]).astype(np.int32)
    count = np.zeros(int(priority.max(initial=0)) + 1, np.int64)
    count_priorities(priority, count)
    there = (count > 0)[::-1]
    number: Int32Array = (np.cumsum(there) - there)[::-1].astype(np.int32)
    place = np.zeros_like(count)
    place[:-1] = np.cumsum(count[:0:-1])[::-1]
    first = place[count > 0][::-1]
    rank = np.empty(n, np.int32)
    work = np.zeros((2 + TRAIL) * n + (1 << DIGIT), np.int32)
    sort_positions(priority, place, number, rank, work)
    work[n : 2 * n] = work[:n]
    levels = np.zeros(WIDTH * (len(first) + 2), np.int32)
    levels[FIRST : WIDTH * len(first) : WIDTH] = first
    return rank, work, levels


solve = framed("zielonka", run)
