"""All parts of positions that play can reach, by compiled rules; and an order of evaluation.

A *part* stands for all components of positions that look alike. A *term* is 2·part, plus 1 where
the negative of the part is meant. A *sum* is a sorted list of terms; equal lists are stored once. A
position is the sum of its components, so an option is the number of a sum. A part beside its own
negative is left out, as G − G = 0.

:func:`explore` is a template (see :mod:`zermelo._runtime.compiled.bind`). It goes breadth first,
and returns when it needs more room or has explored as many parts as it may; the caller calls it
again. Parts are looked up by a hash of the position, sums by a hash of their terms (open
addressing, linear probing). O(options).

:func:`post_order` is a depth-first search with a cursor for each part in place of recursion, and
serves options found in any way. O(parts + options + terms of the options).
"""

from typing import NamedTuple

from zermelo._kernels.partizan.values import MASK31, mix
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array

fill_left = placeholder("fill_left")
fill_right = placeholder("fill_right")
fill_components = placeholder("fill_components")
image = placeholder("image")
opposite_image = placeholder("opposite_image")


class Parts(NamedTuple):
    """The parts that are known, and their options."""

    positions: Int64Array
    table: Int64Array
    """Numbers of parts + 1, by a hash of the position."""
    ptr: Int64Array
    options: Int64Array
    """Left's options of part p are the sums ``options[ptr[2p]:ptr[2p + 1]]``, Right's
    ``options[ptr[2p + 1]:ptr[2p + 2]]``."""


class Sums(NamedTuple):
    """The sums that are known: sum s has the terms ``terms[ptr[s]:ptr[s + 1]]``."""

    ptr: Int64Array
    terms: Int64Array
    table: Int64Array
    """By a hash of the terms, two numbers for each sum: its number + 1, and a stamp."""


class Room(NamedTuple):
    """Room for the options and the components of one position."""

    options: Int64Array
    components: Int64Array


HEAD, PARTS, OPTIONS, SUMS, TERMS, BUDGET, ROOM = range(7)
"""Slots of ``counters``: parts explored, parts known, options, sums, terms, parts to explore before
a pause, and the greatest number of options of a side."""
COUNTERS = 7

DONE, PAUSE, FULL = range(3)
"""What a call of ``explore`` returns: all is explored, the budget is used up, more room is needed.
"""


@kernel
def find_part(position: int, positions: Int64Array, table: Int64Array, counters: Int64Array) -> int:
    """The number of a part; a part that was not known is added."""
    mask = len(table) - 1
    k = mix(position & MASK31, position >> 31) & mask
    while table[k] != 0:
        part: int = table[k] - 1
        if positions[part] == position:
            return part
        k = (k + 1) & mask
    part = int(counters[PARTS])
    counters[PARTS] = part + 1
    positions[part] = position
    table[k] = part + 1
    return part


@kernel
def find_sum(size: int, row: Int64Array, sums: Sums, counters: Int64Array) -> int:
    """The place of the sum of the terms ``row[:size]`` in the table of sums; a new one is added."""
    sum_ptr, terms, sum_table = sums
    mask = (len(sum_table) >> 1) - 1
    h = size
    for i in range(size):
        h = mix(h, row[i] & MASK31)
    k = h & mask
    # Invariant: the sum is in none of the places from its hash up to k.
    while sum_table[2 * k] != 0:
        s = sum_table[2 * k] - 1
        start = sum_ptr[s]
        if sum_ptr[s + 1] - start == size:
            same = True
            for i in range(size):
                if terms[start + i] != row[i]:
                    same = False
                    break
            if same:
                return 2 * k
        k = (k + 1) & mask
    s, filled = counters[SUMS], counters[TERMS]
    for i in range(size):
        terms[filled + i] = row[i]
    counters[SUMS], counters[TERMS] = s + 1, filled + size
    sum_ptr[s + 1] = filled + size
    sum_table[2 * k] = s + 1
    return 2 * k


@kernel
def enter(position: int, parts: Parts, sums: Sums, row: Int64Array, counters: Int64Array) -> int:
    """Split a position into components; return the place of its sum in the table of sums."""
    positions, table = parts.positions, parts.table
    component_count = fill_components(position, row)
    size = 0
    # Invariant: row[:size] is sorted and holds the terms of the parts before i, without those
    # beside their negatives; the parts from i on are where they were, as size ≤ i.
    for i in range(component_count):
        plain, turned = image(row[i]), opposite_image(row[i])
        if turned >= 0 and turned < plain:
            term = 2 * find_part(turned, positions, table, counters) + 1
        else:
            term = 2 * find_part(plain, positions, table, counters)
        negative = term if turned == plain else term ^ 1
        j = 0
        while j < size and row[j] != negative:
            j += 1
        if j < size:
            size -= 1
            while j < size:
                row[j] = row[j + 1]
                j += 1
        else:
            j = size
            while j > 0 and row[j - 1] > term:
                row[j] = row[j - 1]
                j -= 1
            row[j] = term
            size += 1
    return find_sum(size, row, sums, counters)


