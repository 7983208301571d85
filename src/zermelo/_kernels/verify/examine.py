"""Checking the entries of a table by the rules alone, see :mod:`zermelo.verify.tables.table`.

Only the checker uses these kernels, and they call no kernel of a solver. They are templates that
are bound to views of rules, which :mod:`zermelo.verify.tables.compiled` defines.

Every position is *examined* once: the kernels look one move ahead, compare the entry with those
after the moves, count it, and note the positions that play reaches. A table may leave out the
distance of a win, because it is 1 + the least distance of a lost position after a move. Examining
the win writes this distance down. A position whose distance depends on wins that were not examined
before is marked WAITING, and examined again at the end.

Several threads may examine positions at once. They change an entry's distance only from UNKNOWN to
the number that belongs there, so a thread that reads it early only examines a position twice.
"""

from typing import NamedTuple

from zermelo._kernels.verify.records import (
    ABSENT,
    EXAMINED,
    FAR,
    LONGEST_LOSE,
    LONGEST_WIN,
    MAX_COUNTED_MOVES,
    NONE,
    OPEN,
    PROVED,
    SEEN,
    SPREAD,
    TIED,
    TIES,
    UNKNOWN,
    UNPROVED,
    UNSEEN,
    WAITING,
    Notes,
    Table,
    entry_at,
)
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.instructions import fetch_sub, swap
from zermelo._runtime.compiled.jit import kernel

outcome, moves, orbit, unrank = map(placeholder, ("outcome", "moves", "orbit", "unrank"))
position_in, is_conversion = map(placeholder, ("position_in", "is_conversion"))
mover, moves_again = map(placeholder, ("mover", "moves_again"))


class Ahead(NamedTuple):
    """What the moves of a position lead to; values are for the player who moves."""

    result: int
    """The outcome of the position itself."""
    options: int
    """The number of moves."""
    best: int
    """The greatest value after a move. The following is about the moves that keep it."""
    near: int
    """The least distance after such a move, or FAR."""
    far: int
    """The greatest distance after such a move, or −1."""
    without: int
    """How many of them lead to a position without a distance."""
    unknown: int
    """How many of them lead to a distance that is not known yet."""
    kept: int
    """For labels alone: the number of these moves."""
    proved: int
    """For labels alone: how many of them lead to a position that is PROVED or SPREAD."""
    spread: int
    """For labels alone: how many of them lead to a position that is SPREAD."""
    lost: int
    """The least distance of a lost position after any move, or FAR."""


@kernel
def look_ahead(table: Table, notes: Notes, p: int, first: bool) -> Ahead:
    """Look at the entries after all moves; ``best`` is ABSENT if one of them is missing.

    The distance after a conversion counts as 0. The first time, the positions after the moves are
    put in the queue.
    """
    out = notes.out
    best, near, far, without, unknown, lost = -2, FAR, -1, 0, 0, FAR
    kept, proved, spread = 0, 0, 0
    result = outcome(p)
    count = moves(p, out) if result == OPEN else 0
    for k in range(count):
        c = out[k]
        j = entry_at(table, c)
        if j < 0:
            return Ahead(result, count, ABSENT, near, far, 0, 0, 0, 0, 0, lost)
        x, d = table.label[j] + 0, table.distance[j] + 0
        if is_conversion(p, c):
            d = 0
        if x == -1 and d >= 0:
            lost = min(lost, d)
        if not moves_again(p, c):
            x = -x
        if x > best:
            best, near, far, without, unknown = x, FAR, -1, 0, 0
            kept, proved, spread = 0, 0, 0
        if x == best:
            if d >= 0:
                near, far = min(near, d), max(far, d)
            elif d == NONE:
                without += 1
            else:
                unknown += 1
            if table.alone:
                kept += 1
                proved += table.state[j] >= PROVED
                spread += table.state[j] == SPREAD
        if first:
            reach(table, j, c)
    return Ahead(result, count, best, near, far, without, unknown, kept, proved, spread, lost)


@kernel
def examine(table: Table, notes: Notes, p: int, i: int, first: bool) -> bool:
    """Whether the entry ``i`` of position ``p`` fits to the entries after its moves.

    The first time the position is counted, and what it leads to is put in the queue.
    """
    ahead = look_ahead(table, notes, p, first)
    if ahead.best == ABSENT:
        return False
    value, distance = table.label[i] + 0, table.distance[i] + 0
    if table.alone:
        distance = TIED if distance == TIED else NONE
    elif distance == UNKNOWN:
        distance = 0 if ahead.options == 0 else 1 + ahead.lost if ahead.lost < FAR else NONE
        table.distance[i] = distance
    if first:
        note(notes, value, distance, orbit(p))
    sign = -1 if mover(p) == 1 else 1
    if ahead.options == 0:
        if table.alone:
            table.state[i] = PROVED
        at_end = NONE if table.alone and value != 0 else 0
        return bool(value == paid(table, ahead.result, sign)) and bool(distance == at_end)
    if value != ahead.best:
        return False
    if table.alone:
        return fits_label(table, notes, ahead, i, distance == TIED, sign * table.infinite)
    return fits_distance(table, ahead, i, distance, sign * table.infinite, first)


