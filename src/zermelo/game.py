"""A game: a graph, an objective, and a start.

Files hold games, explorers of rules and generators return games, and solvers take games. So the
objective always stays with its graph.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from zermelo._inputs.graphs import same_arrays
from zermelo._inputs.values import flag
from zermelo._runtime.services import service
from zermelo.errors import InvalidGraphError, InvalidObjectiveError
from zermelo.graph import Graph, OnGraph, as_graph
from zermelo.labels import Int64Array
from zermelo.objectives.base import Objective


def _normal_play() -> Objective:
    from zermelo.objectives.terminal import NormalPlay

    return NormalPlay()


@dataclass(frozen=True, eq=False, repr=False)
class Game(OnGraph):
    """A graph, an objective (the default is normal play) and a start, if there is one.

    ``graph, objective = game`` takes it apart. Games are equal if graph, objective and start are.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> game = zm.Game(g, zm.Misere(), start="a")
    >>> game
    Game(misere on Graph(3 positions, 3 moves, 1 terminal), start a)
    >>> print(zm.solve(game)["a"])
    a: DRAW by b
    """

    graph: Graph
    objective: Objective = field(default_factory=_normal_play)
    start: Hashable | None = None
    """The name of the position in which play starts."""
    impartial: bool = field(default=True, kw_only=True)
    """Whether both players have the same moves in every position. Rules may say that they do not,
    even if the graph has no owners."""
    synthesis: Any = field(default=None, kw_only=True)
    """The automaton that a game of synthesis was made of, for its controller; None for others."""
    weight: Any = field(default=None, kw_only=True)
    """Weights of the moves that came with the graph although the objective does not need them, such
    as those of a file that names no objective. They are given as for :class:`Energy`, and kept as
    an array along ``graph.indices``."""

    def __post_init__(self) -> None:
        if not isinstance(self.graph, Graph):
            raise InvalidGraphError(f"graph: expected a Graph, got {type(self.graph).__name__}")
        if not isinstance(self.objective, Objective):
            raise InvalidObjectiveError(f"expected an objective, got {self.objective!r}")
        flag(self.impartial, "impartial")
        if self.weight is not None:
            from zermelo.objectives.weights import keep_weights, weights_on

            kept = weights_on(self.graph, keep_weights(self.weight), "moves")
            object.__setattr__(self, "weight", kept)
        if self.start is not None:
            place = self.graph.index(self.start)
            object.__setattr__(self, "start", self.graph.name(place))

    def __iter__(self) -> Iterator[Any]:
        return iter((self.graph, self.objective))

    def weights(self) -> Int64Array | None:
        """The weights of the moves: those of the objective, or those that came with the graph.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([(0, 1), (1, 0)])
        >>> zm.Game(g, weight=[3, -1]).weights().tolist()
        [3, -1]
        """
        if self.objective.family == "quantitative":
            objective: Any = self.objective
            return np.asarray(objective.weights(self.graph))
        kept: Int64Array | None = self.weight
        return kept

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.graph == other.graph
            and (self.start, self.impartial) == (other.start, other.impartial)
            and self.objective.spec(self.graph) == other.objective.spec(other.graph)
            and same_arrays(self.weights(), other.weights())
        )

    def __hash__(self) -> int:
        return hash((self.graph, self.objective.keyword, self.start))

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows, with priorities; None for games too large to see."""
        picture: str | None = service("graph-picture")(self)
        return picture

    def _repr_html_(self) -> str:
        """What a notebook shows: objective, start, and the picture or first positions."""
        return str(service("graph-page")(self))

    def __repr__(self) -> str:
        start = "" if self.start is None else f", start {self.start}"
        return f"Game({self.objective.keyword} on {self.graph}{start})"


def as_game(given: Any, objective: Objective | None = None, start: Hashable | None = None) -> Game:
    """A game from a game, a graph or a pair of graph and objective.

    A given objective or start replaces that of the game.

    >>> import zermelo as zm
    >>> as_game(zm.Graph.from_edges([(0, 1)]), start=0)
    Game(normal on Graph(2 positions, 1 move, 1 terminal), start 0)
    """
    if objective is not None and not isinstance(objective, Objective):
        raise InvalidObjectiveError(f"expected an objective, got {objective!r}")
    if isinstance(given, tuple) and len(given) == 2:
        given = Game(*given)
    if isinstance(given, Game):
        as_graph(given)
        if objective is None and start is None:
            return given
        start = given.start if start is None else start
        # A controller belongs to the condition of its file, not to another objective.
        synthesis = given.synthesis if objective is None else None
        objective = objective or given.objective
        return replace(given, objective=objective, start=start, synthesis=synthesis)
    return Game(as_graph(given), _normal_play() if objective is None else objective, start)


def impartial_graph(game: Any, task: str, objective: type[Objective] | None = None) -> Graph:
    """The graph of an impartial game: both players have the same moves, and the stuck one loses.

    Other games are refused. ``task`` is what the game is needed for, for the message. The game must
    have this ``objective``, which is normal play by default.

    >>> import zermelo as zm
    >>> impartial_graph(zm.Game(zm.Graph.from_edges([(0, 1)]), zm.Misere()), "Grundy values")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: Grundy values are for normal play, but the objective of \
this game is misere; use solve
    """
    from zermelo.objectives.terminal import NormalPlay

    graph, objective = as_graph(game), objective or NormalPlay
    if graph.owner is not None or (isinstance(game, Game) and not game.impartial):
        expected = "" if graph.owner is None else "; expected a graph without owners"
        raise InvalidGraphError(
            f"{task} are for impartial games, in which both players have the same moves in every "
            f"position{expected}; use solve, or value for a partizan game"
        )
    if isinstance(game, Game) and not (
        isinstance(game.objective, objective)
        or (objective is NormalPlay and _is_normal_play(game.objective, graph))
    ):
        name = "normal play" if objective is NormalPlay else f"{objective.keyword} games"
        raise InvalidObjectiveError(
            f"{task} are for {name}, but the objective of this game is "
            f"{game.objective.keyword}; use solve"
        )
    return graph


def _is_normal_play(objective: Objective, graph: Graph) -> bool:
    """Whether the payoffs are those of normal play: the player who is stuck loses."""
    from zermelo.objectives.terminal import TerminalPayoff
    from zermelo.objectives.terminal_form import Layout

    if not isinstance(objective, TerminalPayoff) or graph.owner is not None:
        return False
    form = objective.terminal_form(graph)
    codes = set(form.absorbing_level.tolist())
    return form.layout is Layout.SYMMETRIC and all(form.levels[k] == -1 for k in codes)
