"""A maximum matching, the proof that it is one, and the Gallai–Edmonds decomposition.

A graph is taken as undirected: positions are adjacent if a move leads from one to the other, in
either direction, and loops do not count. The positions fall into three parts: **D**, those that
some maximum matching leaves exposed; **A**, their neighbours outside D; **C**, the rest. In the
game of no return on a symmetric graph the player to move loses exactly on D.

Without A, the rest of the graph consists of the components of D, which are odd, and those of C,
which are even. A matching covers all of an odd component only with an edge to A. So
|M| ≤ (n + |A| − odd(G − A)) / 2 for every matching M, and for a maximum matching both sides are
equal. This equality is the certificate of the matching. The certificate of the parts is an
alternating path from an exposed position to each position of D.

Reference: [Edmonds1965], [Gallai1964], [Berge1958]. The algorithm is described beside its kernels,
in :mod:`zermelo._kernels.geography.matching`. Large graphs without locality are renumbered first,
breadth first. Cost: O(V E) at worst, nearly linear in practice.
"""

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import (
    Checked,
    claim_array,
    claim_graph,
    one_of,
    sealed,
    whole_number,
)
from zermelo._kernels.geography.matching import FREE, NOBODY, first_fit
from zermelo._runtime import memory
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import BoolArray, Int8Array, Int32Array, read_only
from zermelo.matching._forest import Forest, Rows, greedy_matching, near, undirected
from zermelo.solutions.answers import Line
from zermelo.solutions.on_graph import GraphAnswers
from zermelo.verify.matching import check_matching

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields

D, A, C = 0, 1, 2
"""The parts of the Gallai–Edmonds decomposition, in ``part``."""