@kernel
def fits_distance(
    table: Table, ahead: Ahead, i: int, distance: int, infinite: int, first: bool
) -> bool:
    """Whether a distance in plies to the end fits, where play is not over and the value fits."""
    if ahead.best != infinite and ahead.without > 0:
        return False
    if ahead.unknown > 0:
        # Some distance after a move is not known yet.
        if not first:
            return False
        table.state[i] = WAITING
        return True
    if ahead.best < infinite:
        return bool(distance == 1 + ahead.far)
    return bool(distance == (1 + ahead.near if ahead.near < FAR else NONE))


@kernel
def fits_label(table: Table, notes: Notes, ahead: Ahead, i: int, tied: bool, infinite: int) -> bool:
    """Whether a label without a distance fits; if it does, mark it as PROVED or WAITING."""
    value = ahead.best
    if tied != (value == 0 and (infinite != 0 or ahead.near == TIED)):
        return False
    if value != infinite or tied:
        done = ahead.proved == ahead.kept if value < infinite else ahead.proved > 0
        table.left[i] = min(ahead.kept - ahead.spread, MAX_COUNTED_MOVES)
        table.state[i] = PROVED if done else WAITING
        notes.totals[UNPROVED] += not done
    return True


@kernel
def examine_conversions(table: Table, notes: Notes, start: int, stop: int, first: bool) -> None:
    """Compare the distances to conversion of entries whose labels are proved with those ahead.

    The first time, the distances of wins that the table leaves out are written instead.
    """
    totals = notes.totals
    for i in range(start, stop):
        value = table.label[i] + 0
        if value == 0 or value == ABSENT or table.state[i] < PROVED:
            continue
        if first and table.distance[i] != UNKNOWN:
            continue
        p = position_in(table.keys, i)
        ahead = look_ahead(table, notes, p, False)
        expected = 0 if ahead.options == 0 else 1 + (ahead.near if value > 0 else ahead.far)
        fits = ahead.options == 0 or (
            ahead.best == value and ahead.without == 0 and ahead.unknown == 0
        )
        if first and fits:
            table.distance[i] = expected
        if not fits or table.distance[i] != expected:
            notes.wrong[0] = p
            return
        longest = LONGEST_WIN if value > 0 else LONGEST_LOSE
        totals[longest] = max(totals[longest], expected)


@kernel
def paid(table: Table, result: int, sign: int) -> int:
    """What the player to move gets where play is over; ``sign`` is −1 for player 1."""
    if result == OPEN:
        return sign * (table.stuck_0 if sign == 1 else table.stuck_1)
    return -result if table.turned else result


@kernel
def reach(table: Table, j: int, c: int) -> None:
    """Put the position ``c`` of entry ``j`` in the queue, if it is the first one of this entry."""
    # No thread makes an UNSEEN entry WAITING meanwhile: it must first be in the queue.
    fresh = len(table.queue) > 0 and table.state[j] == UNSEEN
    if fresh and swap(table.state, j, SEEN) == UNSEEN:
        table.queue[fetch_sub(table.ends, 1, -1)] = c


@kernel
def note(notes: Notes, value: int, distance: int, orbit_size: int) -> None:
    """Count a position."""
    totals = notes.totals
    totals[EXAMINED] += 1
    totals[TIES if value == 0 and distance >= 0 else value + 1] += orbit_size
    if value != 0:
        longest = LONGEST_WIN if value == 1 else LONGEST_LOSE
        totals[longest] = max(totals[longest], distance)


@kernel
def walk(table: Table, notes: Notes, most: int, wide: int) -> None:
    """Examine at most ``most`` positions of the queue, while fewer than ``wide`` are waiting."""
    ends = table.ends
    begun = ends[0]
    # Invariant: the first ``ends[0]`` positions of the queue were examined. The entries of all
    # positions that moves lead to from there are SEEN or WAITING, and one position of each is in
    # the queue.
    while ends[0] < ends[1] and ends[1] - ends[0] < wide and ends[0] - begun < most:
        p = table.queue[ends[0]]
        if not examine(table, notes, p, entry_at(table, p), True):
            notes.wrong[0] = p
            return
        ends[0] += 1


@kernel
def examine_queue(table: Table, notes: Notes, start: int, stop: int, first: bool) -> None:
    """Examine the positions ``start … stop − 1`` of the queue; the second time those that wait."""
    for k in range(start, stop):
        p = table.queue[k]
        i = entry_at(table, p)
        if (first or table.state[i] == WAITING) and not examine(table, notes, p, i, first):
            notes.wrong[0] = p
            return


@kernel
def examine_entries(table: Table, notes: Notes, start: int, stop: int, first: bool) -> None:
    """Do the same for the entries ``start … stop − 1`` that belong to positions.

    An index that is a position must have an entry.
    """
    for i in range(start, stop):
        if not first and table.state[i] != WAITING:
            continue
        p = position_in(table.keys, i)
        if p < 0:
            continue
        if entry_at(table, p) != i or not examine(table, notes, p, i, first):
            notes.wrong[0] = p
            return


@kernel
def require_entries(table: Table, notes: Notes, start: int, stop: int, first: bool) -> None:
    """Require an entry of each position whose index is ``start … stop − 1``."""
    for index in range(start, stop):
        p = unrank(index)
        if p >= 0 and entry_at(table, p) < 0:
            notes.wrong[0] = p
            return
