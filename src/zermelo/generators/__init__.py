"""Families of graphs, one a file; ``zermelo generate`` knows them by the table of generators.

>>> from zermelo.generators import grid, random_graph
>>> random_graph(100, degree=2.5, law="geometric", seed=7).n, grid(4, 4, moves="king").m
(100, 84)
"""

from zermelo.generators.complete import complete
from zermelo.generators.cycle import cycle
from zermelo.generators.digraph import all_digraphs, digraph
from zermelo.generators.grid import grid
from zermelo.generators.layered import layered
from zermelo.generators.path import path
from zermelo.generators.random import random_graph
from zermelo.generators.star import star
from zermelo.generators.tree import random_tree, tree

__all__ = [
    "all_digraphs",
    "complete",
    "cycle",
    "digraph",
    "grid",
    "layered",
    "path",
    "random_graph",
    "random_tree",
    "star",
    "tree",
]
