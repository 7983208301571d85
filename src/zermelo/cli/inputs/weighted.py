"""Games with weights on the command line: ``--objective mean-payoff:threshold=1/3`` and others.

After the colon stand the parameters: ``energy:capacity=10``, ``mean-payoff:threshold=1/3``,
``discounted:9/10``, ``shortest-path:a,b``. The weights come from the file, or from ``--weights``, a
JSON file with a list of triples ``["a", "b", -3]``, one for each move, or with an object that gives
a weight to each position by name, for all its moves.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.inputs.objective import Wish
from zermelo.cli.inputs.parse import find, read_json, split

if TYPE_CHECKING:
    from zermelo.graph import Graph
    from zermelo.labels import Int64Array
    from zermelo.objectives import Objective
    from zermelo.registry import ObjectiveRow
    from zermelo.solutions.answers import Answer
    from zermelo.solutions.base import Solution


def quantitative(
    row: "ObjectiveRow", graph: "Graph", given: "Objective | None", data: str | None, wish: Wish
) -> "Objective":
    """The objective of the options; ``given`` is one that has the weights of the file."""
    from zermelo.errors import InvalidObjectiveError
    from zermelo.objectives.quantitative import Quantitative
    from zermelo.objectives.weighted_text import read_text

    kept = given if isinstance(given, Quantitative) else None
    if wish.weights is not None:
        weight: Any = _weight_file(graph, wish.weights)
    elif kept is not None:
        weight = kept.weights(graph)
    elif graph.m == 0:
        weight = []
    else:
        raise click.UsageError(
            f"{row.name} needs an integer weight for every move, and this file does not have them: "
            "write a third column in an edge list, weight=3 in DOT, or give --weights FILE"
        )
    if row.name == "shortest-path":
        return _shortest_path(row, graph, kept, data, wish, weight)
    if data is None and kept is not None and kept.keyword == row.name:
        return replace(kept, weight=weight, on="moves")
    try:
        return read_text(row.name, data, graph, weight)
    except InvalidObjectiveError as error:
        raise click.BadParameter(str(error), param_hint="--objective") from None


def _shortest_path(
    row: "ObjectiveRow", graph: "Graph", kept: Any, data: str | None, wish: Wish, weight: Any
) -> "Objective":
    """The targets after the colon, of ``--targets``, or of the file."""
    from zermelo.errors import InvalidObjectiveError, UnknownPositionError
    from zermelo.objectives.quantitative import ShortestPath
    from zermelo.objectives.weighted_text import read_text

    player: Any = {} if wish.for_player is None else {"player": wish.for_player}
    if data is not None and wish.targets is not None:
        raise click.UsageError("expected shortest-path:… or --targets, got both")
    if wish.targets is not None:
        chosen = [find(graph, name, "--targets") for name in split(wish.targets, "--targets")]
        return ShortestPath(weight, chosen, **player)
    if data is not None:
        try:
            made = read_text(row.name, data, graph, weight)
        except InvalidObjectiveError as error:
            raise click.BadParameter(str(error), param_hint="--objective") from None
        except UnknownPositionError as error:
            raise UnknownPositionError(f"--objective: {error}") from None
        return replace(made, **player)
    if not isinstance(kept, ShortestPath):
        raise click.UsageError(
            "shortest-path needs targets: --objective shortest-path:a,b or --targets a,b"
        )
    return replace(kept, weight=weight, on="moves", **player)


def _weight_file(graph: "Graph", path: str) -> "Int64Array":
    """The weights of the moves from a JSON file."""
    from zermelo.errors import FormatError, InvalidObjectiveError, UnknownPositionError
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


def has_weights(solution: "Solution") -> bool:
    """Whether the solved game has weights."""
    return solution.objective.family == "quantitative"


def value_name(solution: "Solution") -> str:
    """The name of the column of values: ``credit``, ``value``, or an empty text if there is none.

    With a threshold the winner is the whole answer.
    """
    if not has_weights(solution):
        return ""
    if solution.objective.keyword == "energy":
        return "credit"
    return "" if getattr(solution.objective, "threshold", None) is not None else "value"


def json_entry(solution: "Solution", value: Any) -> int | str | None:
    """A value or a credit for JSON; None where no credit suffices."""
    from zermelo.solutions.weighted_play import json_value

    if value_name(solution) == "credit" and value < 0:
        return None
    return json_value(value)


def cell(solution: "Solution", value: Any) -> str:
    """A value or a credit in a table on a terminal."""
    from zermelo.solutions.weighted_play import short_value

    if value_name(solution) == "credit" and value < 0:
        return "–"
    return short_value(value).replace("inf", "∞")


def verdict(solution: "Solution", answer: "Answer") -> str:
    """What a game with weights is worth at a position, after the label."""
    text = cell(solution, answer.value)
    if value_name(solution) == "credit":
        return " with no credit" if text == "–" else f" with the least credit {text}"
    return f", value {text}" if value_name(solution) else ""
