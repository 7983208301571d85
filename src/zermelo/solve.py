"""``solve(game)``: check the arguments, choose a solver, and run it."""

import dataclasses
import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from zermelo._inputs.values import shown
from zermelo._runtime.memory import NEGLIGIBLE
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import UnknownPositionError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives.base import Objective
from zermelo.registry import choose_solver
from zermelo.registry.solvers import QUOTIENT
from zermelo.solutions.base import Solution

if TYPE_CHECKING:
    from zermelo.objectives import (
        Asymmetric,
        Buchi,
        CoBuchi,
        Misere,
        Muller,
        NormalPlay,
        Parity,
        Reach,
        ReachAvoid,
        Safety,
        TerminalPayoff,
    )
    from zermelo.solutions.muller import MullerSolution
    from zermelo.solutions.parity import ParitySolution
    from zermelo.solutions.terminal import TerminalSolution
    from zermelo.tables.solved import SolvedGame

__all__ = ["Progress", "choose_solver", "solve"]


# What follows the objective is typed by the definition below.
@overload
def solve(
    game: Graph, objective: None = None, *more: Any, **options: Any
) -> "TerminalSolution": ...


@overload
def solve(
    game: Game | Graph,
    objective: "NormalPlay | Misere | Asymmetric | TerminalPayoff | Reach | Safety | ReachAvoid",
    *more: Any,
    **options: Any,
) -> "TerminalSolution": ...


@overload
def solve(
    game: Game | Graph, objective: "Parity | Buchi | CoBuchi", *more: Any, **options: Any
) -> "ParitySolution": ...


@overload
def solve(
    game: Game | Graph, objective: "Muller", *more: Any, **options: Any
) -> "MullerSolution": ...


@overload
def solve(
    game: Game | Graph | tuple[Graph, Objective],
    objective: Objective | None = ...,
    *more: Any,
    **options: Any,
) -> Solution: ...


@overload
def solve(
    game: Any, objective: Objective | None = ..., *more: Any, **options: Any
) -> "SolvedGame": ...


