"""One partition: its state, and the step that the program takes with it at each distance.

A step is a function of the state of the partition and of the messages to it. It gives a new state
and messages to other partitions, and nothing else is read or written. So an executor may run it
anywhere, and run it again.

**The state** is a status and a value for each situation. It also says which situations were settled
in a phase at a distance. So the messages of any layer can be computed again from the state, then or
later: :meth:`Partition.messages_again`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal.partitioned import (
    ALONE,
    BUDGET,
    CURSOR_SIZE,
    DEPTH,
    FILLED,
    LAST,
    LEFT_HEAD,
    LEFT_STOP,
    LEFT_TAIL,
    MESSAGES_ONLY,
    ONE_LAYER,
    OUTBOX_FULL,
    RIGHT_HEAD,
    RIGHT_STOP,
    RIGHT_TAIL,
    Outbox,
    Places,
    Share,
    Sorted,
    Wave,
    combine,
    deliver,
    enqueue,
    expand,
    find_layer,
)
from zermelo.engines.jobs.records import Malformed, check_range
from zermelo.engines.moves.unmoves import Unmoves
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.messages import Batch
from zermelo.engines.partitions.terms import Terms
from zermelo.labels import AnyArray, Int32Array, Int64Array

Send = Callable[[int, Batch], object]
"""Called with the partition that a batch goes to, and the batch."""

Read = Callable[[str, "np.dtype[Any]", int], AnyArray]
"""Called with the name of an array, its type and its size; gives the array."""

STEPS = 1 << 24
"""Moves that a partition may handle in one step while no other partition has anything to do."""

SCAN = 1 << 16
"""Situations that are looked through at a time to find a layer again."""

FAR = 1 << 31
"""A distance beyond all others."""

BUFFER_BYTES = 17
"""Memory for each message of the buffers."""


class Task(NamedTuple):
    """What one partition has to do in a layer."""

    partition: int
    phase: int
    depth: int
    """The distance of the situations to be expanded."""
    alone: bool
    """Whether no other partition has anything to do; then several layers may be done at once."""
    last: int = FAR
    """The last distance that may be done at once."""


class Report(NamedTuple):
    """What became of a task."""

    partition: int
    depth: int
    """The distance of the last layer that was expanded."""
    waiting: bool
    """Whether the partition has situations for the next layer already."""
    receivers: tuple[int, ...]
    """The partitions that messages were sent to."""


class Buffers:
    """Arrays for the messages of one step; a worker needs one such set for all its partitions."""

    def __init__(self, division: Division, shift: int, capacity: int) -> None:
        streams = 2 * division.size
        self.outbox = Outbox(
            np.empty(capacity, np.int32), np.empty(capacity, np.int32), np.zeros(streams, np.int64)
        )
        self.place = np.empty(streams, np.int64)
        self.near = np.empty(capacity, np.int32)
        self.marks = np.zeros(division.largest << shift, np.uint8)
        self.sorted = Sorted(
            np.empty(capacity, np.int32),
            np.empty(capacity, np.uint8),
            np.empty(streams, np.int64),
            np.empty(streams, np.int64),
        )
        self.written = self.sent = 0
        """The numbers of messages before and after those to one situation were added up."""

    def flush(self, source: int, filled: int, send: Send) -> set[int]:
        """Combine the messages of the outbox and send them; the partitions that get some."""
        combine(self.outbox, filled, self.place, self.near, self.marks, self.sorted)
        out, receivers = self.sorted, set()
        self.written += filled
        for k in np.flatnonzero(out.start < out.stop).tolist():
            stretch = slice(int(out.start[k]), int(out.stop[k]))
            receivers.add(k >> 1)
            self.sent += stretch.stop - stretch.start
            send(
                k >> 1, Batch(source, k & 1, out.target[stretch].copy(), out.counts[stretch].copy())
            )
        return receivers


class Partition:
    """The arrays of one partition, in memory or mapped from files."""

    def __init__(
        self,
        places: Places,
        share: Share,
        predecessors: "Moves | Unmoves",
        cursor: Int64Array,
    ) -> None:
        """``predecessors`` has a row for each position, or generates those of some positions."""
        self.places, self.share, self.predecessors, self.cursor = (
            places,
            share,
            predecessors,
            cursor,
        )

    @classmethod
    def of_files(
        cls,
        division: Division,
        terms: Terms,
        q: int,
        moves: "int | Unmoves",
        read: Read,
        cursor: Int64Array,
    ) -> "Partition":
        """A partition with so many reverse moves, whose arrays ``read`` takes from files."""
        positions = division.count(q)
        size = positions << terms.shift
        share = Share(
            read("status", np.dtype(np.int32), size),
            read("level", terms.code_type, size),
            read("queue", np.dtype(np.int32), size),
        )
        if isinstance(moves, Unmoves):
            return cls(division.places(q), share, moves, cursor)
        predecessors = Moves(
            read("indptr", np.dtype(np.int64), positions + 1),
            read("indices", np.dtype(np.int32), moves),
        )
        return cls(division.places(q), share, predecessors, cursor)

    @staticmethod
    def new_cursor() -> Int64Array:
        """The cursor of a partition that has nothing in its queue."""
        return np.zeros(CURSOR_SIZE, np.int64)

    def check(self, n: int, levels: int, ends: Int32Array) -> None:
        """Refuse arrays from files that no kernel may index with.

        ``n`` and ``levels`` are the numbers of positions and of payoffs of the game.
        """
        check_range(self.share.level, 0, levels, "values")
        check_range(ends, 0, self.share.status.size, "ends")
        settled = self.share.status < 0
        once = np.count_nonzero(settled)
        settled[ends] = False
        if once - np.count_nonzero(settled) != ends.size:  # else the queue would not suffice
            raise Malformed("ends: expected situations that are settled, each once")
        if isinstance(self.predecessors, Moves):
            indptr, indices = self.predecessors
            if indptr[0] != 0 or indptr[-1] != len(indices):
                raise Malformed(f"moves: expected rows from 0 to {len(indices):,}")
            check_range(indptr, 0, len(indices) + 1, "moves, rows", rising=True)
            check_range(indices, 0, n, "moves")

    @property
    def waiting(self) -> bool:
        """Whether there are situations in the queue that were not expanded."""
        c = self.cursor
        return bool(c[LEFT_HEAD] < c[LEFT_TAIL] or c[RIGHT_HEAD] < c[RIGHT_TAIL])

    def begin(self, seeds: Int32Array, wave: Wave) -> None:
        """Begin a phase with the ends of play that belong to it."""
        enqueue(self.share, seeds, wave, self.cursor)

    def step(
        self, task: Task, wave: Wave, inbox: Iterable[Batch], send: Send, buffers: Buffers
    ) -> Report:
        """Settle what the messages decide, and expand all situations of this distance.

        Batches of side 0 and 1 may come in any order.
        """
        cursor = self.cursor
        cursor[DEPTH], cursor[BUDGET], cursor[LAST] = task.depth, STEPS, task.last
        for batch in inbox:
            deliver(self.share, batch.targets, batch.counts, batch.side, wave, cursor)
        self._end_layer()
        receivers = self._expand(wave, send, buffers, ALONE if task.alone else ONE_LAYER)
        return Report(task.partition, int(cursor[DEPTH]), self.waiting, tuple(sorted(receivers)))

    def _end_layer(self) -> None:
        """All situations that are in the queue now belong to the layer to be expanded."""
        cursor = self.cursor
        cursor[LEFT_STOP], cursor[RIGHT_STOP] = cursor[LEFT_TAIL], cursor[RIGHT_TAIL]

    def _expand(self, wave: Wave, send: Send, buffers: Buffers, mode: int) -> set[int]:
        """Expand the present layer, or perhaps more in the mode ALONE; return who gets messages."""
        if not isinstance(self.predecessors, Unmoves):
            return self._expand_rows(self.predecessors, -1, wave, send, buffers, mode)
        cursor = self.cursor
        while True:
            receivers = self._expand_generated(self.predecessors, wave, send, buffers, mode)
            end = mode != ALONE or bool(receivers) or not self.waiting
            if end or cursor[DEPTH] >= cursor[LAST] or cursor[BUDGET] < 0:
                return receivers
            cursor[DEPTH] += 1
            self._end_layer()

    def _expand_generated(
        self, unmoves: Unmoves, wave: Wave, send: Send, buffers: Buffers, mode: int
    ) -> set[int]:
        """Expand the present layer; the predecessors of a stretch of a front at a time."""
        cursor, queue = self.cursor, self.share.queue
        first, receivers = int(self.places.first[self.places.own]), set()
        mode = ONE_LAYER if mode == ALONE else mode
        stops = int(cursor[LEFT_STOP]), int(cursor[RIGHT_STOP])
        cursor[RIGHT_STOP] = cursor[RIGHT_HEAD]
        for side, head, stop in ((0, LEFT_HEAD, LEFT_STOP), (1, RIGHT_HEAD, RIGHT_STOP)):
            while (at := int(cursor[head])) < stops[side]:
                front = queue[::-1] if side else queue
                rows = unmoves.rows(front[at : stops[side]], first)
                cursor[stop] = at + len(rows.indptr) - 1
                cursor[BUDGET] -= len(rows.indices) + len(rows.indptr)
                receivers |= self._expand_rows(rows, at, wave, send, buffers, mode)
        return receivers

    def _expand_rows(
        self, rows: Moves, listed: int, wave: Wave, send: Send, buffers: Buffers, mode: int
    ) -> set[int]:
        """Expand until the stops of the cursor, by the rows of all positions or of a stretch."""
        receivers: set[int] = set()
        outcome = OUTBOX_FULL
        while outcome == OUTBOX_FULL:
            self.cursor[FILLED] = 0
            outcome = expand(
                self.share,
                rows,
                self.places,
                wave,
                buffers.outbox,
                self.cursor,
                mode,
                listed,
            )
            filled = int(self.cursor[FILLED])
            if filled:
                receivers |= buffers.flush(self.places.own, filled, send)
                mode = ONE_LAYER if mode == ALONE else mode
        return receivers

    # ---------------------------------------------------------------- after a loss

    def layer(self, wave: Wave, depth: int) -> Iterator[Int32Array]:
        """The situations that a phase settled at a distance, in pieces."""
        found = np.empty(SCAN, np.int32)
        size = self.share.status.size
        for first in range(0, size, SCAN):
            stop = min(first + SCAN, size)
            kept = find_layer(self.share, depth, wave, first, stop, found)
            if kept:
                yield found[:kept].copy()

    def wait_again(self, wave: Wave, depth: int) -> None:
        """Put into an empty queue the situations of a distance, which were settled early."""
        for seeds in self.layer(wave, depth):
            enqueue(self.share, seeds, wave._replace(agree=0), self.cursor)

    def messages_again(
        self, wave: Wave, depth: int, send: Send, buffers: Buffers, to: int | None = None
    ) -> set[int]:
        """Send the messages of a layer once more, to all partitions or to one of them.

        The state does not change, and it may have advanced to later layers.
        """

        def chosen(receiver: int, batch: Batch) -> None:
            if to is None or receiver == to:
                send(receiver, batch)

        receivers: set[int] = set()
        for seeds in self.layer(wave, depth):
            queue = Share(self.share.status, self.share.level, np.empty(seeds.size, np.int32))
            copy = Partition(self.places, queue, self.predecessors, self.new_cursor())
            copy.begin(seeds, wave._replace(agree=0))
            copy._end_layer()
            receivers |= copy._expand(wave, chosen, buffers, MESSAGES_ONLY)
        return receivers if to is None else receivers & {to}
