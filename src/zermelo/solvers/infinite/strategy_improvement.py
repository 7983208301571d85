"""Strategy improvement, all switches at once: O(d · E) an evaluation, 4 · d · V bytes.

Player 0 has a strategy, player 1 answers it as well as possible, and player 0 switches every move
for which the values that result show a better one; this ends at the best strategies of both. The
number of rounds is exponential in the worst case and small on most games.

Player 0 may stop the play at any position; values are the multisets of priorities seen until then
(``_kernels/strategy_improvement.py`` defines their order). Stopping everywhere is the first
strategy. **Correctness.** Where the value at the end is endless, all cycles that player 1
can close against player 0's choices are player 0's, who never stops. Elsewhere player 0 cannot move
to an endless value, and against player 1's choices every move v → w has
value(v) ≥ priority(v) + value(w), as stopping is no better than going on wherever player 0 goes on
and no worse where not; around a cycle that adds up to 0 ≥ the priorities of the cycle, so the
highest of them is odd.

Reference: [VogeJurdzinski2000]; the choice to stop is that of [Luttenberger2008] and [Schewe2008],
all switches at once and player 1's answer by switches as well are in [Fearnley2017].

| paper                  | code                                                                 |
|------------------------|----------------------------------------------------------------------|
| σ, τ                   | ``CHOICE`` at the positions of player 0, of player 1                 |
| escape, sink           | not ``GOING``                                                        |
| val(σ)                 | ``value`` by levels, ``ENDLESS`` for ∞                               |
| switchable edges       | found by ``switch`` and ``proceed``                                  |

Differs from the papers: the play may be stopped on arriving at any position, not only at those of
player 0 (as if each position of player 1 were entered through one of player 0), so that there are
no values of −∞ to begin with.
"""

import numpy as np

from zermelo._kernels.strategy_improvement import (
    ANSWERS,
    CHOICE,
    ENDLESS,
    LEVEL,
    NODE_SIZE,
    OWNER,
    ROUNDS,
    STATE_SIZE,
    SWITCHES,
    Plays,
    improve,
)
from zermelo._runtime import memory
from zermelo._runtime.jit import interpreting
from zermelo.solvers.infinite._frame import Answer, ParityGame, Progress, framed
from zermelo.solvers.infinite._lifting import compress

BUDGET = 16
"""Evaluations between two reports of progress."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Winners and both strategies; ``stats`` has the rounds, player 1's answers, all switches.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> solve(g, zm.Parity([2, 1, 1])).winner.tolist()
    [1, 1, 1]
    """
    n = game.n
    if n == 0:
        return Answer(np.zeros(0, np.int8), np.zeros(0, np.int32))
    priority = compress(game.priority)
    width = int(priority.max()) + 1
    memory.require(
        n * (4 * width + 4 * NODE_SIZE + 32),
        f"strategy-improvement on {n:,} positions with {width:,} priorities",
        "use another parity solver, or set ZERMELO_MEMORY to allow more",
    )
    node = np.zeros(n * NODE_SIZE, np.int32)
    node[OWNER::NODE_SIZE] = game.owner
    node[LEVEL::NODE_SIZE] = width - 1 - priority
    node[CHOICE::NODE_SIZE] = game.indices[game.indptr[:-1]]
    value, path = np.zeros(n * width, np.int32), np.zeros(n, np.int32)
    sign = np.where(np.arange(width)[::-1] & 1, -1, 1).astype(np.int8)
    plays = Plays(node, value, sign, path)
    state = np.zeros(STATE_SIZE, np.int64)
    improving, budget = improve, BUDGET
    while not improving(game.moves, plays, state, budget):
        if not interpreting():
            improving = improve.compiled  # type: ignore[assignment]
        if progress is not None:
            progress(int(node[ENDLESS::NODE_SIZE].sum()), n, "won by player 0")
    winner = 1 - node[ENDLESS::NODE_SIZE]
    names = {"rounds": ROUNDS, "answers": ANSWERS, "switches": SWITCHES}
    stats = {name: int(state[slot]) for name, slot in names.items()}
    return Answer(winner.astype(np.int8), node[CHOICE::NODE_SIZE].copy(), stats)


solve = framed("strategy-improvement", run)
