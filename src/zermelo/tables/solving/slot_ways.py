"""Solve a tier slot by slot: the steps of :mod:`zermelo._kernels.tables.wave`.

There are four ways to find the predecessors of a layer and to update them. The rules' own
``unmoves`` need no memory. Without them, the moves within a tier are stored backwards if memory
allows that; otherwise the moves of undecided positions are made again in every layer. Thin layers
are spread from a queue (:mod:`zermelo.tables.solving.thin_layers`).
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo._kernels.tables.begin import INSIDE, begin_ties, end_tier
from zermelo._kernels.tables.wave import COUNT_MOVES, LIST_MOVES, count_back, look_again, spread
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.memory import show_size
from zermelo.rules.faults import wrong
from zermelo.rules.views import StoredBefore, view
from zermelo.tables.solving.job import WAY_OUT
from zermelo.tables.solving.measures import ALTERNATING, BY_OWNER, DEPTHS, TYING, Part
from zermelo.tables.solving.thin_layers import ThinLayers

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
