"""The files of all partitions of a game, and what both executors of the program do with them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.terminal.retrograde import read_distances
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import JOURNAL, check_range
from zermelo.engines.moves.prepare import part_files
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.journal import Journal
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Below
from zermelo.labels import AnyArray, Int32Array


class Prepared:
    """The partitions whose files the manifest ``record`` of a job names."""

    def __init__(self, job: Job, record: dict[str, Any], *, trusted: bool) -> None:
        """``trusted`` says that this process wrote the files, else each is checked at first use."""
        self.job, self._trusted = job, trusted
        self.terms = Terms.from_spec(record["terms"])
        self.division = Division.from_spec(record["division"])
        self.files = [part_files(record, q) for q in range(self.division.size)]
        self.below = Below(job, self.terms, self.files)
        """The messages from lower tiers, which a task gets besides those of the layer before."""

    @cached_property
    def starts(self) -> dict[int, dict[int, tuple[int, int]]]:
        """For each phase and partition, which part of the list of ends belongs to the phase."""
        job, starts = self.job, dict[int, dict[int, tuple[int, int]]]()
        for q, files in enumerate(self.files):
            given = np.frombuffer(b"".join(job.pieces(files["phases"])), np.int32)
            if not self._trusted:
                job.check(files["ends"])
                with job.reading(files["phases"][0]):
                    check_range(given, 0, len(self.terms.phases) + 1, "phases", rising=True)
                with job.reading(files["ends"][0]):
                    check_range(self.ends(q), 0, files["status"][1] // 4, "ends")
            phases, first = np.unique(given, return_index=True)
            bounds = [*first.tolist(), given.size]
            for k, phase in enumerate(phases.tolist()):
                starts.setdefault(phase, {})[q] = (bounds[k], bounds[k + 1])
        return starts

    def phases(self) -> Sequence[int]:
        """The phases that have ends of play or messages from lower tiers, in order."""
        return sorted(self.starts.keys() | self.below.phases())

    def last_snapshot(self) -> Journal:
        """The journal of the last snapshot; an empty one if there was none."""
        record = self.job.record(JOURNAL)
        if record is None:
            return Journal()
        with self.job.reading(JOURNAL):
            return Journal.parsed(record, self.division.size, len(self.terms.phases), self._sizes)

    def _sizes(self, q: int, files: Any) -> dict[str, int]:
        """The sizes of the files of a snapshot."""
        size = self.division.count(q) << self.terms.shift
        return {"status": 4 * size, "level": self.terms.code_type.itemsize * size}

    def ends(self, q: int, phase: int | None = None) -> Int32Array:
        """The situations of a partition where play ends, all of them or those of a phase."""
        path = self.job.fetched(self.files[q]["ends"])
        if phase is None:
            return np.fromfile(path, np.int32)
        start, stop = self.starts.get(phase, {}).get(q, (0, 0))
        return np.fromfile(path, np.int32, stop - start, offset=4 * start)

    # ---------------------------------------------------------------- results

    def finish(self) -> None:
        """Bring the results together; called once, before they are read."""

    def state(self, q: int) -> tuple[Int32Array, AnyArray]:
        """The statuses and the values of the situations of one partition."""
        raise NotImplementedError

    def result(self, q: int) -> tuple[AnyArray, Int32Array]:
        """The values and the distances of the situations of one partition."""
        status, level = self.state(q)
        distance = status.copy()
        if not self.terms.agreed_ends:
            distance[self.ends(q, len(self.terms.phases))] = 0  # ends that no wave reaches
        read_distances(distance)
        return level.copy(), distance

    def statistics(self) -> dict[str, Any]:
        """What the run took, for the statistics of a solution."""
        raise NotImplementedError
