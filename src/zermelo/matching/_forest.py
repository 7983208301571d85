"""Run the kernels of matching in short steps, so that progress is reported and Ctrl-C works."""

import numpy as np

from zermelo._kernels.geography.matching import (
    BUDGET,
    EVEN,
    EXPOSED,
    FREE,
    KIND,
    MATE,
    NOBODY,
    ODD,
    ONE,
    STATE_SIZE,
    TWO,
    greedy,
    grow,
    loops_if_symmetric,
    merge_rows,
    plant,
)
from zermelo._kernels.geography.matching import Forest as ForestArrays
from zermelo._kernels.graphs.attractor import CACHED
from zermelo._kernels.graphs.numbering import breadth_first, renumber
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.graphs.reverse import build_reverse, has_locality
from zermelo._runtime.progress import Report
from zermelo.graph import Graph
from zermelo.labels import BoolArray, Int8Array, Int32Array, Int64Array, read_only

Rows = tuple[Int64Array, Int32Array]

STEP = 1 << 21
"""Vertices and edges of one step, which takes about fifty milliseconds."""


def undirected(graph: Graph) -> Rows:
    """The neighbours of each position, increasing: by a move in either direction, without loops.

    O(V + E); the arrays of the graph itself if it is symmetric and without loops.

    >>> [a.tolist() for a in undirected(Graph.from_edges([(0, 1), (2, 1), (1, 2), (2, 2)]))]
    [[0, 1, 3, 4], [1, 0, 2, 1]]
    """
    indptr, indices = graph.indptr, graph.indices
    # With locality, a direct check is faster than computing the reverse moves.
    has_near_targets = graph.n <= CACHED or has_locality(indices)
    if has_near_targets and loops_if_symmetric(indptr, indices, indptr.copy()) == 0:
        return indptr, indices
    reverse = graph.reverse if "reverse" in graph.__dict__ else build_reverse(indptr, indices)
    if np.array_equal(indptr, reverse[0]) and np.array_equal(indices, reverse[1]):
        source = np.repeat(np.arange(graph.n, dtype=np.int32), graph.out_degree)
        if not (source == indices).any():
            return indptr, indices
    out, out_indptr = np.empty(2 * graph.m, np.int32), np.empty(graph.n + 1, np.int64)
    count = merge_rows(indptr, indices, *reverse, out, out_indptr)
    return read_only(out_indptr), read_only(out[:count].copy())


def near(rows: Rows) -> tuple[Int32Array | None, Rows]:
    """An order of the vertices with better locality, and the rows in it; None if it would not help.

    >>> near((np.array([0, 1, 2]), np.array([1, 0], np.int32)))
    (None, (array([0, 1, 2]), array([1, 0], dtype=int32)))
    """
    indptr, indices = rows
    n = indptr.size - 1
    if n <= CACHED or has_locality(indices):
        return None, rows
    number, order = np.full(n, -1, np.int32), np.empty(n, np.int32)
    breadth_first(indptr, indices, number, order)
    out_indptr, out = np.empty_like(indptr), np.empty_like(indices)
    renumber(indptr, indices, number, order, out_indptr, out)
    return order, (out_indptr, out)


def restrict(rows: Rows, vertices: BoolArray, edges: BoolArray) -> tuple[Rows, Int64Array]:
    """The rows of some vertices, renumbered, with some of the edges; and which edges these are.

    >>> rows = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32)
    >>> restrict(rows, np.array([False, True, True]), np.ones(4, bool))
    ((array([0, 1, 2]), array([1, 0], dtype=int32)), array([2, 3]))
    """
    indptr, indices = rows
    number = np.cumsum(vertices, dtype=np.int32) - np.int32(1)
    kept = np.flatnonzero(edges & vertices[indices] & np.repeat(vertices, np.diff(indptr)))
    start = np.searchsorted(kept, indptr[:-1][vertices])
    return (np.append(start, kept.size), number[indices[kept]]), kept


def greedy_matching(
    rows: Rows, progress: Report | None = None, given: Int32Array | None = None
) -> Int32Array:
    """A matching to which no edge can be added, as mates; it has the edges of the ``given`` one.

    >>> greedy_matching((np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32))).tolist()
    [-1, 2, 1]
    """
    indptr, indices = rows
    n = indptr.size - 1
    mate, degree = np.full(n, NOBODY, np.int32), np.diff(indptr).astype(np.int32)
    if given is not None:
        mate, exposed = given.copy(), given < 0
        source = np.repeat(np.arange(n, dtype=np.int32), degree)
        both_exposed = exposed[source] & exposed[indices]
        degree = np.bincount(source[both_exposed], minlength=n).astype(np.int32)
    one, two = np.flatnonzero(degree == 1), np.flatnonzero(degree == 2)[::-1]
    stack, state = np.empty(2 * n, np.int32), np.zeros(STATE_SIZE, np.int64)
    stack[: one.size] = one
    stack[2 * n - two.size :] = two
    state[ONE], state[TWO], state[BUDGET] = one.size, 2 * n - two.size, STEP
    while not greedy(indptr, indices, mate, degree, stack, state):
        if progress is not None:
            progress(int((mate >= 0).sum()), n, "matched")
    return mate


class Forest:
    """A matching that grows, and the arrays that the kernels share.

    The exposed vertices are the roots, except those that are ``removed``.
    """

    def __init__(
        self,
        rows: Rows,
        mate: Int32Array,
        removed: BoolArray | None = None,
        progress: Report | None = None,
    ) -> None:
        n = mate.size
        self.rows, self.mate, self.progress, self.n = rows, mate, progress, n
        self.status: Int8Array = np.full(n, FREE, np.int8)
        if removed is not None:
            self.status[removed] = ODD
        links, queue, stack = (np.empty(size, np.int32) for size in (8 * n, n, 2 * n))
        self.arrays = ForestArrays(self.status, links, queue, stack)
        self.state: Int64Array = np.zeros(STATE_SIZE, np.int64)
        self.state[BUDGET] = STEP
        plant(self.mate, self.arrays, self.state)

    def grow(self) -> "Forest":
        """Augment until the matching is maximum."""
        neighbours = Moves(*self.rows)
        while not grow(neighbours, self.arrays, self.state):
            if self.progress is not None:
                self.progress(self.n - int(self.state[EXPOSED]), self.n, "matched")
        self.mate = self.arrays.links[MATE::8].copy()
        return self

    @property
    def even(self) -> BoolArray:
        """Whether each vertex is even in a tree; in the end these are the vertices of D."""
        return np.asarray(self.status & KIND >= EVEN)
