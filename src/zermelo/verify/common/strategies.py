"""Strategies as they are given: arrays, mappings, functions, machines; one interface to all."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._inputs.values import plain_array, shown
from zermelo.errors import InvalidOptionError, UnknownPositionError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE
from zermelo.solutions.base import Solution, solution_of
from zermelo.solutions.machine import Machine


@dataclass(frozen=True)
class Plan:
    """A strategy of one player: moves by position number and memory, or by the whole history."""

    graph: Graph
    choose: Callable[[int, int, list[int]], int | None]
    """The move at a position with a memory after a history; None if there is none."""
    after: Callable[[int, int], int] = lambda memory, v: memory
    """The memory after a position was left."""
    initial: int = 0
    history: bool = False
    """Whether moves depend on the whole history."""


def read_plan(graph: Graph, given: Any, player: int, start: Hashable, history: bool) -> Plan:
    """The strategy that a caller has given."""
    given = solution_of(given)
    if isinstance(given, Solution):
        given = _of_solution(graph, given, player, start)
    if isinstance(given, Machine):
        return _machine(graph, given, player)
    if isinstance(given, Mapping):
        moves = {graph.index(u): graph.index(w) for u, w in given.items() if w is not None}
        return Plan(graph, lambda v, memory, walk: moves.get(v))
    if callable(getattr(given, "move", None)) and hasattr(type(given), "positional"):
        given, history = given.move, True  # the strategy of a game of return
    if callable(given):
        return _function(graph, given, history)
    array = plain_array(given, "strategy", InvalidOptionError)
    if array.dtype.kind not in "iu" or array.shape not in ((graph.n,), (graph.n, 2)):
        raise InvalidOptionError(
            f"strategy: expected {graph.n} moves as numbers of positions, a mapping, a function, a "
            f"machine or a solution, got {shown(given)}"
        )
    column: list[int] = (array if array.ndim == 1 else array[:, player]).tolist()
    for v, w in enumerate(column):
        if not NO_MOVE <= w < graph.n:
            raise InvalidOptionError(
                f"strategy: position {graph.name(v)!r}: expected a position number or -1, got {w}"
            )
    return Plan(graph, lambda v, memory, walk: None if column[v] == NO_MOVE else column[v])


def _of_solution(graph: Graph, given: Any, player: int, start: Hashable) -> Any:
    if given.graph.digest != graph.digest:
        raise InvalidOptionError("strategy: the solution is one of another graph")
    if given.objective.family == "muller":
        return given.strategy_machine(player)
    if given.objective.family == "geography":
        return given.strategy(start)
    return given.move


def _machine(graph: Graph, machine: Machine, player: int) -> Plan:
    if machine.graph.digest != graph.digest:
        raise InvalidOptionError("strategy: the machine is one of another graph")
    if machine.player != player:
        raise InvalidOptionError(
            f"strategy: the machine is one of player {machine.player}, not of player {player}"
        )

    def choose(v: int, memory: int, walk: list[int]) -> int | None:
        w = int(machine.moves[memory, v])
        return None if w == NO_MOVE else w

    def after(memory: int, v: int) -> int:
        return int(machine.after[memory, machine.letter[v]])

    return Plan(graph, choose, after, machine.initial)


def _function(graph: Graph, function: Callable[[Any], Any], history: bool) -> Plan:
    def choose(v: int, memory: int, walk: list[int]) -> int | None:
        name = function([graph.name(u) for u in walk] if history else graph.name(v))
        if name is None:
            return None
        try:
            return graph.index(name)
        except UnknownPositionError as error:
            raise InvalidOptionError(f"strategy: {error}") from None

    return Plan(graph, choose, history=history)


def legal(graph: Graph, v: int, w: int | None) -> bool:
    """Whether a move exists."""
    return w is not None and bool(np.isin(w, graph.successors(v)))
