"""Partizan graphs: digraphs whose moves belong to Left, to Right, or to both.

``outcomes`` tells who wins from every position, where infinite play is a draw; ``values`` gives the
value of every position in sums. Where play from a position must end, values are computed in one
pass, by :meth:`~zermelo.partizan.store.Store.evaluate`. Of the other positions, those with the
value ``on`` or ``off`` are found by one game for each of the two; the rest is done by strong
components (:mod:`zermelo.partizan.loopy.sidling`).
"""

import functools
import hashlib
import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from zermelo._inputs.values import one_of, shown
from zermelo.errors import (
    CertificateError,
    FormatError,
    InvalidGraphError,
    InvalidOptionError,
    InvalidRulesError,
    LimitError,
    NotationError,
)
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Label, Player
from zermelo.objectives import Misere, NormalPlay
from zermelo.partizan.loopy.forms import Node, followers, is_stopper, off, on, rows_of
from zermelo.partizan.loopy.sidling import sides
from zermelo.partizan.loopy.survival import Rows, doubled, survives, union
from zermelo.partizan.loopy.value import AnyValue, nodes_of, value_of_sides
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value, value
from zermelo.rules.faults import blaming, hashable, listed
from zermelo.rules.partizan.base import SIDE_NAMES
from zermelo.solutions.answers import Answer, Answers, Line
from zermelo.solvers.terminal.retrograde import solve
from zermelo.sums.order import successors_first
from zermelo.verify.partizan.loopy import Game, check_sides

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields
    from zermelo.solutions.terminal import TerminalSolution

T = TypeVar("T")

Edges = Iterable[Sequence[Any]]


