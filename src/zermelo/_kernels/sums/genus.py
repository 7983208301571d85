"""Mex values with up to two further options at every position: the rows of a genus."""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array


@kernel
def mex_row(
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    previous: Int32Array,
    value_of_end: int,
    seen_at: Int64Array,
    row: Int32Array,
) -> None:
    """Set ``row[v]`` to the mex of ``row`` over its options, of b = ``previous[v]`` and b xor 1.

    Where b is negative, the mex is over the options alone; a position without options then gets
    ``value_of_end``. Requires ``order`` to have successors first, and ``seen_at`` filled with -1
    and longer than every value: it holds the last position for which each value occurred.
    """
    # Invariant: row is right for order[:k], and seen_at holds only positions of order[:k].
    for k in range(len(order)):
        v = order[k]
        b = previous[v]
        if b >= 0:
            seen_at[b] = v
            seen_at[b ^ 1] = v
        elif indptr[v] == indptr[v + 1]:
            row[v] = value_of_end
            continue
        for j in range(indptr[v], indptr[v + 1]):
            seen_at[row[indices[j]]] = v
        value = 0
        while seen_at[value] == v:
            value += 1
        row[v] = value
