"""The positions one move after a position, and the keys of their entries in a table.

The kernels are templates that are bound to rules (:mod:`zermelo._runtime.bind`). In all of them
``out`` and ``keys`` have room for the greatest number of moves of a position.
"""

from typing import Any

from zermelo._runtime.bind import placeholder
from zermelo._runtime.jit import kernel

OPEN = 2
"""The outcome of a position in which play goes on."""

canonical = placeholder("canonical")
moves = placeholder("moves")
outcome = placeholder("outcome")
rank = placeholder("rank")
tier = placeholder("tier")
unmoves = placeholder("unmoves")
unrank = placeholder("unrank")


@kernel
def options_by_rank(position: int, out: Any, keys: Any) -> int:
    """Fill ``out`` with the positions after one move, ``keys`` with their indices; the number."""
    if outcome(position) != OPEN:
        return 0
    count: int = moves(position, out)
    for k in range(count):
        keys[k] = rank(out[k])
    return count


@kernel
def options_by_form(position: int, out: Any, keys: Any) -> int:
    """Do what ``options_by_rank`` does, with canonical forms as keys."""
    if outcome(position) != OPEN:
        return 0
    count: int = moves(position, out)
    for k in range(count):
        keys[k] = canonical(out[k])
    return count


@kernel
def positions_at(first: int, positions: Any) -> None:
    """Fill ``positions`` with those of the indices from ``first`` on, −1 where there is none."""
    for k in range(len(positions)):
        positions[k] = unrank(first + k)


@kernel
def descends(position: int, start: int, first: Any, second: Any) -> int:
    """1 if two moves may have led to a position, or fewer moves from ``start``; else 0.

    All positions that play reaches pass this test. Few others pass it in games where most positions
    that cannot be reached have no predecessor at all. All positions of lower tiers than that of the
    start pass as well, because unmoves may lack the moves from higher tiers; play that reaches a
    position in the tier of the start has never left this tier. ``first`` and ``second`` have room
    for the unmoves of a position.
    """
    if position == start or tier(position) != tier(start):
        return 1
    for k in range(unmoves(position, first)):
        if canonical(first[k]) == start or unmoves(first[k], second) > 0:
            return 1
    return 0


@kernel
def keep_descendants(positions: Any, start: int, first: Any, second: Any) -> None:
    """Replace the positions that do not pass :func:`descends` by −1."""
    for k in range(len(positions)):
        if positions[k] >= 0 and descends(positions[k], start, first, second) == 0:
            positions[k] = -1
