"""The tables of solvers, formats, generators and games: adding one is one file and one row."""

from zermelo.registry.formats import FORMATS, FormatRow
from zermelo.registry.games import GAMES, GameRow
from zermelo.registry.generators import GENERATORS, GeneratorRow
from zermelo.registry.solvers import SOLVERS, SolverRow
from zermelo.registry.table import Row, Table, unknown

__all__ = [
    "FORMATS",
    "GAMES",
    "GENERATORS",
    "SOLVERS",
    "FormatRow",
    "GameRow",
    "GeneratorRow",
    "Row",
    "SolverRow",
    "Table",
    "unknown",
]
