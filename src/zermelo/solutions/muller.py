"""A solved Muller game: winners, and a machine for each player."""

import functools
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._inputs.belonging import check_belongs
from zermelo._inputs.values import one_of, sealed, shown
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, AnyArray, Int32Array
from zermelo.objectives import Objective
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution
from zermelo.solutions.machine import Machine
from zermelo.solutions.parity import arrays_of_winners


@dataclass(frozen=True, eq=False, repr=False)
class MullerSolution(Solution):
    """A solved Muller game on an owned graph: winners, and strategies with memory as machines."""

    machines: tuple[Machine, Machine]
    family = "muller"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.machines, tuple) or len(self.machines) != 2:
            raise CertificateError(f"machines: expected two, got {shown(self.machines)}")
        for player, machine in enumerate(self.machines):
            what = f"the machine of player {player}"
            if not isinstance(machine, Machine):
                raise CertificateError(f"{what}: expected a Machine, got {shown(machine)}")
            check_belongs(what, machine, graph=self.graph, player=player)

    def strategy_machine(self, player: int) -> Machine:
        """The strategy with which a player wins wherever she does."""
        one_of(player, "player", (0, 1), InvalidOptionError)
        return self.machines[player]

    @functools.cached_property
    def move(self) -> Int32Array:
        """The winner's first move where its owner wins, ``NO_MOVE`` elsewhere."""
        return first_moves(self.graph, self.winner, self.machines)

    def _best(self, s: int) -> list[int]:
        """The winner's one move that is known to win; the loser may make any."""
        if self.label[s] > 0:
            return [int(self.move[s])]
        losing: list[int] = self.graph.successors(s).tolist()
        return losing

    def line(self, position: Hashable, player: int | None = None, limit: int | None = None) -> Line:
        """The winner's machine against an opponent who always makes his first move."""
        v = self.graph.index(position)
        self._situation(v, player)
        return self.machines[int(self.winner[v])].play(position, limit=limit)


def first_moves(graph: Graph, winner: AnyArray, machines: tuple[Machine, Machine]) -> Int32Array:
    """The first move of the winner's machine where the owner wins, ``NO_MOVE`` elsewhere."""
    zero, one = (machine.moves[machine.initial] for machine in machines)
    move = np.where(winner == 0, zero, one)
    return sealed(np.where(winner == graph.owner, move, NO_MOVE).astype(np.int32))


def muller_solution(
    graph: Graph,
    objective: Objective,
    solver: str,
    winner: AnyArray,
    machines: tuple[Machine, Machine],
    stats: Mapping[str, Any] | None = None,
) -> MullerSolution:
    """Make a solution of the winner of every position and the winners' machines."""
    arrays = arrays_of_winners(graph, winner)
    return MullerSolution(graph, objective, solver, *arrays, machines, stats=stats or {})
