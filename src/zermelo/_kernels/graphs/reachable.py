"""Which positions can be reached, by breadth-first search."""

from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array, Int64Array


@kernel
def reach(
    indptr: Int64Array, indices: Int32Array, seen: Int8Array, queue: Int32Array, tail: int
) -> int:
    """Mark all positions that can be reached from ``queue[:tail]``; return how many are marked.

    Requires ``seen`` 1 at the positions of the queue, 0 elsewhere, and room for every position in
    ``queue``. In the end the queue has the marked positions in order of distance.
    """
    head = 0
    # Invariant: queue[:tail] are the positions seen, and the moves of queue[:head] lead to them.
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if seen[w] == 0:
                seen[w] = 1
                queue[tail] = w
                tail += 1
    return tail
