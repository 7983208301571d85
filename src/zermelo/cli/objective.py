"""Which game is meant: from ``--objective`` and its kin, and from what the file says itself.

``--objective`` takes a keyword, with data after a colon where there are any: ``misere``,
``reach:a,b``, ``safety:a,b``, ``buchi:a,b``, ``co-buchi:a,b``, ``parity:a=2,b=1``,
``muller:Inf(0) & Fin(1)``, ``terminal-payoff:x=3,y=1/2``, ``no-return:misere``. Names that contain
commas are put in double quotes. A position is given by name, or by number where no name is that
number.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zermelo.cli.complete import objectives
from zermelo.cli.words import exact_option, find, read_json, shortened, small_number, split

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.objectives import Objective

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Wish:
    """What the command line says about the objective."""

    objective: str | None = None
    targets: str | None = None
    safe: str | None = None
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

    @property
    def given(self) -> dict[str, Any]:
        """The options that were given, by their names on the command line."""
        said = {f"--{k.replace('_', '-')}": getattr(self, k) for k in _BELONGS}
        return {k: x for k, x in said.items() if x not in (None, ())}


_BELONGS = {
    "targets": ("reach",),
    "safe": ("safety",),
    "payoff": ("terminal-payoff",),
    "payoffs": ("terminal-payoff",),
    "infinite": ("terminal-payoff",),
    "view": ("terminal-payoff",),
    "for_player": ("reach", "safety", "buchi", "co-buchi"),
    "priority": ("parity",),
    "priorities": ("parity",),
    "convention": ("parity",),
    "colour": ("muller",),
    "colours": ("muller",),
}
"""The objectives that each option goes with."""

_IMPLIES = (
    *("targets", "safe", "payoff", "payoffs"),
    *("priority", "priorities", "colour", "colours"),
)
"""The options that imply an objective, the first that they go with."""


def player_number(ctx: click.Context, param: click.Parameter, word: str | None) -> int | None:
    """A player from the command line."""
    return None if word is None else int(word)


_OPTIONS = (
    click.option(
        "--objective", metavar="NAME[:DATA]", shell_complete=objectives,
        help="What winning means: normal, misere, asymmetric, g0, g1, h1, reach:a,b, safety:a,b, "
        "buchi:a,b, co-buchi:a,b, parity:a=2,b=1, 'muller:Inf(0) & Fin(1)', "
        "terminal-payoff:x=3,y=1/2, no-return, return, no-repetition, repetition (with :misere). "
        "Normal play unless the file says otherwise.",
    ),
    click.option("--targets", metavar="A,B", help="The positions to reach; implies reach."),
    click.option("--safe", metavar="A,B", help="The positions to stay in; implies safety."),
    click.option(
        "--payoff", metavar="X=NUMBER", multiple=True,
        help="What player 0 gets when play ends at X (two numbers 3,-1: when player 0 or player 1 "
        "is stuck there); implies terminal-payoff.",
    ),
    click.option("--payoffs", metavar="FILE", help="Payoffs from a JSON object of them by name."),
    click.option("--infinite", metavar="NUMBER", help="What infinite play pays; 0 unless said."),
    click.option(
        "--view", type=click.Choice(["player0", "mover"]),
        help="Who gets the payoffs: player 0, or the one to move at the end.",
    ),
    click.option(
        "--for-player", type=click.Choice(["0", "1"]), callback=player_number,
        help="Who wants to reach (stay in, see for ever, leave for good) the positions; player 0 "
        "unless said.",
    ),
    click.option(
        "--priority", metavar="X=NUMBER", multiple=True,
        help="The priority of X, or several with commas; implies parity.",
    ),
    click.option(
        "--priorities", metavar="FILE",
        help="Priorities from a JSON object of them by name, or a list of them by number.",
    ),
    click.option(
        "--convention", type=click.Choice(["max even", "max odd", "min even", "min odd"]),
        help="Which priority of those seen for ever counts, and which parity player 0 wants; "
        "\"max even\" unless said.",
    ),
    click.option(
        "--colour", metavar="X=NUMBER", multiple=True,
        help="A colour of X, or several with commas; a position may have several colours, or none; "
        "implies muller.",
    ),
    click.option(
        "--colours", metavar="FILE",
        help="Colours from a JSON object by name, or a list by number: numbers, lists, or null.",
    ),
)  # fmt: skip


def objective_options(command: F) -> F:
    """Give a command ``--objective`` and the options that carry its data."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_wish(parameters: dict[str, Any]) -> Wish:
    """Take a command's objective options out of its parameters."""
    return Wish(**{k: parameters.pop(k) for k in Wish.__dataclass_fields__})


