"""Checking the entries of a table by the rules alone, see :mod:`zermelo.verify.tables.table`.

Only the checker uses these kernels, and they call no kernel of a solver. They are templates that
are bound to views of rules, which :mod:`zermelo.verify.tables.compiled` defines.

Every position is *examined* once: the kernels look one move ahead, compare the entry with those
after the moves, count it, and note the positions that play reaches. A table may leave out the
distance of a win, because it is 1 + the least distance of a lost position after a move. Examining
the win writes this distance down. A position whose distance depends on wins that were not examined
before is marked WAITING, and examined again at the end.

A table of *labels alone* has no distances, and labels that fit to those after the moves may still
support one another in a circle. So a position whose value is not that of infinite play, and a tie,
is WAITING until it is PROVED: at an end; by one move that keeps the value and leads to a proved
position, if the value is above that of infinite play or a tie; by all such moves, if the value is
below. :func:`prove` goes through the waiting positions as often as some are proved. If the rules
have ``unmoves``, :func:`prove_onward` looks at once at the positions before one that is proved, and
a position that needs all its moves is looked at when so many of them were found. This only saves
time: what ``unmoves`` leaves out is found by a later pass, and what it gives is proved by its moves
like any other position.

Several threads may examine positions at once. They change an entry's distance only from UNKNOWN to
the number that belongs there, so a thread that reads it early only examines a position twice.
"""

from typing import NamedTuple

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.instructions import fetch_sub, swap
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

outcome, moves, orbit, unrank = map(placeholder, ("outcome", "moves", "orbit", "unrank"))
entry_of, position_in = map(placeholder, ("entry_of", "position_in"))
mover, moves_again, unmoves = map(placeholder, ("mover", "moves_again", "unmoves"))

OPEN = 2
"""The outcome of a position in which play goes on."""

ABSENT = 2
"""The label of an entry of no position."""

NONE, UNKNOWN = -1, -2
"""Distances: play need not end; the table does not store the distance of this win."""

FAR = 1 << 40

TIED = 0
"""The distance of a tie in a table of labels alone; there, other entries have NONE."""

UNSEEN, SEEN, WAITING, PROVED, SPREAD = 0, 1, 2, 3, 4
"""Whether play was found to reach a position, whether it is to be examined again, and, for labels
alone, whether the value is proved, and whether the positions before it know."""

MANY = 255
"""As many moves as ``Book.left`` can count, or more."""


class Book(NamedTuple):
    """The entries of a table."""

    label: AnyArray
    distance: AnyArray
    keys: Int64Array
    """The key of each entry; empty where the number of an entry is the index of its position."""
    slots: Int64Array
    """A hash table of numbers of entries, −1 where it has none; see :func:`find_key`."""
    state: AnyArray
    """UNSEEN, SEEN, WAITING, PROVED or SPREAD, for each entry."""
    left: AnyArray
    """For labels alone: about how many moves of a waiting position must still be proved."""


class Queue(NamedTuple):
    """The positions that play reaches, in the order in which they were found."""

    position: Int64Array
    ends: Int64Array
    """How many positions were examined, and how many were found."""


class Payoffs(NamedTuple):
    """What player 0 gets."""

    stuck_0: int
    """If player 0 cannot move."""
    stuck_1: int
    infinite: int
    ends: int
    """1, or −1 if the payoffs of the rules are turned around."""
    alone: bool
    """Whether the table has labels alone."""


class Notes(NamedTuple):
    """What one call at a time writes down."""

    out: Int64Array
    """Room for the moves of a position."""
    totals: Int64Array
    """Losses, draws, wins, ties, examined and waiting positions, longest loss, longest win."""
    wrong: Int64Array
    """A position that is wrong, or −1."""
    back: Int64Array
    """Room for the un-moves of a position."""
    stack: Int64Array
    """Positions that were proved, and whose un-moves are to be looked at."""


LOSSES, DRAWS, WINS, TIES, EXAMINED, UNPROVED, LONGEST_LOSE, LONGEST_WIN = range(8)


@kernel
def home_of(slots: Int64Array, key: int) -> int:
    """Where the search for a key begins; the number of slots is a power of two."""
    mixed = (key & 0x7FFFFFFF) * 0x5851F42D + (key >> 31) * 0x2545F491
    return (mixed ^ mixed >> 21 ^ mixed >> 42) & len(slots) - 1


@kernel
def fill_slots(keys: Int64Array, slots: Int64Array) -> None:
    """Enter all keys into the hash table, which has an empty slot at least."""
    for i in range(len(keys)):
        at = home_of(slots, keys[i])
        while slots[at] >= 0:
            at = at + 1 & len(slots) - 1
        slots[at] = i


@kernel
def find_key(keys: Int64Array, slots: Int64Array, key: int) -> int:
    """The number of the entry of a key, −1 if there is none."""
    at = home_of(slots, key)
    while slots[at] >= 0:
        if keys[slots[at]] == key:
            return slots[at]  # type: ignore[no-any-return]
        at = at + 1 & len(slots) - 1
    return -1


