"""What the checkers of quantitative games have in common: entries, moves, exact comparisons."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import CertificateError, InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, BoolArray, Label
from zermelo.objectives.quantitative import Quantitative
from zermelo.solutions.quantitative import QuantitativeSolution
from zermelo.verify.common.entries import check_start, first, place

MAX_SUMMAND = 2**61
"""Numbers below this can be added and subtracted in 64 bits; others become Python integers."""


def exact(*arrays: AnyArray) -> list[AnyArray]:
    """The same integers, as Python integers if sums of three of them may exceed 64 bits.

    >>> [a.dtype.kind for a in exact(np.array([1, 2]), np.array([3]))]
    ['i', 'i']
    >>> [a.dtype.kind for a in exact(np.array([2**62]), np.array([3]))]
    ['O', 'O']
    """
    small = all(
        a.dtype != object
        and (not a.size or -MAX_SUMMAND < int(a.min()) <= int(a.max()) < MAX_SUMMAND)
        for a in arrays
    )
    return [a.astype(np.int64) if small else a.astype(object) for a in arrays]


@dataclass(frozen=True, eq=False)
class Claim:
    """A solution by situations: its game is read again, and everything else is a claim.

    ``chosen`` marks the moves that a strategy makes; ``owner`` and ``mover`` are the players of
    situations and of moves.
    """

    graph: Graph
    solution: QuantitativeSolution
    owner: AnyArray
    source: AnyArray
    target: AnyArray
    weight: AnyArray
    chosen: BoolArray
    moves: BoolArray
    """Whether a situation has moves."""
    has_strategy: BoolArray
    level: AnyArray

    @property
    def n(self) -> int:
        """The number of situations."""
        return int(self.owner.size)

    @property
    def mover(self) -> AnyArray:
        """The player who makes each move."""
        return self.owner[self.source]

    def flat(self, name: str) -> AnyArray:
        """An array of the solution, by situations."""
        array: AnyArray = getattr(self.solution, name).reshape(-1)
        return array

    def refuse(self, s: int, expected: str, claimed: str) -> None:
        """Raise an error that names a situation."""
        where = place(self.graph, s >> 1 if self.graph.owner is None else s, int(self.owner[s]))
        raise CertificateError(f"{where}: expected {expected}, the solution claims {claimed}")

    def need(self, right: BoolArray, expected: str, claimed: str = "otherwise") -> None:
        """Refuse the first situation at which a condition does not hold."""
        if (s := first(~right)) is not None:
            self.refuse(s, expected, claimed)

    def need_array(self, name: str, right: BoolArray, expected: str) -> None:
        """Refuse the first situation at which an array has a wrong entry."""
        if (s := first(~right)) is not None:
            self.refuse(s, f"{name} {expected}", f"{self.flat(name)[s]}")

    def need_moves(self, right: BoolArray, expected: str) -> None:
        """Refuse the first move at which a condition does not hold."""
        if (k := first(~right)) is not None:
            to = int(self.target[k])
            name = self.graph.name(to >> 1 if self.graph.owner is None else to)
            self.refuse(int(self.source[k]), expected, f"otherwise; see the move to {name!r}")

    def choices(self, where: BoolArray) -> None:
        """Check that strategies are there exactly at these situations."""
        if (s := first(where & ~self.has_strategy)) is not None:
            self.refuse(s, "a move", "none")
        if (s := first(self.has_strategy & ~where)) is not None:
            to = self.graph.name(int(self.flat("strategy")[s]))
            self.refuse(s, "no move", repr(to))


def read_claim(solution: QuantitativeSolution, kind: type[QuantitativeSolution]) -> Claim:
    """Read the game again; check shapes, types, labels, and that strategies are moves."""
    graph = solution.graph
    objective: Any = solution.objective
    if not isinstance(objective, Quantitative) or not isinstance(solution, kind):
        raise CertificateError(
            f"objective: expected one whose solution is a {kind.__name__}, "
            f"got {objective.keyword!r} and a {type(solution).__name__}"
        )
    try:
        objective.check_data(graph)
        owner, source, to, weight = _situations(graph, objective.weights(graph))
    except (InvalidObjectiveError, LookupError) as error:
        raise CertificateError(f"objective: {error}") from None
    shape = (graph.n,) if graph.owner is not None else (graph.n, 2)
    for name in ("level", "label", "distance", "strategy", *kind.arrays):
        if getattr(solution, name).shape != shape:
            raise CertificateError(f"{name}: expected an array of shape {shape}")
    check_start(graph, solution.start)
    level, label = solution.level.reshape(-1), solution.label.reshape(-1)
    strategy = solution.strategy.reshape(-1)
    chosen = strategy[source] == (to if graph.owner is not None else to >> 1)
    legal, moves = np.zeros(owner.size, bool), np.zeros(owner.size, bool)
    legal[source[chosen]] = True
    moves[source] = True
    claim = Claim(
        graph, solution, owner, source, to, weight, chosen, moves, strategy != NO_MOVE, level
    )
    claim.need_array("level", (level >= 0) & (level <= 2), "0 … 2")
    wanted = np.where(owner == 0, level - 1, 1 - level)
    if (s := first(label != wanted)) is not None:
        claim.refuse(s, f"label {Label(int(wanted[s])).name}", Label(int(label[s])).name)
    claim.need_array("distance", solution.distance.reshape(-1) == NO_DISTANCE, str(NO_DISTANCE))
    if (s := first(claim.has_strategy & ~legal)) is not None:
        claim.refuse(s, "one of its moves", f"the move to number {strategy[s]}")
    return claim


def _situations(graph: Graph, weight: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
    """The owners of all situations; sources, targets and weights of all moves.

    If the players alternate, situation 2v + p is position v with player p to move.
    """
    source = np.repeat(np.arange(graph.n), np.diff(graph.indptr))
    target = graph.indices.astype(np.int64)
    if graph.owner is not None:
        return graph.owner, source, target, weight
    sources, targets = (2 * source, 2 * source + 1), (2 * target + 1, 2 * target)
    owner = np.arange(2 * graph.n) % 2
    return owner, np.concatenate(sources), np.concatenate(targets), np.concatenate((weight, weight))


def every(claim: Claim, player: int, where: BoolArray) -> BoolArray:
    """The moves that can be made in some situations if a player follows her strategy.

    Where she moves these are the chosen moves; where the opponent moves, all of them.
    """
    inside: BoolArray = where[claim.source]
    led: BoolArray = inside & (claim.chosen | (claim.mover != player))
    return led
