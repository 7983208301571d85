"""All positions that play can reach, of compiled rules, without their moves.

In a game with an index, the positions found are marked in the array of its entries. For any other
game there is a hash table of positions by open addressing, which grows as it fills: a slot has 8
bytes, and at most the share LOAD of the slots is taken. All threads take part in rounds; into a
hash table they first expand and then insert, see :mod:`zermelo._kernels.positions.hash_table`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo._kernels.positions.hash_table import (
    CAPACITY,
    COUNT,
    EMPTY,
    EXPANDED,
    FOUND,
    FRESH,
    HEAD,
    MOVES,
    ON_LIST,
    OVERFLOW,
    PARTS,
    ROW,
    SLICE,
    STOP,
    TAKEN,
    WAITING,
    Buckets,
    Fresh,
    Room,
    expand_indices,
    expand_waiting,
    home,
    insert,
    regrow,
    wander,
    wander_indices,
)
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.memory import show_size
from zermelo._runtime.progress import SoFar
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.compiled import CompiledRules, first_position, room_for
from zermelo.rules.faults import integer_of, wrong
from zermelo.tables.solving.job import WAY_OUT, Job

LOAD = 0.75
"""The share of a table's slots that may be taken."""

MIN_TABLE_SLOTS = 1 << 11
"""Slots of a new table."""

GROWTH = 1.7
"""A table that is full grows by this factor."""

BUCKET_SIZE = 1 << 12
"""The number of positions that a bucket has room for, beside the moves of one position."""

SLOTS_PER_LISTED = 256
"""A list of fresh slots has room for one in this many of all slots."""

SHARES = tuple((x, x + 1) for x in range(PARTS))
"""The parts of a table, as intervals of one part each."""

MAX_SERIAL_POSITIONS = 1 << 12
"""While at most this many positions wait, one thread does everything."""

POSITIONS_PER_CALL = 1 << 12
"""Positions that this one thread takes at a time."""

SLOTS_PER_CALL = 1 << 16
"""Slots that a thread visits at a time, where positions have an index."""

MARKED_TOGETHER = 256
"""Indices that are marked together, beside those of one position."""

MAX_SEARCHED_SLOTS = 1 << 20
"""At most this many slots are searched by NumPy."""


def slots_for(count: int, most: int) -> tuple[int, int]:
    """The slots of a table that has grown to hold so many positions, and those before it grew.

    ``most`` is the most moves of a position. The parts of a table never fill up equally, so a real
    table may have grown once more.

    >>> slots_for(10**6, 7)
    (2013824, 1184608)
    """
    slots, before = MIN_TABLE_SLOTS, 0
    while int(LOAD * slots / PARTS) * PARTS < count:
        slots, before = grown(slots, most), slots
    return slots, before


