"""The positions that play reaches, as the workers of a cluster find them.

A partition owns the keys with a certain hash. Layers are those of a breadth-first search. In a
step, a partition gets messages with keys, drops those that it knows, and follows the moves of the
new positions. The keys that moves lead to are sent to their partitions, sorted and without
repetitions. So the state of a partition is the set of its keys, and those that are new in the last
step; the messages of this step can be computed again from these.

At the end all keys are sorted: a partition *cuts* its keys at given bounds, and another task
*joins* the pieces between two bounds.
"""

from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from zermelo._kernels.positions.shares import CAPACITY, FOUND, TOP
from zermelo.engines.cluster import messages
from zermelo.engines.cluster.messages import LostMessages, Outbox, PackedMessages
from zermelo.engines.cluster.stepping_worker import Past, Resend, Step, SteppingRun
from zermelo.engines.cluster.worker import Outcome, RunInfo, WorkerTask
from zermelo.engines.partitions.messages import pack_arrays, unpack_arrays
from zermelo.engines.partitions.partition import Report
from zermelo.engines.tiers.key_ranges import MAX_LOAD, MIN_SLOTS, Slots
from zermelo.labels import LARGEST_POSITION, AnyArray, Int64Array

MULTIPLIER = np.uint64(0xD1B54A32D192ED03)
"""An odd number; its products spread keys over the partitions."""

INSERTED_KEYS = 1 << 16
"""Keys that are put into the hash table at a time."""

RECORD_KEYS = 1 << 20
"""Keys of a record."""

SAMPLED_KEYS = 1 << 10
"""Keys that a partition shows to the driver, which chooses the bounds of the sorted pieces."""


def owner_of(keys: Int64Array, partitions: int) -> AnyArray:
    """The partition that owns each key.

    >>> owner_of(np.arange(8), 3).tolist()
    [0, 2, 2, 0, 0, 1, 0, 0]
    """
    mixed = (keys.view(np.uint64) ^ (keys.view(np.uint64) >> np.uint64(31))) * MULTIPLIER
    return ((mixed >> np.uint64(33)) % np.uint64(partitions)).astype(np.int16)


