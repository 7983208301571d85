"""What exploring and solving share: the limit of memory, progress, checkpoints, threads."""

import time
from collections.abc import Callable
from typing import Any

from zermelo._runtime import memory
from zermelo._runtime.memory import show_size
from zermelo._runtime.progress import Report, spent
from zermelo._runtime.threads import Team
from zermelo.errors import MemoryLimitError
from zermelo.labels import AnyArray
from zermelo.tables.building.checkpoint import state_fault

WAY_OUT = (
    "allow more (ZERMELO_MEMORY, --memory, or memory= in Python), build from disk (engine='disk'), "
    "or solve a smaller game"
)

REPORT_SECONDS = 0.2
"""Seconds between two reports of progress."""

CHECKPOINT_SECONDS = 20.0
"""Seconds between two checkpoints, or twenty times as long as the last one took."""


class Job:
    """One job: its limit of memory, its reports of progress, and the place where it is saved."""

    def __init__(
        self,
        team: Team,
        budget: int | None = None,
        progress: Report | None = None,
        saver: Any = None,
        tier_files: Any = None,
        held: int = 0,
    ) -> None:
        """``held`` are bytes of the process that count as in use from the beginning."""
        self.team, self.progress, self.saver = team, progress, saver
        self.budget = memory.limit() if budget is None else budget
        self.tier_files = tier_files
        """The tiers that are in files already, and the place for those that are solved."""
        self._held = self.peak = held
        self.begun = self._reported = self._saved = time.monotonic()
        self._compiled, self._pause = spent(), CHECKPOINT_SECONDS

    @property
    def held(self) -> int:
        """Bytes of the arrays that the job has now; ``peak`` is the greatest number so far."""
        return self._held

    @held.setter
    def held(self, size: int) -> None:
        self._held, self.peak = size, max(self.peak, size)

    @property
    def seconds(self) -> float:
        """How long the job has taken so far, without the time of the compiler."""
        return time.monotonic() - self.begun - (spent() - self._compiled)

    @property
    def free(self) -> int:
        """Bytes that the job can still have."""
        return memory.available() if self.budget is None else self.budget - self.held

    def fits(self, more: int) -> bool:
        """Whether ``more`` further bytes are free."""
        return more <= self.free

    def require(self, more: int, what: str, way_out: str) -> None:
        """Raise an error, before anything is allocated, if ``more`` bytes do not fit."""
        if self.budget is None:
            memory.require(more, what, way_out)
        elif not self.fits(more):
            raise MemoryLimitError(
                f"{what} needs about {show_size(more)} beside the {show_size(self.held)} already "
                f"in use, and {show_size(self.budget)} are allowed; {way_out}"
            )

    def load(
        self, size: int | None, shapes: dict[str, tuple[int, ...]], phases: int
    ) -> dict[str, Any]:
        """The state that was saved; an empty one where there is none.

        A state that does not fit is refused, see
        :func:`~zermelo.tables.building.checkpoint.state_fault`.
        """
        state = None if self.saver is None else self.saver.load()
        if state and (fault := state_fault(state, size, shapes, phases)):
            raise self.saver.refused(f"is damaged ({fault})")
        return state or {}

    def finish_tier(self, tier: int, entry: AnyArray) -> None:
        """Hand over the entries of a tier that is solved, where each tier has its own file."""
        if self.tier_files is not None:
            self.tier_files.keep(tier, entry)

    def report(self, done: int, total: int, what: Callable[[], str]) -> None:
        """Report progress, at most once in REPORT_SECONDS."""
        now = time.monotonic()
        if self.progress is not None and now - self._reported > REPORT_SECONDS:
            self._reported = now
            self.progress(done, total, what())

    def save(self, state: Callable[[], dict[str, Any]]) -> None:
        """Save the state of the job if the last checkpoint is long enough ago."""
        if self.saver is None:
            return
        now, least = time.monotonic(), CHECKPOINT_SECONDS
        if now - self._saved > self._pause:
            self.saver.save(state())
            self._saved = time.monotonic()
            self._pause = max(least, 20 * (self._saved - now)) if least > 0 else least
