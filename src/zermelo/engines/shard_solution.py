"""Solutions larger than memory: solve a game in shards, and write its solution in shards.

A best move is the first that leads to the same value at distance one less. So the values and the
distances of all targets of moves are needed, and they may not fit into memory. The moves are read
once for each window of targets that fits; the first window that has a best move decides.
"""

import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo._kernels.terminal.partitioned import window_moves
from zermelo._kernels.terminal.retrograde import read_labels
from zermelo._runtime.files import check_path, is_url
from zermelo._runtime.folders import Folder, LocalFolder, new_folder, open_folder
from zermelo._runtime.progress import Progress, reporting
from zermelo._runtime.urls import parent_of
from zermelo.engines.cluster.solve import ClusterEngine
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.engines.moves.shard_source import ShardSource, check_sizes
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.program import run
from zermelo.engines.partitions.solve import DiskEngine
from zermelo.engines.partitions.terms import Terms
from zermelo.errors import FormatError, InvalidOptionError
from zermelo.formats.binary.npz import load_arrays, save_arrays
from zermelo.formats.binary.shards import MANIFEST, Shards, check_entry, check_spec, rows_only
from zermelo.labels import AnyArray
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout
from zermelo.verify.shards import Rows, check_shards

FORMAT, VERSION = "zermelo-solution-shards", 1
ARRAYS = ("level", "label", "distance", "move")


