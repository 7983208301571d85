"""Matchings by their definition, slowly: sets of vertices, all ways to match the first of them."""

import functools
import itertools


def neighbours(graph):
    """Who is joined with whom by a move in either direction."""
    near = [set() for _ in range(graph.n)]
    for u, v in graph.to_edges().tolist():
        if u != v:
            near[u].add(v)
            near[v].add(u)
    return near


def sizes(graph):
    """A function from a bit set of vertices to the size of a maximum matching among them."""
    near = [sum(1 << w for w in row) for row in neighbours(graph)]

    @functools.cache
    def nu(left):
        if not left:
            return 0
        v = left.bit_length() - 1
        rest = left & ~(1 << v)
        others = [w for w in range(v) if (rest & near[v]) >> w & 1]
        return max([nu(rest), *(1 + nu(rest & ~(1 << w)) for w in others)])

    return nu


def parts(graph):
    """The letter of each vertex's part in the decomposition of Gallai and Edmonds."""
    nu, everything, near = sizes(graph), (1 << graph.n) - 1, neighbours(graph)
    best = nu(everything)
    d = {v for v in range(graph.n) if nu(everything & ~(1 << v)) == best}
    return "".join("D" if v in d else "A" if near[v] & d else "C" for v in range(graph.n))


def exposed_without(graph, v):
    """What some maximum matching of the graph without v leaves exposed."""
    nu = sizes(graph)
    rest = (1 << graph.n) - 1 & ~(1 << v)
    return [w != v and nu(rest & ~(1 << w)) == nu(rest) for w in range(graph.n)]


def allowed(graph):
    """Whether each move is an edge of some maximum matching."""
    nu, everything = sizes(graph), (1 << graph.n) - 1
    return [
        u != v and 1 + nu(everything & ~(1 << u) & ~(1 << v)) == nu(everything)
        for u, v in graph.to_edges().tolist()
    ]


def all_graphs(n):
    """Every set of edges on n vertices."""
    pairs = list(itertools.combinations(range(n), 2))
    for chosen in itertools.product([False, True], repeat=len(pairs)):
        yield list(itertools.compress(pairs, chosen))
