"""The ``solve`` of every solver of energy games, which solves other games by them, too."""

from collections.abc import Callable

from zermelo.graph import Graph
from zermelo.objectives import Energy, MeanPayoff
from zermelo.objectives.quantitative import Quantitative
from zermelo.solutions.quantitative import QuantitativeSolution
from zermelo.solvers.quantitative import frame
from zermelo.solvers.quantitative.capacity import solve_capacity
from zermelo.solvers.quantitative.mean_payoff import solve_values


def framed(name: str, run: frame.Run) -> Callable[..., QuantitativeSolution]:
    """The ``solve`` of a solver's file."""

    def solve(
        graph: Graph, objective: Quantitative, progress: frame.Progress = None
    ) -> QuantitativeSolution:
        frame.require_memory(graph, objective, name)
        if isinstance(objective, MeanPayoff) and objective.threshold is None:
            return solve_values(graph, objective, name, run, progress)
        if isinstance(objective, Energy) and objective.capacity is not None:
            return solve_capacity(graph, objective, name, run, progress)
        arena = objective.arena(graph)
        answer = run(frame.make_costs(arena, frame.energy_costs(arena, objective)), progress)
        return frame.energy_solution(graph, objective, name, arena, answer)

    return solve