@dataclass(frozen=True)
class ShardedSolution:
    """A solution in a directory: ``level``, ``label``, ``distance`` and ``move`` of all positions.

    The directory may be at a URL. There is one shard for each shard of the game. Arrays are as in a
    solution in memory.
    """

    path: str | os.PathLike[str]

    def __post_init__(self) -> None:
        """Read the manifest, so that a directory without one is refused here."""
        check_path(self.path, "path")
        _ = self.manifest

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The content of ``manifest.json``: the game, the payoffs, the counts and the shards."""
        path = self._folder.at(MANIFEST)
        try:
            found: Any = json.loads(self._folder.read(MANIFEST))
        except (ValueError, RecursionError):
            found = None
        try:
            return _checked_manifest(found)
        except FormatError as error:
            raise error.at(str(path)) from None

    @cached_property
    def _folder(self) -> Folder:
        return open_folder(self.path)

    @property
    def counts(self) -> dict[str, int]:
        """How many situations are won, drawn and lost for the player to move."""
        return dict(self.manifest["counts"])

    def pieces(self) -> Iterator[dict[str, AnyArray]]:
        """The arrays of each shard, in the order of the positions."""
        for k in range(len(self.manifest["shards"])):
            yield self.piece(k)

    def piece(self, k: int) -> dict[str, AnyArray]:
        """The arrays of one shard."""
        shard = self.manifest["shards"][k]
        path = self._folder.at(shard["file"])
        content = self._folder.read(shard["file"])
        try:
            if zlib.crc32(content) != shard["checksum"]:
                raise FormatError("the shard is not the one that the manifest describes")
            arrays = load_arrays(content)
            for name in ARRAYS:
                if name not in arrays:
                    raise FormatError(f"expected an array {name!r}")
                array = arrays[name]
                if array.dtype.kind != "i" or array.shape[:1] != (shard["positions"],):
                    raise FormatError(
                        f"{name}: expected integers for {shard['positions']:,} positions, got "
                        f"{array.dtype} of shape {array.shape}"
                    )
        except FormatError as error:
            raise error.at(str(path)) from None
        return {name: arrays[name] for name in ARRAYS}

    def array(self, name: str) -> AnyArray:
        """One of the arrays for all positions; it must fit into memory."""
        if name not in ARRAYS:
            raise InvalidOptionError(f"expected one of {', '.join(ARRAYS)}, got {name!r}")
        return np.concatenate([piece[name] for piece in self.pieces()])

    def verify(
        self,
        game: Shards | str | os.PathLike[str],
        *,
        memory: int | str | Budget | None = None,
        progress: Progress = None,
    ) -> None:
        """Check everything against the game in shards, piece by piece, with code of its own.

        A wrong entry raises :class:`~zermelo.errors.CertificateError`; a solution of another game
        is refused as a :class:`~zermelo.errors.FormatError`. ``memory`` is a budget as for
        :func:`solve_shards`. The less memory there is, the more often the files are read.

        >>> import tempfile
        >>> from zermelo import Game, Graph
        >>> game = Game(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     shards = Shards.write(game, f"{folder}/game", shards=2)
        ...     solve_shards(shards, f"{folder}/solved").verify(shards, memory="1GB")
        """
        shards = game if isinstance(game, Shards) else Shards(game)
        if self.manifest["game"] != shards.digest():
            raise FormatError(
                f"the solution is of another game than {shards.path}", path=str(self.path)
            )
        budget = Budget.of(memory)
        check_sizes(shards, budget)
        with reporting(progress, "verify") as tick:
            check_shards(_Claim(shards, self), budget.usable // 2, tick)


def _checked_manifest(found: Any) -> dict[str, Any]:
    """The manifest of a solution, if it has what the rest reads."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError(f"expected an object with the format {FORMAT!r}")
    if found.get("version") != VERSION:
        raise FormatError(f"expected the version {VERSION}, got {shown(found.get('version'))}")
    for name in ("terms", "counts"):
        if not isinstance(found.get(name), dict):
            raise FormatError(f"{name}: expected an object")
    if not isinstance(found.get("game"), str):
        raise FormatError(f"game: expected the digest of a game, got {shown(found.get('game'))}")
    check_spec(found.get("objective"))
    if not isinstance(found.get("shards"), list):
        raise FormatError("shards: expected a list")
    for k, shard in enumerate(found["shards"]):
        check_entry(shard, k, ("positions", "checksum"), (".npz",))
    return found


class _Claim:
    """A game in shards and a solution of it, as :func:`~zermelo.verify.shards.check_shards` reads
    them."""

    def __init__(self, shards: Shards, solution: ShardedSolution) -> None:
        self.shards, self.solution = shards, solution
        self.n, self.size = shards.n, len(shards.files)
        manifest = solution.manifest
        self.terms, self.counts = manifest["terms"], manifest["counts"]
        if len(manifest["shards"]) != self.size:
            raise FormatError(
                f"expected {self.size:,} shards, as the game has, got {len(manifest['shards']):,}",
                path=str(solution.path),
            )

    def rows(self, k: int) -> Rows:
        """The moves of a shard, and the objective that the solution is for."""
        piece = self.shards.piece(k)
        objective = self.shards.objective(piece, self.solution.manifest["objective"])
        return Rows(piece.first, rows_only(piece), piece.indices, objective)

    def claim(self, k: int) -> dict[str, AnyArray]:
        """The arrays of a shard."""
        return self.solution.piece(k)


def solve_shards(
    shards: Shards | str | os.PathLike[str],
    output: str | os.PathLike[str],
    objective: Objective | None = None,
    *,
    memory: int | str | Budget | None = None,
    partitions: int | None = None,
    workdir: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    engine: str = "disk",
    scheduler: Any = None,
) -> ShardedSolution:
    """Solve a game in shards from disk, and write its solution to a new directory.

    The game and the output may be at URLs, such as ``s3://bucket/game``.
    ``objective`` replaces that of the game; only objectives without data, such as normal play, can
    do that. The files of the job are in ``workdir``, by default beside the output, or for an output
    at a URL and the engine ``disk`` with the temporary files of this machine. The same call goes on
    after an interruption. With ``engine="dask"`` the workers of a cluster solve it, as in
    :func:`zermelo.solve`; best moves are chosen by this process.

    >>> import tempfile
    >>> from zermelo import Game, Graph
    >>> game = Game(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = Shards.write(game, f"{folder}/game", shards=2)
    ...     solution = solve_shards(shards, f"{folder}/solved", partitions=2)
    ...     print(solution.counts, solution.array("move").tolist())
    {'win': 2, 'draw': 0, 'lose': 2} [1, 2, 3, -1]
    """
    check_path(output, "output")
    if objective is not None and not isinstance(objective, Objective):
        raise InvalidOptionError(f"objective: expected one or None, got {shown(objective)}")
    if engine not in ("disk", "dask"):
        raise InvalidOptionError(f"engine: expected 'disk' or 'dask', got {shown(engine)}")
    if scheduler is not None and engine != "dask":
        raise InvalidOptionError("scheduler: only the engine 'dask' takes this option")
    shards = shards if isinstance(shards, Shards) else Shards(shards)
    settings: dict[str, Any] = {"memory": memory, "partitions": partitions, "workdir": workdir}
    if workdir is None:
        settings["workdir"] = _beside(output, engine == "dask")
    runner = DiskEngine(**settings)
    if engine == "dask":
        runner = ClusterEngine(scheduler=scheduler, **settings)
    source = ShardSource(shards, runner.budget, objective)
    with (
        reporting(progress, "solve") as runner.tick,
        new_folder(output, MANIFEST) as folder,
        runner.open_job(source) as job,
    ):
        with runner.connected(), runner.executing(job, source) as executor:
            run(source.terms, executor)
            executor.finish()
            _write_results(job, executor)
        del executor
        _write_moves(job, source, runner.budget, runner.tick)
        with job.writing(folder.path if isinstance(folder, LocalFolder) else job.directory):
            _write_shards(job, source, folder)
    return ShardedSolution(output)


def _beside(output: str | os.PathLike[str], shared: bool) -> str | Path | None:
    """The directory for the files of the job: that of the output, if all workers see it."""
    if not is_url(output):
        return Path(os.path.abspath(output)).parent
    return parent_of(str(output)) if shared else None


def _write_results(job: Job, executor: Prepared) -> None:
    """Write the values, the distances, and a first state of the moves of all situations."""
    files = {name: job.path(f"result.{name}") for name in ("level", "distance", "move")}
    for path in files.values():
        path.write_bytes(b"")
    for q in range(executor.division.size):
        level, distance = executor.result(q)
        move = np.full(level.size, -1, np.int32)
        move[executor.ends(q)] = -2
        for name, array in (("level", level), ("distance", distance), ("move", move)):
            with job.writing(files[name]), files[name].open("ab") as file:
                file.write(array.data)


def _read(job: Job, name: str, terms: Terms, first: int, stop: int) -> AnyArray:
    """A part of a result, by positions."""
    dtype = terms.code_type if name == "level" else np.dtype(np.int32)
    low, high = first << terms.shift, stop << terms.shift
    path = job.path(f"result.{name}")
    return np.fromfile(path, dtype, high - low, offset=low * dtype.itemsize)


def _write_moves(job: Job, source: ShardSource, budget: Budget, tick: Tick) -> None:
    """Find a best move of every situation, window by window of targets."""
    terms = source.terms
    mirror = len(terms.levels) - 1 if terms.layout is Layout.SYMMETRIC else 0
    size = max(1, budget.window // ((4 + terms.code_type.itemsize) << terms.shift))
    for low in range(0, source.n, size):
        high = min(low + size, source.n)
        far = [_read(job, name, terms, low, high) for name in ("level", "distance")]
        window = np.array([low, high, terms.shift, mirror], np.int64)
        path = job.path("result.move")
        with job.writing(path), path.open("r+b") as file:
            for rows in source.rows(budget.piece):
                first, stop = rows.first, rows.first + len(rows.moves.indptr) - 1
                level, distance, move = (
                    _read(job, name, terms, first, stop) for name in ("level", "distance", "move")
                )
                window_moves(rows.moves, level, distance, far[0], far[1], window, move)
                file.seek(4 * first << terms.shift)
                file.write(move.data)
                file.flush()
                tell(tick, stop, source.n, "moves chosen")


def _write_shards(job: Job, source: ShardSource, folder: Folder) -> None:
    """Write a shard of the solution for each shard of the game, and the manifest."""
    terms = source.terms
    sign = np.array([(x > 0) - (x < 0) for x in terms.levels], np.int8)
    counts, entries = np.zeros(3, np.int64), []
    stop = 0
    for k, shard in enumerate(source.shards.manifest["shards"]):
        first, stop = stop, stop + int(shard["positions"])
        level, distance, move = (
            _read(job, name, terms, first, stop) for name in ("level", "distance", "move")
        )
        move[move == -2] = -1
        label = np.empty(level.size, np.int8)
        owner = source.shards.piece(k).owner if source.shards.owned else None
        owner = np.empty(0, np.int8) if owner is None else owner
        read_labels(level, sign, owner, terms.shift, label)
        counts += np.bincount(label + 1, minlength=3)
        shape = (-1, 2) if terms.shift else (-1,)
        arrays = {"level": level, "label": label, "distance": distance, "move": move}
        arrays = {name: array.reshape(shape) for name, array in arrays.items()}
        content = save_arrays(arrays, "{}")
        name = f"{Path(shard['file']).stem}.npz"
        folder.write(name, content)
        entries.append({"file": name, "positions": stop - first, "checksum": zlib.crc32(content)})
    lose, draw, win = counts.tolist()
    record = {
        "format": FORMAT,
        "version": VERSION,
        "game": source.shards.digest(),
        "objective": source.spec,
        "terms": terms.spec(),
        "positions": source.n,
        "counts": {"win": win, "draw": draw, "lose": lose},
        "shards": entries,
    }
    folder.write(MANIFEST, (json.dumps(record, indent=1) + "\n").encode())
