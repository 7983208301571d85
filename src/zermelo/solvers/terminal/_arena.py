"""The situations of a terminal-payoff game as a graph, for the solvers that are there for teaching.

They spell out the graph of situations that the default solver only implies. So they need more
memory, and their kernels are short: one rule for all layouts.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.situations import UNKNOWN, Rules, Values
from zermelo._runtime import memory
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, Int8Array, Int32Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout, TerminalForm, form_on
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal.retrograde import code_type, wrap


@dataclass(frozen=True, eq=False)
class Arena:
    """The situations, their moves, and what is known about them: the ends at first."""

    graph: Graph
    objective: Objective
    form: TerminalForm
    situations: Graph
    """Without the moves of situations where play ends."""
    rules: Rules
    values: Values

    @property
    def successors(self) -> Moves:
        """The moves of the situations."""
        return Moves(self.situations.indptr, self.situations.indices)

    @property
    def predecessors(self) -> Moves:
        """The reverse moves of the situations."""
        return Moves(*self.situations.reverse)

    def position(self, situation: int) -> Any:
        """The name of the position of a situation."""
        return self.graph.name(situation >> 1 if self.form.doubled else situation)

    def solution(self, solver: str, stats: dict[str, Any]) -> TerminalSolution:
        """The solution, when every situation is decided."""
        level = self.values.level
        if self.form.layout is not Layout.SYMMETRIC:
            level = np.where(self.rules.mover == 1, self.rules.top - level, level)
        level = level.astype(code_type(self.form))
        distance = self.values.distance
        return wrap(self.graph, self.objective, self.form, level, distance, solver, stats)


def make_arena(
    graph: Graph, objective: Objective, solver: str, per_situation: int, per_move: int
) -> Arena:
    """The situations of a game, if there is memory for them and for what the solver adds.

    >>> from zermelo import Asymmetric
    >>> make_arena(Graph.from_edges([(0, 1)]), Asymmetric(), "rescan", 0, 0).situations
    Graph(4 positions, 2 moves, 2 terminals, owned)
    """
    form = form_on(objective, graph)
    size = 2 if form.doubled else 1
    memory.require(
        size * ((17 + 8 + per_situation) * graph.n + (4 + 8 + 4 + per_move) * graph.m),
        f"solver {solver!r} on {graph.n:,} positions and {graph.m:,} moves",
        "use solver 'retrograde', which needs less, or set ZERMELO_MEMORY to allow more",
    )
    situations = _situations(graph, form)
    level = np.full(situations.n, UNKNOWN, np.int32)
    distance = np.full(situations.n, NO_DISTANCE, np.int32)
    rules = Rules(
        _movers(graph, form),
        int(form.layout is not Layout.OWNED),
        int(form.layout is Layout.SYMMETRIC),
        len(form.levels) - 1,
        form.infinite,
    )
    ends, codes = form.absorbing, form.absorbing_level
    level[ends] = codes
    if form.layout is not Layout.SYMMETRIC:
        level[ends] = np.where(rules.mover[ends] == 1, rules.top - codes, codes)
    distance[ends[(codes != form.infinite) | form.agreed_ends]] = 0
    return Arena(graph, objective, form, situations, rules, Values(level, distance))


def _movers(graph: Graph, form: TerminalForm) -> Int8Array:
    if form.layout is Layout.OWNED:
        assert graph.owner is not None
        return graph.owner
    movers = np.zeros(graph.n * (2 if form.doubled else 1), np.int8)
    if form.doubled:
        movers[1::2] = 1
    return movers


def _situations(graph: Graph, form: TerminalForm) -> Graph:
    """The graph of situations; those where play ends have no moves."""
    if form.doubled:
        from zermelo.transform.unfolding.alternating import alternating_graph

        graph = alternating_graph(graph, named=False)
    ends = np.zeros(graph.n, bool)
    ends[form.absorbing] = True
    if not graph.out_degree[ends].any():
        return graph
    kept: Int32Array = np.where(ends, 0, graph.out_degree)
    indptr = np.zeros(graph.n + 1, np.int64)
    np.cumsum(kept, out=indptr[1:])
    return Graph._of(indptr, graph.indices[np.repeat(~ends, graph.out_degree)])
