"""``trace(game)``, the steps of a method on a game, and ``explain(game, position)``, the reasons.

What is done for a family of objectives is a row of :mod:`zermelo.registry.traces`.
"""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Literal, overload

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.registry import choose_solver
from zermelo.registry.traces import trace_row
from zermelo.solutions.base import Solution
from zermelo.trace.reasons.explanation import Explanation

if TYPE_CHECKING:
    from zermelo.objectives import (
        Asymmetric,
        Buchi,
        CoBuchi,
        Energy,
        Misere,
        Muller,
        NoRepetition,
        NoReturn,
        NormalPlay,
        Parity,
        Reach,
        ReachAvoid,
        Repetition,
        Return,
        Safety,
        TerminalPayoff,
    )
    from zermelo.partizan.analysis.explanation import Explanation as ValueExplanation
    from zermelo.partizan.loopy.value import LoopyValue
    from zermelo.partizan.text.literal import Literal as LiteralForm
    from zermelo.partizan.text.simplify import FormTrace
    from zermelo.partizan.value import Value
    from zermelo.solutions.geography import GeographySolution
    from zermelo.solutions.muller import MullerSolution
    from zermelo.solutions.parity import ParitySolution
    from zermelo.solutions.quantitative import QuantitativeSolution
    from zermelo.solutions.terminal import TerminalSolution
    from zermelo.trace.reasons.cycles import CycleExplanation
    from zermelo.trace.reasons.memory import MemoryExplanation
    from zermelo.trace.reasons.past import PastExplanation
    from zermelo.trace.reasons.terminal import Reason
    from zermelo.trace.reasons.worths import WorthExplanation
    from zermelo.trace.steps.base import Steps
    from zermelo.trace.steps.colour_levels import ColourRecursion
    from zermelo.trace.steps.film import Film
    from zermelo.trace.steps.levels import Recursion
    from zermelo.trace.steps.lifting import Lifting
    from zermelo.trace.steps.pieces import Settling
    from zermelo.trace.steps.rounds import Trace

NO_POSITION = object()
"""No position was given, as for a value."""


@overload
def trace(
    game: Graph, objective: None = ..., solver: Literal["auto", "retrograde"] = ...
) -> "Trace": ...


@overload
def trace(
    game: Game | Graph,
    objective: "NormalPlay | Misere | Asymmetric | TerminalPayoff | Reach | Safety | ReachAvoid",
    solver: Literal["auto", "retrograde"] = ...,
) -> "Trace": ...


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None,
    solver: Literal["nmfl", "nmfl-cap", "fraenkel-levy"],
) -> "Film": ...


@overload
def trace(
    game: Game | Graph, *, solver: Literal["nmfl", "nmfl-cap", "fraenkel-levy"]
) -> "Film": ...


@overload
def trace(
    game: Game | Graph,
    objective: "Parity | Buchi | CoBuchi",
    solver: Literal["auto", "zielonka"] = ...,
) -> "Recursion": ...


@overload
def trace(
    game: Game | Graph, objective: "Muller", solver: Literal["auto", "zielonka"] = ...
) -> "ColourRecursion": ...


@overload
def trace(
    game: Game | Graph, objective: "Energy", solver: Literal["auto", "value-iteration"] = ...
) -> "Lifting": ...


@overload
def trace(
    game: Game | Graph,
    objective: "NoReturn | Return | NoRepetition | Repetition",
    solver: Literal["auto", "geography"] = ...,
    start: Hashable | None = ...,
) -> "Settling": ...


@overload
def trace(
    game: Game | Graph,
    objective: Objective | None = ...,
    solver: str = ...,
    start: Hashable | None = ...,
) -> "Steps": ...


@overload
def trace(game: "Value | LiteralForm | LoopyValue") -> "FormTrace": ...


def trace(
    game: "Game | Graph | Value | LiteralForm | LoopyValue",
    objective: Objective | None = None,
    solver: str = "auto",
    start: Hashable | None = None,
) -> Any:
    """How a game is solved, step by step, with the rule of each step; for small games.

    The default ``objective`` is that of the game; for a graph alone it is normal play.

    Of a game that ends, without a ``solver`` (or with "retrograde"), the rounds of retrograde
    analysis come one after the other, as a :class:`Trace`. Every situation is decided in exactly
    one round. Values and distances are those of :func:`zermelo.solve`. Rounds that decide nothing
    are left out.

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
    algorithm, in words that :mod:`zermelo.trace.steps.levels` explains.

    >>> print(trace(Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Buchi([0])))
    priority 2: player 0 attracts 0, 1
    priority 2: player 0 wins all of 0, 1

    Of a Muller game it is the recursion along its Zielonka tree
    (:mod:`zermelo.trace.steps.colour_levels`). Of an energy game, or a mean-payoff game with a
    threshold, it is a :class:`Lifting`: every credit that rises, with the move that needs it
    (:mod:`zermelo.trace.steps.lifting`). Of a game of return or repetition it is a
    :class:`Settling`: the pieces of the graph as they are decided
    (:mod:`zermelo.trace.steps.pieces`), only those that ``start`` depends on if there is one. Other
    games have no trace, and an error says so.

    >>> print(trace(Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")]), zm.NoReturn()))
    piece 0 (plain): won: b; lost: a, c

    Of a literal form of a partizan game it is the simplification: every option that is removed or
    replaced, with the rule (:mod:`zermelo.partizan.text.simplify`).

    >>> print(trace(zm.literal("{0,-1|1}"))[0].reason)
    Left's option -1 is dominated by 0, which is at least as good for Left, so it is removed
    """
    if not isinstance(game, Game | Graph | tuple):
        from zermelo.trace.values import form_trace

        simplification = form_trace(game, objective, solver, start)
        if simplification is not None:
            return simplification
    given = as_game(game, objective, start)
    graph, chosen = given
    row = trace_row(chosen)
    if not isinstance(solver, str) or solver not in row.solvers:
        raise InvalidOptionError(
            f"solver: expected one of {', '.join(row.solvers)} for {chosen.keyword} games, got "
            f"{shown(solver)}"
        )
    if start is not None and not row.takes_start:
        raise InvalidOptionError(
            f"start: a trace of {chosen.keyword} games is of all positions; "
            "its rows of one position are steps.rows(position)"
        )
    at = None if given.start is None or not row.takes_start else graph.index(given.start)
    return row.load()(graph, chosen, solver, at)


