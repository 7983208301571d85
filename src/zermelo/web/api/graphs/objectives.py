"""The objectives as a page asks for them: which data each one needs, and what kind they have.

The list is made from the table of objectives and the members of their classes, so a new objective
appears by itself. A member that this file does not know is asked for as JSON.
"""

import dataclasses
from fractions import Fraction
from typing import Any, Literal, TypedDict

from zermelo.errors import PluginError
from zermelo.objectives.infinite import CONVENTIONS
from zermelo.registry import OBJECTIVES, ObjectiveRow
from zermelo.registry.traces import TRACES
from zermelo.web.api.schema import Text

Kind = Literal[
    "positions", "priority", "colour", "payoff", "weight", "player", "choice", "flag", "integer",
    "number", "text", "json",
]  # fmt: skip
"""What a parameter is: a set of positions; data of each position, each end or each move; a player;
one of some words; yes or no; a number, or text."""

MEMBERS: dict[str, tuple[Kind, str]] = {
    "positions": ("positions", "The positions"),
    "targets": ("positions", "The targets"),
    "goal": ("positions", "The positions to reach"),
    "avoid": ("positions", "The positions to avoid"),
    "priority": ("priority", "A priority for each position"),
    "colour": ("colour", "Colours of the positions"),
    "payoffs": ("payoff", "What each end pays"),
    "weight": ("weight", "A weight for each move"),
    "player": ("player", "The player who wants this"),
    "convention": ("choice", "The priority that counts, and the parity that player 0 wants"),
    "view": ("choice", "The player who gets the payoffs"),
    "misere": ("flag", "A player without a fresh move wins"),
    "capacity": ("integer", "The greatest credit; empty for no bound"),
    "threshold": ("number", "Ask only whether the mean is at least this; empty for the values"),
    "discount": ("number", "What each later weight is multiplied by"),
    "infinite": ("number", "What infinite play pays"),
    "acceptance": ("text", "The condition on the colours seen infinitely often"),
}
"""The kind and the meaning of the members of objectives."""

CHOICES: dict[str, tuple[str, ...]] = {"convention": CONVENTIONS, "view": ("player0", "mover")}

LEFT_OUT = frozenset(("on",))
"""Members that a page does not ask for: weights belong to moves there."""


class ObjectiveParameter(TypedDict):
    """A parameter of an objective; the default is null if there is none."""

    name: Text
    kind: Kind
    summary: Text
    choices: list[Text]
    default: Any


class ObjectiveForm(TypedDict):
    """An objective by its keyword, its data, and the methods that can be followed step by step."""

    name: Text
    summary: Text
    family: Text
    players: Literal["either", "own", "alternate"]
    parameters: list[ObjectiveParameter]
    traces: list[Text]


def objective_forms() -> list[ObjectiveForm]:
    """A record for each objective.

    >>> forms = {x["name"]: x for x in objective_forms()}
    >>> [x["name"] for x in forms["parity"]["parameters"]]
    ['priority', 'convention']
    >>> forms["parity"]["traces"]
    ['zielonka']
    """
    found: list[ObjectiveForm] = []
    for row in OBJECTIVES:
        try:
            members = _parameters(row)
        except PluginError:
            continue
        players: Any = row.players
        traces = TRACES[row.family].solvers if row.family in TRACES else ()
        found.append(
            {
                "name": row.name,
                "summary": row.summary,
                "family": row.family,
                "players": players,
                "parameters": members,
                "traces": [x for x in traces if x != "auto"],
            }
        )
    return found


def nothing_chosen(objective: Any, graph: Any) -> str:
    """A sentence that an objective wants positions but has none; empty if it has some.

    >>> import zermelo as zm
    >>> nothing_chosen(zm.Reach([]), zm.Graph.from_edges([("a", "b")]))
    'The positions are an empty set: no position is chosen.'
    """
    for member in dataclasses.fields(objective):
        kind, summary = MEMBERS.get(member.name, ("json", ""))
        wanted = kind == "positions" and member.default is dataclasses.MISSING
        if wanted and not graph.mask(getattr(objective, member.name)).any():
            return f"{summary} are an empty set: no position is chosen."
    return ""


def _parameters(row: ObjectiveRow) -> list[ObjectiveParameter]:
    found: list[ObjectiveParameter] = []
    for member in dataclasses.fields(row.load()):  # type: ignore[arg-type]
        if not member.init or member.name in LEFT_OUT:
            continue
        kind, summary = MEMBERS.get(member.name, ("json", member.name))
        missing = member.default is dataclasses.MISSING
        found.append(
            {
                "name": member.name,
                "kind": kind,
                "summary": summary,
                "choices": list(CHOICES.get(member.name, ())),
                "default": None if missing else _plain(member.default),
            }
        )
    return found


def _plain(default: Any) -> Any:
    if isinstance(default, bool) or default is None:
        return default
    if isinstance(default, Fraction):
        return str(default)
    if isinstance(default, int):
        return int(default)
    return default if isinstance(default, str | float) else None
