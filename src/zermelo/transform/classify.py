"""The kind of a digraph by its strong components, which decides how games of return are solved.

Reference: [EdmondsGurvich2010] §1.2. O(V + E log E).
"""

import functools
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, sealed, shown
from zermelo.errors import CertificateError
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import BoolArray, Int32Array
from zermelo.solvers.geography.parts import Parts


@dataclass(frozen=True, eq=False, repr=False)
class Classification(Checked):
    """The kind of a digraph, and its strong components; moves never lead to a higher number."""

    graph: Graph
    component: Int32Array
    """The number of each position's strong component; a move never leads to a higher one."""
    cyclic: BoolArray
    """Whether each component contains a move: it has more than one position, or a loop."""
    symmetric: BoolArray
    """Whether, in each component, every move has its reverse."""
    whole: bool
    """Whether every move of the whole graph has its reverse."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        count = self.cyclic.size if isinstance(self.cyclic, np.ndarray) else 0
        claim_array(self, "component", (self.graph.n,), np.int32, 0, count - 1, self.graph)
        if not isinstance(self.whole, bool):
            raise CertificateError(f"whole: expected True or False, got {shown(self.whole)}")
        claim_array(self, "cyclic", (count,), np.bool_, 0, 1)
        claim_array(self, "symmetric", (count,), np.bool_, 0, 1)

    @property
    def kind(self) -> str:
        """The first kind that fits: ``acyclic``, ``symmetric``, ``symacyclic`` (every strong
        component is symmetric) or ``general``."""
        if not self.cyclic.any():
            return "acyclic"
        if self.whole:
            return "symmetric"
        return "symacyclic" if self.symmetric.all() else "general"

    @functools.cached_property
    def components(self) -> tuple[tuple[Hashable, ...], ...]:
        """The positions of each component, by name."""
        members: list[list[Hashable]] = [[] for _ in range(self.cyclic.size)]
        for v, k in enumerate(self.component.tolist()):
            members[k].append(self.graph.name(v))
        return tuple(map(tuple, members))

    @property
    def searched(self) -> tuple[tuple[Hashable, ...], ...]:
        """The components that are not symmetric; a game of return may need a search there."""
        return tuple(x for x, plain in zip(self.components, self.symmetric, strict=True)
                     if not plain)  # fmt: skip

    def __repr__(self) -> str:
        k = self.cyclic.size
        return f"Classification({self.kind}, {k:,} strong component{'' if k == 1 else 's'})"


def classify(game: Game | Graph) -> Classification:
    """Whether a graph is acyclic, symmetric, symacyclic or none of these, with its components.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"),
    ...                          ("e", "c")])
    >>> found = classify(g)
    >>> found, found.searched
    (Classification(general, 2 strong components), (('c', 'd', 'e'),))
    """
    graph = as_graph(game)
    parts = Parts(graph).components(np.arange(graph.n)) if graph.n else []
    component = np.zeros(graph.n, np.int32)
    for k, part in enumerate(parts):
        component[part] = k
    source = np.repeat(np.arange(graph.n, dtype=np.int64), graph.out_degree)
    target = graph.indices.astype(np.int64)
    lonely = ~np.isin(source * graph.n + target, target * graph.n + source)
    inside = component[source] == component[target]
    cyclic, symmetric = np.zeros(len(parts), bool), np.ones(len(parts), bool)
    cyclic[component[source[inside]]] = True
    symmetric[component[source[inside & lonely]]] = False
    component, cyclic, symmetric = sealed(component), sealed(cyclic), sealed(symmetric)
    return Classification(graph, component, cyclic, symmetric, bool(not lonely.any()))
