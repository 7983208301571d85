"""Preparing on a cluster, as the driver sees it; see :mod:`.preparing_worker`.

The driver reads no moves. It adds up how many lead into each block, divides the positions, and
names the files that the workers write. A checkpoint is the list of the pieces that are done.
"""

import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._runtime.files import is_url
from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.preparing_worker import (
    Chunk,
    Deal,
    Levels,
    PreparingData,
    PreparingRun,
    ShardLocation,
    Sort,
    sees_shards,
)
from zermelo.engines.cluster.stage import Stage
from zermelo.engines.cluster.worker import Outcome, WorkerTask
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import (
    DEALT,
    EXPLORED,
    LARGEST,
    Malformed,
    Seal,
    check_range,
    seal_of,
    whole,
)
from zermelo.engines.moves.prepare import save_manifest
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.moves.shard_source import ShardSource
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import Division, block_bits, divide
from zermelo.engines.partitions.journal import Pace
from zermelo.engines.partitions.messages import DamagedRecord, pack_arrays, unpack_arrays
from zermelo.engines.partitions.terms import Terms
from zermelo.labels import Int64Array

TASKS_PER_THREAD = 4
"""Tasks for each thread of the workers that are submitted together."""

MAX_PIECES = 1 << 20
"""The largest number of pieces in a record."""

COUNTS = "counts"
"""The file of the numbers of moves into each block, at the last checkpoint."""


