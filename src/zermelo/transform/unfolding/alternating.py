"""The alternating graph: positions together with the player to move."""

from collections.abc import Hashable

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo._inputs.values import flag
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph
from zermelo.labels import Int64Array
from zermelo.transform.reachable import induced, reachable_mask


def alternating_graph(graph: Graph, start: Hashable | None = None, *, named: bool = True) -> Graph:
    """The alternating graph A_G, or its part A_G^s that can be reached from ⟨0, start⟩.

    Reference: [Loewe2004] §2.2. O(V + E). The situation "token on v, player e to move" has the
    number 2 v + e in A_G, belongs to player e and has the name ``(name of v, e)`` (Löwe writes
    ⟨e, v⟩). Its moves are those of v, to situations of the other player. In A_G^s situations keep
    their order. ``named=False`` omits the names, which take more memory than the moves.

    >>> a = alternating_graph(Graph.from_edges([("a", "b"), ("b", "b")]))
    >>> a.names
    (('a', 0), ('a', 1), ('b', 0), ('b', 1))
    >>> a.to_edges().tolist(), a.owner.tolist()
    ([[0, 3], [1, 2], [2, 3], [3, 2]], [0, 1, 0, 1])
    >>> alternating_graph(Graph.from_edges([("a", "b")]), "a").names
    (('a', 0), ('b', 1))
    """
    graph = as_graph(graph)
    flag(named, "named")
    if graph.owner is not None:
        raise InvalidGraphError("expected a graph whose players alternate, but this one has owners")
    if 2 * graph.n > MAX_POSITIONS:
        raise InvalidGraphError(f"2 × {graph.n:,} situations are more than {MAX_POSITIONS:,}")
    indptr = np.zeros(2 * graph.n + 1, np.int64)
    np.cumsum(np.repeat(graph.out_degree, 2), out=indptr[1:])
    indices = np.empty(2 * graph.m, np.int32)
    # Move k of v is move k + indptr[v] of (v, 0) and move k + indptr[v + 1] of (v, 1).
    move = np.arange(graph.m)
    indices[move + np.repeat(graph.indptr[:-1], graph.out_degree)] = 2 * graph.indices + 1
    indices[move + np.repeat(graph.indptr[1:], graph.out_degree)] = 2 * graph.indices
    owner = np.tile(np.array([0, 1], np.int8), graph.n)
    if start is None:
        names = _situation_names(graph, np.arange(2 * graph.n)) if named else None
        return Graph._of(indptr, indices, owner, names)
    whole = Graph._of(indptr, indices, owner)
    kept = reachable_mask(whole, np.array([2 * graph.index(start)]))
    chosen = np.flatnonzero(kept)
    return induced(whole, kept, chosen, _situation_names(graph, chosen) if named else None)


def _situation_names(graph: Graph, situations: Int64Array) -> tuple[Hashable, ...]:
    return tuple((graph.name(s >> 1), s & 1) for s in situations.tolist())
