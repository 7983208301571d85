"""The kernel of an acyclic graph, by von Neumann's algorithm. O(V + E).

A kernel is a set of positions without moves inside and with a move into it from everywhere else:
the positions that the player to move loses. An acyclic graph has exactly one.

Reference: [EdmondsGurvich2010] §2.1, [VonNeumannMorgenstern1944]. Notation: ``V_i`` → the members
of ``layer`` i, ``V'_i`` → the others of it. From ``V_i`` one can resist ``2 i`` moves, from
``V'_i`` win in ``2 i + 1``: that is ``depth``.

Differs from the paper: terminals and their predecessors are not deleted round by round but by
counters, which is the retrograde wave of normal play, and ``depth`` is its distance.
"""

import functools
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from zermelo._door.inputs import Checked, claim_array, claim_graph, sealed
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.labels import BoolArray, Int32Array, read_only
from zermelo.objectives import NormalPlay
from zermelo.solvers.terminal import retrograde
from zermelo.sums._order import Progress, refuse_cycle, successors_first

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, eq=False, repr=False)
class Kernel(Checked):
    """The kernel of a graph; it contains, counts and lists positions by name.

    >>> import zermelo as zm
    >>> k = zm.kernel(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c")]))
    >>> k.positions, "a" in k, k.depth.tolist()
    (('c',), False, [1, 1, 0])
    """

    graph: Graph
    mask: BoolArray
    """Whether each position is in the kernel."""
    depth: Int32Array
    """Moves until the end under best play: even in the kernel, odd elsewhere."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        n = self.graph.n
        claim_array(self, "mask", (n,), np.bool_, 0, 1)
        claim_array(self, "depth", (n,), np.int32, 0, 2**31 - 1, self.graph)

    @functools.cached_property
    def indices(self) -> Int32Array:
        """The kernel's positions by number, increasing."""
        return read_only(np.flatnonzero(self.mask).astype(np.int32))

    @functools.cached_property
    def positions(self) -> tuple[Hashable, ...]:
        """The kernel's positions by name."""
        return tuple(self.graph.name(v) for v in self.indices.tolist())

    @property
    def layer(self) -> Int32Array:
        """The round of von Neumann's algorithm that deletes each position."""
        return self.depth // np.int32(2)

    def __contains__(self, position: Hashable) -> bool:
        return bool(self.mask[self.graph.index(position)])

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.positions)

    def __len__(self) -> int:
        return int(self.mask.sum())

    def __repr__(self) -> str:
        return f"Kernel({len(self):,} of {self.graph.n:,} positions)"

    def verify(self) -> "Self":
        """Check mask and depths; see :mod:`zermelo.verify.kernel`."""
        from zermelo.verify.kernel import check_kernel

        check_kernel(self)
        return self


def kernel(game: Game | Graph, progress: Progress | None = None) -> Kernel:
    """The kernel of an acyclic graph, the positions from which the player to move loses.

    >>> import zermelo as zm
    >>> kernel(zm.Graph.from_edges([(v, w) for v in range(10) for w in (v - 1, v - 2) if w >= 0]))
    Kernel(4 of 10 positions)
    >>> kernel(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    Traceback (most recent call last):
    zermelo.errors.SolverError: expected a graph without cycles, got the cycle a → b → a; ...
    """
    graph = impartial_graph(game, "kernels")
    _, height = successors_first(graph, progress)
    refuse_cycle(graph, height, "zm.solve and zm.grundy take graphs with cycles")
    solution = retrograde.solve(graph, NormalPlay(), progress)
    return Kernel(graph, sealed(solution.label < 0), solution.distance)
