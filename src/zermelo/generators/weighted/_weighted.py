"""Functions for all families of games with weights: the choice of an objective."""

from zermelo._inputs.values import one_of
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.objectives import Discounted, Energy, MeanPayoff, ShortestPath
from zermelo.objectives.weights import WeightLike

OBJECTIVES = ("mean-payoff", "energy", "discounted", "shortest-path")
"""The objectives of random games; the targets of a shortest path are position 0."""


def with_weights(graph: Graph, weight: WeightLike, objective: str) -> Game:
    """The game with these weights of moves.

    >>> with_weights(Graph.from_edges([(0, 1), (1, 0)]), [3, -1], "energy")
    Game(energy on Graph(2 positions, 2 moves, 0 terminals))
    """
    one_of(objective, "objective", OBJECTIVES)
    if objective == "shortest-path":
        return Game(graph, ShortestPath(weight, [graph.name(0)] if graph.n else []))
    if objective == "discounted":
        return Game(graph, Discounted(weight))
    return Game(graph, Energy(weight) if objective == "energy" else MeanPayoff(weight))
