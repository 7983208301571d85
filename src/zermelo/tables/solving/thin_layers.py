"""Thin layers of a wave: from when on, and how far, a queue takes the place of scans."""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._kernels.tables.begin import FIRST, LAST, LONGEST
from zermelo._kernels.tables.queue import LAYER, Queue, Thin
from zermelo.labels import Int64Array

if TYPE_CHECKING:
    from zermelo.tables.solving.waves import Waves

PATIENCE = 48
"""Thin layers that are scanned before a queue is tried; most games end earlier, and their rules
need not be compiled for it."""

SHARE = 64
"""A layer is thin if it has less than this part of the slots that a scan reads."""

ROOM, SLOTS_FOR_ONE = 1 << 16, 1 << 11
"""Positions of a layer that a queue has room for: so many, or one for this many slots of the tier
if these are more. A queue of that length takes one thread about as long as a scan."""

BATCH = 1 << 14
"""Layers of one call."""

PIECE = 1 << 20
"""Entries that are searched at once."""


class ThinLayers:
    """How many layers in a row were thin, and the queue for those that follow."""

    def __init__(self, waves: "Waves") -> None:
        self.waves, self.seen = waves, 0

    def note(self, many: int) -> None:
        """A layer with so many positions was scanned."""
        first, last = self._span
        self.seen = self.seen + 1 if SHARE * many <= last - first else 0

    def follow(self, parts: tuple[tuple[int, ...], ...]) -> bool:
        """Spread layers from a queue, if those before were thin; whether any was spread."""
        waves = self.waves
        if self.seen < PATIENCE or waves.way is None or (kernel := waves.way.follower()) is None:
            return False
        begun, (first, last) = waves.layer, self._span
        room = max(ROOM, (last - first) // SLOTS_FOR_ONE)
        waiting, far = self._settled(sorted({part[0] for part in parts}), room)
        if not waiting.size:  # what the wave would reach is of another kind
            waves.layer = int(waves.tally[LONGEST]) + 1
            return True
        self.seen = 0
        if waiting.size > room:
            return False
        job, more = kernel
        queue = Queue(np.zeros(room, np.int64), waiting, far, np.array([begun, 0, 0]))
        scratch = waves.scratch[0]._replace(fresh=np.zeros(1 + room, np.int64))
        value = np.zeros(1, waves.entry.dtype)
        where = *waves.coding, waves.tier, waves.rules.has("tier"), waves.mixed
        listed = np.array([(*part, 0)[:3] for part in parts])
        going = True
        while going:
            last = min(waves.layer + BATCH, waves.beyond)
            thin = Thin(listed.ravel(), last, *where)
            job(waves.table, scratch, queue, value, thin, *more)
            waves.layer = int(queue.place[LAYER])
            going = waves.layer == last < waves.beyond and scratch.fresh[0] == 0
            waves.pause()
        if waves.layer - begun > PATIENCE:
            self.seen = PATIENCE
        return waves.layer > begun

    def _settled(self, kinds: list[int], room: int) -> tuple[Int64Array, Int64Array]:
        """The slots of the tier settled at the present layer or farther; their distances, sorted.

        The search ends when there are more than ``room``.
        """
        bits, lowest = self.waves.bits, self.waves.lowest
        first, last = self._span
        slots, distances, size = [], [], 0
        for start in range(first, last + 1, PIECE):
            entry = self.waves.entry[start : min(start + PIECE, last + 1)]
            distance = entry & ((1 << bits) - 1)
            at = np.flatnonzero((distance >= lowest) & (distance != (1 << bits) - 1))
            at = at[np.isin(entry[at] >> bits, kinds)]
            slots.append(at + start)
            distances.append(distance[at].astype(np.int64))
            size += at.size
            if size > room:
                break
        far = np.concatenate(distances)
        if self.waves.coding.fresh:
            far[:] = 0
        order = np.argsort(far, kind="stable")
        return np.concatenate(slots)[order], far[order]

    @property
    def _span(self) -> tuple[int, int]:
        """The first and the last slot of the tier."""
        first, last = self.waves.spans[self.waves.tier, FIRST : LAST + 1].tolist()
        return first, last
