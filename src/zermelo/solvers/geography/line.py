"""No repetition as no return: the line digraph, with one additional arc into every start.

Its nodes are the moves of the graph, by their index in ``indices``, and after them one node for
each start, for an arc that leads there from nowhere. A node has a move to every move that begins
where it ends. A player who repeats a move returns to its node. O(Σ in-degree · out-degree).

Reference: [EdmondsGurvich2010] Proposition 1. Differs from the paper: here every start has its arc
at the same time, which is correct because nothing leads to such an arc. ``Repetition`` needs no
line digraph, see :class:`~zermelo.objectives.geography.Repetition`.
"""

import numpy as np

from zermelo._runtime import memory
from zermelo.graph import Graph, as_graph


def line_digraph(graph: Graph) -> Graph:
    """The line digraph, followed by the nodes of the starts.

    >>> line_digraph(Graph.from_edges([(0, 1), (1, 0), (1, 1)])).to_edges().tolist()
    [[0, 1], [0, 2], [1, 0], [2, 1], [2, 2], [3, 0], [4, 1], [4, 2]]
    """
    graph = as_graph(graph)
    ends = np.concatenate([graph.indices, np.arange(graph.n, dtype=np.int32)])
    degree = graph.out_degree[ends].astype(np.int64)
    indptr = np.zeros(ends.size + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    memory.require(
        20 * int(indptr[-1]) + 8 * ends.size,
        f"the line digraph of {ends.size:,} nodes and {int(indptr[-1]):,} moves",
        "set ZERMELO_MEMORY to allow more, or solve the part that one start reaches",
    )
    at = np.arange(indptr[-1]) + np.repeat(graph.indptr[ends] - indptr[:-1], degree)
    return Graph._of(indptr, at.astype(np.int32))
