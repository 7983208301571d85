"""Acyclic graphs: nothing can be repeated, so the game is plain. O(V + E).

No return and no repetition are normal play, whose lost positions are the kernel. Return, repetition
and the misère forms, in which a stuck player wins, are misère play.

Reference: [EdmondsGurvich2010] §2.1. Other graphs are refused.
"""

from zermelo._runtime.progress import Report
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.solutions.geography import GeographySolution
from zermelo.solvers.geography._frame import framed
from zermelo.sums.order import refuse_cycle, successors_first

_solve = framed("acyclic", frozenset())


def solve(
    graph: Graph,
    objective: Objective,
    progress: Report | None = None,
    start: int | None = None,
    nodes: int | None = None,
) -> GeographySolution:
    """Solve a game on an acyclic graph.

    >>> from zermelo.objectives import NoReturn
    >>> solve(Graph.from_edges([(0, 1), (1, 2)]), NoReturn()).label.tolist()
    [-1, 1, -1]
    """
    if graph.owner is None:
        refuse_cycle(graph, successors_first(graph).height, "solver 'geography' takes cycles")
    return _solve(graph, objective, progress, start, nodes)
