"""All parts that play of a partizan game can reach, and their options.

Small games are explored by the plain Python of their rules. Larger games on a grid are explored by
machine code, with the rules compiled into :mod:`zermelo._kernels.partizan.explore`.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.partizan.explore import (
    BUDGET,
    COUNTERS,
    DONE,
    FULL,
    HEAD,
    OPTIONS,
    PARTS,
    ROOM,
    SUMS,
    TERMS,
    Room,
    Sums,
    begin,
    explore,
    post_order,
    refill,
    refill_sums,
)
from zermelo._kernels.partizan.explore import Parts as FoundParts
from zermelo._runtime.compiled.bind import bind
from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.memory import require
from zermelo._runtime.progress import Report, SoFar
from zermelo.labels import Int64Array
from zermelo.partizan.store import STORE
from zermelo.rules.faults import hashable, listed
from zermelo.rules.partizan.base import SIDE_NAMES, PartizanRules

MAX_INTERPRETED = 100_000
"""The number of options that plain Python examines before rules on a grid are compiled."""
MAX_INTERPRETED_KEPT = 2_000
"""The same number if the compiled rules are kept from an earlier process."""
PARTS_BETWEEN_REPORTS = 256
"""Parts explored in plain Python between two reports of progress."""
STRETCH = 4096
"""The same for compiled rules."""
ENTRY_BYTES = 400
"""The memory that a part takes in plain Python, beside its options."""


class Parts(NamedTuple):
    """All parts that play can reach, and their options: see ``_kernels/partizan/explore.py``."""

    positions: Any
    ptr: Int64Array
    options: Int64Array
    sum_ptr: Int64Array
    terms: Int64Array

    def listed(self) -> list[Any]:
        """The parts as positions of the rules."""
        parts = self.positions
        return list(parts.tolist() if isinstance(parts, np.ndarray) else parts)

    def root(self) -> list[int]:
        """The terms of the position that was asked for."""
        terms: list[int] = self.terms[: self.sum_ptr[1]].tolist()
        return terms

    def order(self) -> Int64Array | None:
        """The parts, options first; None if play can return to a part."""
        n = len(self.positions)
        cursor, stack, order = np.full(n, -1), np.zeros(n, np.int64), np.zeros(n, np.int64)
        on_cycle = post_order(
            self.ptr, self.options, self.sum_ptr, self.terms, cursor, stack, order
        )
        return order if on_cycle < 0 else None

    def evaluate(self, order: Int64Array) -> Int64Array:
        """The value of each part, as an id of the store."""
        n = len(order)
        rank = np.zeros(n, np.int64)
        rank[order] = np.arange(n)
        terms = 2 * rank[self.terms >> 1] + (self.terms & 1)
        sides = []
        for side in (0, 1):
            start, end = self.ptr[side : 2 * n : 2][order], self.ptr[side + 1 :: 2][order]
            ptr = np.concatenate(([0], np.cumsum(end - start)))
            places = np.arange(ptr[-1]) + np.repeat(start - ptr[:-1], end - start)
            sides.append((ptr, self.options[places]))
        (left_ptr, left), (right_ptr, right) = sides
        ids = STORE.evaluate(n, left_ptr, right_ptr, left, right, self.sum_ptr, terms)
        return ids[rank]


def explore_parts(
    rules: PartizanRules[Any], position: Any, progress: Report | None = None
) -> Parts:
    """All parts that play can reach from a position.

    >>> from zermelo.rules.partizan.domineering import Domineering
    >>> rules = Domineering(4, 4)
    >>> len(explore_parts(rules, rules.start()).positions)
    197
    """
    patience = None
    if getattr(rules, "compiles", False) and not interpreting():
        none = np.zeros(0, np.int64)
        records = (kind(*(none for _ in kind._fields)) for kind in (FoundParts, Sums, Room))
        kept = bind(explore, rules).kept((*records, none))
        patience = MAX_INTERPRETED_KEPT if kept else MAX_INTERPRETED
    parts = explore_plain(rules, position, progress, patience)
    return parts or explore_compiled(rules, position, progress)


def explore_plain(
    rules: PartizanRules[Any], start: Any, progress: Report | None, patience: int | None
) -> Parts | None:
    """Explore by the rules' own Python; None if there are more than ``patience`` options."""
    number: dict[Any, int] = {}
    sums: dict[tuple[int, ...], int] = {}
    positions: list[Any] = []

    terms_of: dict[Any, tuple[int, int]] = {}

    def add_component(component: Any) -> tuple[int, int]:
        """The term of a new component, and the term that cancels it."""
        plain = hashable(rules, "canonical", rules.canonical(component))
        other = rules.opposite(component)
        if other is not None:
            other = hashable(rules, "opposite", rules.canonical(other))
        if plain not in number and other is not None and other in number:
            term = 2 * number[other] + 1
        else:
            term = 2 * number.setdefault(plain, len(positions))
            if term == 2 * len(positions):
                positions.append(plain)
        terms_of[component] = term, term if other == plain else term ^ 1
        return terms_of[component]

    def enter(position: Any) -> int:
        """The number of the sum of a position."""
        row: list[int] = []
        for component in listed(rules, "components", position):
            term, negative = terms_of.get(component) or add_component(component)
            if negative in row:
                row.remove(negative)
            else:
                row.append(term)
        return sums.setdefault(tuple(sorted(row)), len(sums))

    enter(start)
    ptr: list[int] = [0]
    options: list[int] = []
    # Invariant: ptr and options hold the options of the parts before p, and all their parts are in
    # positions; number[positions[k]] = k.
    for p, position in enumerate(positions):
        for side in SIDE_NAMES:
            options += dict.fromkeys(map(enter, listed(rules, side, position)))
            ptr.append(len(options))
        if patience is not None and len(options) > patience:
            return None
        if p % PARTS_BETWEEN_REPORTS == 0:
            _pulse(p, len(positions), len(options), progress)
    rows = list(sums)
    sum_ptr = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    terms = np.array([term for row in rows for term in row], np.int64)
    return Parts(positions, np.array(ptr), np.array(options, np.int64), sum_ptr, terms)


