"""``check_solver``: a solver agrees with the definition on small games, and with its checker."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import ContractError, InvalidOptionError, SolverError, ZermeloError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE
from zermelo.registry import OBJECTIVES, SOLVERS, Flag, ObjectiveRow, SolverRow, Whole
from zermelo.solutions.base import Solution
from zermelo.solve import solve
from zermelo.testing.cases import corner_graphs, fitted, graphs_for, objective_row_of
from zermelo.testing.oracles import geography, muller, parity, terminal, weighted
from zermelo.testing.report import Report, check_count, code_of

Oracle = Callable[[Graph, Any], Any]
"""A function ``(graph, objective)`` of the right answers: for each array of a solution, such as
``label`` or ``winner``, a dictionary by situation (position, player to move). None is for a game
that the function does not know."""


class Definition(NamedTuple):
    """The definition of a family of games, and the most moves for which it is fast enough."""

    solve: Oracle
    moves: int


DEFINITIONS = {
    "terminal": Definition(terminal.solve, 144),
    "parity": Definition(parity.solve, 144),
    "muller": Definition(muller.solve, 16),
    "geography": Definition(geography.solve, 12),
    "quantitative": Definition(weighted.solve, 10),
}
"""The definitions of our own families."""

ARRAYS = {"level": None, "label": np.int8, "distance": np.int32, "move": np.int32}
"""The arrays that every solution has, and their types."""


def check_solver(
    solver: Any,
    objective: Any = None,
    *,
    oracle: Oracle | None = None,
    games: int = 1800,
    seed: int = 0,
) -> Report:
    """Check a solver, given by its name, its row or as a function, on every small digraph.

    ``objective`` is a keyword, a row or a class; without one the solver is checked on all
    objectives that its row applies to. The games are ``games`` in number: all digraphs with up to
    three positions, as far as this suffices, and random ones, each with an ``example`` of the
    objective. For each game the solver must agree with the definition of the objective (or with
    ``oracle``; for other objectives there may be none), pass the checker, leave its input alone,
    and give the same bytes again with and without progress. Graphs that do not fit the objective
    are refused. Every option and the start are tried as the row declares them. A solver may refuse
    a game with a :class:`~zermelo.errors.SolverError`, but not every game.

    >>> print(check_solver("zielonka", "buchi", games=40))
    solver zielonka holds: 40 games, 40 compared with the definition
    """
    row = SOLVERS[solver] if isinstance(solver, str) else solver
    check_count("games", games)
    if not isinstance(row, SolverRow):
        if not callable(row):
            raise InvalidOptionError(f"solver: expected a name, a row or a function, got {row!r}")
        if objective is None:
            raise InvalidOptionError(
                "objective: expected the objective that the function solves, got None"
            )
        family = objective_row_of(objective).family
        name = getattr(solver, "__name__", type(solver).__name__)
        row = _FunctionRow(name, "", "", family, function=solver)
    report = Report(f"solver {row.name}")
    if objective is not None:
        kinds = [objective_row_of(objective)]
    else:
        kinds = [x for x in OBJECTIVES if row.applies_to(x.family, x.name)]
    if not kinds:
        named = f" and is among its objectives {row.objectives}" if row.objectives else ""
        report.fail(f"no known objective has its family {row.family!r}{named}")
    for kind in kinds:
        known = DEFINITIONS.get(kind.family, Definition(lambda graph, objective: None, 12))
        definition = known if oracle is None else Definition(oracle, known.moves)
        with SOLVERS.including(row), OBJECTIVES.including(kind):
            _Check(row, kind, definition, report, random.Random(seed)).run(games, seed)
    return report


@dataclass(frozen=True)
class _FunctionRow(SolverRow):
    """The row of a solver that is given as a function."""

    function: Any = None

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = self.function
        return function


class _Check(NamedTuple):
    """The check of one solver on one objective."""

    row: SolverRow
    kind: ObjectiveRow
    definition: Definition
    report: Report
    rng: random.Random

    def run(self, games: int, seed: int) -> None:
        """Try the solver on all games; every tenth one with options, progress and a start."""
        taken = 0
        graphs = graphs_for(self.kind.players, games, seed, min(32, self.definition.moves))
        size = 7 if self.kind.strategies == "past" else 40
        if games >= 200:
            graphs += [fitted(x, self.kind.players, self.rng) for x in corner_graphs(size)]
        for k, graph in enumerate(graphs):
            with self.report.calling(f"the example of {self.kind.name}"):
                game = Game(graph, self.kind.example(graph, self.rng))
            self.report.tried["games"] += 1
            solution = self.solve(game)
            if solution is None:
                self.report.tried["refused"] += 1
                continue
            taken += 1
            self.answers(game, solution)
            with self.report.calling("a line of its solution", self.code(game)):
                self.lines(game, solution)
            if k % 10 == 0:
                with self.report.calling("a second call", self.code(game)):
                    self.again(game, solution)
        if not taken:
            self.report.fail(f"it refuses every game of {self.kind.name}")
        self.other_players()

    def code(self, game: Game) -> str:
        """A line of Python that solves the game and verifies the solution."""
        call = f"zm.solve(g, {{objective}}, {self.row.name!r}).verify()"
        if isinstance(self.row, _FunctionRow):
            call = f"{self.row.name}(g, {{objective}}, None)"
        return code_of(game, call)

    def fail(self, game: Game, fault: str, cause: BaseException | None = None) -> Any:
        """End the check with a line of Python that solves the game."""
        self.report.fail(fault, self.code(game), cause)

    def call(self, game: Game, **options: Any) -> Any:
        """The answer of the solver; an error that is none of ours is a fault."""
        graph, objective = game
        try:
            if options:
                return solve(graph, objective, self.row.name, engine="memory", **options)
            start = {"start": None} if self.row.takes_start else {}
            return self.row.load()(graph, objective, None, **start)
        except ZermeloError:
            raise
        except Exception as error:
            return self.fail(game, f"it raises {type(error).__name__}: {error}", error)

    def solve(self, game: Game) -> Any:
        """The solution, or None if the solver refuses the game; the graph must be as before."""
        graph = game.graph
        before = _bytes_of(graph)
        try:
            solution = self.call(game)
        except ContractError:
            raise
        except SolverError as refusal:
            if not str(refusal).strip():
                self.fail(game, "it refuses a game without a sentence", refusal)
            return None
        except ZermeloError as error:
            return self.fail(game, f"it raises {type(error).__name__}: {error}", error)
        if not isinstance(solution, Solution):
            self.fail(game, f"expected a Solution, got {type(solution).__name__}")
        if solution.graph is not graph or solution.objective is not game.objective:
            self.fail(game, "the solution is about another graph or objective")
        if _bytes_of(graph) != before:
            self.fail(game, "it changes the graph")
        for name, kind in ARRAYS.items():
            array = getattr(solution, name)
            if array.shape != solution.label.shape or array.shape not in ((graph.n,), (graph.n, 2)):
                self.fail(game, f"{name} has the shape {array.shape} on {graph.n} positions")
            if kind is not None and array.dtype != kind:
                self.fail(game, f"{name} has the type {array.dtype}, expected {np.dtype(kind)}")
            if array.flags.writeable or not array.flags.c_contiguous:
                self.fail(game, f"{name} is not a read-only array in one piece")
        return solution

    def answers(self, game: Game, solution: Any) -> None:
        """The answers are those of the definition, and the checker accepts them."""
        graph = game.graph
        if graph.m <= self.definition.moves:
            with self.report.calling("the oracle", self.code(game)):
                expected = self.definition.solve(graph, game.objective)
            if expected is not None:
                self.report.tried["compared with the definition"] += 1
            for name, right in (expected or {}).items():
                with self.report.calling(f"{name} of the solution", self.code(game)):
                    found = _by_situation(solution, name)
                for s, x in right.items():
                    if s not in found:
                        self.fail(game, f"the oracle: expected (position, player), got {s!r}")
                    if found[s] != x:
                        where = f"position {s[0]} with player {s[1]} to move"
                        self.fail(game, f"{name} of {where} is {found[s]}, expected {x}")
        try:
            solution.verify()
        except ZermeloError as error:
            self.fail(game, f"the checker refuses its solution: {error}", error)
        except Exception as error:
            self.fail(game, f"the checker raises {type(error).__name__}: {error}", error)

    def lines(self, game: Game, solution: Any) -> None:
        """A line of best play makes moves of the graph, as many as the distance says."""
        graph = game.graph
        for v in range(min(graph.n, 8)):
            line = [graph.index(x) for x in solution.line(graph.name(v), limit=4 * graph.n)]
            if line[0] != v or any(
                w not in graph.successors(u) for u, w in itertools.pairwise(line)
            ):
                self.fail(game, f"the line from position {v} makes a move that is none: {line}")
            distance = solution.at(graph.name(v)).distance
            if distance != NO_DISTANCE and len(line) != distance + 1:
                self.fail(game, f"position {v} has distance {distance}, but its line is {line}")

    def again(self, game: Game, solution: Any) -> None:
        """The same bytes again, with progress, with every option, and from every start."""
        seen: list[tuple[Any, ...]] = []
        other = self.call(game, progress=lambda *report: seen.append(report))
        for name in ARRAYS:
            if getattr(other, name).tobytes() != getattr(solution, name).tobytes():
                self.fail(game, f"{name} is not the same a second time, with progress")
        for report in seen:
            done, total, stage = report
            if done < 0 or (total and done > total) or not stage:  # a total of 0 is not known
                self.fail(game, f"progress: expected (done, total, stage), got {report}")
        for option in self.row.options:
            values: list[Any] = [option.default]
            if isinstance(option, Flag):
                values = [False, True]
            elif isinstance(option, Whole):
                values += [option.most or 10**6]
            for value in values:
                other = self.call(game, **{option.name: option.check(value)})
                if other.label.tolist() != solution.label.tolist():
                    self.fail(game, f"the option {option.name}={value!r} changes the labels")
        for v in range(game.graph.n if self.row.takes_start else 0):
            if self.call(game, start=v).label[v] != solution.label[v]:
                self.fail(game, f"start={v} changes the label of position {v}")

    def other_players(self) -> None:
        """A graph with owners where the players alternate, or without where they do not."""
        if self.kind.players == "either":
            return
        graph = Graph.from_edges([(0, 1)], owner=[0, 1])
        wrong = graph if self.kind.players == "alternate" else graph.with_owner(None)
        game = Game(wrong, self.kind.example(graph, self.rng))
        try:
            self.call(game)
        except ZermeloError:
            return
        kind = "with" if wrong.owner is not None else "without"
        self.fail(game, f"it takes a graph {kind} owners, which is none of {self.kind.name}")


def _bytes_of(graph: Graph) -> list[bytes]:
    """The arrays of a graph, to see whether it was changed."""
    return [x.tobytes() for x in (graph.indptr, graph.indices, graph.owner) if x is not None]


def _by_situation(solution: Any, name: str) -> dict[tuple[int, int], Any]:
    """An array of a solution by situation; where a position has one entry, both movers get it."""
    graph, array = solution.graph, getattr(solution, name)
    flat = array.tolist()
    if graph.owner is not None:
        return {(v, int(graph.owner[v])): flat[v] for v in range(graph.n)}
    both = {}
    for v, e in itertools.product(range(graph.n), (0, 1)):
        both[v, e] = flat[v][e] if array.ndim == 2 else flat[v]
        if name == "value" and solution.mirrored and e:  # the value of the player to move
            both[v, e] = -both[v, e]
    return both
