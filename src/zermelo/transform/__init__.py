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

from zermelo._runtime.lazy import import_on_use

__all__ = import_on_use(__name__)
