"""Helpers of the tests of games of return."""

import itertools
import random

import numpy as np

import zermelo as zm
from tests import oracles_geography as oracle

CLASSES = {
    "no-return": zm.NoReturn,
    "return": zm.Return,
    "no-repetition": zm.NoRepetition,
    "repetition": zm.Repetition,
}


def objective(game):
    """The objective of a game of the oracle."""
    name, _, misere = game.partition(" ")
    return CLASSES[name](True) if misere else CLASSES[name]()


def rows(graph):
    """Moves as lists, for the oracle."""
    return [graph.successors(v).tolist() for v in range(graph.n)]


def union(graphs):
    """The disjoint union of graphs."""
    edges, n = [np.zeros((0, 2), np.int64)], 0
    for g in graphs:
        edges.append(g.to_edges().astype(np.int64) + n)
        n += g.n
    return zm.Graph.from_edges(np.concatenate(edges), n=n)


def labels(graphs, game):
    """The oracle's labels of a disjoint union."""
    return [x for g in graphs for x in oracle.labels(rows(g), game)]


def random_graphs(count, seed, low=4, high=9, moves=18):
    """Random digraphs, some of them symmetric, with few enough moves for the oracle."""
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(low, high)
        m = rng.randint(n // 2, moves)
        edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(m)]
        if rng.random() < 0.4:
            both = rng.randint(0, m)
            edges = edges[:both] + [(w, v) for v, w in edges[:both]] + edges[both : m // 2]
        yield zm.Graph.from_edges(edges[:moves], n=n)


def winner(succ, game, history):
    """The winner after a history that ended the game, or None."""
    mover = (len(history) - 1) % 2
    *before, last = history
    arcs = list(itertools.pairwise(history))
    again = last in before if "return" in game else len(set(arcs)) < len(arcs)
    if again:
        return 1 - mover if game in ("return", "repetition") else mover
    name, _, misere = game.partition(" ")
    if name in ("return", "repetition"):
        return None if succ[last] else mover
    if name == "no-return":
        fresh = [w for w in succ[last] if w not in history]
    else:
        fresh = [w for w in succ[last] if (last, w) not in arcs]
    return None if fresh else (mover if misere else 1 - mover)
