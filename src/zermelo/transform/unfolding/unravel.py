"""The unravelled tree, whose positions are walks; for a cyclic graph it is infinite."""

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, sealed, shown, whole_number
from zermelo._runtime import memory
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int32Array

_BYTES_PER_WALK = 120
"""The bytes that a walk needs in arrays and tuples, and 8 more for each of its positions."""


@dataclass(frozen=True, eq=False)
class UnravelledTree(Checked):
    """The tree T_G^s or its top, in breadth-first order; position 0 is the walk (start)."""

    graph: Graph
    """The tree; the name of a position is its walk, a tuple of names."""
    position: Int32Array
    """The number in G of the last position of each walk (Löwe's map Z_T, by number)."""
    depth: Int32Array
    """The number of moves of each walk."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        n = self.graph.n
        claim_array(self, "position", (n,), np.int32, 0, 2**31 - 1)
        claim_array(self, "depth", (n,), np.int32, 0, 2**31 - 1)

    @property
    def cut(self) -> BoolArray:
        """Whether each position is a leaf only because its moves were cut off, as in the graph."""
        return np.zeros(self.graph.n, bool) if self.graph.cut is None else self.graph.cut

    @property
    def complete(self) -> bool:
        """Whether nothing was cut off."""
        return self.graph.cut is None


def unravel(graph: Graph, start: Hashable, depth: int) -> UnravelledTree:
    """The unravelled tree T_G^s, cut ``depth`` moves below its root.

    Reference: [Loewe2004] §2.2. Linear in the size of the tree, which may grow exponentially with
    ``depth``. The walks are counted first; if they would not fit into memory,
    :class:`~zermelo.errors.MemoryLimitError` is raised.

    A walk whose moves were cut off is no end of the game: the graph of the tree has it in
    :attr:`Graph.cut`, and ``solve`` refuses the graph. The tree has the values of the graph (Cor.
    3.3) if it is complete.

    >>> tree = unravel(Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")]), "a", 2)
    >>> tree.graph.names
    (('a',), ('a', 'b'), ('a', 't'), ('a', 'b', 'a'))
    >>> tree.graph.to_edges().tolist(), tree.cut.tolist()
    ([[0, 1], [0, 2], [1, 3]], [False, False, False, True])
    >>> tree.graph
    Graph(4 positions, 3 moves, 1 terminal, 1 cut off)
    """
    depth = whole_number(depth, "depth", None, error=InvalidGraphError)
    if depth < 0:
        raise InvalidGraphError(f"depth: expected 0 or more, got {shown(depth)}")
    graph = as_graph(graph)
    s = graph.index(start)
    _require_room(graph, s, depth)
    layer = np.array([s], np.int32)
    walks: list[tuple[Hashable, ...]] = [(graph.name(s),)]
    names: list[tuple[Hashable, ...]] = list(walks)
    layers, moves = [layer], []
    for _ in range(depth):
        parent, layer = _step(graph, layer)
        if layer.size == 0:
            break
        moves.append(graph.out_degree[layers[-1]])
        walks = [
            (*walks[p], graph.name(v)) for p, v in zip(parent.tolist(), layer.tolist(), strict=True)
        ]
        names += walks
        layers.append(layer)
    moves.append(np.zeros(layers[-1].size, np.int32))
    position = np.concatenate(layers)
    # In breadth-first order, the children of the walks are numbered consecutively: 1, 2, 3, …
    indptr = np.zeros(position.size + 1, np.int64)
    np.cumsum(np.concatenate(moves), out=indptr[1:])
    owner = None if graph.owner is None else graph.owner[position]
    cut = (np.diff(indptr) == 0) & (graph.out_degree[position] > 0)
    targets = np.arange(1, position.size, dtype=np.int32)
    tree = Graph._of(indptr, targets, owner, tuple(names), cut)
    sizes = [layer.size for layer in layers]
    depths = np.repeat(np.arange(len(layers), dtype=np.int32), sizes)
    return UnravelledTree(tree, sealed(position), sealed(depths))


def walks(graph: Graph, start: Hashable) -> Iterator[tuple[Hashable, ...]]:
    """All finite walks from ``start``, shortest first: the positions of T_G^s, one by one.

    The iterator never ends if a cycle is reachable. It keeps the walks of one length in memory.

    >>> from itertools import islice
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> list(islice(walks(g, "a"), 5))
    [('a',), ('a', 'b'), ('a', 't'), ('a', 'b', 'a'), ('a', 'b', 'a', 'b')]
    """
    graph = as_graph(graph)
    s = graph.index(start)
    queue: deque[tuple[int, tuple[Hashable, ...]]] = deque([(s, (graph.name(s),))])
    while queue:
        v, walk = queue.popleft()
        yield walk
        queue.extend((w, (*walk, graph.name(w))) for w in graph.successors(v).tolist())


def _step(graph: Graph, layer: Int32Array) -> tuple[AnyArray, Int32Array]:
    """All moves from the positions of a layer: the index of the source in it, and the target."""
    degree = graph.out_degree[layer].astype(np.int64)
    parent = np.repeat(np.arange(layer.size), degree)
    first = np.cumsum(degree) - degree
    move = np.arange(parent.size) - first[parent] + graph.indptr[layer[parent]]
    return parent, graph.indices[move]


def _require_room(graph: Graph, start: int, depth: int) -> None:
    """Count the walks, and raise an error if they would not fit into memory."""
    room = memory.available()
    layer: AnyArray = np.array([start], np.int32)
    times: AnyArray = np.ones(1)
    needed, length = 0.0, 1
    while layer.size and length <= depth + 1:
        needed += float(times.sum()) * (_BYTES_PER_WALK + 8 * length)
        if length == graph.n + 1:  # there is a cycle, so there are walks of every length
            more = float(depth + 1 - length)
            least = needed + more * (_BYTES_PER_WALK + 8 * length) + 4 * more * more
            needed = max(needed, least) if least > room else needed
        if needed > room:
            break
        parent, targets = _step(graph, layer)
        layer, place = np.unique(targets, return_inverse=True)
        times = np.bincount(place, times[parent], layer.size)
        length += 1
    memory.require(
        int(min(needed, 2.0**80)),
        f"unravelling to a depth of {shown(depth)}",
        "choose a smaller depth, or use walks()",
    )
