"""Check a strategy that somebody claims: does it win, does it at least never lose, or neither?

A strategy is *winning* from a start if the player who follows it wins whatever the opponent does,
and *nonlosing* if every such play is won or drawn ([Loewe2004] §3.1). The check follows all moves
of the opponent, without a solver. It answers with the worst play for the player.

- If moves depend on the position, or on the memory of a machine, the plays are the ways through a
  finite graph. The worst end that can be reached counts, and infinite play if there is a cycle; in
  games of infinite duration, the cycles whose priorities or colours lose.
- If moves depend on the whole history, and in games of return and repetition, all histories are
  followed. Their number may be exponential, or infinite where play need not end, so there is a
  limit.
"""

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo._inputs.values import flag, one_of, whole_number
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives.base import Objective
from zermelo.objectives.infinite import priorities_on
from zermelo.solutions.answers import Line
from zermelo.verify.common.labels import signs_of
from zermelo.verify.common.plays import Node, Plays
from zermelo.verify.common.strategies import Plan, read_plan

WINNING, NONLOSING, NEITHER = "winning", "nonlosing", "neither"
VERDICTS = {1: WINNING, 0: NONLOSING, -1: NEITHER}
RESULTS = {0: "is a draw", -1: "is lost"}
RETURNS = ("return", "repetition")
"""The games in which the player who repeats wins."""


@dataclass(frozen=True)
class StrategyCheck:
    """What :func:`check_strategy` found out."""

    verdict: str
    """"winning", "nonlosing", or "neither"."""
    reason: str
    """The verdict as a sentence."""
    play: Line | None = None
    """The play that refutes the strategy: a play that is lost, or, if the strategy is nonlosing, a
    play that is a draw; None for a winning strategy."""

    @property
    def ok(self) -> bool:
        """Whether the strategy never loses."""
        return self.verdict != NEITHER

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"


def check_strategy(
    game: Game | Graph,
    strategy: Any,
    player: int,
    start: Hashable | None = None,
    objective: Objective | None = None,
    *,
    first: int = 0,
    history: bool = False,
    limit: int = 100_000,
) -> StrategyCheck:
    """Whether a player's strategy wins from a start, never loses, or neither, with a play.

    ``strategy`` is an array of moves by position number (such as ``solution.move``; of shape (n, 2)
    the column of the player is taken), a mapping from names to names, a function of a position's
    name, a :class:`~zermelo.solutions.machine.Machine`, or a solution. With ``history`` a function
    gets the list of all positions so far. Moves of the opponent and moves at positions that are
    never reached do not matter.

    If the players alternate, player ``first`` moves at the start. The default start and objective
    are those of the game; for a graph alone the objective is normal play. ``limit`` bounds the
    histories that are followed, if moves depend on them.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t"), ("b", "c"), ("c", "b")])
    >>> check_strategy(g, {"a": "t"}, 0, "a").verdict
    'winning'
    >>> check = check_strategy(g, {"a": "b", "c": "b"}, 0, "a")
    >>> print(check)
    nonlosing: the play a → b → a → … is a draw
    >>> print(check_strategy(g, {"b": "a", "c": "b"}, 1, "a").play)
    a → t
    >>> path = zm.generators.path(5, symmetric=True).graph
    >>> check_strategy(zm.Game(path, zm.NoReturn()), {1: 2, 3: 4}, player=1, start=0).verdict
    'winning'
    """
    given = as_game(game, objective, start)
    graph, objective = given
    one_of(player, "player", (0, 1), InvalidOptionError)
    one_of(first, "first", (0, 1), InvalidOptionError)
    limit = whole_number(limit, "limit", 1)
    if given.start is None:
        raise InvalidOptionError("start: expected a position, because the game has no start")
    rules = _rules(given)
    plan = read_plan(graph, strategy, player, given.start, flag(history, "history"))
    at = graph.index(given.start)
    if plan.history or objective.family == "geography":
        return _histories(rules, plan, player, at, first, limit)
    return _graph(rules, plan, player, (at, 0 if graph.owner is not None else first, 0), limit)


@dataclass(frozen=True)
class _Rules:
    """A game as its plays see it; signs are what player 0 gets."""

    game: Game
    end: Callable[[int, int], int | None]
    """The sign of the end of a play at a position with a player to move; None if it goes on."""
    infinite: int | None = None
    """The sign of infinite play, if all infinite plays pay the same."""
    colours: Any = None
    """The colours of each position as bits, and a function of a set of them: who wins."""
    highest: bool = False

    def mover(self, v: int, e: int) -> int:
        """The player to move."""
        owner = self.game.graph.owner
        return e if owner is None else int(owner[v])


def _rules(game: Game) -> _Rules:
    graph, objective = game
    if objective.family == "terminal":
        return _terminal(game)
    if objective.family == "geography":
        if objective.keyword not in ("no-return", "no-repetition", *RETURNS):
            raise _refusal(objective)
        objective.check(graph)
        return _Rules(game, lambda v, e: None)
    if objective.family not in ("parity", "muller"):
        raise _refusal(objective)

    def stuck(v: int, e: int) -> int | None:
        """The owner of a position without moves loses."""
        return None if graph.successors(v).size else 2 * int(graph.owner[v]) - 1

    if objective.family == "parity":
        priority = priorities_on(objective, graph)
        levels, code = np.unique(priority, return_inverse=True)
        bits = [1 << c for c in code.tolist()]
        even = [int(p) % 2 == 0 for p in levels]
        wins = lambda mask: even[mask.bit_length() - 1]  # noqa: E731
        return _Rules(game, stuck, None, (bits, wins), highest=True)
    signals = objective.signals(graph)
    return _Rules(game, stuck, None, (signals.mask.tolist(), lambda m: bool(signals.wins(m))))


