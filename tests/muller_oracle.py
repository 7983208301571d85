"""The definition of Muller games in the kit, and random games."""

import random

import zermelo as zm
from zermelo.testing.oracles.muller import accepts as accepts
from zermelo.testing.oracles.muller import truth as truth
from zermelo.testing.oracles.muller import winners as solve  # noqa: F401  for other tests


def random_graph(rng, most=6, *, dead_ends=True):
    n = rng.randint(1, most)
    low = 0 if dead_ends else 1
    edges = [
        (v, w)
        for v in range(n)
        for w in rng.sample(range(n), rng.choice([low, 1, 1, 2, 2, 3]) if n >= 3 else 1)
    ]
    return zm.Graph.from_edges(edges, n=n, owner=[rng.randint(0, 1) for _ in range(n)])


def random_colours(rng, n, k, kind):
    """One colour a position, sets of colours, or one or none."""
    if kind == "one":
        return [rng.randrange(k) for _ in range(n)]
    if kind == "some":
        return [rng.choice([None, *range(k)]) for _ in range(n)]
    return [[c for c in range(k) if rng.random() < 0.4] for _ in range(n)]


def random_family(rng, k):
    share = rng.choice([0.2, 0.5, 0.8])
    return [[c for c in range(k) if x >> c & 1] for x in range(1 << k) if rng.random() < share]


def random_formula(rng, k, depth=3):
    kind = rng.choice(["Inf", "Fin", "|", "&"] if depth else ["Inf", "Fin"])
    if kind in ("Inf", "Fin"):
        return f"{kind}({rng.randrange(k)})"
    parts = [random_formula(rng, k, depth - 1) for _ in range(rng.randint(2, 3))]
    return "(" + f" {kind} ".join(parts) + ")"


def random_game(seed, most=6, colours=4):
    rng = random.Random(seed)
    k = rng.randint(1, colours)
    graph = random_graph(rng, most)
    colour = random_colours(rng, graph.n, k, rng.choice(["one", "some", "sets"]))
    acceptance = random_family(rng, k) if rng.random() < 0.5 else random_formula(rng, k)
    return graph, zm.Muller(colour, acceptance)