def distinct(keys: Int64Array) -> Int64Array:
    """The keys, sorted and each once; for millions of keys faster than ``np.unique``.

    >>> distinct(np.array([5, 2, 5])).tolist()
    [2, 5]
    """
    ordered = np.sort(keys)
    first = np.ones(ordered.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    result: Int64Array = ordered[first]
    return result


class ExploringData(NamedTuple):
    """What the tasks of exploring need."""

    partitions: int
    piece: int
    """Moves that are generated at a time."""


class Cut(NamedTuple):
    """Divide the keys of a partition at these bounds; without bounds, show some of them."""

    bounds: tuple[int, ...] | None


class Join(NamedTuple):
    """Sort the pieces of all partitions, or mark the indices from ``low`` to ``high`` − 1."""

    inbox: tuple[PackedMessages, ...]
    marks: tuple[int, int] | None


class KnownKeys:
    """A set of keys, and those that are new in the last step.

    >>> known = KnownKeys()
    >>> known.add(np.array([5, 2, 5])).tolist(), known.add(np.array([2, 9])).tolist()
    ([5, 2], [9])
    >>> len(known), known.sorted().tolist()
    (3, [2, 5, 9])
    """

    def __init__(self) -> None:
        self._table = Slots(0, LARGEST_POSITION + 1, "")
        self._table.content = self._table.sized(MIN_SLOTS)
        self._stack = np.zeros(INSERTED_KEYS, np.int64)
        self.fresh, self.depth = np.empty(0, np.int64), -1
        """The keys that are new in the last step, and the depth of this step."""

    def __len__(self) -> int:
        return self._table.found

    def add(self, keys: Int64Array) -> Int64Array:
        """Put keys into the set; return those that are new, in the same order."""
        table, fresh = self._table, [np.empty(0, np.int64)]
        for at in range(0, keys.size, INSERTED_KEYS):
            piece = keys[at : at + INSERTED_KEYS]
            if table.state[FOUND] + piece.size > table.state[CAPACITY]:
                needed = int((table.found + piece.size) / MAX_LOAD) + 1
                table.refill(table.packed(), max(needed, 2 * table.array.size))
            table.state[TOP] = 0
            table.put(table.array, piece, self._stack, table.state)
            fresh.append(~table.array[self._stack[: int(table.state[TOP])]])
        return np.concatenate(fresh)

    def unsorted(self) -> Int64Array:
        """All keys, in no order."""
        return self._table.packed()

    def sorted(self) -> Int64Array:
        """All keys, increasing."""
        return np.concatenate([np.empty(0, np.int64), *self._table.keys()])


class ExploringRun(SteppingRun):
    """Partitions of keys, which find new positions."""

    stage = "explore"
    resends_earlier = False

    def __init__(self, info: RunInfo) -> None:
        super().__init__(info)
        self.source = self.rules_source()

    def first(self, q: int, past: Past) -> KnownKeys:
        """The keys of the last snapshot; none in the beginning."""
        known = KnownKeys()
        if past.states is not None:
            last = self.load(past.states["fresh"], np.int64)
            known.depth, known.fresh = int(last[0]), last[1:]
            known.add(self.load(past.states["known"], np.int64))
        return known

    def arrays(self, state: KnownKeys) -> dict[str, AnyArray]:
        """The depth of the last step with its new keys, and all keys."""
        last = np.concatenate([np.array([state.depth], np.int64), state.fresh])
        return {"fresh": last, "known": state.unsorted()}

    def decoded(self, q: int, record: bytes, source: int) -> Int64Array:
        """The keys of a record."""
        return unpack_arrays(record)[0]

    def take_step(self, state: KnownKeys, step: Step, outbox: Outbox | None) -> Outcome:
        """Take the keys of the messages, and follow the moves of those that are new."""
        q, depth = step.task.partition, step.task.depth
        found = [state.add(keys) for keys in self.read(q, step.inbox)]
        state.fresh, state.depth = np.sort(np.concatenate([np.empty(0, np.int64), *found])), depth
        receivers = set() if outbox is None else self._follow(state.fresh, outbox, None)
        report = Report(q, depth, False, tuple(sorted(receivers)))
        return Outcome(report=report, settled=state.fresh.size)

    def resend(self, q: int, state: KnownKeys, work: Resend, outbox: Outbox) -> Outcome:
        """Send the keys of a step again, if this was the last one of the partition."""
        fresh = state.fresh if state.depth == work.depth else state.fresh[:0]
        receivers = self._follow(fresh, outbox, work.receiver)
        report = Report(q, work.depth, False, tuple(sorted(receivers)))
        return Outcome(report=report, settled=len(state))

    def _follow(self, keys: Int64Array, outbox: Outbox, to: int | None) -> set[int]:
        """Send the keys that moves lead to, to all partitions or to one; return who gets some."""
        size, piece = self.info.data
        receivers: set[int] = set()
        # The array of a piece has room for all moves of its positions, up to ``piece`` of them.
        for start in range(0, keys.size, piece):
            for _, count, listed in self.source.listed(keys[start : start + piece], piece):
                targets = distinct(listed.targets[: int(listed.indptr[count])])
                owner = owner_of(targets, size)
                targets = targets[np.argsort(owner, kind="stable")]
                stop = np.cumsum(np.bincount(owner, minlength=size)).tolist()
                for q, (low, high) in enumerate(zip([0, *stop], stop, strict=False)):
                    if low < high and to in (None, q):
                        outbox.send(q, pack_arrays(targets[low:high]))
                        receivers.add(q)
        return receivers

    # ---------------------------------------------------------------- sorting

    def other(self, task: WorkerTask, state: KnownKeys) -> Outcome:
        """Show some keys of a partition, or divide all of them at the bounds."""
        q, bounds = task.partition, task.work.bounds
        if bounds is None:
            keys = state.unsorted()
            return Outcome(result=keys[:: max(1, keys.size // SAMPLED_KEYS)].copy())
        keys = state.sorted()
        cuts = np.searchsorted(keys, np.array(bounds, np.int64)).tolist()
        with Outbox(self.job, f"cut-{q}", messages.MAX_INLINE_BYTES) as outbox:
            for r, (low, high) in enumerate(zip([0, *cuts], [*cuts, keys.size], strict=True)):
                for at in range(low, high, RECORD_KEYS):
                    outbox.send(r, pack_arrays(keys[at : min(at + RECORD_KEYS, high)]))
            return Outcome(messages=outbox.close(q, 1, 0))

    def perform(self, task: WorkerTask) -> Outcome:
        """Do what the task says; joining needs no state."""
        if not isinstance(task.work, Join):
            return super().perform(task)
        try:
            return Outcome(result=self._join(task.partition, task.work))
        except LostMessages:
            return Outcome(lost=self.lost(task.partition, task.work.inbox))

    def _join(self, q: int, work: Join) -> Any:
        """Write the sorted keys, or the marks, of an interval."""
        content, result = self.read(q, work.inbox), np.empty(0, np.int64)
        if work.marks is None:
            result = np.concatenate([result, *content])
            result.sort()
        else:
            low, high = work.marks
            result = np.zeros(high - low, np.uint8)
            for keys in content:
                result[keys - low] = 1
        return self.job.write(f"joined-{q}-{uuid4().hex[:12]}", [result], result.nbytes)
