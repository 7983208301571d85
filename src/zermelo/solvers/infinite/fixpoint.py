"""Fixpoint iteration with justifications: exponential at worst, often close to linear.

Every position has a believed winner: at first, the parity of its priority. From the lowest priority
up, positions are evaluated: given the beliefs about its successors, which player wins? The answer
is kept with its reason, one move of the winner or all moves of the loser. Where it differs from the
belief, only the reasons that depend on the old belief are forgotten. When every position has a
reason, the beliefs are right and the moves win.

Reference: [VanDijkRubbens2019] for the iteration, [LapauwEtAl2020] for the justifications,
[LapauwEtAl2021] for such steps in any order; this file uses one of these orders.

| paper                                      | code                                             |
|--------------------------------------------|--------------------------------------------------|
| winner H_J(v), v is justified              | bits WINNER and JUSTIFIED of ``status[v]``       |
| direct justification dj of v               | ``strategy[v]``, −1 for all moves                |
| unjustified positions                      | the open ones, a stack by falling priority       |
| distraction                                | a position whose winner is not its parity's      |
| Justify(J, v, dj) that changes H_J(v)      | ``flip``                                         |
| justification level jl of a justified v    | no number; the stack's order bounds it           |

Differs from the papers: there, positions whose reasons are forgotten are evaluated again from the
lowest priority up. On a ring of n positions with priorities 0 to n − 1 every flip would then make
all lower positions flip again, and the number of flips would grow like the Fibonacci numbers. Here,
a position that has lost its reason gets a new one at once, if there is one that does not depend on
the position itself. Otherwise positions are opened from the highest priority down, and the
positions that their parity attracts to them are justified, so that only few positions of high
priority are without a reason. The algorithm also begins like this. The open positions that a reason
depends on never have a lower priority, as the papers demand (*safe* justifications). So this is
only another order of their steps: each flip adds to the positions that depend on higher priorities
only, which bounds the number of flips. Priorities of one parity without a priority of the other
parity between them count as one. Families on which Zielonka's algorithm takes exponential time take
exponential time here, too.
"""

import numpy as np

from zermelo._kernels.parity import fixpoint as k
from zermelo._kernels.parity.ranks import ranked
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, compress, framed

BUDGET_A_CALL = 1 << 20
"""The positions that one call of the kernel evaluates, flips or loosens, in tenths of a second."""


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game."""
    n = game.n
    ranks = ranked(compress(game.priority))
    status = game.owner << k.OWNER_SHIFT | k.LOOSE
    beliefs = k.Beliefs(status, game.moves.indices[game.moves.indptr[:-1]])
    lists = k.Lists(*np.empty((3, n), np.int32))
    lists.stack[:] = ranks.order
    counts = np.zeros(k.COUNTS_SIZE, np.int64)
    counts[k.BUDGET] = BUDGET_A_CALL
    counts[k.TOP] = k.reopen(game.moves, game.reverse, ranks, beliefs, lists, 0, n)
    done = False
    while not done:
        done = k.iterate(game.moves, game.reverse, ranks, beliefs, lists, counts)
        if progress is not None:
            stage = f"fixpoint: {int(counts[k.FLIPS]):,} flips"
            progress(n - int(counts[k.TOP]), n, stage)
    slots = {"rounds": k.ROUNDS, "flips": k.FLIPS, "resets": k.RESETS}
    stats = {name: int(counts[slot]) for name, slot in slots.items()}
    return Answer(status & np.int8(1), beliefs.strategy, stats)


solve = framed("fixpoint", run)
