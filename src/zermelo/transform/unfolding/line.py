"""The line digraph: its positions are the moves of a graph."""

from collections.abc import Hashable

import numpy as np

from zermelo._runtime import memory
from zermelo.graph import Graph, as_graph
from zermelo.transform.unfolding.star import with_root


def line_digraph(graph: Graph, start: Hashable | None = None, *, root: Hashable = "*") -> Graph:
    """The line digraph L(D): a position for each move, and a move to every move that can follow.

    Reference: [EdmondsGurvich2010] Proposition 1. O(Σ in-degree · out-degree). The move from u to v
    becomes the position with the name ``(name of u, name of v)``, in the order of
    :meth:`Graph.to_edges`. In an owned graph it belongs to the owner of v, who moves next.

    With a ``start``, D first gets a new position ``root`` with one move to the start, as in the
    paper. Then the last position of the line digraph is ``(root, start)``, and the game of no
    repetition from the start is the game of no return from there.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")])
    >>> lines = line_digraph(g, "a")
    >>> lines.names
    (('a', 'b'), ('b', 'a'), ('b', 'c'), ('*', 'a'))
    >>> lines.to_edges().tolist()
    [[0, 1], [0, 2], [1, 0], [3, 0]]
    >>> zm.solve(lines, zm.NoReturn())[("*", "a")].label
    <Label.LOSE: -1>
    >>> zm.solve(g, zm.NoRepetition())["a"].label
    <Label.LOSE: -1>
    """
    graph = as_graph(graph)
    if start is not None:
        graph = with_root(graph, start, root)
    ends = graph.indices
    degree = graph.out_degree[ends].astype(np.int64)
    indptr = np.zeros(ends.size + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    memory.require(
        20 * int(indptr[-1]) + 200 * ends.size,
        f"the line digraph of {ends.size:,} moves with {int(indptr[-1]):,} moves",
        "set ZERMELO_MEMORY to allow more, or take a part of the graph",
    )
    following = np.arange(indptr[-1]) + np.repeat(graph.indptr[ends] - indptr[:-1], degree)
    owner = None if graph.owner is None else graph.owner[ends]
    names = tuple((graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist())
    return Graph._of(indptr, following.astype(np.int32), owner, names)
