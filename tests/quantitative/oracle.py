"""Random games with weights, and the definitions of the kit."""

import zermelo as zm
from zermelo.testing.oracles.weighted import (  # noqa: F401  for tests that import this module
    Game,
    charges,
    cheapest,
    credits,
    discounted,
    mean,
    needed,
    solve,
)


def answer(graph, objective):
    """The right credits, values or winners of a game with owners, by position."""
    (found,) = solve(graph, objective).values()
    return list(found.values())


def random_game(rng, most=6, choices=12, weights=4):
    """A small random game, with at most so many moves; half of the games have no dead end."""
    while True:
        n = rng.randint(1, most)
        density = rng.choice((0.15, 0.3, 0.5))
        edges = {(u, v) for u in range(n) for v in range(n) if rng.random() < density}
        if rng.random() < 0.5:
            edges |= {(u, rng.randrange(n)) for u in range(n)}
        if len(edges) <= choices:
            break
    owner = [rng.randint(0, 1) for _ in range(n)]
    graph = zm.Graph.from_edges(sorted(edges), n=n, owner=owner)
    largest = rng.choice((1, weights, 10**6))
    weight = {edge: rng.randint(-largest, largest) for edge in edges}
    return graph, weight
