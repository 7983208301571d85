"""What the partitioned program takes for a game of a given size: memory, files and messages.

These are the numbers by which the program divides a game, and the sizes of the files that it
writes, so a plan needs no formulas of its own.
"""

import math
from typing import NamedTuple

from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import MOVE_BYTES, partition_bytes
from zermelo.engines.partitions.messages import MESSAGE_BYTES
from zermelo.engines.partitions.partition import BUFFER_BYTES

MAX_NUMBERED_POSITIONS = 2**31 - 1
"""The most positions that this version can number."""

WIDE_BYTES = 4
"""Further bytes for a reverse move in a game with more positions: numbers of 8 bytes."""

DEALT_BYTES = 8
"""Bytes of a move in the files of moves that are not sorted yet: its source and its target."""

ENTRY_BYTES, KEY_BYTES, MARK_BYTES = 4, 8, 1
"""Bytes of an entry of a table, of the key of a position, and of the mark of an index."""

TOLD_BYTES = 18
"""Bytes for a position of what lower tiers tell it: two messages of 9 bytes, rarely three."""


class Size(NamedTuple):
    """A game of the partitioned program."""

    positions: int
    moves: int
    ends: int
    """Situations where play ends."""
    shift: int = 0
    """1 if each position has two situations, else 0."""
    code_bytes: int = 1
    """Bytes of the value of a situation."""
    stored: bool = True
    """Whether moves are stored backwards; else they are generated backwards."""

    @property
    def wide(self) -> int:
        """Further bytes for a reverse move, 0 in this version."""
        return WIDE_BYTES if self.positions > MAX_NUMBERED_POSITIONS else 0


def whole_bytes(size: Size) -> int:
    """Memory for all partitions together.

    >>> whole_bytes(Size(1000, 3000, 1)), whole_bytes(Size(10**12, 4 * 10**12, 1))
    (30000, 50000000000000)
    """
    moves = size.moves if size.stored else 0
    return partition_bytes(size.positions, moves, size.shift) + size.wide * moves


def partitions_for(size: Size, budget: Budget) -> int:
    """The number of partitions that a budget asks for.

    >>> partitions_for(Size(10**8, 4 * 10**8, 1), Budget(2 << 30))
    6
    """
    return max(1, -(-whole_bytes(size) // budget.partition))


def held_bytes(size: Size, budget: Budget, partitions: int) -> int:
    """Memory of one process that keeps the budget: partitions, buffers, marks and messages.

    While the moves are dealt, it holds a piece of them and what is dealt of it; then it sorts one
    partition after the other.

    >>> held_bytes(Size(1000, 3000, 1), Budget(2 << 30), 1) < 100_000
    True
    """
    whole = whole_bytes(size)
    largest = -(-whole // partitions)
    mapped = min(whole, max(budget.residents, largest))
    messages = 0 if partitions == 1 else min(budget.messages, message_bytes(size, partitions))
    situations = -(-size.positions // partitions) << size.shift
    moves = -(-size.moves // partitions) << size.shift
    running = mapped + BUFFER_BYTES * min(budget.capacity, max(1, moves)) + situations + messages
    dealing = 3 * DEALT_BYTES * min(budget.piece, size.moves) if size.stored else 0
    return max(running, dealing, -(-_sorted_bytes(size) // partitions))


def prepared_bytes(size: Size) -> int:
    """Bytes of the files that are prepared: reverse moves, ends and the first state."""
    situations = size.positions << size.shift
    return _sorted_bytes(size) + 8 * size.ends + situations * (4 + size.code_bytes)


def disk_bytes(size: Size, partitions: float = 1, *, snapshots: bool = True) -> int:
    """The largest size of the directory of a job, apart from messages that do not fit into memory.

    First there are the dealt moves and the first state, and the moves of one partition after the
    other are sorted and replace those that were dealt. Later there are the prepared files, what is
    mapped (status, value and queue of each situation), and up to two ``snapshots`` (status and
    value), which short jobs do not have. ``partitions`` says that the largest one is such a part
    of all; it need not be an integer.

    >>> disk_bytes(Size(1000, 4000, 1), snapshots=False)
    61000
    >>> disk_bytes(Size(1000, 4000, 1), 4, snapshots=False), disk_bytes(Size(1000, 4000, 1), 4)
    (43000, 48008)
    """
    situations = size.positions << size.shift
    dealt = (DEALT_BYTES + 2 * size.wide) * size.moves if size.stored else 0
    first = dealt + math.ceil(_sorted_bytes(size) / partitions)
    last = math.ceil(dealt / partitions) + _sorted_bytes(size)
    preparing = max(first, last) + situations * (4 + size.code_bytes)
    running = prepared_bytes(size) + situations * (8 + size.code_bytes)
    if snapshots:
        running += 2 * situations * (4 + size.code_bytes)
    return max(preparing, running)


class TableFiles(NamedTuple):
    """Files that only the job of a table has."""

    entries: int
    """Entries of the table, with those of no position."""
    results: int
    """Entries of all tiers."""
    positions: int
    """Bytes of the keys of all positions, or of marks of indices."""
    tiers: int = 0
    """Bytes of the keys of all tiers, which are removed when the last tier is solved."""


def table_bytes(
    files: TableFiles,
    work: Size,
    partitions: float = 1,
    *,
    keyed: bool,
    tiered: bool,
    snapshots: bool = True,
    alone: bool = False,
) -> int:
    """The largest size of the directory of a job that builds a table, ``alone`` if only of labels.

    ``work`` is the largest tier, or the whole game, ``keyed`` if its moves lead to keys. Solved
    tiers have entries. In the end these are brought into the order of the table.

    >>> files = TableFiles(1000, 1000, 0)
    >>> table_bytes(files, Size(1000, 4000, 1), keyed=False, tiered=False, snapshots=False)
    65000
    >>> files = TableFiles(1000, 1000, 8000, 8000)
    >>> table_bytes(files, Size(300, 0, 1), keyed=True, tiered=True, snapshots=False)
    32008
    """
    working = disk_bytes(work, partitions, snapshots=snapshots) + files.tiers
    if tiered:
        working += TOLD_BYTES * work.positions
    if keyed and work.stored:
        working += (KEY_BYTES - MOVE_BYTES) * work.moves
    kept = files.positions + ENTRY_BYTES * files.results
    return kept + max(working, (1 if alone else ENTRY_BYTES) * files.entries)


def _sorted_bytes(size: Size) -> int:
    """Bytes of the sorted reverse moves."""
    if not size.stored:
        return 0
    return 8 * size.positions + (MOVE_BYTES + size.wide) * size.moves


def message_bytes(size: Size, partitions: int) -> int:
    """Bytes of all messages of a run, if targets of moves are spread over all partitions.

    Messages to one situation in one layer are added up, and moves inside a partition need none,
    so this is a bound.

    >>> message_bytes(Size(1000, 4000, 1), 4)
    15000
    """
    return MESSAGE_BYTES * ((size.moves << size.shift) * (partitions - 1) // partitions)
