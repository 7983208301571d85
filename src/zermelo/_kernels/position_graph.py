"""The graph of a game given by rules: positions numbered breadth first, and their moves.

Numbers are found by a table of open addressing, ``slots``, that holds 1 + number, or 0.
"""

from zermelo._kernels.positions import OPEN, scatter
from zermelo._runtime.bind import placeholder
from zermelo._runtime.jit import kernel
from zermelo.labels import Int32Array, Int64Array

moves, outcome, canonical = map(placeholder, ("moves", "outcome", "canonical"))


@kernel
def number_moves(
    found: Int64Array,
    slots: Int32Array,
    indptr: Int64Array,
    indices: Int32Array,
    out: Int64Array,
    state: Int64Array,
    steps: int,
) -> bool:
    """Number positions breadth first and write their moves; whether all is done.

    ``state`` holds how many positions were explored and found, and how many moves were written.
    Returns after ``steps`` positions, or when an array may be too short for the next one's moves.
    """
    v, n, m = state[0], state[1], state[2]
    size = len(slots)
    stop = v + steps
    most = len(out)
    while v < n and v < stop and n + most <= len(found) and m + most <= len(indices):
        if 4 * (n + most) > 3 * size:
            break
        p = found[v]
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            q = canonical(out[k])
            i = (scatter(q) * size) >> 31
            while slots[i] != 0 and found[slots[i] - 1] != q:
                i += 1
                if i == size:
                    i = 0
            if slots[i] == 0:
                found[n] = q
                n += 1
                slots[i] = n
            indices[m] = slots[i] - 1
            m += 1
        v += 1
        indptr[v] = m
    state[0], state[1], state[2] = v, n, m
    return bool(v == n)


@kernel
def renumber(found: Int64Array, count: int, slots: Int32Array) -> None:
    """Fill an empty table of slots with the numbers of the first ``count`` positions."""
    size = len(slots)
    for v in range(count):
        i = (scatter(found[v]) * size) >> 31
        while slots[i] != 0:
            i += 1
            if i == size:
                i = 0
        slots[i] = v + 1
