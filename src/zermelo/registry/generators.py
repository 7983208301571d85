"""The table of generators: adding one is one new file and one row here.

The module that a row names is imported when it is used. Other packages add rows through the entry
point ``zermelo.generators``; each entry point names an object that is a row.
"""

from dataclasses import dataclass
from functools import partial

from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class GeneratorRow(Row):
    """A family of games: ``target(**parameters) -> Game``; the signature has the parameters.

    ``objective`` is the keyword of the objective that its games have, empty for normal play.
    """

    objective: str = ""


def _parity_family(
    name: str, summary: str, module: str = "", package: str = "parity"
) -> GeneratorRow:
    """A family of parity games: a function of its name, in a file of its name or of another."""
    function = name.replace("-", "_")
    place = f"zermelo.generators.{package}.{module or function}:{function}"
    return GeneratorRow(name, summary, place, "parity")


_worst_case = partial(_parity_family, package="worst_case")
"""A family of parity games on which some algorithm takes long."""


GENERATORS: Table[GeneratorRow] = Table(
    "generator",
    "zermelo.generators",
    (
        GeneratorRow(
            "random",
            "random digraphs with out-degrees of a given distribution and distinct targets",
            "zermelo.generators.graphs.random:random_graph",
        ),
        GeneratorRow(
            "path",
            "a path, with moves in one direction or in both",
            "zermelo.generators.graphs.shapes:path",
        ),
        GeneratorRow(
            "cycle",
            "a cycle, with moves in one direction or in both",
            "zermelo.generators.graphs.shapes:cycle",
        ),
        GeneratorRow(
            "tree",
            "the complete b-ary tree, with moves away from the root",
            "zermelo.generators.graphs.tree:tree",
        ),
        GeneratorRow(
            "random-tree",
            "random recursive trees, with moves away from the root",
            "zermelo.generators.graphs.tree:random_tree",
        ),
        GeneratorRow(
            "grid",
            "a piece on a board or torus: forward, orthogonal, king, knight, rook",
            "zermelo.generators.graphs.grid:grid",
        ),
        GeneratorRow(
            "layered",
            "layers with moves to near places, as in many board games; back= adds cycles",
            "zermelo.generators.graphs.layered:layered",
        ),
        GeneratorRow(
            "star",
            "a root with moves to n terminals; NMFL takes quadratic time",
            "zermelo.generators.graphs.shapes:star",
        ),
        GeneratorRow(
            "complete",
            "all possible moves",
            "zermelo.generators.graphs.shapes:complete",
        ),
        GeneratorRow(
            "digraph",
            "the digraph whose adjacency matrix has the bits of a number",
            "zermelo.generators.graphs.digraph:digraph",
        ),
        GeneratorRow(
            "sat",
            "a CNF as a game of no return; the first player wins iff it is satisfiable",
            "zermelo.generators.graphs.sat_gadget:sat_gadget",
            "no-return",
        ),
        _parity_family("parity-random", "random parity games"),
        _parity_family("steady", "random parity games of bounded in- and out-degree"),
        _parity_family("clustered", "random parity games in clusters within clusters"),
        _worst_case("ladder", "a ring in which each position has moves to the next two", "ladders"),
        _worst_case(
            "recursive-ladder", "Friedmann's games against Zielonka's algorithm", "zielonka"
        ),
        _worst_case("model-checker-ladder", "games of one player with many priorities", "ladders"),
        _worst_case("jurdzinski", "Jurdziński's games against small progress measures", "measures"),
        _parity_family("hanoi", "the towers of Hanoi"),
        _parity_family("elevator", "the verification of an elevator, fair or not"),
        _parity_family("clique", "all possible moves, and every position has its own priority"),
        _worst_case("two-counters", "van Dijk's games against solvers with attractors"),
        _worst_case(
            "recursive-dull", "a chain and loops, against Zielonka's algorithm", "zielonka"
        ),
        _worst_case("gazda", "Gazda's games against Zielonka's algorithm", "zielonka"),
        _worst_case("worst-core", "games against divide and conquer; robust= is harder"),
        _worst_case("region-recovery", "games against promotion with region recovery", "promotion"),
        _worst_case(
            "delayed-promotion", "games against promotion with delayed promotions", "promotion"
        ),
        _worst_case("ordered-progress", "games against ordered progress measures", "measures"),
        _worst_case("switch-all", "Friedmann's games against strategy improvement"),
        GeneratorRow(
            "weighted-random",
            "random games with weights: mean payoff, energy, discounted, shortest path",
            "zermelo.generators.weighted.weighted_random:weighted_random",
            "mean-payoff",
        ),
        GeneratorRow(
            "weighted-parity",
            "parity games of other families as mean-payoff or energy games",
            "zermelo.generators.weighted.weighted_parity:weighted_parity",
            "mean-payoff",
        ),
        GeneratorRow(
            "slow-climb",
            "energy games against value iteration: credits rise by 1 a round",
            "zermelo.generators.weighted.slow_climb:slow_climb",
            "energy",
        ),
    ),
)
