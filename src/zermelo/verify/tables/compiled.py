"""Checking all entries of a table of compiled rules, by kernels and with all threads.

The kernels are in :mod:`zermelo._kernels.verify.table`; nothing else uses them. They only find out
*where* an entry is wrong. What is wrong there is then found in Python, see
:mod:`zermelo.verify.tables.table`. Tiers that rules move in sets are checked by sets, see
:mod:`zermelo.verify.tables.sets`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo._kernels.verify.table import (
    ABSENT,
    DRAWS,
    EXAMINED,
    FAR,
    LONGEST_LOSE,
    LONGEST_WIN,
    LOSSES,
    SEEN,
    TIED,
    TIES,
    UNKNOWN,
    UNPROVED,
    UNSEEN,
    WAITING,
    WINS,
    Book,
    Notes,
    Payoffs,
    Queue,
    examine_entries,
    examine_queue,
    fill_slots,
    find_key,
    prove,
    prove_onward,
    require_entries,
    walk,
)
from zermelo._runtime.compiled.bind import Binding
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.memory import require
from zermelo._runtime.threads import Team
from zermelo.labels import NO_DISTANCE, AnyArray, Int8Array, Int64Array
from zermelo.rules.compiled import room_for
from zermelo.rules.set_tiers import SetTier
from zermelo.rules.views import Doubtful, view
from zermelo.verify.tables.label_sets import LabelTierCheck
from zermelo.verify.tables.sets import SetTierCheck, set_bytes, sets_disagree, tiers_by_sets

__all__ = [
    "ABSENT",
    "TIED",
    "UNKNOWN",
    "Decoded",
    "Examination",
    "examination_bytes",
    "examine_table",
]

if TYPE_CHECKING:
    from zermelo.verify.tables.table import Game

FEW = 1 << 16
"""A table of at most this many entries is checked by one thread, perhaps interpreted."""

PIECE = 1 << 16
"""Positions that one call of a kernel examines."""

STACK = 1 << 16
"""Proved positions that wait for a look at their un-moves."""

WIDE = 1 << 12
"""So many positions in the queue are worth several threads."""

Progress = Callable[[int, int, str], object]


class Decoded(NamedTuple):
    """All entries of a table."""

    label: Int8Array
    """The label of each entry, ABSENT for an entry of no position."""
    distance: AnyArray
    """The distance of each entry, UNKNOWN for a win whose distance the table leaves out.

    In a table of labels alone it is TIED for a tie."""
    keys: Int64Array | None
    """Keys beside the entries; None where the number of an entry is an index."""
    by_index: bool
    """Whether keys are indices; otherwise they are positions in canonical form."""


# -------------------------------------------------------------------- views of rules


class ByIndex:
    """The number of an entry is the index of its position."""

    def index_of(self, position: int) -> int:
        """The index of a position, −1 if the index belongs to another position."""
        index = self.rank(position)  # type: ignore[attr-defined]
        if not 0 <= index < self.size:  # type: ignore[attr-defined]
            return -1
        own = self.unrank(index)  # type: ignore[attr-defined]
        form = self.form(position)  # type: ignore[attr-defined]
        if own < 0 or (own != form and self.canonical(own) != form):  # type: ignore[attr-defined]
            return -1
        return index  # type: ignore[no-any-return]

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        return self.index_of(position)

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry, negative if there is none."""
        return self.unrank(i)  # type: ignore[attr-defined,no-any-return]


class ByListedIndex(ByIndex):
    """Entries have indices beside them."""

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        index = self.index_of(position)
        return find_key(keys, slots, index) if index >= 0 else -1

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry, negative if there is none."""
        return self.unrank(keys[i])  # type: ignore[attr-defined,no-any-return]


class ByForm:
    """Entries have positions in canonical form beside them."""

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        return find_key(keys, slots, self.form(position))  # type: ignore[attr-defined]

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry."""
        return keys[i]  # type: ignore[no-any-return]


class Reduced:
    """One entry stands for all positions of a canonical form."""

    def form(self, position: int) -> int:
        """The canonical form of a position."""
        return self.canonical(position)  # type: ignore[attr-defined,no-any-return]


class Single:
    """Every position has its own entry."""

    def form(self, position: int) -> int:
        """The position itself."""
        return position

    def orbit(self, position: int) -> int:
        """Every position stands for itself alone."""
        return 1


