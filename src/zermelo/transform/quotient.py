"""Quotients of a graph by an equivalence relation."""

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import plain_array
from zermelo._kernels.graphs.bisimulation import number_by_appearance
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int32Array, Int64Array


def quotient(graph: Graph, partition: npt.ArrayLike) -> Graph:
    """The quotient graph G/≡: its positions are classes; any move between members is a move.

    Reference: [Loewe2004] §2.1. ``partition`` has a class number for every position. Classes are
    renumbered by first appearance; if the graph has names, a class has the name of its first
    member. In an owned graph the members of a class must have the same owner.

    >>> g = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> h = quotient(g, [7, 3, 7, 5])
    >>> h.names, h.to_edges().tolist()
    (('a', 'b', 'd'), [[0, 1], [0, 2], [1, 0]])
    """
    graph = as_graph(graph)
    classes = canonical_partition(partition, graph.n)
    first = first_members(classes)
    check_owners(graph, classes, first)
    sources = np.repeat(classes, graph.out_degree)
    return _build(graph, classes, first, sources, classes[graph.indices])


def quotient_by_bisimulation(graph: Graph, classes: Int32Array) -> Graph:
    """The quotient by a bisimulation, numbered by first appearance; one member has all moves."""
    first = first_members(classes)
    degree = graph.out_degree[first].astype(np.int64)
    sources = np.repeat(np.arange(first.size), degree)
    start = graph.indptr[first] - (np.cumsum(degree) - degree)
    moves = np.arange(sources.size) + start[sources]
    return _build(graph, classes, first, sources, classes[graph.indices[moves]])


def canonical_partition(partition: npt.ArrayLike, n: int) -> Int32Array:
    """Class numbers, one for each position, renumbered by first appearance.

    >>> canonical_partition([7, 3, 7, -1], 4).tolist()
    [0, 1, 0, 2]
    """
    given = plain_array(partition, "partition", InvalidGraphError)
    if given.shape != (n,):
        raise InvalidGraphError(f"partition: expected {n} class numbers, got shape {given.shape}")
    if n and given.dtype.kind not in "iub":
        raise InvalidGraphError(f"partition: expected integers, got {given.dtype}")
    classes = np.zeros(n, np.int32)
    if n == 0:
        return classes
    low, high = int(given.min()), int(given.max())
    if high - low < 4 * n:  # dense enough to avoid sorting
        code, span = given.astype(np.int64) - np.int64(low), high - low + 1
    else:
        distinct, code = np.unique(given, return_inverse=True)
        span = distinct.size
    number_by_appearance(code.astype(np.int32), np.full(span, -1, np.int32), classes)
    return classes


def first_members(classes: Int32Array) -> Int64Array:
    """The least member of each class, for a partition that is numbered by first appearance.

    >>> first_members(np.array([0, 1, 0, 2])).tolist()
    [0, 1, 3]
    """
    if classes.size == 0:
        return np.zeros(0, np.int64)
    highest = np.maximum.accumulate(classes)
    return np.flatnonzero(np.diff(highest, prepend=np.int32(-1)))


def check_owners(graph: Graph, classes: Int32Array, first: Int64Array) -> None:
    """Raise an error unless the members of each class have the same owner."""
    if graph.owner is None:
        return
    wrong = graph.owner != graph.owner[first][classes]
    if wrong.any():
        v = int(np.argmax(wrong))
        u = int(first[classes[v]])
        raise InvalidGraphError(
            f"expected one owner for each class, but {graph.name(u)!r} and {graph.name(v)!r} are "
            f"in one class and belong to players {graph.owner[u]} and {graph.owner[v]}"
        )


def _build(
    graph: Graph, classes: Int32Array, first: Int64Array, sources: AnyArray, targets: AnyArray
) -> Graph:
    owner = None if graph.owner is None else graph.owner[first]
    names = None if graph.names is None else tuple(graph.names[v] for v in first.tolist())
    return Graph.from_arrays(sources, targets, first.size, owner, names)
