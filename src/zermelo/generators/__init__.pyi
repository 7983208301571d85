# The public names of the package: `_runtime/lazy.py` reads this file, and so do type checkers.
from zermelo.generators.graphs.digraph import all_digraphs as all_digraphs
from zermelo.generators.graphs.digraph import digraph as digraph
from zermelo.generators.graphs.grid import grid as grid
from zermelo.generators.graphs.layered import layered as layered
from zermelo.generators.graphs.random import random_graph as random_graph
from zermelo.generators.graphs.sat_gadget import sat_gadget as sat_gadget
from zermelo.generators.graphs.shapes import complete as complete
from zermelo.generators.graphs.shapes import cycle as cycle
from zermelo.generators.graphs.shapes import path as path
from zermelo.generators.graphs.shapes import star as star
from zermelo.generators.graphs.tree import random_tree as random_tree
from zermelo.generators.graphs.tree import tree as tree
from zermelo.generators.parity.clique import clique as clique
from zermelo.generators.parity.clustered import clustered as clustered
from zermelo.generators.parity.elevator import elevator as elevator
from zermelo.generators.parity.hanoi import hanoi as hanoi
from zermelo.generators.parity.parity_random import parity_random as parity_random
from zermelo.generators.parity.steady import steady as steady
from zermelo.generators.weighted.slow_climb import slow_climb as slow_climb
from zermelo.generators.weighted.weighted_parity import weighted_parity as weighted_parity
from zermelo.generators.weighted.weighted_random import weighted_random as weighted_random
from zermelo.generators.worst_case.ladders import ladder as ladder
from zermelo.generators.worst_case.ladders import (
    model_checker_ladder as model_checker_ladder,
)
from zermelo.generators.worst_case.measures import jurdzinski as jurdzinski
from zermelo.generators.worst_case.measures import ordered_progress as ordered_progress
from zermelo.generators.worst_case.promotion import delayed_promotion as delayed_promotion
from zermelo.generators.worst_case.promotion import region_recovery as region_recovery
from zermelo.generators.worst_case.switch_all import switch_all as switch_all
from zermelo.generators.worst_case.two_counters import two_counters as two_counters
from zermelo.generators.worst_case.worst_core import worst_core as worst_core
from zermelo.generators.worst_case.zielonka import gazda as gazda
from zermelo.generators.worst_case.zielonka import recursive_dull as recursive_dull
from zermelo.generators.worst_case.zielonka import recursive_ladder as recursive_ladder
