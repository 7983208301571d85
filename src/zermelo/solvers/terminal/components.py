"""Strong component by strong component, each after those that its moves lead to: O(V + E log E).

Positions outside of all cycles are decided from their successors. In a larger component the labels
depend on each other, so retrograde analysis is done there, seeded by the moves that leave the
component: their ends are decided already. Components only order the work, they do not replace the
backward wave; but each wave stays within its component, which is how large tables are built in
slices.

Reference: [GamesOnGraphs] §5.2. The components are found as in [Pearce2016].

Differs from the source: the distances are computed, too. The moves that leave a component lead to
ends at different distances, so they wait in a heap and join the wave when it has come so far. This
is the factor log E.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs.components import strong_components
from zermelo._kernels.quantitative.weighted import Agenda
from zermelo._kernels.terminal import component_waves as k
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal._arena import make_arena

BUDGET = 1 << 24
"""The number of moves between two reports of progress."""

MAX_MOVES = 2**31 - 1


def solve(graph: Graph, objective: Objective, progress: Any = None) -> TerminalSolution:
    """Solve a terminal-payoff game component by component.

    ``stats``: the number of ``components`` and the size of the ``largest``, both in situations; the
    ``waves``, one for each component with a cycle, and the ``exits`` that seeded them.

    >>> from zermelo import NormalPlay
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "t")])
    >>> s = solve(g, NormalPlay())
    >>> s.label.tolist(), s.stats
    ([0, 0, 1, -1], {'components': 3, 'largest': 2, 'waves': 1, 'exits': 1})
    """
    arena = make_arena(graph, objective, "components", per_situation=37, per_move=28)
    n, m = arena.situations.n, arena.situations.m
    if m > MAX_MOVES:
        raise SolverError(
            f"solver 'components': expected at most {MAX_MOVES:,} moves, got {m:,}; solver "
            "'retrograde' takes more"
        )
    mark, order = np.zeros(n, np.int32), np.empty(n, np.int32)
    path, at = np.empty(2 * n, np.int32), np.empty(n, np.int64)
    strong_components(*arena.successors, mark, order, path, at, 0, n)
    none = np.empty(0, np.int32)
    agenda = Agenda(
        np.empty(n, np.int32), np.empty(0, np.int8), none,
        np.empty(m, np.int32), np.full(m, -1, np.int32), np.empty(0, np.int64),
    )  # fmt: skip
    exits = k.Exits(np.empty(m, np.int64), np.empty(m, np.int64), np.empty(m, np.int32))
    left, state = np.empty(n, np.int32), np.zeros(k.STATE_SIZE, np.int64)
    partition = k.Partition(order, mark)
    moves = arena.successors, arena.predecessors
    while not k.component_waves(
        *moves, arena.rules, arena.values, partition, exits, agenda, left, state, BUDGET
    ):
        if progress is not None:
            progress(int(state[k.PLACE]), n, "decided")
    slots = {"components": k.COMPONENTS, "largest": k.LARGEST, "waves": k.WAVES, "exits": k.EXITS}
    return arena.solution("components", {name: int(state[at]) for name, at in slots.items()})
