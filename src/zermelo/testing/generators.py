"""``check_generator``: a family of games gives the game that its row promises, every time."""

import inspect
import types
from typing import Any, get_args, get_type_hints

from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.registry import GENERATORS
from zermelo.solve import solve
from zermelo.testing.report import Report

PLAIN = {int, float, str, bool, type(None)}
"""The types of parameters that a command line can read."""


def check_generator(generator: Any, **given: Any) -> Report:
    """Check a generator, given by its name or its row, with small arguments.

    ``given`` has the arguments; a size that has no default is 6. The generator must return a
    canonical game of the objective of its row, the same one each time, which can be solved. Its
    parameters have plain types, and a value that makes no sense is refused with its name.

    >>> print(check_generator("ladder"))
    generator ladder holds: 1 parameters, 12 positions solved
    """
    row = GENERATORS[generator] if isinstance(generator, str) else generator
    report, make = Report(f"generator {row.name}"), row.load()
    parameters = inspect.signature(make).parameters
    given = {x.name: 6 for x in parameters.values() if x.default is x.empty} | given
    written = ", ".join(f"{name}={value!r}" for name, value in given.items())
    module, _, attribute = row.target.partition(":")
    code = f"from {module} import {attribute}; {attribute}({written})"
    game = make(**given)
    if not isinstance(game, Game) or game.objective.keyword != (row.objective or "normal"):
        report.fail(f"expected a Game of {row.objective or 'normal'}, got {game!r}", code)
    graph = game.graph
    if graph != Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.names):
        report.fail("its graph is not canonical", code)
    if make(**given) != game or make(**given).graph.digest != graph.digest:
        report.fail("the same arguments give another game", code)
    hints = get_type_hints(make)
    for name, parameter in parameters.items():
        report.tried["parameters"] += 1
        kinds = get_args(hints[name]) if isinstance(hints[name], types.UnionType) else [hints[name]]
        if not PLAIN.issuperset(kinds):
            report.fail(f"{name}: a command line cannot read {hints[name]}", code)
        for wrong in (-1, "?", 2.5, None):
            if isinstance(wrong, float) and isinstance(parameter.default, float):
                continue
            try:
                make(**{**given, name: wrong})
            except ZermeloError as error:
                if name not in str(error):
                    report.fail(f"the error for {name}={wrong!r} does not name it: {error}", code)
            else:
                report.fail(f"it takes {name}={wrong!r}", code)
    report.tried["positions solved"] = len(solve(game).verify())
    return report
