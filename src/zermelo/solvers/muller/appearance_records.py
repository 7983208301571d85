"""Latest appearance records of a Muller condition, as a parity automaton.

A record is a list of all colours, those that were seen last in front. Reading a set of colours
moves them to the front, in their order; the *hit* is the last place in the list that one of them
had, 0 if the set is empty. From some time on only the colours that are seen infinitely often move,
so they are in front of all others, and the hit is never behind them; and whenever the last one of
them is read, the hit is just their number. So the greatest hit that occurs infinitely often is the
number of the colours that are seen infinitely often, and these are the colours up to the hit at
that time. Therefore the hit h has the priority 2 h if the set of the first h colours is accepted,
else 2 h + 1.

Reference: [GurevichHarrington1982]; [GamesOnGraphs] §11.3 names the construction.

k colours have k! records. If positions have single colours, no parity automaton for the condition
has fewer states than the Zielonka tree has leaves ([CasaresEtAl2021]): one for a parity condition,
and k! in the worst case only. Records need no tree, and they do not depend on the condition, which
enters by the priorities alone.

Differs from the source: the hit is no part of a state, because it follows from the record and the
set that is read; the textbook's k! · k states become k!. Sets of colours are read, not only single
colours. Only the records that can be reached are made.
"""

import math
from dataclasses import dataclass

import numpy as np

from zermelo._runtime import memory
from zermelo.errors import MemoryLimitError
from zermelo.labels import BoolArray, Int64Array, read_only
from zermelo.objectives.muller import Signals
from zermelo.solvers.muller.zielonka_tree import ParityAutomaton

MAX_COLOURS = 15
"""A record is a 64-bit number with four bits for each colour."""

MAX_RECORDS = 1 << 16


@dataclass(frozen=True, eq=False)
class AppearanceRecords:
    """The records that can be reached from the first one, 0, 1, 2, …, and their automaton."""

    signal: tuple[int, ...]
    """The meaning of the entries of a record: colour i, or ~i for "a position without colour i"."""
    record: Int64Array
    """One row for each record, by increasing rows; the entries are indices of ``signal``."""
    automaton: ParityAutomaton

    def __len__(self) -> int:
        return int(self.record.shape[0])


def records_bound(signals: Signals) -> int:
    """The greatest number of records: all orders of the colours.

    >>> from zermelo import Graph, Muller
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> records_bound(Muller([0, 1], "Inf(0) & Inf(1)").signals(g))
    2
    """
    return math.factorial(len(signals.signal))


def build_records(signals: Signals) -> AppearanceRecords:
    """The records of a game, explored breadth first.

    >>> from zermelo import Graph, Muller
    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0)], owner=[0, 1, 0])
    >>> records = build_records(Muller([0, 1, 2], "Inf(0) & Inf(1)").signals(g))
    >>> records.record.tolist()
    [[0, 1], [1, 0]]
    >>> records.automaton.priority.tolist()
    [[1, 3, 4], [1, 4, 3]]
    """
    k = len(signals.signal)
    if k > MAX_COLOURS:
        raise _too_many(signals, f"at most {MAX_COLOURS} colours", f"got {k}")
    letters = np.unique(signals.mask)
    known = _pack(np.arange(k)[None, :])
    front = known
    # Invariant: ``known`` has the records that were reached, increasing, and ``front`` those of
    # them whose successors are not known yet.
    while front.size:
        rows = _unpack(front, k)
        reached = [_pack(_read(rows, letter)[0]) for letter in letters.tolist()]
        front = np.setdiff1d(np.concatenate([known[:0], *reached]), known)
        known = np.union1d(known, front)
        if known.size > MAX_RECORDS:
            raise _too_many(signals, f"at most {MAX_RECORDS:,} records", "got more")
        memory.require(
            8 * known.size * (letters.size + k),
            f"an automaton of {known.size:,} latest appearance records and {letters.size:,} sets "
            "of colours",
            "use solver 'zielonka-tree', or set ZERMELO_MEMORY to allow more",
        )
    rows = _unpack(known, k)
    after = np.empty((known.size, letters.size), np.int32)
    priority = np.empty_like(after)
    # front_sets[r, h] is the set of the first h colours of record r.
    front_sets = np.zeros((known.size, k + 1), np.int64)
    np.bitwise_or.accumulate(1 << rows, axis=1, out=front_sets[:, 1:])
    for a, letter in enumerate(letters.tolist()):
        moved, hit = _read(rows, letter)
        won: BoolArray = signals.wins(front_sets[np.arange(known.size), hit])
        after[:, a] = np.searchsorted(known, _pack(moved))
        priority[:, a] = 2 * hit + ~won
    automaton = ParityAutomaton(letters, read_only(after), read_only(priority))
    return AppearanceRecords(signals.signal, read_only(rows), automaton)


def _too_many(signals: Signals, expected: str, got: str) -> MemoryLimitError:
    return MemoryLimitError(
        f"latest appearance records: expected {expected}, {got}; {len(signals.signal)} colours "
        f"have up to {records_bound(signals):,} records; use solver 'zielonka-tree', or fewer "
        "colours"
    )


def _read(rows: Int64Array, letter: int) -> tuple[Int64Array, Int64Array]:
    """The records after a set of colours was read, and the hits."""
    inside = (letter >> rows & 1).astype(bool)
    moved = np.take_along_axis(rows, np.argsort(~inside, axis=1, kind="stable"), axis=1)
    hit = np.where(inside, np.arange(1, rows.shape[1] + 1), 0).max(axis=1, initial=0)
    return moved, hit


def _pack(rows: Int64Array) -> Int64Array:
    """Each record as one number, in the same order."""
    k = rows.shape[1]
    packed: Int64Array = (rows << 4 * np.arange(k)[::-1]).sum(axis=1, dtype=np.int64)
    return packed


def _unpack(packed: Int64Array, k: int) -> Int64Array:
    rows: Int64Array = packed[:, None] >> 4 * np.arange(k)[::-1] & 15
    return rows
