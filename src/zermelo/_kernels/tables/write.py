"""Entries on their way to a file: kinds and distances, what occurs among them, and their codes."""

from typing import NamedTuple

from zermelo._kernels.tables.begin import read
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import NO_DISTANCE, AnyArray, Int64Array

# The row of a kind in a tally: how many entries it has, the least and the greatest distance, and
# how many distances are even and odd.
COUNT, LEAST, GREATEST, EVEN, ODD, ROW = 0, 1, 2, 3, 4, 5

# The row of a kind in ``Codes.rows``: its symbol, its number among the kinds that store distances
# or −1, the base of these distances, and 1 if all of them have the same parity.
SYMBOL, PLANE, BASE, HALVED, WIDE = 0, 1, 2, 3, 4


class Codes(NamedTuple):
    """The codes of kinds and distances in a file."""

    rows: Int64Array
    """A row for each kind, see SYMBOL."""
    bits: int
    """Bits of a symbol."""


@kernel
def split_entries(
    entry: AnyArray, kinds: AnyArray, kind: AnyArray, distance: AnyArray, bits: int
) -> None:
    """Write the kinds of entries and their distances to ``kind`` and ``distance``.

    ``kinds`` has the kind of an entry at twice its label bits, plus 1 if it has a distance.
    """
    none = (1 << bits) - 1
    for i in range(len(kind)):
        e = read(entry, i)
        far = e & none
        if e != 0 and far != none:
            kind[i] = kinds[2 * (e >> bits) + 1]
            distance[i] = far
        else:
            kind[i] = kinds[2 * (e >> bits)]
            distance[i] = NO_DISTANCE


@kernel
def tally_entries(kind: AnyArray, distance: AnyArray, tally: Int64Array) -> None:
    """Count kinds and the distances of each kind; ``tally`` has a row for each kind."""
    for i in range(len(kind)):
        row = ROW * int(kind[i])
        tally[row + COUNT] += 1
        far = int(distance[i])
        if far != NO_DISTANCE:
            tally[row + LEAST] = min(tally[row + LEAST], far)
            tally[row + GREATEST] = max(tally[row + GREATEST], far)
            tally[row + EVEN + (far & 1)] += 1


@kernel
def encode_entries(
    kind: AnyArray,
    distance: AnyArray,
    codes: Codes,
    packed: AnyArray,
    stored: AnyArray,
    counts: Int64Array,
) -> None:
    """Write the symbols of entries to ``packed`` and the codes of their distances to ``stored``.

    ``packed`` holds zeros and gets several symbols in each byte, the first in the lowest bits.
    ``stored`` has a part for each kind with distances, as long as there are entries, and ``counts``
    gets how much of each part is used. A distance that is missing has the code 0.
    """
    rows, bits = codes
    each, most = 8 // max(1, bits), len(kind)
    for i in range(most):
        row = WIDE * int(kind[i])
        if bits != 0:
            packed[i // each] |= rows[row + SYMBOL] << bits * (i % each)
        plane = rows[row + PLANE]
        if plane >= 0:
            far = int(distance[i])
            code = 0 if far == NO_DISTANCE else far - rows[row + BASE] >> rows[row + HALVED]
            stored[plane * most + counts[plane]] = code
            counts[plane] += 1
