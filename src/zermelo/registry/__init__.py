"""The tables of objectives, solvers, formats, generators and games: one file and one row each."""

from zermelo.registry.formats import FORMATS, FormatRow
from zermelo.registry.games import GAMES, GameRow
from zermelo.registry.generators import GENERATORS, GeneratorRow
from zermelo.registry.objectives import OBJECTIVES, ObjectiveRow, objective_row
from zermelo.registry.options import Flag, Names, Option, Whole
from zermelo.registry.solvers import SOLVERS, SolverRow, choose_solver
from zermelo.registry.table import Row, Table, unknown

__all__ = [
    "FORMATS",
    "GAMES",
    "GENERATORS",
    "OBJECTIVES",
    "SOLVERS",
    "Flag",
    "FormatRow",
    "GameRow",
    "GeneratorRow",
    "Names",
    "ObjectiveRow",
    "Option",
    "Row",
    "SolverRow",
    "Table",
    "Whole",
    "choose_solver",
    "objective_row",
    "unknown",
]
