"""The data of objectives on the command line: the text after the colon, and options.

The table of objectives names one of these functions for each objective. All have the same
arguments: the row of the objective, the graph, the objective of the file if it is of the same kind
(else None), the text after the colon (None without a colon), and the options of the command.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.inputs.parse import (
    exact_option,
    find,
    read_by_position,
    read_json,
    small_number,
    split,
)

if TYPE_CHECKING:
    from zermelo.cli.inputs.objective import Wish
    from zermelo.graph import Graph
    from zermelo.objectives import Objective
    from zermelo.registry import ObjectiveRow

SETS = ("targets", "safe")
"""The options that list positions."""


def from_text(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: "Wish"
) -> "Objective":
    """The objective by its keyword alone, or with data that the objective itself reads."""
    from zermelo.errors import InvalidObjectiveError

    kind: Any = row.load()
    if data is not None:
        try:
            made: Objective = kind.from_text(data, graph)
        except InvalidObjectiveError as error:
            raise click.BadParameter(str(error), param_hint="--objective") from None
        return made
    if given is not None:
        return given
    try:
        made = kind()
    except TypeError:
        raise click.UsageError(
            f"{row.name} needs data: --objective {row.syntax or row.name + ':DATA'}"
        ) from None
    return made


def plain_set(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: "Wish"
) -> "Objective":
    """A set of positions and the player who wants them, as in ``reach:a,b`` or by an option."""
    keyword = row.name
    option = next((f"--{name}" for name in row.data_options if name in SETS), "")
    listed = wish.given.get(option)
    if data is not None and listed is not None:
        raise click.UsageError(f"expected {keyword}:… or {option}, got both")
    if data is None and listed is None:
        if given is None:
            other = f" or {option} a,b" if option else ""
            raise click.UsageError(f"{keyword} needs positions: --objective {keyword}:a,b{other}")
        kept: Any = given
        return given if wish.for_player is None else replace(kept, player=wish.for_player)
    hint = option if data is None else "--objective"
    chosen = [find(graph, name, hint) for name in split(listed if data is None else data, hint)]
    made: Objective = row.load()(chosen, player=wish.for_player or 0)
    return made


def reach_avoid(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: "Wish"
) -> "Objective":
    """A goal and positions to avoid, as in ``reach-avoid:a,b/c,d`` or by options."""
    from zermelo.objectives import ReachAvoid

    listed = wish.targets is not None or wish.avoid is not None
    if data is not None and listed:
        raise click.UsageError("expected reach-avoid:… or --targets and --avoid, got both")
    if data is None and (given is None or listed) and wish.targets is None:
        raise click.UsageError(
            "reach-avoid needs positions: --objective reach-avoid:a,b/c,d, or --targets a,b with "
            "--avoid c,d"
        )
    if data is None and not listed:
        kept: Any = given
        return kept if wish.for_player is None else replace(kept, player=wish.for_player)  # type: ignore[no-any-return]
    texts = (wish.targets, wish.avoid) if data is None else data.partition("/")[::2]
    hints = ("--targets", "--avoid") if data is None else ("--objective", "--objective")
    goal, avoid = (
        [find(graph, name, hint) for name in split(text, hint)]
        for text, hint in zip(texts, hints, strict=True)
    )
    return ReachAvoid(goal, avoid, player=wish.for_player or 0)


def terminal_payoff(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: "Wish"
) -> "Objective":
    """Payoffs of terminals, as in ``terminal-payoff:x=3,y=1/2`` or by options."""
    from zermelo.objectives import TerminalPayoff

    pays: dict[Hashable, Any] = {}
    if wish.payoffs is not None:
        for name, pay in _payoff_file(wish.payoffs).items():
            pays[find(graph, name, wish.payoffs)] = pay
    texts = [("--objective", x) for x in split(data, "--objective")] if data is not None else []
    named: dict[Hashable, Any] = {}
    for hint, text in texts + [("--payoff", x) for x in wish.payoff]:
        name, equals, numbers = text.rpartition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint=hint)
        _assign(named, find(graph, name, hint), _pay(numbers, hint), hint)
    pays |= named
    infinite = 0 if wish.infinite is None else exact_option(wish.infinite, "--infinite")
    if pays:
        return TerminalPayoff(pays, infinite, wish.view or "player0")
    if isinstance(given, TerminalPayoff):
        if wish.infinite is not None:
            given = replace(given, infinite=infinite)
        return given if wish.view is None else replace(given, view=wish.view)
    if graph.terminals.size:
        raise click.UsageError(
            "terminal-payoff needs payoffs: --payoff x=3 for each terminal, or --payoffs FILE"
        )
    return TerminalPayoff({}, infinite, wish.view or "player0")


def parity(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: "Wish"
) -> "Objective":
    """Priorities of positions, as in ``parity:a=2,b=1`` or by options."""
    from zermelo.objectives import Parity

    found: dict[Hashable, int] = {}
    if wish.priorities is not None:
        found.update(_priority_file(graph, wish.priorities))
    texts = [("--objective", x) for x in split(data, "--objective")] if data is not None else []
    texts += [("--priority", x) for text in wish.priority for x in split(text, "--priority")]
    named: dict[Hashable, int] = {}
    for hint, text in texts:
        name, _, number = text.rpartition("=")
        if not (name and number.strip().isdecimal()):
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint=hint)
        _assign(named, find(graph, name, hint), small_number(number, hint), hint)
    found |= named
    if found:
        return Parity(found, wish.convention or "max even")
    if isinstance(given, Parity):
        return given if wish.convention is None else replace(given, convention=wish.convention)
    if graph.n:
        raise click.UsageError(
            "parity needs priorities: --priority x=3 for each position, or --priorities FILE"
        )
    return Parity([], wish.convention or "max even")


def _assign(named: dict[Hashable, Any], position: Hashable, x: Any, hint: str) -> None:
    """Give a position its number; a second number is refused."""
    if position in named:
        raise click.BadParameter(f"position {position!r} is given twice", param_hint=hint)
    named[position] = x


def _priority_file(graph: "Graph", path: str) -> Iterator[tuple[Hashable, int]]:
    from zermelo.errors import FormatError

    pairs = read_by_position(graph, path, "priorities", "priorities")
    for name, x in pairs:
        if not isinstance(x, int) or isinstance(x, bool) or x < 0:
            raise FormatError(f"priority of {name!r}: expected 0, 1, 2, …, got {x}", path=path)
        yield name, x


def _payoff_file(path: str) -> Mapping[str, Any]:
    from zermelo.errors import FormatError

    found = read_json(path)
    if not isinstance(found, dict):
        raise FormatError("expected an object of payoffs by name", path=path)
    return {name: _file_pay(pay, name, path) for name, pay in found.items()}


def _file_pay(pay: Any, name: str, path: str) -> Any:
    from zermelo.errors import FormatError, InvalidObjectiveError
    from zermelo.objectives.terminal_form import number

    try:
        if isinstance(pay, list) and len(pay) == 2:
            return number(pay[0]), number(pay[1])
        return number(pay)
    except InvalidObjectiveError as error:
        raise FormatError(f"payoff of {name!r}: {error}", path=path) from None


def _pay(text: str, hint: str) -> Any:
    parts = [exact_option(x, hint) for x in text.split(",")]
    if len(parts) > 2:
        raise click.BadParameter(f"expected one or two numbers, got {text!r}", param_hint=hint)
    return parts[0] if len(parts) == 1 else tuple(parts)
