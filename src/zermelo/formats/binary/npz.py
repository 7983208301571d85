"""NumPy archives, which store the arrays of the graph without parsing.

A game has the arrays ``indptr``, ``indices``, ``owner`` if there are owners, ``weight`` if moves
have weights, and ``meta``, a JSON text with format, version, names, objective and start. Archives
of other programs need only ``indptr`` and ``indices``; ``names`` may then be an array of text or of
integers. A solution has its arrays and ``meta``. Nothing is ever unpickled.
"""

import io
import math
import zipfile
from typing import Any

import numpy as np

from zermelo._runtime import memory
from zermelo.errors import FormatError, ZermeloError
from zermelo.formats.common.integers import signed
from zermelo.formats.common.meta import game_meta, game_of, parse_meta
from zermelo.formats.common.names import bare, one_line, shorten, to_json
from zermelo.formats.common.solution import STORED, Record, from_record, to_record
from zermelo.formats.common.weights import along_graph, bare_spec
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.solutions.base import Solution

_MAX_HEADER = 1 << 16
"""Bytes of an array in which its header must end; NumPy accepts headers of 10,000 characters."""

_GAME = ("indptr", "indices", "owner", "weight", "names", "meta")


def read_graph(data: bytes) -> Game:
    """Read a game.

    >>> read_graph(write_graph(Graph.from_edges([("a", "b")]), start=1)).start
    'b'
    """
    arrays = load_arrays(data)
    meta = parse_meta(_text(arrays["meta"]), "zermelo-game") if "meta" in arrays else {}
    _known(arrays, _GAME)
    for key in ("indptr", "indices"):
        if key not in arrays:
            raise FormatError(f"expected an array {key!r}, got {bare(', '.join(arrays)) or 'none'}")
    names = tuple(arrays["names"].tolist()) if "names" in arrays else None
    if names is not None and arrays["names"].dtype.kind not in "iuU":
        raise FormatError(f"names: expected text or integers, got {arrays['names'].dtype}")
    graph = Graph.from_csr(arrays["indptr"], arrays["indices"], arrays.get("owner"), names)
    if "weight" not in arrays:
        return game_of(graph, meta)
    # The graph sorts its moves, so the weights move with them.
    given = arrays["weight"]
    if given.dtype.kind not in "iu" or given.shape != arrays["indices"].shape:
        raise FormatError(
            f"weight: expected {arrays['indices'].size} integers, one for each move, got "
            f"{given.dtype} of shape {given.shape}"
        )
    sources = np.repeat(np.arange(graph.n), np.diff(arrays["indptr"]))
    return game_of(graph, meta, along_graph(graph, sources, arrays["indices"], given))


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    weight: Int64Array | None = None,
) -> bytes:
    """Write a game."""
    arrays: dict[str, Any] = {"indptr": graph.indptr, "indices": graph.indices}
    if graph.owner is not None:
        arrays["owner"] = graph.owner
    spec, weights = bare_spec(graph, objective, weight)
    if weights is not None:
        arrays["weight"] = weights
    return save_arrays(arrays, game_meta(graph, spec, start))


def read_solution(data: bytes, graph: Graph) -> Solution:
    """Read the claim of a file about a graph."""
    arrays = load_arrays(data)
    if "meta" not in arrays:
        raise FormatError("expected an array 'meta', which solutions of zermelo have")
    meta = parse_meta(_text(arrays.pop("meta")), "zermelo-solution")
    _known(arrays, STORED)
    for key, array in arrays.items():
        if array.dtype.kind not in "iu":
            raise FormatError(f"{key}: expected integers, got {array.dtype}")
    return from_record(Record.from_meta(meta, arrays), graph)


def write_solution(solution: Solution) -> bytes:
    """Write a solution."""
    record = to_record(solution)
    return save_arrays(record.arrays, to_json(record.meta()))


def _known(arrays: dict[str, AnyArray], known: tuple[str, ...]) -> None:
    for key in arrays:
        if key not in known:
            raise FormatError(f"unknown array {shorten(key)}; known: {', '.join(known)}")


def _text(array: AnyArray) -> str:
    if array.dtype.kind != "U" or array.shape != ():
        raise FormatError(f"meta: expected a text, got {array.dtype} of shape {array.shape}")
    return str(array)


def load_arrays(data: bytes) -> dict[str, AnyArray]:
    """The arrays of an archive; nothing is unpickled."""
    if not data.startswith(b"PK"):
        raise FormatError("expected a NumPy archive .npz, but this file is not one")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _check_members(packed)
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise FormatError("expected an archive .npz of arrays, got a single array")
            return {key: _native(archive[key], key) for key in archive.files}
    except ZermeloError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy's header parser have their own errors
        raise FormatError(f"expected a NumPy archive: {one_line(error)}") from None


def _check_members(packed: zipfile.ZipFile) -> None:
    """Refuse arrays that occur twice, or that are larger than their data or than memory."""
    entries = packed.infolist()
    memory.require(
        2 * sum(x.file_size for x in entries), "unpacking this archive", "use a larger machine"
    )
    seen: set[str] = set()
    for entry in entries:
        if entry.filename in seen:
            raise FormatError(f"array {shorten(entry.filename)} appears twice")
        seen.add(entry.filename)
        shape, dtype = array_header(packed, entry)
        if math.prod(shape) * max(1, dtype.itemsize) > entry.file_size:
            raise FormatError(
                f"array {shorten(entry.filename)}: expected {shorten(shape)} entries, got fewer"
            )


def array_header(
    packed: zipfile.ZipFile, entry: zipfile.ZipInfo
) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and the type of an array of an archive."""
    # Of other methods, Python unpacks a piece of the file at once, whatever that becomes.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FormatError(f"array {shorten(entry.filename)}: expected it stored or deflated")
    with packed.open(entry) as content:
        file = io.BytesIO(content.read(_MAX_HEADER))  # NumPy reads a header of any length
        first = np.lib.format.read_magic(file) == (1, 0)
        read = np.lib.format.read_array_header_1_0 if first \
            else np.lib.format.read_array_header_2_0  # fmt: skip
        shape, _, dtype = read(file)
    return shape, dtype


def _native(array: Any, name: str) -> AnyArray:
    if not isinstance(array, np.ndarray):
        raise FormatError("expected only arrays in a NumPy archive")
    return signed(array.astype(array.dtype.newbyteorder("="), copy=False), name)


def save_arrays(arrays: dict[str, Any], meta: str) -> bytes:
    """An archive without times, so that equal arrays give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for key, array in [*arrays.items(), ("meta", np.array(meta))]:
            little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
            body = io.BytesIO()
            np.lib.format.write_array(body, little.reshape(array.shape), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{key}.npy")
            entry.create_system = 3
            archive.writestr(entry, body.getbuffer())
    return out.getvalue()
