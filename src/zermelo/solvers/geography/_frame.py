"""The common frame of solvers of games of return: check, take the line digraph, wrap."""

from collections.abc import Callable

from zermelo._inputs.values import whole_number
from zermelo._runtime.progress import Report
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.objectives import Geography, Objective
from zermelo.solutions.geography import GeographySolution, SearchInterrupted, geography_solution
from zermelo.solvers.geography._settle import begin
from zermelo.solvers.geography.line import line_digraph


def framed(name: str, methods: frozenset[str]) -> Callable[..., GeographySolution]:
    """The ``solve`` of a solver that may use these methods for components."""

    def solve(
        graph: Graph,
        objective: Objective,
        progress: Report | None = None,
        start: int | None = None,
        nodes: int | None = None,
    ) -> GeographySolution:
        if not isinstance(objective, Geography):
            raise SolverError(f"expected a game of return or repetition, got {objective.keyword!r}")
        objective.check(graph)
        if nodes is not None:
            nodes = whole_number(nodes, "nodes", 0, 2**62)
        game = line_digraph(graph) if objective.arcs else graph
        at = start if start is None else start + game.n - graph.n
        task = begin(game, objective, at, progress, methods=methods, nodes=nodes)
        try:
            task.run()
        except KeyboardInterrupt:
            known = geography_solution(graph, name, objective, task.play(), start)
            raise SearchInterrupted(known) from None
        return geography_solution(graph, name, objective, task.play(), start)

    return solve
