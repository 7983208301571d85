"""Sprague–Grundy values of all positions of a graph: nimbers, or on cyclic graphs also ∞(K).

*Acyclic graphs*: the mex of the options' values, in one pass, successors first. O(V + E).
Reference: [Sprague1935], [Grundy1939].

*Graphs with cycles*: a position without a label gets the label ``m`` when ``m`` is the mex of the
labels among its options and every option without a label has itself an option labelled ``m``: a
move there is answered by a move back to ``m``. A position that never gets a label has the value
∞(K), where K are the labels among its options. There are rounds ``m = 0, 1, 2, …``, each of linear
time, and a position takes part in no more rounds than it has moves. Reference: [Smith1966],
[FraenkelPerl1975], [FraenkelYesha1986].

Notation: γ → ``value``, c → ``counter``, K → ``options``, F(u) → the options (successors) of u.

Differs from the paper: the counter is made canonical. In the paper, c may be any well-founded
counter such that every move up from u can be answered by a move to some w with γ(w) = γ(u) and
c(w) < c(u). Here c(u) is 1 + the maximum over the moves up of the minimum over the answers, so that
every wrong entry can be detected.
On an acyclic graph the certificate is simpler: ``counter`` is the height of a position.
"""

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, sealed, shown
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.graphs.reverse import has_locality
from zermelo._kernels.sums.grundy import (
    BUDGET,
    CACHED,
    CANDIDATES,
    STATE_SIZE,
    TAIL,
    Labels,
    Rounds,
    finite_options,
    loopy_rounds,
    mex_pass,
)
from zermelo._runtime import memory
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import CertificateError
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.labels import Int8Array, Int32Array, Int64Array, read_only
from zermelo.rules.explore import explored
from zermelo.solutions.on_graph import GraphAnswers
from zermelo.sums.order import numbered, slices, successors_first
from zermelo.sums.values import Infinite, Value
from zermelo.verify.sums.grundy import check_grundy

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields
    from zermelo.rules.base import Rules

NOT_FINITE = -1
"""In ``value`` and ``counter``: the value is infinite."""

STEP = 1 << 21
"""Moves of one step of the rounds: some fifty milliseconds."""


