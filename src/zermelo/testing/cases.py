"""The games on which extensions are tried: every small digraph, random ones, and corner cases."""

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.registry import OBJECTIVES, ObjectiveRow


def all_digraphs(n: int) -> Iterator[Graph]:
    """Every digraph on n positions, loops included.

    >>> sum(1 for _ in all_digraphs(2))
    16
    """
    arcs = list(itertools.product(range(n), repeat=2))
    for chosen in itertools.product((False, True), repeat=len(arcs)):
        yield Graph.from_edges(list(itertools.compress(arcs, chosen)), n=n)


def all_owned_digraphs(n: int) -> Iterator[Graph]:
    """Every digraph on n positions with every choice of owners, up to renumbering.

    >>> sum(1 for _ in all_owned_digraphs(2))
    36
    """
    for graph in all_digraphs(n):
        taken = sorted(map(tuple, graph.to_edges().tolist()))
        for owner in itertools.product((0, 1), repeat=n):
            renumbered = (
                (tuple(owner[q.index(v)] for v in range(n)), sorted((q[u], q[v]) for u, v in taken))
                for q in itertools.permutations(range(n))
            )
            if all((owner, taken) <= other for other in renumbered):
                yield graph.with_owner(list(owner))


def random_digraph(rng: random.Random, most: int = 8, moves: int = 32) -> Graph:
    """A sparse or dense digraph with up to ``most`` positions, owned half of the time."""
    n = rng.randint(1, most)
    density = rng.choice((0.15, 0.3, 0.5)) if n > 2 else 0.5
    edges = [e for e in itertools.product(range(n), repeat=2) if rng.random() < density]
    shape = rng.random()
    if shape < 0.2:  # no cycle
        edges = [(u, v) for u, v in edges if u < v]
    elif shape < 0.6:  # no dead end
        edges += [(v, rng.randrange(n)) for v in range(n)]
    rng.shuffle(edges)
    owner = [rng.randint(0, 1) for _ in range(n)] if rng.random() < 0.5 else None
    return Graph.from_edges(edges[:moves], n=n, owner=owner)


def corner_graphs(size: int) -> Iterator[Graph]:
    """Graphs of one shape with up to ``size`` positions: no moves, a path, stars, all moves, …"""
    path = [(k - 1, k) for k in range(1, size)]
    few = range(9 if size > 9 else 3)
    for edges in (
        [],
        [(0, 1)],
        path,
        [*path, (size - 1, 0)],
        [(0, k) for k in range(1, size)],
        [(k, 0) for k in range(1, size)],
        list(itertools.product(few, few)),
    ):
        yield Graph.from_edges(edges, n=max(5, *(v + 1 for edge in edges for v in edge), 5))


def fitted(graph: Graph, players: str, rng: random.Random) -> Graph:
    """The graph with or without owners, as an objective for such players needs it."""
    if players == "alternate":
        return graph.with_owner(None)
    if players == "own" and graph.owner is None:
        return graph.with_owner([rng.randint(0, 1) for _ in range(graph.n)])
    return graph


@functools.cache
def small_digraphs(players: str) -> list[Graph]:
    """Every digraph with up to three positions that has such players, the smallest first."""
    found: list[Graph] = []
    if players != "own":
        found += itertools.chain.from_iterable(map(all_digraphs, range(4)))
    if players != "alternate":
        found += itertools.chain.from_iterable(map(all_owned_digraphs, range(4)))
    return sorted(found, key=lambda graph: (graph.n, graph.m))


def graphs_for(players: str, count: int, seed: int = 0, moves: int = 32) -> list[Graph]:
    """``count`` graphs, the smallest first; up to 3/4 of them have at most three positions.

    With ``count=1800`` every digraph with up to three positions is among them.
    """
    rng, small = random.Random(seed), small_digraphs(players)
    first = [graph for graph in small if graph.n < 2]
    chosen = first + small[len(first) :: max(1, -(-4 * len(small) // (3 * count)))]
    more = max(0, count - len(chosen))
    chosen += [fitted(random_digraph(rng, moves=moves), players, rng) for _ in range(more)]
    copies = (graph.with_owner(graph.owner) for graph in chosen[:count])  # a solver may spoil one
    return sorted(copies, key=lambda graph: (graph.n, graph.m))


def objective_row_of(given: Any) -> ObjectiveRow:
    """The row of an objective, from its keyword, its row, its class or an object of the class."""
    if isinstance(given, ObjectiveRow):
        return given
    keyword = given if isinstance(given, str) else getattr(given, "keyword", None)
    if not isinstance(keyword, str):
        raise InvalidOptionError(
            f"objective: expected a keyword, a row or a subclass of Objective, got {given!r}"
        )
    return OBJECTIVES[keyword]
