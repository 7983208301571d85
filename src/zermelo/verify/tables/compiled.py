"""Checking all entries of a table of compiled rules, by kernels and with all threads.

The kernels are in :mod:`zermelo._kernels.verify`; nothing else uses them. They only find out
*where* an entry is wrong. What is wrong there is then found in Python, see
:mod:`zermelo.verify.tables.meanings`. Tiers that rules move in sets are checked by sets, see
:mod:`zermelo.verify.tables.sets`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo._kernels.verify.examine import (
    examine_conversions,
    examine_entries,
    examine_queue,
    require_entries,
    walk,
)
from zermelo._kernels.verify.prove import prove_by_moves, prove_onward
from zermelo._kernels.verify.records import (
    ABSENT,
    DRAWS,
    EXAMINED,
    FAR,
    LONGEST_LOSE,
    LONGEST_WIN,
    LOSSES,
    SEEN,
    TIES,
    UNPROVED,
    UNSEEN,
    WAITING,
    WINS,
    Notes,
    Table,
    fill_slots,
)
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.memory import require
from zermelo._runtime.progress import Report
from zermelo._runtime.threads import Team
from zermelo.labels import NO_DISTANCE
from zermelo.rules.compiled import room_for
from zermelo.rules.conversion import with_conversions
from zermelo.rules.set_tiers import SetTier
from zermelo.verify.tables.decoded import Decoded, view_of
from zermelo.verify.tables.examination import Examined, Tier, prove
from zermelo.verify.tables.game import Game
from zermelo.verify.tables.sets import SetTierCheck, set_bytes, sets_disagree, tiers_by_sets

MAX_ENTRIES_OF_ONE_THREAD = 1 << 16
"""A table of at most this many entries is checked by one thread, perhaps interpreted."""

POSITIONS_OF_A_CALL = 1 << 16
"""Positions that one call of a kernel examines."""

STACK_SIZE = 1 << 16
"""Proved positions that wait for a look at their un-moves."""

MIN_QUEUE_OF_THREADS = 1 << 12
"""So many positions in the queue are worth several threads."""


class Examination:
    """All entries of a table, and how far they were examined."""

    def __init__(self, game: Game, decoded: Decoded, team: Team, by_sets: list[SetTier]) -> None:
        self.game, self.team, self.decoded, self.by_sets = game, team, decoded, by_sets
        self.progress: Report | None = None
        label, distance, keys, _ = decoded
        self.rules: Any = view_of(game, decoded)
        self.bind = Binding(self.rules)
        slots = np.full(0 if keys is None else 2 << keys.size.bit_length(), -1, np.int64)
        if keys is not None:
            fill_slots(keys, slots)
        if game.to_conversion:
            distance = np.where(label == 0, distance, NO_DISTANCE).astype(np.int8)
        present = int((label != ABSENT).sum()) if game.reachable else 0
        self.table = Table(
            label,
            distance,
            np.zeros(0, np.int64) if keys is None else keys,
            slots,
            np.full(label.size, UNSEEN, np.int8),
            np.zeros(label.size if game.alone else 1, np.uint8),
            np.zeros(present, np.int64),
            np.zeros(2, np.int64),
            game.stuck[0],
            game.stuck[1],
            game.infinite_play,
            game.turned,
            game.alone,
        )
        back = room_for(game.rules, "unmoves") if game.rules.has("unmoves") else 1
        sizes = room_for(game.rules, "moves"), 8, 1, back, STACK_SIZE if game.alone else 1
        self.notes = [Notes(*(np.zeros(n, np.int64) for n in sizes)) for _ in range(team.slices)]
        for notes in self.notes:
            notes.wrong[0] = -1
            notes.totals[LONGEST_LOSE:] = NO_DISTANCE

    def tiers(self) -> Iterator[Tier]:
        """The parts of the table that are proved one after the other."""
        if self.game.reachable:
            yield ReachedTier(self, 0, self.table.label.size)
        else:
            done = 0
            for tier in self.by_sets:
                yield IndexTier(self, done, tier.indices.start)
                yield SetTierCheck(self, tier)
                done = tier.indices.stop
            yield IndexTier(self, done, self.table.label.size)
            if self.decoded.by_index and self.decoded.keys is not None:
                self.sweep(require_entries, 0, int(self.rules.size), first=True)
        if self.game.to_conversion:
            yield ConversionTier(self, 0, self.table.label.size)

    def sweep(
        self, template: Any, start: int, stop: int, first: bool, *, backward: bool = False
    ) -> None:
        """Call a kernel for all positions, with all threads and some positions at a time."""
        job, threads = self.bind(template), len(self.notes)
        few = self.team.size == 1 and stop - start <= MAX_ENTRIES_OF_ONE_THREAD
        step = max(1, stop - start)
        if not (interpreting() or few):
            step = min(POSITIONS_OF_A_CALL, -(-step // threads))
        starts = range(start, stop, step)[:: -1 if backward else 1]
        for k in range(0, len(starts), threads):
            calls = [
                (self.table, notes, at, min(at + step, stop), first)
                for notes, at in zip(self.notes, starts[k : k + threads], strict=False)
            ]
            self.team.run(job, calls)
            self.look()

    def look(self, *, by_sets: bool = False) -> None:
        """Raise an error if an entry is wrong, and report progress."""
        for notes in self.notes:
            if (position := int(notes.wrong[0])) >= 0:
                self.refuse(position, by_sets=by_sets)
        if self.progress is not None:
            self.progress(self.total(EXAMINED), len(self.game.table), "positions verified")

    def refuse(self, position: int, *, by_sets: bool = False) -> None:
        """Raise the error for a position whose entry was found to be wrong.

        If sets found it and the entry fits all the same, either another entry is wrong, or the
        members of the rules contradict each other.
        """
        self.game.check(position)
        if by_sets:
            prove(Examination(self.game, self.game.table.decoded(), self.team, []).tiers())
            raise sets_disagree(self.game.rules, position)
        shown = self.game.rules.show(position)
        raise self.game.wrong(f"{shown}: the entry does not fit to those after its moves")

    def total(self, number: int) -> int:
        """One of the numbers that all threads count."""
        return int(sum(notes.totals[number] for notes in self.notes))

    @property
    def examined(self) -> Examined:
        """What was counted."""
        names = {"win": WINS, "lose": LOSSES, "tie": TIES, "draw": DRAWS}
        counts = {name: self.total(k) for name, k in names.items()}
        counts["positions"] = sum(counts.values())
        if self.game.table.has_distances:
            for name, k in {"longest_win": LONGEST_WIN, "longest_lose": LONGEST_LOSE}.items():
                counts[name] = max(int(notes.totals[k]) for notes in self.notes)
        done = self.total(EXAMINED)
        stored = int((self.table.label != ABSENT).sum()) if self.game.reachable else done
        return counts, done, stored


class IndexTier:
    """The entries ``start … stop − 1``, one after the other.

    Labels alone are proved before those of higher tiers, on which they must not depend.
    """

    def __init__(self, examination: Examination, start: int, stop: int) -> None:
        self.examination, self.start, self.stop = examination, start, stop
        self.alone, self.backward = examination.table.alone, True
        unmoves = examination.game.rules.has("unmoves")
        self.prover = prove_onward if unmoves else prove_by_moves

    def begin(self) -> None:
        """Examine all entries, and go on from the labels that are proved at once."""
        self.examine(first=True)
        if self.unproved and self.prover is prove_onward:
            self.examination.sweep(self.prover, self.start, self.stop, first=False)

    def examine(self, *, first: bool) -> None:
        """Examine all entries, or only those that wait for distances after their moves."""
        self.examination.sweep(examine_entries, self.start, self.stop, first)

    def step(self) -> bool:
        """Examine again what waits for distances, or prove labels in one pass.

        Passes go in both directions in turn, the first one from the last position to the first.
        """
        if not self.alone:
            self.examine(first=False)
            return False
        if not (left := self.unproved):
            return False
        self.drop_proved()
        looking = self.backward or self.prover is prove_onward
        bounds = self.start, self.stop
        self.examination.sweep(self.prover, *bounds, looking, backward=self.backward)
        self.backward = not self.backward
        return self.unproved < left

    def drop_proved(self) -> None:
        """Take the positions that are proved out of the queue, if there is one."""

    def finish(self) -> None:
        """Refuse labels that are not proved."""
        if self.unproved:
            raise self.examination.game.circle(self.waiting())

    @property
    def unproved(self) -> int:
        """How many labels are not proved yet."""
        return self.examination.total(UNPROVED)

    def waiting(self) -> int:
        """The first position whose label is not proved."""
        table = self.examination.table
        i = int(np.flatnonzero(table.state == WAITING)[0])
        return int(self.examination.rules.position_in(table.keys, i))


class ReachedTier(IndexTier):
    """All positions that play reaches, in the order in which they are found."""

    def examine(self, *, first: bool) -> None:
        """Examine all positions that play reaches, or only those that wait for distances."""
        if first:
            self._follow()
        else:
            self.examination.sweep(examine_queue, self.start, self.stop, first)

    def _follow(self) -> None:
        work = self.examination
        ends, start = work.table.ends, int(work.game.rules.start())
        work.table.queue[0], ends[1] = start, 1
        work.table.state[work.game.entry_of(start)[2]] = SEEN
        step = work.bind(walk)
        most = FAR if interpreting() else POSITIONS_OF_A_CALL
        wide = FAR if work.team.size == 1 else MIN_QUEUE_OF_THREADS
        while ends[0] < ends[1]:
            head, tail = ends.tolist()
            if tail - head >= wide:
                work.sweep(examine_queue, head, tail, first=True)
                ends[0] = tail
            else:
                step(work.table, work.notes[0], most, wide)
                work.look()
        self._keep(work.table.queue[: ends[1]])

    def _keep(self, positions: Any) -> None:
        self.examination.table = self.examination.table._replace(queue=positions)
        self.stop = positions.size

    def drop_proved(self) -> None:
        """Take the positions that are proved out of the queue."""
        positions = self.examination.table.queue
        self._keep(positions[positions >= 0])

    def waiting(self) -> int:
        """The greatest position whose label is not proved."""
        work = self.examination
        found = sorted((x for x in work.table.queue.tolist() if x >= 0), reverse=True)
        states = (work.table.state[work.game.entry_of(x)[2]] for x in found)
        return int(next(x for x, y in zip(found, states, strict=True) if y == WAITING))


class ConversionTier(IndexTier):
    """The distances to conversion of all entries, whose labels are proved."""

    def __init__(self, examination: Examination, start: int, stop: int) -> None:
        super().__init__(examination, start, stop)
        self.alone = False
        examination.table = examination.table._replace(distance=examination.decoded.distance)
        examination.bind = Binding(with_conversions(examination.rules))

    def examine(self, *, first: bool) -> None:
        """Write down the distances that the table leaves out; the second time compare all."""
        self.examination.sweep(examine_conversions, self.start, self.stop, first)


def examination_bytes(rules: Any, entries: int, *, alone: bool) -> int:
    """The memory for examining so many entries of compiled rules; sets of positions take more.

    >>> import zermelo as zm
    >>> examination_bytes(zm.game("tictactoe"), 1000, alone=False)
    14000
    """
    # Label, distance and state, and moves that are left; the queue; keys and slots, which a table
    # by index has not.
    each = 6 + alone + (8 if rules.reachable else 0) + (0 if rules.size else 40)
    return each * entries


def examine_compiled(game: Game, progress: Report | None) -> Examined:
    """Examine all entries of a table of compiled rules; a wrong entry is a CertificateError."""
    way_out = "check a sample of them, with samples= or --samples"
    by_sets = tiers_by_sets(game)
    sets = max((set_bytes(tier, game.alone) for tier in by_sets), default=0)
    needed = examination_bytes(game.rules, game.table.entries, alone=game.alone)
    require(needed + sets, "checking all entries", way_out)
    decoded = game.table.decoded()
    with Team(1 if decoded.label.size <= MAX_ENTRIES_OF_ONE_THREAD else None) as team:
        examination = Examination(game, decoded, team, by_sets)
        examination.progress = progress
        prove(examination.tiers())
    return examination.examined
