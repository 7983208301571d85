"""The last snapshot of a job, when the next one is due, and the phases of its ends of play."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from zermelo._kernels.terminal.retrograde import read_distances
from zermelo.engines.moves.prepare import ABSENT
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.job import Job
from zermelo.engines.partitions.program import Moment
from zermelo.engines.partitions.records import JOURNAL, Malformed, Seal, check_range, sized, whole
from zermelo.engines.partitions.terms import Terms
from zermelo.labels import Int32Array

SNAPSHOT_SECONDS = 60.0
"""Time between two snapshots."""

SNAPSHOT_SHARE = 10
"""Snapshots take at most about one part of so many of the time."""


@dataclass
class Journal:
    """Which files have the states of the last snapshot."""

    serial: int = 0
    moment: Moment | None = None
    states: dict[int, dict[str, Seal]] = field(default_factory=dict)
    """The files of the partitions; those that are not here have their first state."""

    @classmethod
    def read(cls, job: Job, division: Division, terms: Terms) -> "Journal":
        """The journal of a job; an empty one if there was no snapshot."""
        record = job.record(JOURNAL)
        if record is None:
            return cls()
        states = {}
        with job.reading(JOURNAL):
            phase = whole(record["phase"], "phase", most=len(terms.phases))
            moment = Moment(phase, whole(record["depth"], "depth", most=ABSENT - 2))
            serial = whole(record["serial"], "serial")
            numbers = {str(q): q for q in range(division.size)}
            for name, files in record["states"].items():
                if (q := numbers.get(name)) is None:
                    raise Malformed(f"states: expected partitions below {division.size:,}")
                size, width = division.count(q) << terms.shift, terms.code_type.itemsize
                sizes = {"status": 4 * size, "level": width * size}
                states[q] = {key: sized(files[key], f"states, {q}, {key}", sizes[key])
                             for key in sizes}  # fmt: skip
        return cls(serial, moment, states)

    def save(self, job: Job) -> None:
        """Write the journal, and remove the states of older snapshots."""
        assert self.moment is not None
        record = {
            "serial": self.serial,
            "phase": self.moment.phase,
            "depth": self.moment.depth,
            "states": {str(q): files for q, files in self.states.items()},
        }
        job.save(JOURNAL, record)
        kept = {seal[0] for files in self.states.values() for seal in files.values()}
        job.place.retain("state-*", kept)


class Pace:
    """When the next snapshot is due: after a time, or after ``layers`` layers."""

    def __init__(self, layers: int | None) -> None:
        self._every, self._layers = layers, 0
        self._last, self._pause = time.monotonic(), SNAPSHOT_SECONDS

    def due(self) -> bool:
        """Whether to take a snapshot; called at the end of each layer."""
        self._layers += 1
        if self._every is not None:
            return self._layers % self._every == 0
        return time.monotonic() - self._last > self._pause

    def taken(self, begun: float) -> None:
        """A snapshot was taken, from ``begun`` until now."""
        self._last = time.monotonic()
        self._pause = max(SNAPSHOT_SECONDS, SNAPSHOT_SHARE * (self._last - begun))


def phase_starts(
    job: Job, parts: Sequence[dict[str, Seal]], last: int, *, trusted: bool
) -> dict[int, dict[int, tuple[int, int]]]:
    """For each phase and partition, which part of the list of ends belongs to the phase.

    ``last`` is the number of the last phase. The files are checked unless they are ``trusted``.
    """
    starts: dict[int, dict[int, tuple[int, int]]] = {}
    for q, files in enumerate(parts):
        given = np.frombuffer(b"".join(job.pieces(files["phases"])), np.int32)
        if not trusted:
            job.check(files["ends"])
            with job.reading(files["phases"][0]):
                check_range(given, 0, last + 1, "phases", rising=True)
            with job.reading(files["ends"][0]):
                ends = np.fromfile(job.path(files["ends"][0]), np.int32)
                check_range(ends, 0, files["status"][1] // 4, "ends")
        phases, first = np.unique(given, return_index=True)
        bounds = [*first.tolist(), given.size]
        for k, phase in enumerate(phases.tolist()):
            starts.setdefault(phase, {})[q] = (bounds[k], bounds[k + 1])
    return starts


def distances(status: Int32Array, ties: Int32Array) -> Int32Array:
    """The distances of situations from their statuses; ``ties`` are ends that are left over.

    >>> distances(np.array([~0, ~3, 4], np.int32), np.empty(0, np.int32)).tolist()
    [0, 1, -1]
    """
    distance = status.copy()
    distance[ties] = 0
    read_distances(distance)
    return distance
