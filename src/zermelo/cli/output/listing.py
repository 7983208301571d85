"""Answers that are a list of rows: a few facts and a table on a terminal, TSV in a pipe, JSON."""

import csv
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.cli.inputs.files import check_output
from zermelo.cli.options import MAX_ROWS
from zermelo.cli.output.show import (
    Column,
    Facts,
    entry_text,
    field,
    note_written,
    on_terminal,
    plain_name,
    print_facts,
    print_json_rows,
    print_remark,
    print_rows,
    print_table,
)
from zermelo.errors import InvalidOptionError

if TYPE_CHECKING:
    from rich.text import Text

LABEL_STYLES = {"WIN": "green", "LOSE": "red", "DRAW": "yellow"}
"""The colour of each label."""


def plain_entry(x: Any) -> Any:
    """An entry of a row for JSON."""
    if isinstance(x, list):
        return [plain_name(y) for y in x]
    return x if x is None or isinstance(x, bool) else plain_name(x)


@dataclass(frozen=True)
class Listing:
    """What a command answers: facts about the whole, and a row for each part."""

    head: dict[str, Any]
    """The facts for JSON."""
    facts: Facts
    """The facts for a terminal."""
    key: str
    """The name of the list of rows in JSON."""
    columns: Sequence[str]
    rows: Callable[[], Iterable[Sequence[Any]]]
    """The rows, with None for "there is none" and a list or tuple for several entries."""
    total: int
    """The number of rows."""
    numbers: Sequence[str] = ()
    """The columns that are aligned to the right on a terminal."""
    coloured: str | None = None
    """The column of labels that has colours on a terminal."""
    more_by: str = "--limit"
    """The option that shows more rows."""
    entry: Callable[[Any], Any] = plain_entry
    """The function that makes the entry of a row in JSON."""

    def show(self, limit: int | None, as_json: bool) -> None:
        """Print the answer in the way that fits the output."""
        limit = None if limit is None else min(limit, self.total)
        if as_json:
            rows = islice(self.rows(), limit)
            entries = (dict(zip(self.columns, map(self.entry, row), strict=True)) for row in rows)
            print_json_rows(self.head, self.key, entries)
        elif on_terminal():
            self._draw(MAX_ROWS if limit is None else limit)
        else:
            print_rows(self.columns, islice(self.rows(), limit))

    def _draw(self, limit: int) -> None:
        print_facts(self.facts)
        if limit and self.total:
            right = {"justify": "right", "no_wrap": True}
            columns: list[Column] = [
                (name, right if name in self.numbers else {"overflow": "fold"})
                for name in self.columns
            ]
            print()
            print_table(columns, map(self._cells, islice(self.rows(), limit)))
        if limit < self.total:
            print_remark(f"{self.total - limit:,} more; {self.more_by} shows them")

    def _cells(self, row: Sequence[Any]) -> "list[Text]":
        from rich.text import Text

        texts = zip(self.columns, map(field, row), strict=True)
        return [Text(x, LABEL_STYLES[x] if name == self.coloured else "") for name, x in texts]

    def with_column(self, name: str, entries: Iterable[Any]) -> "Listing":
        """The same rows with one column more."""

        def rows() -> Iterator[Sequence[Any]]:
            return ((*row, x) for row, x in zip(self.rows(), entries, strict=True))

        return replace(self, columns=(*self.columns, name), rows=rows)

    def write(self, path: str) -> None:
        """Write all rows as a table, .csv or .tsv."""
        from zermelo._runtime.files import write_bytes

        out = io.StringIO()
        dialect = "excel-tab" if path.lower().endswith("tsv") else "excel"
        rows = csv.writer(out, dialect, lineterminator="\n")
        rows.writerow(self.columns)
        rows.writerows(map(entry_text, row) for row in self.rows())
        write_bytes(out.getvalue().encode(), path)

    def answer(
        self, output: str | None, limit: int | None, as_json: bool, certificate: Any = None
    ) -> None:
        """Write the rows, or the certificate into a .json file; and show them.

        In a pipe they are not shown if they are in a file, unless an option asks for them.
        """
        if output is not None:
            if output.lower().endswith(".json"):
                zm.write(certificate, output)
            else:
                self.write(output)
            note_written(output)
            if limit is None and not as_json and not on_terminal():
                return
        self.show(limit, as_json)


def check_answer_output(path: str | None, file: str, force: bool, *, certificate: bool) -> None:
    """Refuse an output that is neither a table (.csv, .tsv) nor, if there is one, an answer."""
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
