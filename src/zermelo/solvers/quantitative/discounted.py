"""Strategy improvement for discounted games with exact values.

Both players follow strategies; player 1 switches to better moves until he answers the strategy of
player 0 as well as possible, then player 0 switches, and so on. A move is better if its weight plus
the discounted value after it is more, or less, than the value. Values never sink when player 0
switches, so this ends, at strategies that are optimal at every position.

**Exactness.** Values are sums over eventually periodic plays, fractions whose denominators have as
many digits as plays are long. So the strategies are first improved in floating point, by switches
that gain more than ``TOLERANCE`` times the largest possible value (more for player 0, whose
opponent's answer is only almost the best one). Rounding errors are below a
hundredth of that: each sum adds at most 2⁻⁵² times this value at each step, errors decay as the
weights do, and the discount is at most 1 − 10⁻⁶. A move that seems to gain or lose less is compared
exactly, in Python's integers; so it is everywhere if the discount is closer to 1.

Positions from which a player can force the other one to be stuck have an infinite value and are set
aside first.

Reference: [HansenMiltersenZwick2013] for the number of rounds, which is polynomial for a fixed
discount. Differs from the paper: floating point goes first.
"""

from fractions import Fraction

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative.discounted import evaluate_discounted, improve_discounted
from zermelo._kernels.quantitative.mean_payoff_guess import Policy
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Discounted
from zermelo.objectives.weights import Arena
from zermelo.solutions.quantitative import DiscountedSolution
from zermelo.solvers.quantitative import frame
from zermelo.solvers.quantitative._parts import back, inside
from zermelo.solvers.quantitative.mean_payoff import stuck_values

NAME = "discounted-strategy-improvement"

TOLERANCE = 1e-7
"""Differences above this, times the largest possible value, are no errors of rounding."""

CLOSE = Fraction(1, 10**6)
"""If 1 − discount is less, floating point decides nothing."""

BUDGET = 20
"""Rounds between two reports of progress."""


class Plays:
    """Exact values of the plays that follow the strategies ``after``, found where needed."""

    def __init__(self, arena: Arena, after: Int64Array, discount: Fraction) -> None:
        self.step: list[int] = arena.indices[after].tolist()
        self.weight: list[int] = arena.weight[after].tolist()
        self.discount = discount
        self.known: dict[int, Fraction] = {}

    def value(self, s: int) -> Fraction:
        """The value of the play from a situation."""
        path: list[int] = []
        place: dict[int, int] = {}
        while s not in self.known and s not in place:
            place[s] = len(path)
            path.append(s)
            s = self.step[s]
        memory.require(
            len(path) ** 2 * self.discount.denominator.bit_length() // 4,
            f"exact values of a discounted game along a play of {len(path):,} moves",
            "use a discount with a small denominator, or set ZERMELO_MEMORY to allow more",
        )
        if s in place:
            cycle = [self.weight[v] for v in path[place[s] :]]
            total, power = Fraction(0), self.discount ** len(cycle)
            for weight in reversed(cycle):
                total = weight + self.discount * total
            self.known[s] = total / (1 - power)
        value = self.known[s]
        for v in reversed(path):
            if v not in self.known:
                self.known[v] = self.weight[v] + self.discount * value
            value = self.known[v]
        return value


def improve_exactly(arena: Arena, policy: Policy, discount: Fraction, tolerance: float) -> bool:
    """Switch the moves that are better by exact comparison; whether there were any.

    Player 0 switches only where player 1 has no switch at all.
    """
    after, value = policy.after, policy.bias
    u, v = arena.source, arena.indices
    near = np.arange(v.size)
    if tolerance < np.inf:
        gain = arena.weight + float(discount) * value[v] - value[u]
        near = np.flatnonzero(np.abs(gain) <= tolerance * (1 + 2 / float(1 - discount)))
    near = near[after[u[near]] != near]
    near = near[np.argsort(-arena.owner[u[near]], kind="stable")]  # player 1 first
    plays = Plays(arena, after, discount)
    switched = -1
    better: dict[int, int] = {}
    for k in near.tolist():
        s, t, player = int(u[k]), int(v[k]), int(arena.owner[u[k]])
        if switched == 1 and player == 0:
            break
        if plays.step[s] == t and plays.weight[s] == int(arena.weight[k]):
            continue
        new = int(arena.weight[k]) + discount * plays.value(t)
        if (new > plays.value(s)) if player == 0 else (new < plays.value(s)):
            better[s], switched = k, player
    for s, k in better.items():
        after[s] = k
    return bool(better)


def optimal_policy(arena: Arena, discount: Fraction, progress: frame.Progress) -> Policy:
    """Optimal strategies of both players on a game in which every position has a move."""
    n = arena.n
    policy = Policy(
        arena.indptr[:-1].copy(),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, np.int8),
        np.zeros(n, np.int32),
    )
    if n == 0:
        return policy
    moves, number = Moves(arena.indptr, arena.indices), float(discount)
    tolerance = tolerance_of(arena, discount)
    while True:
        if tolerance < np.inf:
            improving = improve_discounted
            while not improving(
                moves, arena.owner, arena.weight, policy, number, tolerance, BUDGET
            ):
                if not interpreting():
                    improving = improve_discounted.compiled  # type: ignore[assignment]
                if progress is not None:
                    progress(0, n, "improving strategies")
            evaluate_discounted(moves, arena.weight, policy, number)
        if not improve_exactly(arena, policy, discount, tolerance):
            return policy


def tolerance_of(arena: Arena, discount: Fraction) -> float:
    """The largest difference of values that may be an error of rounding."""
    if 1 - discount < CLOSE:
        return float("inf")
    return TOLERANCE * (1 + frame.largest_of(arena.weight)) / float(1 - discount)


def signs(arena: Arena, policy: Policy, discount: Fraction) -> AnyArray:
    """The signs of the values, exactly."""
    found = np.sign(policy.bias).astype(np.int8)
    plays = Plays(arena, policy.after, discount)
    near = np.abs(policy.bias) <= tolerance_of(arena, discount)
    for s in np.flatnonzero(near).tolist():
        exact = plays.value(s)
        found[s] = (exact > 0) - (exact < 0)
    return found


def solve(
    graph: Graph, objective: Discounted, progress: frame.Progress = None
) -> DiscountedSolution:
    """The solution of a discounted game.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=[0, 1])
    >>> zm.solve(g, zm.Discounted([1, 5, -3], discount="1/2")).value.tolist()
    [Fraction(14, 3), Fraction(-2, 3)]
    """
    frame.require_memory(graph, objective, NAME)
    discount = objective.discount
    assert isinstance(discount, Fraction)
    arena = objective.arena(graph)
    found = stuck_values(arena)
    level = (found.numerator + 1).astype(np.int8)
    stuck = np.where(found.denominator == 0, np.maximum(found.lower, found.upper), -1)
    part, places, _ = inside(arena, stuck < 0)
    policy = optimal_policy(part, discount, progress)
    move = found.move
    if places.size:
        move[places] = back(places, part.indices[policy.after])
        level[places] = signs(part, policy, discount) + 1
    arrays = (*frame.label_arrays(arena, level), frame.position_of(graph, move), stuck)
    shapely = (frame.shaped(graph, array) for array in arrays)
    return DiscountedSolution(graph, objective, NAME, *shapely)
