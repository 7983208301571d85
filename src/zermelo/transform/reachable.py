"""The reachable part of a graph, and induced subgraphs."""

from collections.abc import Hashable, Iterable

import numpy as np

from zermelo._kernels.graphs.reachable import reach
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int64Array


def reachable(graph: Graph, start: Hashable) -> Graph:
    """The connected component ConCom(G, v): ``start`` and all positions reachable from it.

    Reference: [Loewe2004] §2.1. O(V + E). Positions keep their order and their names; if the graph
    has no names, the old numbers become names.

    >>> g = Graph.from_edges([(0, 1), (2, 3), (3, 2), (3, 5)], n=6)
    >>> h = reachable(g, 2)
    >>> h.names, h.to_edges().tolist()
    ((2, 3, 5), [[0, 1], [1, 0], [1, 2]])
    """
    return subgraph(graph, reachable_mask(graph, [start]))


def reachable_mask(graph: Graph, starts: Iterable[Hashable] | AnyArray) -> BoolArray:
    """The positions that can be reached from any of ``starts``, including these.

    >>> g = Graph.from_edges([(0, 1), (2, 3), (3, 2), (3, 5)], n=6)
    >>> reachable_mask(g, [0, 3]).tolist()
    [True, True, True, True, False, True]
    """
    graph = as_graph(graph)
    seen = graph.mask(starts).astype(np.int8)
    queue = np.zeros(graph.n, np.int32)
    given = np.flatnonzero(seen)
    queue[: given.size] = given
    reach(graph.indptr, graph.indices, seen, queue, given.size)
    return seen.astype(bool)


def subgraph(graph: Graph, positions: Iterable[Hashable] | AnyArray) -> Graph:
    """The induced subgraph: the given positions, and all moves between them.

    Positions keep their order and their names; if the graph has no names, the old numbers become
    names.

    >>> subgraph(Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")]), ["c", "a"]).names
    ('a', 'c')
    """
    graph = as_graph(graph)
    kept = graph.mask(positions)
    chosen = np.flatnonzero(kept)
    names = tuple(chosen.tolist()) if graph.names is None else tuple(graph.names[v] for v in chosen)
    return induced(graph, kept, chosen, names)


def induced(
    graph: Graph, kept: BoolArray, chosen: Int64Array, names: tuple[Hashable, ...] | None
) -> Graph:
    """The subgraph on the mask ``kept``, with the positions ``chosen`` and these names."""
    number = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    inside = np.repeat(kept, graph.out_degree)
    inside &= kept[graph.indices]
    before = np.zeros(graph.m + 1, np.int64)
    np.cumsum(inside, out=before[1:])
    indptr = np.zeros(chosen.size + 1, np.int64)
    np.cumsum(np.diff(before[graph.indptr])[chosen], out=indptr[1:])
    owner = None if graph.owner is None else graph.owner[chosen]
    return Graph._of(indptr, number[graph.indices[inside]], owner, names)
