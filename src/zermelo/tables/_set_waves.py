"""Solve a tier by sets of positions: the steps of :mod:`zermelo._kernels.tables_sets`.

Rules offer this by ``set_tiers``, which has the indices of such tiers. It is for rules of the
package only, because nothing but tests compares ``moves_into`` with ``moves``. The state of a job
is saved before such a tier and after it, not in the midst.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

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
    mirror_sets,
)
from zermelo._runtime.bind import bind
from zermelo._runtime.jit import Kernel
from zermelo.labels import Int64Array
from zermelo.rules.set_tiers import SetTier, set_tiers
from zermelo.tables._job import WAY_OUT

if TYPE_CHECKING:
    from zermelo.tables._waves import Waves

KINDS = 5
"""Sets of a tier."""

OUT: Any = object()
"""Stands for the room for moves of a call."""


def set_bytes(rules: Any) -> int:
    """Bytes that the sets of the largest tier need.

    >>> from zermelo.rules.load import load_rules
    >>> set_bytes(load_rules("chess:KQvKR")), set_bytes(load_rules("tictactoe"))
    (2365440, 0)
    """
    return max(map(_bytes, set_tiers(rules).values()), default=0)


def _bytes(tier: SetTier) -> int:
    return 8 * KINDS * tier.words


class SetWaves:
    """A tier that is being solved by sets; the results are those of other ways to solve it."""

    def __init__(self, waves: "Waves", tier: SetTier) -> None:
        self.waves, self.tier = waves, tier
        ends, near = tier.near
        self.stride = 1 + tier.even
        blocks = len(ends) - 1
        self.stored = blocks // self.stride
        self.size = tier.words // blocks
        waves.job.require(_bytes(tier), f"sets of {len(tier.indices):,} positions", WAY_OUT)
        undone, unwon, pending, never, fresh = np.zeros((KINDS, tier.words), np.int64)
        changed, waiting = np.zeros((2, blocks), np.int64)
        self.sets = Sets(
            undone, unwon, pending, never, fresh, waves.entry, ends, near, changed, waiting
        )
        self.counts = np.zeros((len(waves.scratch), 2), np.int64)

    def _spans(self, layer: int = 0) -> list[Span]:
        """The blocks of each call."""
        tier, calls = self.tier, len(self.waves.scratch)
        cuts = [self.stored * k // calls for k in range(calls + 1)]
        return [
            Span(start, stop, self.stride, self.size, tier.width, tier.key, tier.indices.start,
                 self.waves.bits, layer)
            for start, stop in pairwise(cuts)
        ]  # fmt: skip

    def _mirror(self, words: Int64Array, wanted: Int64Array | None = None) -> None:
        """Fill in the blocks of a set that have no indices: all, or the images that are wanted."""
        if self.tier.even:
            wanted = np.ones(self.stored, np.int64) if wanted is None else wanted
            calls = [(words, wanted, np.zeros(64, np.int64), span) for span in self._spans()]
            self.waves.job.team.run(bind(mirror_sets, self.waves.rules), calls)

    def _changed(self) -> Int64Array:
        """The blocks that the last layer changed, and the images of these."""
        changed = self.sets.changed.copy()
        if self.tier.even:
            images = self.tier.images
            changed[1::2] = changed.any() if images is None else changed[::2][images]
        return changed

    def _each(self, job: Kernel[..., Any], *args: Any, layer: int = 0, tally: bool = True) -> None:
        """Call a kernel for all blocks; sets come first, then ``args``, counts and the span."""
        waves = self.waves
        self.counts[:] = 0
        pieces = []
        for k, (scratch, span) in enumerate(zip(waves.scratch, self._spans(layer), strict=True)):
            extra = (scratch.tally,) if tally else ()
            given = tuple(scratch.out if x is OUT else x for x in args)
            pieces.append((self.sets, *given, *extra, self.counts[k], span))
        waves.job.team.run(bind(job, waves.rules), pieces)
        waves.pause(len(pieces), saving=False)

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
        waves.job.held += _bytes(self.tier)
        self._each(gather_positions, tally=False)
        self._mirror(sets.unwon)
        self._each(begin_sets, OUT)
        self._mirror(sets.fresh)
        layer, before = 0, self._changed()
        # Invariant: all positions that are settled in at most ``layer`` plies have their entries;
        # ``changed`` has the blocks of the last layer, and ``fresh`` the losses of the last one.
        while self._new or self._pending:
            layer += 1
            waves.layer = layer
            self._make_room(layer)
            wins = layer % 2 == 1
            self._each(layer_of_wins if wins else layer_of_losses, self._changed(), layer=layer)
            now = self._changed()
            if wins:
                self._mirror(sets.unwon, now[1::2])
            else:  # what was fresh in the layer of losses before is fresh no more
                self._mirror(sets.fresh, now[1::2] | before[1::2])
                before = now
        self._ties()
        self._each(end_sets)
        waves.layer = 0
        waves.job.held -= _bytes(self.tier)

    def _ties(self) -> None:
        """Settle ties, in the order of their distances; positions that are undecided may tie."""
        self._each(begin_set_ties, tally=False)
        if not self._pending:
            return
        other, layer = self.sets.unwon, 0  # which are needed no more
        self.sets.changed[:] = self.sets.fresh[:] = other[:] = 0
        before = last = self._changed()
        while True:
            self.waves.layer = layer
            self._make_room(layer)
            self._each(layer_of_ties, self._changed(), other, layer=layer)
            now = self._changed()
            self._mirror(other, now[1::2] | before[1::2])  # it was fresh two layers before
            before, last = last, now
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


def empty_calls(waves: "Waves") -> Iterator[tuple[Kernel[Any, Any], tuple[Any, ...]]]:
    """Each kernel with arguments for no positions, so that it is compiled."""
    rules, scratch, none = waves.rules, waves.scratch[0], np.zeros(64, np.int64)
    sets = Sets(none, none, none, none, none, waves.entry, none, none, none, none)
    span = Span(0, 0, 1, 0, 0, 0, 0, 0, 0)
    yield bind(gather_positions, rules), (sets, none, span)
    yield bind(begin_sets, rules), (sets, scratch.out, scratch.tally, none, span)
    yield bind(layer_of_wins, rules), (sets, none, scratch.tally, none, span)
    yield bind(layer_of_losses, rules), (sets, none, scratch.tally, none, span)
    yield begin_set_ties, (sets, none, span)
    yield bind(layer_of_ties, rules), (sets, none, none, scratch.tally, none, span)
    yield end_sets, (sets, scratch.tally, none, span)
    if any(tier.even for tier in waves.by_sets.values()):
        yield bind(mirror_sets, rules), (none, none, none, span)
