"""The graph of a game given by rules: positions numbered breadth first, and their moves.

The number of a position is looked up in ``slots``, a table of open addressing: a slot holds 1 + the
number of a position, or 0.
"""

from zermelo._kernels.positions.hash_table import OPEN, scatter
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int32Array, Int64Array

moves, outcome, canonical = map(placeholder, ("moves", "outcome", "canonical"))

EXPLORED, NUMBERED, WRITTEN = range(3)
"""Slots of ``state``: how many positions were explored, how many have numbers, and how many moves
were written."""


@kernel
def number_moves(
    positions: Int64Array,
    slots: Int32Array,
    indptr: Int64Array,
    indices: Int32Array,
    out: Int64Array,
    state: Int64Array,
    steps: int,
) -> bool:
    """Number positions breadth first and write their moves; return whether all are explored.

    ``positions`` has the numbered positions in order. Returns after ``steps`` positions, or when an
    array may be too short for the moves of the next position.
    """
    v, n, m = state[EXPLORED], state[NUMBERED], state[WRITTEN]
    size = len(slots)
    stop = v + steps
    most = len(out)
    while v < n and v < stop and n + most <= len(positions) and m + most <= len(indices):
        if 4 * (n + most) > 3 * size:
            break
        p = positions[v]
        count = moves(p, out) if outcome(p) == OPEN else 0
        for k in range(count):
            q = canonical(out[k])
            i = (scatter(q) * size) >> 31
            while slots[i] != 0 and positions[slots[i] - 1] != q:
                i += 1
                if i == size:
                    i = 0
            if slots[i] == 0:
                positions[n] = q
                n += 1
                slots[i] = n
            indices[m] = slots[i] - 1
            m += 1
        v += 1
        indptr[v] = m
    state[EXPLORED], state[NUMBERED], state[WRITTEN] = v, n, m
    return bool(v == n)


@kernel
def renumber(positions: Int64Array, count: int, slots: Int32Array) -> None:
    """Fill an empty table of slots with the numbers of the first ``count`` positions."""
    size = len(slots)
    for v in range(count):
        i = (scatter(positions[v]) * size) >> 31
        while slots[i] != 0:
            i += 1
            if i == size:
                i = 0
        slots[i] = v + 1
