"""Why a position of a game with weights has its value: what each of its moves is worth.

Every value is the best that a move offers: the greatest worth for player 0, the least for player 1.

=================  =================================================================================
energy             a move needs what is missing for the credit of the next position; less is better
                   for player 0, and a capacity bounds it
mean payoff        the worth of a move is the value of the next position
discounted         the weight of the move, and the discount times the value of the next position
shortest path      the weight of the move and the value of the next position
=================  =================================================================================

This equation alone proves nothing, as plays may go on for ever. So the explanation also has the
play in which both players follow their strategies, with the weights that it collects, and for mean
payoffs the potentials along the move. The solution is checked before, so that nothing is explained
that is wrong.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_CREDIT, NO_MOVE, Player
from zermelo.objectives import Discounted, Energy, MeanPayoff, ShortestPath
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution
from zermelo.solutions.quantitative import EnergySolution, MeanPayoffSolution, QuantitativeSolution
from zermelo.solutions.weighted_play import Collected, collected, json_value, short_value
from zermelo.trace.reasons.explanation import Explanation, play_text, some
from zermelo.trace.steps.base import line_record, plain_name, plain_record

Worth = Fraction | float | int
"""An exact number, or ±∞."""


@dataclass(frozen=True)
class Choice:
    """One move of a position, and what it is worth."""

    move: Hashable
    weight: int
    worth: Worth
    best: bool


@dataclass(frozen=True)
class WorthExplanation(Explanation):
    """Why a position of a game with weights has its value.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "b")], owner=[0, 1])
    >>> weight = {("a", "b"): -3, ("b", "a"): 2, ("b", "b"): 1}
    >>> print(zm.solve(g, zm.MeanPayoff(weight)).explain("b"))
    b, player 1 to move, has the value -1/2
    its moves are worth -1/2 (a) and -1/2 (b), and player 1 takes the least
    both players' best play is (b → a): each round adds -1: the mean is -1/2
    the potentials of player 1 prove the mean along this move: 5 + (-5) ≥ 0
    """

    position: Hashable
    player: Player
    """The player to move."""
    kind: str
    """The keyword of the objective."""
    value: Worth
    """The value; in energy games the least credit, ∞ if none suffices. With a threshold p/q it is
    the least credit for the weights q w − p."""
    threshold: Fraction | None
    choices: tuple[Choice, ...]
    line: Line
    """The play in which both players follow their strategies."""
    sums: Collected
    """The weights that the play collects."""
    potential: tuple[int, int, int] | None
    """Of a mean payoff p/q: the mover's potential here, ± (q w − p) for the weight w of the move,
    and the potential after the move; the first two add up to the third or to more."""
    ended: str
    """Why play ends here; empty if it goes on."""

    @property
    def least(self) -> bool:
        """Whether the player to move takes the least worth."""
        energy = self.kind == "energy" or self.threshold is not None
        return (self.player == 0) == energy

    def sentences(self) -> tuple[str, ...]:
        """The answer, the worth of the moves, the play, and the potentials."""
        found = [f"{self.position}, player {int(self.player)} to move, {self._answer()}"]
        if self.ended:
            return (*found, self.ended)
        worths = [f"{_text(x.worth)} ({x.move})" for x in self.choices]
        needs = self.kind == "energy" or self.threshold is not None
        if len(worths) == 1:
            found.append(f"its only move {'needs' if needs else 'is worth'} {worths[0]}")
        else:
            verb, which = "need" if needs else "are worth", "least" if self.least else "greatest"
            found.append(
                f"its moves {verb} {some(worths)}, and player {int(self.player)} takes the {which}"
            )
        if self.line:
            pays = f"it pays {_text(self.value)}" if self.kind == "discounted" else str(self.sums)
            found.append(f"both players' best play is {play_text(self.line)}: {pays}")
        if self.potential is not None:
            here, gain, there = self.potential
            found.append(
                f"the potentials of player {int(self.player)} prove the mean along this move: "
                f"{here} + {_signed(gain)} ≥ {there}"
            )
        return tuple(found)

    def _answer(self) -> str:
        value = _text(self.value)
        if self.threshold is not None and self.value == math.inf:
            return f"has a mean of less than {self.threshold}"
        if self.threshold is not None:
            p, q = self.threshold.numerator, self.threshold.denominator
            weights = f"{'' if q == 1 else f'{q} '}w {'+' if p < 0 else '−'} {abs(p)}"
            return (
                f"has a mean of at least {self.threshold}: for the weights {weights} the credit "
                f"{value} suffices, and no less"
            )
        if self.kind != "energy":
            return f"has the value {value}"
        if self.value == math.inf:
            return "is won by player 1: no credit suffices"
        return f"is won by player 0 with the credit {value}, and with no less"

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        return {
            "position": plain_name(self.position),
            "player": int(self.player),
            "objective": self.kind,
            "value": None if self.threshold is not None else json_value(self.value),
            "threshold": None if self.threshold is None else json_value(self.threshold),
            "choices": [plain_record(x, worth=json_value(x.worth)) for x in self.choices],
            "line": line_record(self.line),
            "weights": self.sums.weights,
            "mean": None if self.sums.mean is None else json_value(self.sums.mean),
            "potential": None if self.potential is None else list(self.potential),
            "sentences": list(self.sentences()),
        }


def _text(value: Worth) -> str:
    if isinstance(value, float):
        return "∞" if value > 0 else "−∞"
    return short_value(value)


def _signed(number: int) -> str:
    return f"({number})" if number < 0 else str(number)


def explain_quantitative(
    solution: Solution, position: Hashable, player: int | None, depth: int, width: int
) -> WorthExplanation:
    """The explanation of a position of a game with weights."""
    if not isinstance(solution, QuantitativeSolution):
        raise InvalidOptionError(f"expected the solution of a game with weights, got {solution!r}")
    s, mover = solution._situation(solution.graph.index(position), player)
    assert mover is not None
    solution.verify()
    return _Reader(solution, s, mover).explanation()


class _Reader:
    """One situation of a solution, and its moves."""

    def __init__(self, solution: QuantitativeSolution, s: int, mover: Player) -> None:
        self.solution, self.s, self.mover = solution, s, mover
        objective: Any = solution.objective
        self.objective, self.graph = objective, solution.graph
        self.v = s >> 1 if solution.doubled else s
        first = int(self.graph.indptr[self.v])
        row = self.graph.successors(self.v).tolist()
        weights = objective.weights(self.graph)
        self.moves = [(w, int(weights[first + k])) for k, w in enumerate(row)]

    def explanation(self) -> WorthExplanation:
        solution, name = self.solution, self.graph.name
        ended = self._ended()
        value = self._value(self.s)
        threshold = getattr(self.objective, "threshold", None)
        chosen = NO_MOVE if ended else int(solution.strategy.reshape(-1)[self.s])
        choices = (
            ()
            if ended
            else tuple(
                Choice(name(w), weight, (worth := self._worth(w, weight)), worth == value)
                for w, weight in self.moves
            )
        )
        line = Line() if ended or not self._has_line() else solution.line(name(self.v), self.mover)
        sums = collected(solution, line) if line else Collected([], [])
        assert sums is not None
        return WorthExplanation(
            name(self.v), self.mover, self.objective.keyword, value, threshold, choices, line, sums,
            self._potential(chosen) if chosen >= 0 else None, ended,
        )  # fmt: skip

    def _after(self, w: int) -> int:
        return 2 * w + 1 - (self.s & 1) if self.solution.doubled else w

    def _ended(self) -> str:
        if (
            isinstance(self.objective, ShortestPath)
            and self.graph.mask(self.objective.targets)[self.v]
        ):
            return "it is a target, so play ends here"
        return "" if self.moves else f"player {int(self.mover)} is stuck there and loses"

    def _value(self, s: int) -> Worth:
        if isinstance(self.solution, EnergySolution):
            credit = int(self.solution.credit.reshape(-1)[s])
            return math.inf if credit == NO_CREDIT else credit
        value: Worth = self.solution._value(s)
        return value

    def _worth(self, w: int, weight: int) -> Worth:
        """What a move is worth."""
        value, objective = self._value(self._after(w)), self.objective
        if isinstance(self.solution, EnergySolution):
            if objective.keyword != "energy":
                weight = objective.threshold.denominator * weight - objective.threshold.numerator
            need = max(0, value - weight)
            capacity = getattr(objective, "capacity", None)
            return math.inf if capacity is not None and need > capacity else need
        if isinstance(objective, Discounted) and not isinstance(value, float):
            assert isinstance(objective.discount, Fraction)
            return weight + objective.discount * value
        if isinstance(objective, ShortestPath) and not isinstance(value, float):
            return weight + value
        return value

    def _has_line(self) -> bool:
        """Whether both players have strategies; with a capacity player 1 may need memory."""
        return not (isinstance(self.objective, Energy) and self.objective.capacity is not None)

    def _potential(self, w: int) -> tuple[int, int, int] | None:
        """The potentials of the mover along a move that keeps a finite value."""
        solution, t = self.solution, self._after(w)
        if not isinstance(solution, MeanPayoffSolution) or not isinstance(
            self.objective, MeanPayoff
        ):
            return None
        value = self._value(self.s)
        if isinstance(value, float) or self._value(t) != value:
            return None
        assert isinstance(value, Fraction)
        weight = dict(self.moves)[w]
        gain = value.denominator * weight - value.numerator
        array = (solution.lower, solution.upper)[self.mover].reshape(-1)
        return int(array[self.s]), gain if self.mover == 0 else -gain, int(array[t])
