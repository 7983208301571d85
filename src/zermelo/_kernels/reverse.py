"""Reverse moves by counting sort."""

from zermelo._kernels._jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def reverse(
    indptr: Int64Array, indices: Int32Array, rev_indptr: Int64Array, rev_indices: Int32Array
) -> None:
    """Fill the reverse CSR; predecessors come out in increasing order.

    Requires ``rev_indptr`` zeroed, of ``n + 1`` entries.
    """
    n = len(indptr) - 1
    m = len(indices)
    for k in range(m):
        rev_indptr[indices[k] + 1] += 1
    for v in range(n):
        rev_indptr[v + 1] += rev_indptr[v]
    # Invariant: rev_indptr[v] is where the next predecessor of v goes.
    for u in range(n):
        for k in range(indptr[u], indptr[u + 1]):
            v = indices[k]
            rev_indices[rev_indptr[v]] = u
            rev_indptr[v] += 1
    for i in range(n):
        v = n - i
        rev_indptr[v] = rev_indptr[v - 1]
    rev_indptr[0] = 0
