"""CSV, for solutions: one row for each situation, with names and labels for human readers.

::

    # zermelo-solution: 1
    # graph: 1b5e…                        the graph's digest
    # objective: {"objective": "normal"}
    # solver: retrograde
    position,label,distance,value,move
    a,WIN,1,1,t

If either player may be to move, there is a column ``player``. If positions have owners or there is
a column ``player``, the last column is ``winner``: 0, 1, or -1 for a draw; a file may leave it out.
An empty distance means that there is none; an empty move means that play ends here. Names are
written as they are if they are all different as texts; otherwise all of them are written as JSON.
In games with weights, the value is the credit, the fraction or ±inf, and the columns of the
certificate (``credit``, ``numerator``, …) follow after the move.
"""

import csv
import io
import json
from typing import Any

import numpy as np

from zermelo.errors import CertificateError, FormatError
from zermelo.formats.common.names import decode, encodable, one_line, shorten, to_json, to_plain
from zermelo.formats.common.objective import read_objective
from zermelo.formats.common.solution import VERSION, Record, check_digest, from_record, levels_of
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, UNDECIDED, Int64Array, Label
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Number, plain
from zermelo.solutions.base import Solution
from zermelo.solutions.weighted_play import value_text

_HEAD = ("zermelo-solution", "graph", "objective", "solver", "start")
_COLUMNS = ["position", "label", "distance", "value", "move"]


def names_as_text(graph: Graph) -> list[str]:
    """A text for each position; the texts are distinct and not empty.

    >>> names_as_text(Graph.from_edges([("a", "b")])), names_as_text(Graph.from_edges([("", "b")]))
    (['a', 'b'], ['""', '"b"'])
    """
    if graph.names is None:
        return [str(v) for v in range(graph.n)]
    plain_names = [to_plain(x) for x in graph.names]
    text = [x if isinstance(x, str) else to_json(x) for x in plain_names]
    # Python's csv module quotes a line feed, but before 3.13 it does not quote a carriage return.
    plain_text = all(x and "\r" not in x and encodable(x) for x in text)
    if plain_text and len(set(text)) == len(text):
        return text
    return [to_json(x) for x in plain_names]


def write_solution(solution: Solution) -> bytes:
    """Write a solution."""
    graph = solution.graph
    out = io.StringIO()
    head: dict[str, Any] = {
        "zermelo-solution": VERSION,
        "graph": graph.digest,
        "objective": to_json(solution.objective.spec(graph)),
        "solver": to_json(solution.solver)[1:-1],
    }
    if solution.start is not None:
        head["start"] = solution.start
    out.writelines(f"# {key}: {value}\n" for key, value in head.items())
    rows = csv.writer(out, lineterminator="\n")
    names = names_as_text(graph)
    label = {int(x): x.name for x in Label}
    extra = solution.objective.solution_arrays
    columns: list[list[Any]] = [
        [names[s >> 1] for s in range(2 * graph.n)] if solution.doubled else names,
        [label[x] for x in solution.label.reshape(-1).tolist()],
        ["" if x == NO_DISTANCE else x for x in solution.distance.reshape(-1).tolist()],
        _values(solution),
        ["" if x == NO_MOVE else names[x] for x in solution.move.reshape(-1).tolist()],
    ]
    columns += [getattr(solution, key).reshape(-1).tolist() for key in extra]
    title = [*_COLUMNS, *extra]
    if solution.doubled:
        title.insert(1, "player")
        columns.insert(1, [0, 1] * graph.n)
    if solution.has_players:
        title.append("winner")
        columns.append(solution.winner.reshape(-1).tolist())
    rows.writerow(title)
    rows.writerows(zip(*columns, strict=True))
    return out.getvalue().encode()


def _values(solution: Solution) -> list[str]:
    """The value of each situation as text."""
    if solution.objective.solution_arrays:
        return ["" if x is None else value_text(x) for x in solution.value.reshape(-1).tolist()]
    values = list(map(_text, solution.levels))
    return [values[x] for x in solution.level.reshape(-1).tolist()]


def _text(value: Number | None) -> str:
    """A value as text; nothing where a situation is undecided."""
    return "" if value is None else str(plain(value))


