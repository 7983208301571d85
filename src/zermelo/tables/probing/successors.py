"""One move ahead in a solved game: the positions there, and their entries."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.labels import AnyArray, Int32Array, Int64Array
from zermelo.tables.probing.access import After
from zermelo.tables.probing.many_answers import LABEL_OF, chosen, win_distances
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_WIN, LABELS, UInt8Array

if TYPE_CHECKING:
    from zermelo.tables.probing.lookups import Lookups


class ProbedPosition:
    """A position of a solved game: its entry, and the moves there, found when they are needed.

    ``kind`` is that of its entry, and ``distance`` that of the position, also where it is won.
    """

    def __init__(
        self, solved: "Lookups", own: Any, entry: tuple[int, int], after: After | None = None
    ) -> None:
        self.solved, self.own, self.known = solved, own, after
        self.kind, self._stored = entry

    @cached_property
    def after(self) -> After:
        """The positions one move later."""
        return self.solved._after([self.own], self.known)

    @cached_property
    def entries(self) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of their entries."""
        return self.solved._entries_after(self.after)

    @cached_property
    def distance(self) -> int:
        """Plies to the end, or to conversion; NO_DISTANCE for none."""
        if self.kind != KIND_WIN:
            return self._stored
        return int(win_distances(*self.entries, self.after.start)[0])

    @property
    def drawn(self) -> bool:
        """Whether this is a draw whose end nobody forces: all moves that keep it are best."""
        return LABELS[self.kind] == 0 and self.solved.is_agreed(self.own, 0)

    def best(self) -> list[Any]:
        """All moves that keep the label and, where there is a distance, lead along it.

        In a draw whose end nobody forces, the others that keep the draw follow.
        """
        own, far = np.array([self.kind], np.uint8), np.array([self.distance], np.int32)
        which = self.solved._best_of(self.after, self.entries, own, far)
        if self.drawn:
            which = np.concatenate([which, keeping(self.after, self.entries[0], own).nonzero()[0]])
        best = chosen(self.after.positions, which)
        return list(dict.fromkeys(best.tolist() if isinstance(best, np.ndarray) else best))


def keeping(after: After, kind: UInt8Array, own: UInt8Array) -> AnyArray:
    """Whether each move keeps the label: ``kind`` is that after it, ``own`` that before it."""
    keeps: AnyArray = (after.sign * LABEL_OF[kind] == LABEL_OF[own]) & (kind != KIND_ABSENT)
    return keeps


def first_of_each(best: Int64Array, after: After, there: Int64Array, move: Any) -> None:
    """Write the first best move of each position of ``there`` to ``move``."""
    before = np.searchsorted(after.start, best, side="right") - 1
    numbers, first = np.unique(before, return_index=True)
    after_it = chosen(after.positions, best[first])
    if isinstance(move, np.ndarray):
        move[there[numbers]] = after_it
        return
    for number, position in zip(there[numbers].tolist(), after_it, strict=True):
        move[number] = position
