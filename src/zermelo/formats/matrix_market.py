"""Matrix Market: the adjacency matrix by its entries, ``row column`` or ``row column value``.

Read are coordinate matrices with pattern, integer or real entries, general, symmetric or
skew-symmetric. Positions are numbered from 0, rows from 1. An entry that is zero is no move. The
format has no room for owners or names.
"""

import io
import re
from typing import NamedTuple

import numpy as np

from zermelo._door.graphs import MAX_POSITIONS
from zermelo.errors import FormatError
from zermelo.formats._lines import read_digit_lines
from zermelo.formats._names import build, shorten
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.objectives import Objective

_BANNER = "%%MatrixMarket matrix coordinate pattern general"
_WORDS = (
    ("matrix",),
    ("coordinate",),
    ("pattern", "integer", "real", "double"),
    ("general", "symmetric", "skew-symmetric"),
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ROW = np.dtype([("row", np.int64), ("column", np.int64), ("value", np.float64)])


class _Head(NamedTuple):
    """What stands before the entries: their kind, how many, and on which line they begin."""

    pattern: bool
    symmetric: bool
    n: int
    entries: int
    line: int


def read_graph(data: bytes) -> Graph:
    """Read a matrix.

    >>> read_graph(b"%%MatrixMarket matrix coordinate pattern symmetric\\n3 3 1\\n2 1\\n").m
    2
    """
    head, body = _head(data)
    found = _quick(body, head)
    row, column, some = _slow(body, head) if found is None else found
    u, v = row[some] - 1, column[some] - 1
    if head.symmetric:
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
    return build(u, v, head.n)


def _head(data: bytes) -> tuple[_Head, bytes]:
    place, line, banner = 0, 0, None
    while place < len(data):
        stop = data.find(b"\n", place) + 1 or len(data)
        text = data[place:stop].decode("utf-8", "replace").removeprefix("\ufeff")
        place, line = stop, line + 1
        words = text.split()
        if banner is None:
            banner = _banner(words)
        elif words and not words[0].startswith("%"):
            n, entries = _size(words, line)
            symmetric = banner[1] != "general"
            return _Head(banner[0] == "pattern", symmetric, n, entries, line + 1), data[place:]
    if banner is None:
        raise FormatError(f"expected a first line '{_BANNER}', got nothing", line=1)
    raise FormatError("expected a line 'rows columns entries', got the end", line=line + 1)


def _banner(words: list[str]) -> tuple[str, str]:
    if not words or words[0].lower() != "%%matrixmarket" or len(words) != 5:
        raise FormatError(f"expected a first line such as '{_BANNER}'", line=1)
    for word, allowed in zip(words[1:], _WORDS, strict=True):
        if word.lower() not in allowed:
            raise FormatError(f"expected {' or '.join(allowed)}, got {shorten(word)}", line=1)
    return words[3].lower(), words[4].lower()


def _size(words: list[str], line: int) -> tuple[int, int]:
    if len(words) != 3 or not all(x.isascii() and x.isdigit() and len(x) < 19 for x in words):
        raise FormatError(
            f"expected 'rows columns entries', got {shorten(' '.join(words))}", line=line
        )
    rows, columns, entries = map(int, words)
    if rows != columns:
        raise FormatError(f"expected a square matrix, got {rows} × {columns}", line=line)
    if rows > MAX_POSITIONS:
        raise FormatError(f"expected at most {MAX_POSITIONS:,} rows, got {rows:,}", line=line)
    return rows, entries


def _quick(body: bytes, head: _Head) -> tuple[Int64Array, Int64Array, BoolArray] | None:
    """All entries at once, or None if anything is unusual."""
    if head.pattern:
        found = read_digit_lines(body)
        if found is None or not np.isin(found.counts, (0, 2)).all():
            return None
        row, column = found.numbers[0::2], found.numbers[1::2]
        some: BoolArray = np.ones(row.size, bool)
    else:
        if not body.strip() or b"\r" in body.replace(b"\r\n", b"\n"):
            return None
        try:
            table: AnyArray = np.loadtxt(io.BytesIO(body), _ROW, comments="%", ndmin=1)
        except (ValueError, OverflowError):
            return None
        if not np.isfinite(table["value"]).all():
            return None
        row, column, some = table["row"], table["column"], table["value"] != 0
    if row.size != head.entries:
        return None
    inside = (row >= 1) & (row <= head.n) & (column >= 1) & (column <= head.n)
    return (row, column, some) if inside.all() else None


def _slow(body: bytes, head: _Head) -> tuple[Int64Array, Int64Array, BoolArray]:
    """Entry by entry; its errors say where."""
    entries: list[tuple[int, int, bool]] = []
    width = 2 if head.pattern else 3
    line = head.line
    for line, text in enumerate(body.decode("utf-8", "replace").split("\n"), head.line):
        words = text.split()
        if not words or words[0].startswith("%"):
            continue
        if len(words) != width:
            wanted = "'row column'" if head.pattern else "'row column value'"
            raise FormatError(f"expected {wanted}, got {shorten(text.strip())}", line=line)
        ends = [x for x in words[:2] if x.isascii() and x.isdigit() and len(x) < 19]
        if len(ends) < 2 or not all(1 <= int(x) <= head.n for x in ends):
            bad = next(x for x in words if x not in ends or not 1 <= int(x) <= head.n)
            raise FormatError(
                f"expected a row or column 1 … {head.n}, got {shorten(bad)}",
                line=line,
                column=text.index(bad) + 1,
            )
        if not head.pattern and not _NUMBER.fullmatch(words[2]):
            raise FormatError(f"expected a number, got {shorten(words[2])}", line=line)
        if len(entries) == head.entries:
            raise FormatError(f"expected {head.entries} entries, got more", line=line)
        entries.append((int(ends[0]), int(ends[1]), head.pattern or float(words[2]) != 0))
    if len(entries) < head.entries:
        raise FormatError(f"expected {head.entries} entries, got {len(entries)}", line=line)
    table = np.array(entries, np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2] != 0


def write_graph(graph: Graph, objective: Objective | None = None) -> bytes:
    """Write a pattern matrix.

    >>> print(write_graph(Graph.from_edges([(0, 1)])).decode())
    %%MatrixMarket matrix coordinate pattern general
    2 2 1
    1 2
    <BLANKLINE>
    """
    flat = (graph.to_edges().astype(np.int64) + 1).reshape(-1).tolist()
    head = f"{_BANNER}\n{graph.n} {graph.n} {graph.m}\n"
    return (head + "%d %d\n" * graph.m % tuple(flat)).encode()
