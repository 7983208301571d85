"""The solution that a file claims, of the kind that its objective has."""

from collections.abc import Mapping

from zermelo._inputs.values import owned
from zermelo.graph import Graph
from zermelo.labels import AnyArray, read_only
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.registry import objective_row
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution
from zermelo.solutions.terminal import TerminalSolution

Arrays = Mapping[str, AnyArray]
"""The arrays level, label, distance and move, of the right shapes and types."""


def claimed_solution(
    graph: Graph, objective: Objective, solver: str, arrays: Arrays, start: int | None = None
) -> Solution:
    """The solution that a file claims; the table of objectives determines its kind."""
    claim = objective_row(objective).load_claim()
    solution: Solution = claim(graph, objective, solver, arrays, start)
    return solution


def claim_terminal(
    graph: Graph, objective: Objective, solver: str, arrays: Arrays, start: int | None
) -> TerminalSolution:
    """The claimed solution of a terminal-payoff game."""
    level, label, distance = arrays["level"], arrays["label"], arrays["distance"]
    form = form_on(objective, graph)
    solution = TerminalSolution(graph, objective, solver, level, label, distance, form, start=start)
    solution.__dict__["move"] = owned(arrays["move"])
    return solution


def claim_parity(
    graph: Graph, objective: Objective, solver: str, arrays: Arrays, start: int | None
) -> ParitySolution:
    """The claimed solution of a game with positional strategies."""
    level, label, distance = arrays["level"], arrays["label"], arrays["distance"]
    return ParitySolution(
        graph, objective, solver, level, label, distance, arrays["move"], start=start
    )


def claim_quantitative(
    graph: Graph, objective: Objective, solver: str, arrays: Arrays, start: int | None
) -> Solution:
    """The claimed solution of a game with weights."""
    from zermelo.solutions.quantitative import solution_class

    kind = solution_class(objective)
    names = ("level", "label", "distance", "move", *kind.arrays)
    return kind(graph, objective, solver, *(arrays[name] for name in names), start=start)


def claim_geography(
    graph: Graph, objective: Objective, solver: str, arrays: Arrays, start: int | None
) -> Solution:
    """The claimed solution of a game of return or repetition."""
    from zermelo.solutions.geography import ClaimedGeography

    level, label, distance = arrays["level"], arrays["label"], arrays["distance"]
    move = read_only(arrays["move"])
    return ClaimedGeography(graph, objective, solver, level, label, distance, move, start=start)  # type: ignore[arg-type]
