"""Records that the kernels of several algorithms take: arrays that belong together.

A record is a NamedTuple of one-dimensional arrays and integers (see
:mod:`zermelo._runtime.compiled.jit`). A record that only one algorithm needs is defined beside the
kernels of that algorithm.
"""

from typing import NamedTuple

from zermelo.labels import Int32Array, Int64Array


class Moves(NamedTuple):
    """The moves of a graph, or its reverse moves: one row of ``indices`` for each position."""

    indptr: Int64Array
    """The row of v is ``indices[indptr[v]:indptr[v + 1]]``; there are n + 1 entries."""
    indices: Int32Array
    """The successors of the positions; in reverse moves, their predecessors."""
