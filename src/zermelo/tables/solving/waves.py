"""Solve tier after tier by backward waves: begin a tier, take it layer by layer, finish it.

The job is a sequence of *sweeps*: each takes one kernel through the slots of a tier, in batches of
pieces for all threads, and between two batches there may be a report of progress or a checkpoint.
The place of a sweep (phase, tier, stage, layer, part, slot) and the arrays determine all that
remains to be done.

Two parts are plugged in. A *way* finds the positions of a layer: slot by slot
(:mod:`zermelo.tables.solving.slot_ways`), or by sets of 64 positions
(:mod:`zermelo.tables.solving.set_ways`). A *measure* says what distances mean
(:mod:`zermelo.tables.solving.measures`).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from zermelo._kernels.tables.begin import (
    CHUNK,
    COUNT,
    DRAWS,
    EVEN,
    FIRST,
    LAST,
    LONGEST,
    NEAREST,
    WRONG,
    Coding,
    Scratch,
    Step,
    Table,
    mark,
)
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.compiled.guards import MAX_TIERS
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.memory import show_size
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.faults import wrong
from zermelo.rules.set_tiers import SetTier, set_tiers
from zermelo.rules.views import Indexed
from zermelo.tables.solving.job import WAY_OUT, Job
from zermelo.tables.solving.measures import DEPTHS, PliesToEnd
from zermelo.tables.solving.set_ways import BySets, TooLongForSets, mark_sets
from zermelo.tables.solving.slot_ways import NOT_YET, BySlots
from zermelo.tables.storage.codes import bits_of

SLOTS_PER_CALL = 1 << 18
"""Slots of one call of a kernel."""

MAX_SERIAL_SLOTS = 1 << 16
"""A tier with at most this many slots is solved by one thread, perhaps interpreted."""

BEGIN, WAVE, BEGIN_TIES, TIE_WAVE, END = range(5)
"""The stages of a tier."""


class Way(Protocol):
    """How the positions of a layer of a tier are found."""

    description: str
    """The text about it in reports of progress."""

    def begin(self) -> None:
        """Settle ends of play, and note what follows from moves out of the tier."""

    def begin_ties(self) -> None:
        """Note the ties that moves out of the tier lead to."""

    def next_layer(self, ties: bool) -> int | None:
        """The layer to be spread next; None where there is none."""

    def spread(self, ties: bool) -> None:
        """Settle the positions with a move into the present layer, and go on to the next one."""

    def finish(self) -> None:
        """Settle what is undecided, and release the memory that the tier needed."""


class Waves:
    """A game that is being solved: ``entry`` has what is known of each slot."""

    def __init__(
        self, rules: CompiledRules, job: Job, table: tuple[Int64Array, AnyArray], sign: int,
        measures: Sequence[PliesToEnd],
    ) -> None:  # fmt: skip
        """``table`` has keys and entries; ``sign`` is −1 where outcomes are turned around."""
        self.rules, self.job, self.sign, self.measures = rules, job, sign, measures
        self.keys, self.entry = table
        none: AnyArray = np.zeros(1, np.int32)
        self.stored = self.nothing_stored = none, none
        """The moves within the tier, backwards: ends and slots, see :class:`Table`."""
        self.spans = np.zeros((MAX_TIERS, 3), np.int64)
        self.tally = np.zeros(4 * DEPTHS, np.int64)
        self.phase = self.tier = self.stage = self.layer = self.part = self.slot = 0
        self.looking = self.again = NOT_YET
        self.settled = self.longest = self.tied = 0
        self.thin_layers = 0
        """How many layers in a row were thin."""
        self.way: Way | None = None
        most = max(room_for(rules, name) for name in ("moves", "unmoves") if rules.has(name))
        sizes = most, CHUNK + max(CHUNK, most), 3 * CHUNK, 4 * DEPTHS, 1
        self.scratch = [
            Scratch._make([*(np.zeros(n, np.int64) for n in sizes), self.entry[:1].copy()])
            for _ in range(job.team.slices)
        ]
        self.by_sets = self._tiers_by_sets() if self.measure.by_sets else {}

    @property
    def measure(self) -> PliesToEnd:
        """What distances mean in the present phase."""
        return self.measures[self.phase]

    @property
    def bind(self) -> Binding:
        """Binds templates to the rules as the present phase needs them."""
        return self._bindings[self.phase]

    @cached_property
    def _bindings(self) -> list[Binding]:
        return [Binding(measure.view(self.rules)) for measure in self.measures]

    def _tiers_by_sets(self) -> dict[int, SetTier]:
        """The tiers that are solved by sets."""
        whole = isinstance(self.rules, Indexed) and not self.rules.reachable
        return set_tiers(self.rules) if whole and self.sign == 1 else {}

    # ---------------------------------------------------------------- checkpoints

    PLACE = ("phase", "tier", "stage", "layer", "part", "slot", "looking", "again", "settled",
             "longest", "tied")  # fmt: skip

    def state(self) -> dict[str, Any]:
        """All that is needed to continue."""
        place = {name: getattr(self, name) for name in self.PLACE}
        arrays = {"keys": self.keys, "entry": self.entry, "spans": self.spans, "tally": self.tally}
        return {"step": "solve", **place, **arrays}

    @classmethod
    def shapes(cls) -> dict[str, tuple[int, ...]]:
        """What a state has beside the keys and the entries; numbers have an empty shape."""
        return {**dict.fromkeys(cls.PLACE, ()), "spans": (MAX_TIERS, 3), "tally": (4 * DEPTHS,)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where the state was saved."""
        for name in self.PLACE:
            setattr(self, name, int(state[name]))
        self.spans, self.tally = state["spans"], state["tally"]

    # ---------------------------------------------------------------- sweeps

    @property
    def table(self) -> Table:
        """The slots as the kernels take them."""
        return Table(self.keys, self.entry, *self.stored)

    @property
    def bits(self) -> int:
        """Bits of an entry that are its distance."""
        return bits_of(self.entry)

    @property
    def coding(self) -> Coding:
        """How entries are read: where a player may move twice, wins and losses are spread twice."""
        twice = self.rules.has("player") and self.stage < BEGIN_TIES
        return self.measure.coding(self.bits, twice)

    def step(self, action: int = 0, kind: int = 0, low: int = 0) -> Step:
        """What a call of a kernel does in the present tier."""
        tiers = self.tier, self.rules.has("tier"), self.mixed
        return Step(*self.coding, *tiers, self.sign, action, kind, low)

    def sweep(self, kernel: Kernel[..., Any], step: Step, *, saving: bool = True) -> None:
        """Take a kernel through the slots of the tier, from the present slot on."""
        first, last = self.spans[self.tier, FIRST : LAST + 1].tolist()
        at = max(first, self.slot)
        many = last - first > MAX_SERIAL_SLOTS
        while at <= last:
            pieces = []
            size = MAX_SERIAL_SLOTS if kernel.ready else MAX_SERIAL_SLOTS // 16
            size = SLOTS_PER_CALL if many else size
            for scratch in self.scratch if many else self.scratch[:1]:
                if at <= last:
                    pieces.append((self.table, scratch, at, min(at + size, last + 1), step))
                    at += size
            self.job.team.run(kernel, pieces)
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
        rate = f"{done / max(1e-9, self.job.seconds):,.0f}/s"
        way = "" if self.way is None else self.way.description
        what = f"{self.measure.description}: {where}{stage}{layer}{way}"
        return f"{what}, {rate}, {show_size(self.job.held)}"

    # ---------------------------------------------------------------- the job

    def mark(self, whole: bool, given: Sequence[range] = ()) -> None:
        """Mark positions with their tiers: all, or those whose entries are not 0.

        The slots ``given`` are left out: their tiers are solved already.
        """
        rows = np.zeros((len(self.scratch), MAX_TIERS, 3), np.int64)
        size = SLOTS_PER_CALL if self.entry.size > MAX_SERIAL_SLOTS else MAX_SERIAL_SLOTS
        skipped = [*given, *(tier.indices for tier in self.by_sets.values())]
        skipped.sort(key=lambda indices: indices.start)
        starts = 0, *(indices.stop for indices in skipped)
        stops = *(indices.start for indices in skipped), self.entry.size
        pieces = [
            (at, min(at + size, stop))
            for start, stop in zip(starts, stops, strict=True)
            for at in range(start, stop, size)
        ]
        for k in range(0, len(pieces), len(rows)):
            batch = zip(rows.reshape(len(rows), -1), pieces[k : k + len(rows)], strict=False)
            calls = [(self.keys, self.entry, row, *x, self.coding, whole) for row, x in batch]
            self.job.team.run(self.bind(mark), calls)
        found = rows[:, :, COUNT] > 0
        self.spans[:, FIRST] = np.where(found, rows[:, :, FIRST], self.entry.size).min(0)
        self.spans[:, LAST] = rows[:, :, LAST].max(0)
        self.spans[:, COUNT] = rows[:, :, COUNT].sum(0)
        self.spans[~found.any(0)] = 0
        mark_sets(self)

    def run(self) -> None:
        """Solve all tiers from the present one on, for one measure after the other."""
        while True:
            last = self.phase + 1 == len(self.measures)
            for tier in np.flatnonzero(self.spans[:, COUNT]).tolist():
                if tier >= self.tier:
                    self.tier = tier
                    self._solve_tier()
                    if last:
                        self.job.finish_tier(tier, self.entry)
                    self.job.save(self.state)
            if last:
                return
            self.phase, self.tier, self.settled, self.longest = self.phase + 1, 0, 0, 0

    def _solve_tier(self) -> None:
        """Solve the present tier, from the present stage on."""
        self.way = BySlots(self)
        if self.stage == BEGIN and not self.slot and self.tier in self.by_sets:
            try:
                self._take_stages(BySets(self, self.by_sets[self.tier]))
            except TooLongForSets:
                self._begin_again()
        self._take_stages(self.way)
        self.settled += self.settled_here
        self.tied += int(self.tally[EVEN * DEPTHS :][:DEPTHS].sum())
        self.longest = max(self.longest, int(self.tally[LONGEST]))
        self.tally[:] = 0
        self.tier, self.stage, self.way = self.tier + 1, BEGIN, None

    def _take_stages(self, way: Way) -> None:
        """Take the tier through its stages, from the present one on."""
        if self.stage == BEGIN:
            way.begin()
            self._next()
        if self.stage == WAVE:
            self._wave(way, ties=False)
            self._next()
            if not (self.measure.settles_ties and self.undecided):
                self.stage = END
        if self.stage == BEGIN_TIES:
            way.begin_ties()
            self._next()
        if self.stage == TIE_WAVE:
            self._wave(way, ties=True)
            self._next()
        if self.stage == END:
            way.finish()
            self._next()

    def _wave(self, way: Way, ties: bool) -> None:
        """Go layer by layer, as long as earlier layers or lower tiers have led to another one."""
        # Invariant: entries of the tier at most ``layer`` far are final and those before have been
        # spread; nothing farther than the longest distance noted is settled. Where labels are
        # alone: what is settled and not waiting was spread, and undecided positions have as many
        # moves that may be good as their counters say, those to waiting positions included.
        while (layer := way.next_layer(ties)) is not None:
            self.layer = layer
            way.spread(ties)

    def _begin_again(self) -> None:
        """Let a tier be solved position by position, because play is too long for sets."""
        self.tally[:] = 0
        self.stage = self.layer = 0
        indices, span = self.by_sets[self.tier].indices, np.zeros(3 * MAX_TIERS, np.int64)
        call = self.keys, self.entry, span, indices.start, indices.stop, self.coding, True
        self.bind(mark)(*call)

    def _next(self) -> None:
        self.stage, self.layer, self.part, self.slot = self.stage + 1, 0, 0, 0

    @property
    def undecided(self) -> int:
        """How many positions of the tier are not settled; pending ones are settled."""
        return int(self.spans[self.tier, COUNT]) - self.settled_here

    def make_room(self) -> None:
        """Make entries wider before distances exceed what they can hold."""
        farthest = max(self.longest, int(self.tally[LONGEST]), self.layer)
        if farthest >= self.measure.farthest_layer(self.bits):
            self.widen()

    def widen(self) -> None:
        """Give entries 32 bits, if they have 16."""
        if self.bits == 14:
            self.job.require(4 * self.entry.size, "play is long: entries of 32 bits", WAY_OUT)
            self.job.held += 2 * self.entry.size
            self.entry = widened(self.entry)
            value = np.zeros(1, self.entry.dtype)
            self.scratch = [x._replace(value=value.copy()) for x in self.scratch]


def widened(entry: AnyArray) -> AnyArray:
    """The same entries in 32 bits instead of 16, also those of undecided positions."""
    wide = np.empty(entry.size, np.uint32)
    for start in range(0, entry.size, SLOTS_PER_CALL):
        e = entry[start : start + SLOTS_PER_CALL].astype(np.uint32)
        kind, low = e >> 14, e & 0x3FFF
        half = low >> 13  # of kind 0: a tier
        low = np.where(kind == 0, (low & 0x1FFF) | half << 29, low)
        low[(kind == 0) & (e == 0x1FFF)] = 0x1FFFFFFF
        low[(kind != 0) & (low == 0x3FFF)] = 0x3FFFFFFF
        wide[start : start + SLOTS_PER_CALL] = kind << 30 | low
    return wide
