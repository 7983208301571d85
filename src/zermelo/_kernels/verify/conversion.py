"""Checking distances to conversion by the rules alone, where labels are proved already.

Only the checker uses these kernels, and they call no kernel of a solver. See
:mod:`zermelo.verify.tables.conversion` for why the comparison is a proof.
"""

from zermelo._kernels.verify.table import (
    ABSENT,
    FAR,
    LONGEST_LOSE,
    LONGEST_WIN,
    PROVED,
    UNKNOWN,
    Book,
    Notes,
    Payoffs,
    Queue,
    entry_at,
)
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel

outcome, moves, moves_again = map(placeholder, ("outcome", "moves", "moves_again"))
position_in, is_conversion = map(placeholder, ("position_in", "is_conversion"))

OPEN = 2
"""The outcome of a position in which play goes on."""

WRONG = -3
"""No distance follows from those after the moves."""


@kernel
def distance_by_moves(book: Book, notes: Notes, p: int, value: int) -> int:
    """The distance of a won or lost position that follows from those after its moves."""
    out = notes.out
    count = moves(p, out) if outcome(p) == OPEN else 0
    near, far = FAR, -1
    for k in range(count):
        c = out[k]
        j = entry_at(book, c)
        if j < 0:
            return WRONG
        if (book.label[j] if moves_again(p, c) else -book.label[j]) != value:
            continue
        d = 0 if is_conversion(p, c) else book.distance[j] + 0
        if d < 0:
            return WRONG
        near, far = min(near, d), max(far, d)
    if count == 0:
        return 0
    if far < 0:
        return WRONG
    return 1 + (near if value > 0 else far)


@kernel
def examine_distances(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, first: bool
) -> None:
    """Compare the distances of the entries ``start … stop − 1`` with those after their moves.

    The first time, the distances of wins that the table leaves out are written instead.
    """
    totals = notes.totals
    for i in range(start, stop):
        value = book.label[i] + 0
        if value == 0 or value == ABSENT or book.state[i] < PROVED:
            continue
        if first and book.distance[i] != UNKNOWN:
            continue
        p = position_in(book.keys, i)
        far = distance_by_moves(book, notes, p, value)
        if first and far >= 0:
            book.distance[i] = far
        elif book.distance[i] != far:
            notes.wrong[0] = p
            return
        longest = LONGEST_WIN if value > 0 else LONGEST_LOSE
        totals[longest] = max(totals[longest], far)
