"""zermelo solves two-player games on graphs: who wins, how, how fast, with a proof.

>>> import zermelo as zm
>>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
>>> s = zm.solve(g)
>>> print(s["a"])
a: WIN in 1 by t
>>> s.verify() is s
True
"""

from typing import TYPE_CHECKING

from zermelo._runtime import start as _start  # noqa: F401  first: see there
from zermelo._runtime.lazy import import_on_use
from zermelo._version import __version__

if TYPE_CHECKING:
    from zermelo import generators, transform
    from zermelo.draw import draw
    from zermelo.engines.shard_solution import ShardedSolution, solve_shards
    from zermelo.errors import NotANumber
    from zermelo.formats.binary.shards import Shards
    from zermelo.formats.front import read, read_solution, write
    from zermelo.formats.plant_csv import read_plant
    from zermelo.game import Game
    from zermelo.graph import Graph
    from zermelo.labels import (
        NO_CREDIT,
        NO_DISTANCE,
        NO_MOVE,
        NO_WINNER,
        OPEN,
        UNDECIDED,
        Label,
        Player,
    )
    from zermelo.matching.maximum import (
        GallaiEdmonds,
        Matching,
        gallai_edmonds,
        maximum_matching,
    )
    from zermelo.mu_calculus.evaluation import evaluate
    from zermelo.objectives import (
        G0,
        G1,
        H1,
        Asymmetric,
        Buchi,
        CoBuchi,
        Discounted,
        Energy,
        MeanPayoff,
        Misere,
        Muller,
        NoRepetition,
        NoReturn,
        NormalPlay,
        Objective,
        Parity,
        Reach,
        ReachAvoid,
        Repetition,
        Return,
        Safety,
        ShortestPath,
        TerminalPayoff,
    )
    from zermelo.partizan.analysis.play import best_moves, sum_outcome
    from zermelo.partizan.loopy.graph import PartizanGraph
    from zermelo.partizan.loopy.value import LoopyValue
    from zermelo.partizan.numbers import simplest_number
    from zermelo.partizan.outcome import Outcome
    from zermelo.partizan.positions import game_value, game_values
    from zermelo.partizan.text.literal import Literal, literal, literal_sum
    from zermelo.partizan.text.number_definition import is_number
    from zermelo.partizan.value import Value, value
    from zermelo.planning.plan import Plan, plan
    from zermelo.plant import Plant
    from zermelo.rules.base import Rules
    from zermelo.rules.compiled import CompiledRules
    from zermelo.rules.explore import explore
    from zermelo.rules.loading.games import game
    from zermelo.rules.partizan.base import PartizanRules
    from zermelo.solutions.answers import Answer, Answers, Line
    from zermelo.solutions.base import Solution
    from zermelo.solve import solve
    from zermelo.solvers.attractor import attractor, permissive_controller
    from zermelo.solvers.control import control
    from zermelo.solvers.geography.positional import PositionalStrategy, positional_strategy
    from zermelo.sums.geography.eggs import (
        EggsBounds,
        GeographyGame,
        NoReturnGame,
        eggs,
        eggs_bounds,
        eggs_exceeds,
    )
    from zermelo.sums.geography.sums import GeographySum, geography_sum
    from zermelo.sums.grundy import Grundy, grundy
    from zermelo.sums.heaps.heap import Heap, heap
    from zermelo.sums.kernel import Kernel, kernel
    from zermelo.sums.kernels import Kernels, is_kernel, kernels
    from zermelo.sums.misere.genus import genus
    from zermelo.sums.misere.quotient import MisereQuotient, misere_quotient
    from zermelo.sums.misere.small_sums import misere_sum_outcome
    from zermelo.sums.sum import Sum
    from zermelo.sums.values import Infinite, nim_sum
    from zermelo.synthesis.front import Synthesis, synthesize
    from zermelo.synthesis.mealy import MealyMachine
    from zermelo.tables.building.build import build
    from zermelo.tables.solved import SolvedGame
    from zermelo.tables.table import Table
    from zermelo.trace import explain, trace
    from zermelo.transform.bisimulation import bisimulation
    from zermelo.transform.classify import Classification, classify
    from zermelo.transform.equivalence import anti_equivalent, equivalent
    from zermelo.transform.unfolding.debuts import debut_tree
    from zermelo.transform.unfolding.line import line_digraph
    from zermelo.verify.infinite.circuit import check_circuit
    from zermelo.verify.labelling import check_labelling, labelling_operator
    from zermelo.verify.strategy import check_strategy

