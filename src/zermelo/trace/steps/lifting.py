"""The least credits of an energy game, raised one by one from 0, in plain Python.

Each step raises the credit of one situation to what its moves need. The *need* of a move to v with
the weight w is what is missing for the credit of v, max(0, credit(v) − w).

=========  ========================================================================================
rule       why the credit rises
=========  ========================================================================================
stuck      player 0 has no move, so no credit suffices
best       player 0 is to move, and even the move that needs least needs more than the credit
worst      player 1 is to move, and one of his moves needs more than the credit
=========  ========================================================================================

A credit that would be greater than the capacity, or than all weights that can be lost on a path
without cycles, becomes infinite: no credit suffices. Every raise is forced, so the credits at the
end are the least ones. In a mean-payoff game with the threshold p/q the weights are q w − p, and
player 0 wins where some credit suffices.

Reference: [BrimEtAl2011]. The number of steps can be proportional to the weights; this is meant for
small games.
"""

import math
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import Player
from zermelo.objectives import Energy, MeanPayoff, Objective
from zermelo.objectives.quantitative import Quantitative
from zermelo.trace.steps.base import Row, Steps, plain_record

MOST_STEPS = 100_000

Credit = int | float
"""A number from 0 on, or infinity."""


@dataclass(frozen=True)
class Lift:
    """One credit that rises."""

    time: int
    position: Hashable
    player: Player
    """The player to move."""
    before: Credit
    after: Credit
    rule: str
    move: Hashable | None
    """The move that the credit is needed for; None if there is no move."""
    weight: int | None
    """The weight of this move."""

    def __str__(self) -> str:
        rises = f"{self.position}, player {int(self.player)}: {self.before} → {_text(self.after)}"
        return f"step {self.time}: {rises} ({self.rule}{self._by()})"

    def _by(self) -> str:
        return "" if self.move is None else f": {self.move}, weight {self.weight}"


