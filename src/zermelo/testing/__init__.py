"""A kit for packages that extend zermelo: each function checks a solver, an objective, rules, …

Nothing here needs a test framework. A function tries the extension on every small game and on
random ones, compares it with slow and plain definitions, and returns a :class:`Report` of what it
tried. At the first fault it raises :class:`~zermelo.errors.ContractError`, which is an
``AssertionError``: one sentence, and one line of Python that shows the fault on a game that is as
small as possible.

>>> from zermelo.testing import check_solver
>>> print(check_solver("fraenkel-levy", "normal", games=50))
solver fraenkel-levy holds: 50 games, 50 compared with the definition
"""

from zermelo.testing.formats import check_format
from zermelo.testing.generators import check_generator
from zermelo.testing.objectives import check_objective
from zermelo.testing.report import Report
from zermelo.testing.rules import check_rules
from zermelo.testing.solvers import check_solver

__all__ = [
    "Report",
    "check_format",
    "check_generator",
    "check_objective",
    "check_rules",
    "check_solver",
]
