"""Solve tier after tier for labels alone: a byte for each position, and no distances.

Wins, losses and ties do not depend on the order in which positions are settled. So a settled
position only has to be spread once for each thing that it does to the positions before it, and the
bits of its distance count how often that is still to happen
(:mod:`zermelo._kernels.tables.begin`). A round spreads what was settled in the round before.
"""

from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import EVEN, Coding
from zermelo._kernels.tables.wave import COUNTS, TIES, WINS
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.set_tiers import SetTier
from zermelo.tables.solving.backward import ByLooking
from zermelo.tables.solving.waves import BEGIN_TIES, DEPTHS, NO, NOT_YET, YES, Waves

ENDLESS = 1 << 60
"""More rounds than any game has."""


def label_type(rules: CompiledRules) -> Any:
    """The type of entries: counters of moves are below the last two codes of undecided positions.

    >>> import zermelo as zm
    >>> label_type(zm.game("connect4:4x4")), label_type(zm.game("l-game"))
    (<class 'numpy.uint8'>, <class 'numpy.uint16'>)
    """
    most = room_for(rules, "moves")
    types = ((np.uint8, 6), (np.uint16, 14))
    return next((kind for kind, bits in types if most <= (1 << bits) - 3), np.uint32)


class LabelWaves(Waves):
    """A game that is being solved for labels alone."""

    def _tiers_by_sets(self) -> dict[int, SetTier]:
        """None: sets go by distances."""
        return {}

    @property
    def coding(self) -> Coding:
        """How entries are read: where a player may move twice, wins and losses are spread twice."""
        twice = self.rules.has("player") and self.stage < BEGIN_TIES
        return Coding(self.bits, (1 << self.bits) - 1, 2 if twice else 1)

    @property
    def lowest(self) -> int:
        """Entries with less than this are done."""
        return 1

    @property
    def beyond(self) -> int:
        """Rounds are not written into entries."""
        return ENDLESS

    def _make_room(self) -> None:
        """Entries have no distances."""

    def _waiting(self, kind: int) -> int:
        """How many positions of a kind are still to be spread."""
        return int(self.tally[kind * DEPTHS + 1 : kind * DEPTHS + 3].sum())

    def _wave(self, parts: tuple[tuple[int, int], ...]) -> None:
        """Go round by round, as long as something is still to be spread.

        Ties need no counters, so the smaller of two sets is searched, as in a wave by distances.
        """
        way, kinds = self._find_way(), {kind for kind, _ in parts}
        twice = len(kinds) < len(parts)
        coded = tuple((kind, act, 2 if twice and act == WINS else 1) for kind, act in parts)
        # Invariant: what is settled and not waiting was spread; undecided positions of the tier
        # have as many moves that may be good as their counters say, those of waiting ones included.
        while waiting := sum(map(self._waiting, kinds)):
            if not (self.part or self.slot or self.looking) and self.thin.follow(coded):
                continue
            if self.looking == NOT_YET:
                few = EVEN in kinds and self._undecided < waiting
                self.looking = YES if few or isinstance(way, ByLooking) else NO
            if self.looking == YES:
                ByLooking(self).spread(0, TIES if EVEN in kinds else COUNTS, 0)
            else:
                self._round(coded)
                self.thin.note(waiting)
            self.layer, self.part, self.looking = self.layer + 1, 0, NOT_YET

    def _round(self, parts: tuple[tuple[int, int, int], ...]) -> None:
        """Spread all that waits, from the present part on."""
        assert self.way is not None
        while self.part < len(parts):
            kind, action, times = parts[self.part]
            if self.tally[kind * DEPTHS + times]:
                self.way.spread(kind, action, times)
            self.part, self.slot = self.part + 1, 0
