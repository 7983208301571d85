"""PGSolver's solutions of parity games: winners and strategies, ``.sol``.

::

    paritysol 3;       the largest identifier; optional, and not used
    0 1 2;             identifier, winner, and the winner's move if it is the owner
    1 0;

Identifiers are those of the game's own file: the numbers of positions, or their names if these are
identifiers. Every position has one statement. A file has no priorities, so the reader needs the
objective of the game. A move of a player who does not win there is read and ignored.
"""

import numpy as np

from zermelo._kernels import pgsolver as kernels
from zermelo.errors import FormatError, InvalidObjectiveError
from zermelo.formats.pgsolver import (
    error_at,
    ids_of,
    letters_of,
    locate,
    parse_error,
    read_head,
    second_time,
)
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array, Int64Array
from zermelo.objectives import Objective
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution, parity_solution

SOLVER = "file"
"""The name of the solver in the solution, because the file has none."""


def read_solution(data: bytes, graph: Graph, objective: Objective | None = None) -> Solution:
    """Read the claim of a file about a parity game.

    >>> from zermelo.objectives import Parity
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> read_solution(b"paritysol 1; 0 0 1; 1 0;", g, Parity([1, 2])).winner.tolist()
    [0, 0]
    """
    if objective is None or objective.family != "parity":
        got = "none" if objective is None else f"{objective.keyword!r}"
        raise InvalidObjectiveError(
            f"a solution in PGSolver's format needs the objective of its parity game, got {got}"
        )
    objective.priorities(graph)
    data = data.removeprefix(b"\xef\xbb\xbf")
    begin, _ = read_head(data, "paritysol")
    most = data.count(b";", begin) + 1
    ids, strategy = np.empty(most, np.int32), np.empty(most, np.int32)
    winner = np.empty(most, np.int8)
    report = np.zeros(kernels.REPORT_SIZE, np.int64)
    decisions, never = kernels.Decisions(ids, winner, strategy), kernels.Stop(-1, -1)
    kernels.parse_solution(letters_of(data), begin, decisions, never, report)
    n, code, offset = (int(report[k]) for k in (kernels.ROWS, kernels.CODE, kernels.OFFSET))
    if code != kernels.FINE:
        raise parse_error(data, code, offset)
    ids, winner, strategy = ids[:n], winner[:n], strategy[:n]

    def fail(message: str, row: int = -1, move: int = -1) -> FormatError:
        found = np.zeros(kernels.REPORT_SIZE, np.int64)
        spare = kernels.Decisions(
            np.empty(most, np.int32), np.empty(most, np.int8), np.empty(most, np.int32)
        )
        kernels.parse_solution(letters_of(data), begin, spare, kernels.Stop(row, move), found)
        return error_at(data, int(found[kernels.OFFSET]), message)

    if not report[kernels.RISING] and (row := second_time(ids)) is not None:
        raise fail(f"{ids[row]} appears twice", row)
    place, to = _places(graph, ids), _places(graph, strategy)
    if (place < 0).any():
        row = int(np.argmax(place < 0))
        raise fail(f"the game has no position {ids[row]}", row)
    if ((to < 0) & (strategy >= 0)).any():
        row = int(np.argmax((to < 0) & (strategy >= 0)))
        raise fail(f"the game has no position {strategy[row]}", move=row)
    if n < graph.n:
        v = int(np.argmin(np.isin(np.arange(graph.n), place)))
        raise FormatError(f"position {graph.name(v)!r} has no winner: no statement begins with it")
    winners, moves = np.empty(n, np.int8), np.empty(n, np.int32)
    winners[place], moves[place] = winner, to
    return parity_solution(graph, objective, SOLVER, winners, moves)


def _places(graph: Graph, ids: Int32Array) -> Int64Array:
    """Positions by identifier, -1 for an unknown one."""
    known = ids_of(graph)
    if graph.n == 0:
        return np.full(ids.size, -1, np.int64)
    return np.where(ids < 0, -1, locate(known, np.maximum(ids, 0)))


def write_solution(solution: Solution) -> bytes:
    """Write a solution of a parity game.

    >>> from zermelo.objectives import Parity
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> write_solution(parity_solution(g, Parity([1, 2]), "me", np.zeros(2), np.array([1, 0])))
    b'paritysol 1;\\n0 0 1;\\n1 0;\\n'
    """
    if not isinstance(solution, ParitySolution):
        raise InvalidObjectiveError(
            "the sol format stores solutions of parity games, "
            f"got one of a game of {solution.objective.keyword!r}"
        )
    graph = solution.graph
    ids = ids_of(graph)
    head = f"paritysol {int(ids.max(initial=0))};\n".encode()
    out: AnyArray = np.empty(len(head) + 26 * graph.n + 1, np.uint8)
    out[: len(head)] = np.frombuffer(head, np.uint8)
    winner = (1 - solution.level).astype(np.int8)
    size = kernels.write_solution(ids, winner, solution.strategy, len(head), out)
    return out[:size].tobytes()
