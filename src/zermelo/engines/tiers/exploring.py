"""The positions that play can reach, found within a budget of memory: shelves of positions.

A shelf has the positions found so far whose keys are in an interval. The order in which positions
are found does not matter, so there are no layers: the shelf with the most new keys is visited next,
and all moves of its waiting positions are followed. Keys of other shelves are collected, sorted,
freed of repetitions and sent there; they stay in memory while they fit. Shelves that were used last
stay in memory, too, the others are in scratch files. A hash table that would become too large is
split at the median of its keys, so in the end the keys of all shelves, one after the other, are
sorted.
"""

import time
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, TypeVar

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
from zermelo.engines.moves.prepare import Tick
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.job import Job, pieces_of
from zermelo.engines.partitions.records import (
    EXPLORED,
    Malformed,
    check_range,
    seal_of,
    sized,
    whole,
)
from zermelo.engines.tiers.key_ranges import SCAN, SMALLEST, Marks, Shelf, Slots
from zermelo.errors import InvalidOptionError
from zermelo.labels import LARGEST_POSITION, AnyArray, Int64Array

GROWTH = 2
"""A hash table that is full grows by this factor, or is split."""

LARGEST_BOX = 1 << 20
"""Keys that are collected before they are sent."""

STACK = 1 << 16
"""Positions on the stack of the shelf that is visited."""

ARRAY_BYTES = 128
"""Memory of an array beside its elements."""

CALL = 1 << 18
"""Positions that are expanded between two reports of progress."""

FEW = 1 << 12
"""Keys in the box, and positions on the stack, as long as no more are on one shelf."""

MOST_SHELVES = 1 << 12

SNAPSHOT_SECONDS = 60.0


S = TypeVar("S", bound=Shelf)


def check_shelves(rows: list[Any], end: int, *, indexed: bool) -> None:
    """Refuse shelves that do not divide the keys up to ``end``, or whose files do not fit them.

    >>> check_shelves([[0, 5, ["a", 5, 0]], [5, 9, None]], 9, indexed=True)
    """
    lows, highs = [row[0] for row in rows], [row[1] for row in rows]
    risen = all(low < high for low, high in zip(lows, highs, strict=True))
    if not risen or [*lows, end] != [0, *highs] or len(rows) > max(MOST_SHELVES, 1):
        raise Malformed(f"shelves: expected intervals that divide the keys up to {end:,}")
    for k, (low, high, saved) in enumerate(rows):
        if saved is not None:
            size = high - low if indexed else int(saved[1]) // 8 * 8
            sized(saved, f"shelves, {k}", size)