def grown(slots: int, most: int) -> int:
    """The slots of the table that follows one with ``slots`` slots."""
    return PARTS * (int(max(GROWTH * slots, 2 * PARTS * most / LOAD)) // PARTS)


class Exploration(ABC):
    """Explores in rounds: each expands the positions that wait, and finds those of the next."""

    stored_as: str
    """The name of the array in a checkpoint."""

    def __init__(
        self, rules: CompiledRules, job: Job, expand: Kernel[..., Any], wander: Kernel[..., Any]
    ) -> None:
        """``expand`` is the kernel for all threads, and ``wander`` that for one thread."""
        self.rules, self.job = rules, job
        self.array: AnyArray = np.zeros(0, np.int64)
        """Has an element for each slot."""
        self._together, self._alone = bind(expand, rules), bind(wander, rules)
        self.most = room_for(rules, "moves")
        self.parts = np.zeros(PARTS * ROW, np.int64)
        self.waiting = np.zeros(0, np.int64)
        """Slots of positions that wait."""
        self.missed = False
        """Whether there may be waiting positions that are not in ``waiting``."""
        self.expanded = self.moves = 0

    @property
    def slots(self) -> int:
        """How many slots there are to scan."""
        return self.array.size

    @abstractmethod
    def expand_all(self, scanning: bool) -> None:
        """Expand, by all threads, all positions that wait in the list, or in the slots."""

    @abstractmethod
    def unlisted(self) -> Int64Array:
        """The slots of all positions that wait."""

    def state(self) -> dict[str, Any]:
        """What a checkpoint needs."""
        return {"step": "explore", self.stored_as: self.array}

    def make_room(self) -> bool:
        """Make the table larger; return whether that is possible."""
        return False

    @property
    def count(self) -> int:
        """Positions found."""
        return int(self._column(COUNT).sum())

    def _column(self, name: int) -> Int64Array:
        column: Int64Array = self.parts.reshape(PARTS, ROW)[:, name]
        return column

    def run(self) -> None:
        """Follow all moves until no position waits."""
        # Invariant: every position that waits is in the list, or ``missed`` is set.
        while self.waiting.size or self.missed:
            if not self.waiting.size and self.slots <= MAX_SEARCHED_SLOTS:
                self.waiting, self.missed = self.unlisted(), False
            if not self.waiting.size:
                if self.missed:
                    self.missed = False
                    self.expand_all(scanning=True)
            elif self.waiting.size <= MAX_SERIAL_POSITIONS:
                self._wander()
            else:
                self.expand_all(scanning=False)

    def _wander(self) -> None:
        """Continue from few positions, in one thread, until there are many or none."""
        queue, out = (
            np.zeros(4 * MAX_SERIAL_POSITIONS + self.most, np.int64),
            np.zeros(self.most, np.int64),
        )
        n = self.waiting.size
        queue[:n] = self.waiting
        state = np.zeros(ROW, np.int64)
        state[STOP] = n
        while state[HEAD] < state[STOP] and state[STOP] - state[HEAD] <= MAX_SERIAL_POSITIONS:
            before = int(state[HEAD])
            self._alone(self.array, queue, out, self.parts, state, POSITIONS_PER_CALL)
            self._tell(self.expanded + int(state[EXPANDED]))
            if state[HEAD] == before and not self.make_room():
                break
            if state[HEAD] == before:  # the table has grown: the slots have changed
                state[HEAD] = state[STOP]
                self.missed = True
        self.expanded += int(state[EXPANDED])
        self.moves += int(state[MOVES])
        self.waiting = queue[np.arange(state[HEAD], state[STOP]) % queue.size]

    def _tell(self, expanded: int) -> None:
        count = self.count
        self.job.report(expanded, SoFar(count), lambda: self._report(count))
        self.job.save(self.state)

    def _cursor(self, scanning: bool) -> Int64Array:
        """Divide what waits among the slices: the slots, or the list."""
        todo, slices = self.slots if scanning else self.waiting.size, self.job.team.slices
        cursor = np.zeros((slices, ROW), np.int64)
        cuts = np.linspace(0, todo, slices + 1).astype(np.int64)
        cursor[:, HEAD], cursor[:, STOP] = cuts[:-1], cuts[1:]
        return cursor

    def _count(self, cursor: Int64Array) -> None:
        """Add what all slices have done."""
        self.expanded += int(cursor[:, EXPANDED].sum())
        self.moves += int(cursor[:, MOVES].sum())

    def _report(self, count: int) -> str:
        rate = count / max(1e-9, self.job.seconds)
        held = show_size(self.job.held)
        return f"exploring positions, {rate:,.0f}/s, {held}"


class TableExploration(Exploration):
    """Positions in a table of their own, ``array``; one that was saved is explored further."""

    stored_as = "keys"

    def __init__(
        self,
        rules: CompiledRules,
        job: Job,
        keys: Int64Array | None = None,
        ask: Callable[[int, int], bool] | None = None,
    ) -> None:
        """``ask`` is called before the table grows until it returns True, see ``make_room``."""
        super().__init__(rules, job, expand_waiting, wander)
        self._ask = ask
        if keys is None:
            self.array = self._empty(MIN_TABLE_SLOTS)
            first = integer_of(rules, "canonical", first_position(rules))
            first = first_position(rules, first)
            self.array[home(self.array, first)] = ~first
        else:
            self.array = keys
            job.held += keys.nbytes
        taken = (self.array != EMPTY).reshape(PARTS, -1).sum(1)
        self._column(COUNT)[:], self.missed = taken, True
        self._column(CAPACITY)[:] = int(LOAD * self.array.size / PARTS)

    def _empty(self, slots: int) -> Int64Array:
        self.job.require(8 * slots, f"a table of {slots:,} positions", WAY_OUT)
        self.job.held += 8 * slots
        return np.full(slots, EMPTY, np.int64)

    def expand_all(self, scanning: bool) -> None:
        """Expand into buckets, then put these into the table, until no position waits."""
        slices = self.job.team.slices
        room, listed = self.most + BUCKET_SIZE, max(256, self.slots // SLOTS_PER_LISTED)
        fresh = np.zeros(PARTS * listed, np.int64)
        content = np.zeros(slices * PARTS * room, np.int64)
        buckets = Buckets(content, np.zeros(slices * PARTS, np.int64), room)
        outs = [np.zeros(self.most, np.int64) for _ in range(slices)]
        cursor = self._cursor(scanning)
        flat, slots = cursor.reshape(-1), self.slots
        self._column(FRESH)[:] = 0
        self._column(OVERFLOW)[:] = 0
        while self.slots == slots and (cursor[:, HEAD] < cursor[:, STOP]).any():
            calls = [
                (self.array, self.waiting, outs[s], buckets, flat, s, scanning)
                for s in range(slices)
            ]
            self.job.team.run(self._together, calls)
            self._column(SLICE)[:] = self._column(TAKEN)[:] = 0
            self.insert([(buckets, Fresh(fresh, listed), self.parts, x) for x in SHARES])
            self._tell(self.expanded + int(cursor[:, EXPANDED].sum()))
        self._count(cursor)
        if self.slots == slots:
            lengths = self._column(FRESH)
            self.missed |= bool(self._column(OVERFLOW).any())
            rows = [fresh[x * listed : x * listed + lengths[x]] for x in range(PARTS)]
            self.waiting = np.concatenate(rows)
        else:
            self.missed, self.waiting = True, np.zeros(0, np.int64)

    def insert(self, calls: list[tuple[Any, ...]]) -> None:
        """Insert buckets; the table grows as needed."""
        fill = calls[0][0].fill
        self.job.team.run(insert, [(self.array, *call) for call in calls])
        while (self._column(SLICE) * PARTS < fill.size).any():
            self.make_room()
            self.job.team.run(insert, [(self.array, *call) for call in calls])

    def unlisted(self) -> Int64Array:
        """The slots that hold the inverse of a position."""
        slots: Int64Array = np.flatnonzero((self.array < 0) & (self.array != EMPTY))
        return slots

    def make_room(self) -> bool:
        """A larger table; ``ask`` gets the bytes of this one and of the larger one."""
        old, slots = self.array, grown(self.array.size, self.most)
        if self._ask is not None and self._ask(old.nbytes, 8 * slots):
            self._ask = None
        self.array = self._empty(slots)
        shares = SHARES if old.size > MAX_SERIAL_POSITIONS else ((0, PARTS),)
        self.job.team.run(regrow, [(old, self.array, x) for x in shares])
        self.job.held -= old.nbytes
        self._column(CAPACITY)[:] = int(LOAD * self.array.size / PARTS)
        return True


class IndexExploration(Exploration):
    """Marks in an array with an element for each index; one that was saved is explored further."""

    stored_as = "entry"

    def __init__(self, rules: CompiledRules, job: Job, entry: AnyArray, *, saved: bool) -> None:
        super().__init__(rules, job, expand_indices, wander_indices)
        self.array = entry
        if not saved:
            first = integer_of(rules, "rank", first_position(rules))
            if not 0 <= first < entry.size:
                expected = f"expected an index from 0 to {entry.size - 1}"
                raise wrong(rules, "rank", f"{expected}, got {first}", first_position(rules))
            entry[first] = WAITING
        self._column(COUNT)[0], self.missed = np.count_nonzero(entry), True

    def expand_all(self, scanning: bool) -> None:
        """Expand and mark in one step, until all that wait have been expanded."""
        slices, cursor = self.job.team.slices, self._cursor(scanning)
        listed = max(256, self.slots * PARTS // (SLOTS_PER_LISTED * slices))
        fresh = Fresh(np.zeros(slices * listed, np.int64), listed)
        rooms = [
            Room(np.zeros(self.most, np.int64), np.zeros(MARKED_TOGETHER + self.most, np.int64))
            for _ in range(slices)
        ]
        flat, before = cursor.reshape(-1), self.count
        plan = SLOTS_PER_CALL, scanning
        while (cursor[:, HEAD] < cursor[:, STOP]).any():
            calls = [
                (self.array, self.waiting, rooms[s], fresh, flat, s, plan)
                for s in range(slices)
                if cursor[s, HEAD] < cursor[s, STOP]
            ]
            self.job.team.run(self._together, calls)
            self._column(COUNT)[0] = before + cursor[:, FOUND].sum()
            self._tell(self.expanded + int(cursor[:, EXPANDED].sum()))
        self._count(cursor)
        self.missed |= bool((cursor[:, FOUND] > cursor[:, ON_LIST]).any())
        rows = zip(fresh.slots.reshape(slices, listed), cursor[:, ON_LIST], strict=True)
        self.waiting = np.concatenate([row[:length] for row, length in rows])

    def unlisted(self) -> Int64Array:
        """The indices that are marked as waiting."""
        indices: Int64Array = np.flatnonzero(self.array == WAITING)
        return indices
