"""A game in a directory: shards with the moves of some positions each, and a small manifest.

A game larger than memory is written and read shard by shard. ``manifest.json`` has the number of
positions, the objective without its data, and a list of the shards. A shard is a NumPy archive
``.npz`` or a Parquet file with the moves of consecutive positions:

- ``indptr`` and ``indices``, the moves in compressed sparse rows (in Parquet the column
  ``successors``, a list for each position); targets are numbers of the whole graph, increasing for
  each position;
- ``owner`` if positions have owners;
- ``marked`` for ``reach`` and ``safety``: whether a position belongs to the set;
- ``payoff`` for ``terminal-payoff``: one or two numbers for each position, of which only those of
  terminals count.
"""

import itertools
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo._inputs.graphs import rows_increase
from zermelo._inputs.values import optional_module, whole_number
from zermelo._runtime import files, memory
from zermelo._runtime.folders import Folder, has_file, new_folder, open_folder
from zermelo.errors import FormatError, InvalidGraphError, InvalidObjectiveError, ZermeloError
from zermelo.formats.binary.npz import load_arrays, save_arrays
from zermelo.formats.binary.parquet import open_parquet, read_columns
from zermelo.formats.common.names import one_line, shorten
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal import EndingSet, StuckPayoff, TerminalPayoff
from zermelo.registry.objectives import OBJECTIVES

MANIFEST = "manifest.json"
FORMAT, VERSION = "zermelo-shards", 1
SUFFIXES = (".npz", ".parquet")
SHARD_MOVES = 1 << 21
"""Moves and positions of a shard, if the number of shards is not given."""


class Piece(NamedTuple):
    """The content of one shard."""

    first: int
    indptr: Int64Array
    indices: Int32Array
    owner: Int8Array | None
    data: AnyArray | None
    """``marked`` or ``payoff``, if the objective has such data."""