class Exploration:
    """All shelves of a game; ``rules`` are a view with ``key`` and ``position_of_key``."""

    def __init__(
        self,
        rules: Any,
        job: Job,
        budget: Budget,
        room: int,
        size: int | None,
        tick: Tick = None,
    ) -> None:
        """``size`` is that of the index, None if there is none; ``room`` is that for moves."""
        self.job, self.budget, self.tick = job, budget, tick
        self.indexed = size is not None
        self._search = bind(search_marks if self.indexed else search_table, rules)
        self._out = np.zeros(room, np.int64)
        self._box, self._stack = self._buffers(FEW, FEW)
        self._held = 0
        self._serial, self.snapshots, self.visits, self.resumed = 0, 0, 0, False
        self._last, self._pause = time.monotonic(), SNAPSHOT_SECONDS
        self.shelves: list[Shelf] = []
        if size is None:
            self.shelves = [self._new(Slots, 0, LARGEST_POSITION + 1)]
        else:
            step = max(SMALLEST, budget.usable // 4, -(-size // MOST_SHELVES))
            self.shelves = [
                self._new(Marks, low, min(low + step, size)) for low in range(0, size, step)
            ]
        self._limit = max(SMALLEST, budget.usable // 16 // 8)

    def _new(self, kind: type[S], low: int, high: int) -> S:
        self._serial += 1
        return kind(low, high, f"shelf-{self._serial}")

    def _buffers(self, keys: int, slots: int) -> tuple[Int64Array, Int64Array]:
        """The box and the stack, as far as the budget allows it."""
        most = max(SMALLEST, self.budget.usable // 64)
        room = self._out.size + min(keys, most)
        return np.zeros(room, np.int64), np.zeros(min(slots, most), np.int64)

    @property
    def found(self) -> int:
        """How many positions were found."""
        return sum(shelf.found for shelf in self.shelves)

    def run(self, first: int, *, snapshot_visits: int | None = None) -> None:
        """Follow all moves from the position with the key ``first``, or go on from a snapshot."""
        if not self._resume():
            self._send(np.array([first], np.int64))
        while True:
            shelf = max(self.shelves, key=lambda shelf: (shelf.pending, bool(shelf.state[MISSED])))
            if not shelf.active:
                return
            self._visit(shelf)
            self.visits += 1
            due = time.monotonic() - self._last > self._pause
            if snapshot_visits is not None:
                due = self.visits % snapshot_visits == 0
            if due:
                self._snapshot()

    # ---------------------------------------------------------------- one shelf

    def _visit(self, shelf: Shelf) -> None:
        """Put the keys of the inbox on a shelf, and follow the moves of all that wait there."""
        self._take(shelf)
        shelf.saved = None
        self._insert(shelf, self._read(shelf))
        state = shelf.state
        while state[TOP] or state[MISSED]:
            if not state[TOP]:
                self._list_again(shelf)
                continue
            state[STEPS] = CALL
            self._search(shelf.array, self._stack, self._out, self._box, state)
            if state[FILLED] + self._out.size > self._box.size:
                self._flush(shelf)
            if shelf.found > FEW >= self._stack.size:
                self._enlarge(shelf)
            if self.tick is not None:
                found, size = self.found, show_size(self._held + self._resident())
                self.tick(found, SoFar(found), f"exploring positions, {size}")
        self._flush(shelf)

    def _enlarge(self, shelf: Shelf) -> None:
        """Replace the buffers of a small game, whose kernels are interpreted, by larger ones."""
        self._flush(shelf)
        old, top = self._stack, int(shelf.state[TOP])
        self._box, self._stack = self._buffers(LARGEST_BOX, STACK)
        self._stack[:top] = old[:top]

    def _list_again(self, shelf: Shelf) -> None:
        """Fill the stack with positions that wait."""
        content, stack = shelf.array, self._stack
        at, scanned, count = shelf.scan % content.size, 0, 0
        # Invariant: all positions that wait in the last ``scanned`` slots before ``at``, around the
        # end, are in stack[:count].
        while scanned < content.size and count < stack.size:
            stop = min(at + SCAN, at + content.size - scanned, content.size)
            slots = at + np.flatnonzero(shelf.waits(content[at:stop]))
            taken = slots[: stack.size - count]
            stack[count : count + taken.size] = taken
            count += taken.size
            if taken.size < slots.size:
                stop = int(slots[taken.size])
            scanned += stop - at
            at = stop % content.size
        shelf.scan = at
        shelf.state[MISSED], shelf.state[TOP] = int(scanned < content.size), count

    def _insert(self, shelf: Shelf, arrays: Iterator[Int64Array]) -> None:
        """Put keys on a shelf; a full hash table grows, or is split and the rest is sent."""
        for keys in arrays:
            at = 0
            while at < keys.size:
                at += int(shelf.put(shelf.array, keys[at:], self._stack, shelf.state))
                if at == keys.size:
                    break
                assert isinstance(shelf, Slots)  # marks have room for all keys of the interval
                if not self._grow(shelf):
                    self._split(shelf)
                    self._send(keys[at:])
                    for rest in arrays:
                        self._send(rest)
                    return

    def _grow(self, shelf: Slots) -> bool:
        """Make a hash table larger; return whether the budget allows it."""
        if GROWTH * shelf.array.size > self._limit:
            return False
        shelf.refill(shelf.packed(), GROWTH * shelf.array.size)
        return True

    def _split(self, shelf: Slots) -> None:
        """Divide a hash table that may not become larger."""
        if len(self.shelves) == MOST_SHELVES:
            raise InvalidOptionError(
                f"memory: there are more than {self.found:,} positions, too many for this budget; "
                "give more memory"
            )
        other = self._new(Slots, shelf.low, shelf.high)
        shelf.split(other)
        self.shelves.insert(self.shelves.index(shelf) + 1, other)

    # ---------------------------------------------------------------- keys on their way

    def _flush(self, shelf: Shelf) -> None:
        """Send the keys in the box."""
        filled = int(shelf.state[FILLED])
        shelf.state[FILLED] = 0
        if filled:
            self._send(self._box[:filled])

    def _send(self, keys: Int64Array) -> None:
        """Put keys into the inboxes of their shelves, each once."""
        lows = [shelf.low for shelf in self.shelves]
        keys = np.unique(keys)
        at = 0
        while at < keys.size:
            shelf = self.shelves[bisect_right(lows, int(keys[at])) - 1]
            stop = int(np.searchsorted(keys, shelf.high))
            part = keys[at:stop].copy()
            if self._held + part.nbytes + ARRAY_BYTES <= self.budget.messages:
                shelf.inbox.append(part)
                self._held += part.nbytes + ARRAY_BYTES
            else:
                path = self.job.path(shelf.inbox_name)
                with self.job.writing(path), path.open("ab") as file:
                    file.write(part.data)
                shelf.stored += part.size
            at = stop

    def _read(self, shelf: Shelf) -> Iterator[Int64Array]:
        """Take all keys from an inbox."""
        inbox, stored, path = shelf.inbox, shelf.stored, self.job.path(shelf.inbox_name)
        shelf.inbox, shelf.stored = [], 0
        shelf.emptied += 1  # what is sent from now on goes to a new file
        for keys in inbox:
            self._held -= keys.nbytes + ARRAY_BYTES
            yield keys
        if stored:
            with path.open("rb") as file:
                while (keys := np.fromfile(file, np.int64, LARGEST_BOX)).size:
                    yield keys
            path.unlink()

    # ---------------------------------------------------------------- memory

    def _resident(self) -> int:
        return sum(s.content.nbytes for s in self.shelves if s.content is not None)

    def _take(self, shelf: Shelf) -> None:
        """Bring a shelf to memory; those that were used least recently leave it if necessary."""
        if shelf.content is None:
            path = self.job.path(f"{shelf.name}.scratch")
            if shelf.used:
                needed = path.stat().st_size
                self._leave(needed, shelf)
                shelf.content = np.fromfile(path, shelf.dtype)
            else:
                self._leave(shelf.high - shelf.low if self.indexed else 0, shelf)
                shelf.content = shelf.empty()
                shelf.used = True

    def _leave(self, needed: int, wanted: Shelf) -> None:
        """Write shelves to their files until there is room."""
        while (held := self._resident()) and held + needed > self.budget.residents:
            others = [s for s in self.shelves if s.content is not None and s is not wanted]
            if not others:
                return
            shelf = min(others, key=lambda s: s.pending)
            path = self.job.path(f"{shelf.name}.scratch")
            with self.job.writing(path, shelf.array.nbytes), path.open("wb") as file:
                file.write(shelf.array.data)
            shelf.content = None

    # ---------------------------------------------------------------- snapshots and results

    def _snapshot(self) -> None:
        """Put all keys that are on their way on their shelves, and write those that changed."""
        begun = time.monotonic()
        while waiting := [shelf for shelf in self.shelves if shelf.pending]:
            for shelf in waiting:
                self._take(shelf)
                shelf.saved = None
                self._insert(shelf, self._read(shelf))
                shelf.state[TOP], shelf.state[MISSED] = 0, 1
        self.snapshots += 1
        for shelf in self.shelves:
            if shelf.saved is None and shelf.used:
                self._take(shelf)
                name = f"{shelf.name}.saved-{self.snapshots}"
                shelf.saved = self.job.write(name, pieces_of(shelf.packed()))
        rows = [[shelf.low, shelf.high, shelf.saved] for shelf in self.shelves]
        self.job.save(EXPLORED, {"snapshot": self.snapshots, "shelves": rows})
        kept = {shelf.saved[0] for shelf in self.shelves if shelf.saved is not None}
        self.job.place.retain("shelf-*.saved-*", kept)
        self._last = time.monotonic()
        self._pause = max(SNAPSHOT_SECONDS, 10 * (self._last - begun))

    def _resume(self) -> bool:
        """Go back to the last snapshot, if there is one."""
        record = self.job.record(EXPLORED)
        if record is not None and "snapshot" not in record:
            record = None  # it is one of another engine
        for path in self.job.directory.glob("shelf-*"):
            if record is None or "saved" not in path.name:
                path.unlink()
        if record is None:
            return False
        kind, end = Marks if self.indexed else Slots, self.shelves[-1].high if self.shelves else 0
        with self.job.reading(EXPLORED):
            self.snapshots = whole(record["snapshot"], "snapshot")
            check_shelves(record["shelves"], end, indexed=self.indexed)
        self.shelves = []
        for low, high, saved in record["shelves"]:
            # A new name: files of the last snapshot keep theirs.
            shelf = self._new(kind, int(low), int(high))
            shelf.name = f"{shelf.name}-{self.snapshots}"
            self.shelves.append(shelf)
            if saved is not None:
                seal = seal_of(saved)
                self.job.check(seal)
                self._leave(seal[1], shelf)
                content = np.fromfile(self.job.path(seal[0]), shelf.dtype)
                if not self.indexed:
                    with self.job.reading(seal[0]):
                        check_range(np.where(content < 0, ~content, content), low, high, "keys")
                shelf.unpack(content)
                shelf.used = True
        self.resumed = True
        return True

    def keys(self) -> Iterator[Int64Array]:
        """The keys of all positions, sorted, in pieces."""
        for shelf in self.shelves:
            self._take(shelf)
            yield from shelf.keys()

    def marks(self) -> Iterator[AnyArray]:
        """The marks of all indices in order, in pieces; not 0 where a position was found."""
        for shelf in self.shelves:
            self._take(shelf)
            yield shelf.array

    def clear(self) -> None:
        """Remove the files of all shelves."""
        self.shelves.clear()
        self.job.place.retain("shelf-*.saved-*")
        for path in self.job.directory.glob("shelf-*"):
            path.unlink()
