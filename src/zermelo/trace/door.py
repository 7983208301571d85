"""``trace(game)``: a labelling round by round, or an algorithm of the literature step by step."""

from typing import Any, Literal, overload

from zermelo._door.inputs import shown
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.trace.film import Film, fraenkel_levy_film, nmfl_film
from zermelo.trace.rounds import Trace

FILMS = {"nmfl": nmfl_film, "fraenkel-levy": fraenkel_levy_film}
ROUNDS = ("auto", "retrograde")
"""The solvers whose trace are the rounds of retrograde analysis."""


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None = ...,
    solver: Literal["auto", "retrograde"] = ...,
) -> Trace: ...


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None,
    solver: Literal["nmfl", "fraenkel-levy"],
) -> Film: ...


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None = ...,
    *,
    solver: Literal["nmfl", "fraenkel-levy"],
) -> Film: ...


@overload
def trace(
    game: Game | Graph, objective: Objective | None = ..., solver: str = ...
) -> Trace | Film: ...


def trace(game: Game | Graph, objective: Objective | None = None, solver: str = "auto") -> Any:
    """The labelling of a terminal-payoff game round by round, or every step of an algorithm.

    The default ``objective`` is that of the game; for a graph alone it is normal play.

    Without a ``solver`` (or with "retrograde") the rounds of retrograde analysis come one after the
    other, as a :class:`Trace`. Every situation is decided in exactly one round. Values and
    distances are those of :func:`zermelo.solve`. Rounds that decide nothing are left out.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "t"), ("d", "e"), ("e", "d")])
    >>> for round in trace(g):
    ...     print(round)
    round 0: t is LOSE (end)
    round 1: b is WIN in 1 (can: t)
    round 2: a is LOSE in 2 (must: b)
    round 3: d is DRAW (rest: e); e is DRAW (rest: d)

    With "nmfl", for the asymmetric game, or "fraenkel-levy", for normal play, it is a
    :class:`Film`: all labellings that the algorithm passes through, each with the line of Figure 3
    of [Loewe2004] that changed it.

    >>> import zermelo as zm
    >>> film = trace(g, zm.Asymmetric(), solver="nmfl")
    >>> print(film[1])
    t = 1, line 110: t, player 0: L → D
    >>> film.sequence("b")
    ((0, 'L/W'), (3, 'W/W'))
    """
    graph, chosen = as_game(game, objective)
    if chosen.family != "terminal":
        raise InvalidObjectiveError(
            f"trace is for games with payoffs at the ends and for infinite play, such as normal "
            f"play, but the objective of this game is {chosen.keyword}; zm.solve says who wins"
        )
    if not isinstance(solver, str) or solver not in (*ROUNDS, *FILMS):
        known = ", ".join((*ROUNDS, *FILMS))
        raise InvalidOptionError(f"solver: expected one of {known}, got {shown(solver)}")
    if solver in FILMS:
        return FILMS[solver](graph, chosen)
    return Trace(graph, form_on(chosen, graph))
