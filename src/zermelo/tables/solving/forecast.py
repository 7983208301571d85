"""The memory of a game without an index, estimated before its table of positions is large.

How many positions play can reach is not known before all of them are found. A table of positions
that becomes large therefore asks for an estimate once, see :mod:`zermelo.tables.solving.sampling`.
If even the lower end of its interval does not fit into memory, exploring ends at once. If only the
estimate itself does not fit, or if it is no more than a guess, there is a warning, and exploring
goes on.
"""

import time
import warnings

from zermelo._runtime.memory import show_size
from zermelo._runtime.progress import spent
from zermelo.errors import EngineWarning
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.views import Unreduced, view
from zermelo.tables.solving.estimates import Estimate
from zermelo.tables.solving.explore import slots_for
from zermelo.tables.solving.job import WAY_OUT, Job
from zermelo.tables.solving.sampling import explore_compiled, extrapolate, grow_if_possible

MAX_UNASKED_BYTES, MIN_FORECAST_BYTES, FREE_PART = 1 << 20, 1 << 25, 64
"""A table of at most MAX_UNASKED_BYTES grows without an estimate. One that grows beyond
MIN_FORECAST_BYTES, or beyond one in FREE_PART of the bytes that are free, needs one."""

MAX_SAMPLES = 1 << 16
"""Positions that are explored for an estimate."""

MAX_SECONDS = 10.0
"""The time that an estimate may take, without that of the compiler."""


def table_peak(count: int, most: int, entry_bytes: int) -> int:
    """Bytes at the peak of exploring and solving so many positions in a table that grows.

    ``most`` is the most moves of a position.

    >>> table_peak(10**6, 7, 2)
    25587456
    """
    slots, before = slots_for(count, most)
    return max(8 * (slots + before), (8 + entry_bytes) * slots)


def estimate_positions(rules: CompiledRules, *, symmetry: bool) -> Estimate:
    """How many positions play can reach; a guess has no upper end.

    >>> import zermelo as zm
    >>> from zermelo._runtime.compiled.jit import interpreting
    >>> if not interpreting():
    ...     assert estimate_positions(zm.game("tictactoe"), symmetry=True).value == 765
    """
    base = rules if symmetry else view(rules, Unreduced)
    compiled, deadline = spent(), time.monotonic() + MAX_SECONDS
    begun = explore_compiled(base, MAX_SAMPLES, deadline)
    if begun.whole:
        return Estimate.exact(begun.found)
    deadline += spent() - compiled
    grown = grow_if_possible(rules, base, begun, MAX_SAMPLES, 0, deadline)
    if grown is not None:
        return grown.positions
    return Estimate(max(begun.found, round(extrapolate(begun.layers))), begun.found, None)


class Forecast:
    """Compares the memory that exploring will need with what is free, once."""

    def __init__(self, rules: CompiledRules, symmetry: bool, job: Job, entry_bytes: int) -> None:
        self.rules, self.symmetry, self.job = rules, symmetry, job
        self.entry_bytes = entry_bytes

    def __call__(self, present: int, larger: int) -> bool:
        """Compare, for a table that is to grow to ``larger`` bytes; return whether this was needed.

        A :class:`~zermelo.errors.MemoryLimitError` says that the memory cannot suffice.
        """
        free = present + self.job.free
        if larger <= max(MAX_UNASKED_BYTES, min(MIN_FORECAST_BYTES, free // FREE_PART)):
            return False
        count = estimate_positions(self.rules, symmetry=self.symmetry)
        most = room_for(self.rules, "moves")
        least = table_peak(count.low, most, self.entry_bytes)
        needed = table_peak(count.value, most, self.entry_bytes)
        if least > free:
            self.job.require(needed - present, f"a table of {count} positions", WAY_OUT)
        elif needed > free:
            guess = "a guess says" if count.high is None else "an estimate says"
            warnings.warn(
                f"the memory may not suffice: {guess} that there are {count} positions, which need "
                f"{show_size(needed)}, and {show_size(free)} are free; if that is true, exploring "
                "will end before all positions are found",
                EngineWarning,
                stacklevel=2,
            )
        return True
