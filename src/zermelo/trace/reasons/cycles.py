"""Why a player wins a parity, Büchi or co-Büchi game: the cycles that her strategy allows.

Let W be the winner and L the other player. The strategy of W leaves L a graph of plays, the
*plays* from the position. The reasons are facts about this graph:

1. L is stuck wherever a play ends.
2. If a play goes on for ever, the highest priority that it sees infinitely often is the highest of
   some cycle. ``decisive`` are the highest priorities of all cycles; each has the parity of W.
3. ``bounds``: a priority of L is seen at most so many times before a higher one is seen; the number
   is attained. So no priority of L is the highest one for ever.
4. ``line``: the best attempt of L goes round a cycle with the highest priority of his that lies on
   a cycle. It has a higher one of W.

The solution is checked before, so that nothing is explained that is wrong.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.labels import Player
from zermelo.objectives.infinite import priorities_on
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution
from zermelo.trace.priorities import Terms, terms_of
from zermelo.trace.reasons.explanation import Explanation, count, play_text, rolled, some
from zermelo.verify.common.plays import Plays
from zermelo.verify.common.strategies import Plan
from zermelo.verify.common.strong import strong_components

MOST_WORK = 300_000
"""The bounds are computed if the moves times the priorities of the loser are no more than this."""


@dataclass(frozen=True)
class CycleExplanation(Explanation):
    """Why one player wins from a position of a parity, Büchi or co-Büchi game.

    Priorities are those that the user gave; in a Büchi or co-Büchi game the set has the higher one
    of two priorities.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "b"), ("c", "c")], owner=[1, 0, 0])
    >>> print(zm.solve(g, zm.Parity({"a": 3, "b": 2, "c": 1})).explain("a"))
    player 0 wins from a
    every play that follows her strategy stays in a, b and c
    if it goes on for ever, the highest priority that it sees infinitely often is 2
    the best attempt of player 1 is a → (b → c): he sees 1 infinitely often, but also 2
    priority 1 is seen at most 1 time before a higher one is seen
    priority 3 is seen at most 1 time
    """

    position: Hashable
    player: Player
    """The owner of the position."""
    winner: Player
    move: Hashable | None
    """The winner's move; None if the position is not hers."""
    region: tuple[Hashable, ...]
    """The positions that plays reach."""
    ends: tuple[Hashable, ...]
    """Those of them at which the loser is stuck."""
    decisive: tuple[int, ...]
    """The priorities that are the highest of some cycle."""
    attempt: int | None
    """The priority of the loser that ``line`` sees infinitely often; None if no cycle has one."""
    priority: int | None
    """The highest priority of the cycle of ``line``; None if the play ends."""
    line: Line
    """A play against the strategy: the loser's best attempt."""
    bounds: Mapping[int, int] | None
    """How often each priority of the loser is seen at most before a higher one is seen; None if
    the game is too large to know."""
    extreme: int
    """The highest priority that plays see at all."""
    terms: Terms

    def sentences(self) -> tuple[str, ...]:
        """The answer, the region, the decisive priorities, the best attempt, and the bounds."""
        by = "" if self.move is None else f" by moving to {self.move}"
        found = [f"player {int(self.winner)} wins from {self.position}{by}"]
        only = len(self.region) == 1
        if self.ends and not self.decisive and only:
            return (*found, f"player {1 - self.winner} is stuck there")
        found.append(f"every play that follows her strategy stays in {some(self.region)}")
        if self.decisive:
            found.append(self._decides())
        if self.ends:
            where = some(self.ends, "or")
            found.append(f"if it ends, it ends at {where}, where player {1 - self.winner} is stuck")
        found.append(self._attempt())
        found += [self._bound(p, k) for p, k in (self.bounds or {}).items()]
        return tuple(found)

    def _decides(self) -> str:
        if not self.terms.targets:
            seen = some(self.decisive, "or")
            return (
                f"if it goes on for ever, the {self.terms.highest} priority that it sees "
                f"infinitely often is {seen}"
            )
        often = "infinitely" if self.terms.top in self.decisive else "only finitely"
        return f"if it goes on for ever, it visits {self.terms.targets} {often} often"

    def _attempt(self) -> str:
        line, loser = play_text(self.line), 1 - self.winner
        if self.attempt is None:
            return f"an example is {line}"
        if self.terms.targets:
            return f"the best attempt of player {loser} is {line}"
        return (
            f"the best attempt of player {loser} is {line}: he sees {self.attempt} infinitely "
            f"often, but also {self.priority}"
        )

    def _bound(self, p: int, k: int) -> str:
        targets, times = self.terms.targets, count(k, "time")
        if not targets:
            then = "" if p == self.extreme else f" before a {self.terms.higher} one is seen"
            return f"priority {p} is seen at most {times}{then}"
        if p == self.terms.top:
            return f"{targets} is visited at most {times}"
        verb = "is" if k == 1 else "are"
        return f"at most {count(k, 'position')} in a row {verb} outside {targets}"

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        found = super().to_dict()
        del found["terms"]
        return found


