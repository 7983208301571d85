"""The last snapshot of a job, when the next one is due, and the phases of its ends of play."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from zermelo._kernels.retrograde import read_distances
from zermelo.engines.job import JOURNAL, Job, Seal, seal_of
from zermelo.engines.program import Moment
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
    def read(cls, job: Job) -> "Journal":
        """The journal of a job; an empty one if there was no snapshot."""
        record = job.load(JOURNAL)
        if record is None:
            return cls()
        states = {
            int(q): {key: seal_of(stored) for key, stored in files.items()}
            for q, files in record["states"].items()
        }
        moment = Moment(int(record["phase"]), int(record["depth"]))
        return cls(int(record["serial"]), moment, states)

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
    job: Job, parts: Sequence[dict[str, Seal]], *, trusted: bool
) -> dict[int, dict[int, tuple[int, int]]]:
    """For each phase and partition, which part of the list of ends belongs to the phase.

    The files of ends are checked unless they are ``trusted``.
    """
    starts: dict[int, dict[int, tuple[int, int]]] = {}
    for q, files in enumerate(parts):
        if not trusted:
            job.check(files["ends"])
        content = b"".join(job.pieces(files["phases"]))
        phases, first = np.unique(np.frombuffer(content, np.int32), return_index=True)
        bounds = [*first.tolist(), len(content) // 4]
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
