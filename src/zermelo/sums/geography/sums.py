"""Sums of games of return and repetition: who wins, and by which first moves.

In a sum the player to move chooses one component and moves its token. The sum is over as soon as a
token repeats a position (or a move, in games of repetition). The component where this happens says
who wins: the player who repeats loses in games of *no return* and *no repetition*, and wins in
games of *return* and *repetition*, which [EdmondsGurvich2010] calls the misère version. A token
without moves counts as one that can only repeat.

- If some token can repeat where that wins, the player to move wins at once.
- Otherwise every component has a value (:mod:`zermelo.sums.geography.values`), and the player to
  move loses exactly if the nim-sum of the values is 0. This holds for the misère version of the
  paper as well.
- *Misère geography* (``NoReturn(misere=True)``) is another game: nobody repeats, and a player
  without a fresh move in any component wins. It has no such values, so the product of the
  components is searched. Such components make sums only with each other.

Reference: [EdmondsGurvich2010] §2.4.
"""

import functools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from zermelo._inputs.values import claim_graph, listed, shown, whole_number
from zermelo.errors import (
    CertificateError,
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import Label
from zermelo.objectives.geography import Geography, NoReturn
from zermelo.sums.geography.eggs import EggsBounds
from zermelo.sums.geography.misere import MisereSearch
from zermelo.sums.geography.values import GeographyValues
from zermelo.sums.values import nim_sum
from zermelo.verify.geography.sums import check_geography_sum


@dataclass(frozen=True)
class TokenMove:
    """A move of one token of a sum."""

    component: int
    """The component's place in the sum, from 0."""
    to: Hashable
    bounds: EggsBounds | None = None
    """The value of the component after the move; None if the move wins at once, or if the
    components have no values."""

    def __post_init__(self) -> None:
        whole_number(self.component, "component", 0, 2**31, CertificateError)
        if self.bounds is not None:
            claim_graph(self, EggsBounds, "bounds")

    def __str__(self) -> str:
        return f"{self.component}: to {self.to}"


@dataclass(frozen=True, eq=False)
class GeographySum:
    """A sum of games of return and repetition that was solved; see :func:`geography_sum`."""

    graphs: tuple[Graph, ...]
    objectives: tuple[Geography, ...]
    debuts: tuple[tuple[Hashable, ...], ...]
    """The path of each token so far."""
    label: Label
    """What the player to move gets."""
    components: tuple[EggsBounds | None, ...]
    """The value of each component, with its proof; None where the player to move wins at once, and
    in misère geography."""
    winning_moves: tuple[TokenMove, ...]
    """All winning moves. There is none if the player to move loses, or wins because a token is
    stuck."""
    _bound: int | None
    """The bound on nodes."""

    def __post_init__(self) -> None:
        claim_graph(self, Label, "label")
        for name, kind in (
            ("graphs", Graph), ("objectives", Geography), ("debuts", tuple),
            ("components", EggsBounds | None), ("winning_moves", TokenMove),
        ):  # fmt: skip
            claim_graph(self, tuple, name)
            rows = getattr(self, name)
            if not all(isinstance(x, kind) for x in rows) or (
                name != "winning_moves" and len(rows) != len(self.graphs)
            ):
                raise CertificateError(f"{name}: expected one entry of its kind a component")
        if any(move.component >= len(self.graphs) for move in self.winning_moves):
            raise CertificateError("winning_moves: expected components of the sum")
        if self._bound is not None:
            whole_number(self._bound, "bound", 0, 2**62, CertificateError)

    @property
    def values(self) -> tuple[int | None, ...]:
        """The value of each component, None where it has none."""
        return tuple(None if x is None else x.value for x in self.components)

    @property
    def value(self) -> int | None:
        """The nim-sum of the values, None if a component has none."""
        known = [x for x in self.values if x is not None]
        if len(known) < len(self.components):
            return None
        total = nim_sum(known)
        assert isinstance(total, int)
        return total

    @property
    def move(self) -> TokenMove | None:
        """A winning move, if there is one."""
        return next(iter(self.winning_moves), None)

    def after(self, component: int, to: Hashable) -> "GeographySum":
        """The sum after a move that does not repeat.

        >>> import zermelo as zm
        >>> path = zm.generators.path(3, symmetric=True).graph
        >>> zm.geography_sum([(path, 1), (path, 1)]).after(0, 2)
        GeographySum(2 components: WIN)
        """
        k = whole_number(component, "component", 0, len(self.debuts) - 1)
        debuts = [*self.debuts]
        debuts[k] = (*debuts[k], to)
        return _solve(self.graphs, self.objectives, tuple(debuts), self._bound)

    def verify(self) -> "GeographySum":
        """Check the label and the winning moves by code that shares nothing with the search.

        See :mod:`zermelo.verify.geography.sums` for what is checked of moves that do not win.
        """
        check_geography_sum(self)
        return self

    def __repr__(self) -> str:
        k = len(self.debuts)
        return f"GeographySum({k} component{'' if k == 1 else 's'}: {self.label.name})"


def geography_sum(
    components: Iterable[tuple[Game | Graph, Hashable]],
    objective: Geography | None = None,
    *,
    nodes: int | None = None,
) -> GeographySum:
    """Solve a sum of games of return and repetition, each given by a game and its start.

    The objective of a component is that of its game; for a graph it is ``objective``, or no return.
    ``nodes`` bounds the situations that are examined in each graph, and a :class:`LimitError` is
    raised if they are not enough: the problem is PSPACE-hard.

    >>> import zermelo as zm
    >>> path = zm.generators.path(4, symmetric=True).graph
    >>> both = geography_sum([(path, 1), (path, 0)])
    >>> both, both.values, [str(move) for move in both.winning_moves]
    (GeographySum(2 components: WIN), (2, 1), ['0: to 2'])
    >>> cycle = zm.generators.cycle(4).graph
    >>> zm.geography_sum([(cycle, 0), (cycle, 1)], zm.Return()).verify()
    GeographySum(2 components: LOSE)
    """
    bound = None if nodes is None else whole_number(nodes, "nodes", 0, 2**62)
    if objective is not None and not isinstance(objective, Geography):
        raise InvalidObjectiveError(
            f"objective: expected a game of return or repetition, got {shown(objective)}"
        )
    graphs, objectives, debuts = [], [], []
    for k, component in enumerate(listed(components, "the components")):
        graph, own, name = _component(k, component, objective)
        graphs.append(graph)
        objectives.append(own)
        debuts.append((name,))
    misere = {bool(getattr(x, "misere", False)) for x in objectives}
    if len(misere) > 1:
        raise InvalidObjectiveError(
            "expected components that are all misère geography or none, because a stuck player "
            "wins in one and loses in the other"
        )
    return _solve(tuple(graphs), tuple(objectives), tuple(debuts), bound)


def _component(
    k: int, component: Any, objective: Geography | None
) -> tuple[Graph, Geography, Hashable]:
    """One component, checked."""
    if not isinstance(component, tuple) or len(component) != 2:
        raise InvalidOptionError(
            f"component {k}: expected a pair (game, start), got {shown(component)}"
        )
    game, start = component
    own = objective or NoReturn()
    if isinstance(game, Game) and objective is None:
        if not isinstance(game.objective, Geography):
            raise InvalidObjectiveError(
                f"component {k}: expected a game of return or repetition, but its objective is "
                f"{game.objective.keyword}"
            )
        own = game.objective
    graph = as_graph(game)
    own.check(graph)
    return graph, own, graph.name(graph.index(start))


def _solve(
    graphs: tuple[Graph, ...],
    objectives: tuple[Geography, ...],
    debuts: tuple[tuple[Hashable, ...], ...],
    bound: int | None,
) -> GeographySum:
    solved: dict[tuple[int, str], GeographyValues] = {}
    games = [
        solved.setdefault((id(g), x.keyword), GeographyValues(g, x, bound))
        for g, x in zip(graphs, objectives, strict=True)
    ]
    walks = [game.walk(debut) for game, debut in zip(games, debuts, strict=True)]
    make = functools.partial(GeographySum, graphs, objectives, debuts)
    if any(getattr(x, "misere", False) for x in objectives):
        wins, steps = MisereSearch(games, bound).solve(walks)
        none: tuple[EggsBounds | None, ...] = (None,) * len(games)
        moves = tuple(TokenMove(k, graphs[k].name(w)) for k, w in steps)
        return make(Label.WIN if wins else Label.LOSE, none, moves, bound)
    values = [_bounds(game, walk) for game, walk in zip(games, walks, strict=True)]
    atonce = [k for k, x in enumerate(values) if x is None]
    moves = tuple(_repeating(games, walks)) if atonce else ()
    if len(atonce) < 2:
        moves += tuple(_balancing(games, walks, values, atonce))
    moves = tuple(sorted(moves, key=lambda move: move.component))
    label = Label.WIN if moves or atonce else Label.LOSE
    return make(label, tuple(values), moves, bound)


def _bounds(game: GeographyValues, walk: list[int], cap: int | None = None) -> EggsBounds | None:
    """The value of a debut with its proof; None if the player to move wins at once."""
    if game.decisive(walk):
        return None
    low, high = game.bounds(walk, cap)
    debut = tuple(game.graph.name(v) for v in walk)
    found = EggsBounds(game.graph, game.objective, debut, low, high, game.budget.nodes, game)
    if found.exceeds(len(game.graph) if cap is None else cap) is None and not found.exact:
        raise LimitError(
            f"the search has examined {found.nodes:,} situations without an end: the value of "
            f"{debut!r} is {found.span}; a larger bound nodes allows more"
        )
    return found


def _repeating(games: list[GeographyValues], walks: list[list[int]]) -> Iterable[TokenMove]:
    """The moves that win at once."""
    for k, (game, walk) in enumerate(zip(games, walks, strict=True)):
        if game.decisive(walk):
            for w in game.graph.successors(walk[-1]).tolist():
                if game.repeats(walk, w):
                    yield TokenMove(k, game.graph.name(w))


def _balancing(
    games: list[GeographyValues],
    walks: list[list[int]],
    values: list[EggsBounds | None],
    atonce: list[int],
) -> Iterable[TokenMove]:
    """The moves after which the nim-sum is 0 and the opponent cannot win at once."""
    for k in atonce or range(len(games)):
        rest = nim_sum(x.value for j, x in enumerate(values) if j != k and x is not None)
        assert isinstance(rest, int)
        own = values[k]
        if own is not None and own.value == rest:
            continue
        for w in games[k].options(walks[k]):
            found = _bounds(games[k], [*walks[k], w], rest)
            if found is not None and found.exact and found.value == rest:
                yield TokenMove(k, games[k].graph.name(w), found)