@dataclass(frozen=True, eq=False, repr=False)
class Matching(GraphAnswers, Checked):
    """A maximum matching of a graph, with its certificate.

    ``[position]`` is the mate. As an answer it is about the game of no return, in which moves go
    along edges in either direction: a player who has to move from a position of D loses.

    >>> import zermelo as zm
    >>> star = zm.Graph.from_edges([("hub", "a"), ("hub", "b"), ("hub", "c")])
    >>> m = zm.maximum_matching(star).verify()
    >>> m, m["hub"], m.exposed.tolist(), m.witness.tolist(), m.deficiency
    (Matching(1 edge, 2 of 4 positions exposed), 'c', [1, 2], [0], 2)
    >>> print(m.at("hub"), "/", m.line("a"))
    hub: WIN by a, b, c / a → hub → c
    """

    file_kind: ClassVar[str] = "matching"

    graph: Graph
    mate: Int32Array
    """The position that each is matched with, -1 where it is exposed."""
    part: Int8Array
    """Which part of the Gallai–Edmonds decomposition each position is in: D = 0, A = 1, C = 2."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        n = self.graph.n
        for name, kind, low, high in (("mate", np.int32, NOBODY, n - 1), ("part", np.int8, D, C)):
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != (n,):
                raise CertificateError(f"{name}: expected {np.dtype(kind)} of shape ({n},)")
            if name == "part" and array.size and not D <= array.min() <= array.max() <= C:
                raise CertificateError("expected a part D = 0, A = 1 or C = 2 for every position")
            claim_array(self, name, (n,), kind, low, high, self.graph)

    @functools.cached_property
    def rows(self) -> Rows:
        """The neighbours of each position: ``(indptr, indices)``."""
        return undirected(self.graph)

    @functools.cached_property
    def proved(self) -> "Self":
        """The matching, checked once unless it was found here; kernels follow its mates."""
        return self.verify()

    @property
    def size(self) -> int:
        """The number of edges."""
        return int((self.mate >= 0).sum()) // 2

    @property
    def exposed(self) -> Int32Array:
        """The positions without a mate, increasing."""
        return np.flatnonzero(self.mate < 0).astype(np.int32)

    @property
    def deficiency(self) -> int:
        """How many positions every matching leaves exposed, at least."""
        return self.exposed.size

    @property
    def witness(self) -> Int32Array:
        """A set U such that |M| = (n + |U| − odd(G − U)) / 2, which proves M maximum."""
        return np.flatnonzero(self.part == A).astype(np.int32)

    @property
    def inessential(self) -> BoolArray:
        """Whether some maximum matching leaves each position exposed."""
        return np.asarray(self.part == D)

    @property
    def edges(self) -> Int32Array:
        """The edges as an array of shape (size, 2), each with its lesser end first."""
        lesser = np.flatnonzero(self.mate > np.arange(self.graph.n)).astype(np.int32)
        return np.stack([lesser, self.mate[lesser]], axis=1)

    def __getitem__(self, position: Hashable) -> Hashable | None:
        """The mate of a position by name, or None."""
        return self._value(self.graph.index(position))

    def _value(self, v: int) -> Hashable | None:
        w = int(self.mate[v])
        return None if w < 0 else self.graph.name(w)

    @functools.cached_property
    def label(self) -> Int8Array:
        """What the player to move gets in the game of no return: −1 on D, +1 elsewhere."""
        return read_only(np.where(self.inessential, -1, 1).astype(np.int8))

    def _neighbours(self, v: int) -> Int32Array:
        indptr, indices = self.rows
        return indices[indptr[v] : indptr[v + 1]]

    def _best(self, v: int) -> list[int]:
        """The neighbours that win: those that v is matched with by some maximum matching."""
        neighbours = self._neighbours(v)
        if self.label[v] > 0:
            from zermelo.matching.allowed import inessential_without

            neighbours = neighbours[inessential_without(self, self.graph.name(v))[neighbours]]
        best: list[int] = neighbours.tolist()
        return best

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """Play of no return: the winner moves along a matching, the loser to any free position."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        if limit is not None:
            limit = whole_number(limit, "limit")
        v = self.graph.index(position)
        wins = bool(self.label[v] > 0)
        mate = self.proved.mate if wins or self.mate[v] < 0 else self._without(v)
        line, seen = [v], {v}
        while limit is None or len(line) <= limit:
            if wins:
                v = int(mate[v])
            else:
                free = [w for w in self._neighbours(v).tolist() if w not in seen]
                if not free:
                    break
                v = free[0]
            line.append(v)
            seen.add(v)
            wins = not wins
        return Line(self.graph.name(w) for w in line)

    def _without(self, v: int) -> Int32Array:
        """The mates of a maximum matching that leaves ``v``, a position of D, exposed."""
        mate, removed = self.proved.mate.copy(), np.zeros(self.graph.n, bool)
        mate[mate[v]] = mate[v] = NOBODY
        removed[v] = True
        return Forest(self.rows, mate, removed).grow().mate

    def verify(self) -> "Self":
        """Check the matching and its parts; see :mod:`zermelo.verify.matching`."""
        check_matching(self)
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the matching."""
        return {
            "graph": self.graph.digest,
            "n": self.graph.n,
            "mate": self.mate.tolist(),
            "part": self.part.tolist(),
        }

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The matching that a file claims for a graph."""
        graph = fields.graph(game)
        mate = fields.integers("mate", graph.n, NOBODY, graph.n - 1).astype(np.int32)
        part = fields.integers("part", graph.n, D, C).astype(np.int8)
        return cls(graph, mate, part)

    def __repr__(self) -> str:
        edges = f"{self.size:,} edge{'' if self.size == 1 else 's'}"
        return f"Matching({edges}, {self.deficiency:,} of {self.graph.n:,} positions exposed)"


