"""Reverse moves of a graph: in one pass, or by blocks and on all cores where that is faster."""

import numpy as np

from zermelo._kernels.graphs.reverse import count_blocks, deal_moves, reverse, sort_blocks
from zermelo._runtime.threads import Team
from zermelo.labels import Int32Array, Int64Array

CACHED, CACHED_ALONE = 1 << 18, 1 << 20
"""Up to this many positions one pass is faster than several threads and faster than blocks on one
thread, because its random writes stay in the cache."""

BLOCK_BITS = 14
"""A block has 2¹⁴ targets; its offsets and its moves fit into half a megabyte."""

MOST_BLOCKS = 1 << 10
"""With more streams than this, distributing the moves costs more than it saves, so blocks grow."""

CLOSE = 1 << 12
"""Targets of nearby moves that differ by less than this share pages and often cache lines."""


def build_reverse(indptr: Int64Array, indices: Int32Array) -> tuple[Int64Array, Int32Array]:
    """Return ``(rev_indptr, rev_indices)``: the predecessors of each position in increasing order.

    Linear time. The peak is 16 bytes per move and 16 per position, including the forward graph.

    >>> build_reverse(np.array([0, 2, 3, 3]), np.array([1, 2, 2], dtype=np.int32))
    (array([0, 0, 1, 3]), array([0, 0, 1], dtype=int32))
    """
    n = len(indptr) - 1
    with Team() as team:
        if n > (CACHED if team.size > 1 else CACHED_ALONE) and not has_locality(indices):
            bits = max(BLOCK_BITS, ((n - 1) // MOST_BLOCKS).bit_length())
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
