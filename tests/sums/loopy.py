"""Small impartial games, and sums of them as what they are: one big graph."""

import itertools
import random

import zermelo as zm


def random_game(rng: random.Random, most=6):
    """A digraph on up to ``most`` positions, with cycles two times out of three."""
    n = rng.randint(1, most)
    density = rng.choice((0.15, 0.3, 0.5))
    edges = [e for e in itertools.product(range(n), repeat=2) if rng.random() < density]
    if rng.random() < 0.33:
        shuffled = rng.sample(range(n), n)
        edges = [(shuffled[u], shuffled[v]) for u, v in edges if u < v]
    return zm.Graph.from_edges(edges, n=n)


def nim_heap(n):
    return zm.Graph.from_edges([(a, b) for a in range(n + 1) for b in range(a)], n=n + 1)


def product(graphs):
    """The graph whose positions are tuples of positions; a move is one in one place."""
    places = list(itertools.product(*(range(g.n) for g in graphs)))
    edges = [
        (place, (*place[:k], w, *place[k + 1 :]))
        for place in places
        for k, g in enumerate(graphs)
        for w in g.successors(place[k]).tolist()
    ]
    index = {place: v for v, place in enumerate(places)}
    return places, zm.Graph.from_edges([(index[a], index[b]) for a, b in edges], n=len(places))
