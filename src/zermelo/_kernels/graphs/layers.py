"""The attractor of a set layer by layer: ranks and moves, on owned and on alternating graphs.

:mod:`zermelo._kernels.graphs.attractor` is the attractor that the solvers of parity games use: it
has no ranks, and it needs a move at every position.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import Int8Array, Int32Array


class Layers(NamedTuple):
    """Of every situation the layer, the move into the layer below, and the moves not yet inside."""

    rank: Int32Array
    """The layer, −1 outside the attractor."""
    move: Int32Array
    """The player's move into the layer below, −1 where there is none."""
    left: Int32Array
    """The number of moves that do not lead into the attractor so far."""


@kernel
def attract_by_layers(
    predecessors: Moves,
    mover: Int8Array,
    layers: Layers,
    queue: Int32Array,
    tail: int,
    player: int,
    doubled: int,
) -> int:
    """Add layer after layer; returns the number of situations in the attractor.

    A situation is a position; if ``doubled`` is 1, it is ``2 v + e`` for player e to move at v.
    Requires the first situations in ``queue[:tail]``, by increasing rank; ``left`` is the number of
    moves everywhere, ``rank`` is −1 elsewhere, and ``move`` is −1 everywhere.
    """
    rev_indptr, rev_indices = predecessors
    rank, move, left = layers
    head = 0
    # Invariant: queue[:tail] is the attractor so far, by non-decreasing rank, and left[u] = moves
    # of u minus those into queue[:head], for the u of the other player that are outside.
    while head < tail:
        t = queue[head]
        head += 1
        v = t >> doubled
        for k in range(rev_indptr[v], rev_indptr[v + 1]):
            u = rev_indices[k]
            s = 2 * u + 1 - (t & 1) if doubled else u
            if rank[s] >= 0:
                continue
            if mover[s] == player:
                move[s] = v
            else:
                left[s] -= 1
                if left[s] > 0:
                    continue
            rank[s] = rank[t] + 1
            queue[tail] = s
            tail += 1
    return tail
