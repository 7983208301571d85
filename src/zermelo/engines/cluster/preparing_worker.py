"""Preparing on a cluster, as a worker sees it: moves of pieces, then the files of partitions.

The positions are read in pieces: ranges of numbers for a game given by rules, shards for a graph on
disk. A task for a piece *deals* its moves. Each file that it writes has moves in the order of the
blocks that their targets belong to (see :mod:`zermelo.engines.partitions.division`), with a
checksum for every block. So moves are generated once: when all are counted, the positions are
divided at bounds of blocks, and a task for a partition *sorts* the moves into it, which are
together in each file.

A file that is lost or damaged is written again by a task for its piece.
"""

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from zermelo._runtime.files import is_url
from zermelo.engines.cluster.worker import WORKDIR, Outcome, RunInfo, WorkerRun, WorkerTask
from zermelo.engines.jobs.job import Job, pieces_of
from zermelo.engines.jobs.records import Seal
from zermelo.engines.moves.prepare import first_state, write_ends, write_moves
from zermelo.engines.moves.shard_source import ShardSource
from zermelo.engines.moves.source import Rows
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.keyed import Keys
from zermelo.engines.partitions.messages import DamagedRecord, pack_arrays, unpack_arrays
from zermelo.engines.partitions.terms import Terms
from zermelo.errors import StoreError
from zermelo.formats.binary.shards import Shards
from zermelo.labels import AnyArray, Int32Array, Int64Array

MAX_UNCHECKED = 1 << 20
"""Bytes that are read from a file without a look at its size."""


class ShardLocation(NamedTuple):
    """Where the shards of a graph are, and what is solved on it."""

    path: str
    """The directory; relative to the shared directory if it is inside it."""
    digest: str
    spec: dict[str, Any]
    """The objective without its data."""
    terms: dict[str, Any] | None
    """The payoffs of all shards together, if they are known."""

    def here(self, workdir: str) -> Path | str:
        """The directory as this machine sees it."""
        if is_url(self.path):
            return self.path
        return Path(os.environ.get(WORKDIR) or workdir) / self.path


class Chunk(NamedTuple):
    """A file of some moves of a piece."""

    piece: int
    file: str
    first: int
    """The number of the first position."""
    positions: int
    moves: int
    head: int
    """The length of the record of bounds and checksums, with which the file begins."""
    states: int
    """The length of the record of first states, with which it ends."""
    wide: bool
    """Whether targets are keys of 64 bits."""


class Deal(NamedTuple):
    """Write the moves of a piece."""

    first: int
    stop: int
    """Numbers of positions; of shards for a graph."""
    most: int
    """Moves of a file."""
    bits: int
    """The size of the blocks."""
    blocks: int


class Sort(NamedTuple):
    """Write the files of a partition."""

    division: dict[str, Any]
    chunks: tuple[Chunk, ...]


class Levels(NamedTuple):
    """Read the payoffs of a shard."""

    shard: int


class PreparingData(NamedTuple):
    """What the tasks of preparing need."""

    explored: dict[str, Any] | None = None
    """The record of the exploration, for a game given by rules."""
    shards: ShardLocation | None = None


def sees_shards(location: ShardLocation, workdir: str) -> bool:
    """Whether this machine sees the shards of a graph.

    >>> sees_shards(ShardLocation("no-such-directory", "", {}, None), ".")
    False
    """
    try:
        return Shards(location.here(workdir)).digest() == location.digest
    except (OSError, ValueError):
        return False


class PreparingRun(WorkerRun):
    """Reads moves of pieces, and writes the files of partitions."""

    stage = "prepare"

    def __init__(self, info: RunInfo) -> None:
        super().__init__(info)
        explored, shards = info.data
        self.source: Any
        if shards is None:
            self.source = self.rules_source()
            if explored is not None:
                self.source.adopt(self.job, explored)
            return
        self.source = ShardSource(Shards(shards.here(info.workdir)), None, None)
        self.source.spec = shards.spec
        if shards.terms is not None:
            self.source.terms = Terms.from_spec(shards.terms)

    def perform(self, task: WorkerTask) -> Outcome:
        """Do what the task says."""
        source, work = self.source, task.work
        if isinstance(work, Levels):
            return Outcome(result=source.terms_of(work.shard).spec())
        if isinstance(work, Deal):
            incoming = np.zeros(work.blocks, np.int32)
            chunks = tuple(_deal(self.job, source, task.partition, work, rows, incoming)
                           for rows in _rows(source, work))  # fmt: skip
            return Outcome(result=(chunks, incoming))
        lost: list[int] = []
        files = _sort(self.job, source, task.partition, work, lost)
        return Outcome(result=files, lost=tuple(lost))


def _rows(source: Any, task: Deal) -> Iterator[Rows]:
    if isinstance(source, ShardSource):
        for k in range(task.first, task.stop):
            yield from source.rows_of(k, task.most)
    else:
        yield from source.rows_between(task.first, task.stop, task.most)


# ---------------------------------------------------------------- moves of a piece


