"""Functions for all families of games with weights: the choice of an objective."""

import numpy.typing as npt

from zermelo.game import Game
from zermelo.generators._options import check_choice
from zermelo.graph import Graph
from zermelo.objectives import Discounted, Energy, MeanPayoff, Objective, ShortestPath

OBJECTIVES = ("mean-payoff", "energy", "discounted", "shortest-path")
"""The objectives of random games; the targets of a shortest path are position 0."""


def with_weights(graph: Graph, weight: npt.ArrayLike, objective: str) -> Game:
    """The game with these weights of moves.

    >>> with_weights(Graph.from_edges([(0, 1), (1, 0)]), [3, -1], "energy")
    Game(energy on Graph(2 positions, 2 moves, 0 terminals))
    """
    check_choice("objective", objective, OBJECTIVES)
    kinds: dict[str, type[Objective]] = {
        "mean-payoff": MeanPayoff,
        "energy": Energy,
        "discounted": Discounted,
    }
    if objective == "shortest-path":
        return Game(graph, ShortestPath(weight, [graph.name(0)] if graph.n else []))
    return Game(graph, kinds[objective](weight))  # type: ignore[call-arg]