@kernel
def entry_at(book: Book, position: int) -> int:
    """The number of the entry of a position, −1 if it has none."""
    i: int = entry_of(book.keys, book.slots, position)
    return i if 0 <= i < len(book.label) and book.label[i] != ABSENT else -1


@kernel
def examine(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, p: int, i: int, first: bool
) -> bool:
    """Whether the entry ``i`` of position ``p`` fits to the entries after its moves.

    The first time the position is counted, and what it leads to is put in the queue.
    """
    if payoffs.alone:
        return examine_label(book, queue, payoffs, notes, p, i, first)
    out = notes.out
    value, distance = book.label[i] + 0, book.distance[i] + 0
    sign = -1 if mover(p) == 1 else 1
    best, near, far, without, unknown, lost = -2, FAR, -1, 0, 0, FAR
    result = outcome(p)
    count = moves(p, out) if result == OPEN else 0
    for k in range(count):
        c = out[k]
        j = entry_at(book, c)
        if j < 0:
            return False
        x, d = book.label[j] + 0, book.distance[j] + 0
        if x == -1 and d >= 0:
            lost = min(lost, d)
        if not moves_again(p, c):
            x = -x
        if x > best:
            best, near, far, without, unknown = x, FAR, -1, 0, 0
        if x == best:
            if d >= 0:
                near, far = min(near, d), max(far, d)
            elif d == NONE:
                without += 1
            else:
                unknown += 1
        if first:
            reach(book, queue, j, c)
    if distance == UNKNOWN:
        distance = 0 if count == 0 else 1 + lost if lost < FAR else NONE
        book.distance[i] = distance
    if first:
        note(notes, value, distance, orbit(p))
    if count == 0:
        return bool(value == paid(payoffs, result, sign)) and bool(distance == 0)
    if value != best:
        return False
    infinite = sign * payoffs.infinite
    if best != infinite and without > 0:
        return False
    if unknown > 0:
        # Some distance after a move is not known yet.
        if not first:
            return False
        book.state[i] = WAITING
        return True
    if best < infinite:
        return bool(distance == 1 + far)
    return bool(distance == (1 + near if near < FAR else NONE))


@kernel
def paid(payoffs: Payoffs, result: int, sign: int) -> int:
    """What the player to move gets where play is over; ``sign`` is −1 for player 1."""
    if result == OPEN:
        return sign * (payoffs.stuck_0 if sign == 1 else payoffs.stuck_1)
    return result * payoffs.ends


@kernel
def reach(book: Book, queue: Queue, j: int, c: int) -> None:
    """Put the position ``c`` of entry ``j`` in the queue, if it is the first one of this entry."""
    # No thread makes an UNSEEN entry WAITING meanwhile: it must first be in the queue.
    fresh = len(queue.position) > 0 and book.state[j] == UNSEEN
    if fresh and swap(book.state, j, SEEN) == UNSEEN:
        queue.position[fetch_sub(queue.ends, 1, -1)] = c


@kernel
def examine_label(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, p: int, i: int, first: bool
) -> bool:
    """Do the same in a table of labels alone, and see whether the value is proved now."""
    out = notes.out
    value, tied = book.label[i] + 0, book.distance[i] == TIED
    sign = -1 if mover(p) == 1 else 1
    best, kept, proved, spread, ties = -2, 0, 0, 0, 0
    result = outcome(p)
    count = moves(p, out) if result == OPEN else 0
    for k in range(count):
        c = out[k]
        j = entry_at(book, c)
        if j < 0:
            return False
        x = book.label[j] + 0
        if not moves_again(p, c):
            x = -x
        if x > best:
            best, kept, proved, spread, ties = x, 0, 0, 0, 0
        if x == best:
            kept += 1
            proved += book.state[j] >= PROVED
            spread += book.state[j] == SPREAD
            ties += book.distance[j] == TIED
        if first:
            reach(book, queue, j, c)
    if first:
        note(notes, value, TIED if tied else NONE, orbit(p))
    infinite = sign * payoffs.infinite
    if count == 0:
        book.state[i] = PROVED
        return bool(value == paid(payoffs, result, sign)) and bool(tied == (value == 0))
    if value != best or tied != (value == 0 and (infinite != 0 or ties > 0)):
        return False
    if value != infinite or tied:
        done = proved == kept if value < infinite else proved > 0
        book.left[i] = min(kept - spread, MANY)
        book.state[i] = PROVED if done else WAITING
        notes.totals[UNPROVED] += not done
    return True


@kernel
def is_proved(book: Book, payoffs: Payoffs, notes: Notes, p: int, i: int) -> bool:
    """Whether the label of a waiting position follows now; then it is marked as proved.

    That the label fits to those after the moves was examined before.
    """
    if book.state[i] != WAITING:
        return False
    out, value = notes.out, book.label[i] + 0
    every, unproved, found = needs_all(payoffs, p, value), 0, False
    for k in range(moves(p, out)):
        c = out[k]
        j = entry_at(book, c)
        if j < 0:
            return False
        if (book.label[j] if moves_again(p, c) else -book.label[j]) == value:
            found |= book.state[j] >= PROVED
            unproved += book.state[j] < PROVED
            if found and not every:
                break
    if every:
        book.left[i] = min(unproved, MANY)
        found = unproved == 0
    if not found or swap(book.state, i, PROVED) != WAITING:
        return False
    notes.totals[UNPROVED] -= 1
    return True