def _deal(job: Job, source: Any, piece: int, task: Deal, rows: Rows, incoming: Int32Array) -> Chunk:
    """Write moves in the order of the blocks of their targets, and the first states."""
    indptr, targets = rows.moves.indptr, rows.moves.indices
    positions = len(indptr) - 1
    keys: Keys | None = source.keys
    blocks = targets >> task.bits if keys is None else keys.blocks(targets, task.bits)
    # There are at most 2**14 blocks, so sorting takes linear time.
    order = np.argsort(blocks.astype(np.int16), kind="stable")
    sources = np.arange(rows.first, rows.first + positions, dtype=np.int32)
    sources = np.repeat(sources, np.diff(indptr))[order]
    targets = targets[order]
    count = np.bincount(blocks, minlength=task.blocks)
    incoming += count.astype(np.int32)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(count)])
    head = pack_arrays(bounds, _checksums(bounds, targets, sources))
    states = pack_arrays(*first_state(rows, source.terms))
    name = f"dealt-{piece}-{uuid4().hex[:12]}"
    pieces = (head, *pieces_of(targets), *pieces_of(sources), states)
    job.write(name, pieces, targets.nbytes + sources.nbytes)
    size = positions, targets.size, len(head), len(states)
    return Chunk(piece, name, rows.first, *size, wide=keys is not None)


def _checksums(bounds: Int64Array, targets: AnyArray, sources: Int32Array) -> AnyArray:
    """The checksum of the moves into each block."""
    result = np.zeros(bounds.size - 1, np.uint32)
    for b in np.flatnonzero(np.diff(bounds)).tolist():
        part = slice(int(bounds[b]), int(bounds[b + 1]))
        result[b] = zlib.crc32(sources[part].data, zlib.crc32(targets[part].data))
    return result


# ---------------------------------------------------------------- files of a partition


def _sort(job: Job, source: Any, q: int, task: Sort, lost: list[int]) -> dict[str, Seal] | None:
    """Write the files of a partition; None if some of the moves are lost."""
    division, terms = Division.from_spec(task.division), source.terms
    low, high = division.first[q : q + 2]
    own = None if source.keys is None else source.keys.array[low:high]
    targets, sources = [], []
    status = np.empty(division.count(q) << terms.shift, np.int32)
    level = np.empty(status.size, terms.code_type)
    for chunk in task.chunks:
        start, stop = max(low, chunk.first), min(high, chunk.first + chunk.positions)
        try:
            with job.open(chunk.file) as file:
                target, origin = _stretch(file, chunk, division, q)
                if start < stop:
                    offset = chunk.head + chunk.moves * (12 if chunk.wide else 8)
                    states = unpack_arrays(_read(file, offset, chunk.states))
                    there = slice((start - low) << terms.shift, (stop - low) << terms.shift)
                    begin = (start - chunk.first) << terms.shift
                    here = slice(begin, begin + there.stop - there.start)
                    status[there], level[there] = (array[here] for array in states)
        except StoreError:
            raise
        except (OSError, DamagedRecord):
            lost.append(chunk.piece)
            continue
        number = target - low if own is None else source.keys.places(own, target)
        targets.append(number.astype(np.int32, copy=False))
        sources.append(origin)
    if lost:
        return None
    label = f"{q}-{uuid4().hex[:12]}"
    size = division.count(q), sum(target.size for target in targets)
    pairs = zip(targets, sources, strict=True)
    return {
        **write_moves(job, label, size, targets, pairs),
        **write_ends(job, terms, label, status, level),
        "status": job.write(f"start-{label}.status", [status]),
        "level": job.write(f"start-{label}.level", [level]),
    }


def _stretch(file: Any, chunk: Chunk, division: Division, q: int) -> tuple[AnyArray, Int32Array]:
    """The moves of a file into a partition: targets and sources."""
    bounds, checks = unpack_arrays(_read(file, 0, chunk.head))
    size = 1 << division.bits
    low, high = ((x + size - 1) // size for x in division.first[q : q + 2])
    low, high = min(low, checks.size), min(high, checks.size)
    first, stop = int(bounds[low]), int(bounds[high])
    dtype = np.dtype(np.int64 if chunk.wide else np.int32)
    width = dtype.itemsize
    parts = []
    for offset, kind in ((chunk.head, dtype), (chunk.head + width * chunk.moves, np.int32)):
        each = np.dtype(kind).itemsize
        content = _read(file, offset + each * first, each * (stop - first))
        parts.append(np.frombuffer(content, kind))
    targets, sources = parts
    inner = bounds[low : high + 1] - first
    if (_checksums(inner, targets, sources) != checks[low:high]).any():
        raise DamagedRecord("a checksum is wrong")
    return targets, sources


def _read(file: Any, offset: int, size: int) -> bytes:
    """A part of a file; its length comes from a record, so a long one is compared with the file.

    >>> from io import BytesIO
    >>> _read(BytesIO(b"abcdef"), 2, 3)
    b'cde'
    """
    # The size of a file at a URL is a request of its own, so short parts are just read.
    if size > MAX_UNCHECKED and offset + size > file.seek(0, os.SEEK_END):
        raise DamagedRecord("the file is too short")
    file.seek(offset)
    content: bytes = file.read(size)
    if len(content) != size:
        raise DamagedRecord("the file is too short")
    return content
