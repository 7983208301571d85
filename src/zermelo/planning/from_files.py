"""Counts of a game in a file: from its header where it has one, else from samples of its text.

A file of at most ``MAX_WHOLE_BYTES`` bytes is read. A larger one is read whole only if nothing else
tells how large the game is: if it is compressed, or if its format has no lines.
"""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo._inputs.values import whole_number
from zermelo._runtime.memory import show_size
from zermelo.errors import FormatError
from zermelo.formats.binary.npz import array_header
from zermelo.formats.binary.parquet_pages import columns_of
from zermelo.formats.binary.shards import Shards, is_shards
from zermelo.formats.common.compression import split_suffix
from zermelo.formats.common.meta import parse_meta
from zermelo.formats.common.names import one_line, shorten
from zermelo.formats.front import format_row, read, sniff
from zermelo.formats.matrix_market import read_head
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives import NormalPlay, Objective
from zermelo.objectives.terminal import EndingSet, StuckPayoff, TerminalPayoff
from zermelo.objectives.terminal_form import form_on
from zermelo.planning.census import Census
from zermelo.registry import FORMATS, FormatRow
from zermelo.registry.objectives import OBJECTIVES
from zermelo.tables.solving.estimates import CONFIDENCE, Estimate

MAX_WHOLE_BYTES = 1 << 22
"""A file of at most this many bytes is read whole."""

WINDOWS, WINDOW_BYTES = 24, 1 << 16
"""Places of a text at which it is looked at, and bytes of each look."""

HEAD_BYTES = 1 << 16
"""Bytes of the beginning of a file that may hold its header."""


class _Counts(NamedTuple):
    """What a header or a sample tells."""

    positions: Estimate
    moves: Estimate
    method: str
    owned: bool = False
    spec: dict[str, Any] | None = None


def census_of_game(game: Any, objective: Objective | None, name: str) -> Census:
    """The counts of a game in memory, which are exact."""
    whole: Game = as_game(game, objective)
    graph, played = whole.graph, whole.objective
    shift, code_bytes = 0, 1
    if played.family == "terminal":
        form = form_on(played, graph)
        shift, code_bytes = int(form.doubled), 1 if len(form.levels) <= 127 else 4
    return Census(
        name, Estimate.exact(graph.n), Estimate.exact(graph.m),
        Estimate.exact(graph.terminals.size), "the game is in memory, so the counts are exact",
        family=played.family, keyword=played.keyword, shift=shift, code_bytes=code_bytes,
        owned=graph.owner is not None,
    )  # fmt: skip


def census_of_file(path: str, objective: Objective | None, format: str | None, seed: int) -> Census:
    """The counts of a game in a file or in shards."""
    if is_shards(path):
        return _from_counts(path, _shards(Shards(path)), objective)
    size = Path(path).stat().st_size
    stem, packing = split_suffix(path)
    row = _row(path, stem, packing, format)
    count = _QUICK.get(row.name)
    if size <= MAX_WHOLE_BYTES or packing or count is None:
        census = census_of_game(read(path, format=format), objective, path)
        reason = "the file was read, so the counts are exact"
        if size > MAX_WHOLE_BYTES:
            reason = (
                f"the whole file was read, {show_size(size)}, because its header does not tell its "
                "size; the counts are exact"
            )
        return Census(**{**census.__dict__, "method": reason})
    try:
        with Path(path).open("rb") as file:
            return _from_counts(path, count(file, size, seed), objective)
    except FormatError as error:
        raise error.at(path) from None


def _row(path: str, stem: str, packing: str, format: str | None) -> FormatRow:
    """The format of a file, by its name or by its first bytes."""
    if format is not None:
        return format_row(format, "graph")
    suffix = Path(stem).suffix.lower()
    found = next((row for row in FORMATS if suffix in row.suffixes and "graph" in row.holds), None)
    if found is not None or packing:
        return found or next(iter(FORMATS))
    with Path(path).open("rb") as file:
        return sniff(file.read(HEAD_BYTES))


