"""Exploring on a cluster, as a worker sees it: the orders of the driver, each for one shelf.

A shelf owns the keys with a certain hash. Rounds are the layers of a breadth-first search. In a
round, a shelf gets parcels of keys, drops those that it knows, writes the others to a file, and
follows the moves of these new positions. The keys that moves lead to are sent to their shelves:
sorted, without repetitions, in files of the job or, if they are few, with the report.

The new keys of all rounds are the whole state of a shelf. So every order is a function of files:
the known keys are those of the earlier rounds, and the keys that a round has sent can be computed
again from the new keys of this round. The hash table of known keys that a worker holds is a cache.

At the end all keys are sorted: a shelf *cuts* its keys at given bounds, and another order *joins*
the pieces between two bounds.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from zermelo._kernels.positions.shares import FOUND, MOST, TOP
from zermelo.engines.cluster import messages as parcels
from zermelo.engines.cluster.messages import LostParcel, Outgoing, Parcel, records
from zermelo.engines.cluster.orders import Bench, Desk, bench_of
from zermelo.engines.cluster.rules_transfer import Given, unpack_given
from zermelo.engines.cluster.worker import worker_address
from zermelo.engines.moves.rules_source import RulesSource
from zermelo.engines.partitions.columns import pack_columns, unpack_columns
from zermelo.engines.partitions.messages import DamagedRecord
from zermelo.engines.partitions.records import Seal
from zermelo.engines.tiers.key_ranges import LOAD, SMALLEST, Slots
from zermelo.errors import JobError, StoreError
from zermelo.labels import LARGEST_POSITION, AnyArray, Int64Array
from zermelo.rules.faults import blaming

MULTIPLIER = np.uint64(0xD1B54A32D192ED03)
"""An odd number; its products spread keys over the shelves."""

PIECE = 1 << 16
"""Keys that are put on a shelf at a time."""

SAMPLE = 1 << 10
"""Keys that a shelf shows to the driver, which chooses the bounds of the sorted pieces."""


def shelf_of(keys: Int64Array, shelves: int) -> AnyArray:
    """The shelf of each key.

    >>> shelf_of(np.arange(8), 3).tolist()
    [0, 2, 2, 0, 0, 1, 0, 0]
    """
    mixed = (keys.view(np.uint64) ^ (keys.view(np.uint64) >> np.uint64(31))) * MULTIPLIER
    return ((mixed >> np.uint64(33)) % np.uint64(shelves)).astype(np.int16)


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


class Visit(NamedTuple):
    """Take new keys, and follow the moves of their positions."""

    round: int
    inbox: tuple[Parcel, ...]


class Again(NamedTuple):
    """Send the keys of a round once more, to all shelves or to one of them."""

    round: int
    found: tuple[Parcel, ...]
    """The new keys of this round."""
    receiver: int | None


class Cut(NamedTuple):
    """Divide the keys of a shelf at these bounds; without bounds, show some of them."""

    bounds: tuple[int, ...] | None


class Join(NamedTuple):
    """Sort the pieces of all shelves, or mark the indices from ``low`` to ``high`` − 1."""

    inbox: tuple[Parcel, ...]
    marks: tuple[int, int] | None


class ShelfOrder(NamedTuple):
    """What a worker has to do with one shelf."""

    desk: Desk
    shelves: int
    piece: int
    """Moves that are generated at a time."""
    partition: int
    """The number of the shelf."""
    number: int
    """The number of visits that the shelf has behind it."""
    task: Visit | Again | Cut | Join
    known: tuple[Parcel, ...] | None = None
    """The new keys of all earlier visits; None if the worker should have them in its cache."""

    @property
    def run(self) -> str:
        """The name of the run."""
        return self.desk.run

    @property
    def title(self) -> str:
        """What it does, for the pages of the scheduler."""
        return f"explore-{type(self.task).__name__.lower()}-{self.number}"


class ShelfOutcome(NamedTuple):
    """What became of an order."""

    worker: str
    missing: bool = False
    """The shelf is not in the cache; the order has to be sent again with all known keys."""
    lost: tuple[Parcel, ...] = ()
    """These parcels cannot be read."""
    positions: int = 0
    """The number of new positions."""
    found: tuple[Parcel, ...] = ()
    """The new keys."""
    parcels: tuple[Parcel, ...] = ()
    """The keys for other shelves, or the pieces that were cut."""
    sample: Int64Array | None = None
    file: Seal | None = None
    """The file that was joined."""


class KnownKeys:
    """A set of keys.

    >>> known = KnownKeys()
    >>> known.add(np.array([5, 2, 5])).tolist(), known.add(np.array([2, 9])).tolist()
    ([5, 2], [9])
    >>> len(known), known.sorted().tolist()
    (3, [2, 5, 9])
    """

    def __init__(self) -> None:
        self._table = Slots(0, LARGEST_POSITION + 1, "")
        self._table.content = self._table.sized(SMALLEST)
        self._stack = np.zeros(PIECE, np.int64)

    def __len__(self) -> int:
        return self._table.found

    def add(self, keys: Int64Array) -> Int64Array:
        """Put keys into the set; return those that are new, in the same order."""
        table, fresh = self._table, [np.empty(0, np.int64)]
        for at in range(0, keys.size, PIECE):
            piece = keys[at : at + PIECE]
            if table.state[FOUND] + piece.size > table.state[MOST]:
                needed = int((table.found + piece.size) / LOAD) + 1
                table.refill(table.packed(), max(needed, 2 * table.array.size))
            table.state[TOP] = 0
            table.put(table.array, piece, self._stack, table.state)
            fresh.append(~table.array[self._stack[: int(table.state[TOP])]])
        return np.concatenate(fresh)

    def sample(self, size: int) -> Int64Array:
        """At least so many keys, if there are, in no order; a hash table has its keys shuffled."""
        kept = self._table.packed()
        return kept[:: max(1, kept.size // size)].copy()

    def sorted(self) -> Int64Array:
        """All keys, increasing."""
        return np.concatenate([np.empty(0, np.int64), *self._table.keys()])


class _Shelf(NamedTuple):
    """A shelf in the cache, the visits that it has behind it, and the outcome of the last."""

    number: int
    known: KnownKeys
    outcome: ShelfOutcome | None = None


def source_of(bench: Bench, desk: Desk) -> RulesSource:
    """The rules that the driver has sent, on this worker."""

    def make() -> RulesSource:
        assert desk.source is not None
        given: Given = unpack_given(b"".join(bench.job.pieces(desk.source)), desk.digest)
        return RulesSource(*given)

    source: RulesSource = bench.once("source", make)
    return source


def perform_on_shelf(order: ShelfOrder) -> ShelfOutcome:
    """Carry out an order; called by the cluster."""
    bench = bench_of(order.desk)
    source = source_of(bench, order.desk)
    with blaming(source.rules):
        return _carry_out(bench, source, order)


def _carry_out(bench: Bench, source: RulesSource, order: ShelfOrder) -> ShelfOutcome:
    """Do what the order says."""
    address, task = worker_address(), order.task
    if isinstance(task, Again):
        return ShelfOutcome(address, parcels=_send_again(bench, source, order, task))
    if isinstance(task, Join):
        try:
            return ShelfOutcome(address, file=_join(bench, order, task))
        except LostParcel:
            return ShelfOutcome(address, lost=_lost(bench, task.inbox))
    # A shelf is out of the cache while it changes. After an error it is not put back.
    held: _Shelf | None = bench.held.pop(order.partition, None)
    if isinstance(task, Visit) and held is not None and held.number == order.number + 1:
        bench.held[order.partition] = held
        if held.outcome is not None:
            return held.outcome  # the cluster lost the outcome of this visit, and asks again
    if held is None or held.number != order.number:
        if order.known is None:
            return ShelfOutcome(address, missing=True)
        held = _Shelf(order.number, _rebuilt(bench, order.known))
    try:
        if isinstance(task, Visit):
            held = _visit(bench, source, order, task, held, address)
        else:
            held = held._replace(outcome=_cut(bench, order, task, held.known, address))
    except LostParcel:
        assert isinstance(task, Visit)
        return ShelfOutcome(address, missing=True, lost=_lost(bench, task.inbox))
    outcome = held.outcome
    bench.held[order.partition] = held._replace(
        outcome=outcome if isinstance(task, Visit) else None
    )
    assert outcome is not None
    return outcome


# ---------------------------------------------------------------- keys


def _keys(bench: Bench, given: Iterable[Parcel]) -> Iterator[Int64Array]:
    """The keys of some parcels; raise :class:`LostParcel` at one that is lost or damaged."""
    for parcel in given:
        try:
            for record in records(bench.job, parcel):
                yield unpack_columns(record)[0]
        except StoreError:
            raise
        except (OSError, DamagedRecord):
            raise LostParcel from None


def _lost(bench: Bench, given: Iterable[Parcel]) -> tuple[Parcel, ...]:
    """Those of the parcels that cannot be read."""
    lost = []
    for parcel in given:
        try:
            for _ in _keys(bench, [parcel]):
                pass
        except LostParcel:
            lost.append(parcel)
    return tuple(lost)


def _rebuilt(bench: Bench, known: Iterable[Parcel]) -> KnownKeys:
    """The known keys of a shelf, from the files of its visits."""
    result = KnownKeys()
    for keys in _found(bench, known):
        result.add(keys)
    return result


def _found(bench: Bench, given: Iterable[Parcel]) -> Iterator[Int64Array]:
    """The keys that earlier visits have found; their files are the state of the job."""
    try:
        yield from _keys(bench, given)
    except LostParcel:
        raise JobError(
            f"{bench.job.shown}: a file of the positions found so far is missing or damaged; "
            "remove the directory to begin again"
        ) from None


def _visit(
    bench: Bench, source: RulesSource, order: ShelfOrder, task: Visit, held: _Shelf, address: str
) -> _Shelf:
    """Take the keys of the inbox, and follow the moves of those that are new."""
    q = order.partition
    fresh = np.concatenate(
        [np.empty(0, np.int64), *(held.known.add(keys) for keys in _keys(bench, task.inbox))]
    )
    fresh.sort()
    with Outgoing(bench.job, f"found-{q}-{task.round}", parcels.INLINE) as kept:
        for at in range(0, fresh.size, 16 * PIECE):
            kept.send_record(q, pack_columns(fresh[at : at + 16 * PIECE]))
        found = kept.close(q, 0, task.round)
    with Outgoing(bench.job, f"keys-{q}-{task.round}", parcels.INLINE) as outgoing:
        _follow(source, order, fresh, outgoing, None)
        sent = outgoing.close(q, 0, task.round)
    outcome = ShelfOutcome(address, positions=fresh.size, found=found, parcels=sent)
    return _Shelf(held.number + 1, held.known, outcome)


def _follow(
    source: RulesSource, order: ShelfOrder, keys: Int64Array, outgoing: Outgoing, to: int | None
) -> None:
    """Send the keys that the moves of some positions lead to, to all shelves or to one."""
    # The array of a piece has room for all moves of its positions, up to order.piece of them.
    for start in range(0, keys.size, order.piece):
        for _, count, listed in source.listed(keys[start : start + order.piece], order.piece):
            targets = distinct(listed.targets[: int(listed.indptr[count])])
            home = shelf_of(targets, order.shelves)
            targets = targets[np.argsort(home, kind="stable")]
            stop = np.cumsum(np.bincount(home, minlength=order.shelves)).tolist()
            for q, (low, high) in enumerate(zip([0, *stop], stop, strict=False)):
                if low < high and to in (None, q):
                    outgoing.send_record(q, pack_columns(targets[low:high]))


def _send_again(
    bench: Bench, source: RulesSource, order: ShelfOrder, task: Again
) -> tuple[Parcel, ...]:
    """Compute the keys of a round again, from the new keys of that round."""
    q = order.partition
    room = parcels.INLINE if task.receiver is None else parcels.REPAIRED
    with Outgoing(bench.job, f"keys-{q}-{task.round}", room) as outgoing:
        for keys in _found(bench, task.found):
            _follow(source, order, keys, outgoing, task.receiver)
        return outgoing.close(q, 0, task.round)


# ---------------------------------------------------------------- sorting


def _cut(
    bench: Bench, order: ShelfOrder, task: Cut, known: KnownKeys, address: str
) -> ShelfOutcome:
    """Show some keys of a shelf, or divide all of them at the bounds."""
    if task.bounds is None:
        return ShelfOutcome(address, positions=len(known), sample=known.sample(SAMPLE))
    q, keys = order.partition, known.sorted()
    cuts = np.searchsorted(keys, np.array(task.bounds, np.int64)).tolist()
    with Outgoing(bench.job, f"cut-{q}", parcels.INLINE) as outgoing:
        for r, (low, high) in enumerate(zip([0, *cuts], [*cuts, keys.size], strict=True)):
            for at in range(low, high, 16 * PIECE):
                outgoing.send_record(r, pack_columns(keys[at : min(at + 16 * PIECE, high)]))
        return ShelfOutcome(address, positions=keys.size, parcels=outgoing.close(q, 1, 0))


def _join(bench: Bench, order: ShelfOrder, task: Join) -> Seal:
    """Write the sorted keys, or the marks, of an interval."""
    name, content = f"joined-{order.partition}-{uuid4().hex[:12]}", _keys(bench, task.inbox)
    result: Any
    if task.marks is None:
        result = np.concatenate([np.empty(0, np.int64), *content])
        result.sort()
    else:
        low, high = task.marks
        result = np.zeros(high - low, np.uint8)
        for keys in content:
            result[keys - low] = 1
    return bench.job.write(name, [result], result.nbytes)