_HOME = {
    "Answer": "zermelo.solutions.answers",
    "Answers": "zermelo.solutions.answers",
    "Asymmetric": "zermelo.objectives.terminal",
    "Buchi": "zermelo.objectives.infinite",
    "Classification": "zermelo.transform.classify",
    "CoBuchi": "zermelo.objectives.infinite",
    "CompiledRules": "zermelo.rules.compiled",
    "Discounted": "zermelo.objectives.quantitative",
    "EggsBounds": "zermelo.sums.geography.eggs",
    "Energy": "zermelo.objectives.quantitative",
    "G0": "zermelo.objectives.terminal",
    "G1": "zermelo.objectives.terminal",
    "GallaiEdmonds": "zermelo.matching.maximum",
    "Game": "zermelo.game",
    "GeographyGame": "zermelo.sums.geography.eggs",
    "GeographySum": "zermelo.sums.geography.sums",
    "Graph": "zermelo.graph",
    "Grundy": "zermelo.sums.grundy",
    "H1": "zermelo.objectives.terminal",
    "Heap": "zermelo.sums.heaps.heap",
    "Infinite": "zermelo.sums.values",
    "Kernel": "zermelo.sums.kernel",
    "Kernels": "zermelo.sums.kernels",
    "Label": "zermelo.labels",
    "Line": "zermelo.solutions.answers",
    "Literal": "zermelo.partizan.text.literal",
    "LoopyValue": "zermelo.partizan.loopy.value",
    "Matching": "zermelo.matching.maximum",
    "MealyMachine": "zermelo.synthesis.mealy",
    "MeanPayoff": "zermelo.objectives.quantitative",
    "Misere": "zermelo.objectives.terminal",
    "MisereQuotient": "zermelo.sums.misere.quotient",
    "Muller": "zermelo.objectives.muller",
    "NO_CREDIT": "zermelo.labels",
    "NO_DISTANCE": "zermelo.labels",
    "NO_MOVE": "zermelo.labels",
    "NO_WINNER": "zermelo.labels",
    "NoRepetition": "zermelo.objectives.geography",
    "NoReturn": "zermelo.objectives.geography",
    "NoReturnGame": "zermelo.sums.geography.eggs",
    "NormalPlay": "zermelo.objectives.terminal",
    "NotANumber": "zermelo.errors",
    "OPEN": "zermelo.labels",
    "Objective": "zermelo.objectives.base",
    "Outcome": "zermelo.partizan.outcome",
    "Parity": "zermelo.objectives.infinite",
    "PartizanGraph": "zermelo.partizan.loopy.graph",
    "PartizanRules": "zermelo.rules.partizan.base",
    "Plant": "zermelo.plant",
    "Plan": "zermelo.planning.plan",
    "Player": "zermelo.labels",
    "PositionalStrategy": "zermelo.solvers.geography.positional",
    "Reach": "zermelo.objectives.terminal",
    "ReachAvoid": "zermelo.objectives.reach_avoid",
    "Repetition": "zermelo.objectives.geography",
    "Return": "zermelo.objectives.geography",
    "Rules": "zermelo.rules.base",
    "Safety": "zermelo.objectives.terminal",
    "ShortestPath": "zermelo.objectives.quantitative",
    "ShardedSolution": "zermelo.engines.shard_solution",
    "Shards": "zermelo.formats.binary.shards",
    "Solution": "zermelo.solutions.base",
    "SolvedGame": "zermelo.tables.solved",
    "Sum": "zermelo.sums.sum",
    "Synthesis": "zermelo.synthesis.front",
    "Table": "zermelo.tables.table",
    "TerminalPayoff": "zermelo.objectives.terminal",
    "UNDECIDED": "zermelo.labels",
    "Value": "zermelo.partizan.value",
    "anti_equivalent": "zermelo.transform.equivalence",
    "attractor": "zermelo.solvers.attractor",
    "best_moves": "zermelo.partizan.analysis.play",
    "bisimulation": "zermelo.transform.bisimulation",
    "build": "zermelo.tables.building.build",
    "check_circuit": "zermelo.verify.infinite.circuit",
    "check_labelling": "zermelo.verify.labelling",
    "check_strategy": "zermelo.verify.strategy",
    "classify": "zermelo.transform.classify",
    "control": "zermelo.solvers.control",
    "debut_tree": "zermelo.transform.unfolding.debuts",
    "draw": "zermelo.draw.drawing",
    "eggs": "zermelo.sums.geography.eggs",
    "eggs_bounds": "zermelo.sums.geography.eggs",
    "eggs_exceeds": "zermelo.sums.geography.eggs",
    "equivalent": "zermelo.transform.equivalence",
    "evaluate": "zermelo.mu_calculus.evaluation",
    "explain": "zermelo.trace.front",
    "explore": "zermelo.rules.explore",
    "gallai_edmonds": "zermelo.matching.maximum",
    "game": "zermelo.rules.loading.games",
    "game_value": "zermelo.partizan.positions",
    "game_values": "zermelo.partizan.positions",
    "generators": "zermelo.generators",
    "genus": "zermelo.sums.misere.genus",
    "geography_sum": "zermelo.sums.geography.sums",
    "grundy": "zermelo.sums.grundy",
    "heap": "zermelo.sums.heaps.heap",
    "is_kernel": "zermelo.sums.kernels",
    "is_number": "zermelo.partizan.text.number_definition",
    "kernel": "zermelo.sums.kernel",
    "labelling_operator": "zermelo.verify.labelling",
    "kernels": "zermelo.sums.kernels",
    "line_digraph": "zermelo.transform.unfolding.line",
    "literal": "zermelo.partizan.text.literal",
    "literal_sum": "zermelo.partizan.text.literal",
    "maximum_matching": "zermelo.matching.maximum",
    "misere_quotient": "zermelo.sums.misere.quotient",
    "misere_sum_outcome": "zermelo.sums.misere.small_sums",
    "nim_sum": "zermelo.sums.values",
    "permissive_controller": "zermelo.solvers.attractor",
    "plan": "zermelo.planning.plan",
    "positional_strategy": "zermelo.solvers.geography.positional",
    "read": "zermelo.formats.front",
    "read_plant": "zermelo.formats.plant_csv",
    "read_solution": "zermelo.formats.front",
    "simplest_number": "zermelo.partizan.numbers",
    "solve": "zermelo.solve",
    "solve_shards": "zermelo.engines.shard_solution",
    "sum_outcome": "zermelo.partizan.analysis.play",
    "synthesize": "zermelo.synthesis.front",
    "trace": "zermelo.trace.front",
    "transform": "zermelo.transform",
    "value": "zermelo.partizan.value",
    "write": "zermelo.formats.front",
}
"""The module of each public name, which is imported when the name is first used."""

