"""Three ways to find the positions that have a move into a layer, and to update them.

The rules' own ``unmoves`` need no memory. Without them, the moves within a tier are stored
backwards if memory allows that; otherwise the moves of undecided positions are made again in every
layer.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._kernels.tables.begin import INSIDE
from zermelo._kernels.tables.labels import look_for_labels
from zermelo._kernels.tables.queue import follow, follow_stored
from zermelo._kernels.tables.wave import (
    TIES,
    Layer,
    count_back,
    look_again,
    spread,
    spread_stored,
)
from zermelo._kernels.tables.wave import Backward as BackwardMoves
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.memory import show_size
from zermelo.tables.solving.job import WAY_OUT

if TYPE_CHECKING:
    from zermelo._kernels.tables.begin import Scratch
    from zermelo.tables.solving.waves import Waves


class Backward(ABC):
    """A way to spread a layer of the present tier."""

    description = ""
    """The text about it in reports of progress."""
    needed = 0
    """Bytes that it holds."""

    def __init__(self, waves: "Waves") -> None:
        self.waves = waves

    @abstractmethod
    def spread(self, kind: int, action: int, low: int) -> None:
        """Update the positions with a move to one of this kind.

        ``low`` is the present layer; where labels are alone, how often such a position is to be
        spread.
        """

    def follower(self) -> tuple[Kernel[..., Any], tuple[Any, ...]] | None:
        """The kernel that spreads layers from a queue, and what it needs besides."""
        return None

    def _layer(self, action: int) -> Layer:
        waves = self.waves
        return Layer(*waves.coding, action, waves.tier, waves.rules.has("tier"), waves.mixed)

    def _value(self, kind: int, low: int) -> Any:
        waves = self.waves
        return np.array([kind << waves.bits | low], waves.entry.dtype)

    def close(self) -> None:
        """Release the memory that the tier needed."""
        self.waves.job.held -= self.needed


class ByUnmoves(Backward):
    """By the rules' own ``unmoves``."""

    def spread(self, kind: int, action: int, low: int) -> None:
        """Scan for the kind; ``unmoves`` gives the positions with a move there."""
        waves, layer, value = self.waves, self._layer(action), self._value(kind, low)

        def call(s: "Scratch", start: int, stop: int) -> tuple[Any, ...]:
            return waves.table, s, value, start, stop, layer

        waves.sweep(waves.bind(spread), call)

    def follower(self) -> tuple[Kernel[..., Any], tuple[Any, ...]]:
        """By ``unmoves``, too."""
        return self.waves.bind(follow), ()


class ByList(Backward):
    """By a list of the moves within the tier, backwards."""

    def __init__(self, waves: "Waves") -> None:
        super().__init__(waves)
        m, slots = int(waves.tally[INSIDE]), waves.entry.size
        self.needed = self.estimate(waves)
        self.description = f", {m:,} moves stored in {show_size(self.needed)}"
        waves.job.held += self.needed
        self.ends = np.zeros(slots + 1, np.int32 if m < 2**31 else np.int64)
        self.back = np.zeros(1, np.int32 if slots < 2**31 else np.int64)
        at, waves.slot = waves.slot, 0
        self._count(listing=False)
        np.cumsum(self.ends, out=self.ends)
        self.back = np.zeros(max(1, int(self.ends[-1])), self.back.dtype)
        self._count(listing=True)
        waves.slot = at

    @staticmethod
    def estimate(waves: "Waves") -> int:
        """Bytes that the list takes."""
        return list_bytes(waves.entry.size, int(waves.tally[INSIDE]))

    def _count(self, *, listing: bool) -> None:
        waves, plan = self.waves, (*self.waves.coding, self.waves.tier, listing)
        stored = BackwardMoves(self.ends, self.back)

        def call(s: "Scratch", start: int, stop: int) -> tuple[Any, ...]:
            return waves.table, s, stored, start, stop, plan

        waves.sweep(waves.bind(count_back), call, saving=False)

    def spread(self, kind: int, action: int, low: int) -> None:
        """Scan for the kind; the list has the positions with a move there."""
        waves, layer, value = self.waves, self._layer(action), self._value(kind, low)
        stored = BackwardMoves(self.ends, self.back)

        def call(s: "Scratch", start: int, stop: int) -> tuple[Any, ...]:
            return waves.table, s, stored, value, start, stop, layer

        waves.sweep(waves.bind(spread_stored), call)

    def follower(self) -> tuple[Kernel[..., Any], tuple[Any, ...]]:
        """By the list, too."""
        return self.waves.bind(follow_stored), (BackwardMoves(self.ends, self.back),)


def list_bytes(slots: int, moves: int) -> int:
    """Bytes of a list of the moves within a tier of a table with this many slots.

    >>> list_bytes(1000, 3000), list_bytes(10**12, 10**12)
    (16004, 16000000000008)
    """
    return (4 if moves < 2**31 else 8) * (slots + 1) + (4 if slots < 2**31 else 8) * moves


class ByLooking(Backward):
    """By making the moves of all undecided positions again."""

    def __init__(self, waves: "Waves") -> None:
        super().__init__(waves)
        needed = show_size(ByList.estimate(waves))
        self.description = f", moves are made again each time: {needed} would store them"

    def spread(self, kind: int, action: int, low: int) -> None:
        """Go through all undecided positions."""
        waves, ties = self.waves, action == TIES
        coding = waves.coding
        if coding.fresh:

            def look(s: "Scratch", start: int, stop: int) -> tuple[Any, ...]:
                return waves.table, s, start, stop, coding, ties

            waves.sweep(waves.bind(look_for_labels), look)
            return
        plan = *coding, waves.tier, low

        def call(s: "Scratch", start: int, stop: int) -> tuple[Any, ...]:
            return waves.table, s, start, stop, plan, ties

        waves.sweep(waves.bind(look_again), call)


def way_back(waves: "Waves", again: bool) -> Backward:
    """The best of the three ways that rules and memory allow.

    :class:`ByLooking` sets no counters, so a tier in which moves are made ``again`` continues in
    this way. A tier that has begun to count continues with a list, or an error says how much memory
    the list needs.
    """
    if waves.rules.has("unmoves"):
        return ByUnmoves(waves)
    needed = ByList.estimate(waves)
    begun = waves.layer or waves.part or waves.slot
    if again or not (begun or waves.job.fits(needed)):
        return ByLooking(waves)
    waves.job.require(needed, "the list of moves that the saved state needs", WAY_OUT)
    return ByList(waves)
