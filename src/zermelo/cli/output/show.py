"""Printing answers: tables on a terminal, tab-separated text in a pipe, JSON with ``--json``.

rich is imported only when something is drawn on a terminal.
"""

import contextlib
import itertools
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import zermelo as zm

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})

NOTHING = "-"
"""In a table: no distance, no move."""


def on_terminal(stream: TextIO | None = None) -> bool:
    """Whether a stream (by default standard output) is a terminal."""
    stream = sys.stdout if stream is None else stream
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def console() -> "Console":
    """Standard output as rich sees it."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def field(x: object) -> str:
    r"""A field of a tab-separated table; a tab in a name is spelled ``\t``.

    ``None`` is "there is none", and the entries of a list have commas between them.

    >>> field("a\tb"), field(3), field(None), field(True), field(["a", "b"])
    ('a\\tb', '3', '-', 'yes', 'a,b')
    """
    text = x if type(x) is str else entry_text(x)
    return text.translate(_ESCAPES) if not text.isprintable() or "\\" in text else text


def entry_text(x: object, between: str = ",") -> str:
    """An entry of an answer as text."""
    if x is None:
        return NOTHING
    if isinstance(x, bool):
        return "yes" if x else "no"
    return (between.join(map(str, x)) or NOTHING) if isinstance(x, list) else str(x)


def plain_name(name: Hashable) -> str | int:
    """The name of a position for JSON."""
    return name if isinstance(name, str | int) and not isinstance(name, bool) else str(name)


def print_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A tab-separated table with a header."""
    lines = ("\t".join(map(field, row)) + "\n" for row in rows)
    _write(itertools.chain(["\t".join(header) + "\n"], lines))


def print_json(data: dict[str, Any], *, one_line: bool = False) -> None:
    """One JSON object."""
    import json

    print(json.dumps(data, indent=None if one_line else 2, ensure_ascii=False))


def print_json_rows(
    head: dict[str, Any], key: str, rows: Iterable[dict[str, Any]], *, one_line: bool = False
) -> None:
    """A JSON object whose last entry is a list, written row by row: it may be long.

    >>> head = {"file": "g.pg"}
    >>> print_json_rows(head, "positions", [{"position": 0}, {"position": 1}], one_line=True)
    {"file": "g.pg", "positions": [{"position": 0}, {"position": 1}]}
    """
    import json

    encode = json.JSONEncoder(ensure_ascii=False).encode

    def parts() -> Iterator[str]:
        if one_line:
            yield encode(head)[:-1] + (", " if head else "") + f"{encode(key)}: ["
        else:
            yield "{\n"
            for name, entry in head.items():
                body = json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n  ")
                yield f"  {encode(name)}: {body},\n"
            yield f"  {encode(key)}: ["
        before, between, after = ("", ", ", "]}\n") if one_line else ("\n    ", ",", "\n  ]\n}\n")
        gap = before
        for row in rows:
            yield gap + encode(row)
            gap = between + before
        yield "]\n}\n" if gap == before and not one_line else after

    _write(parts())


def _write(parts: Iterable[str]) -> None:
    """Write many small parts in few pieces, in case standard output is not buffered."""
    source = iter(parts)
    while piece := "".join(itertools.islice(source, 4096)):
        sys.stdout.write(piece)


Column = str | tuple[str, dict[str, Any]]


def right(name: str, **more: Any) -> Column:
    """A column of numbers."""
    return name, {"justify": "right", "no_wrap": True, **more}


def rich_table(*columns: Column) -> "RichTable":
    """A table with a header, a rule and no frame."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
    for column in columns:
        name, options = (column, {}) if isinstance(column, str) else column
        table.add_column(name, **options)
    return table


def styled(text: str, style: str = "") -> "Text":
    """A text for a terminal."""
    from rich.text import Text

    return Text(text, style)


def print_table(columns: Sequence[Column], rows: "Iterable[Sequence[str | Text]]") -> None:
    """A table on a terminal."""
    table = rich_table(*columns)
    for row in rows:
        table.add_row(*row)
    console().print(table)


def print_remark(text: str) -> None:
    """A remark on a terminal."""
    console().print(text, style="dim")


def print_facts(facts: Iterable[tuple[str, "str | Text"]]) -> None:
    """Names and values on a terminal, aligned."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(name, Text(value) if isinstance(value, str) else value)
    console().print(table)


Facts = Sequence[tuple[str, Any]]


def show_facts(
    record: dict[str, Any], facts: Facts, as_json: bool, plain: Facts | None = None
) -> None:
    """Answer by facts: the record in JSON, the facts on a terminal, and in a pipe the facts or
    ``plain`` as rows."""
    if as_json:
        print_json(record)
    elif on_terminal():
        print_facts((name, entry_text(x)) for name, x in facts)
    else:
        print_rows(("what", "value"), facts if plain is None else plain)


def show_list(
    key: str, records: Sequence[dict[str, Any]], columns: Sequence[str], as_json: bool,
    draw: Callable[[], None],
) -> None:  # fmt: skip
    """Answer by a list of records: JSON, rows of some columns, or ``draw`` on a terminal."""
    if as_json:
        print_json({key: records})
    elif on_terminal():
        draw()
    else:
        rows = ([entry_text(record[name], " ") for name in columns] for record in records)
        print_rows(columns, rows)


def count(k: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "move"), count(1200, "position")
    ('1 move', '1,200 positions')
    """
    return f"{k:,} {noun}{'' if k == 1 else 's'}"


def graph_size(graph: "zm.Graph") -> str:
    """The numbers of positions and moves of a graph.

    >>> graph_size(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    '2 positions, 2 moves'
    """
    return f"{count(graph.n, 'position')}, {count(graph.m, 'move')}"


def duration(seconds: float) -> str:
    """A duration in readable units.

    >>> duration(0.0123), duration(75)
    ('12 ms', '1 min 15 s')
    """
    if seconds < 0.001:
        return "under 1 ms"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def note(text: str) -> None:
    """Print a line on stderr, if that is a terminal."""
    if on_terminal(sys.stderr):
        print(text, file=sys.stderr)


def note_written(path: str | None, size: str = "") -> None:
    """Say on a terminal that a file was written, if it is one."""
    if path not in (None, "-"):
        note(f"wrote {path}{': ' if size else ''}{size}")


def say(message: str) -> None:
    """Print one line on stderr that begins with ``zermelo:``, if stderr is open."""
    line = " ".join(part.strip() for part in message.splitlines() if part.strip())
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            print(f"zermelo: {line}", file=sys.stderr, flush=True)
