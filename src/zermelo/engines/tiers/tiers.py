"""Tiers one after the other: the positions of each, and the results of those that are solved.

No move leads to a higher tier. So a tier is solved by the same program as a whole game, with
partitions and files of its own; what its moves to lower tiers lead to is known, see
:mod:`zermelo.engines.tiers.below`. Only the tier at work has moves and states on disk. A finished
tier has an entry for each position, and its other files are removed.

Small tiers are solved together with the next ones, since every tier costs some files. Tiers that
have an interval of indices almost for themselves keep the index: a number is an index less the
first one. The keys of others are written to a file for each tier.
"""

import copy
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zermelo._kernels.positions.shares import Scope, tiers_of
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.guards import MAX_TIERS
from zermelo.engines.jobs.directory import Tick, tell
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import (
    JOURNAL,
    MANIFEST,
    TIERS,
    Malformed,
    Seal,
    sized,
)
from zermelo.engines.moves.prepare import ABSENT
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.moves.unmoves import Unmoves
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.estimate import KEY_BYTES, MARK_BYTES, TableFiles
from zermelo.engines.partitions.keyed import Keys, Stored, append
from zermelo.engines.partitions.prepared import Prepared
from zermelo.engines.partitions.terms import Terms
from zermelo.engines.tiers.below import Finished, Lookup
from zermelo.labels import LARGEST_POSITION, AnyArray, Int64Array
from zermelo.tables.storage.codes import pack
from zermelo.tables.storage.save import SPARSE

PIECE_POSITIONS = 1 << 19
"""Positions that are looked at together."""

SMALL_TIER_POSITIONS = 1 << 16
"""Tiers with fewer positions together are solved together, if the budget has room for them."""

MAX_SPARSITY = 2
"""Tiers keep the index if one in so many indices is theirs; one in SPARSE with un-moves."""

SCRATCH = ("bucket", "moves", "start", "ends", "below", "state", "work", "messages")
"""How the names of the files of a tier at work begin."""


def packed(executor: Prepared, terms: Terms) -> Iterator[AnyArray]:
    """The results of all partitions as entries of 32 bits, in pieces; 0 for no position."""
    sign = np.array([(x > 0) - (x < 0) for x in terms.levels], np.int8)
    for q in range(executor.division.size):
        level, distance = executor.result(q)
        for at in range(0, level.size, PIECE_POSITIONS):
            part = slice(at, at + PIECE_POSITIONS)
            entry = pack(sign[level[part]], distance[part], np.uint32)
            entry[distance[part] == ABSENT] = 0
            yield entry


def clear_stage(job: Job) -> None:
    """Remove the files of the group that was at work."""
    for name in (JOURNAL, MANIFEST):
        job.path(name).unlink(missing_ok=True)
    for prefix in SCRATCH:
        for path in job.directory.glob(f"{prefix}-*"):
            path.unlink()


def forget_stage(job: Job) -> None:
    """Remove the files of a group that another engine had at work, where tiers are not separate."""
    old = job.load(MANIFEST)
    if old is not None and old["identity"].pop("tiers", None) and old["identity"] == job.identity:
        clear_stage(job)


@dataclass(frozen=True)
class Group:
    """Tiers that are solved together."""

    lowest: int
    highest: int
    count: int
    """The number of positions."""
    low: int
    high: int
    """Their indices are ``low … high − 1``, if their numbers are indices less ``low``."""
    keys: Seal | None = None
    """The file of their keys, if they are numbered by these."""


