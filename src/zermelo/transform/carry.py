"""Objectives on a derived graph: the terminal form of a game after a transformation."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import Int32Array
from zermelo.objectives import Objective, StuckPayoff
from zermelo.objectives.terminal_form import TerminalForm


@dataclass(frozen=True, eq=False)
class CarriedObjective(Objective):
    """An objective given by its terminal form on one graph; it keeps the original keyword."""

    form: TerminalForm
    positions: int
    keyword: str = field(default="", kw_only=True)  # type: ignore[misc]

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The form that was carried here."""
        if graph.n != self.positions:
            raise InvalidObjectiveError(
                f"this {self.keyword} game was carried to a graph of {self.positions} positions, "
                f"but this graph has {graph.n}"
            )
        return self.form


def carry(
    objective: Objective, form: TerminalForm, graph: Graph, origin: npt.NDArray[np.int64]
) -> Objective:
    """The objective on ``graph``, whose position v represents ``origin[v]`` of another graph.

    ``form`` is the objective's form on that other graph. Levels and layout stay the same, so
    values can be carried back by index.

    >>> from zermelo import Reach
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 0, 1])
    >>> h = Graph.from_edges([(0, 1)], owner=[0, 0])
    >>> reach = Reach([2])
    >>> carried = carry(reach, reach.terminal_form(g), h, np.array([1, 2]))
    >>> carried.terminal_form(h).absorbing.tolist()
    [1]
    """
    if isinstance(objective, StuckPayoff):
        return objective
    level = level_of_ends(form, int(origin.max(initial=-1)) + 1)
    both = 2 if form.doubled else 1
    here = level[np.repeat(origin * both, both) + np.tile(np.arange(both), origin.size)]
    ends = np.flatnonzero(here >= 0).astype(np.int32)
    there = TerminalForm(
        form.layout, form.levels, form.infinite, ends, here[ends], form.agreed_ends
    )
    return CarriedObjective(there, graph.n, keyword=objective.keyword)


def level_of_ends(form: TerminalForm, n: int) -> Int32Array:
    """The level that each situation of the first ``n`` positions pays if it is an end, else −1."""
    size = 2 * n if form.doubled else n
    level = np.full(size, -1, np.int32)
    inside = form.absorbing < size
    level[form.absorbing[inside]] = form.absorbing_level[inside]
    return level