def solve(
    game: Any,
    objective: Objective | None = None,
    solver: str = "auto",
    start: Hashable | None = None,
    progress: Progress = None,
    *,
    engine: str | None = None,
    memory: int | str | None = None,
    partitions: int | None = None,
    scheduler: Any = None,
    workdir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Any:
    """Solve a game: who wins from every position, how, and how fast.

    ``game`` is a :class:`~zermelo.game.Game`, a :class:`~zermelo.graph.Graph`, or rules. A graph
    has a :class:`Solution`. Rules of any size have a :class:`~zermelo.SolvedGame`, which reads and
    shows positions as the rules write them; its ``solution`` is the one on the graph, if the game
    is not too large for a graph.

    The default ``objective`` is that of the game, or normal play for a graph.
    ``solver`` is a name from ``zermelo solvers``. ``start`` (by default that of the
    game) is stored in the solution; in games of return and repetition only the positions that the
    start depends on are solved. ``progress`` is True for a line on stderr that shows how far the
    work is, or a function that is called with (done, total, stage).

    ``engine`` says where a terminal-payoff game is solved. ``"memory"`` is the default.
    ``"disk"`` keeps to a budget, such as ``memory="2GB"``, for the whole process; it divides the
    positions into ``partitions``, by default as few as fit. Its files are in the directory
    ``workdir`` until the job ends, and the same call goes on if a process was ended. ``"dask"``
    does this on a cluster: ``scheduler`` is the address of a Dask scheduler or a Dask client, by
    default a cluster on this machine, ``memory`` is that of each worker, and all machines share
    ``workdir``, or it is a URL such as ``s3://bucket/jobs``. All engines give the same answers. If
    none is named and memory does not suffice, the disk is used, with a warning. Compiled rules with
    very many positions are explored by the engine, too; plain rules are explored in memory first,
    because their positions are objects of Python.

    ``options`` are those of the solver, as ``zermelo solvers NAME`` prints them. Common ones are:

    - ``quotient=True`` solves the coarsest bisimulation quotient of a terminal-payoff game and
      lifts its answers back. Computing the quotient takes longer than one linear-time solution, so
      this is useful for slower solvers, or to save memory if many positions are equivalent.
    - ``passes=["components", …]`` simplifies a parity game before it is solved;
      :mod:`zermelo.solvers.infinite.passes` has the passes.
    - ``nodes=1000`` limits the search in a game of return or repetition.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> s = solve(g)
    >>> s.label.tolist(), s.distance.tolist()
    ([1, -1, -1], [1, 2, 0])
    >>> print(s["b"])
    b: LOSE in 2 by a
    >>> solve(g, engine="disk", partitions=2).distance.tolist()
    [1, 2, 0]
    >>> import zermelo as zm
    >>> solve(zm.game("nim:1,2"))
    SolvedGame(nim:1,2: 3 win, 2 lose)
    >>> solve(g, quotient=3)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: quotient: expected True or False, got 3
    """
    with reporting(progress, "solve") as report:
        settings = {
            "memory": memory,
            "partitions": partitions,
            "scheduler": scheduler,
            "workdir": workdir,
        }
        asked = _Asked(objective, solver, start, report, options, engine, settings)
        if not isinstance(game, Game | Graph):
            from zermelo.rules.base import is_rules

            if is_rules(game):
                return _solve_rules(game, asked)
        return _solve_game(game, asked)


class _Asked(NamedTuple):
    """The arguments of :func:`solve` beside the game."""

    objective: Objective | None
    solver: str
    start: Hashable | None
    progress: Report | None
    options: dict[str, Any]
    engine: str | None
    settings: dict[str, Any]


def _solve_game(game: Any, asked: _Asked) -> Solution:
    """Solve a game on a graph."""
    given = as_game(game, asked.objective, asked.start)
    graph, objective = given
    at = None if given.start is None else graph.index(given.start)
    row = choose_solver(objective, asked.solver)
    checked = row.check_options(asked.options)
    if row.takes_start:
        checked["start"] = at
    elsewhere = None
    settings = [value for value in asked.settings.values() if value is not None]
    if asked.engine is not None or settings or graph.nbytes > NEGLIGIBLE:
        from zermelo.engines.choose import chosen_engine

        elsewhere = chosen_engine(
            asked.engine, asked.settings, graph, objective, row, asked.options
        )
    solution: Solution
    if elsewhere is not None:
        solution = elsewhere(asked.progress)
    elif QUOTIENT in row.options and checked.pop(QUOTIENT.name, False):
        from zermelo.transform.bisimulation import solve_quotient

        solution = solve_quotient(graph, objective, row, asked.progress, **checked)
    else:
        solution = row.load()(graph, objective, asked.progress, **checked)
    return solution if solution.start == at else dataclasses.replace(solution, start=at)


def _solve_rules(given: Any, asked: _Asked) -> "SolvedGame":
    """Solve rules: on their graph if it is small, or if the solver or the objective needs one."""
    from zermelo.registry.engines import engine_row
    from zermelo.rules.base import as_rules
    from zermelo.rules.explore import explore
    from zermelo.rules.faults import blaming
    from zermelo.tables.solved import SolvedGame, is_name
    from zermelo.tables.solving.choose import explored_if_small, solve_in_table
    from zermelo.tables.solving.solve import asked_objective, moves_in_turn

    objective, progress = asked.objective, asked.progress
    with blaming(given):
        rules = as_rules(given)
    if isinstance(asked.solver, str) and asked.solver == "auto" and not asked.options:
        settings = {name: value for name, value in asked.settings.items() if value is not None}
        place = engine_row(asked.engine, settings)
        game = explored_if_small(rules, objective, progress)
        if game is None:
            return solve_in_table(rules, objective, asked.start, progress, place, settings)
    else:
        game = explore(rules, progress=progress)
    graph = game.graph
    if isinstance(asked.start, str) and asked.start not in graph:
        start = SolvedGame(rules, symmetry=False).read_position(asked.start)
        asked = asked._replace(start=start)
    elif asked.start is not None and not is_name(graph, asked.start):
        raise UnknownPositionError(f"start: play cannot reach {shown(asked.start)}")
    solution = _solve_game(game, asked)
    return SolvedGame(
        rules,
        solution=solution,
        symmetry=False,
        asked=asked_objective(rules, objective),
        turns=moves_in_turn(graph),
        start=None if solution.start is None else graph.name(solution.start),
        stats=dict(solution.stats),
    )
