"""The solution that a file claims, of the kind that its objective has."""

from collections.abc import Mapping

from zermelo._door.inputs import owned
from zermelo.graph import Graph
from zermelo.labels import AnyArray, read_only
from zermelo.objectives import Geography, Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution
from zermelo.solutions.terminal import TerminalSolution


def claimed_solution(
    graph: Graph,
    objective: Objective,
    solver: str,
    arrays: Mapping[str, AnyArray],
    start: int | None = None,
) -> Solution:
    """The solution that a file claims, of the kind that its objective has.

    ``arrays`` are level, label, distance and move, of the right shapes and types.
    """
    level, label, distance = arrays["level"], arrays["label"], arrays["distance"]
    if objective.family == "terminal":
        form = form_on(objective, graph)
        solution = TerminalSolution(
            graph, objective, solver, level, label, distance, form, start=start
        )
        solution.__dict__["move"] = owned(arrays["move"])
        return solution
    if isinstance(objective, Geography):
        from zermelo.solutions.geography import ClaimedGeography

        move = read_only(arrays["move"])
        return ClaimedGeography(graph, objective, solver, level, label, distance, move, start=start)
    return ParitySolution(
        graph, objective, solver, level, label, distance, arrays["move"], start=start
    )