@kernel
def begin(position: int, parts: Parts, sums: Sums, room: Room, counters: Int64Array) -> int:
    """Enter the position in which play starts; its sum gets the number 0."""
    return enter(position, parts, sums, room.components, counters)


@kernel
def explore(parts: Parts, sums: Sums, room: Room, counters: Int64Array) -> int:
    """Explore parts until all are explored, more room is needed, or the budget is used up."""
    positions, table, ptr, options = parts
    _, terms, sum_table = sums
    out, row = room
    explored = 0
    # Invariant: the options of the parts below HEAD are known, and so are all their parts.
    while counters[HEAD] < counters[PARTS]:
        if explored == counters[BUDGET]:
            return PAUSE
        most, widest = 2 * counters[ROOM], len(row)
        if (
            len(options) - counters[OPTIONS] < most
            or 2 * (counters[SUMS] + most) >= len(sum_table) >> 1
            or len(terms) - counters[TERMS] < most * widest
            or 2 * (counters[PARTS] + most * widest) >= len(table)
        ):
            return FULL
        p = counters[HEAD]
        for side in range(2):
            count = fill_left(positions[p], out) if side == 0 else fill_right(positions[p], out)
            stamp = 2 * p + side + 1
            for i in range(count):
                k = enter(out[i], parts, sums, row, counters)
                if sum_table[k + 1] != stamp:
                    sum_table[k + 1] = stamp
                    options[counters[OPTIONS]] = sum_table[k] - 1
                    counters[OPTIONS] += 1
            ptr[2 * p + side + 1] = counters[OPTIONS]
        counters[HEAD] = p + 1
        explored += 1
    return DONE


@kernel
def refill(positions: Int64Array, count: int, table: Int64Array) -> None:
    """Put the parts into a new table."""
    mask = len(table) - 1
    for part in range(count):
        position = positions[part]
        k = mix(position & MASK31, position >> 31) & mask
        while table[k] != 0:
            k = (k + 1) & mask
        table[k] = part + 1


@kernel
def refill_sums(sum_ptr: Int64Array, terms: Int64Array, count: int, sum_table: Int64Array) -> None:
    """Put the sums into a new table."""
    mask = (len(sum_table) >> 1) - 1
    for s in range(count):
        h = sum_ptr[s + 1] - sum_ptr[s]
        for i in range(sum_ptr[s], sum_ptr[s + 1]):
            h = mix(h, terms[i] & MASK31)
        k = h & mask
        while sum_table[2 * k] != 0:
            k = (k + 1) & mask
        sum_table[2 * k] = s + 1


@kernel
def post_order(
    ptr: Int64Array, options: Int64Array, sum_ptr: Int64Array, terms: Int64Array,
    cursor: Int64Array, stack: Int64Array, order: Int64Array,
) -> int:  # fmt: skip
    """Write to ``order`` each part after all parts that its options consist of.

    Returns −1, or a part on a cycle if there is one. Requires ``cursor`` filled with −1.
    """
    done = 0
    for root in range(len(cursor)):
        if cursor[root] >= 0:
            continue
        cursor[root] = ptr[2 * root]
        stack[0] = root
        depth = 1
        # Invariant: stack[:depth] is a path; a part's options before its cursor consist of parts
        # in order[:done], whose own cursors are one past the end of their options.
        while depth > 0:
            part = stack[depth - 1]
            end, below = ptr[2 * part + 2], -1
            while cursor[part] < end and below < 0:
                s = options[cursor[part]]
                for i in range(sum_ptr[s], sum_ptr[s + 1]):
                    x = terms[i] >> 1
                    if cursor[x] < ptr[2 * x + 2] + 1:
                        below = x
                        break
                if below < 0:
                    cursor[part] += 1
            if below < 0:
                cursor[part] = end + 1
                order[done] = part
                done += 1
                depth -= 1
            elif cursor[below] >= 0:
                return below
            else:
                cursor[below] = ptr[2 * below]
                stack[depth] = below
                depth += 1
    return -1
