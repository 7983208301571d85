"""The positions that play can reach, found within a budget of memory.

The keys are divided into ranges, and each range has the positions found so far whose keys are in
it. The order in which positions are found does not matter, so there are no layers: the range with
the most new keys is visited next, and all moves of its waiting positions are followed. Keys of
other ranges are collected, sorted, freed of repetitions and sent there; they stay in memory while
they fit. Ranges that were used last stay in memory, too, the others are in scratch files. A hash
table that would become too large is split at the median of its keys, so in the end the keys of all
ranges, one after the other, are sorted.
"""

import time
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from zermelo._kernels.positions.shares import (
    FILLED,
    MISSED,
    STEPS,
    TOP,
    search_marks,
    search_table,
)
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.memory import show_size
from zermelo._runtime.progress import SoFar
from zermelo.engines.jobs.directory import Tick
from zermelo.engines.jobs.job import Job, pieces_of
from zermelo.engines.jobs.records import (
    EXPLORING,
    Malformed,
    check_range,
    seal_of,
    sized,
)
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.journal import Pace
from zermelo.engines.tiers.key_ranges import MIN_SLOTS, SCANNED_SLOTS, KeyRange, Marks, Slots
from zermelo.errors import InvalidOptionError
from zermelo.labels import LARGEST_POSITION, AnyArray, Int64Array
from zermelo.rules.compiled import room_for

if TYPE_CHECKING:
    from zermelo.engines.moves.rules_source import RulesSource

GROWTH = 2
"""A hash table that is full grows by this factor, or is split."""

MAX_BOX_KEYS = 1 << 20
"""Keys that are collected before they are sent."""

MAX_STACK = 1 << 16
"""Positions on the stack of the range that is visited."""

ARRAY_BYTES = 128
"""Memory of an array beside its elements."""

CALL_POSITIONS = 1 << 18
"""Positions that are expanded between two reports of progress."""

SMALL_GAME_POSITIONS = 1 << 12
"""Keys in the box, and positions on the stack, as long as no more are in one range."""

MAX_RANGES = 1 << 12


S = TypeVar("S", bound=KeyRange)


def check_ranges(rows: list[Any], end: int, *, indexed: bool) -> None:
    """Refuse ranges that do not divide the keys up to ``end``, or whose files do not fit them.

    >>> check_ranges([[0, 5, ["a", 5, 0]], [5, 9, None]], 9, indexed=True)
    """
    lows, highs = [row[0] for row in rows], [row[1] for row in rows]
    risen = all(low < high for low, high in zip(lows, highs, strict=True))
    if not risen or [*lows, end] != [0, *highs] or len(rows) > max(MAX_RANGES, 1):
        raise Malformed(f"ranges: expected intervals that divide the keys up to {end:,}")
    for k, (low, high, saved) in enumerate(rows):
        if saved is not None:
            size = high - low if indexed else int(saved[1]) // 8 * 8
            sized(saved, f"ranges, {k}", size)


