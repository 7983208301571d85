"""Muller games on the command line: ``--objective 'muller:Inf(0) & Fin(1)'`` with ``--colour``.

After the colon stands a formula over ``Inf(i)`` and ``Fin(i)`` (in any case of letters), or a
family of sets of colours, ``{0,1},{2}``. Colours come from ``--colour x=0``, which may be repeated
(a position has all the colours that it is given), or ``--colours FILE``, a JSON object by name or a
list by position number of colours, lists of colours, or null. Positions may have none.
"""

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.inputs.objective import Wish
from zermelo.cli.inputs.parse import find, read_by_position, small_number, split

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.objectives import Objective
    from zermelo.registry import ObjectiveRow

_SET = re.compile(r"\s*\{([\d,\s]*)\}\s*")


def muller(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: Wish
) -> "Objective":
    """The Muller game of the options; colours or a condition that they omit come from the file."""
    from zermelo.objectives import Muller

    kept = given if isinstance(given, Muller) else None
    colour: Any = _colours(graph, wish)
    acceptance: Any = None if data is None else _acceptance(data)
    if colour is None and acceptance is None and kept is not None:
        return kept
    if acceptance is None:
        if kept is None:
            raise click.UsageError(
                "muller needs an acceptance condition: --objective 'muller:Inf(0) & Fin(1)', "
                "or sets of colours, 'muller:{0,1},{2}'"
            )
        acceptance = kept.acceptance
    if colour is None:
        if kept is None and graph.n:
            raise click.UsageError(
                "muller needs colours: --colour x=0 for each position that has one, "
                "or --colours FILE"
            )
        colour = kept.colour if kept is not None else []
    return Muller(colour, acceptance)


def _acceptance(text: str) -> str | list[list[int]]:
    """A formula, or a family of sets.

    >>> _acceptance("inf(0)&FIN(1)"), _acceptance("{0, 1},{2},{}")
    ('Inf(0)&Fin(1)', [[0, 1], [2], []])
    """
    from zermelo.errors import InvalidObjectiveError
    from zermelo.objectives.acceptance import Formula

    if text.lstrip().startswith("{"):
        return _family(text)
    formula = re.sub(r"\b(inf|fin)\b", lambda x: x[1].capitalize(), text, flags=re.IGNORECASE)
    try:
        return str(Formula(formula))
    except InvalidObjectiveError as error:
        raise click.BadParameter(str(error), param_hint="--objective") from None


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


def _colours(graph: "Graph", wish: Wish) -> dict[Hashable, set[int]] | None:
    """The colours of each position that has any, or None if no colours are given."""
    if wish.colours is None and not wish.colour:
        return None
    found: dict[Hashable, set[int]] = {}
    if wish.colours is not None:
        found |= _colour_file(graph, wish.colours)
    for text in (x for part in wish.colour for x in split(part, "--colour")):
        name, _, number = text.rpartition("=")
        if not (name and number.strip().isdecimal()):
            raise click.BadParameter(f"expected NAME=NUMBER, got {text!r}", param_hint="--colour")
        colour = small_number(number, "--colour")
        found.setdefault(find(graph, name, "--colour"), set()).add(colour)
    return found


def _colour_file(graph: "Graph", path: str) -> dict[Hashable, set[int]]:
    from zermelo.errors import FormatError, InvalidObjectiveError
    from zermelo.objectives.muller import colour_set

    pairs = read_by_position(graph, path, "colours", "entries")
    try:
        return {name: set(colour_set(x, f"colour of {name!r}")) for name, x in pairs}
    except InvalidObjectiveError as error:
        raise FormatError(str(error), path=path) from None
