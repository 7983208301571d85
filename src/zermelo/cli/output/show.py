"""Printing answers: tables on a terminal, tab-separated text in a pipe, JSON with ``--json``.

rich is imported only when something is drawn on a terminal.
"""

import itertools
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

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

    >>> field("a\tb"), field(3)
    ('a\\tb', '3')
    """
    text = str(x)
    return text.translate(_ESCAPES) if not text.isprintable() or "\\" in text else text


def plain_name(name: Hashable) -> str | int:
    """The name of a position for JSON."""
    return name if isinstance(name, str | int) and not isinstance(name, bool) else str(name)


def print_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A tab-separated table with a header."""
    lines = ("\t".join(map(field, row)) + "\n" for row in rows)
    _write(itertools.chain(["\t".join(header) + "\n"], lines))


def print_json(data: dict[str, Any]) -> None:
    """One JSON object."""
    import json

    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_json_rows(head: dict[str, Any], key: str, rows: Iterable[dict[str, Any]]) -> None:
    """A JSON object whose last entry is a list, written row by row: it may be long."""
    import json

    encode = json.JSONEncoder(ensure_ascii=False).encode

    def parts() -> Iterator[str]:
        yield "{\n"
        for name, entry in head.items():
            body = json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n  ")
            yield f"  {encode(name)}: {body},\n"
        yield f"  {encode(key)}: ["
        comma = ""
        for row in rows:
            yield f"{comma}\n    {encode(row)}"
            comma = ","
        yield "\n  ]\n}\n" if comma else "]\n}\n"

    _write(parts())


def print_json_compact(data: dict[str, Any]) -> None:
    """One JSON object on one line."""
    import json

    print(json.dumps(data, ensure_ascii=False))


def print_json_line(head: dict[str, Any], key: str, rows: Iterable[dict[str, Any]]) -> None:
    """The same object as by :func:`print_json_rows`, on one line.

    >>> print_json_line({"file": "g.pg"}, "positions", [{"position": 0}, {"position": 1}])
    {"file": "g.pg", "positions": [{"position": 0}, {"position": 1}]}
    """
    import json

    encode = json.JSONEncoder(ensure_ascii=False).encode

    def parts() -> Iterator[str]:
        yield encode(head)[:-1] + (", " if head else "") + f"{encode(key)}: ["
        for k, row in enumerate(rows):
            yield (", " if k else "") + encode(row)
        yield "]}\n"

    _write(parts())


def _write(parts: Iterable[str]) -> None:
    """Write many small parts in few pieces, in case standard output is not buffered."""
    source = iter(parts)
    while piece := "".join(itertools.islice(source, 4096)):
        sys.stdout.write(piece)


def rich_table(*columns: str | tuple[str, dict[str, Any]]) -> "RichTable":
    """A table in the house style: a header, a rule, no frame."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
    for column in columns:
        name, options = (column, {}) if isinstance(column, str) else column
        table.add_column(name, **options)
    return table


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Names and values on a terminal, aligned."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(name, Text(value))
    console().print(table)


def count(k: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "move"), count(1200, "position")
    ('1 move', '1,200 positions')
    """
    return f"{k:,} {noun}{'' if k == 1 else 's'}"


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
