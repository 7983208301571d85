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
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, sealed
from zermelo._runtime.progress import Progress, reporting
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.labels import BoolArray, Int8Array, Int32Array, read_only
from zermelo.objectives import NormalPlay
from zermelo.solutions.on_graph import GraphAnswers
from zermelo.solvers.terminal import retrograde
from zermelo.sums.order import refuse_cycle, successors_first
from zermelo.verify.sums.kernel import check_kernel

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields


@dataclass(frozen=True, eq=False, repr=False)
class Kernel(GraphAnswers, Checked):
    """The kernel of a graph: a set of positions, and an answer for every position of the graph.

    ``in``, ``len`` and iteration are those of the set; ``at`` answers for any position.

    >>> import zermelo as zm
    >>> k = zm.kernel(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("a", "c")]))
    >>> k.positions, "a" in k, k.depth.tolist()
    (('c',), False, [1, 1, 0])
    >>> print(k.at("a"))
    a: WIN in 1 by c
    """

    file_kind: ClassVar[str] = "kernel"

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

    def __iter__(self) -> Iterator[Any]:
        """The kernel's positions by name."""
        return iter(self.positions)

    def __len__(self) -> int:
        """How many positions the kernel has."""
        return int(self.indices.size)

    @functools.cached_property
    def label(self) -> Int8Array:
        """What the player to move gets: −1 in the kernel, +1 elsewhere."""
        return read_only(np.where(self.mask, -1, 1).astype(np.int8))

    @property
    def distance(self) -> Int32Array:
        """Moves until the end under best play: the same as ``depth``."""
        return self.depth

    def _value(self, v: int) -> int:
        return int(self.label[v])

    def _best(self, v: int) -> list[int]:
        options = self.graph.successors(v)
        right = (self.mask[options] != self.mask[v]) & (self.depth[options] == self.depth[v] - 1)
        best: list[int] = options[right].tolist()
        return best

    def __repr__(self) -> str:
        return f"Kernel({int(self.mask.sum()):,} of {self.graph.n:,} positions)"

    def verify(self) -> "Self":
        """Check mask and depths; see :mod:`zermelo.verify.sums.kernel`."""
        check_kernel(self)
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the kernel."""
        return {
            "graph": self.graph.digest,
            "n": self.graph.n,
            "mask": self.mask.astype(int).tolist(),
            "depth": self.depth.tolist(),
        }

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The kernel that a file claims for a graph."""
        graph = fields.graph(game)
        impartial_graph(game, "kernels")
        mask = fields.integers("mask", graph.n, 0, 1) == 1
        depth = fields.integers("depth", graph.n, 0, 2**31 - 1).astype(np.int32)
        return cls(graph, mask, depth)


def kernel(game: Game | Graph, progress: Progress = None) -> Kernel:
    """The kernel of an acyclic graph, the positions from which the player to move loses.

    ``progress`` is True for a line on stderr, or a function of (done, total, what).

    >>> import zermelo as zm
    >>> kernel(zm.Graph.from_edges([(v, w) for v in range(10) for w in (v - 1, v - 2) if w >= 0]))
    Kernel(4 of 10 positions)
    >>> kernel(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    Traceback (most recent call last):
    zermelo.errors.SolverError: expected a graph without cycles, got the cycle a → b → a; ...
    """
    graph = impartial_graph(game, "kernels")
    with reporting(progress, "kernel") as report:
        _, height = successors_first(graph, report)
        refuse_cycle(graph, height, "zm.kernels, zm.solve and zm.grundy take graphs with cycles")
        solution = retrograde.solve(graph, NormalPlay(), report)
    return Kernel(graph, sealed(solution.label < 0), solution.distance)
