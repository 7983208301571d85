"""Büchi and co-Büchi games by repeated attractors, computed anew or only updated.

Each round computes the attractor R of the wanted positions for the player who wants to see them. It
then removes the opponent's attractor of the positions outside R: there the opponent stays out of R
for ever. When no position is outside R, the player wins all remaining positions by moving from
one wanted position to the next. There are at most V rounds of O(E) [GamesOnGraphs §8].

*Differs from the classical algorithm:* the attractor of the round before is kept. Every position in
it has a reason (the owner's move, or all moves), and only those whose reasons led to removed
positions, directly or not, are attracted again. So all later rounds together usually take less time
than the first. ``buchi-classical`` attracts everything again in every round.
"""

import functools

import numpy as np

from zermelo._kernels.parity.buchi import CHASER, IN, WANTED, Chase, Lists, solve_buchi
from zermelo.labels import NO_MOVE
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed


def run(game: ParityGame, progress: Progress, *, anew: bool = False) -> Answer:
    """Solve a total game with the priorities 0 and 1, or with 1 and 2.

    In the first case player 1 wants to see 1. In the second case player 0 wants to see 2; there may
    also be positions of priority 0 whose only move is a loop, which player 0 wants, too.
    """
    n = game.n
    chaser = 0 if game.priority.max(initial=0) > 1 else 1
    role = np.where(game.owner == chaser, CHASER, 0) | np.where(
        game.priority % 2 == chaser, WANTED, 0
    )
    chase = Chase(
        role.astype(np.int8),
        np.zeros(n, np.int8),
        np.empty(n, np.int32),
        np.full(n, NO_MOVE, np.int32),
    )
    lists = Lists(np.empty(n, np.int32), np.empty(n, np.int32))
    rounds = solve_buchi(game.moves, game.reverse, chase, lists, int(anew))
    winner = np.where(chase.status == IN, chaser, 1 - chaser).astype(np.int8)
    return Answer(winner, chase.strategy, {"rounds": rounds})


solve = framed("buchi", run)
solve_classical = framed("buchi-classical", functools.partial(run, anew=True))
