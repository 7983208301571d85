"""``trace(game)``: a labelling round by round, or an algorithm of the literature step by step."""

from typing import TYPE_CHECKING, Any, Literal, overload

from zermelo._door.inputs import shown
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import form_on
from zermelo.trace.film import Film, fraenkel_levy_film, nmfl_cap_film, nmfl_film
from zermelo.trace.levels import Recursion
from zermelo.trace.rounds import Trace

if TYPE_CHECKING:
    from zermelo.objectives import (
        Asymmetric,
        Buchi,
        CoBuchi,
        Misere,
        NormalPlay,
        Parity,
        Reach,
        ReachAvoid,
        Safety,
        TerminalPayoff,
    )
    from zermelo.partizan.literal import Literal as LiteralForm
    from zermelo.partizan.loopy import LoopyValue
    from zermelo.partizan.simplify import FormTrace
    from zermelo.partizan.value import Value

FILMS = {"nmfl": nmfl_film, "nmfl-cap": nmfl_cap_film, "fraenkel-levy": fraenkel_levy_film}
ROUNDS = ("auto", "retrograde")
"""The solvers whose trace are the rounds of retrograde analysis."""
KNOWN = {"terminal": (*ROUNDS, *FILMS), "parity": ("auto", "zielonka")}
"""The solvers that have a trace, by the family of the objective."""


@overload
def trace(
    game: Graph, objective: None = ..., solver: Literal["auto", "retrograde"] = ...
) -> Trace: ...


@overload
def trace(
    game: Game | Graph,
    objective: "NormalPlay | Misere | Asymmetric | TerminalPayoff | Reach | Safety | ReachAvoid",
    solver: Literal["auto", "retrograde"] = ...,
) -> Trace: ...


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None,
    solver: Literal["nmfl", "nmfl-cap", "fraenkel-levy"],
) -> Film: ...


@overload
def trace(game: Game | Graph, *, solver: Literal["nmfl", "nmfl-cap", "fraenkel-levy"]) -> Film: ...


@overload
def trace(
    game: Game | Graph,
    objective: "Parity | Buchi | CoBuchi",
    solver: Literal["auto", "zielonka"] = ...,
) -> Recursion: ...


@overload
def trace(
    game: Game | Graph, objective: Objective | None = ..., solver: str = ...
) -> Trace | Film | Recursion: ...


@overload
def trace(game: "Value | LiteralForm | LoopyValue") -> "FormTrace": ...


def trace(
    game: "Game | Graph | Value | LiteralForm | LoopyValue",
    objective: Objective | None = None,
    solver: str = "auto",
) -> Any:
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

    With "nmfl" or "nmfl-cap", for the asymmetric game, or "fraenkel-levy", for normal play, it is a
    :class:`Film`: all labellings that the algorithm passes through, each with the line of Figure 3
    of [Loewe2004] that changed it.

    >>> import zermelo as zm
    >>> film = trace(g, zm.Asymmetric(), solver="nmfl")
    >>> print(film[1])
    t = 1, line 110: t, player 0: L → D
    >>> film.sequence("b")
    ((0, 'L/W'), (3, 'W/W'))

    Of a parity, Büchi or co-Büchi game it is a :class:`Recursion`: the levels of Zielonka's
    algorithm, in words that :mod:`zermelo.trace.levels` explains.

    >>> print(trace(Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Buchi([0])))
    priority 2: player 0 attracts 0, 1
    priority 2: player 0 wins all of 0, 1

    Of a literal form of a partizan game it is the simplification: every option that is removed or
    replaced, with the rule (:mod:`zermelo.partizan.simplify`).

    >>> print(trace(zm.literal("{0,-1|1}"))[0].reason)
    Left's option -1 is dominated by 0, which is at least as good for Left, so it is removed
    """
    if not isinstance(game, Game | Graph | tuple):
        from zermelo.partizan.simplify import is_partizan, trace_of

        if is_partizan(game):
            if objective is not None or solver != "auto":
                raise InvalidOptionError("the trace of a value takes no objective and no solver")
            return trace_of(game)
    graph, chosen = as_game(game, objective)
    if chosen.family not in KNOWN:
        raise InvalidObjectiveError(
            f"trace is for games with payoffs at the ends and for parity games, but the objective "
            f"of this game is {chosen.keyword}; zm.solve says who wins"
        )
    known = KNOWN[chosen.family]
    if not isinstance(solver, str) or solver not in known:
        raise InvalidOptionError(
            f"solver: expected one of {', '.join(known)} for {chosen.keyword} games, got "
            f"{shown(solver)}"
        )
    if chosen.family == "parity":
        return Recursion(graph, chosen)
    if solver in FILMS:
        return FILMS[solver](graph, chosen)
    return Trace(graph, form_on(chosen, graph))
