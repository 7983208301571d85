"""Small graphs and objectives that several tests go over."""

import itertools
import random
from fractions import Fraction

import zermelo as zm
from zermelo.objectives import OBJECTIVES

KEYWORDS = [keyword for keyword, cls in OBJECTIVES.items() if cls.family == "terminal"]
"""The terminal-payoff games by name; each needs its rules in ``oracles.py``."""

POOLS = (
    [-1, 0, 1],
    [-2, -1, 0, 1, 2],
    [0, 1, 2, 3],
    [-3, -2, -1],
    [Fraction(1, 3), Fraction(-1, 2), 0, 1],
    [-1.5, 0.0, 2.25],
    [2**70, -1, Fraction(1, 7), 0.25],
)
"""What payoffs are drawn from: few and many levels, exact numbers of all kinds."""


def all_digraphs(n):
    """Every digraph on n positions, loops included."""
    arcs = list(itertools.product(range(n), repeat=2))
    for chosen in itertools.product((False, True), repeat=len(arcs)):
        yield zm.Graph.from_edges(list(itertools.compress(arcs, chosen)), n=n)


def all_owned_digraphs(n):
    """Every digraph on n positions with every choice of owners, up to renumbering."""
    arcs = list(itertools.product(range(n), repeat=2))
    for edges in itertools.product((False, True), repeat=len(arcs)):
        taken = frozenset(itertools.compress(arcs, edges))
        for owner in itertools.product((0, 1), repeat=n):
            renumbered = (
                (tuple(owner[q.index(v)] for v in range(n)), sorted((q[u], q[v]) for u, v in taken))
                for q in itertools.permutations(range(n))
            )
            if all((owner, sorted(taken)) <= other for other in renumbered):
                yield zm.Graph.from_edges(sorted(taken), n=n, owner=owner)


def random_digraph(rng: random.Random, most=8):
    """A sparse or dense digraph on up to ``most`` positions, owned half of the time."""
    n = rng.randint(1, most)
    density = rng.choice((0.15, 0.3, 0.5)) if n > 2 else 0.5
    edges = [e for e in itertools.product(range(n), repeat=2) if rng.random() < density]
    owner = [rng.randint(0, 1) for _ in range(n)] if rng.random() < 0.5 else None
    return zm.Graph.from_edges(edges, n=n, owner=owner)


def objective(keyword, graph, rng: random.Random):
    """An objective of that name for a graph; sets and payoffs are drawn at random."""
    if keyword == "terminal-payoff":
        return random_payoffs(graph, rng)
    if keyword in ("reach", "safety"):
        chosen = [v for v in range(graph.n) if rng.random() < 0.4]
        return OBJECTIVES[keyword](chosen, player=rng.randint(0, 1))
    if keyword == "reach-avoid":
        goal, avoid = ([v for v in range(graph.n) if rng.random() < 0.3] for _ in range(2))
        return zm.ReachAvoid(goal, avoid, player=rng.randint(0, 1))
    return OBJECTIVES[keyword]()


def random_payoffs(graph, rng: random.Random):
    """Payoffs from one of the pools, as player 0 or as the stuck player sees them."""
    pool = rng.choice(POOLS)
    stuck = graph.terminals.tolist()
    if rng.random() < 0.4:
        return zm.TerminalPayoff({v: rng.choice(pool) for v in stuck}, view="mover")
    infinite = rng.choice(pool)
    if graph.owner is None and rng.random() < 0.6:
        pays = {v: (rng.choice(pool), rng.choice(pool)) for v in stuck}
    else:
        pays = {v: rng.choice(pool) for v in stuck}
    return zm.TerminalPayoff(pays, infinite)
