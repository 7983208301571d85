"""The checker of discounted games: NumPy and plain Python, no code of the solvers.

The strategies of both players are the certificate: they determine a play from each situation, and
its value. This is checked:

1. *Infinite values.* Where ``stuck`` is not −1, the label says who wins. The winner's strategy and
   every move of the loser lead to such a situation of the same winner with a smaller ``stuck``; so
   the loser gets stuck.
2. *Finite values.* Elsewhere the strategies lead to situations of this kind, and no other move is
   better: for player 0, weight + discount · value(v) ≤ value(u) for all moves to a finite v,
   and no move leads to +∞; for player 1, the same with ≥ and −∞. So both strategies are optimal.
3. *Labels* are the signs of the values.

Values are computed as integers, in units of 2⁻ᴮ, rounded down. The error of a sum is at most one
unit for each step, which later steps multiply by the discount, so it is below 1 / (1 − discount)
units. A comparison that is closer than that is made with exact fractions.
"""

from fractions import Fraction

import numpy as np

from zermelo._runtime import memory
from zermelo.errors import CertificateError
from zermelo.labels import AnyArray, BoolArray, Int64Array
from zermelo.objectives import Discounted
from zermelo.solutions.quantitative import DiscountedSolution, QuantitativeSolution
from zermelo.verify.common.weighted import Claim, read_claim

BITS = 128
"""The number of binary digits after the point."""


def check_discounted(solution: QuantitativeSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "a")], owner=[0, 1])
    >>> weight = {("a", "b"): -3, ("b", "a"): 4, ("a", "a"): 1}
    >>> right = zm.solve(g, zm.Discounted(weight))
    >>> check_discounted(right)
    >>> check_discounted(dataclasses.replace(right, strategy=np.array([1, 0], np.int32)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 0 to move: expected no better move, \
the solution claims otherwise; see the move to 'a'
    """
    claim = read_claim(solution, DiscountedSolution)
    objective = solution.objective
    if not isinstance(objective, Discounted) or not isinstance(objective.discount, Fraction):
        raise CertificateError(f"objective: expected a discounted game, got {objective.keyword!r}")
    stuck = claim.flat("stuck")
    claim.need_array("stuck", stuck >= -1, "from 0 on, or -1")
    _check_infinite(claim, stuck)
    plays = _Plays(claim, objective.discount, stuck < 0)
    _check_finite(claim, plays, stuck < 0)


def _check_infinite(claim: Claim, stuck: Int64Array) -> None:
    """Condition 1, and where strategies are."""
    u, v, owner = claim.source, claim.target, claim.owner
    ends = stuck >= 0
    winner = np.where(claim.level == 2, 0, 1)
    claim.need(~ends | (claim.level != 1), "a winner, because the value is infinite")
    claim.need(claim.moves | (ends & (winner != owner)), "that whoever is stuck has lost")
    claim.choices(claim.moves & (~ends | (winner == owner)))
    led = ends[u] & (claim.chosen | (owner[u] != winner[u]))
    nearer = ends[v] & (winner[v] == winner[u]) & (stuck[v] < stuck[u])
    claim.need_moves(~led | nearer, "that the loser comes nearer to being stuck")
    own = ~ends[u] & ends[v] & (winner[v] == owner[u])
    claim.need_moves(~own, "an infinite value, because a move leads to one")
    out = ~ends[u] & claim.chosen & ends[v]
    claim.need_moves(~out, "a move to where the value is finite")


class _Plays:
    """Values of the plays that follow the strategies: integers near them, and exact fractions."""

    def __init__(self, claim: Claim, discount: Fraction, finite: BoolArray) -> None:
        self.a, self.b = discount.numerator, discount.denominator
        self.discount = discount
        self.error = self.b // (self.b - self.a) + 2
        chosen = claim.chosen & finite[claim.source]
        self.step = dict(
            zip(claim.source[chosen].tolist(), claim.target[chosen].tolist(), strict=True)
        )
        self.weight = dict(
            zip(claim.source[chosen].tolist(), claim.weight[chosen].tolist(), strict=True)
        )
        self.near: dict[int, int] = {}
        self.exact: dict[int, Fraction] = {}
        for s in self.step:
            self._approach(s)

    def _path(self, s: int, known: "dict[int, int] | dict[int, Fraction]") -> tuple[list[int], int]:
        """The play until it comes to a known situation or closes a cycle; where that is."""
        path: list[int] = []
        place: dict[int, int] = {}
        while s not in known and s not in place:
            place[s] = len(path)
            path.append(s)
            s = self.step[s]
        return path, -1 if s in known else place[s]

    def _approach(self, s: int) -> None:
        path, first = self._path(s, self.near)
        if first >= 0:
            self.near[path[first]] = self._round(path[first:])
        for v in reversed(path):
            if v not in self.near:
                self.near[v] = (self.weight[v] << BITS) + self.a * self.near[self.step[v]] // self.b

    def _round(self, cycle: list[int]) -> int:
        """The value at the beginning of a cycle, rounded down."""
        self._require(cycle, 4)
        numerator, denominator = self._cycle(cycle)
        return (numerator << BITS) // denominator

    def _cycle(self, cycle: list[int]) -> tuple[int, int]:
        total, power = 0, 1
        for v in reversed(cycle):
            power *= self.b
            total = self.weight[v] * power + self.a * total
        return total, power - self.a ** len(cycle)

    def _require(self, path: list[int], numbers: int, more: int = 0) -> None:
        """Refuse a play with so many exact numbers, of ``more`` bits than its moves make."""
        memory.require(
            numbers * (len(path) * self.b.bit_length() + more) // 8,
            f"the check of exact values of a discounted game along a play of {len(path):,} moves",
            "use a discount with a small denominator, or set ZERMELO_MEMORY to allow more",
        )

    def value(self, s: int) -> Fraction:
        """The exact value of a situation."""
        path, first = self._path(s, self.exact)
        known = self.exact.get(self.step[path[-1]]) if path else None
        self._require(path, 2 * len(path), 0 if known is None else known.denominator.bit_length())
        if first >= 0:
            self.exact[path[first]] = Fraction(*self._cycle(path[first:]))
        for v in reversed(path):
            if v not in self.exact:
                self.exact[v] = self.weight[v] + self.discount * self.exact[self.step[v]]
        return self.exact[s]


def _check_finite(claim: Claim, plays: _Plays, finite: BoolArray) -> None:
    """Conditions 2 and 3."""
    near: AnyArray = np.zeros(claim.n, object)
    for s, x in plays.near.items():
        near[s] = x
    u, v = claim.source, claim.target
    sign = np.where(claim.owner == 0, 1, -1).astype(object)
    asked = np.flatnonzero(finite[u] & finite[v] & ~claim.chosen)
    weight = claim.weight[asked].astype(object)
    after = weight * (1 << BITS) + plays.a * near[v[asked]] // plays.b
    gain = sign[u[asked]] * (after - near[u[asked]])
    bad = np.zeros(claim.weight.size, bool)
    bad[asked[gain > 2 * plays.error]] = True
    for k in asked[np.abs(gain) <= 2 * plays.error].tolist():
        s = int(u[k])
        value = int(claim.weight[k]) + plays.discount * plays.value(int(v[k]))
        bad[k] = sign[s] * (value - plays.value(s)) > 0
    claim.need_moves(~bad, "no better move")
    level = claim.level.copy()
    for s, x in plays.near.items():
        exact = x if abs(x) > plays.error else plays.value(s)
        level[s] = 1 + (exact > 0) - (exact < 0)
    claim.need(claim.level == level, "that the sign of the value decides who wins")
