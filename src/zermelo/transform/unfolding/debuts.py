"""The tree of debuts: a game of no return as a game on an arborescence."""

from collections.abc import Hashable

import numpy as np

from zermelo._inputs.values import sealed, whole_number
from zermelo.errors import InvalidGraphError, LimitError
from zermelo.graph import Graph, as_graph
from zermelo.transform.unfolding.unravel import UnravelledTree

MOST_DEBUTS = 1_000_000
"""The largest tree that :func:`debut_tree` makes, unless it is asked for more."""


def debut_tree(
    graph: Graph, start: Hashable, depth: int | None = None, *, limit: int = MOST_DEBUTS
) -> UnravelledTree:
    """The arborescence T of all debuts from ``start``, which is the part of the unravelled tree
    whose walks visit no position twice.

    Reference: [EdmondsGurvich2010] §2.4. A *debut* is a simple path that begins at the start.
    Normal play on T is the game of no return, and the Sprague–Grundy value of the root is the EGGS
    value of the start. T may be exponentially large: it is refused with a :class:`LimitError` if it
    has more than ``limit`` debuts, and ``depth`` cuts it that many moves below the root; what is
    cut off is in :attr:`Graph.cut`, and ``solve`` and ``grundy`` refuse such a tree.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> tree = debut_tree(g, "c")
    >>> tree.graph.names
    (('c',), ('c', 'a'), ('c', 'b'), ('c', 'a', 'b'))
    >>> zm.grundy(tree.graph)[("c",)] == zm.eggs(g, "c") == 2
    True
    """
    graph = as_graph(graph)
    s = graph.index(start)
    depth = (
        graph.n if depth is None else whole_number(depth, "depth", None, error=InvalidGraphError)
    )
    if depth < 0:
        raise InvalidGraphError(f"depth: expected 0 or more, got {depth}")
    limit = whole_number(limit, "limit")
    paths: list[tuple[int, ...]] = [(s,)]
    degree: list[int] = []
    cut: list[bool] = []
    # Invariant: paths are in breadth-first order; degree[:k] and cut[:k] describe paths[:k].
    for path in paths:
        fresh = [w for w in graph.successors(path[-1]).tolist() if w not in path]
        cut.append(bool(fresh) and len(path) > depth)
        fresh = [] if cut[-1] else fresh
        degree.append(len(fresh))
        paths.extend((*path, w) for w in fresh)
        if len(paths) > limit:
            raise LimitError(
                f"the tree of debuts from {graph.name(s)!r} has more than {limit:,} debuts; a "
                "depth cuts it, and eggs and the objective no-return need no tree"
            )
    position = np.array([path[-1] for path in paths], np.int32)
    indptr = np.zeros(position.size + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    owner = None if graph.owner is None else graph.owner[position]
    names = tuple(tuple(graph.name(v) for v in path) for path in paths)
    targets = np.arange(1, position.size, dtype=np.int32)
    tree = Graph._of(indptr, targets, owner, names, np.array(cut, bool))
    depths = np.array([len(path) - 1 for path in paths], np.int32)
    return UnravelledTree(tree, sealed(position), sealed(depths))
