"""Reverse moves by counting sort: all moves at once, or block by block of targets.

If all moves are sorted at once, every move needs two random writes. They are fast only while the
targets of neighbouring positions lie close together, or while everything fits into the cache. Block
by block, the moves are first distributed to blocks of targets (a few hundred sequential streams),
and then each block is sorted within the cache; both steps run on slices, one for each thread.
"""

import numpy as np

from zermelo._runtime.compiled.jit import kernel
from zermelo._runtime.threads import Team
from zermelo.labels import Int32Array, Int64Array

CACHED, CACHED_ALONE = 1 << 18, 1 << 20
"""Up to this many positions one pass is faster than several threads and faster than blocks on one
thread, because its random writes stay in the cache."""

BLOCK_BITS = 14
"""A block has 2¹⁴ targets; its offsets and its moves fit into half a megabyte."""

MAX_BLOCKS = 1 << 10
"""With more streams than this, distributing the moves costs more than it saves, so blocks grow."""

CLOSE = 1 << 12
"""Targets of nearby moves that differ by less than this share pages and often cache lines."""


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


def build_reverse(indptr: Int64Array, indices: Int32Array) -> tuple[Int64Array, Int32Array]:
    """Return ``(rev_indptr, rev_indices)``: the predecessors of each position in increasing order.

    Linear time. The peak is 16 bytes per move and 16 per position, including the forward graph.

    >>> build_reverse(np.array([0, 2, 3, 3]), np.array([1, 2, 2], dtype=np.int32))
    (array([0, 0, 1, 3]), array([0, 0, 1], dtype=int32))
    """
    n = len(indptr) - 1
    if n > CACHED and not has_locality(indices):
        with Team() as team:
            if team.size > 1 or n > CACHED_ALONE:
                bits = max(BLOCK_BITS, ((n - 1) // MAX_BLOCKS).bit_length())
                return reverse_by_blocks(indptr, indices, bits, team)
    rev_indptr = np.zeros(n + 1, np.int64)
    rev_indices = np.empty(len(indices), np.int32)
    reverse(indptr, indices, rev_indptr, rev_indices)
    return rev_indptr, rev_indices


def has_locality(indices: Int32Array) -> bool:
    """Whether, in a sample, most moves have targets close to those of the moves before them."""
    if len(indices) < 9:
        return True
    sample = np.linspace(0, len(indices) - 9, 1024).astype(np.int64)
    gaps = np.abs(indices[sample + 8].astype(np.int64) - indices[sample])
    return bool(np.median(gaps) < CLOSE)


def reverse_by_blocks(
    indptr: Int64Array, indices: Int32Array, bits: int, team: Team
) -> tuple[Int64Array, Int32Array]:
    """Distribute the moves to blocks of ``2**bits`` targets, then sort each block."""
    n, m, size = len(indptr) - 1, len(indices), team.slices
    blocks = (n + (1 << bits) - 1) >> bits
    # Slices of the sources with about the same number of moves each.
    cuts = np.searchsorted(indptr, np.arange(1, size) * m // size)
    sources = [0, *(int(c) for c in cuts), n]
    moves = [int(indptr[u]) for u in sources]
    stride = blocks + 16  # two slices never count in the same cache line
    count = np.zeros(size * stride, np.int64)
    team.run(
        count_blocks,
        [(indices, moves[t], moves[t + 1], bits, count, t * stride) for t in range(size)],
    )
    # Go block by block, and slice by slice within a block, so that sources stay in order.
    table = count.reshape(size, stride)
    ends = np.cumsum(table[:, :blocks].T.ravel()).reshape(blocks, size)
    bounds = np.zeros(blocks + 1, np.int64)
    bounds[1:] = ends[:, -1]  # the end of each block of pairs
    table[:, :blocks] = ends.T - table[:, :blocks]
    pairs = np.empty(m, np.int64)
    team.run(
        deal_moves,
        [
            (indptr, indices, sources[t], sources[t + 1], bits, count, t * stride, pairs)
            for t in range(size)
        ],
    )
    rev_indptr = np.empty(n + 1, np.int64)
    rev_indptr[0] = 0
    rev_indices = np.empty(m, np.int32)
    shares = np.searchsorted(bounds, np.arange(1, size) * m // size)
    parts = [0, *(min(int(b), blocks) for b in shares), blocks]
    team.run(
        sort_blocks,
        [
            (pairs, bounds, parts[t], parts[t + 1], bits, rev_indptr, rev_indices)
            for t in range(size)
        ],
    )
    return rev_indptr, rev_indices
