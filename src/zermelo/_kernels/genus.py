"""Mex values with up to two further options at every position: the rows of a genus."""

from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def mex_row(
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    before: Int32Array,
    end: int,
    seen: Int64Array,
    row: Int32Array,
) -> None:
    """Set ``row[v]`` to the mex of its options' rows, of b = ``before[v]``, and of b xor 1.

    Nothing is added where b is negative, and a position with no option at all gets ``end``.
    Requires ``order`` to have successors first, and ``seen`` all -1, longer than every value.
    """
    # Invariant: the rows of order[:k] are right, and seen holds no number of a later position.
    for k in range(len(order)):
        v = order[k]
        b = before[v]
        if b >= 0:
            seen[b] = v
            seen[b ^ 1] = v
        elif indptr[v] == indptr[v + 1]:
            row[v] = end
            continue
        for j in range(indptr[v], indptr[v + 1]):
            seen[row[indices[j]]] = v
        value = 0
        while seen[value] == v:
            value += 1
        row[v] = value
