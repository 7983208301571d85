"""The Fraenkel–Lévy labelling of normal play, round by round: O(V + E).

FL⁰ labels the terminals L. FLⁿ⁺¹ adds every position v that FLⁿ leaves unlabelled and that has

- a move to some w with FLⁿ(w) = L: it is labelled W, or
- only moves to positions w with FLⁿ(w) = W: it is labelled L.

For some N ≤ V nothing more is added; positions that FLᴺ leaves unlabelled are D, a draw by infinite
play. The labelling is monotone: a label never changes. The round is the distance.

Reference: [Loewe2004] §4, after [Fraenkel1997] and a suggestion of A. Lévy.

| paper                  | code                                                 |
|------------------------|------------------------------------------------------|
| L, D, W                | −1, 0, +1                                            |
| FLⁿ(v)                 | ``fl[v]`` as soon as ``when[v] <= n``                |
| dom(FLⁿ)               | ``queue[:tail]`` after round n                       |
| N                      | ``stats["rounds"]``                                  |

Differs from the paper: "for all moves" is a counter of the moves not yet known to lose, so that no
round looks at a move twice. Graphs with owners are labelled as well: the label of a position is for
its owner, and a move to a position of the same owner keeps the label.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal import fraenkel_levy as k
from zermelo._runtime import memory
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, Int8Array, Int32Array
from zermelo.objectives import NormalPlay, Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.solutions.base import Solution
from zermelo.solvers.terminal.retrograde import wrap

BUDGET = 1 << 22
"""The number of positions between two reports of progress."""


def solve(graph: Graph, objective: Objective, progress: Any = None) -> Solution:
    """Solve normal play. ``stats``: ``rounds`` is N, ``layers[n]`` the positions of round n.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "t"), ("d", "d")])
    >>> s = solve(g, NormalPlay())
    >>> s.label.tolist(), s.distance.tolist()
    ([0, 0, 1, -1, 0], [-1, -1, 1, 0, -1])
    >>> s.stats["rounds"], s.stats["layers"].tolist()
    (1, [1, 1])
    """
    if not isinstance(objective, NormalPlay):
        raise SolverError(
            f"the Fraenkel–Lévy labelling is for normal play, got {objective.keyword!r}"
        )
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * graph.n
    memory.require(
        reverse + 15 * graph.n,
        f"labelling {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or solve the quotient (quotient=True)",
    )
    fl, when, rounds = label(graph, progress)
    layers = np.bincount(when[when != NO_DISTANCE], minlength=1)
    value = fl if graph.owner is None else np.where(graph.owner == 1, -fl, fl)
    level = (value + 1).astype(np.int8)
    form = form_on(objective, graph)
    stats = {"rounds": rounds, "layers": layers}
    return wrap(graph, objective, form, level, when, "fraenkel-levy", stats)


def label(graph: Graph, progress: Any = None) -> tuple[Int8Array, Int32Array, int]:
    """FL of every position, the round that labelled it (NO_DISTANCE for D), and N.

    >>> fl, when, rounds = label(Graph.from_edges([(0, 1), (1, 2), (3, 3)]))
    >>> fl.tolist(), when.tolist(), rounds
    ([-1, 1, -1, 0], [2, 1, 0, -1], 2)
    """
    n, terminals = graph.n, graph.terminals
    predecessors = Moves(*graph.reverse)
    owner = np.empty(0, np.int8) if graph.owner is None else graph.owner
    left = graph.out_degree.copy()
    fl, when = np.zeros(n, np.int8), np.full(n, NO_DISTANCE, np.int32)
    fl[terminals], when[terminals] = -1, 0
    queue = np.empty(n, np.int32)
    queue[: terminals.size] = terminals
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.TAIL] = terminals.size
    labelling = k.Labelling(fl, when, left, queue)
    while not k.fraenkel_levy(predecessors, owner, labelling, state, BUDGET):
        if progress is not None:
            progress(int(state[k.TAIL]), n, "labelled")
    return fl, when, int(state[k.ROUND])
