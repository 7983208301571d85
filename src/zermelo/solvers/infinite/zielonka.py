"""Zielonka's recursive algorithm, iterative: attract to the top priority, solve the rest, repair.

O(n^d · m) at worst for d priorities, close to linear on most games. Reference: [Zielonka1998].

Notation, paper → code: a subgame → the positions whose status is at least a level's; the attractor
set of the highest colour → the positions that a level claims; the repeated removal of the
opponent's winning region → a restart of the level. Differs from the paper: there is no recursion,
priorities of one parity without one of the other parity between them count as one, and subgames
are not copied; see :mod:`zermelo._kernels.parity.zielonka`.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs.attractor import Claims, start_attracting
from zermelo._kernels.parity import zielonka as k
from zermelo._kernels.parity.ranks import ranked
from zermelo._kernels.parity.zielonka_repair import Lists
from zermelo._runtime.compiled.jit import interpreting
from zermelo.labels import NO_MOVE
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed

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
    ranks = ranked(game.priority)
    block = np.zeros((3 + k.TRAIL) * n, np.int32)  # for its size, see tangle_learning.new_records
    status, strategy, candidates, trail = np.split(block, [n, 2 * n, 3 * n])
    claims, lists = Claims(status, strategy), Lists(candidates, trail)
    start_attracting(game.moves, game.owner, claims)
    candidates[:] = ranks.order
    levels = k.Levels(*(np.zeros(len(ranks.first) + 2, np.int32) for _ in k.Levels._fields))
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.LEVEL], state[k.COUNT] = 1, n
    done, most = False, BUDGET_A_CALL << (20 if interpreting() else 0)
    while not done:
        left = most if limit is None else limit - int(state[k.CLAIMS])
        if left <= 0:
            return None
        state[k.BUDGET] = min(left, most)
        done = k.zielonka(game.moves, game.reverse, ranks, claims, lists, levels, state)
        if progress is not None:
            progress(n if done else 0, n, f"zielonka: {int(state[k.RESTARTS]):,} restarts")
    winner, strategy = (status >> 1 & 1).astype(np.int8), strategy.copy()
    np.copyto(strategy, NO_MOVE, where=winner != game.owner)
    stats: dict[str, Any] = {"restarts": int(state[k.RESTARTS]), "claims": int(state[k.CLAIMS])}
    return Answer(winner, strategy, stats)


solve = framed("zielonka", run)
