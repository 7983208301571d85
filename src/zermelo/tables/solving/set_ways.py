"""Solve a tier by sets of positions: the steps of :mod:`zermelo._kernels.tables.sets`.

Rules offer this by ``set_tiers``, which has the indices of such tiers. It is for rules of the
package only, because nothing but tests compares ``moves_into`` with ``moves``. The state of a job
is saved before such a tier and after it, not in the midst.

**In place.** Until the tier is solved, the part of the array that is meant for its entries has the
sets and the codes: five bits and a byte for each index instead of 16 bits. At the end the entries
are made from the first word on. Kinds and codes are at the end of this part, so that an entry is
written over what is not needed any more.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo._kernels.tables.begin import COUNT, EVEN, FIRST, LAST, LOSE, WIN
from zermelo._kernels.tables.sets import (
    LAST_LAYER,
    LAST_TIES,
    NEW,
    PENDING,
    TOO_LONG,
    Sets,
    Span,
    Words,
    begin_set_ties,
    begin_sets,
    count_positions,
    end_sets,
    expand_words,
    gather_positions,
    mirror_sets,
    settle_layer,
)
from zermelo._runtime.compiled.jit import Kernel
from zermelo.labels import AnyArray, Int64Array, UInt8Array
from zermelo.rules.set_tiers import SetTier, set_tiers
from zermelo.tables.solving.job import WAY_OUT

if TYPE_CHECKING:
    from zermelo.tables.solving.waves import Waves

WORD = 8
"""Bytes of a word of a set."""

MAX_COPIED_WORDS = 1 << 12
"""At most so many words are copied before their entries are made: the room that they leave is too
small."""

OUT: Any = object()
"""A placeholder for the array to which a call writes moves."""


class Room(NamedTuple):
    """The arrays of a tier that is being solved: in place of its entries, or apart from them."""

    unwon: Int64Array
    fresh: Int64Array
    undone: Int64Array
    high: Int64Array
    low: Int64Array
    code: UInt8Array


def bytes_of(tier: SetTier) -> int:
    """Bytes of the sets and codes of a tier, with what their alignment takes."""
    stored = len(tier.indices) // tier.width
    return WORD * (2 * tier.words + 3 * stored + 2) + len(tier.indices)


def bytes_apart(tier: SetTier, itemsize: int) -> int:
    """Bytes that a tier needs beside its entries while it is being solved."""
    need = bytes_of(tier)
    return 0 if need <= len(tier.indices) * itemsize else need


def set_bytes(rules: Any, itemsize: int = 2) -> int:
    """The greatest number of bytes that a tier solved by sets needs beside its entries.

    >>> from zermelo.rules.loading.load import load_rules
    >>> set_bytes(load_rules("chess:KQvKR")), set_bytes(load_rules("chess:KPvKP"))
    (0, 11327248)
    """
    return max((bytes_apart(tier, itemsize) for tier in set_tiers(rules).values()), default=0)


def share_of_sets(rules: Any) -> float:
    """The share of the indices of rules that are solved by sets.

    >>> from zermelo.rules.loading.load import load_rules
    >>> round(share_of_sets(load_rules("chess:KRvK")), 2), share_of_sets(load_rules("tictactoe"))
    (0.99, 0.0)
    """
    return sum(len(tier.indices) for tier in set_tiers(rules).values()) / (rules.size or 1)


def words_before(room: UInt8Array, at: int, count: int) -> tuple[Int64Array, int]:
    """The words that end before a place in an array of bytes, and the place where they begin."""
    stop = at - (room.ctypes.data + at) % WORD
    start = stop - WORD * count
    return room[start:stop].view(np.int64), start


def arranged(room: UInt8Array, tier: SetTier) -> Room:
    """The arrays of a tier within an array of bytes: kinds and codes are at its end."""
    stored = len(tier.indices) // tier.width
    at = room.size - len(tier.indices)
    code = room[at:]
    low, at = words_before(room, at, stored)
    high, at = words_before(room, at, stored)
    skip = -room.ctypes.data % WORD
    front = room[skip : skip + WORD * (2 * tier.words + stored)].view(np.int64)
    unwon, fresh, undone = np.split(front, [tier.words, 2 * tier.words])
    return Room(unwon, fresh, undone, high, low, code)


def moved(words: Int64Array, to: Int64Array) -> Int64Array:
    """Move words to a place behind them, part by part, the last part first; return them."""
    for stop in range(words.size, 0, -MAX_COPIED_WORDS):
        start = max(0, stop - MAX_COPIED_WORDS)
        to[start:stop] = words[start:stop]
    return to


class TooLongForSets(Exception):
    """A distance is too long for a code; the entries of the tier are all 0 then."""


class BySets:
    """A tier that is being solved by sets; the results are those of other ways to solve it."""

    description = ""
    sets: Sets
    room: UInt8Array

    def __init__(self, waves: "Waves", tier: SetTier) -> None:
        self.waves, self.tier = waves, tier
        self.stride, self.blocks = 1 + tier.even, len(tier.near[0]) - 1
        self.stored, self.size = self.blocks // self.stride, tier.words // self.blocks
        self.counts = np.zeros((len(waves.scratch), 3), np.int64)
        self.own = waves.entry[tier.indices.start : tier.indices.stop]
        self.apart = bytes_apart(tier, self.own.itemsize)

    def _spans(self, layer: int = 0, kind: int = 0) -> list[Span]:
        """The blocks of each call."""
        tier, calls = self.tier, len(self.waves.scratch)
        cuts = [self.stored * k // calls for k in range(calls + 1)]
        return [
            Span(start, stop, self.stride, self.size, tier.width, tier.key, tier.indices.start,
                 self.waves.bits, layer, kind)
            for start, stop in pairwise(cuts)
        ]  # fmt: skip

    def count(self) -> int:
        """The number of positions."""
        calls = list(zip(self.counts, self._spans(), strict=True))
        self.counts[:] = 0
        self.waves.job.team.run(self.waves.bind(count_positions), calls)
        return self._counted(NEW)

    def _take_room(self) -> None:
        """Make the sets, in the room for entries if possible."""
        waves, tier = self.waves, self.tier
        self.room = self.own.view(np.uint8)
        if self.apart:
            waves.job.require(self.apart, f"sets of {len(tier.indices):,} positions", WAY_OUT)
            waves.job.held += self.apart
            self.room = np.empty(self.apart, np.uint8)
        below = waves.entry[: tier.indices.start]
        changed, waiting = np.zeros((2, self.blocks), np.int64)
        self.sets = Sets(*arranged(self.room, tier), below, *tier.near, changed, waiting)

    def _mirror(self, words: Int64Array, wanted: Int64Array | None = None) -> None:
        """Fill in the blocks of a set that have no indices: all, or the images that are wanted."""
        if self.tier.even:
            wanted = np.ones(self.stored, np.int64) if wanted is None else wanted
            calls = [(words, wanted, np.zeros(64, np.int64), span) for span in self._spans()]
            self.waves.job.team.run(self.waves.bind(mirror_sets), calls)

    def _changed(self) -> Int64Array:
        """The blocks that the last layer changed, and the images of these."""
        changed = self.sets.changed.copy()
        if self.tier.even:
            images = self.tier.images
            changed[1::2] = changed.any() if images is None else changed[::2][images]
        return changed

    def _each(self, job: Kernel[..., Any], *args: Any, tally: bool = True, **span: int) -> None:
        """Call a kernel for all blocks; sets come first, then ``args``, counts and the span."""
        waves = self.waves
        self.counts[:] = 0
        pieces = []
        for k, (scratch, blocks) in enumerate(zip(waves.scratch, self._spans(**span), strict=True)):
            extra = (scratch.tally,) if tally else ()
            given = tuple(scratch.out if x is OUT else x for x in args)
            pieces.append((self.sets, *given, *extra, self.counts[k], blocks))
        waves.job.team.run(waves.bind(job), pieces)
        waves.pause(len(pieces), saving=False)

    def _counted(self, what: int) -> int:
        return int(self.counts[:, what].sum())

    # ---------------------------------------------------------------- begin, step, finish

    def begin(self) -> None:
        """Settle ends of play, and note what follows from moves out of the tier."""
        self._take_room()
        self._each(gather_positions, tally=False)
        self._mirror(self.sets.unwon)
        self._each(begin_sets, OUT)
        if self._counted(TOO_LONG):
            self._give_up()
        self._mirror(self.sets.fresh)
        self.before, self.other = self._changed(), self.sets.unwon

    def begin_ties(self) -> None:
        """Let the ties at ends of play and after moves out of the tier be pending."""
        self._each(begin_set_ties, tally=False)
        self.sets.changed[:] = self.sets.fresh[:] = self.other[:] = 0  # who is not won is settled
        self.before = self.last = self._changed()

    def next_layer(self, ties: bool) -> int | None:
        """The present layer, as long as something was settled in it, or is pending."""
        return self.waves.layer if self._counted(NEW) or self._counted(PENDING) else None

    def spread(self, ties: bool) -> None:
        """Settle the ties of the present layer, or the wins or losses one ply before it.

        The blocks of a layer have images where a set is read in the next layer. What was fresh in
        the layer of losses before, or two layers of ties before, is fresh no more.
        """
        layer = self.waves.layer + (not ties)
        if layer > (LAST_TIES if ties else LAST_LAYER):
            self._give_up()
        kind = EVEN if ties else WIN if layer % 2 else LOSE
        result = {EVEN: self.other, WIN: self.sets.unwon, LOSE: self.sets.fresh}[kind]
        self._each(settle_layer, self._changed(), result, layer=layer, kind=kind)
        now = self._changed()
        self._mirror(result, now[1::2] if kind == WIN else now[1::2] | self.before[1::2])
        if kind == EVEN:
            self.before, self.last = self.last, now
            self.sets, self.other = self.sets._replace(fresh=result), self.sets.fresh
        elif kind == LOSE:
            self.before = now
        self.waves.layer += 1

    def finish(self) -> None:
        """Settle what is undecided, and make the entries of the tier."""
        self._each(end_sets)
        self._expand()
        self.waves.job.held -= self.apart

    def _give_up(self) -> None:
        """Leave the tier to another way, because play is too long for codes."""
        self.own[:] = 0
        self.waves.job.held -= self.apart
        raise TooLongForSets

    def _expand(self) -> None:
        """Make the entries of the tier.

        In place, this goes in rounds. The kinds of the words that are left are moved to their codes
        at the end of the room, and entries are made up to there. Each round makes three eighths of
        what is left (of words with 64 indices), or more.
        """
        room, width = self.room, self.tier.width
        words, start = Words(self.sets.high, self.sets.low, self.sets.code), 0
        stored, each = self.sets.undone.size, width * self.own.itemsize
        while start < stored:
            left, stop = stored - start, stored
            if left <= MAX_COPIED_WORDS:
                words = Words(*(part.copy() for part in words))
            elif not self.apart:
                low, at = words_before(room, room.size - left * width, left)
                high, at = words_before(room, at, left)
                low = moved(words.low, low)
                words, stop = Words(moved(words.high, high), low, words.code), at // each
            made = stop - start
            self._make_entries(words, self.own[start * width :], made)
            high, low, code = words
            words, start = Words(high[made:], low[made:], code[made * width :]), stop

    def _make_entries(self, words: Words, entry: AnyArray, count: int) -> None:
        """Make the entries of the first words, in all threads."""
        calls, bits = len(self.waves.scratch), self.waves.bits
        cuts = [count * k // calls for k in range(calls + 1)]
        pieces = [(words, entry, start, stop, bits) for start, stop in pairwise(cuts)]
        self.waves.job.team.run(expand_words, pieces)


def mark_sets(waves: "Waves") -> None:
    """Fill in the spans of tiers that are solved by sets."""
    for number, tier in waves.by_sets.items():
        row = waves.spans[number]
        row[FIRST], row[LAST] = tier.indices.start, tier.indices.stop - 1
        row[COUNT] = BySets(waves, tier).count()


def empty_calls(waves: "Waves") -> Iterator[tuple[Kernel[Any, Any], tuple[Any, ...]]]:
    """Each kernel with arguments for no positions, so that it is compiled."""
    bind, scratch, none = waves.bind, waves.scratch[0], np.zeros(64, np.int64)
    code, below = np.zeros(64, np.uint8), waves.entry[:1]
    sets = Sets(none, none, none, none, none, code, below, none, none, none, none)
    span = Span(0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
    yield bind(count_positions), (none, span)
    yield bind(gather_positions), (sets, none, span)
    yield bind(begin_sets), (sets, scratch.out, scratch.tally, none, span)
    yield begin_set_ties, (sets, none, span)
    yield bind(settle_layer), (sets, none, none, scratch.tally, none, span)
    yield end_sets, (sets, scratch.tally, none, span)
    yield expand_words, (Words(none, none, code), below, 0, 0, 0)
    if any(tier.even for tier in waves.by_sets.values()):
        yield bind(mirror_sets), (none, none, none, span)
