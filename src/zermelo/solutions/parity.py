"""A solved parity, Büchi or co-Büchi game: winners and positional strategies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._inputs.values import claim_array, sealed
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, NO_MOVE, AnyArray, Int32Array
from zermelo.objectives import Objective
from zermelo.solutions.base import INT32, Solution


@dataclass(frozen=True, eq=False, repr=False)
class ParitySolution(Solution):
    """A solved game of infinite duration on an owned graph: winners and positional strategies.

    ``strategy`` has a move for every position whose owner wins there, ``NO_MOVE`` elsewhere. There
    are no distances.
    """

    strategy: Int32Array
    family = "parity"

    def __post_init__(self) -> None:
        super().__post_init__()
        claim_array(self, "strategy", (self.graph.n,), np.int32, *INT32)  # a claim to verify

    @property
    def move(self) -> Int32Array:
        """The winner's move where its owner wins, ``NO_MOVE`` elsewhere."""
        return self.strategy

    def _best(self, s: int) -> list[int]:
        """The one move of the winner that is known to win; without one, all moves."""
        if self.label[s] > 0 and self.strategy[s] != NO_MOVE:
            return [int(self.strategy[s])]
        losing: list[int] = self.graph.successors(s).tolist()
        return losing


def arrays_of_winners(graph: Graph, winner: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Level, label and distance of a game in which every position has a winner."""
    assert graph.owner is not None
    return (
        sealed((1 - winner).astype(np.int8)),
        sealed(np.where(winner == graph.owner, 1, -1).astype(np.int8)),
        sealed(np.full(graph.n, NO_DISTANCE, np.int32)),
    )


def parity_solution(
    graph: Graph,
    objective: Objective,
    solver: str,
    winner: AnyArray,
    strategy: Int32Array,
    stats: Mapping[str, Any] | None = None,
) -> ParitySolution:
    """Make a solution of the winner of every position and the winners' moves."""
    return ParitySolution(
        graph,
        objective,
        solver,
        *arrays_of_winners(graph, winner),
        sealed(np.where(winner == graph.owner, strategy, NO_MOVE).astype(np.int32)),
        stats=stats or {},
    )