@kernel
def needs_all(payoffs: Payoffs, p: int, value: int) -> bool:
    """Whether a value is proved by all moves that keep it, and not by one."""
    return value < (-payoffs.infinite if mover(p) == 1 else payoffs.infinite)


@kernel
def waiting_at(book: Book, queue: Queue, x: int) -> int:
    """The position that waits at a place of the queue, or of the entries if there is no queue; −1.

    One that is proved and not spread waits, too. What does not wait any longer leaves the queue.
    """
    if len(queue.position) == 0:
        waits = WAITING <= book.state[x] <= PROVED
        return position_in(book.keys, x) if waits else -1
    p: int = queue.position[x]
    if p >= 0 and WAITING <= book.state[entry_at(book, p)] <= PROVED:
        return p
    queue.position[x] = -1
    return -1


@kernel
def prove(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, backward: bool
) -> None:
    """Prove what can be proved now, among the positions ``start … stop − 1`` that wait."""
    for k in range(start, stop):
        p = waiting_at(book, queue, start + stop - 1 - k if backward else k)
        if p >= 0:
            is_proved(book, payoffs, notes, p, entry_at(book, p))


@kernel
def prove_onward(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, looking: bool
) -> None:
    """Go on from what is proved by un-moves, as far as the stack has room.

    If ``looking``, prove what can be proved among the positions that wait, too.
    """
    back, stack = notes.back, notes.stack
    for x in range(start, stop):
        p = waiting_at(book, queue, x)
        if p < 0:
            continue
        i = entry_at(book, p)
        if book.state[i] == WAITING and not (looking and is_proved(book, payoffs, notes, p, i)):
            continue
        if swap(book.state, i, SPREAD) != PROVED:
            continue
        stack[0], top = p, 1
        # Invariant: the positions of the stack are SPREAD, and those before them are to be told.
        while top > 0:
            top -= 1
            q = stack[top]
            value = book.label[entry_at(book, q)] + 0
            for b in range(unmoves(q, back)):
                j = entry_at(book, back[b])
                if (
                    j >= 0
                    and is_told(book, payoffs, q, value, back[b], j)
                    and is_proved(book, payoffs, notes, back[b], j)
                    and top < len(stack)
                    and swap(book.state, j, SPREAD) == PROVED
                ):
                    stack[top] = back[b]
                    top += 1


@kernel
def is_told(book: Book, payoffs: Payoffs, q: int, value: int, p: int, i: int) -> bool:
    """Whether the position ``p`` may be proved, now that ``q`` with its value is, after a move.

    A position that needs all its moves counts them down.
    """
    if book.state[i] != WAITING:
        return False
    own = book.label[i] + 0
    if (value if moves_again(p, q) else -value) != own:
        return False
    return not needs_all(payoffs, p, own) or fetch_sub(book.left, i, 1) <= 1


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
def walk(book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, most: int, wide: int) -> None:
    """Examine at most ``most`` positions of the queue, while fewer than ``wide`` are waiting."""
    ends = queue.ends
    begun = ends[0]
    # Invariant: the first ``ends[0]`` positions of the queue were examined. The entries of all
    # positions that moves lead to from there are SEEN or WAITING, and one position of each is in
    # the queue.
    while ends[0] < ends[1] and ends[1] - ends[0] < wide and ends[0] - begun < most:
        p = queue.position[ends[0]]
        if not examine(book, queue, payoffs, notes, p, entry_at(book, p), True):
            notes.wrong[0] = p
            return
        ends[0] += 1


@kernel
def examine_queue(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, first: bool
) -> None:
    """Examine the positions ``start … stop − 1`` of the queue; the second time those that wait."""
    for k in range(start, stop):
        p = queue.position[k]
        i = entry_at(book, p)
        if (first or book.state[i] == WAITING) and not examine(
            book, queue, payoffs, notes, p, i, first
        ):
            notes.wrong[0] = p
            return


@kernel
def examine_entries(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, first: bool
) -> None:
    """Do the same for the entries ``start … stop − 1`` that belong to positions.

    An index that is a position must have an entry.
    """
    for i in range(start, stop):
        if not first and book.state[i] != WAITING:
            continue
        p = position_in(book.keys, i)
        if p < 0:
            continue
        if entry_at(book, p) != i or not examine(book, queue, payoffs, notes, p, i, first):
            notes.wrong[0] = p
            return


@kernel
def require_entries(
    book: Book, queue: Queue, payoffs: Payoffs, notes: Notes, start: int, stop: int, first: bool
) -> None:
    """Require an entry of each position whose index is ``start … stop − 1``."""
    for index in range(start, stop):
        p = unrank(index)
        if p >= 0 and entry_at(book, p) < 0:
            notes.wrong[0] = p
            return
