"""The data of objectives on the command line: the text after the colon, options, and JSON files.

``READERS`` has a row for each objective that has options of its own; every other objective, such
as that of another package, reads the text after its colon itself (``Objective.from_text``).

*Muller games.* After the colon stands a formula over ``Inf(i)`` and ``Fin(i)`` (in any case of
letters), or a family of sets of colours, ``{0,1},{2}``. A position has all the colours that it is
given by ``--colour`` and ``--colours``, and may have none.

*Games with weights.* After the colon stand the parameters: ``energy:capacity=10``,
``mean-payoff:threshold=1/3``, ``discounted:9/10``, ``shortest-path:a,b``. The weights come from the
file, or from ``--weights``, a JSON file with a list of triples ``["a", "b", -3]``, one for each
move, or with an object that gives a weight to each position by name, for all its moves.
"""

import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

import zermelo as zm
from zermelo.cli.inputs.parse import (
    exact_option,
    find,
    read_by_position,
    read_json,
    small_number,
    split,
)
from zermelo.errors import FormatError, InvalidObjectiveError, UnknownPositionError
from zermelo.registry import ObjectiveRow

if TYPE_CHECKING:
    from zermelo.cli.inputs.objective import Wish
    from zermelo.labels import Int64Array

SET_OPTIONS = {"targets": "a,b", "safe": "a,b", "avoid": "c,d"}
"""The options that list positions, with an example of each."""

_SET = re.compile(r"\s*\{([\d,\s]*)\}\s*")


class Asked(NamedTuple):
    """What the command line and the file say about an objective."""

    row: "ObjectiveRow"
    graph: "zm.Graph"
    own: "zm.Objective | None"
    """The objective of the file if it is of this kind, else None."""
    data: str | None
    """The text after the colon; None without a colon."""
    wish: "Wish"
    """The options of the command."""

    def positions(self, text: str | None, option: str) -> list[Hashable]:
        """The positions of a list with commas."""
        return [find(self.graph, name, option) for name in split(text, option)]

    def pair(self, text: str, option: str, *, whole: bool = True) -> tuple[Hashable, str]:
        """The position and the number of a text NAME=NUMBER."""
        name, equals, number = text.rpartition("=")
        if not equals or (whole and not (name and number.strip().isdecimal())):
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint=option)
        return find(self.graph, name, option), number

    def texts(self, option: str, texts: list[str]) -> list[tuple[str, str]]:
        """The texts after the colon and those of an option, each with where it comes from."""
        after_colon = [] if self.data is None else split(self.data, "--objective")
        return [("--objective", x) for x in after_colon] + [(option, x) for x in texts]


@contextmanager
def blaming_objective() -> Iterator[None]:
    """Let the message of a text that describes no objective name ``--objective``."""
    try:
        yield
    except InvalidObjectiveError as error:
        raise click.BadParameter(str(error), param_hint="--objective") from None


def from_text(asked: Asked) -> "zm.Objective":
    """The objective by its keyword alone, or with data that the objective itself reads."""
    row, kind = asked.row, cast("type[zm.Objective]", asked.row.load())
    if asked.data is not None:
        with blaming_objective():
            return kind.from_text(asked.data, asked.graph)
    if asked.own is not None:
        return asked.own
    try:
        return kind()
    except TypeError:
        raise click.UsageError(
            f"{row.name} needs data: --objective {row.syntax or row.name + ':DATA'}"
        ) from None


