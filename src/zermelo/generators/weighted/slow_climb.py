"""Small energy games on which value iteration takes time exponential in the digits of weights."""

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.graph import Graph
from zermelo.objectives import Energy
from zermelo.objectives.weights import MAX_WEIGHT


def slow_climb(weight: int = 1000, copies: int = 1) -> Game:
    """An energy game of 2 · ``copies`` + 1 positions in which credits rise by 1 a round.

    Position 2 i has a move of weight 0 to 2 i + 1, which comes back with weight −1, and a move of
    weight −``weight`` to 2 i + 2. The last position has a loop of weight 0. Player 0 owns all
    positions. A play cannot go round the cycle for ever, so the least credit at 2 i is ``weight``
    times the number of exits that are left; but value iteration [BrimEtAl2011] first takes the
    cycle for the better choice and raises its credits by 1, ``weight`` times.

    >>> graph, objective = slow_climb(5, copies=2)
    >>> import zermelo as zm
    >>> zm.solve(graph, objective).credit.tolist()
    [10, 11, 5, 6, 0]
    """
    weight = check_integer("weight", weight, 0, MAX_WEIGHT)
    copies = check_integer("copies", copies, 1, 2**29)
    if weight * copies > MAX_WEIGHT:
        raise InvalidOptionError(
            f"copies: expected at most {MAX_WEIGHT // weight:,} with the weight {weight:,}, so "
            f"that credits are up to 2**60, got {copies:,}"
        )
    n = 2 * copies + 1
    check_room(n, 3 * copies + 1)
    first = np.arange(0, n - 1, 2)
    sources = np.concatenate([first, first + 1, first, [n - 1]])
    targets = np.concatenate([first + 1, first, first + 2, [n - 1]])
    weights = np.repeat([0, -1, -weight, 0], [copies, copies, copies, 1])
    order = np.lexsort((targets, sources))
    graph = Graph.from_arrays(sources, targets, n, np.zeros(n, np.int8))
    return Game(graph, Energy(weights[order]))
