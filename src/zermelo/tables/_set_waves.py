"""Solve a tier by sets of positions: the steps of :mod:`zermelo._kernels.tables_sets`.

Rules offer this by ``set_tiers``, which has the indices of such tiers. It is for rules of the
package only, because nothing but tests compares ``moves_into`` with ``moves``. The state of a job
is saved before such a tier and after it, not in the midst.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo._kernels.tables_begin import COUNT, FIRST, LAST
from zermelo._kernels.tables_sets import (
    NEW,
    PENDING,
    Sets,
    Span,
    begin_set_ties,
    begin_sets,
    end_sets,
    gather_positions,
    layer_of_losses,
    layer_of_ties,
    layer_of_wins,
)
from zermelo._runtime.bind import bind
from zermelo._runtime.jit import Kernel
from zermelo.labels import Int64Array
from zermelo.tables._job import WAY_OUT

if TYPE_CHECKING:
    from zermelo.tables._waves import Waves

KINDS = 5
"""Sets of a tier."""

OUT: Any = object()
"""Stands for the room for moves of a call."""


class SetTier(NamedTuple):
    """A tier that is solved by sets."""

    key: int
    """What the rules know the tier by."""
    indices: range
    near: tuple[Int64Array, Int64Array]
    """Block b has moves to the blocks ``near[1][near[0][b]:near[0][b + 1]]``."""


def set_tiers(rules: Any) -> dict[int, SetTier]:
    """The tiers of rules that are solved by sets.

    >>> from zermelo.rules.load import load_rules
    >>> found = set_tiers(load_rules("chess:KRvK"))
    >>> {tier: found[tier].indices for tier in found}, set_tiers(load_rules("tictactoe"))
    ({1: range(462, 59598)}, {})
    """
    given: dict[int, Any] = getattr(rules, "set_tiers", {})
    return {tier: SetTier(*facts) for tier, facts in given.items()}


class SetWaves:
    """A tier that is being solved by sets; the results are those of other ways to solve it."""

    def __init__(self, waves: "Waves", tier: SetTier) -> None:
        self.waves, self.key = waves, tier.key
        self.indices = indices = tier.indices
        ends, near = tier.near
        self.blocks = len(ends) - 1
        words = len(indices) // 64
        self.size = words // self.blocks
        waves.job.require(8 * KINDS * words, f"sets of {len(indices):,} positions", WAY_OUT)
        self.bytes = 8 * KINDS * words
        undone, unwon, pending, never, fresh = np.zeros((KINDS, words), np.int64)
        changed, waiting = np.zeros((2, self.blocks), np.int64)
        self.sets = Sets(
            undone, unwon, pending, never, fresh, waves.entry, ends, near, changed, waiting
        )
        self.counts = np.zeros((len(waves.scratch), 2), np.int64)

    def _each(self, job: Kernel[..., Any], *args: Any, layer: int = 0, tally: bool = True) -> None:
        """Call a kernel for all blocks; sets come first, then ``args``, counts and the span."""
        waves, calls = self.waves, len(self.waves.scratch)
        self.counts[:] = 0
        pieces = []
        for k, scratch in enumerate(waves.scratch):
            start, stop = self.blocks * k // calls, self.blocks * (k + 1) // calls
            span = Span(start, stop, self.size, self.key, self.indices.start, waves.bits, layer)
            extra = (scratch.tally,) if tally else ()
            given = tuple(scratch.out if x is OUT else x for x in args)
            pieces.append((self.sets, *given, *extra, self.counts[k], span))
        waves.job.team.run(bind(job, waves.rules), pieces)
        waves.pause(calls, saving=False)

    @property
    def _new(self) -> int:
        return int(self.counts[:, NEW].sum())

    @property
    def _pending(self) -> int:
        return int(self.counts[:, PENDING].sum())

    def count(self) -> int:
        """The number of positions."""
        self._each(gather_positions, tally=False)
        return int(self.counts[:, 0].sum())

    def run(self) -> None:
        """Solve the tier."""
        waves, sets = self.waves, self.sets
        waves.job.held += self.bytes
        self._each(gather_positions, tally=False)
        self._each(begin_sets, OUT)
        layer = 0
        # Invariant: all positions that are settled in at most ``layer`` plies have their entries;
        # ``changed`` has the blocks of the last layer, and ``fresh`` the losses of the last one.
        while self._new or self._pending:
            layer += 1
            waves.layer = layer
            self._make_room(layer)
            job = layer_of_wins if layer % 2 else layer_of_losses
            self._each(job, sets.changed.copy(), layer=layer)
        self._ties()
        self._each(end_sets)
        waves.layer = 0
        waves.job.held -= self.bytes

    def _ties(self) -> None:
        """Settle ties, in the order of their distances; positions that are undecided may tie."""
        sets = self.sets
        self._each(begin_set_ties, tally=False)
        if not self._pending:
            return
        sets.changed[:] = 0
        other, layer = sets.unwon, 0  # which are needed no more
        while True:
            self.waves.layer = layer
            self._make_room(layer)
            self._each(layer_of_ties, self.sets.changed.copy(), other, layer=layer)
            self.sets, other = self.sets._replace(fresh=other), self.sets.fresh
            if not self._new and not self._pending:
                return
            layer += 1

    def _make_room(self, layer: int) -> None:
        """Make entries wider before distances exceed what they can hold."""
        if layer + 1 >= self.waves.beyond:
            self.waves.widen()
            self.sets = self.sets._replace(entry=self.waves.entry)


def mark_sets(waves: "Waves") -> None:
    """Fill in the spans of tiers that are solved by sets."""
    for number, tier in waves.by_sets.items():
        row = waves.spans[number]
        row[FIRST], row[LAST] = tier.indices.start, tier.indices.stop - 1
        row[COUNT] = SetWaves(waves, tier).count()