class Tiers:
    """The tiers of a game whose positions are known; ``executor`` solves one after the other."""

    def __init__(self, job: Job, source: RulesSource, budget: Budget, tick: Tick) -> None:
        self.job, self.source, self.budget, self.tick = job, source, budget, tick
        self._unmoves = source.rules.has("unmoves") and source.plays_by_outcomes
        self._tiered = source.rules.has("tier") and source.plays_by_outcomes
        self._tiers = bind(tiers_of, source.view)
        self.groups: list[Group] = []
        self.results: list[Seal] = []
        record = job.record(TIERS)
        if record is None:
            for path in job.directory.glob("tier-*"):
                path.unlink()
            self.groups = self._split() if self._tiered else [self._all]
            self._save()
            return
        with job.reading(TIERS):
            self._adopt(record)
        unsolved = len(self.results) < len(self.groups)  # else keys may have been removed
        keys = (group.keys for group in self.groups if group.keys is not None and unsolved)
        for seal in (*self.results, *keys):
            job.check(seal)

    def _adopt(self, record: dict[str, Any]) -> None:
        """Take the tiers from a record, if they fit the positions and each other."""
        end = LARGEST_POSITION + 1 if self.source.keys is not None else self.source.n
        above = 0
        for g, data in enumerate(record["groups"]):
            group = Group(**data)
            rising = above <= group.lowest <= group.highest <= MAX_TIERS
            if not (rising and 0 <= group.low <= group.high <= end):
                raise Malformed(f"groups, {g}: expected tiers and indices that rise")
            if group.keys is not None:
                group = replace(group, keys=sized(group.keys, f"groups, {g}", 8 * group.count))
            above = group.highest + 1
            self.groups.append(group)
        n, one = self.source.n, self.groups[0] if len(self.groups) == 1 else None
        right = bool(self.groups) and sum(group.count for group in self.groups) <= n
        if one is not None:
            right = (one.count, one.low, one.high, one.keys) == (n, 0, n, None)
        elif self.source.keys is not None:
            right &= all(group.keys is not None for group in self.groups)
        if not right:
            raise Malformed(f"groups: expected tiers of {n:,} positions")
        if len(record["results"]) > len(self.groups):
            raise Malformed(f"results: expected at most {len(self.groups):,}")
        for g, stored in enumerate(record["results"]):
            group = self.groups[g]
            size = group.high - group.low if group.keys is None else group.count
            self.results.append(sized(stored, f"results, {g}", 4 * size))

    @property
    def _all(self) -> Group:
        """All tiers together, with the numbers of the source."""
        return Group(0, MAX_TIERS, self.source.n, 0, self.source.n)

    def _save(self) -> None:
        groups = [asdict(group) for group in self.groups]
        self.job.save(TIERS, {"groups": groups, "results": self.results})

    # ---------------------------------------------------------------- which positions

    def _pieces(self, stage: str) -> Iterator[tuple[Int64Array, Int64Array]]:
        """The keys and the tiers of all positions, in pieces; −1 for no position."""
        for at in range(0, self.source.n, PIECE_POSITIONS):
            keys = self.source.keys_between(at, min(at + PIECE_POSITIONS, self.source.n))
            tiers = np.empty(keys.size, np.int64)
            self._tiers(keys, tiers)
            yield keys, tiers
            tell(self.tick, at + keys.size, self.source.n, stage)

    def _split(self) -> list[Group]:
        """Count the positions of all tiers, and write the keys of those that need them."""
        count = np.zeros(MAX_TIERS, np.int64)
        first, last = np.full(MAX_TIERS, 1 << 62), np.zeros(MAX_TIERS, np.int64)
        for keys, tiers in self._pieces("sorted into tiers"):
            own = tiers >= 0
            keys, tiers = keys[own], tiers[own]
            count += np.bincount(tiers, minlength=MAX_TIERS)
            np.minimum.at(first, tiers, keys)
            np.maximum.at(last, tiers, keys)
        small = min(SMALL_TIER_POSITIONS, self.budget.partition // 64)
        groups: list[Group] = []
        for t in np.flatnonzero(count).tolist():
            group = Group(t, t, int(count[t]), int(first[t]), int(last[t]) + 1)
            if groups and groups[-1].count + group.count <= small:
                before = groups.pop()
                group = Group(
                    before.lowest, t, before.count + group.count,
                    min(before.low, group.low), max(before.high, group.high),
                )  # fmt: skip
            groups.append(group)
        if len(groups) <= 1:
            one = groups[0] if groups else self._all
            return [Group(one.lowest, one.highest, self.source.n, 0, self.source.n)]
        return self._write_keys(groups)

    def _write_keys(self, groups: list[Group]) -> list[Group]:
        """Write the keys of all tiers that do not keep the index."""
        keyed = [g for g, group in enumerate(groups) if not self._keeps_index(group)]
        seals = {g: (f"tier-{groups[g].lowest}.keys", 0, 0) for g in keyed}
        group_of = self._group_of(groups)
        for keys, tiers in self._pieces("sorted into tiers") if keyed else ():
            own = group_of[tiers]
            for g in np.unique(own).tolist():
                if g in seals:
                    seals[g] = self._append(seals[g], keys[own == g])
        self.job.unsynced.extend(seal[0] for seal in seals.values())
        return [replace(group, keys=seals.get(g)) for g, group in enumerate(groups)]

    def _append(self, seal: Seal, array: AnyArray) -> Seal:
        """Append an array to a file; the new seal of the file."""
        name, size, checksum = seal
        append(self.job, name, array)
        return name, size + array.nbytes, zlib.crc32(array.data, checksum)

    def _keeps_index(self, group: Group) -> bool:
        if self.source.keys is not None:
            return False
        share = SPARSE if self._goes_back(group) else MAX_SPARSITY
        return group.high - group.low <= share * group.count

    def _goes_back(self, group: Group) -> bool:
        """Whether moves within these tiers may be generated backwards."""
        return self._unmoves and (group.lowest == group.highest or not self._tiered)

    @staticmethod
    def _group_of(groups: list[Group]) -> Int64Array:
        """For each tier the group that has it, else −1; the last element is for tier −1."""
        found = np.full(MAX_TIERS + 1, -1, np.int64)
        for g, group in enumerate(groups):
            found[group.lowest : group.highest + 1] = g
        found[-1] = -1
        return found

    def files(self) -> TableFiles:
        """What the files of positions and results take."""
        source = self.source
        each = KEY_BYTES if source.keys is not None else 0 if source.whole else MARK_BYTES
        results = (g.count if g.keys is not None else g.high - g.low for g in self.groups)
        keys = (group.keys[1] for group in self.groups if group.keys is not None)
        return TableFiles(source.n, sum(results), each * source.n, sum(keys))

    # ---------------------------------------------------------------- one after the other

    def at_work(self) -> Iterator[tuple[Job, RulesSource]]:
        """The job and the positions of each group that is not solved yet."""
        for g in range(len(self.results), len(self.groups)):
            group = self.groups[g]
            stage = copy.copy(self.job)
            stage.identity = {**self.job.identity, "tiers": [group.lowest, group.highest]}
            old = self.job.load(MANIFEST)
            if old is not None and old["identity"].get("tiers") != stage.identity["tiers"]:
                clear_stage(self.job)  # the process was ended before it had removed these files
            yield stage, self._restricted(g)
        for path in self.job.directory.glob("tier-*.keys"):
            path.unlink()  # no move is looked up any more

    def _restricted(self, g: int) -> RulesSource:
        """The source with the positions of one group."""
        group, source = self.groups[g], copy.copy(self.source)
        source.scope = Scope(int(source.whole), group.lowest, group.highest)
        if len(self.groups) > 1:
            source.low, source.n = group.low, group.high - group.low
            if group.keys is not None:
                source.low, source.n = 0, group.count
                stored = Stored(self.job.path(group.keys[0]), np.int64)
                source.keys = Keys(stored, self.source.missing)
        if source.keys is None and self._goes_back(group):
            source.unmoves = Unmoves(source.rules, source.view, source.low, source.n, source.scope)
        if g:
            finished = [self._finished(k) for k in range(g)]
            window = self.budget.window
            source.lookup = Lookup(finished, self._owner_of, self.source.missing, window)
        return source

    def _owner_of(self, keys: AnyArray) -> AnyArray:
        """The group of the position of each key."""
        tiers = np.empty(keys.size, np.int64)
        self._tiers(keys, tiers)
        return self._group_of(self.groups)[tiers]

    def _finished(self, g: int) -> Finished:
        group = self.groups[g]
        entries = Stored(self.job.path(self.results[g][0]), np.uint32)
        keys = None
        if group.keys is not None:
            keys = Stored(self.job.path(group.keys[0]), np.int64)
        return Finished(entries, group.low, keys)

    def finish(self, executor: Prepared) -> None:
        """Keep the results of the group at work, and remove its other files."""
        group = self.groups[len(self.results)]
        seal = f"tier-{group.lowest}.entries", 0, 0
        self.job.path(seal[0]).unlink(missing_ok=True)
        for entry in packed(executor, self.source.terms):
            seal = self._append(seal, entry)
        self.job.unsynced.append(seal[0])
        self.results.append(seal)
        self._save()
        clear_stage(self.job)

    def entries(self) -> Iterator[tuple[Int64Array, AnyArray]]:
        """The keys of all numbers in order, and the entries as player 0 or the mover sees them."""
        results = [Stored(self.job.path(seal[0]), np.uint32) for seal in self.results]
        if len(self.groups) == 1:
            for at in range(0, self.source.n, PIECE_POSITIONS):
                stop = min(at + PIECE_POSITIONS, self.source.n)
                yield self.source.keys_between(at, stop), results[0][at:stop]
            return
        group_of, place = self._group_of(self.groups), [0] * len(results)
        for keys, tiers in self._pieces("collected"):
            own = group_of[tiers]
            entry = np.zeros(keys.size, np.uint32)
            for g in np.unique(own[own >= 0]).tolist():
                mine = np.flatnonzero(own == g)
                if self.groups[g].keys is not None:  # they come in the same order
                    entry[mine] = results[g][place[g] : place[g] + mine.size]
                    place[g] += mine.size
                    continue
                numbers = keys[mine] - self.groups[g].low
                start = int(numbers[0])
                entry[mine] = results[g][start : int(numbers[-1]) + 1][numbers - start]
            yield keys, entry