def _refusal(objective: Objective) -> InvalidObjectiveError:
    return InvalidObjectiveError(
        f"check_strategy is for games with payoffs at the ends, parity and Muller games, and games "
        f"of return and repetition, but the objective of this game is {objective.keyword}; "
        "verify() of a solution checks the strategies of its own"
    )


def _terminal(game: Game) -> _Rules:
    signs = signs_of(game, "check_strategy")
    owner = game.graph.owner

    def end(v: int, e: int) -> int | None:
        s = 2 * v + e if signs.doubled else v
        mover = e if owner is None else owner[v]
        return int(signs.pays[s]) * (1 - 2 * int(mover)) if signs.ends[s] else None

    return _Rules(game, end, int(signs.infinite[0]) * (1 - 2 * int(signs.mover[0])))


# -------------------------------------------------------------------- by position and memory


def _graph(rules: _Rules, plan: Plan, player: int, start: Node, limit: int) -> StrategyCheck:
    view = 1 if player == 0 else -1
    plays = Plays(
        plan,
        player,
        lambda node: rules.mover(node[0], node[1]),
        lambda node: rules.end(node[0], node[1]) is not None,
    )
    plays.explore((start[0], start[1], plan.initial))
    if plays.fault is not None:
        return _fault(plan, plays.line(plays.path(plays.fault)))
    worst, play = 1, None
    for k, (v, e, _) in enumerate(plays.nodes):
        sign = rules.end(v, e)
        if sign is not None and view * sign < worst:
            worst, play = view * sign, plays.line(plays.path(k))
    if rules.colours is not None:
        bits, wins = rules.colours
        colours = [bits[v] for v, _, _ in plays.nodes]
        lost = lambda mask: wins(mask) == (player == 1)  # noqa: E731
        endless = -1
    else:
        colours = [0] * len(plays.nodes)
        lost = lambda mask: True  # noqa: E731
        assert rules.infinite is not None
        endless = view * rules.infinite
    if endless < worst:
        cycle = plays.bad_cycle(colours, lost, highest=rules.highest, limit=limit)
        if cycle is not None:
            worst, play = endless, cycle
    return _verdict(worst, play)


def _verdict(worst: int, play: Line | None) -> StrategyCheck:
    if play is None:
        return StrategyCheck(WINNING, "every play is won")
    return StrategyCheck(VERDICTS[worst], f"the play {play} {RESULTS[worst]}", play)


def _fault(plan: Plan, line: Line) -> StrategyCheck:
    place = f"after {line}" if len(line) > 1 else f"at {line}"
    return StrategyCheck(NEITHER, f"the strategy has no possible move {place}", line)


# -------------------------------------------------------------------- by the whole history


def _histories(
    rules: _Rules, plan: Plan, player: int, start: int, first: int, limit: int
) -> StrategyCheck:
    """Follow all histories, the shortest first; those with equal futures only once."""
    graph, view = plan.graph, 1 if player == 0 else -1
    geography = rules.game.objective.family == "geography"
    by_arcs = "repetition" in rules.game.objective.keyword
    worst, play = 1, None
    seen = set[Any]()
    waiting = deque[tuple[int, ...]]([(start,)])
    count = 0
    while waiting and worst >= 0:
        walk = waiting.popleft()
        count += 1
        if count > limit:
            raise LimitError(
                f"check_strategy followed {limit:,} histories, and there are more; set limit to "
                "allow more, or give moves by position or a machine where play need not end"
            )
        v, e = walk[-1], (first + len(walk) - 1) % 2
        sign, moves = _situation(rules, walk, v, e)
        if sign is not None:
            if view * sign < worst:
                worst, play = view * sign, Line(graph.name(u) for u in walk)
            continue
        if rules.mover(v, e) == player:
            w = plan.choose(v, plan.initial, list(walk))
            if w is None or w not in moves:
                return _fault(plan, Line(graph.name(u) for u in walk))
            moves = [w]
        for w in moves:
            after = (*walk, w)
            if geography and not plan.history:
                past = (v, frozenset(pairwise(walk))) if by_arcs else frozenset(walk)
                key = (w, e, past)
                if key in seen:
                    continue
                seen.add(key)
            waiting.append(after)
    return _verdict(worst, play)


def _situation(
    rules: _Rules, walk: tuple[int, ...], v: int, e: int
) -> tuple[int | None, list[int]]:
    """What player 0 gets if play has ended, else the legal moves."""
    objective: Any = rules.game.objective
    moves: list[int] = rules.game.graph.successors(v).tolist()
    if objective.family != "geography":
        return rules.end(v, e), moves
    own = 1 if e == 0 else -1
    by_arcs = "repetition" in objective.keyword
    arcs = list(pairwise(walk))
    if objective.keyword in RETURNS:
        repeated = bool(arcs) and (arcs[-1] in arcs[:-1] if by_arcs else v in walk[:-1])
        if repeated:
            return -own, []  # the other player has just repeated, and wins
        return (None if moves else own), moves
    used = set(arcs)
    fresh = [w for w in moves if ((v, w) not in used if by_arcs else w not in walk)]
    if fresh:
        return None, fresh
    return own * int(objective.stuck if moves else objective.terminal), []
