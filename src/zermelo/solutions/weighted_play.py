"""Values of games with weights as text, and what a line of play collects."""

import itertools
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.objectives.quantitative import Quantitative
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution

MOST_DIGITS = 1000
"""The most digits of a number that is written exactly."""

_LARGE = 10**MOST_DIGITS


def value_text(value: Any) -> str:
    """A value as text: ``7/3``, ``4``, ``inf``; a fraction of very many digits is rounded.

    >>> value_text(Fraction(7, 3)), value_text(Fraction(4)), value_text(float("-inf"))
    ('7/3', '4', '-inf')
    >>> value_text(Fraction(2 ** 5000 + 1, 2 ** 5000))
    '≈1.0'
    >>> value_text(Fraction(-(10 ** 5000), 3))
    '≈-3.3333333333333333E+4999'
    """
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) >= _LARGE:
        return f"≈{_rounded(value)}"
    return str(value)


def short_value(value: Any, digits: int = 24) -> str:
    """A value for a table or a picture: a long fraction is rounded.

    >>> short_value(Fraction(7, 3)), short_value(Fraction(10 ** 30 + 1, 3 * 10 ** 30))
    ('7/3', '≈0.333333')
    """
    text = value_text(value)
    if len(text) <= digits or not isinstance(value, Fraction):
        return text
    return f"≈{_rounded(value):.6g}"


def _rounded(value: Fraction) -> float | Decimal:
    """The nearest float; a decimal number if the value is beyond the range of floats."""
    try:
        near = float(value)
    except OverflowError:
        near = 0.0
    if near:
        return near
    return Context(prec=17).divide(Decimal(value.numerator), Decimal(value.denominator))


def json_value(value: Any) -> int | str:
    """A value for JSON: an integer, or the text of a fraction or of ±∞.

    >>> json_value(Fraction(4)), json_value(Fraction(7, 3)), json_value(float("inf"))
    (4, '7/3', 'inf')
    """
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, Fraction) and value.denominator == 1 and abs(value) < _LARGE:
        return int(value)
    return value_text(value)


class Collected(NamedTuple):
    """The weights of a line of play: of all its moves, and of those that it repeats for ever."""

    weights: list[int]
    cycle: list[int]

    @property
    def mean(self) -> Fraction | None:
        """The mean of the weights of the cycle; None if play ends."""
        return Fraction(sum(self.cycle), len(self.cycle)) if self.cycle else None

    def __str__(self) -> str:
        if not self.weights:
            return ""
        if self.mean is None:
            return f"the weights add up to {sum(self.weights):,}"
        before = self.weights[: len(self.weights) - len(self.cycle)]
        first = f"the weights add up to {sum(before):,}, then " if before else ""
        return f"{first}each round adds {sum(self.cycle):,}: the mean is {self.mean}"


def collected(solution: Solution, line: Line) -> Collected | None:
    """The weights of the moves of a line; None if the game has no weights.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "b")], owner=[0, 1])
    >>> s = zm.solve(g, zm.Energy({("a", "b"): -3, ("b", "b"): 2}))
    >>> print(collected(s, s.line("a")))
    the weights add up to -3, then each round adds 2: the mean is 2
    """
    objective, graph = solution.objective, solution.graph
    if not isinstance(objective, Quantitative):
        return None
    weight = objective.weights(graph)
    places = [graph.index(x) for x in line]
    found = []
    for u, v in itertools.pairwise(places):
        first = int(graph.indptr[u])
        found.append(int(weight[first + int(np.searchsorted(graph.successors(u), v))]))
    return Collected(found, [] if line.cycle is None else found[line.cycle :])
