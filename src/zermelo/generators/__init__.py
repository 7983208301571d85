"""Families of games, one in each file; the registry has their table.

Every family returns a :class:`~zermelo.game.Game`; only ``all_digraphs`` yields graphs.

>>> from zermelo.generators import grid, random_graph
>>> random_graph(100, degree=2.5, law="geometric", seed=7).graph.n
100
>>> grid(4, 4, moves="king")
Game(normal on Graph(16 positions, 84 moves, 0 terminals))
"""

from zermelo.generators.graphs.complete import complete
from zermelo.generators.graphs.cycle import cycle
from zermelo.generators.graphs.digraph import all_digraphs, digraph
from zermelo.generators.graphs.grid import grid
from zermelo.generators.graphs.layered import layered
from zermelo.generators.graphs.path import path
from zermelo.generators.graphs.random import random_graph
from zermelo.generators.graphs.sat_gadget import sat_gadget
from zermelo.generators.graphs.star import star
from zermelo.generators.graphs.tree import random_tree, tree
from zermelo.generators.parity.clique import clique
from zermelo.generators.parity.clustered import clustered
from zermelo.generators.parity.delayed_promotion import delayed_promotion
from zermelo.generators.parity.elevator import elevator
from zermelo.generators.parity.gazda import gazda
from zermelo.generators.parity.hanoi import hanoi
from zermelo.generators.parity.jurdzinski import jurdzinski
from zermelo.generators.parity.ladder import ladder
from zermelo.generators.parity.model_checker_ladder import model_checker_ladder
from zermelo.generators.parity.ordered_progress import ordered_progress
from zermelo.generators.parity.parity_random import parity_random
from zermelo.generators.parity.recursive_dull import recursive_dull
from zermelo.generators.parity.recursive_ladder import recursive_ladder
from zermelo.generators.parity.region_recovery import region_recovery
from zermelo.generators.parity.steady import steady
from zermelo.generators.parity.switch_all import switch_all
from zermelo.generators.parity.two_counters import two_counters
from zermelo.generators.parity.worst_core import worst_core
from zermelo.generators.weighted.slow_climb import slow_climb
from zermelo.generators.weighted.weighted_parity import weighted_parity
from zermelo.generators.weighted.weighted_random import weighted_random

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
