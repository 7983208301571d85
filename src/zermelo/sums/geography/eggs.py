"""EGGS values: the Sprague–Grundy value of the start of a game of no return, bounds, thresholds.

A game of no return is an acyclic game whose positions are *debuts*: the paths of the token so far,
on which no position occurs twice. Computing the value is PSPACE-hard in general, even on symmetric
graphs of degree 4 ([BurkeEtAl2021]). On symmetric and symacyclic graphs a matching decides whether
it is 0, and often the whole value: :mod:`zermelo.sums.geography.search` explains the search. The
games of return and of repetition have values as well: :mod:`zermelo.sums.geography.values`.

Reference: [EdmondsGurvich2010] §2.4. Differs from the paper: debuts that end at the same position
and leave the same open positions in reach count as one; and play in a sum goes on until no
component has a fresh move. Lemma 1 of the paper says that a value is less than the out-degree; it
is at most the out-degree (a single move to a lost position has value 1).
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from zermelo._inputs.belonging import check_belongs
from zermelo._inputs.values import claim_graph, shown, whole_number
from zermelo.errors import (
    CertificateError,
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.objectives import NoReturn
from zermelo.objectives.geography import Geography
from zermelo.sums.geography.values import GeographyValues
from zermelo.verify.geography.eggs import check_eggs


@dataclass(frozen=True, eq=False)
class EggsBounds:
    """Bounds of the value of a debut; they are equal if the value is known.

    >>> import zermelo as zm
    >>> found = zm.eggs_bounds(zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")]), "b")
    >>> found, found.value, found.verify() is found
    (EggsBounds(('b',): 1), 1, True)
    """

    graph: Graph
    objective: Geography
    debut: tuple[Hashable, ...]
    lower: int
    upper: int
    nodes: int
    """How many states the search had examined when the question was answered."""
    _values: GeographyValues = field(repr=False)

    def __post_init__(self) -> None:
        for name, kind in (
            ("graph", Graph), ("objective", Geography), ("debut", tuple),
            ("_values", GeographyValues),
        ):  # fmt: skip
            claim_graph(self, kind, name)
        for name in ("lower", "upper", "nodes"):
            whole_number(getattr(self, name), name, 0, 2**62, CertificateError)

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.lower == self.upper

    @property
    def value(self) -> int:
        """The value; a :class:`LimitError` says the bounds if it is not known."""
        if not self.exact:
            raise LimitError(
                f"the search for EGGS values has examined {self.nodes:,} situations without an "
                f"end: the value of {self.debut!r} is {self.span}; values are PSPACE-hard to find, "
                "and a larger bound nodes allows more"
            )
        return self.lower

    @property
    def span(self) -> str:
        """The bounds as a text, such as ``2`` or ``1 to 3``."""
        return str(self.lower) if self.exact else f"{self.lower} to {self.upper}"

    def exceeds(self, threshold: int) -> bool | None:
        """Whether the value exceeds a threshold, None if the bounds do not say so."""
        threshold = whole_number(threshold, "threshold", 0)
        if self.lower > threshold:
            return True
        return False if self.upper <= threshold else None

    def verify(self) -> "EggsBounds":
        """Check the bounds by code that shares nothing with the search."""
        values = self._values
        check_belongs("the proof", values, graph=self.graph, objective=self.objective)
        walk = values.walk(self.debut)
        bounds = (self.lower, self.upper)
        check_eggs(self.graph, self.objective, walk, bounds, values.table(), values.starts)
        return self

    def __repr__(self) -> str:
        return f"EggsBounds({self.debut!r}: {self.span})"


class GeographyGame:
    """A game of return or repetition as a component of a sum; its positions are debuts.

    The objective is :class:`~zermelo.objectives.geography.NoReturn` unless the game has another or
    one is given. A debut is a tuple of names. Its options are the moves that do not lose at once.
    Misère geography has no values, and a debut from which the player to move wins at once has none.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> [GeographyGame(g, x).grundy(("c",)) for x in (zm.NoReturn(), zm.NoRepetition())]
    [2, 0]
    >>> GeographyGame(g, zm.Return()).bounds(("a",))
    EggsBounds(('a',): 1)

    ``nodes`` bounds the number of situations that are examined, over all questions.
    """

    def __init__(
        self,
        game: Game | Graph,
        objective: Geography | None = None,
        *,
        nodes: int | None = None,
    ) -> None:
        bound = None if nodes is None else whole_number(nodes, "nodes", 0, 2**62)
        given = game.objective if isinstance(game, Game) else None
        if objective is None:
            objective = given if isinstance(given, Geography) else NoReturn()
        if not isinstance(objective, Geography):
            raise InvalidObjectiveError(
                f"objective: expected a game of return or repetition, got {shown(objective)}"
            )
        self.graph = impartial_graph(game, "EGGS values", type(objective))
        self.objective = objective
        if getattr(objective, "misere", False):
            raise InvalidObjectiveError(
                "EGGS values are for play in which a stuck player loses, and this game is misère "
                "geography; geography_sum solves sums of such games by search"
            )
        self._values = GeographyValues(self.graph, objective, bound)

    def options(self, position: tuple[Hashable, ...]) -> Iterator[tuple[Hashable, ...]]:
        """The debuts that are one move longer, without moves that lose at once."""
        walk = self._walk(position)
        return ((*position, self.graph.name(w)) for w in self._values.options(walk))

    def decisive(self, position: tuple[Hashable, ...]) -> bool:
        """Whether the player to move wins at once, by a return or because she is stuck."""
        return self._values.decisive(self._walk(position))

    def grundy(self, position: tuple[Hashable, ...]) -> int:
        """The value of a debut."""
        return self.bounds(position).value

    def bounds(
        self,
        position: tuple[Hashable, ...],
        *,
        threshold: int | None = None,
        nodes: int | None = None,
    ) -> EggsBounds:
        """Bounds of the value of a debut; with a threshold, enough to compare it with that.

        ``nodes`` bounds the situations that are examined for this question, in the place of the
        bound over all questions.
        """
        walk = self._walk(position)
        budget = self._values.budget
        if nodes is not None:
            budget.bound = budget.nodes + whole_number(nodes, "nodes", 0, 2**62)
        if threshold is not None:
            threshold = whole_number(threshold, "threshold", 0, 2**62)
        if self._values.decisive(walk):
            raise InvalidOptionError(
                f"{position!r} has no value, because the player to move wins at once "
                f"(a {self.objective.keyword}, or no move)"
            )
        lower, upper = self._values.bounds(walk, threshold)
        examined = budget.nodes
        return EggsBounds(
            self.graph, self.objective, tuple(position), lower, upper, examined, self._values
        )

    def _walk(self, position: tuple[Hashable, ...]) -> list[int]:
        if not isinstance(position, tuple) or not position:
            raise InvalidOptionError(
                f"expected a debut, a tuple of positions, got {shown(position)}"
            )
        return self._values.walk(position)


class NoReturnGame(GeographyGame):
    """A game of no return as a component of a sum; its positions are debuts, tuples of names.

    >>> import zermelo as zm
    >>> game = NoReturnGame(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")]))
    >>> game.grundy(("c",)), list(game.options(("c",)))
    (2, [('c', 'a'), ('c', 'b')])
    >>> [str(move) for move in zm.Sum([(game, ("c",)), 1]).winning_moves]
    ["0: ('c',) → ('c', 'a') (WIN)"]

    ``nodes`` bounds the number of situations that are examined, over all questions.
    """

    def __init__(self, game: Game | Graph, *, nodes: int | None = None) -> None:
        objective = game.objective if isinstance(game, Game) else None
        super().__init__(game, objective if isinstance(objective, NoReturn) else NoReturn(),
                         nodes=nodes)  # fmt: skip


def eggs(game: Game | Graph, start: Hashable, *, nodes: int | None = None) -> int:
    """The EGGS value of a start: its Sprague–Grundy value in the game of no return.

    It is 0 exactly if the player to move loses. The value of a sum is the nim-sum of the values. If
    more than ``nodes`` situations would have to be examined, a :class:`LimitError` is raised;
    :func:`eggs_bounds` gives bounds instead.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> [eggs(g, x) for x in "abc"]
    [0, 0, 2]
    """
    return eggs_bounds(game, start, nodes=nodes).value


def eggs_bounds(
    game: Game | Graph,
    start: Hashable,
    *,
    threshold: int | None = None,
    nodes: int | None = None,
) -> EggsBounds:
    """Bounds of the EGGS value of a start, after at most ``nodes`` situations.

    Without ``nodes`` the search goes on until the value is known, or until it is known to exceed
    the ``threshold``. Bounds come from degrees (a value is at most the number of moves), matchings
    (zero or not) and the situations that were examined.

    >>> import zermelo as zm
    >>> board = zm.generators.grid(8, 8, moves="orthogonal").graph
    >>> eggs_bounds(board, 0)
    EggsBounds((0,): 1)
    >>> eggs_bounds(board, 0, nodes=0)
    EggsBounds((0,): 0 to 2)
    """
    no_return = NoReturnGame(game, nodes=nodes)
    name = no_return.graph.name(no_return.graph.index(start))
    return no_return.bounds((name,), threshold=threshold)


def eggs_exceeds(
    game: Game | Graph, start: Hashable, threshold: int, *, nodes: int | None = None
) -> bool:
    """The problem Q_t: whether the EGGS value of a start exceeds a threshold t.

    Q_0 asks whether the player to move wins, and is polynomial on symmetric and symacyclic graphs.
    Other thresholds take a search that looks only at values up to t. A :class:`LimitError` is
    raised if ``nodes`` situations do not decide it.

    Reference: [EdmondsGurvich2010] §2.4.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> [eggs_exceeds(g, "c", t) for t in range(3)]
    [True, True, False]
    """
    found = eggs_bounds(game, start, threshold=threshold, nodes=nodes)
    answer = found.exceeds(threshold)
    if answer is None:
        raise LimitError(
            f"the search for EGGS values has examined {found.nodes:,} situations without an end: "
            f"the value of {start!r} is {found.span}, and the question was whether it exceeds "
            f"{threshold}; a larger bound nodes allows more"
        )
    return answer