def position_sets(asked: Asked) -> "zm.Objective":
    """Sets of positions and the player who wants them.

    They stand after the colon, as in ``reach:a,b`` and ``reach-avoid:a,b/c,d``, or in options.
    """
    row, data, wish = asked.row, asked.data, asked.wish
    names = [name for name in READERS[row.name].options if name in SET_OPTIONS]
    options = [f"--{name}" for name in names]
    texts = [wish.given.get(option) for option in options]
    listed = any(text is not None for text in texts)
    if data is not None and listed:
        raise click.UsageError(f"expected {row.name}:… or {' and '.join(options)}, got both")
    if data is None and (asked.own is None or listed) and (not texts or texts[0] is None):
        examples = " with ".join(f"--{name} {SET_OPTIONS[name]}" for name in names)
        comma = "," if len(names) > 1 else ""
        other = f"{comma} or {examples}" if examples else ""
        raise click.UsageError(f"{row.name} needs positions: --objective {row.syntax}{other}")
    if data is None and not listed:
        own: Any = asked.own
        own = own if wish.for_player is None else replace(own, player=wish.for_player)
        return cast("zm.Objective", own)
    if data is not None:
        texts = list(data.partition("/")[::2]) if len(options) > 1 else [data]
        options = ["--objective"] * len(texts)
    sets = [asked.positions(text, option) for text, option in zip(texts, options, strict=True)]
    made: zm.Objective = row.load()(*sets, player=wish.for_player or 0)
    return made


def terminal_payoff(asked: Asked) -> "zm.Objective":
    """Payoffs of terminals, as in ``terminal-payoff:x=3,y=1/2`` or by options."""
    graph, own, wish = asked.graph, asked.own, asked.wish
    pays: dict[Hashable, Any] = {}
    if wish.payoffs is not None:
        pays = _payoff_file(graph, wish.payoffs)
    named: dict[Hashable, Any] = {}
    for option, text in asked.texts("--payoff", list(wish.payoff)):
        position, numbers = asked.pair(text, option, whole=False)
        _assign(named, position, _pay(numbers, option), option)
    pays |= named
    infinite = 0 if wish.infinite is None else exact_option(wish.infinite, "--infinite")
    if not pays and isinstance(own, zm.TerminalPayoff):
        own = own if wish.infinite is None else replace(own, infinite=infinite)
        return own if wish.view is None else replace(own, view=wish.view)
    if not pays and graph.terminals.size:
        raise click.UsageError(
            "terminal-payoff needs payoffs: --payoff x=3 for each terminal, or --payoffs FILE"
        )
    return zm.TerminalPayoff(pays, infinite, wish.view or "player0")


def parity(asked: Asked) -> "zm.Objective":
    """Priorities of positions, as in ``parity:a=2,b=1`` or by options."""
    graph, own, wish = asked.graph, asked.own, asked.wish
    found: dict[Hashable, int] = {}
    if wish.priorities is not None:
        found = _priority_file(graph, wish.priorities)
    named: dict[Hashable, int] = {}
    listed = [x for text in wish.priority for x in split(text, "--priority")]
    for option, text in asked.texts("--priority", listed):
        position, number = asked.pair(text, option)
        _assign(named, position, small_number(number, option), option)
    found |= named
    if not found and isinstance(own, zm.Parity):
        return own if wish.convention is None else replace(own, convention=wish.convention)
    if not found and graph.n:
        raise click.UsageError(
            "parity needs priorities: --priority x=3 for each position, or --priorities FILE"
        )
    return zm.Parity(found or [], wish.convention or "max even")


def _assign(named: dict[Hashable, Any], position: Hashable, x: Any, option: str) -> None:
    """Give a position its number; a second number is refused."""
    if position in named:
        raise click.BadParameter(f"position {position!r} is given twice", param_hint=option)
    named[position] = x


def _priority_file(graph: "zm.Graph", path: str) -> dict[Hashable, int]:
    found = dict(read_by_position(graph, path, "priorities", "priorities"))
    for name, x in found.items():
        if not isinstance(x, int) or isinstance(x, bool) or x < 0:
            raise FormatError(f"priority of {name!r}: expected 0, 1, 2, …, got {x}", path=path)
    return found


def _payoff_file(graph: "zm.Graph", path: str) -> dict[Hashable, Any]:
    from zermelo.objectives.terminal_form import number

    found, pays = read_json(path), {}
    if not isinstance(found, dict):
        raise FormatError("expected an object of payoffs by name", path=path)
    for name, pay in found.items():
        both = isinstance(pay, list) and len(pay) == 2
        try:
            pays[name] = (number(pay[0]), number(pay[1])) if both else number(pay)
        except InvalidObjectiveError as error:
            raise FormatError(f"payoff of {name!r}: {error}", path=path) from None
    return {find(graph, name, path): pay for name, pay in pays.items()}


