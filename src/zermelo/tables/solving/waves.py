"""Solve tier after tier by backward waves: the steps of :mod:`zermelo._kernels.tables.wave`.

The job is a sequence of *sweeps*: each takes one kernel through the slots of a tier, in batches of
pieces for all threads, and between two batches there may be a report of progress or a checkpoint.
The place of a sweep (tier, stage, layer, part, slot) and the arrays determine all that remains to
be done.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.tables.begin import (
    CHUNK,
    COUNT,
    DRAWS,
    EVEN,
    FAR,
    FIRST,
    INSIDE,
    LAST,
    LONGEST,
    LOSE,
    NEAREST,
    WIN,
    WRONG,
    Coding,
    Scratch,
    Table,
    begin,
    begin_ties,
    end_tier,
    mark,
)
from zermelo._kernels.tables.wave import COUNTS, TIES, WINS
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.compiled.guards import TIERS
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.memory import show_size
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.faults import wrong
from zermelo.rules.set_tiers import SetTier, set_tiers
from zermelo.rules.views import Indexed
from zermelo.tables.solving.backward import Backward, ByLooking, way_back
from zermelo.tables.solving.job import WAY_OUT, Job
from zermelo.tables.solving.set_waves import SetWaves, mark_sets
from zermelo.tables.solving.thin_layers import ThinLayers
from zermelo.tables.storage.entry import bits_of

PIECE = 1 << 18
"""Slots of one call of a kernel."""

FEW = 1 << 16
"""A tier with at most this many slots is solved by one thread, perhaps interpreted."""

DEPTHS = 1 << 10
"""Distances that are counted one by one."""

BEGIN, WAVE, BEGIN_TIES, TIE_WAVE, END = range(5)
"""The stages of a tier."""

NOT_YET, NO, YES = range(3)
"""Whether a sweep looks at all undecided positions, and whether a tier has its moves made again:
this must not change before the sweep or the tier is finished."""

ALTERNATING = ((LOSE, WINS), (WIN, COUNTS))
BY_OWNER = ((LOSE, WINS), (WIN, WINS), (LOSE, COUNTS), (WIN, COUNTS))
TYING = ((EVEN, TIES),)
"""What each layer spreads, in this order: a kind, and what it does to the positions before.

