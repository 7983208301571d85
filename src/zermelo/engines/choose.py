"""Which engine solves a game: the one that the user names, or the disk if memory is too small."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from zermelo._inputs.values import shown
from zermelo._runtime import memory
from zermelo.errors import EngineWarning, InvalidOptionError, SolverError
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.registry import SolverRow
from zermelo.registry.engines import ENGINES, engine_row

MIN_FREE_BYTES = 1 << 26
"""If less than 64 MiB of memory is free, a game is solved from disk only if the user says so."""

PARTITIONED = "retrograde"
"""The solver whose answers the partitioned program gives."""

Solve = Callable[..., Any]


def chosen_engine(
    engine: str | None,
    given: Mapping[str, Any],
    graph: Graph,
    objective: Objective,
    row: SolverRow,
    options: Mapping[str, Any],
) -> Solve | None:
    """A function that solves the game on an engine; None if the game is solved in memory.

    ``given`` has the options of the engine, with None for those that the user did not give, and
    ``options`` has those of the solver.
    """
    settings = {name: value for name, value in given.items() if value is not None}
    if engine is None and not settings:
        return _if_memory_fails(graph, objective, row, options)
    if engine is not None and not isinstance(engine, str):
        raise InvalidOptionError(f"engine: expected a name, got {shown(engine)}")
    chosen = engine_row(engine, settings)
    if chosen.name == "memory":
        return None
    _check_game(chosen.name, objective, row, options)
    solve = chosen.load()
    return lambda progress: solve(graph, objective, progress, **settings)


def in_memory(graph: Graph, objective: Objective, progress: Any = None) -> Any:
    """Solve a game in memory with the solver that fits best.

    >>> from zermelo import NormalPlay
    >>> in_memory(Graph.from_edges([(0, 1)]), NormalPlay()).label.tolist()
    [1, -1]
    """
    from zermelo.registry import choose_solver

    return choose_solver(objective).load()(graph, objective, progress)


def _check_game(
    engine: str, objective: Objective, row: SolverRow, options: Mapping[str, Any]
) -> None:
    """Refuse a game, a solver or an option that the partitioned program does not know."""
    if objective.family != "terminal":
        raise SolverError(
            f"the engine {engine!r} solves terminal-payoff games, such as normal, misere or reach; "
            f"a game of {objective.keyword} is solved in memory"
        )
    if row.name != PARTITIONED:
        raise SolverError(
            f"the engine {engine!r} has its own solver, which gives the answers of {PARTITIONED}; "
            f"the solver {row.name} works in memory"
        )
    if options:
        raise InvalidOptionError(
            f"{', '.join(options)}: the engine {engine!r} takes no options of solvers"
        )


def _if_memory_fails(
    graph: Graph, objective: Objective, row: SolverRow, options: Mapping[str, Any]
) -> Solve | None:
    """The disk, with a warning, if the memory does not suffice and the disk can help."""
    if objective.family != "terminal" or row.name != PARTITIONED or options:
        return None
    if graph.nbytes <= memory.NEGLIGIBLE:
        return None
    estimate = row.load_estimate()
    needed, free = 0 if estimate is None else estimate(graph, objective), memory.available()
    if needed <= free or free < MIN_FREE_BYTES:
        return None
    warnings.warn(
        f"solving {graph.n:,} positions and {graph.m:,} moves in memory needs about "
        f"{memory.show_size(needed)}, {memory.show_size(free)} are available, so this is solved "
        "from disk (engine='disk')",
        EngineWarning,
        stacklevel=4,
    )
    solve = ENGINES["disk"].load()
    return lambda progress: solve(graph, objective, progress)