def explain_parity(
    solution: Solution, position: Hashable, player: int | None, depth: int, width: int
) -> CycleExplanation:
    """The explanation of a position of a parity, Büchi or co-Büchi game."""
    if not isinstance(solution, ParitySolution):
        raise InvalidOptionError(f"expected the solution of a parity game, got {solution!r}")
    graph, v = solution.graph, solution.graph.index(position)
    owner = solution._situation(v, player)[1]
    assert owner is not None
    solution.verify()
    winner = int(solution.winner[v])
    plays = winners_plays(solution, v, winner)
    priority = priorities_on(solution.objective, graph).tolist()
    facts = _Facts(plays, [priority[u] for u, _, _ in plays.nodes], winner)
    terms = terms_of(solution.objective, graph)
    given = terms.given
    line, attempt, top = facts.attempt()
    bounds = None
    if len(facts.of_loser) * sum(map(len, plays.moves)) <= MOST_WORK:
        bounds = {given[q]: facts.bound(q) for q in facts.of_loser}
    names = [graph.name(u) for u, _, _ in plays.nodes]
    return CycleExplanation(
        graph.name(v),
        owner,
        Player(winner),
        graph.name(int(solution.strategy[v])) if owner == winner else None,
        tuple(names),
        tuple(x for x, after in zip(names, plays.moves, strict=True) if not after),
        tuple(given[p] for p in facts.decisive()),
        None if attempt is None else given[attempt],
        None if top is None else given[top],
        line,
        bounds,
        given[facts.levels[-1]],
        terms,
    )


def winners_plays(solution: ParitySolution, v: int, winner: int) -> Plays:
    """All plays from a position in which the winner follows her strategy."""
    graph, strategy = solution.graph, solution.strategy
    assert graph.owner is not None
    owner = graph.owner
    plays = Plays(
        Plan(graph, lambda u, memory, walk: int(strategy[u])),
        winner,
        lambda node: int(owner[node[0]]),
        lambda node: False,
    )
    plays.explore((v, 0, 0))
    return plays


class _Facts:
    """What holds for the cycles in a graph of plays."""

    def __init__(self, plays: Plays, priority: list[int], winner: int) -> None:
        self.plays, self.priority, self.winner = plays, priority, winner
        self.levels = sorted(set(priority))
        self.of_loser = [p for p in self.levels if p % 2 != winner]

    def decisive(self) -> list[int]:
        """The priorities that are the highest of some cycle, by bisection.

        The *key* of a move is the higher priority of its two ends. A priority q is the highest of a
        cycle iff a move of key q lies within a strong component of the moves of key at most q. The
        components for the middle q are computed. Moves within one are searched for lower q; all
        others for higher q, with the components contracted: each move is in one half only.
        """
        code = {p: k for k, p in enumerate(self.levels)}
        pairs = [(k, t) for k, after in enumerate(self.plays.moves) for t in after]
        source, target = np.array(pairs, np.int64).reshape(-1, 2).T
        level = np.array([code[p] for p in self.priority], np.int64)
        key = np.maximum(level[source], level[target])
        found: list[int] = []
        waiting = [(0, len(self.levels) - 1, source, target, key)]
        while waiting:
            low, high, source, target, key = waiting.pop()
            if not source.size:
                continue
            middle = (low + high) // 2
            kept = key <= middle
            component = strong_components(len(self.priority), source[kept], target[kept])
            ends = (source, target)
            source, target = component[source], component[target]
            inside = kept & (source == target)
            if low == high:
                if inside.any():
                    found.append(self.levels[low])
                continue
            # The moves within components keep their ends: inside they are searched again.
            waiting.append((low, middle, *(x[inside] for x in (*ends, key))))
            waiting.append((middle + 1, high, *(x[~inside] for x in (source, target, key))))
        return sorted(found)

    def attempt(self) -> tuple[Line, int | None, int | None]:
        """The loser's best play, his priority on its cycle, and the highest one there."""
        plays, priority = self.plays, self.priority
        parts = plays.components(range(len(priority)))
        if not parts:
            end = next(k for k, after in enumerate(plays.moves) if not after)
            return plays.line(plays.path(end)), None, None
        own = [(priority[k], -k) for part in parts for k in part if priority[k] % 2 != self.winner]
        first = -max(own)[1] if own else min(part[0] for part in parts)
        inside = next(set(part) for part in parts if first in part)
        cycle = plays.way(first, first, inside)
        line = rolled(plays.line(plays.path(first), cycle))
        return line, priority[first] if own else None, max(priority[k] for k in cycle)

    def bound(self, q: int) -> int:
        """How often a play sees priority q at most without a higher one in between."""
        inside = [k for k, p in enumerate(self.priority) if p <= q]
        before: dict[int, list[int]] = {k: [] for k in inside}
        for k in inside:
            for t in self.plays.moves[k]:
                if t in before:
                    before[t].append(k)
        most = {k: int(self.priority[k] == q) for k in inside}
        waiting = list(inside)
        # Invariant: most[k] positions of priority q are on some play from k; the waiting ones have
        # predecessors for which this may be raised. No cycle has q as its highest priority, so the
        # numbers are bounded.
        while waiting:
            raised = set[int]()
            for t in waiting:
                for k in before[t]:
                    seen = most[t] + int(self.priority[k] == q)
                    if seen > most[k]:
                        most[k] = seen
                        raised.add(k)
            waiting = sorted(raised)
        return max(most.values(), default=0)