class Preparation(Stage):
    """Writes the files of all partitions by the workers."""

    def __init__(
        self,
        job: Job,
        source: RulesSource | ShardSource,
        connection: Connection,
        budget: Budget,
        tick: Tick = None,
        snapshot_batches: int | None = None,
    ) -> None:
        if isinstance(source, ShardSource):
            data = PreparingData(shards=shard_location(source, job))
        else:
            data = PreparingData(explored=None if source.whole else job.record(EXPLORED))
        super().__init__(job, connection, PreparingRun, data, source, tick=tick)
        self.source, self.budget, self._pace = source, budget, Pace(snapshot_batches)
        self.manifest: dict[str, Any] = {}

    # ---------------------------------------------------------------- pieces

    def _batches(self, work: dict[int, Any]) -> Iterator[list[tuple[int, Outcome]]]:
        """Perform work for pieces or partitions, as much at a time as the workers can do."""
        size, parts = TASKS_PER_THREAD * self.threads, list(work)
        for at in range(0, len(parts), size):
            batch = parts[at : at + size]
            outcomes = self.perform([WorkerTask(self.info, k, work[k]) for k in batch])
            yield list(zip(batch, outcomes, strict=True))

    def read_terms(self) -> None:
        """Let the workers read the payoffs of all shards, if they have any."""
        source = self.source
        if not isinstance(source, ShardSource) or "terms" in vars(source):
            return
        parts = []
        for batch in self._batches({k: Levels(k) for k in source.shards_with_payoffs}):
            parts += [Terms.from_spec(outcome.result) for _, outcome in batch]
        source.terms = source.joined(parts)
        self.info = self.info._replace(data=PreparingData(shards=shard_location(source, self.job)))
        self.forget()  # workers have made a source without the payoffs for this run

    @property
    def _end(self) -> int:
        """The number of positions, or of shards, which workers read in pieces."""
        source = self.source
        return len(source.shards.files) if isinstance(source, ShardSource) else source.n

    def _pieces(self) -> list[tuple[int, int]]:
        """The pieces that workers read: ranges of positions, or of shards."""
        return [(at, min(at + self._size, self._end)) for at in range(0, self._end, self._size)]

    def _deal(self) -> tuple[tuple[Chunk, ...], Int64Array]:
        """Let the workers write the moves of all pieces; return the files and the counts."""
        n = self.source.n
        bits = block_bits(n)
        blocks = (n + (1 << bits) - 1) >> bits
        chunks, incoming = self._resume(blocks)
        tasks = (Deal(*piece, self._most, bits, blocks) for piece in self._pieces())
        self._tasks = dict(enumerate(tasks))
        left = {k: task for k, task in self._tasks.items() if k not in chunks}
        for batch in self._batches(left):
            for k, outcome in batch:
                chunks[k], counts = outcome.result
                incoming += counts
                self.job.location.know(chunk.file for chunk in chunks[k])
            done = sum(x.positions for dealt in chunks.values() for x in dealt)
            moves = sum(x.moves for dealt in chunks.values() for x in dealt)
            tell(self.tick, done, n, f"prepared: {moves:,} moves")
            if self._pace.due():
                self._checkpoint(chunks, incoming)
        return tuple(x for k in sorted(chunks) for x in chunks[k]), incoming

    def _checkpoint(self, chunks: dict[int, tuple[Chunk, ...]], incoming: Int64Array) -> None:
        """Write which pieces are done."""
        begun = time.monotonic()
        seal = self.job.write(f"{COUNTS}-{len(chunks)}", [pack_arrays(incoming)])
        files = [x.file for dealt in chunks.values() for x in dealt]
        self.job.adopt(files)
        dealt_pieces = {str(k): dealt for k, dealt in chunks.items()}
        record = {"size": self._size, "moves": self._most, "chunks": dealt_pieces, "counts": seal}
        self.job.save(DEALT, record)
        self.job.location.retain("dealt-*", {*files})
        self.job.location.retain(f"{COUNTS}-*", {seal[0]})
        self.homes = self.connection.balance(self.info.run, self.homes)
        self._pace.taken(begun)

    def _resume(self, blocks: int) -> tuple[dict[int, tuple[Chunk, ...]], Int64Array]:
        """The files of pieces that an earlier driver has had written, and the counts of these."""
        record, self._most = self.job.record(DEALT), self.budget.piece
        if record is None:
            self.job.location.retain("dealt-*")
            share = -(-self.source.n // (TASKS_PER_THREAD * self.threads))
            by_shards = isinstance(self.source, ShardSource)
            self._size = (
                1 if by_shards else max(1 + self.source.n // MAX_PIECES, min(self._most, share))
            )
            return {}, np.zeros(blocks, np.int64)
        self.resumed = True
        with self.job.reading(DEALT):
            chunks = self._checked(record)
        seal = seal_of(record["counts"])
        try:
            (stored,) = unpack_arrays(b"".join(self.job.pieces(seal)))
        except (DamagedRecord, ValueError):
            stored = np.empty(0, np.int64)
        if stored.shape != (blocks,) or stored.dtype != np.int64:
            raise self.job.damaged(seal[0], "is damaged")
        with self.job.reading(seal[0]):
            check_range(stored, 0, LARGEST, "counts")
        self.job.location.retain("dealt-*", {x.file for dealt in chunks.values() for x in dealt})
        return chunks, stored.copy()

    def _checked(self, record: dict[str, Any]) -> dict[int, tuple[Chunk, ...]]:
        """The files of a record, if these are about the positions of the game."""
        self._size = whole(record["size"], "size", 1 + self._end // MAX_PIECES)
        self._most = record["moves"]
        by_shards, pieces = isinstance(self.source, ShardSource), self._pieces()
        numbers = {str(k): k for k in range(len(pieces))}
        chunks: dict[int, tuple[Chunk, ...]] = {}
        for name, rows in record["chunks"].items():
            if (k := numbers.get(name)) is None:
                raise Malformed(f"chunks: expected pieces below {len(pieces):,}")
            dealt = tuple(Chunk(*row) for row in rows)
            first = dealt[0].first if by_shards and dealt else pieces[k][0]
            for chunk in dealt:
                whole(chunk.positions, f"chunks, {k}, positions", most=self.source.n - first)
                if (chunk.piece, chunk.first) != (k, first):
                    raise Malformed(f"chunks, {k}: expected the positions from {first:,} on")
                first += chunk.positions
            if first != pieces[k][1] and not by_shards:
                raise Malformed(f"chunks, {k}: expected the positions up to {pieces[k][1]:,}")
            chunks[k] = dealt
        return chunks

    # ---------------------------------------------------------------- partitions

    def run(self, partitions: int | None) -> None:
        """Write the files of all partitions and the manifest."""
        self.read_terms()
        chunks, incoming = self._deal()
        n, terms = self.source.n, self.source.terms
        division = divide(n, incoming, block_bits(n), terms.shift, size=partitions,
                          limit=self.budget.partition, least=self.threads)  # fmt: skip
        parts = self._sort(division, chunks)
        self.manifest = save_manifest(self.job, division, terms, parts)
        self.job.location.erase(DEALT)
        self.job.location.retain("dealt-*")
        self.job.location.retain(f"{COUNTS}-*")

    def _sort(self, division: Division, chunks: tuple[Chunk, ...]) -> list[dict[str, Seal]]:
        """Let the workers sort the moves into all partitions."""
        parts: dict[int, dict[str, Seal]] = {}
        while waiting := [q for q in range(division.size) if q not in parts]:
            lost: set[int] = set()
            for batch in self._batches(dict.fromkeys(waiting, Sort(division.spec(), chunks))):
                for q, outcome in batch:
                    lost |= set(outcome.lost)
                    if outcome.result is not None:
                        parts[q] = outcome.result
                        self.job.adopt(seal[0] for seal in parts[q].values())
                tell(self.tick, len(parts), division.size, "sorted partitions")
                if lost:
                    break
            if lost:
                chunks = self._deal_again(chunks, lost)
        return [parts[q] for q in range(division.size)]

    def _deal_again(self, chunks: tuple[Chunk, ...], lost: set[int]) -> tuple[Chunk, ...]:
        """Let workers write the files of lost pieces once more."""
        kept = [chunk for chunk in chunks if chunk.piece not in lost]
        for k in lost:
            self.count_loss(k)
        for batch in self._batches({k: self._tasks[k] for k in sorted(lost)}):
            for _, outcome in batch:
                kept += outcome.result[0]
        self.job.location.know(chunk.file for chunk in kept)
        return tuple(sorted(kept, key=lambda chunk: chunk.first))


def shard_location(source: ShardSource, job: Job) -> ShardLocation:
    """Where workers find the shards: relative to the shared directory if they are inside it."""
    path, workdir = str(source.shards.path), job.location.parent
    if not is_url(path):
        path = os.path.abspath(path)
        if not is_url(workdir) and os.path.commonpath([path, workdir]) == workdir:
            path = os.path.relpath(path, workdir)
    terms = vars(source).get("terms")
    spec = None if terms is None else terms.spec()
    return ShardLocation(path, source.shards.digest(), source.spec, spec)


def prepared_on_cluster(
    job: Job,
    source: Any,
    connection: Connection,
    budget: Budget,
    partitions: int | None,
    tick: Tick = None,
    snapshot_batches: int | None = None,
) -> Preparation | None:
    """What the workers have prepared; None if the driver has to do it.

    The driver prepares a graph that it has in memory, and shards that some worker does not see.
    """
    if isinstance(source, ShardSource):
        location = shard_location(source, job)
        if not connection.all_agree(sees_shards, location, job.location.parent):
            return None
    elif not isinstance(source, RulesSource):
        return None
    preparation = Preparation(job, source, connection, budget, tick, snapshot_batches)
    try:
        preparation.run(partitions)
    finally:
        preparation.close()
    return preparation
