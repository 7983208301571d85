"""Messages from positions of finished lower tiers to positions of the present tier."""

from typing import NamedTuple

from zermelo._kernels.tables.begin import EVEN, read
from zermelo._kernels.terminal.partitioned import MAX_COUNT
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array, UInt8Array

BITS = 30
"""Bits of an entry that are its distance."""


class Told(NamedTuple):
    """Messages to positions of the present tier."""

    number: Int32Array
    layer: AnyArray
    """Four times the distance at which the message arrives, plus the kind of the entry."""
    counts: UInt8Array


@kernel
def tell(
    indptr: Int64Array, entry: AnyArray, first: int, owner: Int8Array, sides: Int64Array, out: Told
) -> int:
    """Write the messages to consecutive positions from the entries that their moves lead to.

    ``entry`` has an entry for each move, or 0 where it is not known yet. ``sides`` has the front of
    each kind. Of the moves that are good for the player to move, or that tie, only the one with the
    nearest end matters. All others, those to draws apart, are counted down one by one, and the last
    of them matters. So they are one message at the greatest distance, and a position gets at most
    three messages. Returns their number.
    """
    none = (1 << BITS) - 1
    filled = 0
    for v in range(len(indptr) - 1):
        mover = owner[v] if len(owner) > 0 else 0
        good, tie, bad, many = none, none, -1, 0
        good_kind, bad_kind = 0, 0
        for k in range(indptr[v], indptr[v + 1]):
            e = read(entry, k)
            kind, distance = e >> BITS, e & none
            if kind == 0 or distance == none:
                continue
            if kind == EVEN:
                tie = min(tie, distance)
            elif sides[kind] == mover:
                good, good_kind = min(good, distance), kind
            else:
                bad, bad_kind = max(bad, distance), kind
                many += 1
        if good < none:
            filled = _tell(out, filled, first + v, good, good_kind, 1)
        if tie < none:
            filled = _tell(out, filled, first + v, tie, EVEN, 1)
        while many > 0:
            filled = _tell(out, filled, first + v, bad, bad_kind, min(many, MAX_COUNT))
            many -= MAX_COUNT
    return filled


@part
def _tell(out: Told, filled: int, v: int, distance: int, kind: int, count: int) -> int:
    """Append a message that arrives one ply later; return the number of all."""
    out.number[filled] = v
    out.layer[filled] = ((distance + 1) << 2) | kind
    out.counts[filled] = count
    return filled + 1