__all__ = [
    "G0",
    "G1",
    "H1",
    "NO_CREDIT",
    "NO_DISTANCE",
    "NO_MOVE",
    "NO_WINNER",
    "OPEN",
    "UNDECIDED",
    "Answer",
    "Answers",
    "Asymmetric",
    "Buchi",
    "Classification",
    "CoBuchi",
    "CompiledRules",
    "Discounted",
    "EggsBounds",
    "Energy",
    "GallaiEdmonds",
    "Game",
    "GeographyGame",
    "GeographySum",
    "Graph",
    "Grundy",
    "Heap",
    "Infinite",
    "Kernel",
    "Kernels",
    "Label",
    "Line",
    "Literal",
    "LoopyValue",
    "Matching",
    "MealyMachine",
    "MeanPayoff",
    "Misere",
    "MisereQuotient",
    "Muller",
    "NoRepetition",
    "NoReturn",
    "NoReturnGame",
    "NormalPlay",
    "NotANumber",
    "Objective",
    "Outcome",
    "Parity",
    "PartizanGraph",
    "PartizanRules",
    "Plan",
    "Plant",
    "Player",
    "PositionalStrategy",
    "Reach",
    "ReachAvoid",
    "Repetition",
    "Return",
    "Rules",
    "Safety",
    "ShardedSolution",
    "Shards",
    "ShortestPath",
    "Solution",
    "SolvedGame",
    "Sum",
    "Synthesis",
    "Table",
    "TerminalPayoff",
    "Value",
    "__version__",
    "anti_equivalent",
    "attractor",
    "best_moves",
    "bisimulation",
    "build",
    "check_circuit",
    "check_labelling",
    "check_strategy",
    "classify",
    "control",
    "debut_tree",
    "draw",
    "eggs",
    "eggs_bounds",
    "eggs_exceeds",
    "equivalent",
    "evaluate",
    "explain",
    "explore",
    "gallai_edmonds",
    "game",
    "game_value",
    "game_values",
    "generators",
    "genus",
    "geography_sum",
    "grundy",
    "heap",
    "is_kernel",
    "is_number",
    "kernel",
    "kernels",
    "labelling_operator",
    "line_digraph",
    "literal",
    "literal_sum",
    "maximum_matching",
    "misere_quotient",
    "misere_sum_outcome",
    "nim_sum",
    "permissive_controller",
    "plan",
    "positional_strategy",
    "read",
    "read_plant",
    "read_solution",
    "simplest_number",
    "solve",
    "solve_shards",
    "sum_outcome",
    "synthesize",
    "trace",
    "transform",
    "value",
    "write",
]

import_on_use(__name__, _HOME)
