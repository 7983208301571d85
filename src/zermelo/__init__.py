"""zermelo solves two-player games on graphs: who wins, how, how fast, with a proof.

>>> import zermelo as zm
>>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
>>> s = zm.solve(g)
>>> print(s["a"])
a: WIN in 1 by t
>>> s.verify() is s
True
"""

from typing import TYPE_CHECKING, Any

from zermelo._runtime import start as _start  # noqa: F401  first: see there
from zermelo._version import __version__
from zermelo.draw import draw
from zermelo.errors import NotANumber
from zermelo.formats.front import read, read_solution, write
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_CREDIT, NO_DISTANCE, NO_MOVE, NO_WINNER, OPEN, Label, Player
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
    Repetition,
    Return,
    Safety,
    ShortestPath,
    TerminalPayoff,
)
from zermelo.rules.base import Rules
from zermelo.rules.explore import explore
from zermelo.rules.games import game
from zermelo.solutions.answers import Answer, Line
from zermelo.solutions.base import Solution
from zermelo.solve import solve
from zermelo.trace import explain, trace

if TYPE_CHECKING:
    from zermelo import generators, transform
    from zermelo.matching.maximum import (
        GallaiEdmonds,
        Matching,
        gallai_edmonds,
        maximum_matching,
    )
    from zermelo.mu_calculus.evaluation import evaluate
    from zermelo.partizan.graph import PartizanGraph
    from zermelo.partizan.loopy import LoopyValue
    from zermelo.partizan.numbers import simplest_number
    from zermelo.partizan.outcome import Outcome
    from zermelo.partizan.play import best_moves, sum_outcome
    from zermelo.partizan.positions import game_value, game_values
    from zermelo.partizan.value import Value, value
    from zermelo.rules.compiled import CompiledRules
    from zermelo.rules.partizan.base import PartizanRules
    from zermelo.sums.eggs import NoReturnGame, eggs
    from zermelo.sums.genus import genus
    from zermelo.sums.grundy import Grundy, grundy
    from zermelo.sums.heap import Heap, heap
    from zermelo.sums.kernel import Kernel, kernel
    from zermelo.sums.misere import misere_sum_outcome
    from zermelo.sums.quotient import MisereQuotient, misere_quotient
    from zermelo.sums.sum import Sum
    from zermelo.sums.values import Infinite, nim_sum
    from zermelo.tables.build import build
    from zermelo.tables.table import Table
    from zermelo.transform.bisimulation import bisimulation
    from zermelo.transform.classify import Classification, classify
    from zermelo.transform.equivalence import anti_equivalent, equivalent

_LAZY = {
    "Classification": "zermelo.transform.classify",
    "CompiledRules": "zermelo.rules.compiled",
    "GallaiEdmonds": "zermelo.matching.maximum",
    "Grundy": "zermelo.sums.grundy",
    "Heap": "zermelo.sums.heap",
    "Infinite": "zermelo.sums.values",
    "Kernel": "zermelo.sums.kernel",
    "LoopyValue": "zermelo.partizan.loopy",
    "Matching": "zermelo.matching.maximum",
    "MisereQuotient": "zermelo.sums.quotient",
    "NoReturnGame": "zermelo.sums.eggs",
    "Outcome": "zermelo.partizan.outcome",
    "PartizanGraph": "zermelo.partizan.graph",
    "PartizanRules": "zermelo.rules.partizan.base",
    "Sum": "zermelo.sums.sum",
    "Table": "zermelo.tables.table",
    "Value": "zermelo.partizan.value",
    "anti_equivalent": "zermelo.transform.equivalence",
    "best_moves": "zermelo.partizan.play",
    "bisimulation": "zermelo.transform.bisimulation",
    "build": "zermelo.tables.build",
    "classify": "zermelo.transform.classify",
    "eggs": "zermelo.sums.eggs",
    "equivalent": "zermelo.transform.equivalence",
    "evaluate": "zermelo.mu_calculus.evaluation",
    "gallai_edmonds": "zermelo.matching.maximum",
    "game_value": "zermelo.partizan.positions",
    "generators": "zermelo",
    "genus": "zermelo.sums.genus",
    "grundy": "zermelo.sums.grundy",
    "heap": "zermelo.sums.heap",
    "kernel": "zermelo.sums.kernel",
    "maximum_matching": "zermelo.matching.maximum",
    "misere_quotient": "zermelo.sums.quotient",
    "misere_sum_outcome": "zermelo.sums.misere",
    "nim_sum": "zermelo.sums.values",
    "game_values": "zermelo.partizan.positions",
    "simplest_number": "zermelo.partizan.numbers",
    "sum_outcome": "zermelo.partizan.play",
    "transform": "zermelo",
    "value": "zermelo.partizan.value",
}
"""Names that are imported when first used, and the module that has them."""

__all__ = [
    "G0",
    "G1",
    "H1",
    "NO_CREDIT",
    "NO_DISTANCE",
    "NO_MOVE",
    "NO_WINNER",
    "OPEN",
    "Answer",
    "Asymmetric",
    "Buchi",
    "Classification",
    "CoBuchi",
    "CompiledRules",
    "Discounted",
    "Energy",
    "GallaiEdmonds",
    "Game",
    "Graph",
    "Grundy",
    "Heap",
    "Infinite",
    "Kernel",
    "Label",
    "Line",
    "LoopyValue",
    "Matching",
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
    "Player",
    "Reach",
    "Repetition",
    "Return",
    "Rules",
    "Safety",
    "ShortestPath",
    "Solution",
    "Sum",
    "Table",
    "TerminalPayoff",
    "Value",
    "__version__",
    "anti_equivalent",
    "best_moves",
    "bisimulation",
    "build",
    "classify",
    "draw",
    "eggs",
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
    "grundy",
    "heap",
    "kernel",
    "maximum_matching",
    "misere_quotient",
    "misere_sum_outcome",
    "nim_sum",
    "read",
    "read_solution",
    "simplest_number",
    "solve",
    "sum_outcome",
    "trace",
    "transform",
    "value",
    "write",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _LAZY:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    if _LAZY[name] == "zermelo":
        return importlib.import_module(f"zermelo.{name}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
