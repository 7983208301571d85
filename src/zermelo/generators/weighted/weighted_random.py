"""Random games with weights, the usual benchmark of solvers of energy and mean-payoff games."""

import numpy as np

from zermelo.game import Game
from zermelo.generators._options import (
    OWNERS,
    check_choice,
    check_flag,
    check_integer,
    check_range,
    check_room,
    generator,
    with_owners,
)
from zermelo.generators.graphs.random import distinct_targets
from zermelo.generators.weighted._weighted import OBJECTIVES, with_weights
from zermelo.graph import Graph
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
    choices = n if check_flag("loops", loops) else n - 1
    check_range("out_low", out_low, "out_high", out_high, 1, choices)
    check_choice("objective", objective, OBJECTIVES)
    check_choice("owners", owners, OWNERS)
    check_room(n, 3 * n * (out_low + out_high) / 2)
    rng = generator(seed)
    degrees = rng.integers(out_low, out_high + 1, n)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    indices = distinct_targets(rng, degrees, choices)
    if not loops:
        indices += indices >= np.repeat(np.arange(n, dtype=np.int32), degrees)
    weights = rng.integers(-weight, weight, indices.size, endpoint=True)
    graph = with_owners(Graph._of(indptr, indices), owners, seed)
    return with_weights(graph, weights, objective)