def _pulse(explored: int, found: int, options: int, progress: Report | None) -> None:
    """Report progress, and stop before memory is used up: the parts that wait may need as much."""
    if explored:
        require(
            (found - explored) * (ENTRY_BYTES + 200 * options // explored),
            f"{found:,} parts were found, {explored:,} of them explored, and going on",
            "value a smaller position",
        )
    if progress is not None:
        progress(explored, SoFar(found), "explored")


def explore_compiled(
    rules: Any, start: int, progress: Report | None = None, way: str = "compiled"
) -> Parts:
    """Explore by the template kernel, bound to the rules of a game on a grid."""
    most, widest = 2 * rules.most_options, rules.most_parts
    out, row = np.zeros(rules.most_options, np.int64), np.zeros(widest, np.int64)
    counters = np.zeros(COUNTERS, np.int64)
    counters[BUDGET], counters[ROOM] = STRETCH, rules.most_options
    size = 1 << max(14, (4 * most * widest).bit_length())
    table, positions = np.zeros(size, np.int64), np.zeros(size // 2, np.int64)
    ptr = np.zeros(size + 1, np.int64)
    options = np.zeros(size, np.int64)
    sum_ptr, sum_table = np.zeros(size // 2 + 1, np.int64), np.zeros(2 * size, np.int64)
    terms = np.zeros(size, np.int64)
    run = getattr(bind(explore, rules), way)
    parts, sums = FoundParts(positions, table, ptr, options), Sums(sum_ptr, terms, sum_table)
    room = Room(out, row)
    getattr(bind(begin, rules), way)(start, parts, sums, room, counters)
    while True:
        parts, sums = FoundParts(positions, table, ptr, options), Sums(sum_ptr, terms, sum_table)
        status = run(parts, sums, room, counters)
        if progress is not None:
            progress(int(counters[HEAD]), SoFar(counters[PARTS]), "explored")
        if status == DONE:
            break
        if status == FULL:
            if 2 * (counters[PARTS] + most * widest) >= len(table):
                table, positions = (
                    _doubled(np.zeros(0, np.int64), 2 * len(table)),
                    _doubled(positions, 2 * len(positions)),
                )
                ptr = _doubled(ptr, 2 * len(table) + 1)
                refill(positions, int(counters[PARTS]), table)
            if 2 * (counters[SUMS] + most) >= len(sum_table) >> 1:
                sum_table = _doubled(np.zeros(0, np.int64), 2 * len(sum_table))
                sum_ptr = _doubled(sum_ptr, len(sum_table) // 4 + 1)
                refill_sums(sum_ptr, terms, int(counters[SUMS]), sum_table)
            if len(terms) - counters[TERMS] < most * widest:
                terms = _doubled(terms, 2 * len(terms))
            if len(options) - counters[OPTIONS] < most:
                options = _doubled(options, 2 * len(options))
    n, s = int(counters[PARTS]), int(counters[SUMS])
    return Parts(
        positions[:n].copy(),
        ptr[: 2 * n + 1].copy(),
        options[: counters[OPTIONS]].copy(),
        sum_ptr[: s + 1].copy(),
        terms[: counters[TERMS]].copy(),
    )


def _doubled(array: Int64Array, size: int) -> Int64Array:
    """An array with more room."""
    require(8 * size, "exploring all parts of the position", "value a smaller position")
    new = np.zeros(size, np.int64)
    new[: len(array)] = array
    return new
