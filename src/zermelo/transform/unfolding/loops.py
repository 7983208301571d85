"""D′: a graph with a loop at every terminal."""

import numpy as np

from zermelo.graph import Graph, as_graph


def loops_at_terminals(graph: Graph) -> Graph:
    """The digraph D′: every terminal gets one move, to itself.

    Reference: [EdmondsGurvich2010] §1.2.1, where a token that is stuck must return. On D′ the games
    of no return and of return have the winners that they have on D, because a player who is stuck
    counts as one who must repeat. The games of no repetition and of repetition do not: the loop may
    be used once, so the *other* player has to repeat.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("s", "t")])
    >>> loops_at_terminals(g).to_edges().tolist()
    [[0, 1], [1, 1]]
    >>> [zm.solve(d, zm.NoReturn())["s"].label.name for d in (g, loops_at_terminals(g))]
    ['WIN', 'WIN']
    >>> [zm.solve(d, zm.NoRepetition())["s"].label.name for d in (g, loops_at_terminals(g))]
    ['WIN', 'LOSE']
    """
    graph = as_graph(graph)
    ends = graph.terminals
    moves = np.concatenate([graph.to_edges(), np.stack([ends, ends], 1)])
    return Graph.from_edges(moves, graph.n, graph.owner, graph.names)