Where the players move in turn, a loss of a successor is good for the player to move; a win is bad.
"""


def _scratch(most: int) -> Scratch:
    """The arrays that one call of a kernel at a time writes to."""
    sizes = most, CHUNK + most, 3 * CHUNK, 4 * DEPTHS, 1
    return Scratch(*(np.zeros(size, np.int64) for size in sizes))


Call = Callable[[Scratch, int, int], tuple[Any, ...]]


def entry_type(rules: CompiledRules) -> Any:
    """The type of entries with distances, as long as play is not too long for them."""
    return np.uint32 if room_for(rules, "moves") >= (1 << 13) - 2 else np.uint16


class Waves:
    """A game that is being solved: ``entry`` has what is known of each slot."""

    def __init__(
        self, rules: CompiledRules, job: Job, keys: Int64Array, entry: AnyArray, sign: int
    ) -> None:
        self.rules, self.job, self.keys, self.entry, self.sign = rules, job, keys, entry, sign
        self.bind = Binding(rules)
        self.spans = np.zeros((TIERS, 3), np.int64)
        self.tally = np.zeros(4 * DEPTHS, np.int64)
        self.tier = self.stage = self.layer = self.part = self.slot = 0
        self.looking = self.again = NOT_YET
        self.settled = self.longest = self.tied = 0
        self.way: Backward | None = None
        self.thin = ThinLayers(self)
        most = max(room_for(rules, name) for name in ("moves", "unmoves") if rules.has(name))
        self.scratch = [_scratch(most) for _ in range(job.team.slices)]
        self.by_sets = self._tiers_by_sets()

    def _tiers_by_sets(self) -> dict[int, SetTier]:
        """The tiers that are solved by sets."""
        whole = isinstance(self.rules, Indexed) and not self.rules.reachable
        return set_tiers(self.rules) if whole and self.sign == 1 else {}

    # ---------------------------------------------------------------- checkpoints

    PLACE: tuple[str, ...] = (
        "tier", "stage", "layer", "part", "slot", "looking", "again", "settled", "longest", "tied",
    )  # fmt: skip

    def state(self) -> dict[str, Any]:
        """All that is needed to continue."""
        place = {name: getattr(self, name) for name in self.PLACE}
        arrays = {"keys": self.keys, "entry": self.entry, "spans": self.spans, "tally": self.tally}
        return {"step": "solve", **place, **arrays}

    @classmethod
    def shapes(cls) -> dict[str, tuple[int, ...]]:
        """What a state has beside the keys and the entries; numbers have an empty shape."""
        return {**dict.fromkeys(cls.PLACE, ()), "spans": (TIERS, 3), "tally": (4 * DEPTHS,)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where the state was saved."""
        for name in self.PLACE:
            setattr(self, name, int(state[name]))
        self.spans, self.tally = state["spans"], state["tally"]

    # ---------------------------------------------------------------- sweeps

    @property
    def table(self) -> Table:
        """The slots as the kernels take them."""
        return Table(self.keys, self.entry)

    @property
    def bits(self) -> int:
        """Bits of an entry that are its distance."""
        return bits_of(self.entry)

    @property
    def coding(self) -> Coding:
        """How entries are read."""
        return Coding(self.bits, 1 << (self.bits - 1), 0)

    def sweep(self, job: Kernel[..., Any], call: Call, *, saving: bool = True) -> None:
        """Take a kernel through the slots of the tier, from the present slot on."""
        first, last = self.spans[self.tier, FIRST : LAST + 1].tolist()
        at = max(first, self.slot)
        many = last - first > FEW
        while at <= last:
            pieces = []
            step = PIECE if many else FEW if job.ready else FEW // 16
            for scratch in self.scratch if many else self.scratch[:1]:
                if at <= last:
                    pieces.append(call(scratch, at, min(at + step, last + 1)))
                    at += step
            self.job.team.run(job, pieces)
            self.slot = at
            self.pause(len(pieces), saving=saving)
        self.slot = 0

    def pause(self, calls: int = 1, *, saving: bool = True) -> None:
        """After calls of a kernel: add up what they counted, report progress, save the state."""
        self._gather(calls)
        self.job.report(self.settled + self.settled_here, self.total, self._report)
        if saving:
            self.job.save(self.state)

    def _gather(self, calls: int) -> None:
        """Add the counts of the calls to those of the tier."""
        for scratch in self.scratch[:calls]:
            extremes = [max(self.tally[k], scratch.tally[k]) for k in (LONGEST, NEAREST)]
            self.tally += scratch.tally
            self.tally[[LONGEST, NEAREST]] = extremes
            if place := int(scratch.tally[WRONG]):
                at = self.rules.show(int(self.rules.position_at(self.keys, place - 1)))  # type: ignore[attr-defined]
                message = "a move leads to a position of a higher tier, or to one that is none"
                raise wrong(self.rules, "tier", f"position {at}: {message}")
            scratch.tally[:] = 0

    @cached_property
    def total(self) -> int:
        """How many positions there are."""
        return int(self.spans[:, COUNT].sum())

    @cached_property
    def mixed(self) -> bool:
        """Whether the slots of a tier have some of another tier among them."""
        rows = self.spans[self.spans[:, COUNT] > 0]
        rows = rows[np.argsort(rows[:, FIRST])]
        return bool((rows[1:, FIRST] <= rows[:-1, LAST]).any())

    @property
    def settled_here(self) -> int:
        """How many positions of the tier are settled."""
        return int(self.tally[DEPTHS:].sum() + self.tally[DRAWS])

    def _report(self) -> str:
        where = f"tier {self.tier}, " if self.rules.has("tier") else ""
        stage = ("beginning", "layer", "beginning ties", "ties, layer", "ending")[self.stage]
        layer = f" {self.layer}" if self.stage in (WAVE, TIE_WAVE) else ""
        done = self.settled + self.settled_here
        rate = done / max(1e-9, self.job.seconds)
        way = "" if self.way is None else self.way.description
        return f"solving: {where}{stage}{layer}{way}, {rate:,.0f}/s, {show_size(self.job.held)}"

    # ---------------------------------------------------------------- the job

    def mark(self, whole: bool, given: Sequence[range] = ()) -> None:
        """Mark positions with their tiers: all, or those whose entries are not 0.

        The slots ``given`` are left out: their tiers are solved already.
        """
        job, coding = self.bind(mark), self.coding
        spans = [np.zeros(3 * TIERS, np.int64) for _ in self.scratch]
        step = PIECE if self.entry.size > FEW else FEW
        at = 0
        skipping = [*given, *(tier.indices for tier in self.by_sets.values())]
        skipping.sort(key=lambda indices: indices.start)
        for skipped in (*skipping, range(self.entry.size, self.entry.size)):
            while at < skipped.start:
                pieces = []
                for span in spans:
                    stop = min(at + step, skipped.start)
                    if at < stop:
                        pieces.append((self.keys, self.entry, span, at, stop, coding, whole))
                    at = stop
                self.job.team.run(job, pieces)
            at = skipped.stop
        for span in spans:
            more = span.reshape(-1, 3)
            new, old = more[:, COUNT] > 0, self.spans[:, COUNT] > 0
            both = new & old
            self.spans[both, FIRST] = np.minimum(self.spans[both, FIRST], more[both, FIRST])
            self.spans[both, LAST] = np.maximum(self.spans[both, LAST], more[both, LAST])
            self.spans[new & ~old, :2] = more[new & ~old, :2]
            self.spans[:, COUNT] += more[:, COUNT]
        mark_sets(self)

    def run(self) -> None:
        """Solve all tiers from the present one on."""
        for tier in np.flatnonzero(self.spans[:, COUNT]).tolist():
            if tier >= self.tier:
                self.tier = tier
                self._tier()
                self.job.finish_tier(tier, self.entry)
                self.job.save(self.state)

    def _tier(self) -> None:
        """Solve the present tier, from the present stage on."""
        if self.stage == BEGIN and self.tier in self.by_sets:
            self.stage = WAVE
            if SetWaves(self, self.by_sets[self.tier]).run():
                self.stage = END
            else:
                self._begin_again()
        if self.stage == BEGIN:
            self._make_room()
            plan = *self.coding, self.tier, self.sign

            def beginning(s: Scratch, start: int, stop: int) -> tuple[Any, ...]:
                return self.table, s, start, stop, plan

            self.sweep(self.bind(begin), beginning)
            self._next()
        if self.stage == WAVE:
            if self.tally[INSIDE]:
                self._wave(BY_OWNER if self.rules.has("player") else ALTERNATING)
            self._next()
        if self.stage == BEGIN_TIES:
            if self.slot or (self._undecided and self.tied):
                where = *self.coding, self.tier

                def tying(s: Scratch, start: int, stop: int) -> tuple[Any, ...]:
                    return self.table, s, start, stop, where

                self.sweep(self.bind(begin_ties), tying)
            self._next()
        if self.stage == TIE_WAVE:
            begun = self.layer or self.part or self.slot
            if begun or (self._undecided and self.tally[EVEN * DEPTHS :][:DEPTHS].any()):
                self._wave(TYING)
            self._next()
        if self.slot or self._undecided or self.coding.fresh:
            last = self.coding
            self.sweep(end_tier, lambda s, start, stop: (self.entry, s.tally, start, stop, last))
        self.settled += self.settled_here
        self.tied += int(self.tally[EVEN * DEPTHS :][:DEPTHS].sum())
        self.longest = max(self.longest, int(self.tally[LONGEST]))
        if self.way is not None:
            self.way.close()
            self.way, self.again = None, NOT_YET
        self.tally[:] = 0
        self.tier, self.stage = self.tier + 1, BEGIN

    def _begin_again(self) -> None:
        """Let a tier be solved position by position, because play is too long for sets."""
        self.tally[:] = 0
        self.stage = BEGIN
        indices, span = self.by_sets[self.tier].indices, np.zeros(3 * TIERS, np.int64)
        call = self.keys, self.entry, span, indices.start, indices.stop, self.coding, True
        self.bind(mark)(*call)

    def _next(self) -> None:
        self.stage, self.layer, self.part, self.slot = self.stage + 1, 0, 0, 0

    @property
    def _undecided(self) -> int:
        """How many positions of the tier are not settled; pending ones are settled."""
        return int(self.spans[self.tier, COUNT]) - self.settled_here

    def _find_way(self) -> Backward:
        """The way to spread a layer, which stays the same for the whole tier."""
        if self.way is None:
            self.way = way_back(self, self.again == YES)
            self.again = YES if isinstance(self.way, ByLooking) else NO
        return self.way

    def _wave(self, parts: tuple[tuple[int, int], ...]) -> None:
        """Go layer by layer, as long as earlier layers or lower tiers have led to another one.

        Ties need no counters. So the smaller of two sets is searched: the ties of a layer for their
        predecessors, or the undecided positions for a tie among their successors.
        """
        way = self._find_way()
        # Invariant: entries of the tier at most ``layer`` far are final and those before have been
        # spread; nothing farther than the longest distance noted is settled.
        while self.layer <= self.tally[LONGEST]:
            if self.layer >= DEPTHS - 1:
                self.layer = max(self.layer, FAR - int(self.tally[NEAREST]))
            self._make_room()
            if not (self.part or self.slot or self.looking) and self.thin.follow(parts):
                continue
            largest = -1
            while self.part < len(parts):
                kind, action = parts[self.part]
                counts = self.tally[kind * DEPTHS :][:DEPTHS]
                if many := int(counts[min(self.layer, DEPTHS - 1)]):
                    largest = max(largest, many if self.layer < DEPTHS - 1 else 0)
                    if self.looking == NOT_YET:
                        fewer = self._undecided + int(counts[self.layer + 1 :].sum()) < many
                        self.looking = YES if fewer and action == TIES else NO
                    searched = ByLooking(self) if self.looking == YES else way
                    searched.spread(kind, action, self.layer)
                    self.looking = NOT_YET
                self.part += 1
            if largest >= 0:
                self.thin.note(largest)
            self.layer, self.part = self.layer + 1, 0

    @property
    def lowest(self) -> int:
        """Entries with a distance below this were spread."""
        return self.layer

    @property
    def beyond(self) -> int:
        """The first layer for which entries are too narrow."""
        return (1 << self.bits) - 3

    def _make_room(self) -> None:
        """Make entries wider before distances exceed what they can hold."""
        farthest = max(self.longest, int(self.tally[LONGEST]), self.layer)
        if farthest >= self.beyond:
            self.widen()

    def widen(self) -> None:
        """Give entries 32 bits, if they have 16."""
        if self.bits == 14:
            self.job.require(4 * self.entry.size, "play is long: entries of 32 bits", WAY_OUT)
            self.job.held += 2 * self.entry.size
            self.entry = widened(self.entry)


def widened(entry: AnyArray) -> AnyArray:
    """The same entries in 32 bits instead of 16, also those of undecided positions."""
    wide = np.empty(entry.size, np.uint32)
    for start in range(0, entry.size, PIECE):
        e = entry[start : start + PIECE].astype(np.uint32)
        kind, low = e >> 14, e & 0x3FFF
        half = low >> 13  # of kind 0: a tier
        low = np.where(kind == 0, (low & 0x1FFF) | half << 29, low)
        low[(kind == 0) & (e == 0x1FFF)] = 0x1FFFFFFF
        low[(kind != 0) & (low == 0x3FFF)] = 0x3FFFFFFF
        wide[start : start + PIECE] = kind << 30 | low
    return wide
