"""The frame around the solvers of energy games: read the weights, run, return a solution.

A solver has a file with ``run(game, progress) -> Answer``. The frame makes an energy game of the
objective, refuses sums that do not fit into 64 bits, and turns potentials into a solution.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo._inputs.values import sealed
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.quantitative import weighted as k
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import Kernel, interpreting
from zermelo._runtime.progress import Report
from zermelo.errors import LimitError
from zermelo.graph import Graph
from zermelo.labels import (
    NO_CREDIT,
    NO_DISTANCE,
    AnyArray,
    BoolArray,
    Int8Array,
    Int32Array,
    Int64Array,
)
from zermelo.objectives import MeanPayoff, Objective
from zermelo.objectives.quantitative import Quantitative
from zermelo.objectives.weights import Arena
from zermelo.solutions.quantitative import EnergySolution

Progress = Report | None

BUDGET = 1 << 17
"""Positions that rise between two reports of progress."""

MAX_SUM = 2**61
"""No sum of costs may exceed this number: twice as much, plus a weight, still fits into 64 bits."""


@dataclass(frozen=True, eq=False)
class Answer:
    """Potentials of all situations: what a solver's ``run`` returns.

    ``amount`` and ``rank`` are the two entries of the potentials, see
    :mod:`zermelo._kernels.quantitative.weighted`; ``rank`` is the negative of the second. ``stage``
    is 0 where player 0 wins. ``move`` has the moves that the potentials prove, for both players.
    """

    amount: Int64Array
    rank: Int64Array
    stage: Int64Array
    move: Int32Array
    stats: dict[str, Any] = field(default_factory=dict)


Run = Callable[[k.Costs, Progress], Answer]


def check_sums(n: int, largest: int, why: str) -> None:
    """Refuse a game in which a sum of n costs may exceed 64 bits.

    >>> check_sums(10**6, 10**15, "the energy game")
    Traceback (most recent call last):
    zermelo.errors.LimitError: the energy game has weights up to 1,000,000,000,000,000 on \
1,000,000 positions, whose sums may exceed 64 bits; use smaller weights
    """
    if (n + 1) * largest > MAX_SUM:
        raise LimitError(
            f"{why} has weights up to {largest:,} on {n:,} positions, whose sums may exceed "
            "64 bits; use smaller weights"
        )


def largest_of(cost: AnyArray) -> int:
    """The largest absolute value."""
    return max(int(cost.max()), -int(cost.min())) if cost.size else 0


def make_costs(arena: Arena, cost: Int64Array) -> k.Costs:
    """The record that kernels take; ``cost`` has the cost of each move for player 0."""
    rev_indptr = np.zeros(arena.n + 1, np.int64)
    rev_indices, rev_cost = np.empty(arena.indices.size, np.int32), np.empty_like(cost)
    moves, reverse = Moves(arena.indptr, arena.indices), Moves(rev_indptr, rev_indices)
    k.reverse_costs(moves, cost, reverse, rev_cost)
    return k.Costs(
        arena.owner, arena.indptr, arena.indices, cost, rev_indptr, rev_indices, rev_cost
    )


def make_potential(n: int) -> k.Potential:
    """Potentials of 0."""
    return k.Potential(
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int8),
        np.zeros(n, np.int64),
    )


def make_agenda(n: int) -> k.Agenda:
    """An agenda with all positions in the queue."""
    return k.Agenda(
        np.arange(n, dtype=np.int32),
        np.ones(n, np.int8),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.full(n, -1, np.int32),
        np.zeros(n, np.int64),
    )


def raise_potentials(
    kernel: Kernel[..., bool],
    args: tuple[k.Costs, k.Potential, k.Agenda, Int64Array],
    losses: int,
    progress: Progress,
) -> None:
    """Call a kernel until all is done, each time until BUDGET positions rose.

    ``losses`` is the slot of the state that counts the positions which player 0 loses.
    """
    game, *_, state = args
    call: Callable[..., bool] = kernel
    while not call(*args, BUDGET):
        if not interpreting():
            call = kernel.compiled
        if progress is not None:
            progress(int(state[losses]), game.owner.size, "lost by player 0")


def make_answer(game: k.Costs, potential: k.Potential, stats: dict[str, Any]) -> Answer:
    """The answer that potentials prove."""
    move = np.empty(game.owner.size, np.int32)
    k.optimal_moves(game, potential, move)
    return Answer(potential.amount, -potential.steps, potential.stage, move, stats)


def energy_costs(arena: Arena, objective: Quantitative) -> Int64Array:
    """The costs of the energy game of an objective: −w, or p − q w for the threshold p/q."""
    if isinstance(objective, MeanPayoff) and objective.threshold is not None:
        assert isinstance(objective.threshold, Fraction)
        p, q = objective.threshold.numerator, objective.threshold.denominator
        bound = q * largest_of(arena.weight) + abs(p)
        check_sums(arena.n, bound, f"the threshold {objective.threshold}, multiplied out,")
        return p - q * arena.weight
    check_sums(arena.n, largest_of(arena.weight), "the energy game")
    return -arena.weight


def estimate_game(graph: Graph, objective: Objective) -> int:
    """Bytes that a solver allocates: 28 for each move, and 125 for each situation.

    The search for values of a mean-payoff game has three energy games in memory at once.

    >>> import zermelo as zm
    >>> estimate_game(Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Energy([1, 2]))
    306
    """
    times = 2 if graph.owner is None else 1
    if isinstance(objective, MeanPayoff) and objective.threshold is None:
        times *= 3
    return times * (28 * graph.m + 125 * graph.n)


def require_memory(graph: Graph, objective: Objective, name: str) -> None:
    """Refuse a game that does not fit in memory, before anything is allocated."""
    memory.require(
        estimate_game(graph, objective),
        f"{name} on {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or solve a part of it",
    )


def label_arrays(arena: Arena, level: AnyArray) -> tuple[Int8Array, Int8Array, Int32Array]:
    """Level, label and distance from the level of each situation: 0, 1 or 2."""
    for_zero = level.astype(np.int8) - np.int8(1)
    label = np.where(arena.owner == 0, for_zero, -for_zero).astype(np.int8)
    return level.astype(np.int8), label, np.full(arena.n, NO_DISTANCE, np.int32)


def position_of(graph: Graph, move: Int32Array) -> Int32Array:
    """Moves to situations as moves to positions."""
    if graph.owner is not None:
        return move
    return np.where(move < 0, move, move >> 1).astype(np.int32)


def shaped(graph: Graph, array: AnyArray) -> AnyArray:
    """An array by situations in the shape that solutions have, sealed."""
    return sealed(array.reshape(-1, 2) if graph.owner is None else array)


def energy_solution(
    graph: Graph,
    objective: Quantitative,
    name: str,
    arena: Arena,
    answer: Answer,
    won: BoolArray | None = None,
) -> EnergySolution:
    """The solution of an energy game, or of a mean-payoff game with a threshold.

    Without ``won``, player 0 wins the situations of stage 0.
    """
    won = answer.stage == 0 if won is None else won
    arrays = (
        *label_arrays(arena, np.where(won, 2, 0)),
        position_of(graph, answer.move),
        np.where(won, answer.amount, NO_CREDIT),
        answer.rank,
        np.where(won | (answer.stage == 0), 0, answer.amount),
        answer.stage,
    )
    shapely = (shaped(graph, array) for array in arrays)
    return EnergySolution(graph, objective, name, *shapely, stats=answer.stats)