def read_solution(data: bytes, graph: Graph) -> Solution:
    """Read the claim of a file about a graph."""
    text = decode(data)
    head, line, place = _head(text)
    if head.get("zermelo-solution") != str(VERSION):
        raise FormatError(f"expected a first line '# zermelo-solution: {VERSION}'", line=1)
    for key in ("graph", "objective", "solver"):
        if key not in head:
            raise FormatError(f"expected a line '# {key}: …' at the top", line=1)
    check_digest(head["graph"], graph)
    try:
        spec = json.loads(head["objective"])
        solver = json.loads(f'"{head["solver"]}"')
        start = json.loads(head.get("start", "null"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON at the top: {one_line(error)}") from None
    objective = read_objective(spec, graph)
    levels, doubled = levels_of(objective, graph)
    rows = _Rows(graph, levels, objective, doubled=doubled)
    rows.read(text[place:], line)
    shape = (graph.n, 2) if doubled else (graph.n,)
    arrays = {key: column.reshape(shape) for key, column in rows.columns.items()}
    solution = from_record(Record(graph.digest, graph.n, spec, solver, start, arrays), graph)
    if rows.extra:
        _check_values(solution, rows.values)
    return solution


def _check_values(solution: Solution, given: list[str]) -> None:
    """Refuse values that contradict the columns of the certificate: one of them is false."""
    for s, (text, expected) in enumerate(zip(given, _values(solution), strict=True)):
        if text != expected:
            place = solution.graph.name(s >> 1 if solution.doubled else s)
            raise CertificateError(
                f"value of {place!r}: expected {_shown(expected)}, as the other "
                f"columns say, got {_shown(text)}"
            )


def _shown(value: str) -> str:
    return shorten(value) if value else "nothing"


def _head(text: str) -> tuple[dict[str, str], int, int]:
    """The lines ``# key: value`` at the top, the number of the next line and its offset."""
    head: dict[str, str] = {}
    line, place = 1, 0
    while text.startswith("#", place):
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        key, colon, value = text[place + 1 : stop].partition(":")
        if not colon or key.strip() not in _HEAD:
            raise FormatError(
                f"expected '# key: value' with a key of {', '.join(_HEAD)}, "
                f"got {shorten(text[place:stop])}",
                line=line,
            )
        if key.strip() in head:
            raise FormatError(f"'# {key.strip()}:' appears twice", line=line)
        head[key.strip()] = value.strip()
        line, place = line + 1, min(stop + 1, len(text))
    return head, line, place


class _Rows:
    """The rows of a table as arrays."""

    def __init__(
        self,
        graph: Graph,
        levels: tuple[Number | None, ...],
        objective: Objective,
        *,
        doubled: bool,
    ) -> None:
        self.doubled = doubled
        self.owner = graph.owner
        self.extra = objective.solution_arrays
        self.values: list[str] = []
        self.names = names_as_text(graph)
        self.place = {x: v for v, x in enumerate(self.names)}
        self.level = {_text(x): k for k, x in enumerate(levels)}
        self.number = {x: k for k, x in enumerate(levels)}
        self.labels = {x.name: int(x) for x in Label if x != UNDECIDED or None in levels}
        self.size = graph.n * (2 if doubled else 1)
        self.columns: dict[str, Int64Array] = {
            key: np.empty(self.size, np.int64)
            for key in ("label", "distance", "level", "move", *self.extra)
        }
        self.has_players = doubled or graph.owner is not None
        self.width = len(_COLUMNS) + len(self.extra) + doubled

    def read(self, text: str, line: int) -> None:
        """Fill the arrays from the text."""
        title = [*_COLUMNS, *self.extra]
        if self.doubled:
            title.insert(1, "player")
        if self.has_players:
            title.append("winner")
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        count = -1
        try:
            for row in rows:
                at = line + rows.line_num - 1
                if count < 0 and self.has_players and row == title[:-1]:
                    title.pop()
                if count < 0 and row != title:
                    raise FormatError(
                        f"expected columns {','.join(title)}, got {shorten(','.join(row))}", line=at
                    )
                if count < 0 and "winner" in title:
                    self.columns["winner"] = np.empty(self.size, np.int64)
                    self.width += 1
                if count >= self.size:
                    raise FormatError(f"expected {self.size} rows, got more", line=at)
                if count >= 0:
                    try:
                        self.take(count, row)
                    except FormatError as error:
                        raise FormatError(error.message, line=at) from None
                count += 1
        except csv.Error as error:
            raise FormatError(f"expected CSV: {error}", line=line + rows.line_num - 1) from None
        if count < self.size:
            raise FormatError(f"expected {self.size} rows, got {max(count, 0)}")

    def level_of(self, value: str) -> int | None:
        """The index of a value, or None; 0 and 0.0 are the same number."""
        if value not in self.level:
            try:
                return self.number.get(float(value))
            except ValueError:
                return None
        return self.level[value]

    def level_by_label(self, s: int, label: int) -> int:
        """The level of a game with weights: −1, 0 or 1 for player 0, and 1 is added."""
        player = s & 1 if self.doubled or self.owner is None else int(self.owner[s])
        return 1 + (-label if player else label)

    def take(self, s: int, row: list[str]) -> None:
        """Read one row."""
        if len(row) != self.width:
            raise FormatError(f"expected {self.width} entries, got {len(row)}")
        v = s >> 1 if self.doubled else s
        if row[0] != self.names[v]:
            raise FormatError(f"expected position {self.names[v]!r}, got {shorten(row[0])}")
        if self.doubled and row.pop(1) != str(s & 1):
            raise FormatError(f"expected player {s & 1}")
        _, label, distance, value, move, *others = row
        winner = others[len(self.extra) :]
        if label not in self.labels:
            raise FormatError(f"expected a label {', '.join(self.labels)}, got {shorten(label)}")
        if distance and not (distance.isascii() and distance.isdigit() and len(distance) < 11):
            raise FormatError(f"expected a distance or nothing, got {shorten(distance)}")
        for key, text in zip(self.extra, others, strict=False):
            self.columns[key][s] = _integer(key, text)
        code = self.labels[label]
        level = self.level_of(value) if not self.extra else self.level_by_label(s, code)
        if self.extra:
            self.values.append(value)
        if level is None:
            raise FormatError(f"expected a value that the game can pay, got {shorten(value)}")
        if move and move not in self.place:
            raise FormatError(f"expected a move to a position or nothing, got {shorten(move)}")
        self.columns["label"][s] = code
        self.columns["distance"][s] = int(distance) if distance else NO_DISTANCE
        self.columns["level"][s] = level
        if winner and winner[0] not in ("0", "1", "-1"):
            raise FormatError(f"expected a winner 0, 1 or -1, got {shorten(winner[0])}")
        if winner:
            self.columns["winner"][s] = int(winner[0])
        self.columns["move"][s] = self.place[move] if move else NO_MOVE


def _integer(key: str, text: str) -> int:
    """An entry of a column of the certificate."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
        raise FormatError(f"{key}: expected an integer, got {shorten(text)}")
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise FormatError(f"{key}: expected an integer of 64 bits, got {shorten(text)}")
    return number