def choose_objective(graph: "Graph", own: "Objective | None", wish: Wish) -> "Objective":
    """The objective that the command line asks for, else the file's own, else normal play."""
    from zermelo.objectives import OBJECTIVES
    from zermelo.registry import unknown

    _, colon, data = (wish.objective or "").partition(":")
    keyword = asked_objective(wish)
    if keyword is None:
        keyword = own.keyword if own else "normal"
    if keyword not in OBJECTIVES:
        raise click.BadParameter(
            str(unknown("objective", keyword, list(OBJECTIVES))), param_hint="--objective"
        )
    for name in wish.given:
        fitting = _BELONGS[name[2:].replace("-", "_")]
        if keyword not in fitting:
            raise click.UsageError(f"{name} goes with {' or '.join(fitting)}, not with {keyword}")
    kept = own if own is not None and own.keyword == keyword else None
    if keyword in ("reach", "safety", "buchi", "co-buchi"):
        return _plain_set(graph, kept, keyword, data if colon else None, wish)
    if keyword == "terminal-payoff":
        return _terminal_payoff(graph, kept, data if colon else None, wish)
    if keyword == "parity":
        return _parity(graph, kept, data if colon else None, wish)
    if keyword == "muller":
        from zermelo.cli.muller import muller

        return muller(graph, kept, data if colon else None, wish)
    if keyword in ("no-return", "no-repetition") and colon and data == "misere":
        return OBJECTIVES[keyword].from_spec({"misere": True}, graph)
    if colon:
        raise click.BadParameter(
            f"{keyword} takes nothing after a colon, got {data!r}", param_hint="--objective"
        )
    return kept or OBJECTIVES[keyword]()


def asked_objective(wish: Wish) -> str | None:
    """The keyword of the objective that is named, or that the data given belong to, if any."""
    if wish.objective is not None:
        return wish.objective.partition(":")[0]
    found = dict.fromkeys(
        fitting[0]
        for k, fitting in _BELONGS.items()
        if k in _IMPLIES and getattr(wish, k) not in (None, ())
    )
    if len(found) > 1:
        raise click.UsageError(f"expected one objective, the options imply {' and '.join(found)}")
    return next(iter(found), None)


def _plain_set(
    graph: "Graph", own: "Objective | None", keyword: str, data: str | None, wish: Wish
) -> "Objective":
    from zermelo.objectives import OBJECTIVES, PlainSet

    option = {"reach": "--targets", "safety": "--safe"}.get(keyword, "")
    listed = wish.given.get(option)
    if data is not None and listed is not None:
        raise click.UsageError(f"expected {keyword}:… or {option}, got both")
    if data is None and listed is None:
        if not isinstance(own, PlainSet):
            other = f" or {option} a,b" if option else ""
            raise click.UsageError(f"{keyword} needs positions: --objective {keyword}:a,b{other}")
        return own if wish.for_player is None else replace(own, player=wish.for_player)
    hint = option if data is None else "--objective"
    chosen = [find(graph, name, hint) for name in split(listed if data is None else data, hint)]
    cls: Any = OBJECTIVES[keyword]
    made: Objective = cls(chosen, player=wish.for_player or 0)
    return made


def _terminal_payoff(
    graph: "Graph", own: "Objective | None", data: str | None, wish: Wish
) -> "Objective":
    from zermelo.objectives import TerminalPayoff

    pays: dict[Hashable, Any] = {}
    if wish.payoffs is not None:
        for name, pay in _payoff_file(wish.payoffs).items():
            pays[find(graph, name, wish.payoffs)] = pay
    said = [("--objective", x) for x in split(data, "--objective")] if data is not None else []
    given: dict[Hashable, Any] = {}
    for hint, text in said + [("--payoff", x) for x in wish.payoff]:
        name, equals, numbers = text.rpartition("=")
        if not equals:
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint=hint)
        _assign(given, find(graph, name, hint), _pay(numbers, hint), hint)
    pays |= given
    infinite = 0 if wish.infinite is None else exact_option(wish.infinite, "--infinite")
    if pays:
        return TerminalPayoff(pays, infinite, wish.view or "player0")
    if isinstance(own, TerminalPayoff):
        if wish.infinite is not None:
            own = replace(own, infinite=infinite)
        return own if wish.view is None else replace(own, view=wish.view)
    if graph.terminals.size:
        raise click.UsageError(
            "terminal-payoff needs payoffs: --payoff x=3 for each terminal, or --payoffs FILE"
        )
    return TerminalPayoff({}, infinite, wish.view or "player0")


