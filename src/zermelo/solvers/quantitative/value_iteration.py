"""Value iteration for energy games: O(V · E · W) time, 70 bytes a position.

The credit of a position is raised to what its moves demand, again and again, from 0 on, until it is
enough everywhere; a credit that exceeds the sum of all costs that positions may have counts as
none. A worklist has the positions whose credits are not enough, and counters say when that is so
for player 0.

Reference: [BrimEtAl2011]. Notation, paper → code: f → ``credit``; ⊤ → ``top``; count → ``support``;
L → ``queue``. Differs from the paper: player 0's own ranks and the potentials where she has no
credit are found afterwards, for the certificate; the latter by fast value iteration on these
positions.
"""

import numpy as np

from zermelo._kernels.quantitative import energy_iteration as k
from zermelo._kernels.quantitative.weighted import Costs, optimal_moves
from zermelo._runtime.compiled.jit import interpreting
from zermelo.errors import CertificateError
from zermelo.labels import Int64Array
from zermelo.objectives.weights import Arena
from zermelo.solvers.quantitative import fast_value_iteration
from zermelo.solvers.quantitative._parts import inside
from zermelo.solvers.quantitative._solve import framed
from zermelo.solvers.quantitative.frame import Answer, Progress, make_costs, make_potential

NAME = "value-iteration"

BUDGET = 1 << 17
"""Credits that are raised between two reports of progress."""

LOST = "lost by player 0"
"""What progress counts."""


def least_credits(game: Costs, top: int, progress: Progress) -> tuple[Int64Array, dict[str, int]]:
    """The least credits, −1 where ``top`` or more would be needed; and what was counted."""
    n = game.owner.size
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.COUNT], state[k.TOP] = n, top
    credits = k.Credits(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.arange(n, dtype=np.int32),
        np.ones(n, np.int8),
        state,
    )
    lifting = k.lift_credits
    while not lifting(game, credits, BUDGET):
        if not interpreting():
            lifting = k.lift_credits.compiled  # type: ignore[assignment]
        if progress is not None:
            progress(int(state[k.LOSSES]), n, LOST)
    return np.where(credits.credit == top, -1, credits.credit), {"lifts": int(state[k.LIFTS])}


def _enough_for_all(game: Costs) -> int:
    """A credit that suffices wherever any does: a play with positional strategies loses at most the
    largest cost of each position before it returns to one, and a cycle must not lose."""
    n = game.owner.size
    worst = np.zeros(n, np.int64)
    source = np.repeat(np.arange(n), np.diff(game.indptr))
    np.maximum.at(worst, source, game.cost)
    return int(worst.sum())


def run(game: Costs, progress: Progress = None) -> Answer:
    """The least credits, and potentials of player 1 where there are none.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)], owner=[0, 1])
    >>> solve(g, zm.Energy({(0, 1): 2, (1, 0): -2, (1, 1): 0})).credit.tolist()
    [0, 2]
    """
    n = game.owner.size
    credit, stats = least_credits(game, _enough_for_all(game) + 1, progress)
    potential = make_potential(n)
    rank, left = np.zeros(n, np.int64), np.zeros(n, np.int64)
    ranked = k.rank_credits(game, credit, rank, left, np.zeros(n, np.int32))
    if ranked != int((credit >= 0).sum()):
        raise CertificateError("value iteration stopped at credits that are not the least ones")
    potential.amount[:] = np.maximum(credit, 0)
    potential.steps[:] = -np.maximum(rank, 0)
    lost = credit < 0
    if lost.any():
        arena = Arena(game.owner, game.indptr, game.indices, game.cost)
        part, places, _ = inside(arena, lost)
        report = None if progress is None else lambda *_: progress(places.size, n, LOST)
        proof = fast_value_iteration.run(make_costs(part, part.weight), report)
        potential.amount[places] = proof.amount
        potential.steps[places] = -proof.rank
        potential.stage[places] = proof.stage
    move = np.empty(n, np.int32)
    optimal_moves(game, potential, move)
    return Answer(potential.amount, -potential.steps, potential.stage, move, stats)


solve = framed(NAME, run)
