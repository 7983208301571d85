"""Strategy improvement, all switches at once: O(d · E) for each evaluation, 4 · d · V bytes.

In each round player 1 chooses a best answer to the strategy of player 0. Then player 0 switches
every move for which the resulting values show a better one. When there is none, both strategies are
optimal. The number of rounds is exponential in the worst case and small on most games.

Player 0 may stop the play at any position. The value of a play is the multiset of the priorities
seen until then; ``_kernels/parity/strategy_improvement.py`` defines the order of values. The first
strategy stops everywhere.

**Correctness.** Consider the values at the end. Where the value is endless, player 0 never stops,
and she wins all cycles that player 1 can close against her choices. At the other positions player 0
has no move to an endless value. There, against the choices of player 1, every move v → w has
value(v) ≥ priority(v) + value(w), because stopping is no better than going on where player 0 goes
on, and no worse where she stops. Along a cycle these inequalities add up to 0 ≥ the multiset of the
priorities of the cycle, so the highest of them is odd.

Reference: [VogeJurdzinski2000]. The choice to stop is from [Luttenberger2008] and [Schewe2008]. All
switches at once, and the computation of player 1's answer by switches, are from [Fearnley2017].

| paper                  | code                                                                 |
|------------------------|----------------------------------------------------------------------|
| σ, τ                   | ``CHOICE`` at the positions of player 0, of player 1                 |
| escape, sink           | not ``GOING``                                                        |
| val(σ)                 | ``value`` by levels, ``ENDLESS`` for ∞                               |
| switchable edges       | found by ``switch`` and ``proceed``                                  |

Differs from the papers: player 0 may stop the play at any position, not only at her own positions
(as if every move to a position of player 1 led through a position of player 0). So there are no
values of −∞ at the beginning.
"""

import numpy as np

from zermelo._kernels.parity import strategy_improvement as k
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, compress, framed

BUDGET = 16
"""Evaluations between two reports of progress."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Winners and both strategies; ``stats`` counts rounds, player 1's answers and all switches.

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
        n * (4 * width + 4 * k.NODE_SIZE + 32),
        f"strategy-improvement on {n:,} positions with {width:,} priorities",
        "use another parity solver, or set ZERMELO_MEMORY to allow more",
    )
    node = np.zeros(n * k.NODE_SIZE, np.int32)
    node[k.OWNER :: k.NODE_SIZE] = game.owner
    node[k.LEVEL :: k.NODE_SIZE] = width - 1 - priority
    node[k.CHOICE :: k.NODE_SIZE] = game.moves.indices[game.moves.indptr[:-1]]
    value, path = np.zeros(n * width, np.int32), np.zeros(n, np.int32)
    sign = np.where(np.arange(width)[::-1] & 1, -1, 1).astype(np.int8)
    plays = k.Plays(node, value, sign, path)
    state = np.zeros(k.STATE_SIZE, np.int64)
    improving, budget = k.improve, BUDGET
    while not improving(game.moves, plays, state, budget):
        if not interpreting():
            improving = k.improve.compiled  # type: ignore[assignment]
        if progress is not None:
            progress(int(node[k.ENDLESS :: k.NODE_SIZE].sum()), n, "won by player 0")
    winner = 1 - node[k.ENDLESS :: k.NODE_SIZE]
    names = {"rounds": k.ROUNDS, "answers": k.ANSWERS, "switches": k.SWITCHES}
    stats = {name: int(state[slot]) for name, slot in names.items()}
    return Answer(winner.astype(np.int8), node[k.CHOICE :: k.NODE_SIZE].copy(), stats)


solve = framed("strategy-improvement", run)