def _parity(graph: "Graph", own: "Objective | None", data: str | None, wish: Wish) -> "Objective":
    from zermelo.objectives import Parity

    found: dict[Hashable, int] = {}
    if wish.priorities is not None:
        found.update(_priority_file(graph, wish.priorities))
    said = [("--objective", x) for x in split(data, "--objective")] if data is not None else []
    given: dict[Hashable, int] = {}
    said += [("--priority", x) for text in wish.priority for x in split(text, "--priority")]
    for hint, text in said:
        name, _, number = text.rpartition("=")
        if not (name and number.strip().isdecimal()):
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint=hint)
        _assign(given, find(graph, name, hint), small_number(number, hint), hint)
    found |= given
    if found:
        return Parity(found, wish.convention or "max even")
    if isinstance(own, Parity):
        return own if wish.convention is None else replace(own, convention=wish.convention)
    if graph.n:
        raise click.UsageError(
            "parity needs priorities: --priority x=3 for each position, or --priorities FILE"
        )
    return Parity([], wish.convention or "max even")


def _assign(given: dict[Hashable, Any], position: Hashable, x: Any, hint: str) -> None:
    """Give a position its number; another one is refused."""
    if position in given:
        raise click.BadParameter(f"position {position!r} is given twice", param_hint=hint)
    given[position] = x


def _priority_file(graph: "Graph", path: str) -> Iterator[tuple[Hashable, int]]:
    from zermelo.errors import FormatError

    found = read_json(path)
    if isinstance(found, list):
        if len(found) != graph.n:
            raise FormatError(
                f"expected {graph.n} priorities, one a position, got {len(found)}", path=path
            )
        pairs: Iterable[tuple[Hashable, Any]] = zip(graph, found, strict=True)
    elif isinstance(found, dict):
        pairs = ((find(graph, name, path), x) for name, x in found.items())
    else:
        raise FormatError("expected priorities, an object by name or a list", path=path)
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


def describe(graph: "Graph", objective: "Objective") -> str:
    """An objective for people: its keyword, and what it means or which data it has.

    >>> import zermelo as zm
    >>> describe(zm.Graph.from_edges([("a", "b")]), zm.Reach(["b"]))
    'reach b, wanted by player 0'
    """
    from zermelo.objectives import Muller, Parity, PlainSet, TerminalPayoff

    if isinstance(objective, PlainSet):
        places = graph.mask(objective.positions).nonzero()[0].tolist()
        chosen = [str(graph.name(v)) for v in places]
        some = ", ".join(chosen[:5]) + (f", … ({len(chosen):,})" if len(chosen) > 5 else "")
        how = {"buchi": " for ever", "co-buchi": " only finitely often"}.get(objective.keyword, "")
        who = f"wanted{how} by player {objective.player}"
        return f"{objective.keyword} {some or 'no position'}, {who}"
    if isinstance(objective, Parity):
        import numpy as np

        values = np.unique(objective.priorities(graph)).size
        return f"{objective.keyword}, {objective.convention}, {values:,} different priorities"
    if isinstance(objective, Muller):
        data = objective.spec(graph)["acceptance"]
        if isinstance(data, list):
            data = ",".join(f"{{{','.join(map(str, x))}}}" for x in data)
        text = shortened(data)
        colours = set[int]().union(*objective.colours(graph))
        return f"{objective.keyword}, {text or 'no set'}, {len(colours):,} different colours"
    if isinstance(objective, TerminalPayoff):
        return f"{objective.keyword}, {objective.infinite} for infinite play"
    summary = (type(objective).__doc__ or "").strip().splitlines()[0].rstrip(".")
    return f"{objective.keyword}: {summary.partition(': ')[2] or summary}"