def _pay(text: str, option: str) -> Any:
    parts = [exact_option(x, option) for x in text.split(",")]
    if len(parts) > 2:
        raise click.BadParameter(f"expected one or two numbers, got {text!r}", param_hint=option)
    return parts[0] if len(parts) == 1 else tuple(parts)


# -------------------------------------------------------------------- Muller games


def muller(asked: Asked) -> "zm.Objective":
    """The Muller game of the options; colours or a condition that they omit come from the file."""
    own = cast("zm.Muller | None", asked.own)
    colour: Any = _colours(asked)
    acceptance: Any = None if asked.data is None else _acceptance(asked.data)
    if colour is None and acceptance is None and own is not None:
        return own
    if acceptance is None:
        if own is None:
            raise click.UsageError(
                "muller needs an acceptance condition: --objective 'muller:Inf(0) & Fin(1)', "
                "or sets of colours, 'muller:{0,1},{2}'"
            )
        acceptance = own.acceptance
    if colour is None:
        if own is None and asked.graph.n:
            raise click.UsageError(
                "muller needs colours: --colour x=0 for each position that has one, "
                "or --colours FILE"
            )
        colour = own.colour if own is not None else []
    return zm.Muller(colour, acceptance)


def _acceptance(text: str) -> str | list[list[int]]:
    """A formula, or a family of sets.

    >>> _acceptance("inf(0)&FIN(1)"), _acceptance("{0, 1},{2},{}")
    ('Inf(0)&Fin(1)', [[0, 1], [2], []])
    """
    from zermelo.objectives.acceptance import Formula

    if text.lstrip().startswith("{"):
        return _family(text)
    formula = re.sub(r"\b(inf|fin)\b", lambda x: x[1].capitalize(), text, flags=re.IGNORECASE)
    with blaming_objective():
        return str(Formula(formula))


def _family(text: str) -> list[list[int]]:
    found: list[list[int]] = []
    rest = text
    while match := _SET.match(rest):
        numbers = [x.strip() for x in match[1].split(",")] if match[1].strip() else []
        if not all(x.isdecimal() and len(x) <= 10 for x in numbers):
            break
        found.append([int(x) for x in numbers])
        rest = rest[match.end() :]
        if not rest:
            return found
        if not rest.startswith(","):
            break
        rest = rest[1:]
    raise click.BadParameter(
        f"expected sets of colours such as {{0,1}},{{2}}, got {text!r}", param_hint="--objective"
    )


def _colours(asked: Asked) -> dict[Hashable, set[int]] | None:
    """The colours of each position that has any, or None if no colours are given."""
    from zermelo.objectives.muller import colour_set

    wish, path = asked.wish, asked.wish.colours
    if path is None and not wish.colour:
        return None
    found: dict[Hashable, set[int]] = {}
    if path is not None:
        pairs = read_by_position(asked.graph, path, "colours", "entries")
        try:
            found = {name: set(colour_set(x, f"colour of {name!r}")) for name, x in pairs}
        except InvalidObjectiveError as error:
            raise FormatError(str(error), path=path) from None
    for text in (x for part in wish.colour for x in split(part, "--colour")):
        position, number = asked.pair(text, "--colour")
        found.setdefault(position, set()).add(small_number(number, "--colour"))
    return found


# -------------------------------------------------------------------- weights


