"""The files of all partitions, from moves that are read in order and never held at once.

The moves are read twice. The first time they are counted, and the positions are divided. The second
time every move is appended to a file of the partition of its target, and the first state of each
partition is written. Then each partition sorts its own moves by target.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from zermelo._kernels.graphs.reverse import count_blocks
from zermelo._kernels.terminal.partitioned import count_homes, count_rows, deal_homes, fill_rows
from zermelo._kernels.terminal.retrograde import start_status
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job, Writer
from zermelo.engines.jobs.records import (
    JOURNAL,
    LARGEST,
    MANIFEST,
    Malformed,
    Seal,
    seal_of,
    sized,
    text_of,
)
from zermelo.engines.moves.source import Rows, Source
from zermelo.engines.partitions.division import MAX_PARTITIONS, Division, block_bits, divide
from zermelo.engines.partitions.keyed import append
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import FILES as BELOW
from zermelo.engines.tiers.below import Gathering
from zermelo.labels import AnyArray, Int32Array
from zermelo.objectives.terminal_form import Layout

ABSENT = (1 << 30) - 1
"""The distance of what is no position; it is settled, and no wave comes so far."""


def read_division(
    source: Source, size: int | None, limit: int, most: int, tick: Tick = None, least: int = 1
) -> Division:
    """Count the moves into all blocks, and divide the positions into partitions."""
    bits = block_bits(source.n)
    incoming = np.zeros((source.n + (1 << bits) - 1) >> bits, np.int64)
    for rows in source.rows(most) if source.unmoves is None else ():
        indices = rows.moves.indices
        if source.keys is None:
            count_blocks(indices, 0, len(indices), bits, incoming, 0)
        else:
            incoming += np.bincount(source.keys.blocks(indices, bits), minlength=incoming.size)
        _tell_rows(tick, rows, source.n, "counted")
    return divide(source.n, incoming, bits, source.terms.shift, size=size, limit=limit, least=least)


def prepare(
    job: Job, source: Source, division: Division, most: int, tick: Tick = None
) -> dict[str, Any]:
    """Write the files of all partitions and the manifest that names them; return the manifest."""
    states = _States(job, source.terms, division)
    sizes = np.zeros(division.size, np.int64)
    lookup = source.lookup
    below = None if lookup is None else Gathering(job, source.terms, division, lookup)
    for rows in source.rows(most):
        if source.keys is None:
            sizes += _deal(job, division, rows)
        else:
            sizes += source.keys.deal(job, division, rows)
        states.add(rows)
        if below is not None:
            below.add(rows)
        _tell_rows(tick, rows, source.n, "distributed")
    states.close()
    while below is not None and below.lookup.turn():
        for rows in source.rows(most):
            below.add(rows)
            _tell_rows(tick, rows, source.n, "looked up")
    parts = []
    for q in range(division.size):
        files = {**states.seals[q], **_ends(job, source.terms, q, states.seals[q])}
        if source.keys is not None:
            source.keys.number(job, division, q, most)
        if source.unmoves is None:
            files |= _sort(job, division, q, int(sizes[q]), most)
        if below is not None:
            files |= below.close(q, most)
        parts.append(files)
        tell(tick, q + 1, division.size, "sorted partitions")
    return save_manifest(job, division, source.terms, parts)


def save_manifest(
    job: Job, division: Division, terms: Terms, parts: list[dict[str, Seal]]
) -> dict[str, Any]:
    """Write the manifest, which names the files of all partitions; return it."""
    if job.location.contents(JOURNAL):
        job.location.erase(JOURNAL)  # it belongs to an earlier manifest, which was removed
    record = {"division": division.spec(), "terms": terms.spec(), "parts": parts}
    job.save(MANIFEST, record)
    return record


def check_manifest(record: dict[str, Any], source: Source) -> None:
    """Refuse a manifest that does not fit the game, or whose files do not fit each other."""
    terms, division = source.terms, Division.from_spec(record["division"])
    if text_of(record["terms"]) != text_of(terms.spec()):
        raise Malformed("terms: expected the payoffs of the game, got others")
    first = np.array(division.first, np.int64)
    bounds = (first % (1 << block_bits(source.n)) == 0) | (first == source.n)
    if not (1 <= division.size <= MAX_PARTITIONS and first[0] == 0 and first[-1] == source.n
            and division.bits == block_bits(source.n) and bounds.all()
            and (first[1:] >= first[:-1]).all()):  # fmt: skip
        raise Malformed(f"division: expected bounds of blocks that rise from 0 to {source.n:,}")
    if len(record["parts"]) != division.size:
        raise Malformed(f"parts: expected {division.size:,}, got {len(record['parts']):,}")
    for q, files in enumerate(record["parts"]):
        _check_files(files, f"parts, {q}", division.count(q), source)


def _check_files(files: dict[str, Any], where: str, positions: int, source: Source) -> None:
    """Refuse files of a partition whose sizes do not fit its positions."""
    size = positions << source.terms.shift
    told = "below.number" in files and source.lookup is not None
    wanted = {"status", "level", "ends", "phases"}
    wanted |= {"indptr", "indices"} if source.unmoves is None else set()
    wanted |= {f"below.{key}" for key in BELOW} if told else set()
    if files.keys() != wanted:
        raise Malformed(f"{where}: expected the files {', '.join(sorted(wanted))}")

    def entries(key: str, width: int, most: int) -> int:
        """How many entries of ``width`` bytes a file has, which must be at most ``most``."""
        count, rest = divmod(int(files[key][1]), width)
        if rest or count > most:
            raise Malformed(f"{where}, {key}: expected at most {most:,} entries")
        return count

    ends = entries("ends", 4, size)
    sizes = {
        "status": 4 * size, "level": source.terms.code_type.itemsize * size, "phases": 4 * ends
    }  # fmt: skip
    if source.unmoves is None:
        sizes["indptr"] = 8 * (positions + 1)
        entries("indices", 4, LARGEST)
    if told:
        sizes["below.counts"] = entries("below.number", 4, LARGEST)
        sizes["below.bounds"] = 8 * (entries("below.layers", 4, LARGEST) + 1)
    for key, expected in sizes.items():
        sized(files[key], f"{where}, {key}", expected)


def part_files(record: dict[str, Any], q: int) -> dict[str, Seal]:
    """The files of one partition, from the manifest."""
    return {key: seal_of(stored) for key, stored in record["parts"][q].items()}


def moves_in(files: dict[str, Seal]) -> int:
    """The number of reverse moves in the files of a partition; 0 if they are generated."""
    return files["indices"][1] // 4 if "indices" in files else 0


def _tell_rows(tick: Tick, rows: Rows, n: int, stage: str) -> None:
    tell(tick, rows.first + len(rows.moves.indptr) - 1, n, stage)


class _States:
    """The first states of all partitions, which are written from the first to the last."""

    def __init__(self, job: Job, terms: Terms, division: Division) -> None:
        self.job, self.terms, self.division = job, terms, division
        self.seals: list[dict[str, Seal]] = []
        self._files: list[Writer] = []

    def add(self, rows: Rows) -> None:
        """Append the states of some positions."""
        status, level = first_state(rows, self.terms)
        at, stop = rows.first, rows.first + len(rows.moves.indptr) - 1
        while at < stop:
            while self._missing(at):
                self._turn()
            end = min(stop, self.division.first[len(self.seals) + 1])
            stretch = slice((at - rows.first) << self.terms.shift,
                            (end - rows.first) << self.terms.shift)  # fmt: skip
            for file, array in zip(self._files, (status, level), strict=True):
                file.add(array[stretch])
            at = end

    def _missing(self, position: int) -> bool:
        """Whether the next partition has to be begun before a position can be written."""
        return not self._files or position >= self.division.first[len(self.seals) + 1]

    def _turn(self) -> None:
        """End a partition if there is one, and begin the next."""
        if self._files:
            status, level = (file.close() for file in self._files)
            self.seals.append({"status": status, "level": level})
        q = len(self.seals)
        self._files = []
        if q < self.division.size:
            self._files = [Writer(self.job, f"start-{q}.{key}") for key in ("status", "level")]

    def close(self) -> None:
        """End the last partitions, some of which may have no positions."""
        while len(self.seals) < self.division.size:
            self._turn()


def first_state(rows: Rows, terms: Terms) -> tuple[Int32Array, AnyArray]:
    """The status and the value of the situations of some positions before anything is settled."""
    size = (len(rows.moves.indptr) - 1) << terms.shift
    status = np.empty(size, np.int32)
    degrees = rows.moves.indptr if rows.degrees is None else rows.degrees
    start_status(degrees, rows.owner, terms.shift, status)
    if rows.absent is not None:
        status[rows.absent] = ~(ABSENT << 1)
    bad = rows.codes < terms.infinite
    if terms.layout is Layout.SYMMETRIC:
        bad = ~bad  # here f means "good for the player to move", not "forced by player 0"
    status[rows.ends] = ~bad.astype(np.int32)
    level = np.full(size, terms.infinite, terms.code_type)
    level[rows.ends] = rows.codes
    return status, level


def _deal(job: Job, division: Division, rows: Rows) -> AnyArray:
    """Append moves to the files of the partitions of their targets; return how many each got."""
    indices = rows.moves.indices
    count = np.zeros(division.size, np.int64)
    count_homes(indices, 0, len(indices), division.home, division.bits, count)
    stop = np.cumsum(count)
    place = stop - count
    target, source = np.empty(len(indices), np.int32), np.empty(len(indices), np.int32)
    deal_homes(rows.moves, rows.first, division.places(0), place, target, source)
    for q in np.flatnonzero(count).tolist():
        stretch = slice(int(stop[q] - count[q]), int(stop[q]))
        append(job, f"bucket-{q}.target", target[stretch])
        append(job, f"bucket-{q}.source", source[stretch])
    return count


def _sort(job: Job, division: Division, q: int, m: int, most: int) -> dict[str, Seal]:
    """Sort the moves of a partition by target."""
    pairs = zip(_bucket(job, q, "target", most), _bucket(job, q, "source", most), strict=True)
    size = division.count(q), m
    moves = write_moves(job, str(q), size, _bucket(job, q, "target", most), pairs)
    for key in ("target", "source"):
        with contextlib.suppress(FileNotFoundError):
            job.path(f"bucket-{q}.{key}").unlink()
    return moves


def _ends(job: Job, terms: Terms, q: int, state: dict[str, Seal]) -> dict[str, Seal]:
    """Sort the ends of play of a partition by phase."""
    status = np.fromfile(job.path(state["status"][0]), np.int32)
    level = np.fromfile(job.path(state["level"][0]), terms.code_type)
    return write_ends(job, terms, str(q), status, level)


def write_moves(
    job: Job,
    label: str,
    size: tuple[int, int],
    targets: Iterable[Int32Array],
    pairs: Iterable[tuple[Int32Array, Int32Array]],
) -> dict[str, Seal]:
    """Sort moves into a partition by target, and write them to files with ``label`` in their names.

    ``size`` are the numbers of positions and moves of the partition. ``targets``, numbers within
    the partition, are read before the ``pairs`` of targets and sources.
    """
    n, m = size
    rev_indptr = np.zeros(n + 1, np.int64)
    for target in targets:
        count_rows(target, rev_indptr)
    np.cumsum(rev_indptr, out=rev_indptr)
    indptr = job.write(f"moves-{label}.indptr", [rev_indptr], 8 * n)
    rev_indices = np.empty(m, np.int32)
    for target, source in pairs:
        fill_rows(target, source, rev_indptr, rev_indices)
    del rev_indptr
    return {"indptr": indptr, "indices": job.write(f"moves-{label}.indices", [rev_indices], 4 * m)}


def write_ends(
    job: Job, terms: Terms, label: str, status: Int32Array, level: AnyArray
) -> dict[str, Seal]:
    """Write the ends of play of a partition, sorted by phase, from its first state."""
    ends = np.flatnonzero((status < 0) & (status != ~(ABSENT << 1))).astype(np.int32)
    phases = terms.phase_of(level[ends].astype(np.int32)).astype(np.int32)
    order = np.argsort(phases, kind="stable")
    return {
        "ends": job.write(f"ends-{label}.situations", [ends[order]]),
        "phases": job.write(f"ends-{label}.phases", [phases[order]]),
    }


def _bucket(job: Job, q: int, key: str, most: int) -> Iterator[Int32Array]:
    """The moves into a partition, in pieces."""
    try:
        with job.path(f"bucket-{q}.{key}").open("rb") as file:
            while len(piece := np.fromfile(file, np.int32, most)):
                yield piece
    except FileNotFoundError:
        return
