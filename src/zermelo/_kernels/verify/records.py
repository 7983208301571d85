"""What the kernels that check a table work on: its entries, and what is found out about them."""

from typing import NamedTuple

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import AnyArray, Int64Array

entry_of = placeholder("entry_of")

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
"""The states of an entry. SEEN: play reaches its position. WAITING: it is to be examined again. For
labels alone, PROVED: its value is proved. SPREAD: the positions before it were looked at since."""

MAX_COUNTED_MOVES = 255
"""The greatest number of moves that ``Entries.left`` can count."""


class Table(NamedTuple):
    """The entries of a table, the positions that play reaches, and what player 0 gets."""

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
    queue: Int64Array
    """The positions that play reaches, in the order in which they were found; perhaps empty."""
    ends: Int64Array
    """How many positions of the queue were examined, and how many were found."""
    stuck_0: int
    """What player 0 gets if player 0 cannot move."""
    stuck_1: int
    infinite: int
    """What player 0 gets for infinite play."""
    turned: bool
    """Whether the payoffs of the rules are turned around."""
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
    """Positions that are proved and whose un-moves have still to be looked at."""


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
def entry_at(table: Table, position: int) -> int:
    """The number of the entry of a position, −1 if it has none."""
    i: int = entry_of(table.keys, table.slots, position)
    return i if 0 <= i < len(table.label) and table.label[i] != ABSENT else -1
