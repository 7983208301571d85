"""The solution of a game on a graph: labels, distances, moves, lines of play, a proof."""

import functools
from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs import page
from zermelo._inputs.values import (
    Checked,
    claim_array,
    claim_graph,
    claim_start,
    one_of,
    shown,
    whole_number,
)
from zermelo._runtime.services import service
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import (
    NO_WINNER,
    UNDECIDED,
    AnyArray,
    Int8Array,
    Int32Array,
    Label,
    Player,
    read_only,
)
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Number
from zermelo.registry import objective_row
from zermelo.registry.traces import trace_row
from zermelo.solutions.answers import Answer, Answers, Line, counted

if TYPE_CHECKING:
    from typing import Self


INT32 = (-(2**31), 2**31 - 1)

MAX_DEPTH = 200
"""The greatest depth of an explanation."""


def winners(graph: Graph, label: AnyArray) -> Int8Array:
    """The player who wins each situation, from the labels of movers.

    It is ``NO_WINNER`` for a draw, and ``UNDECIDED`` where the label is.

    On a graph without owners the shape is (n, 2), indexed by the player to move.

    >>> winners(Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), np.array([1, -1])).tolist()
    [0, 0]
    """
    if graph.owner is not None:
        mover: AnyArray = graph.owner
    else:
        mover = np.array([0, 1], np.int8)
        label = label if label.ndim == 2 else label[:, None]
    winner = np.where(label == Label.WIN, mover, 1 - mover)
    winner = np.where(label == Label.DRAW, NO_WINNER, winner)
    return np.where(label == UNDECIDED, UNDECIDED, winner).astype(np.int8)


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Answers, Checked):
    """A solved game: a value, a label, a distance and a move for every situation.

    Arrays have shape (n,), or (n, 2) indexed ``[v, player to move]`` where the two players'
    situations differ. They are read-only.
    """

    graph: Graph
    objective: Objective
    solver: str
    level: AnyArray
    """Index into ``levels`` of the value of each situation."""
    label: Int8Array
    """−1, 0, +1: what the player to move gets; ``UNDECIDED`` where nobody knows."""
    distance: Int32Array
    """Plies to the end under best play, ``NO_DISTANCE`` where play goes on for ever."""
    start: int | None = field(default=None, kw_only=True)
    """The position that was asked about, if any."""
    stats: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    """Counts of the solver."""
    family: ClassVar[str] = ""
    """The family of objectives that have this kind of solution; any if empty."""

    def __post_init__(self) -> None:
        """Check what the methods rely on; :meth:`verify` checks that the answers are right."""
        claim_graph(self, Graph)
        if not isinstance(self.objective, Objective):
            raise CertificateError(f"objective: expected one, got {shown(self.objective)}")
        if not isinstance(self.solver, str) or not isinstance(self.stats, Mapping):
            raise CertificateError("expected a solver's name and what it counted")
        graph = self.graph
        claim_start(self, graph.n)
        shape = (graph.n, 2) if self.doubled else (graph.n,)
        claim_array(self, "level", shape, None, 0, len(self.levels) - 1, graph)
        top = UNDECIDED if None in self.levels else 1
        claim_array(self, "label", shape, np.int8, -1, top, graph)
        claim_array(
            self, "distance", shape, np.int32, *INT32
        )  # it is only compared and never used as an index

    @property
    def levels(self) -> tuple[Number | None, ...]:
        """The values that there are, increasing; then None, if a situation may be undecided."""
        return self.objective.levels

    @property
    def doubled(self) -> bool:
        """Whether each position has two situations, one for either player to move."""
        return False

    @property
    def has_players(self) -> bool:
        """Whether every situation has a player to move, and so a winner unless it is a draw.

        Positions have owners, or each has a situation for either player to move.
        """
        return self.doubled or self.graph.owner is not None

    @property
    def mirrored(self) -> bool:
        """Whether values are the mover's own, so that they change sign along a move."""
        return False

    # ---------------------------------------------------------------- whole arrays

    @property
    def value(self) -> AnyArray:
        """Exact values: what player 0 gets, or the mover where one entry serves both players."""
        levels = self.levels
        kind: Any = object
        if all(isinstance(x, int) and abs(x) < 2**63 for x in levels):
            kind = np.int64
        elif all(isinstance(x, float) for x in levels):
            kind = np.float64
        table = np.empty(len(levels), kind)
        table[:] = levels
        return table[self.level]

    @functools.cached_property
    def winner(self) -> Int8Array:
        """The player who wins, ``NO_WINNER`` for a draw, ``UNDECIDED`` where nobody knows.

        Where the players alternate the shape is (n, 2), indexed by the player to move.
        """
        return read_only(winners(self.graph, self.label))

    @property
    @abstractmethod
    def move(self) -> Int32Array:
        """An optimal move (a position number) of each situation, ``NO_MOVE`` where play ends."""

    # ---------------------------------------------------------------- one position

    def at(self, position: Hashable, player: int | None = None) -> Answer:
        """The answer at a position, for either player to move where the players alternate.

        >>> import zermelo as zm
        >>> s = zm.solve(zm.Graph.from_edges([("a", "t")]), zm.Asymmetric())
        >>> s.at("t", player=1).label.name
        'LOSE'
        """
        return self._answer(self.graph.index(position), player)

    def _answer(self, v: int, player: int | None) -> Answer:
        """The answer at position number ``v``."""
        s, mover = self._situation(v, player)
        moves = tuple(self.graph.name(w) for w in self._best(s))
        return Answer(
            self.graph.name(v),
            mover,
            Label(int(self.label.reshape(-1)[s])),
            int(self.distance.reshape(-1)[s]),
            self._value(s),
            moves,
            agreed=self._agreed(s),
        )

    def _agreed(self, s: int) -> bool:
        """Whether play goes on and nobody forces an end, because ends pay what it pays."""
        return False

    def _value(self, s: int) -> Any:
        """The exact value of a situation."""
        return self.levels[int(self.level.reshape(-1)[s])]

    def _situation(self, v: int, player: int | None) -> tuple[int, Player | None]:
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        if self.doubled:
            mover = Player(player or 0)
            return 2 * v + mover, mover
        if self.graph.owner is not None:
            owner = Player(int(self.graph.owner[v]))
            if player not in (None, owner):
                raise InvalidOptionError(f"player {player} never moves at {self.graph.name(v)!r}")
            return v, owner
        return v, None if player is None else Player(player)

    @abstractmethod
    def _best(self, s: int) -> list[int]:
        """All moves that are best in a situation, as far as the solution knows them."""

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, by name; at most ``limit`` moves; see :meth:`at`.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
        >>> print(zm.solve(g).line("a"))
        a → b → c → d
        """
        v = self.graph.index(position)
        s, _ = self._situation(v, player)
        if limit is not None:
            limit = whole_number(limit, "limit")
        line, seen = Line([self.graph.name(v)]), {s: 0}
        while limit is None or len(line) <= limit:
            best = self._best(s)
            if not best:
                return line
            v = best[0]
            s = 2 * v + 1 - (s & 1) if self.doubled else v
            line.append(self.graph.name(v))
            if s in seen:
                line.cycle = seen[s]
                return line
            seen[s] = len(line) - 1
        return line

    def explain(
        self, position: Hashable, player: int | None = None, depth: int = 3, *, width: int = 8
    ) -> Any:
        """Why a position has its value or its winner; see :func:`zermelo.explain`.

        >>> import zermelo as zm
        >>> print(zm.solve(zm.Graph.from_edges([("a", "t")])).explain("a"))
        a is WIN in 1: it can move to t
        └─ t is LOSE: there is no move
        """
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        depth, width = whole_number(depth, "depth", None), whole_number(width, "width", None)
        if not 0 <= depth <= MAX_DEPTH:
            raise InvalidOptionError(f"depth: expected 0 to {MAX_DEPTH}, got {shown(depth)}")
        if width < 1:
            raise InvalidOptionError(f"width: expected at least 1, got {shown(width)}")
        explainer = trace_row(self.objective).load_explainer()
        return explainer(self, position, player, depth, width)

    def explore(self) -> Any:
        """A widget for a notebook, in which one looks around in the solved graph.

        It is the view Graph of ``zermelo serve`` and needs anywidget: pip install
        'zermelo[notebook]'. The picture that a notebook shows by itself has no script.

        >>> import zermelo as zm
        >>> zm.solve(zm.Graph.from_edges([("a", "t")])).explore().parameters["format"]
        'json'
        """
        return service("explore-solution")(self)

    # ---------------------------------------------------------------- summary and proof

    def counts(self) -> dict[str, int]:
        """How many situations win, lose, tie (drawn at an end) and draw, and the longest ways."""
        return counted(self.label.reshape(-1), self.distance.reshape(-1))

    def __len__(self) -> int:
        return int(self.label.size)

    def __iter__(self) -> Iterator[Answer]:
        players = (0, 1) if self.doubled else (None,)
        for v in range(self.graph.n):
            for player in players:
                yield self._answer(v, player)

    def columns(self) -> dict[str, Sequence[Any] | AnyArray]:
        """The solution as columns: position, player where there is one, label, distance, …"""
        numbers = np.repeat(np.arange(self.graph.n), 2 if self.doubled else 1)
        names = self.graph.names
        found: dict[str, Sequence[Any] | AnyArray] = {
            "position": numbers if names is None else [names[v] for v in numbers.tolist()]
        }
        if self.doubled:
            found["player"] = np.tile(np.array([0, 1], np.int8), self.graph.n)
        elif self.graph.owner is not None:
            found["player"] = self.graph.owner
        found |= {
            "label": self.label.reshape(-1),
            "distance": self.distance.reshape(-1),
            "value": self.value.reshape(-1),
        }
        if self.has_players:
            found["winner"] = self.winner.reshape(-1)
        return found

    def verify(self) -> "Self":
        """Check the whole solution with code that shares nothing with the solver.

        Returns the solution itself; raises :class:`~zermelo.errors.CertificateError` where it is
        wrong; the error names the first position that shows it. The table of objectives has the
        checker.
        """
        row = objective_row(self.objective)
        if self.family not in ("", row.family):
            raise CertificateError(
                f"objective: expected one of the family {self.family!r}, "
                f"got {self.objective.keyword!r}"
            )
        row.load_checker()(self)
        return self

    def __repr__(self) -> str:
        c = self.counts()
        kinds = ("win", "lose", "tie", "draw", "undecided")
        parts = [f"{c[k]:,} {k}" for k in kinds if c.get(k)]
        return f"Solution({self.objective.keyword} by {self.solver}: {', '.join(parts) or 'empty'})"

    def _repr_svg_(self) -> str | None:
        """A picture of the solution; None for graphs too large to see."""
        picture: str | None = service("solution-picture")(self)
        return picture

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture of a small solution, else its first positions."""
        picture = self._repr_svg_()
        if picture is None:
            return super()._repr_html_()
        return page.block(page.caption(repr(self)), picture)


def solution_of(given: Any, *, shown: bool = False) -> Any:
    """The solution on a graph of a game that was solved from rules; anything else as it is.

    With ``shown``, positions are named as the rules show them.

    >>> import zermelo as zm
    >>> solution_of(zm.solve(zm.game("nim:1,2")), shown=True).graph.names
    ('1+2', '2', '1', '1+1', '0')
    """
    if isinstance(given, Answers) and hasattr(type(given), "shown_solution"):
        solved: Any = given
        return solved.shown_solution if shown else solved.solution
    return given
