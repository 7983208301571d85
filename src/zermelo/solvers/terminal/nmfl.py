"""NMFL, Löwe's non-monotone Fraenkel–Lévy bilabelling of the asymmetric game: O(V + E²).

Every position starts with the labels L/W. A terminal gets D/L. Whenever a label of w changes, Label
recomputes each predecessor v as the supremum of the inverted labels of *all* its successors, and
recurses if that changes v. The labels ℓ₀ only rise and the labels ℓ₁ only fall (Prop. 4.1), hence
Label is called at most 4·E times (Prop. 4.2). Each call reads all successors. A root with n
terminal successors shows that the bound is quadratic: it takes 2 n calls and 2 n² steps.

The default solver does the same in O(V + E). NMFL is kept as the algorithm of the paper, with its
counters, its indices and its strategies; :mod:`zermelo.solvers.terminal.nmfl_cap` is the paper's
remark on how it becomes linear.

Reference: [Loewe2004] §4, Figure 3, Propositions 4.1 and 4.2, Theorems 4.3 and 4.4.

| paper                       | code                                                            |
|-----------------------------|-----------------------------------------------------------------|
| L, D, W; inv                | −1, 0, +1; minus                                                |
| ℓ_e(v), Ell[G,v,e]          | ``label[v, e]``; in the kernel ``ell[2 v + e]``                 |
| Inbound, Outbound           | reverse and forward moves, increasing                           |
| calls of Label              | ``stats["label_calls"]``, at most 4·E                           |
| executions of line 225      | ``stats["steps"]``                                              |
| ind_e(v)                    | ``stats["ind"][v, e]``                                          |
| σ_e(v)                      | ``stats["sigma"][v, e]``, ``NO_MOVE`` at terminals              |

**Time.** The paper numbers the steps of the program. Only their order matters, so here time is the
number of assignments so far that changed a label. It is 0 during the initialisation (lines 050 and
060, for every position) and increases by one after each execution of line 110, 140 or 255. Then
ind_e(v) is the time of the last change of ℓ_e(v), or 0 if there was none. All positive indices
differ, and ``stats["changes"]``, at most 4·V, is the time at the end.

Differs from the paper: the recursion is an explicit stack, in exactly the same order. NMFL computes
no distances: ``distance`` comes from the attractors of the default solver (its ``peel``), while
labels and values are NMFL's own, so the checker compares the two.

Erratum: case 2 of Theorem 4.4 says that if ℓ₀(v) = D, then *all* successors w with ℓ₁(w) = D have
ind₁(w) < ind₀(v). This holds for *some* w only: v is labelled D at the first such w, and another w
may fall from W to D later. One such w is enough, because player 0 moves there, by σ₀. Case 5 is
called the dual of case 2, but it is not exactly the dual: there player 1 moves, and the proof needs
*all* successors. The statement for all is true: ℓ₁(v) = D implies that no successor has ℓ₀ = L any
more, so each has got its D already.
"""

from typing import Any

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal import nmfl as k
from zermelo._runtime import memory
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.labels import Int8Array, Int64Array
from zermelo.objectives import Asymmetric, Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.solutions.base import Solution
from zermelo.solvers.terminal.retrograde import peel, wrap

BUDGET = 1 << 26
"""The number of steps between two reports of progress."""


def solve(graph: Graph, objective: Objective, progress: Any = None) -> Solution:
    """Solve the asymmetric game with alternating players; the table above describes ``stats``.

    >>> s = solve(Graph.from_edges([("root", "t"), ("root", "u"), ("root", "v")]), Asymmetric())
    >>> s.label.tolist()
    [[1, 0], [0, -1], [0, -1], [0, -1]]
    >>> s.stats["label_calls"], s.stats["steps"], s.stats["changes"]
    (6, 18, 8)
    >>> s.stats["ind"].tolist()
    [[3, 7], [1, 2], [4, 5], [6, 8]]
    """
    return label_game(graph, objective, progress)


def label_game(
    graph: Graph, objective: Objective, progress: Any = None, *, capped: bool = False
) -> Solution:
    """The solution by NMFL; if ``capped``, by its variant with CAP.

    >>> label_game(Graph.from_edges([(0, 1)]), Asymmetric(), capped=True).solver
    'nmfl-cap'
    """
    name = "nmfl-cap" if capped else "nmfl"
    if not isinstance(objective, Asymmetric):
        raise SolverError(f"NMFL is for the asymmetric game, got {objective.keyword!r}")
    if graph.owner is not None:
        raise SolverError(
            "NMFL is for players who alternate, but this graph has owners; "
            "use solver 'retrograde', or drop the owners with graph.with_owner(None)"
        )
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * graph.n
    memory.require(
        reverse + graph.n * (2 + 16 + 48 + 8 + 32 + (16 if capped else 0)),
        f"NMFL on {graph.n:,} positions and {graph.m:,} moves",
        "use solver 'retrograde', which needs less, or set ZERMELO_MEMORY to allow more",
    )
    ell, ind, counters = bilabel(graph, progress, capped=capped)
    sigma = np.empty(ell.size, np.int32)
    k.strategies(Moves(graph.indptr, graph.indices), k.Bilabelling(ell, ind), sigma)
    level = ell + np.int8(1)
    level[1::2] = np.int8(1) - ell[1::2]  # from player 1's view to player 0's
    form = form_on(objective, graph)
    _, distance = peel(graph, form)
    stats: dict[str, Any] = {**counters, "ind": ind.reshape(-1, 2), "sigma": sigma.reshape(-1, 2)}
    stats["ind"].flags.writeable = stats["sigma"].flags.writeable = False
    return wrap(graph, objective, form, level, distance, name, stats)


def bilabel(
    graph: Graph, progress: Any = None, *, capped: bool = False
) -> tuple[Int8Array, Int64Array, dict[str, int]]:
    """ℓ and ind, both flat (2 v + e), and the counters: NMFL itself, or its variant with CAP.

    >>> ell, ind, counters = bilabel(Graph.from_edges([(0, 1)]))
    >>> ell.tolist(), ind.tolist(), counters
    ([1, 0, 0, -1], [4, 2, 1, 3], {'label_calls': 2, 'steps': 2, 'changes': 4})
    """
    size = 2 * graph.n
    ell = np.empty(size, np.int8)
    ell[0::2], ell[1::2] = -1, 1
    ind = np.zeros(size, np.int64)
    successors, predecessors = Moves(graph.indptr, graph.indices), Moves(*graph.reverse)
    labels = k.Bilabelling(ell, ind)
    kept = size if capped else 0
    counts = k.Counts(np.zeros(kept, np.int32), np.zeros(kept, np.int32))
    if capped:
        counts.lost[1::2] = graph.out_degree  # at first all have ℓ₀ = L and ℓ₁ = W
    stack = k.Stack(np.empty(2 * size, np.int32), np.empty(2 * size, np.int64))
    state = np.zeros(k.STATE_SIZE, np.int64)
    while not k.nmfl(successors, predecessors, labels, counts, stack, state, BUDGET):
        if progress is not None:
            progress(int(state[k.MAIN]) // 2, graph.n, "processed")
    slots = {"label_calls": k.CALLS, "steps": k.STEPS, "changes": k.CLOCK}
    if capped:
        slots["updates"] = k.UPDATES
    return ell, ind, {name: int(state[slot]) for name, slot in slots.items()}