class PartizanGraph:
    """A finite graph with the moves of Left and those of Right.

    >>> g = PartizanGraph.from_edges(left=[("a", "0")], right=[("a", "a"), ("b", "a")])
    >>> g
    PartizanGraph(3 positions, 1 move of Left, 2 moves of Right)
    >>> values = g.values()
    >>> print(values["a"], values["b"], values["0"])
    over 0 0
    """

    left: Graph
    """Left's moves."""
    right: Graph
    """Right's moves."""

    def __init__(self, left: Graph, right: Graph) -> None:
        """Put together Left's and Right's moves, two graphs with the same positions."""
        for graph in (left, right):
            if not isinstance(graph, Graph):
                raise InvalidGraphError(f"expected a Graph, got {type(graph).__name__}")
            as_graph(graph)
        if left.n != right.n or left.names != right.names:
            raise InvalidGraphError(
                f"expected two graphs with the same positions, got {left!r} and {right!r}"
            )
        self.left, self.right = left, right

    @classmethod
    def from_edges(
        cls,
        left: Edges = (),
        right: Edges = (),
        both: Edges = (),
        n: int | None = None,
        names: Sequence[Hashable] | None = None,
    ) -> "Self":
        """Build from pairs (from, to): moves of Left, of Right, and of both players.

        Numbers and names are as in :meth:`zermelo.Graph.from_edges`.

        >>> print(PartizanGraph.from_edges(both=[(0, 1)]).value(0))
        *
        """
        lists = [list(x) for x in (left, right, both)]
        whole = Graph.from_edges([edge for edges in lists for edge in edges], n=n, names=names)
        mine, yours = (
            Graph.from_edges(
                [[whole.index(x) for x in edge] for edge in edges], n=whole.n
            ).with_names(whole.names)
            for edges in (lists[0] + lists[2], lists[1] + lists[2])
        )
        return cls(mine, yours)

    @classmethod
    def from_rows(
        cls,
        left: Sequence[Iterable[int]],
        right: Sequence[Iterable[int]],
        names: Sequence[Hashable] | None = None,
    ) -> "Self":
        """Build from lists of options: ``left[v]`` are the positions that Left can move to from v.

        >>> print(PartizanGraph.from_rows([[1], []], [[], [0]]).value(0))
        1 & 0
        """
        if len(left) != len(right):
            raise InvalidGraphError(
                f"expected as many rows of Right as of Left, got {len(right)}/{len(left)}"
            )
        return cls(*(_from_rows(rows, names) for rows in (left, right)))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Self":
        """Build from an object with ``left`` and ``right``, lists of options, and maybe ``names``.

        >>> PartizanGraph.from_json({"left": [[0]], "right": [[]]}).value(0).outcome.name
        'L'
        """
        given: Any = data if isinstance(data, Mapping) else {}
        names = given.get("names")
        if names is not None and not isinstance(names, list | tuple):
            raise InvalidGraphError(f"names: expected a list, got {names!r}")
        for key in ("left", "right"):
            if not isinstance(given.get(key), list | tuple):
                raise InvalidGraphError('expected {"left": [[…], …], "right": [[…], …]}')
            for v, row in enumerate(given[key]):
                if not isinstance(row, list | tuple):
                    raise InvalidGraphError(f"{key}[{v}]: expected a list of options, got {row!r}")
        return cls.from_rows(given["left"], given["right"], names)

    @classmethod
    def from_rules(cls, rules: Any, position: Any = None, limit: int | None = None) -> "Self":
        """Explore the rules of a partizan game: any object with ``start``, ``left`` and ``right``.

        Position 0 is where play starts, or ``position``; more than ``limit`` are an error.

        >>> class Walk:                         # Left walks up to 2 and stays there, Right home
        ...     def start(self): return 0
        ...     def left(self, x): return [min(x + 1, 2)]
        ...     def right(self, x): return [0] if x else []
        >>> print(*PartizanGraph.from_rules(Walk()).values().value)
        on & 0 on & under on & under
        """
        if not all(callable(getattr(rules, name, None)) for name in ("start", "left", "right")):
            raise InvalidRulesError(
                f"expected rules with start(), left(position) and right(position), got {rules!r}"
            )
        with blaming(rules):
            return cls._explored(rules, position, limit)

    @classmethod
    def _explored(cls, rules: Any, position: Any, limit: int | None) -> "Self":
        positions = [hashable(rules, "start", rules.start() if position is None else position)]
        place = {positions[0]: 0}
        rows: tuple[list[list[int]], list[list[int]]] = ([], [])
        # Invariant: place[found[v]] = v, and rows have the options of the positions before v.
        for v, x in enumerate(positions):
            for row, side in zip(rows, SIDE_NAMES, strict=True):
                row.append([])
                for y in listed(rules, side, x):
                    w = place.setdefault(y, len(positions))
                    if w == len(positions):
                        if limit is not None and w >= limit:
                            raise LimitError(
                                f"there are more than {limit:,} positions; {v:,} were explored"
                            )
                        positions.append(y)
                    row[-1].append(w)
        return cls.from_rows(*rows, names=positions)

    # ---------------------------------------------------------------- reading

    @property
    def n(self) -> int:
        """The number of positions."""
        return self.left.n

    @property
    def names(self) -> tuple[Hashable, ...] | None:
        """A name for each position, or None where the numbers are the names."""
        return self.left.names

    @property
    def positions(self) -> tuple[Hashable, ...]:
        """The names of all positions, or their numbers."""
        return tuple(range(self.n)) if self.names is None else self.names

    def index(self, position: Hashable) -> int:
        """The number of a position given by name or number."""
        return self.left.index(position)

    def name(self, v: int) -> Hashable:
        """The name of position number ``v``."""
        return self.left.name(v)

    @functools.cached_property
    def rows(self) -> Rows:
        """The options of all positions, as lists."""
        return Rows(*(_rows(graph) for graph in (self.left, self.right)))

    @property
    def digest(self) -> str:
        """A digest of the moves of both players."""
        both = f"{self.left.digest} {self.right.digest}"
        return hashlib.sha256(both.encode()).hexdigest()

    def __neg__(self) -> "PartizanGraph":
        """The same positions with the players' moves exchanged."""
        return PartizanGraph(self.right, self.left)

    def __repr__(self) -> str:
        counts = (f"{g.m:,} move{'' if g.m == 1 else 's'} of {who}"
                  for g, who in ((self.left, "Left"), (self.right, "Right")))  # fmt: skip
        return f"PartizanGraph({self.n:,} positions, {', '.join(counts)})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first positions and the moves of both players."""
        from zermelo.partizan.page import graph_page

        return graph_page(self)

    # ---------------------------------------------------------------- answers

    def outcomes(self, *, misere: bool = False) -> "ByPosition[Outcome]":
        """The outcome of every position; infinite play is a draw. O(V + E).

        With ``misere`` a player who cannot move wins.

        >>> g = PartizanGraph.from_edges(left=[("a", "0")], right=[("a", "a"), ("b", "a")])
        >>> [x.name for x in g.outcomes()], [x.name for x in g.outcomes(misere=True)]
        (['L', 'P', 'P'], ['R', 'N', 'N'])
        """
        label = solve(doubled(self.rows), Misere() if misere else NormalPlay()).label.tolist()
        outcomes = [Outcome.of(x, -y) for x, y in zip(label[::2], label[1::2], strict=True)]
        return ByPosition(self, outcomes)

    def values(self) -> "Values":
        """The value of every position: a Value, or a LoopyValue where loops are left.

        >>> g = PartizanGraph.from_edges(left=[("a", "a")], right=[("b", "b"), ("c", "a")],
        ...                              both=[("d", "a"), ("d", "b")])
        >>> print(*g.values().value)
        on off 0 +-on
        """
        order = successors_first(union(self.rows))
        known: dict[int, Node] = dict(_finite(self.rows, order.positions))
        if len(known) < self.n:
            known.update((v, off()) for v in _off(self.rows))
            known.update((v, on()) for v in _off(self.rows.negative()))
        rest = [v for v in range(self.n) if v not in known]
        place = {v: k for k, v in enumerate(rest)}
        left, right = (
            [[place[x] if x in place else known[x] for x in row[v]] for v in rest]
            for row in self.rows
        )
        upper, lower = sides(left, right)
        both = {v: (x, x) for v, x in known.items()}
        both |= {v: (x, y) for v, x, y in zip(rest, upper, lower, strict=True)}
        return Values(self, [value_of_sides(*both[v]) for v in range(self.n)])

    def value(self, position: Hashable) -> AnyValue:
        """The value of one position, by name or number; only what it leads to is evaluated."""
        start = self.index(position)
        seen, waiting = {start: 0}, [start]
        for v in waiting:
            for w in (*self.rows.left[v], *self.rows.right[v]):
                if w not in seen:
                    seen[w] = len(seen)
                    waiting.append(w)
        left, right = ([[seen[w] for w in row[v]] for v in waiting] for row in self.rows)
        return PartizanGraph.from_rows(left, right).values().value[0]