class Owned:
    """The rules say which player is to move."""

    def mover(self, position: int) -> int:
        """The player to move."""
        return self.player(position)  # type: ignore[attr-defined,no-any-return]

    def moves_again(self, before: int, after: int) -> bool:
        """Whether the same player is to move after a move."""
        return self.player(before) == self.player(after)  # type: ignore[attr-defined,no-any-return]


class InTurn:
    """The players move in turn; the player to move counts as player 0."""

    def mover(self, position: int) -> int:
        """The player to move."""
        return 0

    def moves_again(self, before: int, after: int) -> bool:
        """Whether the same player is to move after a move."""
        return False


# -------------------------------------------------------------------- the check


class Examination:
    """All entries of a table, and how far they were examined."""

    def __init__(self, game: "Game", decoded: Decoded, team: Team, by_sets: list[SetTier]) -> None:
        self.game, self.team, self.decoded, self.by_sets = game, team, decoded, by_sets
        label, distance, keys, by_index = decoded
        space = ByForm if not by_index else ByIndex if keys is None else ByListedIndex
        form, owner = Reduced if game.table.symmetry else Single, Owned if game.owned else InTurn
        # Where the file has no keys, all positions come from the rules.
        doubt = () if space is ByIndex else (Doubtful,)
        self.rules: Any = view(game.rules, *doubt, space, form, owner)
        slots = np.full(0 if keys is None else 2 << keys.size.bit_length(), -1, np.int64)
        if keys is not None:
            fill_slots(keys, slots)
        none = np.zeros(0, np.int64)
        state = np.full(label.size, UNSEEN, np.int8)
        left = np.zeros(label.size if game.alone else 1, np.uint8)
        self.book = Book(label, distance, none if keys is None else keys, slots, state, left)
        present = int((label != ABSENT).sum()) if game.reachable else 0
        self.queue = Queue(np.zeros(present, np.int64), np.zeros(2, np.int64))
        zero, one = game.stuck
        ends, self.alone = -1 if game.turned else 1, game.alone
        self.payoffs = Payoffs(zero, one, game.infinite_play, ends, self.alone)
        room = room_for(game.rules, "moves")
        back = room_for(game.rules, "unmoves") if game.rules.has("unmoves") else 1
        self.notes: list[Notes] = [
            Notes(
                np.zeros(room, np.int64),
                np.zeros(8, np.int64),
                np.full(1, -1, np.int64),
                np.zeros(back, np.int64),
                np.zeros(STACK if self.alone else 1, np.int64),
            )
            for _ in range(team.slices)
        ]
        for notes in self.notes:
            notes.totals[LONGEST_LOSE:] = NO_DISTANCE

    def run(self, progress: Progress | None) -> None:
        """Examine all positions; a wrong entry is a CertificateError."""
        self.progress = progress
        again = () if self.alone else (False,)
        if not self.game.reachable:
            done = 0
            check = LabelTierCheck if self.alone else SetTierCheck
            for tier in self.by_sets:
                self._examine_indices(done, tier.indices.start)
                check(self, tier).run()
                done = tier.indices.stop
            self._examine_indices(done, self.book.label.size)
            if self.decoded.by_index and self.decoded.keys is not None:
                self._sweep(require_entries, 0, int(self.rules.size), first=True)
        else:
            self._follow()
            for first in again:
                self._sweep(examine_queue, 0, int(self.queue.ends[1]), first)
            if self.alone:
                self._prove(0, self.book.label.size)

    def _examine_indices(self, start: int, stop: int) -> None:
        """Examine the entries ``start … stop − 1``, and then those that wait.

        Labels alone are proved before those of higher tiers, on which they must not depend.
        """
        for first in (True,) if self.alone else (True, False):
            self._sweep(examine_entries, start, stop, first)
        if self.alone:
            self._prove(start, stop)

    def _prove(self, start: int, stop: int) -> None:
        """Prove the labels of entries without distances, as long as there is something new.

        Passes go in both directions in turn, the first one from the last position to the first.
        """
        backward, left = True, self.unproved
        template = prove_onward if self.game.rules.has("unmoves") else prove
        if self.game.reachable:
            self.queue = self.queue._replace(position=self.queue.position[: self.queue.ends[1]])
            start, stop = 0, self.queue.position.size
        if template is prove_onward and left:
            self._sweep(template, start, stop, first=False)
            left = self.unproved
        while left:
            if self.game.reachable:
                waiting = self.queue.position[self.queue.position >= 0]
                self.queue = self.queue._replace(position=waiting)
                stop = waiting.size
            looking = backward or template is prove_onward
            self._sweep(template, start, stop, looking, backward=backward)
            if self.unproved == left:
                raise self._circle()
            backward, left = not backward, self.unproved

    def _circle(self) -> Exception:
        """The error for labels that are not proved."""
        if self.game.reachable:
            found = sorted((x for x in self.queue.position.tolist() if x >= 0), reverse=True)
            states = (self.book.state[self.game.entry_of(x)[2]] for x in found)
            position = next(x for x, state in zip(found, states, strict=True) if state == WAITING)
        else:
            i = int(np.flatnonzero(self.book.state == WAITING)[0])
            position = int(self.rules.position_in(self.book.keys, i))
        return self.game.circle(position)

    @cached_property
    def bind(self) -> Binding:
        """The kernels of the check."""
        return Binding(self.rules)

    @property
    def unproved(self) -> int:
        """How many labels are not proved yet."""
        return int(sum(notes.totals[UNPROVED] for notes in self.notes))

    def _follow(self) -> None:
        """Examine the positions that play reaches."""
        ends, start = self.queue.ends, int(self.game.start())
        self.queue.position[0], ends[1] = start, 1
        self.book.state[self.game.entry_of(start)[2]] = SEEN
        alone = self.team.size == 1
        step = self.bind(walk)
        most, wide = FAR if interpreting() else PIECE, FAR if alone else WIDE
        while ends[0] < ends[1]:
            head, tail = ends.tolist()
            if tail - head >= wide:
                self._sweep(examine_queue, head, tail, first=True)
                ends[0] = tail
            else:
                step(self.book, self.queue, self.payoffs, self.notes[0], most, wide)
                self.look()

    def _sweep(
        self, template: Any, start: int, stop: int, first: bool, *, backward: bool = False
    ) -> None:
        """Take a kernel through positions, in pieces for all threads."""
        job, threads = self.bind(template), len(self.notes)
        whole = interpreting() or (self.team.size == 1 and stop - start <= FEW)
        step = max(1, stop - start)
        if not whole:
            step = min(PIECE, -(-step // threads))
        starts = range(start, stop, step)[:: -1 if backward else 1]
        for k in range(0, len(starts), threads):
            calls = [
                (self.book, self.queue, self.payoffs, notes, at, min(at + step, stop), first)
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
            done = int(sum(notes.totals[EXAMINED] for notes in self.notes))
            self.progress(done, len(self.game.table), "positions verified")

    def refuse(self, position: int, *, by_sets: bool = False) -> None:
        """Raise the error for a position whose entry was found to be wrong.

        If sets found it and the entry fits all the same, either another entry is wrong, or the
        members of the rules contradict each other.
        """
        self.game.check(position)
        if by_sets:
            Examination(self.game, self.game.table.decoded(), self.team, []).run(None)
            raise sets_disagree(self.game.rules, position)
        shown = self.game.rules.show(position)
        raise self.game.wrong(f"{shown}: the entry does not fit to those after its moves")

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of a header."""
        totals = np.array([notes.totals for notes in self.notes])
        names = {"win": WINS, "lose": LOSSES, "tie": TIES, "draw": DRAWS}
        counts = {name: int(totals[:, k].sum()) for name, k in names.items()}
        counts["positions"] = sum(counts.values())
        if self.game.table.has_distances:
            counts["longest_win"] = int(totals[:, LONGEST_WIN].max())
            counts["longest_lose"] = int(totals[:, LONGEST_LOSE].max())
        return counts

    @property
    def examined(self) -> int:
        """How many positions were examined."""
        return int(sum(notes.totals[EXAMINED] for notes in self.notes))

    @property
    def stored(self) -> int:
        """How many entries belong to positions, also to those that play does not reach."""
        if not self.game.reachable:
            return self.examined
        return int((self.book.label != ABSENT).sum())


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


def examine_table(game: "Game", progress: Progress | None) -> Examination:
    """Examine all entries of a table of compiled rules."""
    way_out = "check a sample of them, with samples= or --samples"
    by_sets = tiers_by_sets(game)
    sets = max((set_bytes(tier, game.alone) for tier in by_sets), default=0)
    needed = examination_bytes(game.rules, game.table.entries, alone=game.alone)
    require(needed + sets, "checking all entries", way_out)
    decoded = game.table.decoded()
    with Team(1 if decoded.label.size <= FEW else None) as team:
        examination = game.examination(game, decoded, team, by_sets)
        examination.run(progress)
    return examination
