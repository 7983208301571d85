"""The part of a game times a memory that can be reached."""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array

ALL_MOVES = -2
"""In ``only``: every move may be made. Any other number is the only move; −1 means no move."""


class Memory(NamedTuple):
    """How memory changes: from m, moving from v, to ``after[m · width + letter[v]]``."""

    letter: Int32Array
    after: Int32Array
    width: int


@kernel
def explore(
    moves: Moves,
    memory: Memory,
    only: Int32Array,
    seen: Int8Array,
    queue: Int32Array,
    tail: int,
) -> int:
    """Mark all pairs that can be reached from ``queue[:tail]``; return how many are marked.

    The pair of memory m and position v has number ``m · n + v``. Requires ``seen`` 1 at the given
    pairs, 0 elsewhere, and room for every pair in ``queue``.
    """
    indptr, indices = moves.indptr, moves.indices
    letter, after, width = memory.letter, memory.after, memory.width
    n = len(indptr) - 1
    head = 0
    # Invariant: queue[:tail] are the pairs seen, and the moves of queue[:head] lead to them.
    while head < tail:
        s = queue[head]
        head += 1
        m = s // n
        v = s - m * n
        base = after[m * width + letter[v]] * n
        if only[s] == ALL_MOVES:
            for k in range(indptr[v], indptr[v + 1]):
                t = base + indices[k]
                if seen[t] == 0:
                    seen[t] = 1
                    queue[tail] = t
                    tail += 1
        elif only[s] >= 0:
            t = base + only[s]
            if seen[t] == 0:
                seen[t] = 1
                queue[tail] = t
                tail += 1
    return tail
