"""The table of traces and explanations: one row for each family of objectives.

A row names the function that makes the steps of a game and the one that explains a position.
Both are imported when they are used.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidObjectiveError
from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class TraceRow(Row):
    """How the games of a family are traced and explained; ``name`` is the family.

    ``target`` is a function ``(graph, objective, solver, start)`` that returns
    :class:`~zermelo.trace.steps.base.Steps`, or raises an error that says why there are none.
    """

    explainer: str
    """A function ``(solution, position, player, depth, width)`` that returns an
    :class:`~zermelo.trace.reasons.explanation.Explanation`."""
    solvers: tuple[str, ...]
    """The names that ``solver`` may have."""
    takes_start: bool = False
    """Whether a start limits the trace to what it depends on."""

    def load_explainer(self) -> Callable[..., Any]:
        """The function that explains a position."""
        return self.attribute(self.explainer)


TRACES: Table[TraceRow] = Table(
    "family of objectives",
    "zermelo.traces",
    (
        TraceRow(
            "terminal",
            "round by round, as by hand; or an algorithm of the literature as a film",
            "zermelo.trace.steps.terminal:terminal_steps",
            "zermelo.trace.reasons.terminal:explain_terminal",
            ("auto", "retrograde", "nmfl", "nmfl-cap", "fraenkel-levy"),
        ),
        TraceRow(
            "parity",
            "the levels of Zielonka's recursion; the cycles that a strategy allows",
            "zermelo.trace.steps.levels:parity_steps",
            "zermelo.trace.reasons.cycles:explain_parity",
            ("auto", "zielonka"),
        ),
        TraceRow(
            "muller",
            "the recursion along the Zielonka tree; the loops that a machine allows",
            "zermelo.trace.steps.colour_levels:muller_steps",
            "zermelo.trace.reasons.memory:explain_muller",
            ("auto", "zielonka"),
        ),
        TraceRow(
            "quantitative",
            "credits that rise one by one; what each move is worth",
            "zermelo.trace.steps.lifting:quantitative_steps",
            "zermelo.trace.reasons.worths:explain_quantitative",
            ("auto", "value-iteration"),
        ),
        TraceRow(
            "geography",
            "the pieces of the graph in their order; the reason of a piece, and a tree of moves",
            "zermelo.trace.steps.pieces:geography_steps",
            "zermelo.trace.reasons.past:explain_geography",
            ("auto", "geography"),
            takes_start=True,
        ),
    ),
)


def trace_row(objective: Any) -> TraceRow:
    """The row of an objective; an error if its family has none.

    >>> import zermelo as zm
    >>> trace_row(zm.Buchi([])).solvers
    ('auto', 'zielonka')
    """
    if objective.family not in TRACES:
        raise InvalidObjectiveError(
            f"no trace and no explanation is known for {objective.keyword} games, whose family is "
            f"{objective.family!r}; zm.solve says who wins"
        )
    return TRACES[objective.family]
