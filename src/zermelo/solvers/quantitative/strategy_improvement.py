"""Strategy improvement for energy games, all switches at once: O(E + V log V) a round.

Player 1 has a strategy, with which player 0 pays the costs of the moves, the negative weights. He
may also stop at any position, and stops everywhere at first. Player 0 answers by shortest ways to
where he stops: these are the potentials. Then player 1 switches every move for which they show a
better one, and goes on wherever that is better than to stop; this ends at the best strategies of
both. The number of rounds is exponential in the worst case and small on most games.

**Correctness.** After a switch, no way becomes shorter: reduced costs are not negative on the moves
that remain, so potentials rise, and Dijkstra's algorithm finds by how much. Where no way leads to
a stop any more, every cycle contains a switch, whose reduced cost was positive, so it costs player
0 something and she has lost. If there is no switch, player 1 has no move of positive reduced cost,
and player 0 has one of at most 0 where he stops and one of 0 elsewhere; so the potentials are
credits that suffice, and player 1 forces each of them.

Reference: [BjorklundVorobyov2007]; that player 1 may stop at any position is as in
[Luttenberger2008] and [Schewe2008]. Notation, paper → code: retreat edges → ``STOP``; longest
shortest distances → potentials; switches → ``switch``. Differs from the papers: shortest ways are
computed anew only where they change, and costs are pairs
(:mod:`zermelo._kernels.quantitative.weighted`).
"""

import numpy as np

from zermelo._kernels.quantitative.potential_improvement import STATE_SIZE, STOP, SWITCHES, improve
from zermelo._kernels.quantitative.weighted import COUNT, LOSSES, ROUND, Costs
from zermelo.solvers.quantitative import frame
from zermelo.solvers.quantitative._solve import framed


def run(game: Costs, progress: frame.Progress = None) -> frame.Answer:
    """The least credits, and potentials of player 1 where there are none.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> solve(g, zm.Energy({(0, 1): 2, (1, 0): -2, (1, 1): 0})).credit.tolist()
    [0, 2]
    """
    n = game.owner.size
    potential, agenda = frame.make_potential(n), frame.make_agenda(n)
    agenda.waiting[:] = STOP
    state = np.zeros(STATE_SIZE, np.int64)
    state[COUNT] = n
    frame.raise_potentials(improve, (game, potential, agenda, state), LOSSES, progress)
    stats = {"rounds": int(state[ROUND]), "switches": int(state[SWITCHES])}
    return frame.make_answer(game, potential, stats)


solve = framed("energy-strategy-improvement", run)
