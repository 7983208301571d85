"""Small graphs and objectives that several tests go over."""

from zermelo.objectives import OBJECTIVES
from zermelo.testing.cases import all_digraphs as all_digraphs
from zermelo.testing.cases import all_owned_digraphs as all_owned_digraphs
from zermelo.testing.cases import random_digraph as random_digraph

KEYWORDS = [keyword for keyword, cls in OBJECTIVES.items() if cls.family == "terminal"]
"""The terminal-payoff games by name."""


def objective(keyword, graph, rng):
    """An objective of that name for a graph; sets and payoffs are drawn at random."""
    return OBJECTIVES[keyword].example(graph, rng)
