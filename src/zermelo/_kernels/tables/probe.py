"""The positions one move after a position, and the keys of their entries in a table.

The kernels are templates that are bound to views of rules (:mod:`zermelo.rules.views`).
"""

from typing import Any, NamedTuple

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import Int64Array

OPEN = 2
"""The outcome of a position in which play goes on."""

canonical = placeholder("canonical")
key = placeholder("key")
moves = placeholder("moves")
outcome = placeholder("outcome")
rank = placeholder("rank")
tier = placeholder("tier")
turns = placeholder("turns")
known_key = placeholder("known_key")
unmoves = placeholder("unmoves")
unrank = placeholder("unrank")


class Options(NamedTuple):
    """Positions after one move, those of several positions one after the other."""

    position: Int64Array
    key: Int64Array
    sign: Int64Array
    """−1 if the other player moves there, 1 if the same player moves again."""
    stop: Int64Array
    """Where the list of each of the several positions stops."""


@part
def list_after(p: int, out: Int64Array, options: Options, filled: int) -> int:
    """List the positions after one move of a position; return the new length of the list."""
    if outcome(p) == OPEN:
        for j in range(moves(p, out)):
            c = out[j]
            options.position[filled] = c
            options.key[filled] = key(c)
            options.sign[filled] = -1 if turns(p, c) else 1
            filled += 1
    return filled


@kernel
def list_options(positions: Int64Array, out: Int64Array, options: Options) -> int:
    """List the positions after one move of each position; return the length of the whole list.

    There are none where play is over. ``out`` has room for the moves of one position, and the lists
    for those of all positions.
    """
    filled = 0
    for k in range(len(positions)):
        filled = list_after(positions[k], out, options, filled)
        options.stop[k] = filled
    return filled


@kernel
def look_ahead(position: int, out: Int64Array, options: Options, symmetry: bool) -> int:
    """Give the key of a number, −1 if it is no position, and list the positions after one move."""
    found: int = known_key(position, symmetry)
    options.stop[0] = list_after(position, out, options, 0) if found >= 0 else 0
    return found


@kernel
def keys_of(positions: Int64Array, keys: Int64Array, symmetry: bool) -> None:
    """Fill ``keys`` with the keys of numbers, −1 for those that are no positions."""
    for k in range(len(positions)):
        keys[k] = known_key(positions[k], symmetry)


@kernel
def positions_at(indices: Int64Array, positions: Int64Array) -> None:
    """Fill ``positions`` with those of the indices, −1 where there is none."""
    for k in range(len(indices)):
        positions[k] = unrank(indices[k])


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
