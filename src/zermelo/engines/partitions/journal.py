"""The last snapshot of a job, and when the next one is due."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import JOURNAL, Malformed, Seal, sized, whole
from zermelo.engines.moves.prepare import ABSENT
from zermelo.engines.partitions.program import Moment

SNAPSHOT_SECONDS = 60.0
"""Time between two snapshots."""

SNAPSHOT_SHARE = 10
"""Snapshots take at most about one part of so many of the time."""

Sizes = Callable[[int, dict[str, Any]], dict[str, int]]
"""Called with a partition and the files of its state; gives the sizes that these must have."""


@dataclass(frozen=True)
class Journal:
    """Which files have the states of the last snapshot."""

    serial: int = 0
    moment: Moment | None = None
    states: dict[int, dict[str, Seal]] = field(default_factory=dict)
    """The files of the partitions; those that are not here have their first state."""
    name: str = JOURNAL
    """The name of the record."""
    more: dict[str, Any] = field(default_factory=dict)
    """Other fields of the record."""

    @classmethod
    def parsed(cls, record: dict[str, Any], size: int, phases: int, sizes: Sizes) -> "Journal":
        """The journal in a record, if it fits ``size`` partitions and so many ``phases``."""
        moment = Moment(
            whole(record["phase"], "phase", most=phases),
            whole(record["depth"], "depth", most=ABSENT - 2),
        )
        numbers, states = {str(q): q for q in range(size)}, {}
        for name, files in record["states"].items():
            if (q := numbers.get(name)) is None:
                raise Malformed(f"states: expected partitions below {size:,}")
            states[q] = {key: sized(files[key], f"states, {q}, {key}", expected)
                         for key, expected in sizes(q, files).items()}  # fmt: skip
        return cls(record["serial"], moment, states)

    def next(self, moment: Moment, states: dict[int, dict[str, Seal]]) -> "Journal":
        """The journal of the next snapshot."""
        return Journal(self.serial + 1, moment, states, self.name, self.more)

    def save(self, job: Job) -> None:
        """Write the journal, and remove the states of older snapshots."""
        assert self.moment is not None
        record = {
            "serial": self.serial,
            "phase": self.moment.phase,
            "depth": self.moment.depth,
            "states": {str(q): files for q, files in self.states.items()},
            **self.more,
        }
        job.save(self.name, record)
        kept = {seal[0] for files in self.states.values() for seal in files.values()}
        job.location.retain("state-*", kept)


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
