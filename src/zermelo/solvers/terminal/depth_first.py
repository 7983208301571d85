"""Depth-first search with a table of results, for games that cannot last for ever: O(V + E).

The label of a position is computed from the labels of its successors, each of which is computed
when it is first asked for and looked up afterwards. That is backward induction in the order in
which a recursive program comes to it. It needs an end of every chain of questions, so it is for
games without cycles; there nothing is a draw by infinite play. With a cycle the search would ask
for a label while it computes this very label. The source shows why no default answer helps then
(§5.1), and here such a game is refused.

Reference: [GamesOnGraphs] §5 and §10 ("memoized DFS"), §11.1.

Differs from the source: the recursion is an explicit stack, so a path of a million positions is no
deeper than the memory allows. All successors are looked at, also after a winning move was found,
because the distance needs them; and all payoffs are taken, not only those of normal play. A cycle
through a position where play ends, such as a target of ``Reach``, is no cycle of the game.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs import depth_first as k
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal._arena import make_arena

BUDGET = 1 << 24
"""The number of moves between two reports of progress."""


def solve(graph: Graph, objective: Objective, progress: Any = None) -> TerminalSolution:
    """Solve a terminal-payoff game without cycles.

    ``stats``: ``evaluated`` situations, results that were ``remembered`` when they were asked for,
    and the greatest ``depth`` of the recursion.

    >>> from zermelo import NormalPlay
    >>> s = solve(Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c"), ("c", "t")]), NormalPlay())
    >>> s.label.tolist(), s.distance.tolist()
    ([1, -1, 1, -1], [3, 2, 1, 0])
    """
    arena = make_arena(graph, objective, "depth-first", per_situation=12, per_move=0)
    size = arena.situations.n
    calls = k.Calls(np.empty(size, np.int32), np.empty(size, np.int64))
    state = np.zeros(k.STATE_SIZE, np.int64)
    while True:
        outcome = k.depth_first(arena.successors, arena.rules, arena.values, calls, state, BUDGET)
        if outcome == k.FINISHED:
            break
        if outcome != k.RUNNING:
            raise SolverError(
                "solver 'depth-first' is for games without cycles, but play can come back to "
                f"{arena.position(outcome)!r}; solver 'retrograde' takes cycles"
            )
        if progress is not None:
            progress(int(state[k.DECIDED]), size, "evaluated")
    slots = {"evaluated": k.DECIDED, "remembered": k.REMEMBERED, "depth": k.DEEPEST}
    return arena.solution("depth-first", {name: int(state[at]) for name, at in slots.items()})
