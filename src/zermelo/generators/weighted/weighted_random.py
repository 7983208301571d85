"""Random games with weights, the usual benchmark of solvers of energy and mean-payoff games."""

from zermelo._inputs.values import flag, one_of
from zermelo.game import Game
from zermelo.generators._options import (
    OWNERS,
    check_integer,
    check_range,
    check_room,
    generator,
    with_owners,
)
from zermelo.generators.graphs.random import random_moves
from zermelo.generators.weighted._weighted import OBJECTIVES, with_weights
from zermelo.objectives.weights import MAX_WEIGHT


def weighted_random(
    n: int,
    weight: int = 1000,
    out_low: int = 1,
    out_high: int = 5,
    loops: bool = True,
    objective: str = "mean-payoff",
    owners: str = "random",
    seed: int = 0,
) -> Game:
    """A random game with weights on ``n`` positions.

    Each position has a uniform number of moves from ``out_low`` to ``out_high`` to uniform distinct
    targets, which include itself if ``loops``. The weight of each move is uniform from −``weight``
    to ``weight``. Positions have random owners; with ``owners="none"`` the players alternate. The
    ``objective`` is ``mean-payoff``, ``energy``, ``discounted`` or ``shortest-path`` to position 0.

    >>> graph, objective = weighted_random(1000, weight=50, out_low=2, out_high=2, seed=7)
    >>> graph.m, int(abs(objective.weights(graph)).max())
    (2000, 50)
    """
    n = check_integer("n", n, 1)
    weight = check_integer("weight", weight, 0, MAX_WEIGHT)
    choices = n if flag(loops, "loops") else n - 1
    check_range("out_low", out_low, "out_high", out_high, 1, choices)
    one_of(objective, "objective", OBJECTIVES)
    one_of(owners, "owners", OWNERS)
    check_room(n, 3 * n * (out_low + out_high) / 2)
    rng = generator(seed)
    degrees = rng.integers(out_low, out_high + 1, n)
    graph = random_moves(rng, degrees, loops)
    weights = rng.integers(-weight, weight, graph.m, endpoint=True)
    return with_weights(with_owners(graph, owners, seed), weights, objective)
