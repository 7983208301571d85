"""Fast value iteration for energy games: O(E + V log V) a round, 125 bytes a position.

Player 0 pays the costs of the moves, the negative weights, from a credit. Value iteration raises
the credits that positions need, move by move. Here a round raises them by whole ways: by what
player 1 can make player 0 pay before a move with a negative reduced cost is made. These rises are
shortest ways, with one player who wants them short and one who wants them long, in a graph whose
costs are not negative; Dijkstra's algorithm finds them. The number of rounds is pseudo-polynomial
in the worst case and small on most games.

**Correctness.** What player 1 can make player 0 pay at the beginning is at most what he can make
her pay in all, so potentials are never more than the credits that are needed. Where player 1 can
put off moves of negative reduced cost for ever, he wins: no cycle costs exactly nothing (see
:mod:`zermelo._kernels.quantitative.weighted`), so every cycle that can arise costs player 0
something. If no potential rises any more, each position of player 0 that is not lost has a move
whose reduced cost is at most 0, and all moves of player 1 from such positions are like that, so the
potentials are enough.

**Work.** A round looks only at positions whose successors have changed. Between rounds, a position
of player 0 is *supported* by a move of negative reduced cost, or by one of reduced cost 0 to
a position that does not rise; a position of player 1 is supported if all its moves are of this
kind. Since there is no cycle of reduced cost 0, exactly the positions without support rise.

Reference: [CadilhacCasaresOhlmann2023], [KhachiyanEtAl2008] for the shortest ways. Notation, paper
→ code: Min and Max → players 0 and 1; energy value → credit; φ → ``amount``, ``steps``; modified
weights → reduced costs; N → the supported positions; Pos⁺ → ``rise``. Differs from the paper:
costs are pairs instead of being multiplied by n + 1, so that weights may be n times as large; and
positions whose support is unchanged are not looked at again.
"""

import numpy as np

from zermelo._kernels.quantitative.fast_value_iteration import STATE_SIZE, iterate
from zermelo._kernels.quantitative.weighted import COUNT, LOSSES, RISES, ROUND, Costs
from zermelo.solvers.quantitative import frame
from zermelo.solvers.quantitative._solve import framed


def run(game: Costs, progress: frame.Progress = None) -> frame.Answer:
    """The least credits, and potentials of player 1 where there are none.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> solve(g, zm.Energy({(0, 1): 2, (1, 0): -3, (1, 1): 0})).credit.tolist()
    [-1, -1]
    """
    n = game.owner.size
    potential, agenda = frame.make_potential(n), frame.make_agenda(n)
    state = np.zeros(STATE_SIZE, np.int64)
    state[COUNT] = n
    frame.raise_potentials(iterate, (game, potential, agenda, state), LOSSES, progress)
    stats = {"rounds": int(state[ROUND]), "rises": int(state[RISES])}
    return frame.make_answer(game, potential, stats)


solve = framed("fast-value-iteration", run)
