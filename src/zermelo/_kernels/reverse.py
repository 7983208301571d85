"""Reverse moves by counting sort: in one go, or block by block of targets.

In one go every move costs two random writes, which is cheap only while the targets of neighbouring
positions lie close together or everything fits into the cache. Block by block, the moves are first
dealt out to blocks of targets (a few hundred sequential streams), then each block is sorted within
the cache; both steps run on slices, one for each thread.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def reverse(
    indptr: Int64Array, indices: Int32Array, rev_indptr: Int64Array, rev_indices: Int32Array
) -> None:
    """Fill the reverse CSR; predecessors come out in increasing order.

    Requires ``rev_indptr`` zeroed, of ``n + 1`` entries.
    """
    n = len(indptr) - 1
    for k in range(len(indices)):
        rev_indptr[indices[k] + 1] += 1
    start = 0
    for v in range(n):
        count = rev_indptr[v + 1]
        rev_indptr[v + 1] = start
        start += count
    # Invariant: rev_indptr[v + 1] is where the next predecessor of v goes; in the end that is
    # where the row of v + 1 starts.
    for u in range(n):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            i = rev_indptr[v + 1]
            rev_indices[i] = u
            rev_indptr[v + 1] = i + 1


@kernel
def count_blocks(
    indices: Int32Array, start: int, stop: int, bits: int, count: Int64Array, base: int
) -> None:
    """Add the moves ``start..stop`` to ``count[base + b]``, where b is the block of the target."""
    for k in range(start, stop):
        count[base + (indices[k] >> bits)] += 1


@kernel
def deal_moves(
    indptr: Int64Array,
    indices: Int32Array,
    start: int,
    stop: int,
    bits: int,
    place: Int64Array,
    base: int,
    pairs: Int64Array,
) -> None:
    """Write the moves of the positions ``start..stop`` as target · 2³² + source, by block.

    ``place[base + b]`` is where this slice's part of block b starts; it moves to where it ends.
    """
    for u in range(start, stop):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            b = base + (v >> bits)
            i = place[b]
            pairs[i] = (v << 32) | u
            place[b] = i + 1


@kernel
def sort_blocks(
    pairs: Int64Array,
    bounds: Int64Array,
    start: int,
    stop: int,
    bits: int,
    rev_indptr: Int64Array,
    rev_indices: Int32Array,
) -> None:
    """Sort the blocks ``start..stop`` by target, stably, into their rows of the reverse CSR.

    Block b is ``pairs[bounds[b]:bounds[b + 1]]`` and fills ``rev_indptr`` from its second entry
    to the first of the next block; ``rev_indptr[0]`` is the caller's.
    """
    n = len(rev_indptr) - 1
    for b in range(start, stop):
        first = b << bits
        beyond = min(n, first + (1 << bits))
        for v in range(first, beyond):
            rev_indptr[v + 1] = 0
        for i in range(bounds[b], bounds[b + 1]):
            rev_indptr[(pairs[i] >> 32) + 1] += 1
        row = bounds[b]
        for v in range(first, beyond):
            count = rev_indptr[v + 1]
            rev_indptr[v + 1] = row
            row += count
        # Invariant: as in ``reverse``; the pairs of a block come in increasing order of source.
        for i in range(bounds[b], bounds[b + 1]):
            v = pairs[i] >> 32
            k = rev_indptr[v + 1]
            rev_indices[k] = pairs[i] & 0xFFFFFFFF
            rev_indptr[v + 1] = k + 1
