"""zermelo solves two-player games on graphs: who wins, how, how fast, with a proof.

>>> import zermelo as zm
>>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
>>> s = zm.solve(g)
>>> print(s["a"])
a: WIN in 1 by t
>>> s.verify() is s
True
"""

from zermelo._version import __version__
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, NO_WINNER, Label, Player
from zermelo.objectives import (
    G0,
    G1,
    H1,
    Asymmetric,
    Misere,
    NormalPlay,
    Objective,
    Reach,
    Safety,
    TerminalPayoff,
)
from zermelo.solution import Answer, Line, Solution
from zermelo.solve import solve

__all__ = [
    "G0",
    "G1",
    "H1",
    "NO_DISTANCE",
    "NO_MOVE",
    "NO_WINNER",
    "Answer",
    "Asymmetric",
    "Graph",
    "Label",
    "Line",
    "Misere",
    "NormalPlay",
    "Objective",
    "Player",
    "Reach",
    "Safety",
    "Solution",
    "TerminalPayoff",
    "__version__",
    "solve",
]
