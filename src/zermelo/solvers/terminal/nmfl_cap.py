"""NMFL with the set operation CAP, Löwe's remark on how it becomes linear: O(V + E).

After Theorem 4.3 the paper replaces the loop over all successors, lines 215 and 225 of Figure 3, by
two questions, with sets that hold the positions which have a label at present:

    211  IF Lverts[G,1-e] CAP Outbound[G,i] != EMPTY THEN
    216     aux:=W;
    221  ELSE
    226     IF Dverts[G,1-e] CAP Outbound[G,i] != EMPTY THEN
    231        aux:=D;

If CAP is one step, then a call of Label takes a bounded number of steps, and Prop. 4.2 gives
O(V + E).

Reference: [Loewe2004] §4, after Theorem 4.3. Notation as in :mod:`zermelo.solvers.terminal.nmfl`:

| paper                                     | code                                               |
|-------------------------------------------|----------------------------------------------------|
| executions of lines 211 and 226           | ``stats["steps"]``, at most 2 for each call        |
| changes of the sets, seen by predecessors | ``stats["updates"]``, at most 4·E                  |

**What the paper leaves open.**

- How CAP can be one step. A machine has no such instruction: with bit sets a CAP takes V/64
  instructions, with lists up to E steps. Only the emptiness of the intersection matters, though, so
  here each situation (i, e) has the *sizes* of its two intersections as counters, and the question
  is one comparison.
- The bookkeeping. It is not written down which lines change the sets; every line that assigns a
  label must do so: 050, 060, 110, 140 and 255. Here such a change updates the counters of all
  predecessors at once, before the first of them is labelled. Updating them one by one between the
  recursive calls would let a nested call read old sizes, and the order of the changes would not be
  that of Figure 3. By Prop. 4.1 a label changes at most twice, so there are at most 4·E updates.
- If both intersections are empty, aux keeps the value L of line 205. Wverts is never read.

Hence the algorithm is linear on an ordinary machine as well, without CAP as a basic step, and
labels, indices and strategies are exactly those of NMFL. It is a second linear-time algorithm, not
the same as retrograde analysis: it works depth first and revises labels. Distances come from the
attractors of the default solver, as in NMFL.
"""

from typing import Any

from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.solutions.base import Solution
from zermelo.solvers.terminal.nmfl import label_game


def solve(graph: Graph, objective: Objective, progress: Any = None) -> Solution:
    """Solve the asymmetric game with alternating players; ``stats`` as for NMFL, and ``updates``.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("root", "t"), ("root", "u"), ("root", "v")])
    >>> s = solve(g, zm.Asymmetric())
    >>> s.label.tolist()
    [[1, 0], [0, -1], [0, -1], [0, -1]]
    >>> [s.stats[name] for name in ("label_calls", "steps", "updates", "changes")]
    [6, 7, 6, 8]
    """
    return label_game(graph, objective, progress, capped=True)