def _from_counts(name: str, counts: _Counts, objective: Objective | None) -> Census:
    spec = counts.spec or {"objective": "normal"}
    if not isinstance(spec, dict) or spec.get("objective") not in [row.name for row in OBJECTIVES]:
        raise FormatError(f"/objective: expected an objective by its name, got {shorten(spec)}")
    kind: Any = type(objective) if objective is not None else OBJECTIVES[spec["objective"]].load()
    view = getattr(objective, "view", spec.get("view", "player0"))
    shift = _shift(kind, counts.owned, str(view)) if kind.family == "terminal" else 0
    # Nothing tells how many positions have no moves; each of them takes a few bytes.
    ends = Estimate(counts.positions.value // 10, 0, counts.positions.high)
    return Census(
        name, counts.positions, counts.moves, ends, counts.method, family=kind.family,
        keyword=kind.keyword, shift=shift, owned=counts.owned,
    )  # fmt: skip


def _shift(kind: Any, owned: bool, view: str) -> int:
    """Whether positions have two situations in games of this kind, found out on a small one."""
    graph = Graph.from_edges([(0, 1)], owner=[0, 1] if owned else None)
    tiny: Objective = NormalPlay()
    if issubclass(kind, StuckPayoff):
        tiny = kind()
    elif issubclass(kind, EndingSet):
        tiny = kind([1])
    elif issubclass(kind, TerminalPayoff):
        tiny = TerminalPayoff({1: 1}, 0, view)
    return int(form_on(tiny, graph).doubled)


# -------------------------------------------------------------------- headers


def _shards(shards: Shards) -> _Counts:
    n, m = Estimate.exact(shards.n), Estimate.exact(shards.m)
    return _Counts(n, m, "the manifest has the counts", shards.owned, shards.spec)


def _npz(file: BinaryIO, size: int, seed: int) -> _Counts:
    """The shapes of the arrays, from their headers."""
    shapes, spec = {}, None
    try:
        with zipfile.ZipFile(file) as packed:
            for entry in packed.infolist():
                shapes[entry.filename], _ = array_header(packed, entry)
                if entry.filename == "meta.npy" and entry.file_size <= MAX_WHOLE_BYTES:
                    array = np.load(io.BytesIO(packed.read(entry)), allow_pickle=False)
                    spec = parse_meta(str(array), "zermelo-game").get("objective")
        n, m = int(shapes["indptr.npy"][0]) - 1, int(shapes["indices.npy"][0])
        if n < 0:
            raise FormatError("indptr is empty")
    except FormatError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy's header parser have their own errors
        raise FormatError(f"expected a NumPy archive of a graph: {one_line(error)}") from None
    counts = Estimate.exact(n), Estimate.exact(m)
    return _Counts(*counts, "the header has the counts", "owner.npy" in shapes, spec)


def _matrix_market(file: BinaryIO, size: int, seed: int) -> _Counts:
    head, _ = read_head(file.read(HEAD_BYTES))
    times = 1 if head.symmetry == "general" else 2
    # An entry of the diagonal of a symmetric matrix is one move, and an entry 0 is none.
    moves = Estimate(times * head.entries, head.entries * (times == 2), times * head.entries)
    if head.symmetry == "general" and head.pattern:
        moves = Estimate.exact(head.entries)
    return _Counts(Estimate.exact(head.n), moves, "the header has the counts")


def _parquet(file: BinaryIO, size: int, seed: int) -> _Counts:
    """The number of rows and the largest number in them, from the metadata."""
    from zermelo._inputs.values import optional_module

    arrow = optional_module("pyarrow.parquet", "parquet")
    try:
        found = arrow.ParquetFile(file)
        given = (found.schema_arrow.metadata or {}).get(b"zermelo")
    except Exception as error:  # Arrow has many kinds of errors
        raise FormatError(f"expected a Parquet file: {one_line(error)}") from None
    rows, largest = Estimate.exact(found.metadata.num_rows), -1
    meta = {} if given is None else parse_meta(given, "zermelo-game")
    file.seek(max(0, size - found.metadata.serialized_size - 8))
    for group in columns_of(file.read()):
        largest = max(largest, *(x.largest for x in group[:2] if x.largest is not None), -1)
    if "n" in meta:
        n = Estimate.exact(whole_number(meta["n"], "/n", 0, MAX_POSITIONS, FormatError))
    else:
        n = Estimate(largest + 1 or rows.value, 0, None)
    spec = meta.get("objective")
    return _Counts(n, rows, "the header has the counts", "owner" in meta, spec)


# -------------------------------------------------------------------- samples of text


def _windows(file: BinaryIO, size: int, seed: int, separator: bytes) -> list[bytes]:
    """Whole statements or lines from random places of a file."""
    places = np.random.default_rng(seed).integers(0, max(1, size - WINDOW_BYTES), WINDOWS)
    found = []
    for place in sorted(places.tolist()):
        file.seek(place)
        text = file.read(WINDOW_BYTES)
        first, last = text.find(separator) + 1, text.rfind(separator) + 1
        if first < last:
            found.append(text[first:last])
    if not found:
        raise FormatError(f"expected lines of at most {WINDOW_BYTES // 2:,} bytes")
    return found


def _by_bytes(counts: list[int], lengths: list[int], size: int) -> Estimate:
    """How often something occurs in a file, from how often it occurs in windows of it."""
    rates = np.array(counts, float) / np.array(lengths)
    mean = float(rates.mean())
    error = CONFIDENCE * float(rates.std(ddof=1)) / len(rates) ** 0.5 if len(rates) > 1 else mean
    low = max(*counts, int(size * max(0.0, mean - error)))
    value = max(low, round(size * mean))
    return Estimate(value, low, max(value, int(size * (mean + error)) + 1))


def _sampled(windows: list[bytes], size: int) -> str:
    looked = min(size, sum(map(len, windows)))
    return f"{show_size(looked)} of {show_size(size)} were looked at, in {len(windows)} places"


def _pgsolver(file: BinaryIO, size: int, seed: int) -> _Counts:
    """The largest identifier of the header, and statements from random places."""
    header = re.match(rb"\s*parity\s+([0-9]{1,18})\s*;", file.read(HEAD_BYTES))
    windows = [re.sub(rb'"[^"]*"', b'""', x) for x in _windows(file, size, seed, b";")]
    lengths = [len(x) for x in _windows(file, size, seed, b";")]
    statements = _by_bytes([x.count(b";") for x in windows], lengths, size)
    moves = _by_bytes([x.count(b",") + x.count(b";") for x in windows], lengths, size)
    method = _sampled(windows, size)
    if header is not None:
        n = int(header[1]) + 1
        statements = Estimate(n, min(n, statements.low), n)
        method = f"positions are from the header; for moves, {method}"
    return _Counts(statements, moves, method, owned=True, spec={"objective": "parity"})


def _lines(file: BinaryIO, size: int, seed: int) -> _Counts:
    """Lines from random places; positions from the largest number, or from repeated sources."""
    windows = _windows(file, size, seed, b"\n")
    lines = [
        [line for line in text.splitlines() if line.strip() and not line.startswith(b"#")]
        for text in windows
    ]
    moves = _by_bytes([len(x) for x in lines], [len(x) for x in windows], size)
    fields = [re.split(rb"[\s,;]+", line.strip())[:2] for text in lines for line in text]
    numbers = [int(x) for row in fields for x in row if x.isdigit() and len(x) < 19]
    owned = any(len(row) == 2 and row[1] in (b"[0]", b"[1]") for row in fields)
    if len(numbers) * 10 >= 9 * sum(map(len, fields)):
        n = max(numbers) + 1
        positions = Estimate(n + n // len(numbers), n, None)
        guess = "positions from the largest number seen"
    else:
        runs = sum(
            len({re.split(rb"[\s,;]+", line.strip(), maxsplit=1)[0] for line in text})
            for text in lines
        )
        share = runs / max(1, len(fields))
        positions = Estimate(max(1, round(moves.value * share)), 1, None)
        guess = "positions are a guess from repeated names"
    return _Counts(positions, moves, f"{_sampled(windows, size)}; {guess}", owned)


_QUICK: dict[str, Callable[[BinaryIO, int, int], _Counts]] = {
    "npz": _npz,
    "mtx": _matrix_market,
    "parquet": _parquet,
    "pgsolver": _pgsolver,
    "edgelist": _lines,
}
"""The formats that tell their size without being read whole, by name."""
