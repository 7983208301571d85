"""One move ahead of a position: what follows, and where a table keeps it.

Templates, to be bound to rules (:mod:`zermelo._runtime.bind`). In all of them ``out`` and ``keys``
have room for the most moves that a position has.
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
    """Fill ``out`` with what one move leads to and ``keys`` with indices; return how many."""
    if outcome(position) != OPEN:
        return 0
    count: int = moves(position, out)
    for k in range(count):
        keys[k] = rank(out[k])
    return count


@kernel
def options_by_form(position: int, out: Any, keys: Any) -> int:
    """The same with canonical forms for keys."""
    if outcome(position) != OPEN:
        return 0
    count: int = moves(position, out)
    for k in range(count):
        keys[k] = canonical(out[k])
    return count


@kernel
def positions_at(first: int, found: Any) -> None:
    """Fill ``found`` with the positions of the indices from ``first`` on, −1 for none."""
    for k in range(len(found)):
        found[k] = unrank(first + k)


@kernel
def descends(position: int, start: int, out: Any, more: Any) -> int:
    """1 if two moves may have led to a position, or fewer from ``start``; else 0.

    What play reaches passes; hardly anything else does in games where most positions that cannot
    be reached have no position before them at all. So do all positions of tiers below the start's,
    as moves from higher tiers may be missing among unmoves; in its own tier, play that comes to a
    position has never left it. ``out`` and ``more`` have room for unmoves.
    """
    if position == start or tier(position) != tier(start):
        return 1
    for k in range(unmoves(position, out)):
        if canonical(out[k]) == start or unmoves(out[k], more) > 0:
            return 1
    return 0


@kernel
def keep_descendants(found: Any, start: int, out: Any, more: Any) -> None:
    """Put −1 in place of positions that do not pass :func:`descends`."""
    for k in range(len(found)):
        if found[k] >= 0 and descends(found[k], start, out, more) == 0:
            found[k] = -1
