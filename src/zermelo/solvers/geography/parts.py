"""Strong components of parts of a graph, and parts as graphs of their own."""

import numpy as np

from zermelo._kernels.graphs.components import strong_components
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array, Int64Array


class Parts:
    """Extracts parts of one graph, each in time proportional to its own moves.

    >>> parts = Parts(Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)]))
    >>> [part.tolist() for part in parts.components(np.array([0, 1, 2]))]
    [[2], [0, 1]]
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._local = np.full(graph.n, -1, np.int32)

    def moves(self, part: AnyArray) -> tuple[Int64Array, Int32Array, Int32Array]:
        """The moves of some positions: the source (its index in the part), the target, and the
        index of the target in the part (−1 outside)."""
        graph = self.graph
        degree = graph.out_degree[part].astype(np.int64)
        source = np.repeat(np.arange(part.size, dtype=np.int64), degree)
        begin = np.cumsum(degree) - degree
        at = np.arange(source.size) + np.repeat(graph.indptr[part] - begin, degree)
        target = graph.indices[at]
        self._local[part] = np.arange(part.size, dtype=np.int32)
        inside = self._local[target]
        self._local[part] = -1
        return source, target, inside

    def induced(self, part: AnyArray) -> Graph:
        """The part as a graph without loops; positions are numbered by their index in the part."""
        source, _, inside = self.moves(part)
        kept = (inside >= 0) & (inside != source)
        indptr = np.zeros(part.size + 1, np.int64)
        np.cumsum(np.bincount(source[kept], minlength=part.size), out=indptr[1:])
        return Graph._of(indptr, inside[kept])

    def components(self, part: AnyArray) -> list[Int32Array]:
        """The strong components of the part; each comes after those that its moves lead to."""
        graph, k = self.induced(part), part.size
        mark, order = np.zeros(k, np.int32), np.zeros(k, np.int32)
        path, at = np.zeros(2 * k, np.int32), np.zeros(k, np.int64)
        strong_components(graph.indptr, graph.indices, mark, order, path, at, 0, k)
        cuts = np.flatnonzero(np.diff(mark[order])) + 1
        return [np.sort(part[group]).astype(np.int32) for group in np.split(order, cuts)]


def is_symmetric(graph: Graph) -> bool:
    """Whether every move has its reverse.

    >>> is_symmetric(Graph.from_edges([(0, 1), (1, 0), (1, 1)]))
    True
    """
    source = np.repeat(np.arange(graph.n, dtype=np.int64), graph.out_degree)
    target = graph.indices.astype(np.int64)
    return bool(np.array_equal(source * graph.n + target, np.sort(target * graph.n + source)))
