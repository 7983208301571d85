"""One move ahead in a solved game: the positions there, and their entries."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.labels import LARGEST_POSITION, Int32Array, Int64Array
from zermelo.rules.compiled import NO_POSITION
from zermelo.tables.access import After
from zermelo.tables.codes import UInt8Array
from zermelo.tables.probes import chosen

if TYPE_CHECKING:
    from zermelo.tables.lookups import SolvedRules


class Ahead:
    """The positions one move after a position, and their entries, found when they are needed."""

    def __init__(self, solved: "SolvedRules", own: Any, after: After | None = None) -> None:
        self.solved, self.own = solved, own
        self.known = after

    @cached_property
    def after(self) -> After:
        """The positions."""
        return self.solved._after([self.own], self.known)

    @cached_property
    def entries(self) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of their entries."""
        return self.solved._entries_after(self.after)


def as_number(position: Any) -> int:
    """A position of compiled rules, −1 for anything else."""
    if isinstance(position, bool) or not isinstance(position, int | np.integer):
        return NO_POSITION
    return int(position) if 0 <= position <= LARGEST_POSITION else NO_POSITION


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
