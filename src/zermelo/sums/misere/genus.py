"""The genus of impartial games: their misère nim-values in sums with Nim-heaps of size 2.

The genus of G is written g^{g₀ g₁ g₂ …}: g is its nim-value, and gₖ is the misère nim-value of
G + k · ∗2. A misère nim-value is the mex of the options' values, but 1 for a game without options:
G + ∗n is lost for the player to move, under misère play, iff n is the misère nim-value of G. From
some k on, the superscripts alternate; the last two that are written repeat for ever.

As ∗n + ∗1 = ∗(n xor 1) under misère play, too, adding ∗1 changes a misère nim-value by xor 1. So
gₖ₊₁(G) is the mex of gₖ₊₁ over the options of G, of gₖ(G), and of gₖ(G) xor 1. Hence the row of
gₖ₊₁ over all positions depends only on the row of gₖ, and as soon as a row equals the row two
before it, the rows alternate. O((V + E) · rows).

*Tame* games play like Nim: (g, g₀) is (0, 1), (1, 0) or (n, n). Here options that are not tame are
ignored if each of them has tame options x and y with g(x) = g and g₀(y) = g₀, because a move to
such an option can be taken back by a move to x or y. If a game is not tame although all its options
are tame, exactly one of g and g₀ is at most 1. If this is g, the game is *restive*: in a sum with
Nim-heaps it plays like ∗g₀ as long as all heaps have sizes 0, 1, g₀ or g₀ xor 1, and otherwise like
∗g. If it is g₀, the game is *restless*. All other games are *wild*.

Reference: [Conway2001] ch. 12, [BerlekampConwayGuy2001] ch. 13. Differs from there: games that
are restive only because of moves that can be taken back count as wild.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, sealed, shown, whole_number
from zermelo._kernels.sums.genus import mex_row
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.labels import Int32Array
from zermelo.sums.order import refuse_cycle, successors_first
from zermelo.sums.values import nimber


class Kind(Enum):
    """The behaviour of a game in misère sums."""

    TAME = "tame"
    RESTIVE = "restive"
    RESTLESS = "restless"
    WILD = "wild"


@dataclass(frozen=True)
class Genus:
    """A genus symbol: the last two superscripts repeat for ever.

    >>> str(Genus(2, (1, 4, 2, 0))), Genus(2, (1, 4, 2, 0))[5]
    ('2^{1420}', 0)
    """

    value: int
    """The nim-value g."""
    superscripts: tuple[int, ...]
    """g₀ g₁ g₂ …, as many as are written."""

    def __post_init__(self) -> None:
        if not isinstance(self.superscripts, tuple) or len(self.superscripts) < 2:
            got = shown(self.superscripts)
            raise InvalidOptionError(f"superscripts: expected a tuple of two or more, got {got}")
        object.__setattr__(self, "value", nimber(self.value))
        object.__setattr__(self, "superscripts", tuple(map(nimber, self.superscripts)))

    def __getitem__(self, k: int) -> int:
        """The misère nim-value of the game with k heaps of 2."""
        k = whole_number(k, "k")
        last = len(self.superscripts) - 1
        return self.superscripts[k if k <= last else last - (k - last) % 2]

    @property
    def of_nim(self) -> bool:
        """Whether some position of Nim has this genus."""
        return self in (Genus(0, (1, 2, 0)), Genus(1, (0, 3, 1))) or self == Genus(
            self.value, (self.value, self.value ^ 2)
        )

    def __str__(self) -> str:
        separator = "" if max(self.superscripts) < 10 else " "
        return f"{self.value}^{{{separator.join(map(str, self.superscripts))}}}"


@dataclass(frozen=True, eq=False)
class Genera(Checked):
    """The genus of every position of an acyclic graph; ``genera[v]`` is one of them."""

    graph: Graph
    value: Int32Array
    """The nim-values."""
    rows: Int32Array
    """``rows[k, v]`` is the misère nim-value of v + k · ∗2; the last two rows repeat for ever."""
    _kinds: tuple[Kind, ...]

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        n, rows = self.graph.n, self.rows
        if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.shape[0] < 2:
            raise CertificateError(f"rows: expected two or more, got {shown(rows)}")
        claim_array(self, "value", (n,), np.int32, 0, 2**31 - 1, self.graph)
        claim_array(self, "rows", (rows.shape[0], n), np.int32, 0, 2**31 - 1)
        if not isinstance(self._kinds, tuple) or len(self._kinds) != n:
            raise CertificateError(f"kinds: expected {n}, got {shown(self._kinds)}")

    def __getitem__(self, position: Hashable) -> Genus:
        v = self.graph.index(position)
        digits = self.rows[:, v].tolist()
        while len(digits) > 2 and digits[-3] == digits[-1]:
            digits.pop()
        return Genus(int(self.value[v]), tuple(digits))

    def kind(self, position: Hashable) -> Kind:
        """Tame, restive, restless or wild."""
        return self._kinds[self.graph.index(position)]


def genus(game: Game | Graph) -> Genera:
    """The genus of every position of an impartial game without cycles.

    >>> nim = Graph.from_edges([(3, 2), (3, 1), (3, 0), (2, 1), (2, 0), (1, 0)])
    >>> genera = genus(nim)
    >>> [str(genera[heap]) for heap in range(4)], genera.kind(3).value
    (['0^{120}', '1^{031}', '2^{20}', '3^{31}'], 'tame')
    """
    graph = impartial_graph(game, "genera")
    positions, height = successors_first(graph)
    refuse_cycle(graph, height, "a genus needs play to end")
    no_row = np.full(graph.n, -1, np.int32)
    width = int(graph.out_degree.max(initial=0)) + 4

    def row_after(previous: Int32Array, value_of_end: int) -> Int32Array:
        row = np.empty(graph.n, np.int32)
        seen_at = np.full(width + 1, -1, np.int64)
        mex_row(graph.indptr, graph.indices, positions, previous, value_of_end, seen_at, row)
        return row

    value = row_after(no_row, 0)
    rows = [row_after(no_row, 1)]
    while len(rows) < 3 or not np.array_equal(rows[-1], rows[-3]):
        rows.append(row_after(rows[-1], 0))
    kinds = _kinds(graph, positions, value, rows[0])
    return Genera(graph, sealed(value), sealed(np.array(rows[:-1])), kinds)


def _kinds(
    graph: Graph, positions: Int32Array, value: Int32Array, misere: Int32Array
) -> tuple[Kind, ...]:
    """The kind of each position; ``plus`` and ``minus`` are g and g₀, as [Conway2001] has them."""
    kinds = [Kind.WILD] * graph.n
    plus, minus = value.tolist(), misere.tolist()
    for v in positions.tolist():
        options = graph.successors(v).tolist()
        tame = [u for u in options if kinds[u] is Kind.TAME]
        if plus[v] != minus[v] and max(plus[v], minus[v]) > 1:
            if len(tame) == len(options):
                kinds[v] = Kind.RESTIVE if plus[v] <= 1 else Kind.RESTLESS
        elif len(tame) == len(options) or (
            plus[v] == _mex(plus[u] for u in tame)
            and minus[v] == _mex(minus[u] for u in tame)
            and all(
                _taken_back(graph, u, plus[v], minus[v], kinds, plus, minus)
                for u in options
                if kinds[u] is not Kind.TAME
            )
        ):
            kinds[v] = Kind.TAME
    return tuple(kinds)


def _taken_back(
    graph: Graph,
    u: int,
    to_plus: int,
    to_minus: int,
    kinds: list[Kind],
    plus: list[int],
    minus: list[int],
) -> bool:
    """Whether u has tame options of this nim-value, and of this misère nim-value."""
    tame = [w for w in graph.successors(u).tolist() if kinds[w] is Kind.TAME]
    return any(plus[w] == to_plus for w in tame) and any(minus[w] == to_minus for w in tame)


def _mex(values: Iterable[int]) -> int:
    """The least natural number that is missing."""
    distinct = set(values)
    return next(k for k in range(len(distinct) + 1) if k not in distinct)