@dataclass(frozen=True, eq=False, repr=False)
class GallaiEdmonds(GraphAnswers):
    """The Gallai–Edmonds decomposition of a graph, with a maximum matching.

    ``[position]`` is the letter of its part; as an answer it is the same as its matching.

    >>> import zermelo as zm
    >>> path = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("d", "e")])
    >>> s = zm.gallai_edmonds(path).verify()
    >>> s.D.tolist(), s.A.tolist(), s.C.tolist(), s["b"]
    ([0, 2], [1], [3, 4], 'A')
    """

    file_kind: ClassVar[str] = "gallai-edmonds"

    matching: Matching

    def __post_init__(self) -> None:
        claim_graph(self, Matching, "matching")

    @property
    def graph(self) -> Graph:  # type: ignore[override]
        """The graph."""
        return self.matching.graph

    @property
    def label(self) -> Int8Array:
        """What the player to move gets in the game of no return: −1 on D, +1 elsewhere."""
        return self.matching.label

    def _best(self, v: int) -> list[int]:
        return self.matching._best(v)

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """Play of no return along a matching; see :meth:`Matching.line`."""
        return self.matching.line(position, player, limit)

    @property
    def D(self) -> Int32Array:
        """The positions that some maximum matching leaves exposed."""
        return np.flatnonzero(self.matching.part == D).astype(np.int32)

    @property
    def A(self) -> Int32Array:
        """The neighbours of D outside D."""
        return np.flatnonzero(self.matching.part == A).astype(np.int32)

    @property
    def C(self) -> Int32Array:
        """The rest; every maximum matching is perfect on it."""
        return np.flatnonzero(self.matching.part == C).astype(np.int32)

    def __getitem__(self, position: Hashable) -> str:
        """The letter of a position's part."""
        return self._value(self.graph.index(position))

    def _value(self, v: int) -> str:
        return "DAC"[self.matching.part[v]]

    def verify(self) -> "Self":
        """Check matching and parts; see :mod:`zermelo.verify.matching`."""
        self.matching.verify()
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the decomposition: a maximum matching, and the parts."""
        return self.matching._record()

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The decomposition that a file claims for a graph."""
        return cls(Matching._from_record(fields, game))

    def __repr__(self) -> str:
        d, a, c = np.bincount(self.matching.part, minlength=3).tolist()
        return f"GallaiEdmonds(D {d:,}, A {a:,}, C {c:,})"


def maximum_matching(game: Game | Graph, progress: Progress = None) -> Matching:
    """A matching with as many edges as possible; moves in either direction are edges.

    ``progress`` is True for a line on stderr, or a function of (done, total, what).

    >>> import networkx as nx, zermelo as zm
    >>> maximum_matching(zm.Graph.from_networkx(nx.petersen_graph())).verify()
    Matching(5 edges, 0 of 10 positions exposed)
    """
    with reporting(progress, "maximum_matching") as report:
        return _maximum_matching(as_graph(game), report)


def _maximum_matching(graph: Graph, progress: Report | None) -> Matching:
    memory.require(
        estimate(graph),
        f"a maximum matching of {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or take a part of the graph (zm.transform.reachable)",
    )
    mate = np.full(graph.n, NOBODY, np.int32)
    if first_fit(graph.indptr, graph.indices, mate):
        matching = Matching(graph, sealed(mate), sealed(np.full(graph.n, C, np.int8)))
        matching.__dict__["proved"] = matching
        return matching
    rows = undirected(graph)
    order, nearer = near(rows)
    mate = greedy_matching(nearer, progress)
    part = np.full(graph.n, C, np.int8)
    if (mate < 0).any():
        forest = Forest(nearer, mate, progress=progress).grow()
        mate = forest.mate
        part = np.where(forest.even, D, np.where(forest.status == FREE, C, A)).astype(np.int8)
    if order is not None:
        mate = np.where(mate < 0, NOBODY, order[mate])
        mate[order], part[order] = mate.copy(), part.copy()
    matching = Matching(graph, sealed(mate), sealed(part))
    matching.__dict__["rows"] = rows
    matching.__dict__["proved"] = matching
    return matching


def gallai_edmonds(game: Game | Graph, progress: Progress = None) -> GallaiEdmonds:
    """The parts D, A and C of a graph, which are the same for all maximum matchings.

    >>> import networkx as nx, zermelo as zm
    >>> gallai_edmonds(zm.Graph.from_networkx(nx.cycle_graph(5))).verify()
    GallaiEdmonds(D 5, A 0, C 0)
    """
    return GallaiEdmonds(maximum_matching(game, progress))


def estimate(graph: Graph) -> int:
    """Bytes that :func:`maximum_matching` allocates beyond the graph, if it is not symmetric.

    >>> estimate(Graph.from_edges([(0, 1)]))
    204
    """
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * graph.n
    return reverse + 24 * graph.m + 76 * graph.n