@overload
def explain(
    game: "Graph | TerminalSolution",
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> "Reason": ...


@overload
def explain(
    game: "ParitySolution",
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> "CycleExplanation": ...


@overload
def explain(
    game: "MullerSolution",
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> "MemoryExplanation": ...


@overload
def explain(
    game: "QuantitativeSolution",
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> "WorthExplanation": ...


@overload
def explain(
    game: "GeographySolution",
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> "PastExplanation": ...


@overload
def explain(
    game: Game | Solution,
    position: Hashable,
    player: int | None = ...,
    depth: int = ...,
    *,
    width: int = ...,
) -> Explanation: ...


@overload
def explain(
    game: "Value | LoopyValue | LiteralForm | list[Any]",
    *,
    player: int | None = ...,
    depth: int = ...,
    width: int = ...,
) -> "ValueExplanation": ...


def explain(
    game: Any,
    position: Hashable = NO_POSITION,
    player: int | None = None,
    depth: int = 3,
    *,
    width: int = 8,
) -> Any:
    """Why a position has its value or its winner; ``print`` shows it in sentences.

    A graph is solved first, for normal play, and a game for its objective. ``player`` is the player
    to move, if the players alternate. The kind of explanation depends on the game:

    - Of a game that ends it is a :class:`Reason`, a tree of reasons ``depth`` moves deep. Below a
      position with the rule "can" the tree shows the one move that is needed; below other positions
      it shows all moves, at most ``width`` of them, and those that keep the value come first. The
      time is proportional to the tree and the degrees in it.
    - Of a parity, Büchi or co-Büchi game it is a :class:`CycleExplanation`: the cycles that the
      winner's strategy allows, and the loser's best attempt.
    - Of a Muller game it is a :class:`MemoryExplanation`: the winner's memory, and the sets of
      colours that plays can repeat.
    - Of a game with weights it is a :class:`WorthExplanation`: what each move is worth, and the
      play in which both players follow their strategies.
    - Of a game of return or repetition it is a :class:`PastExplanation`: the matching, exit or
      search that decides the start, a play, and a tree of moves.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "t")])
    >>> print(explain(g, "a"))
    a is DRAW: its only move is to b
    └─ b is DRAW: no move wins, and a keeps the draw
       ├─ a is DRAW: as above
       └─ c is WIN in 1: it can move to t
          └─ t is LOSE: there is no move

    A value or a literal form of a partizan game, or a list of them, which is a sum, needs no
    position. Then it is an explanation in sentences (:mod:`zermelo.partizan.analysis.explanation`).

    >>> import zermelo as zm
    >>> print(explain(zm.value("^"), player=1))
    ^: Left wins, no matter who begins.
    It is infinitesimal: play stops at 0, whoever begins.
    If Right begins, Left wins, because every move of Right has an answer.
      Right moves to *. Left answers with 0. Then Right has no move.
    """
    if hasattr(type(game), "shown_solution") and position is not NO_POSITION:  # from rules
        return game.explain(position, player, depth, width=width)
    if not isinstance(game, Graph | Game | Solution):
        from zermelo.trace.values import value_explanation

        explained = value_explanation(game, position, player, depth, width)
        if explained is not None:
            return explained
    if position is NO_POSITION:
        raise InvalidOptionError("expected a position to explain")
    if isinstance(game, Graph | Game):
        game = _solved(as_game(game), position)
    if not isinstance(game, Solution):
        raise InvalidOptionError(
            f"expected a graph, a game or the solution of a game on a graph, got {shown(game)}"
        )
    return game.explain(position, player, depth, width=width)


def _solved(game: Game, position: Hashable) -> Solution:
    """A game solved as far as the explanation of a position needs it."""
    graph, objective = game
    trace_row(objective)
    v = graph.index(position)
    row = choose_solver(objective)
    start = {"start": v} if row.takes_start else {}
    solution: Solution = row.load()(graph, objective, None, **start)
    return solution
