"""Families of games, one in each file; the registry has their table.

Every family returns a :class:`~zermelo.game.Game`; only ``all_digraphs`` yields graphs.

>>> from zermelo.generators import grid, random_graph
>>> random_graph(100, degree=2.5, law="geometric", seed=7).graph.n
100
>>> grid(4, 4, moves="king")
Game(normal on Graph(16 positions, 84 moves, 0 terminals))
"""

from zermelo.generators.clique import clique
from zermelo.generators.clustered import clustered
from zermelo.generators.complete import complete
from zermelo.generators.cycle import cycle
from zermelo.generators.delayed_promotion import delayed_promotion
from zermelo.generators.digraph import all_digraphs, digraph
from zermelo.generators.elevator import elevator
from zermelo.generators.gazda import gazda
from zermelo.generators.grid import grid
from zermelo.generators.hanoi import hanoi
from zermelo.generators.jurdzinski import jurdzinski
from zermelo.generators.ladder import ladder
from zermelo.generators.layered import layered
from zermelo.generators.model_checker_ladder import model_checker_ladder
from zermelo.generators.ordered_progress import ordered_progress
from zermelo.generators.parity_random import parity_random
from zermelo.generators.path import path
from zermelo.generators.random import random_graph
from zermelo.generators.recursive_dull import recursive_dull
from zermelo.generators.recursive_ladder import recursive_ladder
from zermelo.generators.region_recovery import region_recovery
from zermelo.generators.sat_gadget import sat_gadget
from zermelo.generators.slow_climb import slow_climb
from zermelo.generators.star import star
from zermelo.generators.steady import steady
from zermelo.generators.switch_all import switch_all
from zermelo.generators.tree import random_tree, tree
from zermelo.generators.two_counters import two_counters
from zermelo.generators.weighted_parity import weighted_parity
from zermelo.generators.weighted_random import weighted_random
from zermelo.generators.worst_core import worst_core

__all__ = [
    "all_digraphs",
    "clique",
    "clustered",
    "complete",
    "cycle",
    "delayed_promotion",
    "digraph",
    "elevator",
    "gazda",
    "grid",
    "hanoi",
    "jurdzinski",
    "ladder",
    "layered",
    "model_checker_ladder",
    "ordered_progress",
    "parity_random",
    "path",
    "random_graph",
    "random_tree",
    "recursive_dull",
    "recursive_ladder",
    "region_recovery",
    "sat_gadget",
    "slow_climb",
    "star",
    "steady",
    "switch_all",
    "tree",
    "two_counters",
    "weighted_parity",
    "weighted_random",
    "worst_core",
]
