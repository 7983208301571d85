"""Parquet: one row for each move, or for each situation of a solution.

The columns of a game are ``source`` and ``target``, and ``weight`` if moves have weights. The
reader accepts any table that has two columns ``source target``, ``src dst`` or ``from to`` of
integers or text. Integers have the same meaning as in edge lists; texts are names, numbered as they
appear. Files that zermelo writes have metadata with the number of positions, their owners and
names, the objective and the start. The format needs pyarrow: ``pip install 'zermelo[parquet]'``.
"""

import io
from typing import Any

import numpy as np

from zermelo._door.graphs import MAX_POSITIONS, optional_module
from zermelo.errors import FormatError, MissingDependencyError
from zermelo.formats._integers import signed
from zermelo.formats._meta import game_meta, game_of, parse_meta
from zermelo.formats._names import Names, build, one_line, place_numbers, shorten, to_json
from zermelo.formats._parquet_pages import check_pages
from zermelo.formats._solution import STORED, Record, from_record, to_record
from zermelo.formats._weights import along_graph, bare_spec
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.solutions.base import Solution

_COLUMNS = (("source", "target"), ("src", "dst"), ("from", "to"))
_KEY = b"zermelo"


def read_graph(data: bytes) -> Game:
    """Read a game, or any table of edges.

    >>> read_graph(write_graph(Graph.from_edges([("a", "b")]), start=1)).start
    'b'
    """
    file = open_parquet(data)
    meta = _meta(file, "zermelo-game")
    pair = next((p for p in _COLUMNS if all(x in file.schema_arrow.names for x in p)), None)
    if pair is None:
        raise FormatError(
            "expected columns source and target, src and dst, or from and to, "
            f"got {shorten(', '.join(file.schema_arrow.names), 80)}"
        )
    weighted = "weight" in file.schema_arrow.names
    table = _read(file, [*pair, "weight"] if weighted else list(pair))
    if "n" not in meta:
        ends, n, names = _place(table, pair)
        u, v = ends[0::2], ends[1::2]
        graph = build(u, v, n, None, names)
        try:
            return Game(graph, weight=_weight(graph, u, v, table) if weighted else None)
        except FormatError:  # a column of some other program, such as a probability
            return Game(graph)
    n = meta["n"]
    if type(n) is not int or not 0 <= n <= MAX_POSITIONS:
        raise FormatError(f"/n: expected a number of positions, got {shorten(n)}")
    u, v = (_integers(table, name) for name in pair)
    graph = build(u, v, n, _owner(meta.get("owner"), n))
    return game_of(graph, meta, _weight(graph, u, v, table) if weighted else None)


def _weight(graph: Graph, u: AnyArray, v: AnyArray, table: Any) -> Int64Array | None:
    """The weights of the moves, in the order of the graph."""
    return along_graph(graph, u, v, _integers(table, "weight"))


def _owner(text: Any, n: int) -> AnyArray | None:
    if text is None:
        return None
    if not isinstance(text, str) or len(text) != n or set(text) - {"0", "1"}:
        raise FormatError(f"/owner: expected {n} digits 0 or 1, got {shorten(text)}")
    return np.frombuffer(text.encode(), np.int8) - np.int8(ord("0"))


def _place(table: Any, pair: tuple[str, str]) -> tuple[Int64Array, int, Names | None]:
    """Both ends of each row in turn as positions, the number of positions, and their names."""
    types = optional_module("pyarrow", "parquet").types
    kinds = [table.column(name).type for name in pair]
    kinds = [kind.value_type if types.is_dictionary(kind) else kind for kind in kinds]
    ends = np.empty(2 * table.num_rows, np.int64)
    if all(types.is_integer(kind) for kind in kinds):
        ends[0::2], ends[1::2] = (_integers(table, name) for name in pair)
        return place_numbers(ends)
    text = (types.is_string, types.is_large_string, getattr(types, "is_string_view", bool))
    if not all(any(is_text(kind) for is_text in text) for kind in kinds):
        raise FormatError(
            f"expected columns {pair[0]} and {pair[1]} of integers or text, "
            f"got {kinds[0]} and {kinds[1]}"
        )
    numbers: dict[str, int] = {}
    for k, name in enumerate(pair):
        column = _whole(table, name)
        if not types.is_dictionary(column.type):
            column = column.dictionary_encode()
        column = column.unify_dictionaries()
        if column.num_chunks:
            listed = column.chunk(0).dictionary.to_pylist()
            number = np.array([numbers.setdefault(x, len(numbers)) for x in listed], np.int64)
            codes = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])
            ends[k::2] = number[codes]
    found, first = np.unique(ends, return_index=True)  # the file may list texts that no row has
    order = found[np.argsort(first)]
    rank = np.zeros(len(numbers), np.int64)
    rank[order] = np.arange(order.size)
    names = list(numbers)
    return rank[ends], order.size, tuple(names[v] for v in order) or None


