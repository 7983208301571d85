"""The trace of a terminal-payoff game: rounds of retrograde analysis, or a film."""

from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.trace.steps.base import Steps
from zermelo.trace.steps.film import fraenkel_levy_film, nmfl_cap_film, nmfl_film
from zermelo.trace.steps.rounds import Trace

FILMS = {"nmfl": nmfl_film, "nmfl-cap": nmfl_cap_film, "fraenkel-levy": fraenkel_levy_film}


def terminal_steps(graph: Graph, objective: Objective, solver: str, start: int | None) -> Steps:
    """The rounds, or the film of the solver that is named.

    >>> import zermelo as zm
    >>> terminal_steps(Graph.from_edges([("a", "t")]), zm.NormalPlay(), "auto", None)
    Trace(Graph(2 positions, 1 move, 1 terminal))
    """
    if solver in FILMS:
        return FILMS[solver](graph, objective)
    return Trace(graph, form_on(objective, graph))
