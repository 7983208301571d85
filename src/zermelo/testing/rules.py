"""``check_rules``: rules agree with themselves, and with the table that is built from them."""

import itertools
import os
import tempfile
from typing import Any

from zermelo.errors import ContractError, LimitError, ZermeloError
from zermelo.registry import GameRow
from zermelo.rules.explore import explore
from zermelo.rules.loading.games import game as named_game
from zermelo.solve import solve
from zermelo.tables.building.build import build
from zermelo.tables.table import Table
from zermelo.testing.report import Report
from zermelo.verify.rules.check import check_rules as findings

MAX_PROBES = 500
"""The number of positions at which a table is compared with the solution of the graph."""


def check_rules(rules: Any, *, samples: int | None = None, limit: int = 20_000) -> Report:
    """Check the rules of a game, given by a name, a row or as an object.

    Every member is compared with the others, as ``zermelo check-rules`` does it, at all positions
    or at ``samples``. A game with at most ``limit`` positions is also explored and solved, and a
    table of it is built, checked, read back, and compared with the solution.

    >>> print(check_rules("nim:2,3"))
    rules nim:2,3 holds: 5 members, 9 positions solved, 9 positions of a table
    """
    name = rules.example if isinstance(rules, GameRow) else rules
    rules = named_game(name) if isinstance(name, str) else rules
    report = Report(f"rules {name if isinstance(name, str) else type(rules).__name__}")
    code = (
        f"import zermelo as zm; zm.testing.check_rules({name!r})" if isinstance(name, str) else ""
    )
    for finding in findings(rules, samples):
        if not finding.holds:
            report.fail(finding.message, code)
        report.tried["members"] += 1
    try:
        explored = explore(rules, limit=limit)
    except LimitError:
        return report
    except Exception as error:
        report.fail(f"exploring it raises {type(error).__name__}: {error}", code, error)
    try:
        solution = solve(explored).verify()
        report.tried["positions solved"] = explored.graph.n
        _check_table(rules, explored, solution, report)
    except ContractError:
        raise
    except ZermeloError as error:
        report.fail(f"it is not solved: {error}", code, error)
    return report


def _check_table(rules: Any, explored: Any, solution: Any, report: Report) -> None:
    """A table is built, checked and opened, and says what the solution of the graph says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.zt")
        build(rules, path).close()
        with Table(path, rules) as table:
            table.verify()
            step = max(1, explored.graph.n // MAX_PROBES)
            for x in itertools.islice(explored.graph, 0, None, step):
                one, two = table.at(x), solution.at(x)
                if (one.label, one.distance) != (two.label, two.distance):
                    report.fail(f"position {x!r}: the table says {one}, the graph says {two}")
                report.tried["positions of a table"] += 1
