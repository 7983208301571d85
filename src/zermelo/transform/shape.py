"""The shape of a graph: cycles, strong components, symmetry, two colours. O(V + E log E)."""

from typing import NamedTuple

import numpy as np

from zermelo.graph import Graph, as_graph
from zermelo.solvers.geography.parts import Parts
from zermelo.transform.classify import classify


class Shape(NamedTuple):
    """What decides which technique solves a game on a graph."""

    kind: str
    """``acyclic``, ``symmetric``, ``symacyclic`` or ``general``."""
    cyclic: bool
    components: int
    """The number of strong components."""
    largest: int
    """The number of positions of the largest strong component."""
    symmetric: bool
    """Whether every move has its reverse."""
    bipartite: bool
    """Whether two colours suffice so that every move changes the colour."""


def shape(graph: Graph) -> Shape:
    """The shape of a graph.

    >>> shape(Graph.from_edges([(0, 1), (1, 0), (1, 2)]))
    Shape(kind='symacyclic', cyclic=True, components=2, largest=2, symmetric=False, bipartite=True)
    """
    graph = as_graph(graph)
    found = classify(graph)
    size = np.bincount(found.component, minlength=1)
    largest = int(size.max()) if graph.n else 0
    cyclic = bool(found.cyclic.any())
    return Shape(
        found.kind, cyclic, int(found.cyclic.size), largest, found.whole, is_bipartite(graph)
    )


def is_bipartite(graph: Graph) -> bool:
    """Whether two colours suffice so that every move changes the colour.

    On the graph of pairs (position, colour), in which every edge changes both, this fails exactly
    if the two pairs of some position are connected.

    >>> is_bipartite(Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]))
    True
    >>> is_bipartite(Graph.from_edges([(0, 1), (1, 2), (2, 0)]))
    False
    """
    graph = as_graph(graph)
    if not graph.n:
        return True
    u, v = graph.to_edges().astype(np.int64).T
    sources = np.concatenate([2 * u, 2 * u + 1, 2 * v, 2 * v + 1])
    targets = np.concatenate([2 * v + 1, 2 * v, 2 * u + 1, 2 * u])
    pairs = Graph.from_arrays(sources, targets, 2 * graph.n)
    component = np.zeros(pairs.n, np.int64)
    for k, part in enumerate(Parts(pairs).components(np.arange(pairs.n))):
        component[part] = k
    return bool((component[::2] != component[1::2]).all())