@dataclass(frozen=True, eq=False, repr=False)
class Grundy(GraphAnswers, Checked):
    """The values of all positions; ``[position]`` is an ``int`` or an :class:`Infinite`.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "t"), ("b", "a"), ("b", "t"), ("e", "a")])
    >>> s = zm.grundy(g)
    >>> print(s["t"], s["e"], s["a"], s["a"].options)
    0 0 ∞(0) frozenset({0})
    >>> print(s.at("e"), "/", s.line("a"))
    e: LOSE by a / a → t
    """

    file_kind: ClassVar[str] = "grundy"

    graph: Graph
    value: Int32Array
    """The finite values, -1 where the value is infinite."""
    counter: Int32Array
    """The certificate: heights on acyclic graphs; else the counter c above, or -1."""
    options_indptr: Int64Array
    """Where each position's K begins in ``options``."""
    options: Int32Array
    """The sets K of the infinite values, increasing; empty for finite ones."""
    acyclic: bool
    """Whether the graph has no cycles."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        n, top = self.graph.n, 2**31 - 1
        if not isinstance(self.acyclic, bool):
            raise CertificateError(f"acyclic: expected True or False, got {shown(self.acyclic)}")
        claim_array(self, "value", (n,), np.int32, NOT_FINITE, max(n, 1) - 1, self.graph)
        claim_array(self, "counter", (n,), np.int32, NOT_FINITE, top, self.graph)
        size = self.options.size if isinstance(self.options, np.ndarray) else 0
        claim_array(self, "options", (size,), np.int32, 0, max(n, 1) - 1)
        claim_array(self, "options_indptr", (n + 1,), np.int64, 0, size)
        ends = self.options_indptr
        if ends[0] != 0 or ends[-1] != size or (ends[1:] < ends[:-1]).any():
            raise CertificateError(f"options_indptr: expected to increase from 0 to {size}")

    def __getitem__(self, position: Hashable) -> Value:
        """The value of a position given by name or number."""
        return self._value(self.graph.index(position))

    def _value(self, v: int) -> Value:
        """The value of position number ``v``."""
        if (g := int(self.value[v])) != NOT_FINITE:
            return g
        return Infinite(self.options[self.options_indptr[v] : self.options_indptr[v + 1]].tolist())

    @functools.cached_property
    def label(self) -> Int8Array:
        """What the player to move gets: -1, 0 or +1, the same as normal play's."""
        wins = np.diff(self.options_indptr) > 0
        wins[wins] = self.options[self.options_indptr[:-1][wins]] == 0
        label = np.where(self.value > 0, 1, np.where(self.value == 0, -1, wins))
        return read_only(label.astype(np.int8))

    @functools.cached_property
    def rank(self) -> Int64Array:
        """A number that decreases in each turn of best play of a won sum; 0 for infinite values.

        Heights on acyclic graphs; else the counters made monotone in the value
        ([FraenkelYesha1986]): all of one value come before those of the next.
        """
        if self.acyclic:
            return read_only(self.counter.astype(np.int64))
        finite = self.value != NOT_FINITE
        longest = np.zeros(int(self.value.max(initial=0)) + 1, np.int64)
        np.maximum.at(longest, self.value[finite], self.counter[finite] + 1)
        before = np.cumsum(longest) - longest
        return read_only(np.where(finite, before[self.value] + self.counter, 0))

    def _best(self, v: int) -> list[int]:
        """The moves that keep the label; of those to 0, the one with the least counter first.

        From a position of value 0 every move can be answered by one to 0 with a lesser counter, so
        that a player who always makes the first of these moves wins in the end.
        """
        options = self.graph.successors(v)
        if (label := int(self.label[v])) > 0:
            zero = options[self.value[options] == 0]
            best: list[int] = zero[np.argsort(self.counter[zero], kind="stable")].tolist()
        elif label < 0:
            best = options.tolist()
        else:
            best = options[self.label[options] == 0].tolist()
        return best

    def histogram(self) -> dict[Value, int]:
        """How many positions have each value: nimbers first, then infinite values by their K.

        >>> import zermelo as zm
        >>> zm.grundy(zm.Graph.from_edges([(0, 1), (1, 2), (3, 3)])).histogram()
        {0: 2, 1: 1, Infinite(): 1}
        """
        finite = self.value[self.value != NOT_FINITE]
        nimbers: dict[Value, int] = {
            k: int(c) for k, c in enumerate(np.bincount(finite).tolist()) if c
        }
        sets: dict[tuple[int, ...], int] = {}
        bounds, options = self.options_indptr.tolist(), self.options.tolist()
        for v in np.flatnonzero(self.value == NOT_FINITE).tolist():
            key = tuple(options[bounds[v] : bounds[v + 1]])
            sets[key] = sets.get(key, 0) + 1
        return nimbers | {Infinite(key): sets[key] for key in sorted(sets)}

    def verify(self) -> "Self":
        """Check values, sets and counters; see :mod:`zermelo.verify.sums.grundy`."""
        check_grundy(self)
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the values."""
        return {
            "graph": self.graph.digest,
            "n": self.graph.n,
            "acyclic": self.acyclic,
            "value": self.value.tolist(),
            "counter": self.counter.tolist(),
            "options_indptr": self.options_indptr.tolist(),
            "options": self.options.tolist(),
        }

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The values that a file claims for a graph."""
        graph = fields.graph(game)
        impartial_graph(game, "Grundy values")
        n, top = graph.n, 2**31 - 1
        options = fields.integers("options", None, 0, top)
        return cls(
            graph,
            fields.integers("value", n, NOT_FINITE, top).astype(np.int32),
            fields.integers("counter", n, NOT_FINITE, top).astype(np.int32),
            fields.integers("options_indptr", n + 1, 0, options.size),
            options.astype(np.int32),
            fields.get("acyclic"),
        )

    def __repr__(self) -> str:
        infinite = int((self.value == NOT_FINITE).sum())
        parts = [f"{self.graph.n:,} positions"]
        if infinite < self.graph.n:
            parts.append(f"values up to {self.value.max()}")
        if infinite:
            parts.append(f"{infinite:,} infinite")
        return f"Grundy({', '.join(parts)})"


