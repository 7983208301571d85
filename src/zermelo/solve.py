"""``solve(graph, objective)``: validate, choose a solver, run it, wrap the answer."""

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from zermelo._door.inputs import flag, listed, shown, whole_number
from zermelo.errors import InvalidOptionError, SolverError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.registry import SOLVERS, SolverRow
from zermelo.rules.base import is_rules
from zermelo.rules.explore import explored
from zermelo.solutions.base import Solution

Progress = Callable[[int, int, str], None]
"""Called now and then with what is done, what there is, and a word for it."""


def solve(
    game: Game | Graph | Any,
    objective: Objective | None = None,
    solver: str = "auto",
    start: Hashable | None = None,
    progress: Progress | None = None,
    *,
    quotient: bool = False,
    passes: Sequence[str] = (),
    nodes: int | None = None,
) -> Any:
    """Solve a game: who wins from every position, how, and how fast.

    ``game`` is a :class:`~zermelo.game.Game`, a :class:`~zermelo.graph.Graph`, or rules. The answer
    is a :class:`Solution` on a graph; rules of a game with very many positions are solved in a
    table in memory instead, a :class:`~zermelo.tables.solved.SolvedGame`.
    ``objective`` is that of the game unless said, for a graph alone normal play.
    ``solver`` is a name from ``zermelo solvers``. ``start`` (that of the game unless said) is
    remembered in the solution as the position asked about; in games of return and repetition only
    what it depends on is solved, and at most ``nodes`` nodes are searched.
    ``progress`` is called with (done, total, what). With ``quotient`` the coarsest bisimulation
    quotient is solved and its answers are lifted back; refining costs more than one linear-time
    solution, so that pays for slower solvers, or in memory, where many positions look alike.
    ``passes`` are made in their order on a parity game before the solver runs;
    :mod:`zermelo.solvers.infinite.passes` has them.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> s = solve(g)
    >>> s.label.tolist(), s.distance.tolist()
    ([1, -1, -1], [1, 2, 0])
    >>> print(s["b"])
    b: LOSE in 2 by a
    >>> import zermelo as zm
    >>> solve(zm.game("nim:1,2"))
    Solution(normal by retrograde: 3 win, 2 lose)
    """
    plain = isinstance(solver, str) and solver == "auto" and quotient is False and nodes is None
    if plain and passes == () and not isinstance(game, Game | Graph) and is_rules(game):
        from zermelo.tables.choose import explored_if_small, solve_in_memory

        small = explored_if_small(game, objective, progress)
        if small is None:
            return solve_in_memory(game, objective, start, progress)
        game = small
    given = as_game(explored(game, progress), objective, start)
    graph, objective = given
    at = None if given.start is None else graph.index(given.start)
    solution: Solution
    row = choose_solver(objective, solver)
    flag(quotient, "quotient")
    if nodes is not None:
        nodes = whole_number(nodes, "nodes")
    passes = [passes] if isinstance(passes, str) else listed(passes, "the names of passes")
    for name in passes:
        if not isinstance(name, str):
            raise InvalidOptionError(f"passes: expected names, got {shown(name)}")
    if nodes is not None and row.family != "geography":
        raise SolverError(f"nodes= is for games that are searched, not {objective.keyword!r}")
    if quotient and row.family != "terminal":
        raise SolverError(f"quotient=True is for terminal-payoff games, not {objective.keyword!r}")
    if quotient:
        from zermelo.transform.bisimulation import solve_quotient

        solution = solve_quotient(graph, objective, row, progress)
    elif passes:
        if row.family != "parity":
            raise SolverError(f"passes are for parity games, not {objective.keyword!r}")
        solution = row.load()(graph, objective, progress, passes=passes)
    elif row.family == "geography":
        return cast(Solution, row.load()(graph, objective, progress, at, nodes))
    else:
        solution = row.load()(graph, objective, progress)
    return solution if at is None else dataclasses.replace(solution, start=at)


def choose_solver(objective: Objective, name: str = "auto") -> SolverRow:
    """The row of a solver for an objective: the one named, or the first that applies.

    >>> import zermelo as zm
    >>> choose_solver(zm.NormalPlay()).name
    'retrograde'
    """
    family, keyword = objective.family, objective.keyword
    if isinstance(name, str) and name == "auto":
        for row in SOLVERS:
            if row.applies_to(family, keyword):
                return row
        raise SolverError(f"no solver is known for {keyword!r} games")
    row = SOLVERS[name]
    if not row.applies_to(family, keyword):
        fitting = ", ".join(r.name for r in SOLVERS if r.applies_to(family, keyword))
        raise SolverError(f"solver {name!r} does not solve {keyword!r} games; these do: {fitting}")
    return row