class Lifting(Steps):
    """The credits of an energy game as they rise; made by :func:`zermelo.trace`.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "a")], owner=[0, 1])
    >>> print(zm.trace(g, zm.Energy({("a", "b"): -3, ("b", "a"): 2, ("a", "a"): -1})))
    step 1: a, player 0: 0 → 1 (best: a, weight -1)
    step 2: a, player 0: 1 → 2 (best: a, weight -1)
    step 3: a, player 0: 2 → 3 (best: a, weight -1)
    step 4: b, player 1: 0 → 1 (worst: a, weight 2)
    step 5: a, player 0: 3 → ∞ (best: a, weight -1)
    step 6: b, player 1: 1 → ∞ (worst: a, weight 2)
    """

    columns = ("time", "position", "player", "before", "after", "rule", "move", "weight")

    def __init__(self, graph: Graph, objective: Quantitative) -> None:
        self.graph = graph
        self.doubled = graph.owner is None
        weights = objective.weights(graph).tolist()
        if isinstance(objective, MeanPayoff) and isinstance(objective.threshold, Fraction):
            p, q = objective.threshold.numerator, objective.threshold.denominator
            weights = [q * w - p for w in weights]
        self._moves = self._situations(weights)
        self._before: list[list[int]] = [[] for _ in self._moves]
        for s, row in enumerate(self._moves):
            for t, _ in row:
                self._before[t].append(s)
        losses = (max([0, *(-w for _, w in row)]) for row in self._moves)
        self.most: int = sum(losses)
        """No finite credit is greater."""
        capacity = objective.capacity if isinstance(objective, Energy) else None
        if capacity is not None:
            self.most = min(capacity, self.most)
        self.credit: list[Credit] = [0] * len(self._moves)
        """The least credit of each situation: ``credit[v]``, or ``credit[2 * v + player]`` where
        the players alternate; infinite where none suffices."""
        self.steps = list(self._run())

    def _situations(self, weights: list[int]) -> list[list[tuple[int, int]]]:
        graph, found = self.graph, []
        for v in range(graph.n):
            first = int(graph.indptr[v])
            row = [(w, weights[first + k]) for k, w in enumerate(graph.successors(v).tolist())]
            if self.doubled:
                found += [[(2 * w + 1 - e, x) for w, x in row] for e in (0, 1)]
            else:
                found.append(row)
        return found

    def _mover(self, s: int) -> int:
        return s & 1 if self.graph.owner is None else int(self.graph.owner[s])

    def _name(self, s: int) -> Hashable:
        return self.graph.name(s >> 1 if self.doubled else s)

    def _run(self) -> Iterator[Lift]:
        waiting = deque(range(len(self._moves)))
        inside = set(waiting)
        time = 0
        # Invariant: the credits are at most the least ones that suffice, and every situation that
        # is not waiting has at least what its moves need.
        while waiting:
            s = waiting.popleft()
            inside.discard(s)
            need, rule, t, weight = self._need(s)
            if need <= self.credit[s]:
                continue
            time += 1
            if time > MOST_STEPS:
                raise InvalidOptionError(
                    f"the credits rise in more than {MOST_STEPS:,} steps; zm.solve finds the least "
                    "ones, and zm.explain says why"
                )
            before, self.credit[s] = self.credit[s], need
            move = None if t is None else self._name(t)
            player = Player(self._mover(s))
            yield Lift(time, self._name(s), player, before, need, rule, move, weight)
            for u in self._before[s]:
                if u not in inside:
                    inside.add(u)
                    waiting.append(u)

    def _need(self, s: int) -> tuple[Credit, str, int | None, int | None]:
        """What a situation needs: the credit, the rule, and the move with its weight."""
        row, mover = self._moves[s], self._mover(s)
        if not row:
            return (math.inf, "stuck", None, None) if mover == 0 else (0, "stuck", None, None)
        needs = [max(0, self.credit[t] - w) for t, w in row]
        need = min(needs) if mover == 0 else max(needs)
        t, weight = row[needs.index(need)]
        rule = "best" if mover == 0 else "worst"
        return (need if need <= self.most else math.inf), rule, t, weight

    # ---------------------------------------------------------------- showing

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"Lifting({self.graph!r}: {len(self):,} steps)"

    @property
    def header(self) -> tuple[str, ...]:
        """The columns."""
        return ("step", *self.columns[1:])

    def _about(self, position: Hashable | None) -> Iterator[Lift]:
        name = self._known(position)
        return (x for x in self.steps if name is None or x.position == name)

    def rows(self, position: Hashable | None = None) -> Iterator[Row]:
        """A row for each credit that rises."""
        for x in self._about(position):
            credits = (x.before, _text(x.after))
            yield (x.time, x.position, int(x.player), *credits, x.rule, x.move, x.weight)

    def records(self, position: Hashable | None = None) -> Iterator[dict[str, Any]]:
        """The steps as plain data; an infinite credit is None."""
        for x in self._about(position):
            after = None if x.after == math.inf else x.after
            yield {"step": x.time} | plain_record(x, self.columns[1:], after=after)


def _text(credit: Credit) -> str:
    return "∞" if credit == math.inf else str(credit)


def quantitative_steps(
    graph: Graph, objective: Objective, solver: str, start: int | None
) -> Lifting:
    """The rising credits of an energy game, or of a mean-payoff game with a threshold.

    >>> import zermelo as zm
    >>> g = Graph.from_edges([(0, 0)], owner=[0])
    >>> quantitative_steps(g, zm.Discounted([1]), "auto", None)
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: discounted games have no trace: their values come from \
strategies that improve as a whole; zm.solve finds them, and zm.explain says why a position has \
its value
    """
    threshold = getattr(objective, "threshold", None)
    if isinstance(objective, Energy) or (
        isinstance(objective, MeanPayoff) and threshold is not None
    ):
        return Lifting(graph, objective)
    way = "their values come from strategies that improve as a whole"
    if isinstance(objective, MeanPayoff):
        way = (
            "their values come from many thresholds, and only a game with one threshold has a trace"
        )
    elif objective.keyword == "shortest-path":
        way = "their values come from several games that are solved one after the other"
    raise InvalidObjectiveError(
        f"{objective.keyword} games have no trace: {way}; zm.solve finds them, and zm.explain says "
        "why a position has its value"
    )
