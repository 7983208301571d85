"""The objective of a game: from ``--objective``, the options with its data, and the file.

``--objective`` takes a keyword, and data after a colon if it needs any: ``misere``,
``reach:a,b``, ``safety:a,b``, ``reach-avoid:a,b/c,d``, ``buchi:a,b``, ``co-buchi:a,b``,
``parity:a=2,b=1``, ``muller:Inf(0) & Fin(1)``, ``terminal-payoff:x=3,y=1/2``,
``no-return:misere``, ``mean-payoff:threshold=1/3``. Names that contain commas
are put in double quotes. A position is given by name, or by number if no name is that number.
"""

from dataclasses import dataclass
from typing import Any

import click

import zermelo as zm
from zermelo.cli.complete import files, objectives, pairs, position_list
from zermelo.cli.inputs.objective_data import FROM_TEXT, READERS, Asked
from zermelo.cli.options import F, option, player, under
from zermelo.registry import OBJECTIVES, unknown


@dataclass(frozen=True)
class Wish:
    """The options of the command line that belong to the objective."""

    objective: str | None = None
    targets: str | None = None
    safe: str | None = None
    avoid: str | None = None
    payoff: tuple[str, ...] = ()
    payoffs: str | None = None
    infinite: str | None = None
    view: str | None = None
    for_player: int | None = None
    priority: tuple[str, ...] = ()
    priorities: str | None = None
    convention: str | None = None
    colour: tuple[str, ...] = ()
    colours: str | None = None
    weights: str | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The options that were given, by their names on the command line."""
        names = [name for name in self.__dataclass_fields__ if name != "objective"]
        found = {f"--{name.replace('_', '-')}": getattr(self, name) for name in names}
        return {name: value for name, value in found.items() if value not in (None, ())}


_IMPLIES = (
    "targets", "safe", "avoid", "payoff", "payoffs", "priority", "priorities", "colour", "colours",
)  # fmt: skip
"""The options that imply the first objective that has them all; the others imply nothing."""


_OPTIONS = (
    option(
        "--objective", "NAME[:DATA]",
        f"What winning means: {', '.join(row.syntax or row.name for row in OBJECTIVES.own)}. "
        "The default is the objective of the file, or normal play if it has none.",
        objectives,
    ),
    option("--targets", "A,B", "The positions to reach; implies reach.", position_list),
    option("--safe", "A,B", "The positions to stay in; implies safety.", position_list),
    option(
        "--avoid", "A,B",
        "The positions to avoid until one of --targets is reached; implies reach-avoid.",
        position_list,
    ),
    option(
        "--payoff", "X=NUMBER",
        "What player 0 gets when play ends at X (two numbers 3,-1: when player 0 or player 1 is "
        "stuck there); implies terminal-payoff.", pairs, multiple=True,
    ),
    option("--payoffs", "FILE", "Payoffs from a JSON file: an object, by name.", files),
    option("--infinite", "NUMBER", "What infinite play pays; the default is 0."),
    option(
        "--view", None, "Who gets the payoffs: player 0, or the player to move at the end.",
        type=click.Choice(["player0", "mover"]),
    ),
    player(
        "--for-player",
        "Who wants to reach (stay in, see for ever, leave for good) the positions; the default is "
        "player 0.",
    ),
    option(
        "--priority", "X=NUMBER", "The priority of X, or several with commas; implies parity.",
        pairs, multiple=True,
    ),
    option(
        "--priorities", "FILE",
        "Priorities from a JSON file: an object by name, or a list by number.", files,
    ),
    option(
        "--convention", None,
        "Which priority of those seen for ever counts, and which parity player 0 wants; the "
        "default is \"max even\".",
        type=click.Choice(["max even", "max odd", "min even", "min odd"]),
    ),
    option(
        "--colour", "X=NUMBER",
        "A colour of X, or several with commas; a position may have several colours, or none; "
        "implies muller.", pairs, multiple=True,
    ),
    option(
        "--colours", "FILE",
        "Colours from a JSON file: an object by name, or a list by number; each entry is a "
        "number, a list of numbers, or null.", files,
    ),
    option(
        "--weights", "FILE",
        "Weights of moves from a JSON file: a list of triples [from, to, weight], or an object by "
        "position; the default is the weights in FILE.", files,
    ),
)  # fmt: skip


def objective_options(command: F) -> F:
    """Give a command ``--objective`` and the options that carry its data."""
    return under("Objective", *_OPTIONS)(command)


def take_wish(parameters: dict[str, Any]) -> Wish:
    """Take a command's objective options out of its parameters."""
    return Wish(**{k: parameters.pop(k) for k in Wish.__dataclass_fields__})


def choose_objective(
    graph: "zm.Graph", own: "zm.Objective | None", wish: Wish, weight: Any = None
) -> "zm.Objective":
    """The objective that the command line asks for, else the file's own, else normal play.

    ``weight`` is the weights of the moves, if the file has any.
    """
    _, colon, data = (wish.objective or "").partition(":")
    keyword = asked_objective(wish)
    if keyword is None:
        keyword = own.keyword if own else "normal"
    if keyword not in OBJECTIVES:
        raise click.BadParameter(
            str(unknown("objective", keyword, [row.name for row in OBJECTIVES])),
            param_hint="--objective",
        )
    row, reader = OBJECTIVES[keyword], READERS.get(keyword, FROM_TEXT)
    for name in wish.given:
        if _field(name) not in reader.options:
            fitting = [other for other, x in READERS.items() if _field(name) in x.options]
            raise click.UsageError(f"{name} goes with {' or '.join(fitting)}, not with {keyword}")
    given = own if own is not None and own.keyword == keyword else None
    if given is None and row.family == "quantitative" and weight is not None:
        given = zm.MeanPayoff(weight)  # its weights are for every objective that has weights
    return reader.read(Asked(row, graph, given, data if colon else None, wish))


def _field(option: str) -> str:
    """The name of an option in a Reader and in a Wish: ``for_player`` for ``--for-player``."""
    return option[2:].replace("-", "_")


def _first_with(options: set[str]) -> str | None:
    """The keyword of the first objective that has some options."""
    return next((name for name, x in READERS.items() if options <= set(x.options)), None)


def asked_objective(wish: Wish) -> str | None:
    """The keyword of the objective that is named, or that the given data belong to, if any.

    ``--targets`` implies reach, for example, and with ``--avoid`` reach-avoid; ``--for-player``
    implies nothing.
    """
    if wish.objective is not None:
        return wish.objective.partition(":")[0]
    implied = [_field(name) for name in wish.given if _field(name) in _IMPLIES]
    if not implied:
        return None
    keyword = _first_with(set(implied))
    if keyword is None:
        found = dict.fromkeys(str(_first_with({name})) for name in implied)
        raise click.UsageError(f"expected one objective, the options imply {' and '.join(found)}")
    return keyword
