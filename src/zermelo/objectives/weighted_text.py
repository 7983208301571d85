"""Objectives of games with weights as one line of text, for files and the command line.

The text has the parameters of the objective, not the weights: ``energy``, ``energy:capacity=10``,
``mean-payoff:threshold=1/3``, ``discounted:9/10``, ``shortest-path:a,b,player=0``. The items after
the colon are separated by commas, and an item that contains commas stands in double quotes. The
name of a parameter may be left out if the objective has only one. The items of ``shortest-path``
without a name are its targets, by their names, or by number if no name is that number.
"""

import csv
import io
from typing import Any

from zermelo._inputs.values import shown
from zermelo.errors import InvalidObjectiveError, UnknownPositionError
from zermelo.graph import Graph
from zermelo.objectives.quantitative import (
    Discounted,
    Energy,
    MeanPayoff,
    Quantitative,
    ShortestPath,
)

KINDS: dict[str, type[Quantitative]] = {
    kind.keyword: kind for kind in (Energy, MeanPayoff, Discounted, ShortestPath)
}
"""The objectives that have weights, by keyword."""


def read_text(keyword: str, text: str | None, graph: Graph, weight: Any) -> Quantitative:
    """The objective with this keyword and the parameters that stand after the colon.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a")])
    >>> read_text("mean-payoff", "threshold=1/3", g, [1, 2]).threshold
    Fraction(1, 3)
    >>> read_text("discounted", "9/10", g, [1, 2]).discount
    Fraction(9, 10)
    >>> read_text("shortest-path", "b", g, [1, 2]).targets
    ['b']
    """
    items = _items(keyword, text)
    if keyword == "shortest-path":
        return _shortest_path(items, graph, weight)
    name, given = KINDS[keyword].parameter, None
    for item in items:
        key, equals, value = item.partition("=")
        value = value if equals else item
        if (equals and key.strip() != name) or given is not None:
            raise InvalidObjectiveError(
                f"expected {keyword} or {keyword}:{name}=NUMBER, got {shown(f'{keyword}:{text}')}"
            )
        given = value.strip()
    if keyword == "energy":
        return Energy(weight, None if given is None else _whole(given, name))
    if keyword == "mean-payoff":
        return MeanPayoff(weight, given)
    return Discounted(weight) if given is None else Discounted(weight, given)


def _items(keyword: str, text: str | None) -> list[str]:
    if keyword not in KINDS:
        raise InvalidObjectiveError(f"expected one of {', '.join(KINDS)}, got {shown(keyword)}")
    if text is None:
        return []
    try:
        rows = list(csv.reader([text], strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise InvalidObjectiveError(f"{error} in {shown(text)}") from None
    items = rows[0] if len(rows) == 1 else []
    if not items or not all(items):
        raise InvalidObjectiveError(
            f"expected data after the colon, separated by commas, got {shown(f'{keyword}:{text}')}"
        )
    return items


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise InvalidObjectiveError(f"{name}: expected 0, 1, 2, …, got {shown(text)}")
    return int(text)


def _shortest_path(items: list[str], graph: Graph, weight: Any) -> ShortestPath:
    player, targets = 1, []
    for item in items:
        if item.startswith("player=") and item not in graph:
            if item[7:] not in ("0", "1"):
                raise InvalidObjectiveError(f"expected player=0 or player=1, got {shown(item)}")
            player = int(item[7:])
        else:
            targets.append(find_position(graph, item))
    if not targets:
        raise InvalidObjectiveError("shortest-path needs targets, as in shortest-path:a,b")
    return ShortestPath(weight, targets, player=player)


def find_position(graph: Graph, text: str) -> Any:
    """The name of the position that a text denotes: its name, or its number.

    >>> find_position(Graph.from_edges([(7, 5)]), "5")
    5
    """
    candidates: list[Any] = [text]
    if text.isdecimal() and text.isascii() and len(text) <= 18:
        candidates.append(int(text))
    for name in candidates:
        if name in graph:
            return graph.name(graph.index(name))
    raise UnknownPositionError(f"the graph has no position {shown(text)}")


def write_text(objective: Quantitative, graph: Graph) -> str:
    """The text that :func:`read_text` reads, with the keyword and a colon before it.

    >>> g = Graph.from_edges([("a", "b,c"), ("b,c", "a")])
    >>> write_text(ShortestPath([1, 2], ["b,c"], player=0), g)
    'shortest-path:"b,c",player=0'
    >>> write_text(Energy([1, 2]), g)
    'energy'
    """
    keyword = objective.keyword
    if isinstance(objective, ShortestPath):
        mask = graph.mask(objective.targets)
        items = [_item(graph, v) for v in mask.nonzero()[0].tolist()]
        items += ["player=0"] if objective.player == 0 else []
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="").writerow(items)
        text = buffer.getvalue()
        if "\n" in text or "\r" in text or not _same_targets(text, graph, objective):
            raise InvalidObjectiveError(
                "a line of text cannot list these targets: there are none, or their names look "
                "alike or have line feeds; json, npz and parquet store them"
            )
        return f"{keyword}:{text}"
    name = objective.parameter
    value = getattr(objective, name)
    if value is None:
        return keyword
    return f"{keyword}:{value}" if name == "discount" else f"{keyword}:{name}={value}"


def _item(graph: Graph, v: int) -> str:
    """A text that denotes a position: its name, or its number if that does not work."""
    for text in (str(graph.name(v)), str(v)):
        simple = text == text.strip() and text.isprintable() and "\\" not in text
        try:
            if text and simple and graph.index(find_position(graph, text)) == v:
                return text
        except UnknownPositionError:
            continue
    return ""


def _same_targets(text: str, graph: Graph, objective: ShortestPath) -> bool:
    """Whether the text gives the same targets and the same player when it is read."""
    try:
        again = read_text(objective.keyword, text, graph, ())
    except (InvalidObjectiveError, UnknownPositionError):
        return False
    assert isinstance(again, ShortestPath)
    same: bool = (graph.mask(again.targets) == graph.mask(objective.targets)).all()
    return same and again.player == objective.player
