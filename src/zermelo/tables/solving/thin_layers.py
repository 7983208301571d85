"""Thin layers: a queue takes the place of scans after many layers with few positions."""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._kernels.tables.begin import FIRST, LAST, LONGEST
from zermelo._kernels.tables.queue import LAYER, Queue, follow
from zermelo.labels import Int64Array
from zermelo.tables.solving.measures import Part

if TYPE_CHECKING:
    from zermelo.tables.solving.slot_ways import BySlots

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
