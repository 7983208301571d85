"""An order of the positions in which successors come first, or a cycle that excludes it.

This is Kahn's algorithm, run as the retrograde wave of a game in which one player owns every
position and the other forces the end. The distances of that game are the *heights*, the greatest
numbers of moves to an end. Graphs that are already numbered in such an order, upwards or downwards,
need no reverse moves. O(V + E).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.sums.grundy import height_pass
from zermelo._kernels.terminal.retrograde import Scheme, Situations, read_distances
from zermelo._runtime.progress import Report
from zermelo.errors import SolverError
from zermelo.graph import Graph
from zermelo.labels import Int32Array
from zermelo.solvers.terminal.drive import run_phases

SLICE = 1 << 21
"""Positions and moves of one call of a kernel, on average."""


class Order(NamedTuple):
    """Positions, successors first, and heights.

    A position that leads to a cycle has height -1 and is not among ``positions``.
    """

    positions: Int32Array
    height: Int32Array


def numbered(graph: Graph) -> int:
    """Whether all moves go to lower (-1) or to higher numbers (+1), else 0.

    >>> numbered(Graph.from_edges([(0, 1), (0, 2), (1, 2)]))
    1
    """
    up = down = True
    for start, stop in slices(graph):
        begin, end = graph.indptr[start:stop], graph.indptr[start + 1 : stop + 1]
        rows = np.flatnonzero(begin < end)
        up = up and bool((graph.indices[begin[rows]] > rows + start).all())
        down = down and bool((graph.indices[end[rows] - 1] < rows + start).all())
        if not (up or down):
            return 0
    return 1 if up else -1


def slices(graph: Graph) -> Iterator[tuple[int, int]]:
    """The positions ``0 … n - 1`` in intervals, one for each call of a kernel."""
    size = SLICE * graph.n // (graph.n + graph.m) + 1 if graph.n else 1
    for start in range(0, graph.n, size):
        yield start, min(start + size, graph.n)


def successors_first(graph: Graph, progress: Report | None = None) -> Order:
    """Order all positions that lead to no cycle.

    >>> order = successors_first(Graph.from_edges([(0, 1), (1, 2), (3, 3)]))
    >>> order.positions.tolist(), order.height.tolist()
    ([2, 1, 0], [2, 1, 0, -1])
    """
    n = graph.n
    if direction := numbered(graph):
        positions = np.arange(n, dtype=np.int32)[::-direction].copy()
        height = np.empty(n, np.int32)
        for start, stop in slices(graph):
            height_pass(graph.indptr, graph.indices, positions, start, stop, height)
            if progress is not None:
                progress(stop, n, "ordered")
        return Order(positions, height)
    status = 2 * graph.out_degree + np.int32(1)  # number of moves and owner 1, see the kernel
    status[graph.terminals] = ~0
    queue = np.empty(n, np.int32)
    tick = None if progress is None else lambda done: progress(done, n, "ordered")
    ends = np.array([0, graph.terminals.size], np.int64)
    situations, owned = Situations(status, queue), Scheme(shift=0, flip=0, agree=0)
    predecessors = Moves(*graph.reverse)
    tails = run_phases(predecessors, situations, graph.terminals, ends, owned, tick)
    read_distances(status)
    return Order(queue[: tails[0]], status)


def find_cycle(graph: Graph, height: Int32Array) -> list[int]:
    """A cycle as position numbers, of which the first and the last are the same.

    From a position of height -1, some move leads to another one.

    >>> g = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "b")])
    >>> find_cycle(g, successors_first(g).height)
    [1, 2, 1]
    """
    v = int(np.argmin(height))
    seen: dict[int, int] = {}
    walk: list[int] = []
    while v not in seen:
        seen[v] = len(walk)
        walk.append(v)
        row = graph.successors(v)
        v = int(row[np.argmin(height[row])])
    return [*walk[seen[v] :], v]


def refuse_cycle(graph: Graph, height: Int32Array, instead: str) -> None:
    """Raise an error that names a cycle, if there is one."""
    if height.size and height.min() < 0:
        cycle = find_cycle(graph, height)
        names = [str(graph.name(v)) for v in cycle]
        if len(names) > 8:
            names = [*names[:4], "…", *names[-2:]]
        raise SolverError(
            f"expected a graph without cycles, got the cycle {' → '.join(names)}; {instead}"
        )
