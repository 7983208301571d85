"""``zermelo transform``: another game from a game, by the name of the transformation."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import click

import zermelo as zm
from zermelo.cli import complete
from zermelo.cli.graphs.parameters import Catalogue, Parameters, parameters_of, parse_parameters
from zermelo.cli.inputs.files import check_output, name_of
from zermelo.cli.inputs.objective import objective_options, take_wish
from zermelo.cli.inputs.parse import split
from zermelo.cli.inputs.source import Source, open_game
from zermelo.cli.options import FORCE, JSON, GroupedCommand, option, target_format
from zermelo.cli.output import show
from zermelo.cli.output.progress import Meter
from zermelo.errors import InvalidObjectiveError
from zermelo.registry.table import Row
from zermelo.registry.transforms import TRANSFORMS

POSITION = ("start",)
"""Parameters that are the name of a position."""

POSITIONS = ("positions",)
"""Parameters that are a list of names with commas."""


def _parameters(row: "Row") -> Parameters:
    return parameters_of(_function(row))


def _function(row: "Row") -> Callable[..., Any]:
    """The function of a row without its first parameter, the game."""
    return partial(row.load(), None)


def _usage(p: inspect.Parameter) -> str:
    kinds = {"start": "A", "positions": "A,B"}
    if p.default is p.empty:
        return f"{p.name}={kinds.get(p.name, 'N')}"
    default = kinds.get(p.name, "N") if p.default is None else p.default
    return f"[{p.name}={default}]"


TRANSFORMATIONS = Catalogue(
    TRANSFORMS, _parameters, complete.files_and_games, "transformations", "name",
    "what it makes, and its parameters", "zermelo transform NAME KEY=VALUE … IN OUT", _usage,
)  # fmt: skip


@click.command(cls=GroupedCommand)
@click.argument(
    "arguments",
    metavar="[NAME [KEY=VALUE]... IN OUT]",
    nargs=-1,
    shell_complete=TRANSFORMATIONS.complete,
)
@option("--from from_", "NAME", "The format of IN.", complete.formats)
@target_format()
@objective_options
@FORCE
@JSON
def command(
    arguments: tuple[str, ...], from_: str | None, to: str | None, force: bool, as_json: bool,
    **given: Any,
) -> None:  # fmt: skip
    """Make another game from the game in IN, by the transformation NAME, and write it to OUT.

    The new game has an objective and a start if the old one has them and they mean the same there;
    a game for which they would not is refused. The objective of the old game is that of IN, unless
    --objective gives another. IN may be a game of zermelo games. - is standard
    input or output, which is JSON if --to does not say otherwise. Without arguments, list the
    transformations with their parameters.

    \b
    zermelo transform
    zermelo transform reachable start=a game.txt part.txt
    zermelo transform unravel start=a depth=3 game.txt tree.json
    zermelo transform quotient nim:3,4,5 small.json
    zermelo transform to-parity buchi.json game.pg
    zermelo transform to-parity game.json game.pg --objective buchi:a,b
    """
    wish = take_wish(given)
    asked = wish.objective is not None or bool(wish.given)
    if not arguments:
        if from_ is not None or to is not None or force or asked:
            raise click.UsageError("a list of transformations takes no options but --json")
        TRANSFORMATIONS.show(TRANSFORMS, as_json)
        return
    row = TRANSFORMS[arguments[0]]
    if as_json:
        raise click.UsageError("--json goes with the list of transformations")
    if len(arguments) < 3:
        raise click.UsageError(
            f"expected a file to read and a file to write after {row.name!r} and its parameters, "
            f"got {show.count(len(arguments) - 1, 'argument')}"
        )

    *pairs, source, target = arguments[1:]
    check_output(target, "graph", (source,), force, format_=to)
    with Meter() as meter:
        parameters = parse_parameters(row.name, _function(row), pairs, _usage)
        made = open_game(source, from_, meter)
        old = replace(made.game, objective=made.choose(wish)) if asked else made.game
        meter.stage(f"making {row.name}")
        try:
            game = row.load()(old, **_resolved(made, parameters))
        except InvalidObjectiveError as error:
            raise InvalidObjectiveError(f"{name_of(source)}: {error}") from None
        meter.stage(f"writing {target}")
        zm.write(game, target, format="json" if target == "-" and to is None else to)
    show.note_written(target, f"{show.graph_size(game.graph)}, {game.objective.keyword}")


def _resolved(made: "Source", given: dict[str, Any]) -> dict[str, Any]:
    """The parameters, with positions found in the graph."""
    found = dict(given)
    for name, value in given.items():
        if value is not None and name in POSITION:
            found[name] = made.find(value, name)
        elif name in POSITIONS:
            found[name] = [made.find(x, name) for x in split(value, name)]
    return found
