"""A table as rows for other programs: CSV or Parquet.

Columns are ``position`` (as the rules write it), ``value`` (win, lose, tie, draw) and ``distance``,
empty where there is none.
"""

import csv
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo._inputs.values import optional_module
from zermelo._runtime.progress import Report
from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_DISTANCE
from zermelo.tables.building.disk_errors import appearing
from zermelo.tables.table import Table

COLUMNS = ("position", "value", "distance")

ROWS_TOGETHER = 1 << 16
"""Rows that are written at a time."""


def export(table: Table, path: str | os.PathLike[str], progress: Report | None = None) -> int:
    """Write all entries of a table to a file that ends with .csv or .parquet; return their number.

    The file appears when it is whole.

    >>> import tempfile, zermelo as zm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with zm.build("nim:1,1", f"{folder}/nim.zt") as table:
    ...         count = export(table, f"{folder}/nim.csv")
    ...     print(Path(folder, "nim.csv").read_text(), end="")
    position,value,distance
    0,lose,0
    1,win,1
    1+1,lose,2
    """
    target = Path(path)
    if target.suffix not in _WRITERS:
        raise InvalidOptionError(f"{path}: expected a name that ends with .csv or .parquet")
    done = 0

    def rows() -> Iterator[tuple[str, str, int | None]]:
        for positions, _, distances, outcomes in table.rows():
            for x, outcome, far in zip(positions, outcomes, distances, strict=True):
                yield table.rules.show(x), outcome, None if far == NO_DISTANCE else far

    def chunks() -> Iterator[list[tuple[str, str, int | None]]]:
        nonlocal done
        entries = rows()
        while part := list(islice(entries, ROWS_TOGETHER)):
            yield part
            done += len(part)
            if progress is not None:
                progress(done, len(table), "written")

    with appearing(target, "the rows") as fresh:
        _WRITERS[target.suffix](fresh, chunks())
    return done


def _csv(path: Path, chunks: Iterable[list[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for rows in chunks:
            writer.writerows(rows)


def _parquet(path: Path, chunks: Iterable[list[Any]]) -> None:
    arrow = optional_module("pyarrow", "parquet")
    schema = arrow.schema(
        list(zip(COLUMNS, (arrow.string(), arrow.string(), arrow.int32()), strict=True))
    )
    parquet = optional_module("pyarrow.parquet", "parquet")
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in chunks:
            columns = [list(column) for column in zip(*rows, strict=True)]
            writer.write_table(arrow.table(columns, schema=schema))


_WRITERS = {".csv": _csv, ".parquet": _parquet}
