"""Solve a tier slot by slot: the steps of :mod:`zermelo._kernels.tables.wave`.

There are four ways to find the predecessors of a layer and to update them. The rules' own
``unmoves`` need no memory. Without them, the moves within a tier are stored backwards if memory
allows that; otherwise the moves of undecided positions are made again in every layer. Thin layers
are spread from a queue, which takes the place of scans after many layers with few positions.
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._kernels.tables.begin import FIRST, INSIDE, LAST, LONGEST, begin_ties, end_tier
from zermelo._kernels.tables.queue import LAYER, Queue, follow
from zermelo._kernels.tables.wave import COUNT_MOVES, LIST_MOVES, count_back, look_again, spread
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.memory import show_size
from zermelo.labels import Int64Array
from zermelo.rules.faults import wrong
from zermelo.rules.views import StoredBefore, view
from zermelo.tables.solving.job import WAY_OUT
from zermelo.tables.solving.measures import ALTERNATING, BY_OWNER, DEPTHS, TYING, Part

if TYPE_CHECKING:
    from zermelo.tables.solving.waves import Waves

NOT_YET, NO, YES = range(3)
"""Whether a sweep looks at all undecided positions, and whether the moves of a tier are made again.
This must not change before the sweep or the tier is finished."""


def list_bytes(slots: int, moves: int) -> int:
    """Bytes of a list of the moves within a tier of a table with this many slots.

    >>> list_bytes(1000, 3000), list_bytes(10**12, 10**12)
    (16004, 16000000000008)
    """
    return (4 if moves < 2**31 else 8) * (slots + 1) + (4 if slots < 2**31 else 8) * moves


class BySlots:
    """A tier that is being solved slot by slot."""

    def __init__(self, waves: "Waves") -> None:
        self.waves, self.measure, self.bind = waves, waves.measure, waves.bind
        self.thin = ThinLayers(self)
        self.description = ""
        """The text about this way in reports of progress."""
        self.held = 0
        """Bytes of the list of moves."""
        self.found = False
        """Whether it was decided how predecessors are found."""

    # ---------------------------------------------------------------- begin, step, finish

    def begin(self) -> None:
        """Settle ends of play, and note what follows from moves out of the tier."""
        self.waves.make_room()
        self.waves.sweep(self.bind(type(self.measure).begin), self.waves.step())

    def begin_ties(self) -> None:
        """Note the ties that moves out of the tier lead to."""
        if self.waves.slot or self.waves.tied:
            self.waves.sweep(self.bind(begin_ties), self.waves.step())

    @property
    def makes_moves_again(self) -> bool:
        """Whether the moves of undecided positions are made again in every layer."""
        return self.waves.again == YES

    def parts(self, ties: bool) -> tuple[Part, ...]:
        """What each layer spreads."""
        return TYING if ties else BY_OWNER if self.waves.rules.has("player") else ALTERNATING

    def next_layer(self, ties: bool) -> int | None:
        """The layer to be spread next; None where there is none."""
        waves = self.waves
        if waves.part or waves.slot:
            return waves.layer
        if not waves.tally[INSIDE]:
            return None
        return self.measure.next_layer(waves.tally, waves.layer, self.parts(ties))

    def spread(self, ties: bool) -> None:
        """Spread the present layer, from the present part on, or many thin ones.

        Ties need no counters. So the smaller of two sets is searched: the ties of a layer for their
        predecessors, or the undecided positions for a tie among their successors.
        """
        waves, parts = self.waves, self.parts(ties)
        self._find_before()
        waves.make_room()
        if not (waves.part or waves.slot or waves.looking) and self.thin.follow(parts):
            return
        waiting = 0
        while waves.part < len(parts):
            part = parts[waves.part]
            low = self.measure.low(part, waves.layer)
            counts = waves.tally[part.kind * DEPTHS :][:DEPTHS]
            many = int(counts[min(low, DEPTHS - 1)])
            if many or waves.slot:  # a sweep that has begun is finished
                waiting += many if low < DEPTHS - 1 else 0
                if waves.looking == NOT_YET:
                    few = ties and waves.undecided + int(counts[low + 1 :].sum()) < many
                    waves.looking = YES if few or self.makes_moves_again else NO
                step = waves.step(part.action, part.kind, low)
                if waves.looking == YES:  # which settles all that the layer settles
                    waves.sweep(self.bind(look_again), step)
                    waves.part = len(parts)
                else:
                    waves.sweep(self.bind_before(spread), step)
                waves.looking = NOT_YET
            waves.part += 1
        if waiting:
            self.thin.note(waiting)
        waves.layer, waves.part = waves.layer + 1, 0

    def finish(self) -> None:
        """Settle what is undecided, and release the memory that the tier needed."""
        waves = self.waves
        if not self.measure.settles_ties:
            if waves.undecided:
                message = f"{waves.undecided:,} positions have no distance to conversion"
                raise wrong(waves.rules, "", f"{message}: unmoves or converts must be wrong")
        elif waves.slot or waves.undecided or waves.coding.fresh:
            waves.sweep(end_tier, waves.step())
        waves.job.held -= self.held
        waves.again, waves.stored = NOT_YET, waves.nothing_stored

    # ---------------------------------------------------------------- predecessors

    def _find_before(self) -> None:
        """Decide for the whole tier how predecessors are found, as rules and memory allow.

        A tier whose moves are made again has no counters, so it continues in this way. A tier that
        has begun to count continues with a list, or an error says how much memory the list needs.
        """
        if self.found:
            return
        self.found, waves, self.bind_before = True, self.waves, self.bind
        if waves.rules.has("unmoves"):
            return
        needed = list_bytes(waves.entry.size, int(waves.tally[INSIDE]))
        begun = waves.layer or waves.part or waves.slot
        if self.makes_moves_again or not (begun or waves.job.fits(needed)):
            waves.again = YES
            would = f"{show_size(needed)} would store them"
            self.description = f", moves are made again each time: {would}"
            return
        waves.job.require(needed, "the list of moves that the saved state needs", WAY_OUT)
        waves.again = NO
        self._store_moves(needed)

    def _store_moves(self, needed: int) -> None:
        """List the moves within the tier, backwards."""
        waves = self.waves
        moves, slots = int(waves.tally[INSIDE]), waves.entry.size
        self.held = needed
        self.description = f", {moves:,} moves stored in {show_size(needed)}"
        waves.job.held += needed
        ends = np.zeros(slots + 1, np.int32 if moves < 2**31 else np.int64)
        back = np.zeros(1, np.int32 if slots < 2**31 else np.int64)
        at, waves.slot = waves.slot, 0
        waves.stored = ends, back
        waves.sweep(self.bind(count_back), waves.step(COUNT_MOVES), saving=False)
        np.cumsum(ends, out=ends)
        waves.stored = ends, np.zeros(max(1, int(ends[-1])), back.dtype)
        waves.sweep(self.bind(count_back), waves.step(LIST_MOVES), saving=False)
        waves.slot = at
        self.bind_before = Binding(view(self.bind.rules, StoredBefore))


MIN_THIN_LAYERS = 48
"""Thin layers that are scanned before a queue is tried; most games end earlier, and their rules
need not be compiled for it."""

SLOTS_PER_THIN = 64
"""A layer is thin if a scan reads at least this many slots for each of its positions."""

MIN_QUEUE_SIZE, SLOTS_FOR_ONE = 1 << 16, 1 << 11
"""A queue has room for at least MIN_QUEUE_SIZE positions of a layer, and for one in SLOTS_FOR_ONE
slots of the tier. A queue of that length takes one thread about as long as a scan."""

LAYERS_PER_CALL = 1 << 14
"""Layers that one call of the kernel spreads at most."""

ENTRIES_PER_SEARCH = 1 << 20
"""Entries that are searched at once."""


class ThinLayers:
    """Counts how many layers in a row were thin, and spreads those that follow from a queue."""

    def __init__(self, way: "BySlots") -> None:
        self.way, self.waves = way, way.waves

    def note(self, many: int) -> None:
        """A layer with so many positions was scanned."""
        first, last = self._span
        if SLOTS_PER_THIN * many <= last - first:
            self.waves.thin_layers += 1
        else:
            self.waves.thin_layers = 0

    def follow(self, parts: tuple[Part, ...]) -> bool:
        """Spread layers from a queue, if those before were thin; whether any was spread."""
        waves, measure = self.waves, self.way.measure
        if self.waves.thin_layers < MIN_THIN_LAYERS or self.way.makes_moves_again:
            return False
        begun, (first, last) = waves.layer, self._span
        room = max(MIN_QUEUE_SIZE, (last - first) // SLOTS_FOR_ONE)
        waiting, far = self._settled(sorted({part.kind for part in parts}), room)
        if not waiting.size:  # what the wave would reach is of another kind
            waves.layer = int(waves.tally[LONGEST]) + 1
            return True
        self.waves.thin_layers = 0
        if waiting.size > room:
            return False
        kernel = self.way.bind_before(follow)
        queue = Queue(np.zeros(room, np.int64), waiting, far, np.array([begun, 0, 0]))
        scratch = waves.scratch[0]._replace(fresh=np.zeros(1 + room, np.int64))
        listed = np.array([(part.kind, part.action, part.times) for part in parts]).ravel()
        beyond, going = measure.farthest_layer(waves.bits), True
        while going:
            last = min(waves.layer + LAYERS_PER_CALL, beyond)
            kernel(waves.table, scratch, queue, listed, last, waves.step())
            waves.layer = int(queue.place[LAYER])
            going = waves.layer == last < beyond and scratch.fresh[0] == 0
            waves.pause()
        if waves.layer - begun > MIN_THIN_LAYERS:
            self.waves.thin_layers = MIN_THIN_LAYERS
        return waves.layer > begun

    def _settled(self, kinds: list[int], room: int) -> tuple[Int64Array, Int64Array]:
        """The slots of the tier settled at the present layer or farther; their distances, sorted.

        The search ends when there are more than ``room``.
        """
        bits, by_distance = self.waves.bits, not self.waves.coding.fresh
        lowest = self.waves.layer if by_distance else 1
        first, last = self._span
        slots, distances, size = [], [], 0
        for start in range(first, last + 1, ENTRIES_PER_SEARCH):
            entry = self.waves.entry[start : min(start + ENTRIES_PER_SEARCH, last + 1)]
            distance = entry & ((1 << bits) - 1)
            at = np.flatnonzero((distance >= lowest) & (distance != (1 << bits) - 1))
            at = at[np.isin(entry[at] >> bits, kinds)]
            slots.append(at + start)
            distances.append(distance[at].astype(np.int64))
            size += at.size
            if size > room:
                break
        far = np.concatenate(distances)
        if not by_distance:
            far[:] = 0
        order = np.argsort(far, kind="stable")
        return np.concatenate(slots)[order], far[order]

    @property
    def _span(self) -> tuple[int, int]:
        """The first and the last slot of the tier."""
        first, last = self.waves.spans[self.waves.tier, FIRST : LAST + 1].tolist()
        return first, last