@dataclass(frozen=True)
class Shards:
    """A game in a directory or at a URL, which is read shard by shard.

    >>> import tempfile
    >>> from zermelo import Reach
    >>> game = Game(Graph.from_edges([(0, 1), (1, 2), (2, 2)]), Reach([2]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = Shards.write(game, f"{folder}/game", shards=2)
    ...     print(shards.n, shards.m, len(shards.files), shards.game())
    3 3 2 Game(reach on Graph(3 positions, 3 moves, 0 terminals))
    """

    path: str | os.PathLike[str]

    def __post_init__(self) -> None:
        """Read the manifest, so that a directory without one is refused here."""
        files.check_path(self.path, "path")
        _ = self.manifest

    # ---------------------------------------------------------------- the manifest

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The content of ``manifest.json``, checked."""
        path = self._folder.at(MANIFEST)
        try:
            found = json.loads(self._folder.read(MANIFEST))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"expected JSON: {one_line(error)}", path=str(path)) from None
        try:
            return _checked_manifest(found)
        except FormatError as error:
            raise error.at(str(path)) from None

    @property
    def n(self) -> int:
        """The number of positions."""
        return int(self.manifest["positions"])

    @property
    def m(self) -> int:
        """The number of moves."""
        return sum(int(shard["moves"]) for shard in self.manifest["shards"])

    @property
    def owned(self) -> bool:
        """Whether positions have owners."""
        return bool(self.manifest["owned"])

    @property
    def spec(self) -> dict[str, Any]:
        """The objective without its data."""
        return dict(self.manifest["objective"])

    @property
    def files(self) -> list[Any]:
        """The paths or the URLs of the shards, in the order of their positions."""
        return [self._folder.at(shard["file"]) for shard in self.manifest["shards"]]

    def size(self, k: int) -> int:
        """The number of bytes of a shard as it is stored."""
        return self._folder.size(self.manifest["shards"][k]["file"])

    @cached_property
    def _folder(self) -> Folder:
        return open_folder(self.path)

    def digest(self) -> str:
        """A fingerprint of the manifest, which has the checksums of all shards."""
        from hashlib import blake2b

        text = json.dumps(self.manifest, sort_keys=True)
        return blake2b(text.encode(), digest_size=16).hexdigest()

    # ---------------------------------------------------------------- reading

    def pieces(self) -> Iterator[Piece]:
        """All shards, one after the other; each is checked."""
        for k in range(len(self.files)):
            yield self.piece(k)

    def piece(self, k: int) -> Piece:
        """One shard, checked."""
        path, entry = self.files[k], self.manifest["shards"][k]
        first = sum(int(shard["positions"]) for shard in self.manifest["shards"][:k])
        content = self._folder.read(entry["file"])
        try:
            if zlib.crc32(content) != entry["checksum"]:
                raise FormatError("the shard is not the one that the manifest describes")
            packed = entry["file"].endswith(".parquet")
            arrays = _from_parquet(content) if packed else load_arrays(content)
            piece = _checked_piece(arrays, first, entry, self, rows=k not in self._checked)
        except FormatError as error:
            raise error.at(str(path)) from None
        self._checked.add(k)
        return piece

    @cached_property
    def _checked(self) -> set[int]:
        """The shards whose moves were checked; the checksum says if one changes after that."""
        return set()

    def objective(self, piece: Piece, spec: dict[str, Any] | None = None) -> Objective:
        """The objective on the positions of one shard, which are numbered from 0."""
        spec = self.spec if spec is None else spec
        return _objective(spec, piece.data, rows_only(piece))

    def game(self) -> Game:
        """The whole game in memory."""
        memory.require(
            30 * self.n + 8 * self.m,
            f"reading {self.n:,} positions and {self.m:,} moves",
            "solve the shards with engine='disk' instead",
        )
        pieces = list(self.pieces())
        indptr = np.zeros(self.n + 1, np.int64)
        for piece in pieces:
            size = len(piece.indptr)
            indptr[piece.first + 1 : piece.first + size] = piece.indptr[1:] + indptr[piece.first]
        indices = np.concatenate([np.empty(0, np.int32), *(piece.indices for piece in pieces)])
        owner = None
        if self.owned:
            owner = np.concatenate([np.empty(0, np.int8), *(_owner(piece) for piece in pieces)])
        graph = Graph._of(indptr, indices, owner)
        data = [piece.data for piece in pieces if piece.data is not None]
        joined = np.concatenate(data) if data else np.empty(0, np.int64)
        objective = _objective(self.spec, joined, graph)
        return Game(graph, objective, self.manifest.get("start"))

    # ---------------------------------------------------------------- writing

    @classmethod
    def write(
        cls,
        game: Game,
        path: str | os.PathLike[str],
        *,
        shards: int | None = None,
        format: str = "npz",
    ) -> "Shards":
        """Write a game to a directory or a URL that does not exist yet or is empty."""
        files.check_path(path, "path")
        if not isinstance(game, Game):
            raise InvalidGraphError(f"expected a Game, got {type(game).__name__}")
        if format not in ("npz", "parquet"):
            raise InvalidGraphError(f"format: expected npz or parquet, got {shorten(format)}")
        graph, objective = game
        _check_room(game)
        spec, data = _split(objective, graph)
        size = max(1, graph.n)
        count = shards or max(1, -(-(graph.m + graph.n) // SHARD_MOVES))
        count = min(whole_number(count, "shards", 1, 10**6, InvalidGraphError), size)
        bounds = [graph.n * k // count for k in range(count + 1)]
        entries: list[dict[str, Any]] = []
        with new_folder(path, MANIFEST) as folder:
            for k, (first, stop) in enumerate(itertools.pairwise(bounds)):
                low, high = int(graph.indptr[first]), int(graph.indptr[stop])
                arrays = {
                    "indptr": graph.indptr[first : stop + 1] - low,
                    "indices": graph.indices[low:high],
                }
                if graph.owner is not None:
                    arrays["owner"] = graph.owner[first:stop]
                if data is not None:
                    arrays[_data_name(spec)] = data[first:stop]
                content = _parquet(arrays) if format == "parquet" else save_arrays(arrays, "{}")
                name = f"part-{k:05d}.{format}"
                folder.write(name, content)
                entries.append({
                    "file": name, "positions": stop - first, "moves": high - low,
                    "checksum": zlib.crc32(content),
                })  # fmt: skip
            record = {
                "format": FORMAT, "version": VERSION, "positions": graph.n,
                "owned": graph.owner is not None, "objective": spec, "shards": entries,
            }  # fmt: skip
            if game.start is not None:
                record["start"] = graph.index(game.start)
            folder.write(MANIFEST, (json.dumps(record, indent=1) + "\n").encode())
        return cls(path)


def is_shards(path: Any) -> bool:
    """Whether a path or a URL is the directory of a game in shards."""
    return has_file(path, MANIFEST)


def rows_only(piece: Piece) -> Graph:
    """A graph with the numbers of moves of a shard, which tell its terminals, but no targets."""
    return Graph._of(piece.indptr, np.empty(0, np.int32), piece.owner)


def _owner(piece: Piece) -> Int8Array:
    return np.empty(0, np.int8) if piece.owner is None else piece.owner


# -------------------------------------------------------------------- objectives


def _data_name(spec: dict[str, Any]) -> str:
    return "payoff" if spec["objective"] == "terminal-payoff" else "marked"


def _split(objective: Objective, graph: Graph) -> tuple[dict[str, Any], AnyArray | None]:
    """The objective without its data, and its data by position."""
    if isinstance(objective, StuckPayoff):
        return {"objective": objective.keyword}, None
    if isinstance(objective, EndingSet):
        mask = graph.mask(objective.positions)
        return {"objective": objective.keyword, "player": int(objective.player)}, mask
    if isinstance(objective, TerminalPayoff):
        spec = objective.spec(graph)
        table = objective._table(graph)
        if table.dtype == object or isinstance(spec["infinite"], str):
            raise InvalidObjectiveError(
                "shards hold payoffs that are integers or floats, not fractions; multiply all "
                "payoffs by their common denominator"
            )
        data = np.zeros((graph.n, 2), table.dtype)
        data[graph.terminals] = table
        data = data[:, 0].copy() if (table[:, 0] == table[:, 1]).all() else data
        return {key: spec[key] for key in ("objective", "infinite", "view")}, data
    raise InvalidObjectiveError(
        f"shards hold terminal-payoff games, such as normal, misere or reach, not games of "
        f"{objective.keyword}"
    )


def _objective(spec: dict[str, Any], data: AnyArray | None, graph: Graph) -> Objective:
    """The objective of some positions from its description and its data."""
    keyword = spec["objective"]
    kind: Any = OBJECTIVES[keyword].load()
    if issubclass(kind, StuckPayoff):
        stuck: Objective = kind()
        return stuck
    wanted = _data_name(spec)
    if data is None:
        raise FormatError(f"expected an array {wanted!r}, which the objective {keyword} needs")
    try:
        if issubclass(kind, EndingSet):
            ending: Objective = kind(data.astype(bool), player=spec.get("player", 0))
            return ending
        return TerminalPayoff(data, spec.get("infinite", 0), spec.get("view", "player0"))
    except InvalidObjectiveError as error:
        raise FormatError(str(error)) from None


# -------------------------------------------------------------------- checks


def _check_room(game: Game) -> None:
    """Refuse what shards do not hold."""
    as_graph(game)  # where a tree was cut
    if game.graph.names is not None:
        raise InvalidGraphError("shards do not hold names of positions; --no-names drops them")
    if game.weight is not None:
        raise InvalidGraphError("shards do not hold weights of moves; --no-weights drops them")


def _checked_manifest(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError(f"expected an object with the format {FORMAT!r}")
    if found.get("version") != VERSION:
        raise FormatError(f"expected the version {VERSION}, got {shorten(found.get('version'))}")
    n = whole_number(found.get("positions"), "positions", 0, 2**31 - 1, FormatError)
    if not isinstance(found.get("owned"), bool):
        raise FormatError("owned: expected true or false")
    check_spec(found.get("objective"))
    if not isinstance(found.get("shards"), list):
        raise FormatError("shards: expected a list")
    for k, shard in enumerate(found["shards"]):
        check_entry(shard, k, ("positions", "moves", "checksum"), SUFFIXES)
    if (total := sum(shard["positions"] for shard in found["shards"])) != n:
        raise FormatError(f"expected shards with {n} positions in all, got {total}")
    if found.get("start") is not None:
        whole_number(found["start"], "start", 0, n - 1, FormatError)
    return found


def check_spec(spec: Any) -> None:
    """Refuse what is not an objective without its data."""
    if not isinstance(spec, dict) or not isinstance(spec.get("objective"), str):
        raise FormatError("objective: expected an object with the name of an objective")
    known = [row.name for row in OBJECTIVES if row.payoffs]
    if spec["objective"] not in known:
        raise FormatError(
            f"objective: expected one of {', '.join(known)}, got {shorten(spec['objective'])}"
        )


def check_entry(shard: Any, k: int, numbers: tuple[str, ...], suffixes: tuple[str, ...]) -> None:
    """Refuse what does not describe a shard: the name of a file, and some numbers."""
    at = f"shards, entry {k}"
    if not isinstance(shard, dict) or not isinstance(shard.get("file"), str):
        raise FormatError(f"{at}: expected an object with the name of a file")
    name = shard["file"]
    if Path(name).name != name or "\0" in name or not name.endswith(suffixes):
        raise FormatError(f"{at}: expected a name of a file {' or '.join(suffixes)}")
    for key in numbers:
        whole_number(shard.get(key), f"{at}, {key}", 0, _MOST[key], FormatError)


_MOST = {"positions": 2**31 - 1, "moves": 2**40, "checksum": 2**32 - 1}
"""The largest numbers in the description of a shard."""


def _checked_piece(
    arrays: dict[str, AnyArray], first: int, entry: dict[str, Any], shards: Shards, *, rows: bool
) -> Piece:
    """The content of a shard; its rows of moves are checked if ``rows`` says so."""
    size, moves = int(entry["positions"]), int(entry["moves"])
    known = ("indptr", "indices", "owner", "marked", "payoff", "meta")
    for name in arrays:
        if name not in known:
            raise FormatError(f"unknown array {shorten(name)}; known: {', '.join(known)}")
    indptr = _integers(arrays, "indptr", size + 1).astype(np.int64, copy=False)
    indices = _integers(arrays, "indices", moves)
    if rows:
        _check_rows(indptr, indices, moves, shards.n)
    indices = indices.astype(np.int32, copy=False)
    owner = None
    if shards.owned:
        owner = _integers(arrays, "owner", size).astype(np.int8)
        if size and not 0 <= owner.min() <= owner.max() <= 1:
            raise FormatError("owner: expected 0 or 1 for each position")
    data = arrays.get(_data_name(shards.spec))
    if data is not None and (data.dtype.kind not in "biuf" or data.shape[:1] != (size,)):
        raise FormatError(f"{_data_name(shards.spec)}: expected {size} numbers")
    return Piece(first, indptr, indices, owner, data)


def _check_rows(indptr: Int64Array, indices: AnyArray, moves: int, n: int) -> None:
    """Refuse moves that are no compressed sparse rows of positions 0 … n - 1."""
    if indptr[0] != 0 or indptr[-1] != moves or (indptr[1:] < indptr[:-1]).any():
        raise FormatError(f"indptr: expected offsets that rise from 0 to {moves}")
    if moves and not 0 <= indices.min() <= indices.max() < n:
        raise FormatError(f"indices: expected positions 0 … {n - 1}")
    if not rows_increase(indptr, indices):
        raise FormatError("indices: expected the moves of each position in increasing order")


def _integers(arrays: dict[str, AnyArray], name: str, size: int) -> AnyArray:
    array = arrays.get(name)
    if array is None or array.dtype.kind not in "iu" or array.shape != (size,):
        raise FormatError(f"{name}: expected an array of {size} integers")
    return array


# -------------------------------------------------------------------- Parquet


def _parquet(arrays: dict[str, AnyArray]) -> bytes:
    """The arrays of a shard as a Parquet file with a row for each position."""
    import io

    arrow = optional_module("pyarrow", "parquet")
    parquet = optional_module("pyarrow.parquet", "parquet")
    columns: dict[str, Any] = {
        "successors": arrow.LargeListArray.from_arrays(arrays["indptr"], arrays["indices"])
    }
    for name in ("owner", "marked", "payoff"):
        if name in arrays:
            array = arrays[name]
            pairs = array.ndim == 2
            columns[name] = list(array.tolist()) if pairs else arrow.array(array)
    out = io.BytesIO()
    parquet.write_table(arrow.table(columns), out, compression="zstd", use_dictionary=False)
    return out.getvalue()


def _from_parquet(content: bytes) -> dict[str, AnyArray]:
    """The arrays of a shard from a Parquet file."""
    types = optional_module("pyarrow", "parquet").types
    file = open_parquet(content)
    try:
        for field in file.schema_arrow:
            lists = types.is_list(field.type) or types.is_large_list(field.type)
            kind = field.type.value_type if lists else field.type
            if not types.is_primitive(kind):
                raise FormatError(f"{field.name}: expected numbers, got {field.type}")
        table = read_columns(content, file)
        arrays = {}
        for name in table.column_names:
            column = table.column(name).combine_chunks()
            if name == "successors":
                arrays["indptr"] = np.asarray(column.offsets, np.int64)
                arrays["indices"] = np.asarray(column.values)
            else:
                arrays[name] = np.array(column.to_pylist())
        return arrays
    except ZermeloError:
        raise
    except Exception as error:  # pyarrow has its own errors
        raise FormatError(f"expected a Parquet file of a shard: {one_line(error)}") from None