def _whole(table: Any, name: str) -> Any:
    """A column that must have no nulls."""
    column = table.column(name)
    if column.null_count:
        row = column.is_null().to_numpy().argmax()
        expected = "an integer" if name == "weight" else "a position"
        raise FormatError(f"column {name}, row {row}: expected {expected}, got null")
    return column


def _integers(table: Any, name: str) -> AnyArray:
    column = _whole(table, name)
    types = optional_module("pyarrow", "parquet").types
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not types.is_integer(column.type):
        raise FormatError(f"column {name}: expected integers, got {column.type}")
    return signed(np.asarray(column.to_numpy()), f"column {name}")


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    weight: Int64Array | None = None,
) -> bytes:
    """Write a game, one row for each move."""
    ends = graph.to_edges()
    more: dict[str, Any] = {"n": graph.n}
    if graph.owner is not None:
        more["owner"] = (graph.owner + np.int8(ord("0"))).tobytes().decode()
    columns: dict[str, AnyArray] = {"source": ends[:, 0].copy(), "target": ends[:, 1].copy()}
    spec, weights = bare_spec(graph, objective, weight)
    if weights is not None:
        columns["weight"] = weights
    return _save(columns, game_meta(graph, spec, start, **more))


# -------------------------------------------------------------------- solutions


def read_solution(data: bytes, graph: Graph) -> Solution:
    """Read the claim of a file about a graph."""
    file = open_parquet(data)
    meta = _meta(file, "zermelo-solution")
    if not meta:
        raise FormatError("expected a solution written by zermelo, got some other table")
    names = file.schema_arrow.names
    table = _read(file, [key for key in STORED if key in names])
    arrays = {key: _integers(table, key) for key in STORED if key in names}
    if "player" in names:
        for key, array in arrays.items():
            if array.size % 2:
                raise FormatError(f"{key}: expected two rows for each position")
            arrays[key] = array.reshape(-1, 2)
    return from_record(Record.from_meta(meta, arrays), graph)


def write_solution(solution: Solution) -> bytes:
    """Write a solution, one row for each situation."""
    record = to_record(solution)
    columns: dict[str, AnyArray] = {"position": np.arange(record.n, dtype=np.int32)}
    if record.arrays["label"].ndim == 2:
        columns["position"] = np.repeat(columns["position"], 2)
        columns["player"] = np.tile(np.array([0, 1], np.int8), record.n)
    columns |= {key: array.reshape(-1) for key, array in record.arrays.items()}
    return _save(columns, to_json(record.meta()))


# -------------------------------------------------------------------- pyarrow


def _arrow() -> Any:
    try:
        optional_module("pyarrow", "parquet")
        return optional_module("pyarrow.parquet", "parquet")
    except MissingDependencyError:
        raise MissingDependencyError(
            "Parquet files need pyarrow; install it with: pip install 'zermelo[parquet]'"
        ) from None


def open_parquet(data: bytes) -> Any:
    """A Parquet file, after a look at what its pages become.

    Texts are read as numbers and a list of the different texts: one long text may be in all rows.
    """
    arrow = _arrow()
    try:
        file = arrow.ParquetFile(io.BytesIO(data))
        columns = [file.schema.column(k).path for k in range(file.metadata.num_columns)]
        file = arrow.ParquetFile(io.BytesIO(data), read_dictionary=columns)
        metadata = file.metadata
    except Exception as error:  # Arrow has many kinds of errors
        raise FormatError(f"expected a Parquet file: {one_line(error)}") from None
    check_pages(data, metadata)
    return file


def _read(file: Any, columns: list[str]) -> Any:
    names = file.schema_arrow.names
    for name in columns:
        if (count := names.count(name)) > 1:
            raise FormatError(f"expected one column {name}, got {count} of this name")
    try:
        table = file.read(columns=columns)
        table.validate(full=True)
    except Exception as error:
        raise FormatError(f"the Parquet file is damaged: {one_line(error)}") from None
    return table


def _meta(file: Any, kind: str) -> dict[str, Any]:
    try:
        found = (file.schema_arrow.metadata or {}).get(_KEY)
    except Exception as error:
        raise FormatError(f"the Parquet file is damaged: {one_line(error)}") from None
    return {} if found is None else parse_meta(found, kind)


def _save(columns: dict[str, AnyArray], meta: str) -> bytes:
    arrow, pyarrow = _arrow(), optional_module("pyarrow", "parquet")
    table = pyarrow.table(columns).replace_schema_metadata({_KEY: meta.encode()})
    out = io.BytesIO()
    arrow.write_table(table, out, compression="zstd", use_dictionary=False)
    return out.getvalue()
