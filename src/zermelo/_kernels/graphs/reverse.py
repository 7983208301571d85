"""Reverse moves by counting sort: all moves at once, or block by block of targets.

If all moves are sorted at once, every move needs two random writes. They are fast only while the
targets of neighbouring positions lie close together, or while everything fits into the cache. Block
by block, the moves are first distributed to blocks of targets (a few hundred sequential streams),
and then each block is sorted within the cache; both steps run on slices, one for each thread.
"""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def reverse(
    indptr: Int64Array, indices: Int32Array, rev_indptr: Int64Array, rev_indices: Int32Array
) -> None:
    """Fill the reverse CSR; in each row the predecessors are increasing.

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

    At first ``place[base + b]`` is where the part of block b for this slice starts; in the end it
    is where this part ends.
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
    to the first of the next block; the caller sets ``rev_indptr[0]``.
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
