"""Matrix Market: the adjacency matrix by its entries, ``row column`` or ``row column value``.

The reader accepts coordinate matrices with pattern, integer or real entries that are general,
symmetric or skew-symmetric. Positions are numbered from 0, rows from 1. An entry that is zero is
not a move. If all entries are integers, they are the weights of the moves; the file does not say
what they are for, so it is a game of normal play that keeps its weights. The format cannot store
owners, names, or weights that are 0.
"""

import io
import re
from typing import NamedTuple

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo.errors import FormatError, InvalidObjectiveError
from zermelo.formats.common.lines import read_digit_lines
from zermelo.formats.common.names import build, shorten
from zermelo.formats.common.weights import along_graph
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective

_BANNER = "%%MatrixMarket matrix coordinate pattern general"
_ALLOWED = (
    ("matrix",),
    ("coordinate",),
    ("pattern", "integer", "real", "double"),
    ("general", "symmetric", "skew-symmetric"),
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ROW = np.dtype([("row", np.int64), ("column", np.int64), ("value", np.float64)])


class _Head(NamedTuple):
    """The header of a file: the kind of its entries, their number, and the line of the first."""

    pattern: bool
    symmetry: str
    n: int
    entries: int
    line: int


def read_graph(data: bytes) -> Graph | Game:
    """Read a matrix: a graph, or a game with weights if its entries are integers.

    >>> read_graph(b"%%MatrixMarket matrix coordinate pattern symmetric\\n3 3 1\\n2 1\\n").m
    2
    """
    head, body = read_head(data)
    found = _quick(body, head)
    row, column, value = _slow(body, head) if found is None else found
    some = value != 0
    u, v, value = row[some] - 1, column[some] - 1, value[some]
    if head.symmetry != "general":
        other = -value if head.symmetry == "skew-symmetric" else value
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
        value = np.concatenate([value, other])
    graph = build(u, v, head.n)
    # Entries are read as floats, which are exact up to 2 ** 53.
    if head.pattern or not u.size or (value % 1 != 0).any() or abs(value).max() > 2**53:
        return graph
    try:
        kept = along_graph(graph, u, v, value.astype(np.int64))
    except FormatError:  # two entries for one move, which are to be added up
        return graph
    return Game(graph, weight=kept)


def read_head(data: bytes) -> tuple[_Head, bytes]:
    """The header of a file, and what follows it."""
    place, line, banner = 0, 0, None
    while place < len(data):
        stop = data.find(b"\n", place) + 1 or len(data)
        text = data[place:stop].decode("utf-8", "replace").removeprefix("\ufeff")
        place, line = stop, line + 1
        fields = text.split()
        if banner is None:
            banner = _banner(fields)
        elif fields and not fields[0].startswith("%"):
            n, entries = _size(fields, line)
            return _Head(banner[0] == "pattern", banner[1], n, entries, line + 1), data[place:]
    if banner is None:
        raise FormatError(f"expected a first line '{_BANNER}', got nothing", line=1)
    raise FormatError("expected a line 'rows columns entries', got the end", line=line + 1)


def _banner(fields: list[str]) -> tuple[str, str]:
    if not fields or fields[0].lower() != "%%matrixmarket" or len(fields) != 5:
        raise FormatError(f"expected a first line such as '{_BANNER}'", line=1)
    for field, allowed in zip(fields[1:], _ALLOWED, strict=True):
        if field.lower() not in allowed:
            raise FormatError(f"expected {' or '.join(allowed)}, got {shorten(field)}", line=1)
    return fields[3].lower(), fields[4].lower()


def _size(fields: list[str], line: int) -> tuple[int, int]:
    if len(fields) != 3 or not all(x.isascii() and x.isdigit() and len(x) < 19 for x in fields):
        raise FormatError(
            f"expected 'rows columns entries', got {shorten(' '.join(fields))}", line=line
        )
    rows, columns, entries = map(int, fields)
    if rows != columns:
        raise FormatError(f"expected a square matrix, got {rows} × {columns}", line=line)
    if rows > MAX_POSITIONS:
        raise FormatError(f"expected at most {MAX_POSITIONS:,} rows, got {rows:,}", line=line)
    return rows, entries


def _quick(body: bytes, head: _Head) -> tuple[Int64Array, Int64Array, AnyArray] | None:
    """Read rows, columns and values of all entries together; None if anything is unusual."""
    if head.pattern:
        found = read_digit_lines(body)
        if found is None or not np.isin(found.counts, (0, 2)).all():
            return None
        row, column = found.numbers[0::2], found.numbers[1::2]
        value: AnyArray = np.ones(row.size)
    else:
        if not body.strip() or b"\r" in body.replace(b"\r\n", b"\n"):
            return None
        try:
            table: AnyArray = np.loadtxt(io.BytesIO(body), _ROW, comments="%", ndmin=1)
        except (ValueError, OverflowError):
            return None
        if not np.isfinite(table["value"]).all():
            return None
        row, column, value = table["row"], table["column"], table["value"]
    if row.size != head.entries:
        return None
    inside = (row >= 1) & (row <= head.n) & (column >= 1) & (column <= head.n)
    return (row, column, value) if inside.all() else None


def _slow(body: bytes, head: _Head) -> tuple[Int64Array, Int64Array, AnyArray]:
    """Read entry by entry; the errors name the line."""
    entries: list[tuple[int, int]] = []
    values: list[float] = []
    width = 2 if head.pattern else 3
    line = head.line
    for line, text in enumerate(body.decode("utf-8", "replace").split("\n"), head.line):
        fields = text.split()
        if not fields or fields[0].startswith("%"):
            continue
        if len(fields) != width:
            wanted = "'row column'" if head.pattern else "'row column value'"
            raise FormatError(f"expected {wanted}, got {shorten(text.strip())}", line=line)
        ends = [x for x in fields[:2] if x.isascii() and x.isdigit() and len(x) < 19]
        if len(ends) < 2 or not all(1 <= int(x) <= head.n for x in ends):
            bad = next(x for x in fields if x not in ends or not 1 <= int(x) <= head.n)
            raise FormatError(
                f"expected a row or column 1 … {head.n}, got {shorten(bad)}",
                line=line,
                column=text.index(bad) + 1,
            )
        if not head.pattern and not _NUMBER.fullmatch(fields[2]):
            raise FormatError(f"expected a number, got {shorten(fields[2])}", line=line)
        if len(entries) == head.entries:
            raise FormatError(f"expected {head.entries} entries, got more", line=line)
        entries.append((int(ends[0]), int(ends[1])))
        values.append(1.0 if head.pattern else float(fields[2]))
    if len(entries) < head.entries:
        raise FormatError(f"expected {head.entries} entries, got {len(entries)}", line=line)
    table = np.array(entries, np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1], np.array(values, np.float64)


def write_graph(
    graph: Graph, objective: Objective | None = None, *, weight: Int64Array | None = None
) -> bytes:
    """Write a pattern matrix, or a matrix of weights.

    >>> print(write_graph(Graph.from_edges([(0, 1)])).decode())
    %%MatrixMarket matrix coordinate pattern general
    2 2 1
    1 2
    <BLANKLINE>
    """
    ends = graph.to_edges().astype(np.int64) + 1
    head, pattern = f"{_BANNER}\n{graph.n} {graph.n} {graph.m}\n", "%d %d\n"
    if weight is not None:
        if not weight.all() or abs(weight).max(initial=0) > 2**53:
            raise InvalidObjectiveError(
                "the matrixmarket format stores weights up to 2**53 other than 0; edgelist, json, "
                "dot, graphml, npz and parquet store all weights"
            )
        head, pattern = head.replace("pattern", "integer"), "%d %d %d\n"
        ends = np.column_stack([ends, weight])
    return (head + pattern * graph.m % tuple(ends.reshape(-1).tolist())).encode()
