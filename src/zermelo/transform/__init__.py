"""New graphs from given ones: parts, unfoldings, quotients, and maps that preserve games.

| from the papers          | here                                                              |
|--------------------------|-------------------------------------------------------------------|
| ConCom(G, v)             | `reachable`, `reachable_mask`, `subgraph`                         |
| G/≡                      | `quotient`, `bisimulation` for the coarsest that keeps every game |
| bounded epimorphism      | `check_bounded_epimorphism`, `is_bounded_epimorphism`             |
| T_G^s                    | `unravel` (cut at a depth), `walks` (lazy)                        |
| A_G, A_G^s               | `alternating_graph`                                               |
| Z_T, Z_A, Z_{T,A}        | `walk_to_position`, `situation_to_position`, `walk_to_situation`  |
| σ_W (before Prop. 2.3)   | `shift_walk`, `shifted_walk_to_situation`                         |
| G_s*                     | `with_root`                                                       |
| line digraph, debuts, D′ | `line_digraph`, `debut_tree`, `loops_at_terminals`                |
| (anti-)equivalence       | `equivalent`, `anti_equivalent`, `is_equivalence`                 |
| val(G), for a starter    | `pointed_value`                                                   |

Reductions of a game to another, with the way back for its solution: `reach_to_safety`,
`safety_to_reach`, `normal_play_to_reach`, `to_parity`, `muller_to_parity`,
`parity_to_mean_payoff`, `parity_to_energy`; see :mod:`zermelo.transform.reductions`. Between games
with weights, and for draws: `energy_to_mean_payoff`, `mean_payoff_to_energy`,
`mean_payoff_to_discounted`, `mean_payoff_to_parity`, `win_lose_draw_to_parity`; see
:mod:`zermelo.transform.weighted`.
"""

from zermelo.transform.bisimulation import bisimulation
from zermelo.transform.epimorphism import (
    EpimorphismReport,
    check_bounded_epimorphism,
    is_bounded_epimorphism,
    situation_to_position,
    walk_to_position,
    walk_to_situation,
)
from zermelo.transform.equivalence import (
    EquivalenceReport,
    anti_equivalent,
    equivalent,
    is_equivalence,
    pointed_value,
)
from zermelo.transform.quotient import quotient
from zermelo.transform.reachable import reachable, reachable_mask, subgraph
from zermelo.transform.reductions import (
    Lifted,
    Reduction,
    WeightedGame,
    muller_to_parity,
    normal_play_to_reach,
    parity_to_energy,
    parity_to_mean_payoff,
    reach_to_safety,
    safety_to_reach,
    to_parity,
)
from zermelo.transform.unfolding.alternating import alternating_graph
from zermelo.transform.unfolding.debuts import debut_tree
from zermelo.transform.unfolding.line import line_digraph
from zermelo.transform.unfolding.loops import loops_at_terminals
from zermelo.transform.unfolding.shift import shift_walk, shifted_walk_to_situation
from zermelo.transform.unfolding.star import with_root
from zermelo.transform.unfolding.unravel import UnravelledTree, unravel, walks
from zermelo.transform.weighted import (
    TwoParityGames,
    energy_to_mean_payoff,
    mean_payoff_to_discounted,
    mean_payoff_to_energy,
    mean_payoff_to_parity,
    win_lose_draw_to_parity,
)

__all__ = [
    "EpimorphismReport",
    "EquivalenceReport",
    "Lifted",
    "Reduction",
    "TwoParityGames",
    "UnravelledTree",
    "WeightedGame",
    "alternating_graph",
    "anti_equivalent",
    "bisimulation",
    "check_bounded_epimorphism",
    "debut_tree",
    "energy_to_mean_payoff",
    "equivalent",
    "is_bounded_epimorphism",
    "is_equivalence",
    "line_digraph",
    "loops_at_terminals",
    "mean_payoff_to_discounted",
    "mean_payoff_to_energy",
    "mean_payoff_to_parity",
    "muller_to_parity",
    "normal_play_to_reach",
    "parity_to_energy",
    "parity_to_mean_payoff",
    "pointed_value",
    "quotient",
    "reach_to_safety",
    "reachable",
    "reachable_mask",
    "safety_to_reach",
    "shift_walk",
    "shifted_walk_to_situation",
    "situation_to_position",
    "subgraph",
    "to_parity",
    "unravel",
    "walk_to_position",
    "walk_to_situation",
    "walks",
    "win_lose_draw_to_parity",
    "with_root",
]
