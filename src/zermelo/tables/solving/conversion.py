"""Solve for distances to conversion: first the labels, then the distances, tier after tier.

The labels do not depend on conversions, so they are found as for a table of labels alone. The
distances are then found by a second wave over the same entries
(:mod:`zermelo._kernels.tables.conversion`). It goes back by the rules' ``unmoves``; without them,
the moves of positions that have no distance yet are made again in every layer.
"""

from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import COUNT, INSIDE, LONGEST, LOSE, WIN, Scratch
from zermelo._kernels.tables.conversion import (
    Phase,
    begin_distances,
    find_conversions,
    look_for_distances,
    spread_distances,
)
from zermelo._runtime.compiled.bind import Binding, bind
from zermelo._runtime.memory import show_size
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import with_conversions
from zermelo.rules.faults import wrong
from zermelo.rules.views import Doubtful, IndicesBefore, KeptIndices, KeptPositions, view
from zermelo.tables.solving.job import WAY_OUT, Job
from zermelo.tables.solving.label_waves import LabelWaves
from zermelo.tables.solving.waves import BEGIN, DEPTHS, PIECE, WAVE

LABELS, DISTANCES = range(2)
"""The two phases of solving."""

KINDS = (LOSE, WIN)
"""The kinds of positions that have distances to conversion."""


def solving_view(seen: Any) -> Any:
    """The rules as the kernels of this solver need them."""
    quick = not seen.has("converts") and isinstance(seen, IndicesBefore)
    return with_conversions(seen, KeptIndices if quick else KeptPositions)


FARTHEST = 1 << 13
"""Entries of 16 bits have distances below this number."""


class ConversionWaves(LabelWaves):
    """A game that is being solved for labels and distances to conversion."""

    PLACE = (*LabelWaves.PLACE, "phase")

    def __init__(
        self, rules: CompiledRules, job: Job, keys: Int64Array, entry: AnyArray, sign: int
    ) -> None:
        super().__init__(rules, job, keys, entry, sign)
        self.phase = LABELS
        self.bind_converting = Binding(solving_view(rules))

    def run(self) -> None:
        """Solve all tiers for labels, then all of them for distances, from the present one on."""
        if self.phase == LABELS:
            super().run()
            self.phase, self.settled, self.longest = DISTANCES, 0, 0
            self.tier = self.stage = self.layer = self.part = self.slot = 0
        for tier in np.flatnonzero(self.spans[:, COUNT]).tolist():
            if tier >= self.tier:
                self.tier = tier
                self._distances()

    def _phase(self) -> Phase:
        tiered = self.rules.has("tier")
        return Phase(self.bits, self.tier, tiered, self.mixed, self.layer)

    def _distances(self) -> None:
        """Find the distances of the present tier, from the present stage on."""
        if self.stage == BEGIN:
            self._widen()
            phase = self._phase()

            def beginning(s: Scratch, start: int, stop: int) -> tuple[Any, ...]:
                return self.table, s, start, stop, phase

            self.sweep(self.bind_converting(begin_distances), beginning)
            self.stage = WAVE
        # Invariant: distances of the tier up to ``layer`` are final, and those below were spread;
        # no distance is greater than the longest one noted.
        while self.layer <= self.tally[LONGEST]:
            self._widen()
            self._layer()
            self.layer, self.part = self.layer + 1, 0
        if self._open:
            message = f"{self._open:,} positions have no distance to conversion"
            raise wrong(self.rules, "", f"{message}: unmoves or converts must be wrong")
        self.settled += self.settled_here
        self.longest = max(self.longest, int(self.tally[LONGEST]))
        self.tally[:] = 0
        self.tier, self.stage, self.layer = self.tier + 1, BEGIN, 0

    @property
    def _open(self) -> int:
        """How many won and lost positions of the tier have no distance yet, not even a pending."""
        return int(self.tally[INSIDE]) - self.settled_here

    def _layer(self) -> None:
        """Spread the present layer, from the present part on."""
        phase = self._phase()
        if not self.rules.has("unmoves"):

            def looking(s: Scratch, start: int, stop: int) -> tuple[Any, ...]:
                return self.table, s, start, stop, phase

            self.sweep(self.bind_converting(look_for_distances), looking)
            return
        while self.part < len(KINDS):
            kind = KINDS[self.part]
            if self.tally[kind * DEPTHS + min(self.layer, DEPTHS - 1)]:
                value = np.array([kind << self.bits | self.layer], self.entry.dtype)

                def spreading(
                    s: Scratch, start: int, stop: int, value: AnyArray = value
                ) -> tuple[Any, ...]:
                    return self.table, s, value, start, stop, phase

                self.sweep(self.bind_converting(spread_distances), spreading)
            self.part += 1

    def _widen(self) -> None:
        """Make entries wider before distances exceed what they can hold."""
        farthest = max(self.longest, int(self.tally[LONGEST]), self.layer)
        if self.bits == 14 and farthest + 2 >= FARTHEST:
            self.job.require(4 * self.entry.size, "play is long: entries of 32 bits", WAY_OUT)
            self.job.held += 2 * self.entry.size
            self.entry = widened(self.entry)

    def _report(self) -> str:
        if self.phase == LABELS:
            return super()._report()
        where = f"tier {self.tier}, " if self.rules.has("tier") else ""
        return f"distances to conversion: {where}layer {self.layer}, {show_size(self.job.held)}"


def widened(entry: AnyArray) -> AnyArray:
    """The same entries in 32 bits instead of 16, also those without a distance.

    >>> [hex(x) for x in widened(np.array([0xE000, 0x4007, 0xBFFF, 0], np.uint16)).tolist()]
    ['0xe0000000', '0x40000007', '0xbfffffff', '0x0']
    """
    wide = np.empty(entry.size, np.uint32)
    for start in range(0, entry.size, PIECE):
        e = entry[start : start + PIECE].astype(np.uint32)
        low = e & 0x1FFF | (e & 0x2000) << 16
        low[e == 0xBFFF] = 0x3FFFFFFF
        wide[start : start + PIECE] = (e >> 14) << 30 | low
    return wide


class Conversions:
    """Tells which moves of compiled rules are conversions, many at a time."""

    def __init__(self, rules: CompiledRules) -> None:
        self._find = bind(find_conversions, view(with_conversions(rules), Doubtful))

    def among(self, before: Any, start: Int64Array, after: Any) -> AnyArray:
        """Which of the moves are conversions, from positions ``before`` to positions ``after``.

        >>> import zermelo as zm
        >>> rules = zm.game("chess:KPvK")
        >>> here = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
        >>> options = np.array(rules.options(here))
        >>> Conversions(rules).among([here], np.array([0, options.size]), options).tolist()
        [False, True, True, True, True]
        """
        found = np.zeros(len(after), np.bool_)
        given = np.ascontiguousarray(before, np.int64)
        self._find(given, start, np.ascontiguousarray(after, np.int64), found)
        return found
