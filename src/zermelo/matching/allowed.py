"""The edges that some maximum matching has, and the positions exposed without a given position.

In the game of no return on a symmetric graph these are the winning moves: from v, which is not in
D, a move to w wins exactly if v–w is in some maximum matching, that is if w is in D(G − v).

By the Gallai–Edmonds theorem all edges with an end in D are in some maximum matching: a component
of D is factor-critical, and every non-empty subset S of A has neighbours in more than |S| of them.
No edge between A and A or C is in any. What remains is C, where every maximum matching is perfect:

1. *The bipartite double cover.* An edge in a perfect matching of C is in one of the cover. In the
   cover, strong components decide this in O(E): v → mate(w) is an arc for every edge v–w, and the
   edge is in a perfect matching of the cover exactly if the arc stays in its component. All other
   edges are excluded. Where a component contains none of its mates, the remaining graph is
   bipartite and all its edges are allowed. Elsewhere, bridges are decided by the parity of their
   sides. The step is repeated while it excludes edges.
2. *More matchings.* In the rest, a perfect matching that starts with undecided edges shows that
   many of them are allowed; this is repeated while it finds enough of them.
3. *Searches*, one for each edge that is still undecided, see
:mod:`zermelo._kernels.geography.allowed_edges`.

Cost: O(E) for step 1; at worst a search for each edge, O(E) each, for the others. Reference:
[LovaszPlummer1986], for the theorem and the strong components.
"""

from collections.abc import Hashable

import numpy as np

from zermelo._inputs.values import shown
from zermelo._kernels.geography.allowed_edges import (
    ALLOWED,
    FORBIDDEN,
    UNKNOWN,
    BridgeSearch,
    cut_bridges,
    decide,
    root_at_mate,
)
from zermelo._kernels.geography.matching import NOBODY
from zermelo._kernels.graphs.components import strong_components
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.progress import Report
from zermelo.errors import InvalidOptionError
from zermelo.labels import BoolArray, Int8Array, Int32Array
from zermelo.matching._forest import STEP, Forest, Rows, greedy_matching, restrict
from zermelo.matching.maximum import A, C, D, Matching

REDUCTIONS = 16
"""The greatest number of repetitions of step 1."""

ROUND_PAYS = 64
"""Step 2 is repeated while a round decides at least one edge for every this many vertices."""


def inessential_without(matching: Matching, position: Hashable) -> BoolArray:
    """D(G − v): the positions that some maximum matching without ``position`` leaves exposed.

    At most one search, O(E), and none for the positions of A.

    >>> import zermelo as zm
    >>> m = zm.maximum_matching(zm.Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> inessential_without(m, 0).tolist()
    [False, True, False, True]
    """
    v = _matching(matching).graph.index(position)
    if matching.part[v] == A:
        return matching.inessential
    if matching.part[v] == C:  # nothing changes outside C
        forest = Forest(matching.rows, matching.mate, matching.part != C)
        root_at_mate(forest.arrays, forest.state, v)
        return np.asarray(forest.grow().even | matching.inessential)
    mate, removed = matching.mate.copy(), np.zeros(matching.graph.n, bool)
    removed[v] = True
    if mate[v] >= 0:
        mate[mate[v]] = mate[v] = NOBODY
    return Forest(matching.rows, mate, removed).grow().even


def allowed_moves(matching: Matching, progress: Report | None = None) -> BoolArray:
    """Whether each move of the graph, in the order of ``graph.indices``, is in a maximum matching.

    On a symmetric graph, a move wins the game of no return if this holds and its source is not in
    ``matching.inessential``.

    >>> import zermelo as zm
    >>> path = zm.Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> allowed_moves(zm.maximum_matching(path)).tolist()
    [True, False, True]
    """
    matching = _matching(matching)
    graph, rows, part = matching.graph, matching.rows, matching.part
    source = np.repeat(part, np.diff(rows[0]))
    target = part[rows[1]]
    allowed = (source == D) | (target == D)
    inside, kept = restrict(rows, part == C, np.ones(rows[1].size, bool))
    number = np.cumsum(part == C, dtype=np.int32) - np.int32(1)
    allowed[kept] = _in_perfect_matchings(inside, number[matching.mate[part == C]], progress)
    if rows[1] is graph.indices:
        return np.asarray(allowed)
    # The graph has loops, or moves of one direction only: find each move among the edges.
    edges = np.repeat(np.arange(graph.n), np.diff(rows[0])) * graph.n + rows[1]
    moves = np.repeat(np.arange(graph.n), graph.out_degree) * graph.n + graph.indices
    at = np.minimum(np.searchsorted(edges, moves), max(edges.size - 1, 0))
    return np.asarray(allowed[at] & (edges[at] == moves) if edges.size else np.zeros(graph.m, bool))


def _matching(given: Matching) -> Matching:
    """The matching, checked: kernels follow its mates."""
    if not isinstance(given, Matching):
        raise InvalidOptionError(f"expected a Matching, got {shown(given)}")
    return given.proved


def _in_perfect_matchings(rows: Rows, mate: Int32Array, progress: Report | None) -> BoolArray:
    """Whether each edge is in a perfect matching, given one."""
    n, everything = mate.size, np.ones(mate.size, bool)
    allowed = np.ones(rows[1].size, bool)
    for _ in range(REDUCTIONS):
        (indptr, indices), kept = restrict(rows, everything, allowed)
        mark = np.zeros(n, np.int32)
        order, path, at = np.empty(n, np.int32), np.empty(2 * n, np.int32), np.empty(n, np.int64)
        strong_components(indptr, mate[indices], mark, order, path, at, 0, n)
        allowed[kept] = np.repeat(mark, np.diff(indptr)) == mark[mate[indices]]
        odd = mark == mark[mate]
        if not odd.any():
            return allowed
        rest, kept = restrict(rows, odd, allowed)
        own = (np.cumsum(odd, dtype=np.int32) - np.int32(1))[mate[odd]]
        verdict = np.full(kept.size, UNKNOWN, np.int8)
        number = np.zeros(own.size, np.int32)
        search = BridgeSearch(number, np.empty_like(number), path, at)
        cut = cut_bridges(Moves(*rest), own, verdict, search)
        allowed[kept[verdict == FORBIDDEN]] = False
        if not cut:
            break
    rest, kept = restrict(rows, odd, allowed)
    allowed[kept] = _by_matchings(rest, own, progress) == ALLOWED
    return allowed


def _by_matchings(rows: Rows, mate: Int32Array, progress: Report | None) -> Int8Array:
    """Decide every edge: by more perfect matchings, then by searches."""
    indptr, indices = rows
    n = mate.size
    source = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
    verdict = np.where(indices == mate[source], ALLOWED, UNKNOWN).astype(np.int8)
    everything, decided = np.ones(n, bool), n
    while decided * ROUND_PAYS >= n:
        unknown, _ = restrict(rows, everything, verdict == UNKNOWN)
        initial = greedy_matching(rows, given=greedy_matching(unknown))
        another = Forest(rows, initial).grow().mate
        fresh = (verdict == UNKNOWN) & (indices == another[source])
        verdict[fresh] = ALLOWED
        decided = int(fresh.sum()) // 2
        if progress is not None:
            progress(int((verdict != UNKNOWN).sum()), verdict.size, "decided")
    forest, v = Forest(rows, mate), 0
    neighbours = Moves(*rows)
    while v < n:
        v = decide(neighbours, forest.arrays, forest.state, verdict, v, STEP)
        if progress is not None:
            progress(int((verdict != UNKNOWN).sum()), verdict.size, "decided")
    return verdict
