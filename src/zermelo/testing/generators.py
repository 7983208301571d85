"""``check_generator``: a family of games gives the game that its row promises, every time."""

import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from zermelo.errors import InvalidOptionError, ZermeloError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.registry import GENERATORS, GeneratorRow
from zermelo.solve import solve
from zermelo.testing.report import Report

PLAIN = {int, float, str, bool, type(None)}
"""The types of parameters that a command line can read."""

SIZES = ("n", "size", "width", "height", "count")
"""The names of parameters that cannot be negative."""


def check_generator(generator: Any, **given: Any) -> Report:
    """Check a generator, given by its name, its row or as a function, with small arguments.

    ``given`` has the arguments; a number that has no default is 6, or 60 if 6 is refused. The
    generator must return a canonical game of the objective of its row, the same one each time,
    which can be solved. Its parameters have plain types. A value of another type is refused with
    the name of the parameter, and so is a negative size.

    >>> print(check_generator("ladder"))
    generator ladder holds: 1 parameters, 12 positions solved
    """
    row = GENERATORS[generator] if isinstance(generator, str) else generator
    if isinstance(row, GeneratorRow):
        report, (module, _, attribute) = Report(f"generator {row.name}"), row.target.partition(":")
        with report.calling("loading it"):
            make = row.load()
    elif inspect.isfunction(row):
        make, module, attribute = row, row.__module__, row.__name__
        report = Report(f"generator {attribute}")
    else:
        raise InvalidOptionError(f"generator: expected a name, a row or a function, got {row!r}")

    def code(arguments: dict[str, Any]) -> str:
        written = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return f"from {module} import {attribute}; {attribute}({written})"

    kinds = _kinds(make, report)
    parameters = inspect.signature(make).parameters
    needed = [x.name for x in parameters.values() if x.default is x.empty and x.name not in given]
    for name in needed:
        if not {int, float} & kinds[name]:
            raise InvalidOptionError(f"{name}: expected a value, since it is no number, got none")
    game: Any = None
    for size in (6, 60):
        arguments = dict.fromkeys(needed, size) | given
        with report.calling("it", code(arguments)):
            try:
                game = make(**arguments)
                break
            except ZermeloError:
                if size == 60:
                    raise
    given = arguments
    expected = (row.objective or "normal") if isinstance(row, GeneratorRow) else ""
    if not isinstance(game, Game) or game.objective.keyword != (expected or game.objective.keyword):
        of = f" of {expected}" * bool(expected)
        report.fail(f"expected a Game{of}, got {game!r}", code(given))
    graph = game.graph
    if graph != Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.names):
        report.fail("its graph is not canonical", code(given))
    with report.calling("a second call", code(given)):
        if make(**given) != game or make(**given).graph.digest != graph.digest:
            report.fail("the same arguments give another game", code(given))
    for name, parameter in parameters.items():
        report.tried["parameters"] += 1
        for wrong in _wrong_values(parameter, kinds[name]):
            arguments = {**given, name: wrong}
            with report.calling(f"{name}={wrong!r}", code(arguments)):
                _check_refusal(make, arguments, name, report, code(arguments))
    with report.calling("solving its game", code(given)):
        report.tried["positions solved"] = len(solve(game).verify())
    return report


def _kinds(make: Callable[..., Any], report: Report) -> dict[str, set[Any]]:
    """The types that each parameter takes, which a command line must be able to read."""
    with report.calling("reading its type hints"):
        hints = get_type_hints(make)
    kinds: dict[str, set[Any]] = {}
    for name in inspect.signature(make).parameters:
        if name not in hints:
            report.fail(f"{name}: expected a type hint such as int, got none")
        hint = hints[name]
        kinds[name] = {*get_args(hint)} if isinstance(hint, types.UnionType) else {hint}
        if not kinds[name] <= PLAIN:
            report.fail(f"{name}: a command line cannot read {hint}")
    return kinds


def _wrong_values(parameter: inspect.Parameter, kinds: set[Any]) -> Iterator[Any]:
    """Values that a parameter of these types cannot take."""
    required = parameter.default is parameter.empty
    if not kinds & {int, float} or (float not in kinds and (required or parameter.name in SIZES)):
        yield -1
    if str not in kinds:
        yield "?"
    if float not in kinds:
        yield 2.5
    if type(None) not in kinds:
        yield None


def _check_refusal(
    make: Callable[..., Any], arguments: dict[str, Any], name: str, report: Report, code: str
) -> None:
    """A wrong value is refused with the name of the parameter."""
    wrong = f"{name}={arguments[name]!r}"
    try:
        make(**arguments)
    except ZermeloError as error:
        if name not in str(error):
            report.fail(f"the error for {wrong} does not name it: {error}", code, error)
    else:
        report.fail(f"it takes {wrong}", code)