class ByPosition(Generic[T]):
    """An item for every position: iterate in the order of numbers, look up by name or number."""

    def __init__(self, graph: PartizanGraph, items: list[T]) -> None:
        self.graph, self._items = graph, items

    def __getitem__(self, position: Hashable) -> T:
        return self._items[self.graph.index(position)]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __repr__(self) -> str:
        return _shown(self._items)


class Values(Answers):
    """The values of all positions of a graph; ``[position]`` is a value.

    As an answer it is about play in which Left is player 0 and Right is player 1: each position
    has two situations, one for either player to move, Left unless given.

    >>> values = PartizanGraph.from_edges(left=[("a", "b")], right=[("b", "c")]).values()
    >>> values
    <3 positions: 0, -1, 0>
    >>> print(values.at("b", 1), "/", values.at("a"))
    b, player 1 to move: WIN in 1 by c / a, player 0 to move: LOSE in 2 by b
    """

    file_kind: ClassVar[str] = "partizan-graph"

    def __init__(self, graph: PartizanGraph, found: Sequence[AnyValue]) -> None:
        self.graph, self.value = graph, tuple(found)

    def __getitem__(self, position: Hashable) -> AnyValue:
        return self.value[self.graph.index(position)]

    @functools.cached_property
    def play(self) -> "TerminalSolution":
        """Normal play on the graph of situations 2 v + player, solved."""
        return solve(doubled(self.graph.rows), NormalPlay())

    def at(self, position: Hashable, player: int | None = None) -> Answer:
        """The answer at a position for the player to move, Left (0) unless given."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        return self._answer(self.graph.index(position), Player(player or 0))

    def _answer(self, v: int, player: Player) -> Answer:
        s = 2 * v + player
        return Answer(
            self.graph.name(v),
            player,
            Label(int(self.play.label[s])),
            int(self.play.distance[s]),
            self.value[v],
            functools.partial(self._moves, s),
        )

    def _moves(self, s: int) -> tuple[Hashable, ...]:
        return tuple(self.graph.name(t // 2) for t in self.play._best(s))

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat."""
        v = self.graph.index(position)
        play = self.play.line(2 * v + self.at(position, player).player, limit=limit)  # type: ignore[operator]
        line = Line(self.graph.name(s // 2) for s in play)  # type: ignore[operator]
        line.cycle = play.cycle
        return line

    def counts(self) -> dict[str, int]:
        """How many situations win, lose and draw; each position has two."""
        return self.play.counts()

    def __len__(self) -> int:
        """How many situations there are: two for each position."""
        return 2 * self.graph.n

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every position, with Left to move and with Right to move."""
        return (self._answer(v, player) for v in range(self.graph.n) for player in Player)

    def __repr__(self) -> str:
        return _shown(self.value)

    def _record(self) -> dict[str, Any]:
        """The fields of a file with the values."""
        return {"graph": self.graph.digest, "values": list(map(str, self.value))}

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The values that a file claims for a graph."""
        if not isinstance(game, PartizanGraph):
            raise FormatError(f"expected a PartizanGraph to read it with, got {shown(game)}")
        if fields.text("graph") != game.digest:
            raise FormatError("these values are for another graph: the digests differ")
        return cls(game, claimed_values(fields.items("values", str), game.n))

    def verify(self) -> "Self":
        """Check every value by play on differences; see :mod:`zermelo.verify.partizan.loopy`.

        The solution of play is checked, too, and so is that the values have the outcomes of play.
        Of a position without stoppers for its sides nothing else is checked.

        >>> PartizanGraph.from_edges(left=[(0, 1)], right=[(1, 0)]).values().verify()
        <2 positions: 1 & 0, 0 & -1>
        """
        rows = self.graph.rows
        label = self.play.verify().label.tolist()
        for v, claim in enumerate(self.value):
            name, nodes = self.graph.name(v), nodes_of(claim)
            if all(map(is_stopper, nodes)):
                upper, lower = (Game(*rows_of(followers([x]))) for x in nodes)
                try:
                    check_sides(Game(rows.left, rows.right, v), upper, lower)
                except CertificateError as error:
                    raise CertificateError(f"position {name!r}: {error}") from None
            if Outcome.of(label[2 * v], -label[2 * v + 1]) is not claim.outcome:
                raise CertificateError(f"position {name!r}: {claim} has another outcome than play")
        return self


def _shown(items: Sequence[Any]) -> str:
    """A text with the first of some items, one for each position."""
    some = ", ".join(str(getattr(x, "name", x)) for x in items[:6])
    return f"<{len(items):,} positions: {some}{', …' if len(items) > 6 else ''}>"


def claimed_values(texts: Sequence[str], n: int) -> list[AnyValue]:
    """The values that a file claims, one for each of n positions.

    >>> claimed_values(["1/2", "on"], 2)
    [Value('1/2'), LoopyValue('on')]
    """
    if len(texts) != n:
        raise FormatError(f"/values: expected {n} values, got {len(texts)}")
    values = []
    for v, text in enumerate(texts):
        try:
            values.append(value(text))
        except NotationError as error:
            raise FormatError(f"/values/{v}: {error}") from None
    return values


# -------------------------------------------------------------------- arrays


def _from_rows(rows: Sequence[Iterable[int]], names: Sequence[Hashable] | None) -> Graph:
    lists = [list(row) for row in rows]
    indptr = np.cumsum([0, *map(len, lists)])
    targets = np.array([x for row in lists for x in row], dtype=object)
    return Graph.from_csr(indptr, targets, names=names)


def _rows(graph: Graph) -> list[list[int]]:
    bounds, targets = graph.indptr.tolist(), graph.indices.tolist()
    return [targets[a:b] for a, b in itertools.pairwise(bounds)]


def _off(rows: Rows) -> list[int]:
    """The positions whose value is ``off``: even their onside is at most ``off``."""
    at_most_off = survives(Rows([[]], [[0]]), rows, stoppers=False)[0]
    positions: list[int] = at_most_off.nonzero()[0].tolist()
    return positions


def _finite(rows: Rows, order: AnyArray) -> Iterator[tuple[int, Node]]:
    """The values of the positions from which play must end; ``order`` has options first."""
    positions = order.tolist()
    rank = {v: k for k, v in enumerate(positions)}
    both = ([[rank[w] for w in row[v]] for v in positions] for row in rows)
    (left_ptr, left), (right_ptr, right) = (
        (np.cumsum([0, *map(len, lists)]), np.array([x for row in lists for x in row], np.int64))
        for lists in both
    )
    n = len(positions)
    one_each = np.arange(n + 1, dtype=np.int64)
    ids = STORE.evaluate(n, left_ptr, right_ptr, left, right, one_each, 2 * one_each[:-1])
    return ((v, Value(k)) for v, k in zip(positions, ids.tolist(), strict=True))
