"""CSV, for solutions: one row for each situation, with names and labels for human readers.

::

    # zermelo-solution: 1
    # graph: 1b5e…                        the graph's digest
    # objective: {"objective": "normal"}
    # solver: retrograde
    position,label,distance,value,move
    a,WIN,1,1,t

If either player may be to move, there is a column ``player``. An empty distance means that there is
none; an empty move means that play ends here. Names are written as they are if they are all
different as texts; otherwise all of them are written as JSON.
"""

import csv
import io
import json
from typing import Any

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats._names import decode, encodable, one_line, shorten, to_json, to_plain
from zermelo.formats._objective import read_objective
from zermelo.formats._solution import VERSION, Record, check_digest, from_record, levels_of
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, Int64Array, Label
from zermelo.objectives.terminal_form import Number, plain
from zermelo.solutions.base import Solution

_HEAD = ("zermelo-solution", "graph", "objective", "solver", "start")
_COLUMNS = ["position", "label", "distance", "value", "move"]
_LABELS = {x.name: int(x) for x in Label}


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
    values = [str(plain(x)) for x in solution.levels]
    columns: list[list[Any]] = [
        [names[s >> 1] for s in range(2 * graph.n)] if solution.doubled else names,
        [label[x] for x in solution.label.reshape(-1).tolist()],
        ["" if x == NO_DISTANCE else x for x in solution.distance.reshape(-1).tolist()],
        [values[x] for x in solution.level.reshape(-1).tolist()],
        ["" if x == NO_MOVE else names[x] for x in solution.move.reshape(-1).tolist()],
    ]
    extra = solution.objective.solution_arrays
    columns += [getattr(solution, name).reshape(-1).tolist() for name in extra]
    title = [*_COLUMNS, *extra]
    if solution.doubled:
        title.insert(1, "player")
        columns.insert(1, [0, 1] * graph.n)
    rows.writerow(title)
    rows.writerows(zip(*columns, strict=True))
    return out.getvalue().encode()


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
    rows = _Rows(graph, levels, objective.solution_arrays, doubled=doubled)
    rows.read(text[place:], line)
    shape = (graph.n, 2) if doubled else (graph.n,)
    arrays = {key: column.reshape(shape) for key, column in rows.columns.items()}
    return from_record(Record(graph.digest, graph.n, spec, solver, start, arrays), graph)


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
            raise FormatError(f"'# {key.strip()}:' is there twice", line=line)
        head[key.strip()] = value.strip()
        line, place = line + 1, min(stop + 1, len(text))
    return head, line, place


class _Rows:
    """The rows of a table as arrays."""

    def __init__(
        self, graph: Graph, levels: tuple[Number, ...], extra: tuple[str, ...], *, doubled: bool
    ) -> None:
        self.doubled, self.extra = doubled, extra
        self.names = names_as_text(graph)
        self.place = {x: v for v, x in enumerate(self.names)}
        self.level = {str(plain(x)): k for k, x in enumerate(levels)}
        self.number = {x: k for k, x in enumerate(levels)}
        self.size = graph.n * (2 if doubled else 1)
        self.columns: dict[str, Int64Array] = {
            key: np.empty(self.size, np.int64)
            for key in ("label", "distance", "level", "move", *extra)
        }

    def read(self, text: str, line: int) -> None:
        """Fill the arrays from the text."""
        title = [*_COLUMNS, *self.extra]
        if self.doubled:
            title.insert(1, "player")
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        count = -1
        try:
            for row in rows:
                at = line + rows.line_num - 1
                if count < 0 and row != title:
                    raise FormatError(
                        f"expected columns {','.join(title)}, got {shorten(','.join(row))}", line=at
                    )
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

    def take(self, s: int, row: list[str]) -> None:
        """Read one row."""
        size = len(_COLUMNS) + len(self.extra) + self.doubled
        if len(row) != size:
            raise FormatError(f"expected {size} entries, got {len(row)}")
        v = s >> 1 if self.doubled else s
        if row[0] != self.names[v]:
            raise FormatError(f"expected position {self.names[v]!r}, got {shorten(row[0])}")
        if self.doubled and row.pop(1) != str(s & 1):
            raise FormatError(f"expected player {s & 1}")
        _, label, distance, value, move, *numbers = row
        for key, text in zip(self.extra, numbers, strict=True):
            digits = text.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 20) or not (
                -(2**63) <= int(text) < 2**63
            ):
                raise FormatError(f"{key}: expected an integer of 64 bits, got {shorten(text)}")
            self.columns[key][s] = int(text)
        if label not in _LABELS:
            raise FormatError(f"expected a label {', '.join(_LABELS)}, got {shorten(label)}")
        if distance and not (distance.isascii() and distance.isdigit() and len(distance) < 11):
            raise FormatError(f"expected a distance or nothing, got {shorten(distance)}")
        level = self.level_of(value)
        if level is None:
            raise FormatError(f"expected a value that the game can pay, got {shorten(value)}")
        if move and move not in self.place:
            raise FormatError(f"expected a move to a position or nothing, got {shorten(move)}")
        self.columns["label"][s] = _LABELS[label]
        self.columns["distance"][s] = int(distance) if distance else NO_DISTANCE
        self.columns["level"][s] = level
        self.columns["move"][s] = self.place[move] if move else NO_MOVE
