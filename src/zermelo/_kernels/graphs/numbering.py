"""Number the vertices of an undirected graph so that neighbours are near each other. O(V + E).

The numbers are those of a breadth-first search. In graphs that have an order with good locality,
such as grids and chains, the memory that an algorithm reads after a vertex is then usually in the
cache already, no matter how the vertices were numbered before.
"""

from zermelo._kernels.graphs.attractor import MOVES_AHEAD, ROWS_AHEAD, WORDS_AHEAD
from zermelo._runtime.compiled.instructions import prefetch
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def breadth_first(
    indptr: Int64Array, indices: Int32Array, number: Int32Array, order: Int32Array
) -> None:
    """Fill ``order`` with the vertices, and ``number`` with their places in it.

    Requires ``number`` filled with -1.
    """
    head, tail = 0, 0
    for root in range(len(number)):
        if number[root] >= 0:
            continue
        number[root] = tail
        order[tail] = root
        tail += 1
        # Invariant: order[:tail] are the vertices numbered, with all neighbours of order[:head].
        while head < tail:
            if head + ROWS_AHEAD < tail:
                prefetch(indptr, order[head + ROWS_AHEAD])
            if head + MOVES_AHEAD < tail:
                prefetch(indices, indptr[order[head + MOVES_AHEAD]])
            if head + WORDS_AHEAD < tail:
                v = order[head + WORDS_AHEAD]
                for k in range(indptr[v], indptr[v + 1]):
                    prefetch(number, indices[k])
            v = order[head]
            head += 1
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if number[w] < 0:
                    number[w] = tail
                    order[tail] = w
                    tail += 1


@kernel
def renumber(
    indptr: Int64Array,
    indices: Int32Array,
    number: Int32Array,
    order: Int32Array,
    out_indptr: Int64Array,
    out: Int32Array,
) -> None:
    """Write the rows in their new order with new numbers; within a row they stay as they were."""
    n = len(number)
    count = 0
    out_indptr[0] = 0
    for i in range(n):
        if i + ROWS_AHEAD < n:
            prefetch(indptr, order[i + ROWS_AHEAD])
        if i + MOVES_AHEAD < n:
            prefetch(indices, indptr[order[i + MOVES_AHEAD]])
        v = order[i]
        for k in range(indptr[v], indptr[v + 1]):
            out[count] = number[indices[k]]
            count += 1
        out_indptr[i + 1] = count
