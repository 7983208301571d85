"""A solution as rows: one for every situation, in a stable order and under stable names.

Columns are ``position label distance move``, then ``player`` (the player to move) if positions have
owners or the two players' situations differ, then ``value`` if there are payoffs or weights
(``credit`` in an energy game), then ``winner``
(0, 1, or -1 for a draw) if there is a column ``player``. A label is a name of
:class:`~zermelo.labels.Label`; what is undecided has no value and no winner.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli.output.show import plain_name
from zermelo.registry import objective_row

if TYPE_CHECKING:
    from zermelo.labels import Int64Array

ROWS_AT_A_TIME = 1 << 16
"""The number of rows that are made at a time."""


def has_values(solution: "zm.Solution") -> bool:
    """Whether rows have values beside labels."""
    return solution.objective.keyword == "terminal-payoff" or bool(value_name(solution))


def past_matters(solution: "zm.Solution") -> bool:
    """Whether a label belongs to a start, as in games of return and repetition."""
    return objective_row(solution.objective).strategies == "past"


def situations(solution: "zm.Solution", player: int | None = None) -> "Int64Array":
    """All situations, or those in which the player is to move."""
    import numpy as np

    size, owner = solution.level.size, solution.graph.owner
    if player is None or not solution.has_players:
        return np.arange(size, dtype=np.int64)
    if owner is None:
        return np.arange(player, size, 2, dtype=np.int64)
    return np.flatnonzero(owner == player).astype(np.int64)


def situation(solution: "zm.Solution", position: Hashable, player: int | None) -> int:
    """The situation at a position; the player must fit the owner."""
    v = solution.graph.index(position)
    owner = solution.graph.owner
    if owner is not None and player is not None and owner[v] != player:
        raise click.BadParameter(
            f"position {position!r} belongs to player {owner[v]}", param_hint="--player"
        )
    return 2 * v + (player or 0) if solution.doubled else v


def columns(
    solution: "zm.Solution", chosen: "Int64Array", names: Sequence[Any] | None
) -> dict[str, list[Any]]:
    """The columns of some situations, with None for no distance and no move."""
    graph, doubled = solution.graph, int(solution.doubled)
    places, player, winner = chosen >> doubled, chosen & 1, None
    if solution.has_players:
        winner = solution.winner.reshape(-1)[chosen].tolist()
    if graph.owner is not None:
        player = graph.owner[places]
    label = {int(x): x.name for x in zm.Label}
    found: dict[str, list[Any]] = {
        "position": places.tolist(),
        "label": [label[x] for x in solution.label.reshape(-1)[chosen].tolist()],
        "distance": [None if x < 0 else x for x in solution.distance.reshape(-1)[chosen].tolist()],
        "move": [None if w < 0 else w for w in solution.move.reshape(-1)[chosen].tolist()],
    }
    if names is not None:
        found["position"] = [names[v] for v in found["position"]]
        found["move"] = [None if w is None else names[w] for w in found["move"]]
    if winner is not None:
        found["player"] = player.tolist()
    if has_values(solution):
        found[value_name(solution) or "value"] = _values(solution, chosen)
    if winner is not None:
        found["winner"] = winner
    return found


def header(solution: "zm.Solution") -> list[str]:
    """The names of the columns."""
    import numpy as np

    return list(columns(solution, np.zeros(0, np.int64), None))


def plain_rows(solution: "zm.Solution", chosen: "Int64Array") -> Iterator[tuple[Any, ...]]:
    """The rows of some situations."""
    graph = solution.graph
    names = None if graph.names is None else [plain_name(x) for x in graph.names]
    for first in range(0, chosen.size, ROWS_AT_A_TIME):
        part = columns(solution, chosen[first : first + ROWS_AT_A_TIME], names)
        yield from zip(*part.values(), strict=True)


def records(solution: "zm.Solution", chosen: "Int64Array") -> Iterator[dict[str, Any]]:
    """The rows of some situations for JSON."""
    extra = header(solution)[4:]
    for row in plain_rows(solution, chosen):  # a display is much faster than dict(zip(…))
        record = {"position": row[0], "label": row[1], "distance": row[2], "move": row[3]}
        if extra:
            record.update(zip(extra, row[4:], strict=True))
        yield record


def _values(solution: "zm.Solution", chosen: "Int64Array") -> list[Any]:
    """The values of situations for JSON."""
    from zermelo.objectives.terminal_form import plain

    if value_name(solution):
        return [json_entry(solution, x) for x in solution.value.reshape(-1)[chosen]]
    values = [None if x is None else plain(x) for x in solution.levels]
    return [values[j] for j in solution.level.reshape(-1)[chosen].tolist()]


def line_rows(
    solution: "zm.Solution", line: "zm.Line", player: int | None
) -> Iterator[Sequence[Any]]:
    """A line of play as rows of the plain table."""
    if not past_matters(solution):
        yield from plain_rows(solution, line_situations(solution, line, player))
        return
    for k, name in enumerate(past_labels(solution, line)):
        after = plain_name(line[k + 1]) if k + 1 < len(line) else None
        yield plain_name(line[k]), name, None, after


def past_labels(solution: "zm.Solution", line: "zm.Line") -> list[str]:
    """Who wins at each step of a line, where the past matters: the same player throughout."""
    label = zm.Label(int(solution.label[solution.graph.index(line[0])]))
    if label is zm.Label.UNDECIDED:
        return [label.name] * len(line)
    return [zm.Label(label * (-1) ** k).name for k in range(len(line))]


def line_situations(solution: "zm.Solution", line: "zm.Line", player: int | None) -> "Int64Array":
    """The situations that a line of play goes through."""
    import numpy as np

    places = np.array([solution.graph.index(x) for x in line], np.int64)
    if not solution.doubled:
        return places
    return 2 * places + (np.arange(places.size) + (player or 0)) % 2


def answer_record(solution: "zm.Solution", answer: "zm.Answer") -> dict[str, Any]:
    """One answer for JSON, with all its best moves."""
    from zermelo.objectives.terminal_form import plain

    weighted = value_name(solution)
    value = json_entry(solution, answer.value) if weighted else plain(answer.value)
    agreed = answer.agreed_distance
    return {
        "position": plain_name(answer.position),
        "player": None if answer.player is None else int(answer.player),
        "label": answer.label.name,
        "distance": None if answer.forced_distance < 0 else answer.distance,
        "winner": winner_number(answer),
        weighted or "value": value,
        "best_moves": [plain_name(x) for x in answer.best_moves],
    } | ({"agreed_distance": agreed} if agreed >= 0 else {})


def winner_number(answer: "zm.Answer") -> int | None:
    """The player who wins, -1 for a draw; None if nobody knows who wins or who is to move."""
    if answer.winner is not None:
        return int(answer.winner)
    return -1 if answer.player is not None and answer.label == 0 else None


# -------------------------------------------------------------------- weights


def has_weights(solution: "zm.Solution") -> bool:
    """Whether the solved game has weights."""
    return solution.objective.family == "quantitative"


def value_name(solution: "zm.Solution") -> str:
    """The name of the column of values: ``credit``, ``value``, or an empty text if there is none.

    With a threshold the winner is the whole answer.
    """
    if not has_weights(solution):
        return ""
    if solution.objective.keyword == "energy":
        return "credit"
    return "" if getattr(solution.objective, "threshold", None) is not None else "value"


def json_entry(solution: "zm.Solution", value: Any) -> int | str | None:
    """A value or a credit for JSON; None where no credit suffices."""
    from zermelo.solutions.weighted_play import json_value

    if value_name(solution) == "credit" and value < 0:
        return None
    return json_value(value)


def cell(solution: "zm.Solution", value: Any) -> str:
    """A value or a credit in a table on a terminal."""
    from zermelo.solutions.weighted_play import short_value

    if value_name(solution) == "credit" and value < 0:
        return "–"
    return short_value(value).replace("inf", "∞")


def weighted_verdict(solution: "zm.Solution", answer: "zm.Answer") -> str:
    """What a game with weights is worth at a position, after the label."""
    text = cell(solution, answer.value)
    if value_name(solution) == "credit":
        return " with no credit" if text == "–" else f" with the least credit {text}"
    return f", value {text}" if value_name(solution) else ""
