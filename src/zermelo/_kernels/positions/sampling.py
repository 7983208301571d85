"""Counts on samples of positions: moves, ends, and predecessors."""

from typing import NamedTuple

from zermelo._kernels.positions.hash_table import is_among
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int64Array

moves, outcome, tier = map(placeholder, ("moves", "outcome", "tier"))
canonical, unmoves, unrank = map(placeholder, ("canonical", "unmoves", "unrank"))

OPEN = 2
"""The outcome of a position in which play goes on."""

MOVES, INSIDE, TIER, COLUMNS = 0, 1, 2, 3
"""What :func:`count_moves` writes for a position: its distinct moves, those within its tier, and
the tier."""


@kernel
def unrank_all(positions: Int64Array, count: int) -> None:
    """Replace indices by their positions; an index without position becomes negative."""
    for i in range(count):
        positions[i] = unrank(positions[i])


@kernel
def distinct(out: Int64Array, count: int) -> int:
    """Replace positions by their canonical forms, each once, and return how many there are."""
    kept = 0
    for k in range(count):
        q = canonical(out[k])
        if not is_among(out, 0, kept, q):
            out[kept] = q
            kept += 1
    return kept


@kernel
def count_moves(positions: Int64Array, count: int, out: Int64Array, rows: Int64Array) -> None:
    """Fill ``rows``, COLUMNS numbers for each position, see MOVES."""
    for i in range(count):
        p = positions[i]
        found = moves(p, out) if outcome(p) == OPEN else 0
        found = distinct(out, found)
        inside = 0
        own = tier(p)
        for k in range(found):
            if tier(out[k]) == own:
                inside += 1
        rows[COLUMNS * i + MOVES] = found
        rows[COLUMNS * i + INSIDE] = inside
        rows[COLUMNS * i + TIER] = own


class Stack(NamedTuple):
    """Positions to be followed backwards."""

    positions: Int64Array
    depths: Int64Array
    back: Int64Array
    """Room for un-moves."""


@kernel
def has_past(position: int, start: int, depth: int, patience: int, stack: Stack) -> bool:
    """Whether un-moves lead ``depth`` plies back, or to the start; True if patience ends first."""
    at = 1
    stack.positions[0], stack.depths[0] = position, 0
    while at > 0 and patience > 0:
        at -= 1
        p, d = stack.positions[at], stack.depths[at]
        if p == start or d == depth:
            return True
        found = unmoves(p, stack.back)
        patience -= 1
        for k in range(found):
            if at == len(stack.positions):
                return True
            stack.positions[at], stack.depths[at] = canonical(stack.back[k]), d + 1
            at += 1
    return at > 0


@kernel
def list_children(
    positions: Int64Array,
    count: int,
    out: Int64Array,
    before: Int64Array,
    children: Int64Array,
    ends: Int64Array,
    limits: Int64Array,
    stack: Stack,
) -> None:
    """List the distinct moves of all positions, and how many positions are before each child.

    ``ends[i]`` is where the children of position i end; ``out`` has room for moves and un-moves
    one after the other. ``limits`` are the start, and depth and patience of :func:`has_past`.
    """
    filled = 0
    for i in range(count):
        p = positions[i]
        found = moves(p, out) if outcome(p) == OPEN else 0
        found = distinct(out, found)
        for k in range(found):
            children[filled + k] = out[k]
        for k in range(found):
            q = children[filled + k]
            parents = distinct(out, unmoves(q, out))
            known = 0
            for j in range(parents):
                if out[j] == p or has_past(out[j], limits[0], limits[1], limits[2], stack):
                    known += 1
            before[filled + k] = max(1, known)
        filled += found
        ends[i] = filled
