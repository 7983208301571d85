"""Answers that are a list of rows: a few facts and a table on a terminal, TSV in a pipe, JSON."""

import csv
import io
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import click

from zermelo.cli.output.show import (
    NOTHING,
    console,
    field,
    on_terminal,
    print_facts,
    print_json_rows,
    print_rows,
    rich_table,
)

FEW = 20
"""The rows that a terminal shows by default."""

LIMIT = click.option(
    "--limit", type=click.IntRange(min=0), metavar="N",
    help=f"Show N rows; the default is {FEW} on a terminal and all in a pipe.",
)  # fmt: skip


@dataclass(frozen=True)
class Listing:
    """What a command answers: facts about the whole, and a row for each part."""

    head: dict[str, Any]
    """The facts for JSON."""
    facts: Sequence[tuple[str, str]]
    """The facts for a terminal."""
    key: str
    """The name of the list of rows in JSON."""
    columns: Sequence[str]
    rows: Callable[[], Iterable[Sequence[Any]]]
    """The rows, with None for "there is none" and a list or tuple for several entries."""
    total: int
    """The number of rows."""

    def show(self, limit: int | None, as_json: bool) -> None:
        """Print the answer in the way that fits the output."""
        limit = None if limit is None else min(limit, self.total)
        if as_json:
            rows = islice(self.rows(), limit)
            entries = (dict(zip(self.columns, map(_plain, row), strict=True)) for row in rows)
            print_json_rows(self.head, self.key, entries)
        elif on_terminal():
            self._draw(FEW if limit is None else limit)
        else:
            print_rows(
                self.columns, ([_text(x) for x in row] for row in islice(self.rows(), limit))
            )

    def _draw(self, limit: int) -> None:
        from rich.text import Text

        print_facts(self.facts)
        out = console()
        if limit and self.total:
            table = rich_table(*((name, {"overflow": "fold"}) for name in self.columns))
            for row in islice(self.rows(), limit):
                table.add_row(*(Text(field(_text(x))) for x in row))
            out.print()
            out.print(table)
        if limit < self.total:
            out.print(f"{self.total - limit:,} more; --limit shows them", style="dim")

    def write(self, path: str) -> None:
        """Write all rows as a table, .csv or .tsv."""
        from zermelo._runtime.files import write_bytes

        out = io.StringIO()
        dialect = "excel-tab" if path.lower().endswith("tsv") else "excel"
        rows = csv.writer(out, dialect, lineterminator="\n")
        rows.writerow(self.columns)
        rows.writerows([_text(x) for x in row] for row in self.rows())
        write_bytes(out.getvalue().encode(), path)


def _plain(x: Any) -> Any:
    from zermelo.cli.output.show import plain_name

    if isinstance(x, list):
        return [plain_name(y) for y in x]
    return x if x is None or isinstance(x, bool) else plain_name(x)


def _text(x: Any) -> Any:
    if x is None:
        return NOTHING
    if isinstance(x, bool):
        return "yes" if x else "no"
    return (",".join(map(str, x)) or NOTHING) if isinstance(x, list) else x


def check_answer_output(path: str | None, file: str, force: bool, *, certificate: bool) -> None:
    """Refuse an output that is neither a table (.csv, .tsv) nor, if there is one, an answer."""
    from zermelo.cli.inputs.files import check_output
    from zermelo.errors import InvalidOptionError

    if path is None:
        if force:
            raise click.UsageError("--force goes with --output")
        return
    suffix = os.path.splitext(path)[1].lower()
    known = (".csv", ".tsv", ".json") if certificate else (".csv", ".tsv")
    if suffix not in known:
        raise InvalidOptionError(
            f"{path}: expected a name that ends in {', '.join(known[:-1])} or {known[-1]}"
        )
    check_output(path, "solution" if suffix == ".json" else "values", (file,), force, format_="-")