def quantitative(asked: Asked) -> "zm.Objective":
    """The objective of the options; ``own`` is any objective with the weights of the file."""
    from zermelo.objectives.quantitative import Quantitative
    from zermelo.objectives.weighted_text import read_text

    row, graph, wish = asked.row, asked.graph, asked.wish
    own = asked.own if isinstance(asked.own, Quantitative) else None
    if wish.weights is not None:
        weight: Any = _weight_file(graph, wish.weights)
    elif own is not None:
        weight = own.weights(graph)
    elif graph.m == 0:
        weight = []
    else:
        raise click.UsageError(
            f"{row.name} needs an integer weight for every move, and this file does not have them: "
            "write a third column in an edge list, weight=3 in DOT, or give --weights FILE"
        )
    if row.name == "shortest-path":
        return _shortest_path(asked, weight)
    if asked.data is None and own is not None and own.keyword == row.name:
        return replace(own, weight=weight, on="moves")
    with blaming_objective():
        return read_text(row.name, asked.data, graph, weight)


def _shortest_path(asked: Asked, weight: Any) -> "zm.Objective":
    """The targets after the colon, of ``--targets``, or of the file."""
    from zermelo.objectives.weighted_text import read_text

    data, wish = asked.data, asked.wish
    player: Any = {} if wish.for_player is None else {"player": wish.for_player}
    if data is not None and wish.targets is not None:
        raise click.UsageError("expected shortest-path:… or --targets, got both")
    if wish.targets is not None:
        return zm.ShortestPath(weight, asked.positions(wish.targets, "--targets"), **player)
    if data is not None:
        try:
            with blaming_objective():
                made = read_text(asked.row.name, data, asked.graph, weight)
        except UnknownPositionError as error:
            raise UnknownPositionError(f"--objective: {error}") from None
        return replace(made, **player)
    if not isinstance(asked.own, zm.ShortestPath):
        raise click.UsageError(
            "shortest-path needs targets: --objective shortest-path:a,b or --targets a,b"
        )
    return replace(asked.own, weight=weight, on="moves", **player)


def _weight_file(graph: "zm.Graph", path: str) -> "Int64Array":
    """The weights of the moves from a JSON file."""
    from zermelo.objectives.weights import weights_on

    found = read_json(path)
    try:
        if isinstance(found, dict):
            by_name = {find(graph, name, path): x for name, x in found.items()}
            return weights_on(graph, by_name, "positions")
        if not isinstance(found, list):
            raise FormatError(
                "expected weights, a list of triples [from, to, weight] or an object by position",
                path=path,
            )
        if found and not isinstance(found[0], list):
            return weights_on(graph, found, "moves")
        triples = []
        for k, x in enumerate(found):
            if not isinstance(x, list) or len(x) != 3:
                raise FormatError(
                    f"/{k}: expected a triple [from, to, weight], got {x!r}", path=path
                )
            triples.append((find(graph, str(x[0]), path), find(graph, str(x[1]), path), x[2]))
        return weights_on(graph, triples, "moves")
    except (InvalidObjectiveError, UnknownPositionError) as error:
        text = str(error).removeprefix(f"{path}: ")
        raise FormatError(text, path=path) from None


# -------------------------------------------------------------------- the table


class Reader(NamedTuple):
    """The function that makes an objective, and the options that carry its data."""

    read: "Callable[[Asked], zm.Objective]"
    options: tuple[str, ...] = ()


READERS = {
    "terminal-payoff": Reader(terminal_payoff, ("payoff", "payoffs", "infinite", "view")),
    "reach": Reader(position_sets, ("targets", "for_player")),
    "safety": Reader(position_sets, ("safe", "for_player")),
    "reach-avoid": Reader(position_sets, ("targets", "avoid", "for_player")),
    "parity": Reader(parity, ("priority", "priorities", "convention")),
    "buchi": Reader(position_sets, ("for_player",)),
    "co-buchi": Reader(position_sets, ("for_player",)),
    "muller": Reader(muller, ("colour", "colours")),
    "energy": Reader(quantitative, ("weights",)),
    "mean-payoff": Reader(quantitative, ("weights",)),
    "discounted": Reader(quantitative, ("weights",)),
    "shortest-path": Reader(quantitative, ("weights", "targets", "for_player")),
}
"""Every objective that has options of its own; an option implies the first that has it."""

FROM_TEXT = Reader(from_text)
"""The reader of every other objective."""