def grundy(game: "Graph | Game | Rules[Any]", progress: Progress = None) -> Grundy:
    """The Sprague–Grundy value of every position, with a certificate.

    Rules instead of a graph are explored first; where a game splits into independent parts,
    :func:`zermelo.rules.values.position_values` needs far fewer positions. ``progress`` is True
    for a line on stderr, or a function of (done, total, what).

    >>> import zermelo as zm
    >>> heap = zm.Graph.from_edges([(n, n - k) for n in range(8) for k in (1, 2, 3) if n >= k])
    >>> grundy(heap).verify().value.tolist()
    [0, 1, 2, 3, 0, 1, 2, 3]
    >>> grundy(zm.game("wythoff:3,4"))[3, 4]
    2
    """
    with reporting(progress, "grundy") as report:
        return _grundy(explored(game, report), report)


def _grundy(game: Any, progress: Report | None) -> Grundy:
    graph = impartial_graph(game, "Grundy values")
    memory.require(
        estimate(graph),
        f"the values of {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or take a part of the graph (zm.transform.reachable)",
    )
    positions, height = successors_first(graph, progress)
    if positions.size < graph.n:
        return _by_rounds(graph, progress)
    value = np.empty(graph.n, np.int32)
    seen = np.zeros(int(graph.out_degree.max(initial=0)) + 2, np.int32)
    far = graph.n > CACHED and not (has_locality(graph.indices) and has_locality(positions))
    for start, stop in slices(graph):
        mex_pass(graph.indptr, graph.indices, positions, start, stop, value, seen, far)
        if progress is not None:
            progress(stop, graph.n, "valued")
    indptr, options = np.zeros(graph.n + 1, np.int64), np.empty(0, np.int32)
    return Grundy(graph, sealed(value), sealed(height), sealed(indptr), sealed(options), True)


def estimate(graph: Graph) -> int:
    """Bytes that :func:`grundy` allocates beyond the graph itself.

    >>> estimate(Graph.from_edges([(0, 1)]))
    48
    """
    if numbered(graph):
        return 24 * graph.n
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * graph.n
    return reverse + 48 * graph.n + 4 * graph.m


def _by_rounds(graph: Graph, progress: Report | None) -> Grundy:
    """The values of a graph with cycles."""
    n = graph.n
    value, counter, left, won = (np.full(n, NOT_FINITE, np.int32) for _ in range(4))
    unlabelled, queue = graph.out_degree.copy(), np.empty(n, np.int32)
    candidates = np.arange(n, dtype=np.int32)
    state = np.zeros(STATE_SIZE, np.int64)
    state[CANDIDATES], state[BUDGET] = n, STEP
    predecessors, labels = Moves(*graph.reverse), Labels(value, counter)
    rounds = Rounds(unlabelled, left, won, candidates, queue)
    while not loopy_rounds(predecessors, labels, rounds, state):
        if progress is not None:
            progress(int(state[TAIL]), n, "labelled")
    indptr, options = _finite_options(graph, value)
    arrays = sealed(value), sealed(counter), sealed(indptr), sealed(options)
    return Grundy(graph, *arrays, False)


def _finite_options(graph: Graph, value: Int32Array) -> tuple[Int64Array, Int32Array]:
    """The sets K of all infinite values, as rows of one array."""
    indptr, options = np.zeros(graph.n + 1, np.int64), np.empty(graph.m, np.int32)
    for start, stop in slices(graph):
        finite_options(graph.indptr, graph.indices, value, start, stop, indptr, options)
    return indptr, options[: indptr[-1]].copy()
