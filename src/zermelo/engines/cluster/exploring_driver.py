"""Exploring on a cluster, as the driver sees it; see :mod:`.exploring_worker`.

The driver knows which keys each shelf has found in which round, as parcels, and the parcels of keys
on their way to the next round. A checkpoint is the list of the files of all that was found. The
keys on their way are not part of it: they are computed again from what the last round found.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from zermelo._runtime.progress import SoFar
from zermelo.engines.cluster.connection import Connection
from zermelo.engines.cluster.exploring_worker import (
    Again,
    Cut,
    Join,
    ShelfOrder,
    ShelfOutcome,
    Visit,
    perform_on_shelf,
    shelf_of,
)
from zermelo.engines.cluster.messages import Outgoing, Parcel
from zermelo.engines.cluster.orders import Crew
from zermelo.engines.cluster.rules_transfer import Given, pack_given
from zermelo.engines.moves.prepare import Tick
from zermelo.engines.partitions.columns import pack_columns, unpack_columns
from zermelo.engines.partitions.job import Job
from zermelo.engines.partitions.journal import Pace
from zermelo.engines.partitions.records import EXPLORED, Seal, whole
from zermelo.labels import AnyArray, Int64Array

HELD = 1 << 26
"""Bytes of new keys that the driver keeps; then it takes a checkpoint."""

MOST_SHELVES = 1 << 12


def _stored_parcel(q: int, depth: int, file: str, places: list[list[int]]) -> Parcel:
    """The new keys of a shelf, from the record of a checkpoint."""
    at = [tuple(whole(x, f"shelves, {q}, found") for x in place) for place in places]
    return Parcel(q, q, 0, depth, (), file, tuple((start, length) for start, length in at))


class ClusterExploration:
    """Finds all positions by the workers; ``given`` is what they are sent."""

    def __init__(
        self,
        job: Job,
        connection: Connection,
        given: Given,
        piece: int,
        shelves: int | None,
        tick: Tick = None,
        snapshot_rounds: int | None = None,
    ) -> None:
        """``piece`` is the number of moves that a worker generates at a time."""
        self.job, self.tick, self.piece = job, tick, piece
        self.crew = Crew(job, connection, pack_given(given), given.rules)
        size = 2 * self.crew.threads if shelves is None else shelves
        self._empty(min(size, MOST_SHELVES))
        self._pace = Pace(snapshot_rounds)
        self.round = self.snapshots = self.rebuilt = self.recovered = 0
        self.resumed = False
        self._held = 0

    def _empty(self, size: int) -> None:
        self.size = size
        self._found: list[list[Parcel]] = [[] for _ in range(size)]
        self._counts = [0] * size
        self._numbers = [0] * size
        self._known: set[int] = set(range(size))
        """The shelves that should be in the cache of a worker; empty ones need not be."""

    @property
    def found(self) -> int:
        """How many positions were found."""
        return sum(self._counts)

    # ---------------------------------------------------------------- orders

    def _order(self, q: int, task: Any) -> ShelfOrder:
        order = ShelfOrder(self.crew.desk, self.size, self.piece, q, self._numbers[q], task)
        needs_keys = isinstance(task, Visit | Cut)
        empty = not self._found[q]
        if needs_keys and (empty or q not in self._known):
            order = order._replace(known=tuple(self._found[q]))
        return order

    def _perform(self, orders: list[ShelfOrder]) -> list[ShelfOutcome]:
        """Carry out orders; shelves that were lost are built again, lost keys are sent again."""
        done: dict[int, ShelfOutcome] = {}
        waiting = orders
        while waiting:
            again = []
            outcomes = self.crew.perform(perform_on_shelf, waiting)
            for order, outcome in zip(waiting, outcomes, strict=True):
                q = order.partition
                written = (*outcome.found, *outcome.parcels)
                self.job.place.know(parcel.file for parcel in written if parcel.file)
                if not outcome.missing and not outcome.lost:
                    done[q] = outcome
                    continue
                if outcome.lost:
                    order = self._replace(order, outcome.lost)
                if isinstance(order.task, Visit | Cut):
                    self.rebuilt += 1
                    order = order._replace(known=tuple(self._found[q]))
                again.append(order)
            waiting = again
        return [done[order.partition] for order in orders]

    def _replace(self, order: ShelfOrder, lost: Iterable[Parcel]) -> ShelfOrder:
        """The order with new parcels for those that were lost; their sources write them again."""
        task = order.task
        assert isinstance(task, Visit | Join)
        inbox = list(task.inbox)
        for parcel in lost:
            self.crew.lost(parcel.key)
            again: Any
            if isinstance(task, Visit):
                found = [x for x in self._found[parcel.source] if x.depth == parcel.depth]
                again = Again(parcel.depth, tuple(found), parcel.receiver)
            else:
                again = Cut(self._bounds)
            (outcome,) = self._perform([self._order(parcel.source, again)])
            inbox = [x for x in inbox if x.key != parcel.key]
            inbox += [x for x in outcome.parcels if x.receiver == parcel.receiver]
            self.recovered += 1
        return order._replace(task=task._replace(inbox=tuple(inbox)))

    # ---------------------------------------------------------------- rounds

    def run(self, first: int) -> None:
        """Follow all moves from the position with the key ``first``, or go on from a checkpoint."""
        inbox = self._resume()
        if inbox is None:
            self._remove("found-*")
            key = np.array([first], np.int64)
            start = int(shelf_of(key, self.size)[0])
            parcel = Parcel(start, start, 0, -1, (pack_columns(key),), "", ())
            inbox = {start: [parcel]}
        while inbox:
            inbox = self._take_round(inbox)
            self.round += 1
            if self.tick is not None:
                found = self.found
                self.tick(found, SoFar(found), "exploring positions")
            if self._pace.due() or self._held > HELD:
                self._checkpoint()
        self._remove("keys-*.log")

    def _take_round(self, inbox: dict[int, list[Parcel]]) -> dict[int, list[Parcel]]:
        """Let all shelves that got keys take them; return the keys for the next round."""
        orders = [
            self._order(q, Visit(self.round, tuple(parcels)))
            for q, parcels in sorted(inbox.items())
        ]
        following: dict[int, list[Parcel]] = {}
        for order, outcome in zip(orders, self._perform(orders), strict=True):
            q = order.partition
            self._numbers[q] += 1
            self._counts[q] += outcome.positions
            self._known.add(q)
            self._found[q] += outcome.found
            self._held += sum(parcel.size for parcel in outcome.found if not parcel.file)
            for parcel in outcome.parcels:
                following.setdefault(parcel.receiver, []).append(parcel)
        kept = {parcel.file for parcels in following.values() for parcel in parcels}
        self._remove("keys-*.log", kept)
        return following

    def _remove(self, pattern: str, kept: Iterable[str] = ()) -> None:
        """Remove files of the job, except those that are named."""
        self.job.place.retain(pattern, kept)

    # ---------------------------------------------------------------- checkpoints

    def _checkpoint(self) -> None:
        """Write what the driver holds, and the list of all files of found keys."""
        begun = time.monotonic()
        self.snapshots += 1
        last = self.round - 1
        for q in range(self.size):
            self._found[q] = self._stored(q, last)
        rows = [
            {"count": count, "found": [[x.depth, x.file, x.records] for x in found]}
            for count, found in zip(self._counts, self._found, strict=True)
        ]
        self.job.save(EXPLORED, {"round": last, "shelves": rows})
        self._remove("found-*", {x.file for found in self._found for x in found})
        self._held = 0
        self.crew.balance()
        self._pace.taken(begun)

    def _stored(self, q: int, last: int) -> list[Parcel]:
        """The parcels of a shelf with those that the driver holds in a file; the last round apart.

        All earlier rounds are needed only together.
        """
        result = [parcel for parcel in self._found[q] if parcel.file]
        held = [parcel for parcel in self._found[q] if not parcel.file]
        for part, depth in (
            ([x for x in held if x.depth != last], -1),
            ([x for x in held if x.depth == last], last),
        ):
            keys = [unpack_columns(content)[0] for x in part for content in x.content]
            if keys:
                with Outgoing(self.job, f"found-{q}-{self.snapshots}", 0) as outgoing:
                    outgoing.send_record(q, pack_columns(np.concatenate(keys)))
                    result += outgoing.close(q, 0, depth)
        self.job.adopt(parcel.file for parcel in result)
        return result

    def _resume(self) -> dict[int, list[Parcel]] | None:
        """Go back to the last checkpoint, and compute the keys that were on their way."""
        record = self.job.record(EXPLORED)
        if record is None or "round" not in record:  # none, or one of another engine
            return None
        with self.job.reading(EXPLORED):
            size = whole(len(record["shelves"]), "shelves", 1, MOST_SHELVES)
            self._empty(size)
            self._known.clear()
            self.round, self.resumed = whole(record["round"], "round") + 1, True
            for q, row in enumerate(record["shelves"]):
                self._counts[q] = whole(row["count"], f"shelves, {q}, count")
                self._found[q] = [_stored_parcel(q, *stored) for stored in row["found"]]
        self._remove("found-*", {x.file for found in self._found for x in found})
        orders = []
        for q in range(self.size):
            last = tuple(x for x in self._found[q] if x.depth == self.round - 1)
            if last:
                orders.append(self._order(q, Again(self.round - 1, last, None)))
        inbox: dict[int, list[Parcel]] = {}
        for outcome in self._perform(orders):
            for parcel in outcome.parcels:
                inbox.setdefault(parcel.receiver, []).append(parcel)
        return inbox

    # ---------------------------------------------------------------- results

    def sorted_keys(self) -> Iterator[Int64Array]:
        """The keys of all positions, sorted, in pieces."""
        samples: list[Int64Array] = [np.empty(0, np.int64)]
        orders = [self._order(q, Cut(None)) for q in range(self.size) if self._counts[q]]
        for outcome in self._perform(orders):
            assert outcome.sample is not None
            samples.append(outcome.sample)
        sample = np.sort(np.concatenate(samples))
        places = np.arange(1, self.size) * sample.size // self.size
        for piece in self._joined(tuple(sample[places].tolist()), None):
            yield piece.view(np.int64)

    def marks(self, size: int) -> Iterator[AnyArray]:
        """The marks of all indices in order, in pieces; 1 where a position was found."""
        bounds = [k * size // self.size for k in range(self.size + 1)]
        yield from self._joined(tuple(bounds[1:-1]), bounds)

    def _joined(self, bounds: tuple[int, ...], marks: list[int] | None) -> Iterator[AnyArray]:
        """Let shelves cut their keys at bounds, and let others join the pieces; in bytes."""
        self._bounds = bounds
        inbox: list[list[Parcel]] = [[] for _ in range(self.size)]
        orders = [self._order(q, Cut(bounds)) for q in range(self.size) if self._counts[q]]
        for outcome in self._perform(orders):
            for parcel in outcome.parcels:
                inbox[parcel.receiver].append(parcel)
        orders = [
            self._order(
                r, Join(tuple(parcels), None if marks is None else (marks[r], marks[r + 1]))
            )
            for r, parcels in enumerate(inbox)
        ]
        files: list[Seal] = []
        for outcome in self._perform(orders):
            assert outcome.file is not None
            files.append(outcome.file)
            self.job.place.know([outcome.file[0]])
        self._remove("cut-*.log")
        for file in files:
            for piece in self.job.pieces(file):
                yield np.frombuffer(piece, np.uint8)
            self.job.place.remove(file[0])

    def statistics(self) -> dict[str, Any]:
        """What the exploration took."""
        return {
            "positions": self.found,
            "shelves": self.size,
            "rounds": self.round,
            "recovered": self.recovered,
            "rebuilt": self.rebuilt,
            "snapshots": self.snapshots,
            "resumed": self.resumed,
        }

    def clear(self) -> None:
        """Remove all files of the exploration."""
        for pattern in ("found-*", "keys-*.log", "cut-*.log", "joined-*"):
            self._remove(pattern)
        self.crew.close()
