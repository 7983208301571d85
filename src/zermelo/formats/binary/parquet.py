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

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo._inputs.values import optional_module
from zermelo.errors import FormatError, MissingDependencyError
from zermelo.formats.binary.parquet_pages import check_pages
from zermelo.formats.common.integers import signed
from zermelo.formats.common.meta import game_meta, game_of, parse_meta
from zermelo.formats.common.names import Names, build, one_line, place_numbers, shorten, to_json
from zermelo.formats.common.solution import STORED, Record, from_record, to_record
from zermelo.formats.common.weights import along_graph, bare_spec
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.solutions.base import Solution

_COLUMNS = (("source", "target"), ("src", "dst"), ("from", "to"))
_TEXTS = ("string", "large_string", "string_view")
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
    if "n" not in meta:
        return _read_foreign(data, file, pair)
    weighted = "weight" in file.schema_arrow.names
    table = _read_integers(data, file, [*pair, "weight"] if weighted else list(pair))
    n = meta["n"]
    if type(n) is not int or not 0 <= n <= MAX_POSITIONS:
        raise FormatError(f"/n: expected a number of positions, got {shorten(n)}")
    u, v = (_integers(table, name) for name in pair)
    graph = build(u, v, n, _owner(meta.get("owner"), n))
    return game_of(graph, meta, _weight(graph, u, v, table) if weighted else None)


def _read_foreign(data: bytes, file: Any, pair: tuple[str, str]) -> Game:
    """Read a table of edges that some other program wrote."""
    is_integer = optional_module("pyarrow", "parquet").types.is_integer
    kinds = [_kind(file, name) for name in pair]
    if not all(map(is_integer, kinds)) and not all(str(kind) in _TEXTS for kind in kinds):
        raise FormatError(
            f"expected columns {pair[0]} and {pair[1]} of integers or text, "
            f"got {kinds[0]} and {kinds[1]}"
        )
    # A weight that is no integer may mean anything, for example a probability.
    weighted = "weight" in file.schema_arrow.names and is_integer(_kind(file, "weight"))
    table = read_columns(data, file, [*pair, "weight"] if weighted else list(pair))
    ends, n, names = _place(table, pair)
    u, v = ends[0::2], ends[1::2]
    graph = build(u, v, n, None, names)
    try:
        return Game(graph, weight=_weight(graph, u, v, table) if weighted else None)
    except FormatError:  # for example, a row has no weight
        return Game(graph)


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
    ends = np.empty(2 * table.num_rows, np.int64)
    if types.is_integer(table.column(pair[0]).type):
        ends[0::2], ends[1::2] = (_integers(table, name) for name in pair)
        return place_numbers(ends)
    numbers: dict[str, int] = {}
    for k, name in enumerate(pair):
        column = _whole(table, name).unify_dictionaries()
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
    return signed(np.asarray(_whole(table, name).to_numpy()), f"column {name}")


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
    table = _read_integers(data, file, [key for key in STORED if key in names])
    arrays = {key: _integers(table, key) for key in table.column_names}
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
    """A Parquet file, of which only the metadata are read."""
    arrow = _arrow()
    try:
        return arrow.ParquetFile(io.BytesIO(data))
    except Exception as error:  # Arrow has many kinds of errors
        raise FormatError(f"expected a Parquet file: {one_line(error)}") from None


def read_columns(data: bytes, file: Any, columns: list[str] | None = None) -> Any:
    """Some or all columns, after a look at what their pages become; the caller knows their types.

    Texts are read as numbers and a list of the different texts: one long text may be in all rows.
    """
    check_pages(data, file.metadata, columns)
    texts = [name for name in columns or () if str(_kind(file, name)) in _TEXTS]
    try:
        table = _arrow().ParquetFile(io.BytesIO(data), read_dictionary=texts).read(columns=columns)
        table.validate(full=True)
    except Exception as error:
        raise FormatError(f"the Parquet file is damaged: {one_line(error)}") from None
    return table


def _read_integers(data: bytes, file: Any, columns: list[str]) -> Any:
    """Some columns that must be integers."""
    for name in columns:
        kind = _kind(file, name)
        if not optional_module("pyarrow", "parquet").types.is_integer(kind):
            raise FormatError(f"column {name}: expected integers, got {kind}")
    return read_columns(data, file, columns)


def _kind(file: Any, name: str) -> Any:
    """The type of a column, or of the entries of its dictionary; there must be one such column."""
    if (count := file.schema_arrow.names.count(name)) > 1:
        raise FormatError(f"expected one column {name}, got {count} of this name")
    kind = file.schema_arrow.field(name).type
    is_dictionary = optional_module("pyarrow", "parquet").types.is_dictionary
    return kind.value_type if is_dictionary(kind) else kind


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
