"""G_s*: a graph with a new position before its start."""

from collections.abc import Hashable

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo._inputs.values import one_of, shown
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph


def with_root(
    graph: Graph, start: Hashable, name: Hashable = "*", *, owner: int | None = None
) -> Graph:
    """The graph G_s*: a new last position x with one move, to ``start``.

    Reference: [Loewe2004] §3.3, where this makes every position reachable with either player to
    move. If the graph has no names, the old numbers become names. In an owned graph the new
    position belongs to ``owner``, by default to the opponent of the start's owner.

    >>> g = with_root(Graph.from_edges([("s", "t")]), "s")
    >>> g.names, g.to_edges().tolist()
    (('s', 't', '*'), [[0, 1], [2, 0]])
    """
    graph = as_graph(graph)
    if graph.n >= MAX_POSITIONS:
        raise InvalidGraphError(f"expected fewer than {MAX_POSITIONS:,} positions, got {graph.n:,}")
    s = graph.index(start)
    names = tuple(graph)
    try:
        taken = name in set(names)
    except TypeError:
        raise InvalidGraphError(f"expected a hashable name, got {shown(name)}") from None
    if taken:
        raise InvalidGraphError(f"expected a new name for the root, but {shown(name)} is taken")
    owners = None
    if graph.owner is not None:
        root_owner = 1 - int(graph.owner[s]) if owner is None else owner
        one_of(root_owner, "owner of the root", (0, 1), InvalidGraphError)
        owners = np.append(graph.owner, np.int8(root_owner))
    elif owner is not None:
        raise InvalidGraphError("owner of the root: the graph has no owners")
    indptr = np.append(graph.indptr, graph.m + 1)
    indices = np.append(graph.indices, np.int32(s))
    return Graph._of(indptr, indices, owners, (*names, name))