class Exploration:
    """Finds all positions of ``source``, range by range."""

    def __init__(
        self,
        source: "RulesSource",
        job: Job,
        budget: Budget,
        tick: Tick = None,
        snapshot_visits: int | None = None,
    ) -> None:
        self.job, self.budget, self.tick = job, budget, tick
        size = int(source.rules.size) if source.indexed else None
        self.indexed = size is not None
        self._search = bind(search_marks if self.indexed else search_table, source.view)
        self._out = np.zeros(room_for(source.rules, "moves"), np.int64)
        self._box, self._stack = self._buffers(SMALL_GAME_POSITIONS, SMALL_GAME_POSITIONS)
        self._held = 0
        self._serial, self.snapshots, self.visits, self.resumed = 0, 0, 0, False
        self._pace = Pace(snapshot_visits)
        self.ranges: list[KeyRange] = []
        if size is None:
            self.ranges = [self._new(Slots, 0, LARGEST_POSITION + 1)]
        else:
            step = max(MIN_SLOTS, budget.usable // 4, -(-size // MAX_RANGES))
            self.ranges = [
                self._new(Marks, low, min(low + step, size)) for low in range(0, size, step)
            ]
        self._limit = max(MIN_SLOTS, budget.usable // 16 // 8)

    def _new(self, kind: type[S], low: int, high: int) -> S:
        self._serial += 1
        return kind(low, high, f"range-{self._serial}")

    def _buffers(self, keys: int, slots: int) -> tuple[Int64Array, Int64Array]:
        """The box and the stack, as far as the budget allows it."""
        most = max(MIN_SLOTS, self.budget.usable // 64)
        room = self._out.size + min(keys, most)
        return np.zeros(room, np.int64), np.zeros(min(slots, most), np.int64)

    @property
    def found(self) -> int:
        """How many positions were found."""
        return sum(interval.found for interval in self.ranges)

    def explore(self, first: int) -> None:
        """Follow all moves from the position with the key ``first``, or go on from a snapshot."""
        if not self._resume():
            self._send(np.array([first], np.int64))
        while True:
            interval = max(
                self.ranges, key=lambda interval: (interval.pending, bool(interval.state[MISSED]))
            )
            if not interval.active:
                return
            self._visit(interval)
            self.visits += 1
            if self._pace.due():
                self._snapshot()

    # ---------------------------------------------------------------- one range

    def _visit(self, interval: KeyRange) -> None:
        """Put the keys of the inbox into a range, and follow the moves of all that wait there."""
        self._take(interval)
        interval.saved = None
        self._insert(interval, self._read(interval))
        state = interval.state
        while state[TOP] or state[MISSED]:
            if not state[TOP]:
                self._list_again(interval)
                continue
            state[STEPS] = CALL_POSITIONS
            self._search(interval.array, self._stack, self._out, self._box, state)
            if state[FILLED] + self._out.size > self._box.size:
                self._flush(interval)
            if interval.found > SMALL_GAME_POSITIONS >= self._stack.size:
                self._enlarge(interval)
            if self.tick is not None:
                found, size = self.found, show_size(self._held + self._resident())
                self.tick(found, SoFar(found), f"exploring positions, {size}")
        self._flush(interval)

    def _enlarge(self, interval: KeyRange) -> None:
        """Replace the buffers of a small game, whose kernels are interpreted, by larger ones."""
        self._flush(interval)
        old, top = self._stack, int(interval.state[TOP])
        self._box, self._stack = self._buffers(MAX_BOX_KEYS, MAX_STACK)
        self._stack[:top] = old[:top]

    def _list_again(self, interval: KeyRange) -> None:
        """Fill the stack with positions that wait."""
        content, stack = interval.array, self._stack
        at, scanned, count = interval.scan % content.size, 0, 0
        # Invariant: all positions that wait in the last ``scanned`` slots before ``at``, around the
        # end, are in stack[:count].
        while scanned < content.size and count < stack.size:
            stop = min(at + SCANNED_SLOTS, at + content.size - scanned, content.size)
            slots = at + np.flatnonzero(interval.waits(content[at:stop]))
            taken = slots[: stack.size - count]
            stack[count : count + taken.size] = taken
            count += taken.size
            if taken.size < slots.size:
                stop = int(slots[taken.size])
            scanned += stop - at
            at = stop % content.size
        interval.scan = at
        interval.state[MISSED], interval.state[TOP] = int(scanned < content.size), count

    def _insert(self, interval: KeyRange, arrays: Iterator[Int64Array]) -> None:
        """Put keys into a range; a full hash table grows, or is split and the rest is sent."""
        for keys in arrays:
            at = 0
            while at < keys.size:
                at += int(interval.put(interval.array, keys[at:], self._stack, interval.state))
                if at == keys.size:
                    break
                assert isinstance(interval, Slots)  # marks have room for all keys of the interval
                if not self._grow(interval):
                    self._split(interval)
                    self._send(keys[at:])
                    for rest in arrays:
                        self._send(rest)
                    return

    def _grow(self, interval: Slots) -> bool:
        """Make a hash table larger; return whether the budget allows it."""
        if GROWTH * interval.array.size > self._limit:
            return False
        interval.refill(interval.packed(), GROWTH * interval.array.size)
        return True

    def _split(self, interval: Slots) -> None:
        """Divide a hash table that may not become larger."""
        if len(self.ranges) == MAX_RANGES:
            raise InvalidOptionError(
                f"memory: there are more than {self.found:,} positions, too many for this budget; "
                "give more memory"
            )
        other = self._new(Slots, interval.low, interval.high)
        interval.split(other)
        self.ranges.insert(self.ranges.index(interval) + 1, other)

    # ---------------------------------------------------------------- keys on their way

    def _flush(self, interval: KeyRange) -> None:
        """Send the keys in the box."""
        filled = int(interval.state[FILLED])
        interval.state[FILLED] = 0
        if filled:
            self._send(self._box[:filled])

    def _send(self, keys: Int64Array) -> None:
        """Put keys into the inboxes of their ranges, each once."""
        lows = [interval.low for interval in self.ranges]
        keys = np.unique(keys)
        at = 0
        while at < keys.size:
            interval = self.ranges[bisect_right(lows, int(keys[at])) - 1]
            stop = int(np.searchsorted(keys, interval.high))
            part = keys[at:stop].copy()
            if self._held + part.nbytes + ARRAY_BYTES <= self.budget.messages:
                interval.inbox.append(part)
                self._held += part.nbytes + ARRAY_BYTES
            else:
                path = self.job.path(interval.inbox_name)
                with self.job.writing(path), path.open("ab") as file:
                    file.write(part.data)
                interval.stored += part.size
            at = stop

    def _read(self, interval: KeyRange) -> Iterator[Int64Array]:
        """Take all keys from an inbox."""
        inbox, stored, path = interval.inbox, interval.stored, self.job.path(interval.inbox_name)
        interval.inbox, interval.stored = [], 0
        interval.emptied += 1  # what is sent from now on goes to a new file
        for keys in inbox:
            self._held -= keys.nbytes + ARRAY_BYTES
            yield keys
        if stored:
            with path.open("rb") as file:
                while (keys := np.fromfile(file, np.int64, MAX_BOX_KEYS)).size:
                    yield keys
            path.unlink()

    # ---------------------------------------------------------------- memory

    def _resident(self) -> int:
        return sum(s.content.nbytes for s in self.ranges if s.content is not None)

    def _take(self, interval: KeyRange) -> None:
        """Bring a range to memory; those that were used least recently leave it if necessary."""
        if interval.content is None:
            path = self.job.path(f"{interval.name}.scratch")
            if interval.used:
                needed = path.stat().st_size
                self._leave(needed, interval)
                interval.content = np.fromfile(path, interval.dtype)
            else:
                self._leave(interval.high - interval.low if self.indexed else 0, interval)
                interval.content = interval.empty()
                interval.used = True

    def _leave(self, needed: int, wanted: KeyRange) -> None:
        """Write ranges to their files until there is room."""
        while (held := self._resident()) and held + needed > self.budget.residents:
            others = [s for s in self.ranges if s.content is not None and s is not wanted]
            if not others:
                return
            interval = min(others, key=lambda s: s.pending)
            path = self.job.path(f"{interval.name}.scratch")
            with self.job.writing(path, interval.array.nbytes), path.open("wb") as file:
                file.write(interval.array.data)
            interval.content = None

    # ---------------------------------------------------------------- snapshots and results

    def _snapshot(self) -> None:
        """Put all keys that are on their way on their ranges, and write those that changed."""
        begun = time.monotonic()
        while waiting := [interval for interval in self.ranges if interval.pending]:
            for interval in waiting:
                self._take(interval)
                interval.saved = None
                self._insert(interval, self._read(interval))
                interval.state[TOP], interval.state[MISSED] = 0, 1
        self.snapshots += 1
        for interval in self.ranges:
            if interval.saved is None and interval.used:
                self._take(interval)
                name = f"{interval.name}.saved-{self.snapshots}"
                interval.saved = self.job.write(name, pieces_of(interval.packed()))
        rows = [[interval.low, interval.high, interval.saved] for interval in self.ranges]
        self.job.save(EXPLORING, {"snapshot": self.snapshots, "ranges": rows})
        kept = {interval.saved[0] for interval in self.ranges if interval.saved is not None}
        self.job.location.retain("range-*.saved-*", kept)
        self._pace.taken(begun)

    def _resume(self) -> bool:
        """Go back to the last snapshot, if there is one."""
        record = self.job.record(EXPLORING)
        for path in self.job.directory.glob("range-*"):
            if record is None or "saved" not in path.name:
                path.unlink()
        if record is None:
            return False
        kind, end = Marks if self.indexed else Slots, self.ranges[-1].high if self.ranges else 0
        with self.job.reading(EXPLORING):
            self.snapshots = record["snapshot"]
            check_ranges(record["ranges"], end, indexed=self.indexed)
        self.ranges = []
        for low, high, saved in record["ranges"]:
            # A new name: files of the last snapshot keep theirs.
            interval = self._new(kind, int(low), int(high))
            interval.name = f"{interval.name}-{self.snapshots}"
            self.ranges.append(interval)
            if saved is not None:
                seal = seal_of(saved)
                self.job.check(seal)
                self._leave(seal[1], interval)
                content = np.fromfile(self.job.path(seal[0]), interval.dtype)
                if not self.indexed:
                    with self.job.reading(seal[0]):
                        check_range(np.where(content < 0, ~content, content), low, high, "keys")
                interval.unpack(content)
                interval.used = True
        self.resumed = True
        return True

    def keys(self) -> Iterator[Int64Array]:
        """The keys of all positions, sorted, in pieces."""
        for interval in self.ranges:
            self._take(interval)
            yield from interval.keys()

    def marks(self) -> Iterator[AnyArray]:
        """The marks of all indices in order, in pieces; not 0 where a position was found."""
        for interval in self.ranges:
            self._take(interval)
            yield interval.array

    def clear(self) -> None:
        """Remove the files of all ranges."""
        self.ranges.clear()
        self.job.location.erase(EXPLORING)
        self.job.location.retain("range-*.saved-*")
        for path in self.job.directory.glob("range-*"):
            path.unlink()

    def close(self) -> None:
        """There is nothing to close."""
