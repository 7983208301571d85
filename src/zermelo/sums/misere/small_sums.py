"""Misère play of small sums, by the product of the graphs.

No faster method is known for misère sums in general, so the product is built: its positions are
tuples, and a move is a move in one component. For heap games there is often a better method, the
misère quotient (:mod:`zermelo.sums.misere.quotient`).
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from zermelo._inputs.values import listed, shown
from zermelo._runtime import memory
from zermelo.errors import InvalidGraphError, MemoryLimitError
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.labels import Label
from zermelo.objectives import Misere
from zermelo.solvers.terminal import retrograde

MOST_POSITIONS = 2**31 - 1
"""Position numbers are 32 bits."""


def product(graphs: Sequence[Graph]) -> Graph:
    """The sum of graphs as one graph: position (v₁, v₂, …) has number v₁ + n₁ · (v₂ + n₂ · …).

    >>> path = Graph.from_edges([(1, 0)])
    >>> product([path, path]).to_edges().tolist()
    [[1, 0], [2, 0], [3, 1], [3, 2]]
    """
    graphs = listed(graphs, "graphs", InvalidGraphError)
    graphs = [impartial_graph(graph, "products") for graph in graphs]
    n = math.prod(graph.n for graph in graphs)
    m = sum(graph.m * (n // graph.n) for graph in graphs if n)
    if n > MOST_POSITIONS:
        raise MemoryLimitError(
            f"the product of these games has {shown(n)} positions, more than {MOST_POSITIONS}; "
            f"leave out components, or use a misère quotient"
        )
    memory.require(40 * n + 40 * m, f"the product of {n} positions and {m} moves",
                   "leave out components, or use a misère quotient")  # fmt: skip
    sources, targets = [], []
    stride = 1
    number = np.arange(n, dtype=np.int64)
    for graph in graphs:
        v = number // stride % max(graph.n, 1)
        degree = graph.out_degree[v]
        source = np.repeat(number, degree)
        within = np.arange(source.size) - np.repeat(np.cumsum(degree) - degree, degree)
        v = np.repeat(v, degree)
        targets.append(source + (graph.indices[graph.indptr[v] + within] - v) * stride)
        sources.append(source)
        stride *= graph.n
    return Graph.from_arrays(
        np.concatenate([np.zeros(0, np.int64), *sources]),
        np.concatenate([np.zeros(0, np.int64), *targets]),
        n=n,
    )


def misere_sum_outcome(components: Sequence[tuple[Game | Graph, Hashable]]) -> Label:
    """What the player to move gets in a misère sum of games, given as (graph, position).

    Only what can be reached from the given positions is multiplied; a sum that does not fit into
    memory is refused, with its size. Components may have cycles, and sums may be drawn.

    >>> nim = Graph.from_edges([(3, 2), (3, 1), (3, 0), (2, 1), (2, 0), (1, 0)])
    >>> misere_sum_outcome([(nim, 1), (nim, 1)]).name, misere_sum_outcome([(nim, 3)] * 2).name
    ('WIN', 'LOSE')
    """
    from zermelo.transform.reachable import reachable_mask, subgraph

    parts, start, stride = [], 0, 1
    for pair in listed(components, "pairs of a game and a position", InvalidGraphError):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InvalidGraphError(f"expected pairs of a game and a position, got {shown(pair)}")
        game, position = pair
        graph = impartial_graph(game, "misère sums", Misere)
        mask = reachable_mask(graph, [position])
        parts.append(subgraph(graph, mask))
        start += stride * int(np.count_nonzero(mask[: graph.index(position)]))
        stride *= parts[-1].n
    return Label(int(retrograde.solve(product(parts), Misere()).label[start]))
