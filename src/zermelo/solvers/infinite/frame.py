"""The frame around every parity solver: make the game total, run, return a solution.

A solver has a file with ``run(game, progress) -> Answer`` and ``solve = framed("name", run)``; its
row in the registry names ``solve``. Passes that make a game smaller before it is solved are in
``passes.py``; a solver's own ``run`` sees exactly the game that it is given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo._inputs.values import sealed
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.parity.passes import Board, count_rows, fill_rows
from zermelo._runtime import memory
from zermelo._runtime.progress import Report
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, NO_WINNER, AnyArray, Int8Array, Int32Array
from zermelo.objectives import Objective
from zermelo.objectives.infinite import priorities_on
from zermelo.solutions.parity import ParitySolution, parity_solution

Progress = Report | None


@dataclass(frozen=True, eq=False)
class ParityGame:
    """A total parity game: every position has a move, and player 0 wins iff the highest priority
    that is seen infinitely often is even. Arrays are read-only."""

    graph: Graph
    priority: Int32Array
    n: int = field(init=False)
    """The number of positions."""
    owner: Int8Array = field(init=False)
    """The player who moves at each position."""
    moves: Moves = field(init=False)
    """The moves, as kernels take them."""

    def __post_init__(self) -> None:
        graph, fields = self.graph, self.__dict__
        assert graph.owner is not None
        fields["n"], fields["owner"] = graph.n, graph.owner
        fields["moves"] = Moves(graph.indptr, graph.indices)

    @property
    def reverse(self) -> Moves:
        """The reverse moves, as kernels take them."""
        return Moves(*self.graph.reverse)


@dataclass(frozen=True, eq=False)
class Answer:
    """The result of a solver's ``run``: winners (0 or 1), and a move wherever the owner wins."""

    winner: Int8Array
    strategy: Int32Array
    stats: dict[str, Any] = field(default_factory=dict)


Run = Callable[[ParityGame, Progress], Answer]


def make_game(graph: Graph, objective: Objective) -> ParityGame:
    """The total parity game of an objective: a dead end gets a loop that its owner loses.

    >>> from zermelo import Parity
    >>> game = make_game(Graph.from_edges([(0, 1)], owner=[0, 0]), Parity([2, 2]))
    >>> game.graph.to_edges().tolist(), game.priority.tolist()
    ([[0, 1], [1, 1]], [2, 1])
    """
    priority = priorities_on(objective, graph)
    dead = graph.terminals
    if dead.size:
        assert graph.owner is not None
        priority[dead] = 1 - graph.owner[dead]
        degree = np.diff(graph.indptr)
        degree[dead] = 1
        indptr = np.zeros(graph.n + 1, np.int64)
        np.cumsum(degree, out=indptr[1:])
        indices = np.insert(graph.indices, graph.indptr[dead], dead)
        graph = Graph._of(indptr, indices.astype(np.int32), graph.owner, graph.names)
    return ParityGame(graph, sealed(priority))


def new_board(game: ParityGame) -> Board:
    """A board on which nothing is decided.

    >>> game = ParityGame(Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=[0, 1]), np.zeros(2))
    >>> new_board(game).left.tolist()
    [2, 1]
    """
    n = game.n
    winner, strategy = np.full(n, NO_WINNER, np.int8), np.full(n, NO_MOVE, np.int32)
    return Board(winner, strategy, game.graph.out_degree.copy(), np.empty(n, np.int32))


def cut(
    game: ParityGame, members: Int32Array, winner: Int8Array, number: Int32Array, loops: bool = True
) -> ParityGame:
    """The subgame of undecided positions, closed under undecided moves, with or without loops.

    ``members`` are increasing, ``number`` is scratch of n entries.

    >>> graph = Graph.from_edges([(0, 0), (1, 0), (1, 2), (2, 2), (2, 1)], owner=[0, 0, 1])
    >>> game, winner = ParityGame(graph, np.zeros(3, np.int32)), np.array([0, -1, -1], np.int8)
    >>> part = cut(game, np.array([1, 2], np.int32), winner, np.empty(3, np.int32))
    >>> part.graph.to_edges().tolist(), part.owner.tolist()
    ([[0, 1], [1, 0], [1, 1]], [0, 1])
    """
    number[members] = np.arange(members.size, dtype=np.int32)
    rows = np.zeros(members.size + 1, np.int64)
    count_rows(game.moves, winner, members, rows, int(loops))
    targets = np.empty(int(rows[-1]), np.int32)
    fill_rows(game.moves, winner, members, number, targets, int(loops))
    graph = Graph._of(rows, targets, game.owner[members])
    return ParityGame(graph, sealed(game.priority[members]))


def write(members: AnyArray, answer: Answer, winner: Int8Array, strategy: Int32Array) -> None:
    """Write a subgame's answer to its members.

    >>> winner, strategy = np.full(3, -1, np.int8), np.full(3, -1, np.int32)
    >>> answer = Answer(np.array([1, 0], np.int8), np.array([1, -1], np.int32))
    >>> write(np.array([0, 2]), answer, winner, strategy)
    >>> winner.tolist(), strategy.tolist()
    ([1, -1, 0], [2, -1, -1])
    """
    move = answer.strategy
    winner[members] = answer.winner
    strategy[members] = np.where(move == NO_MOVE, NO_MOVE, members[move]) if move.size else move


def compress(priority: AnyArray) -> Int32Array:
    """The least priorities of the same order and parity.

    Two priorities become equal if no priority of the other parity lies between them.

    >>> compress(np.array([7, 1000, 9, 3, 1004])).tolist()
    [1, 2, 1, 1, 2]
    """
    values, place = np.unique(priority, return_inverse=True)
    parity = values & 1
    step = np.concatenate([parity[:1], parity[1:] != parity[:-1]])
    compressed: Int32Array = np.cumsum(step)[place.reshape(-1)].astype(np.int32)
    return compressed


def estimate(graph: Graph) -> int:
    """Bytes that the leanest solvers (``zielonka``, ``buchi``) allocate beyond the graph itself.

    At the peak, these are 12 for each move and 8 for each position for the reverse moves, unless
    the graph has them already, and 60 for each position for the solver's arrays and the answer (34
    with few priorities). A game with dead ends is copied, with 4 for each move and 8 for each
    position.

    >>> estimate(Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]))
    160
    """
    copied = graph.terminals.size > 0
    reverse = 0 if "reverse" in graph.__dict__ and not copied else 12 * graph.m + 8 * graph.n
    return reverse + 60 * graph.n + copied * (4 * graph.m + 8 * graph.n)


def estimate_game(graph: Graph, objective: Objective) -> int:
    """Bytes that the leanest solvers allocate for any parity game on a graph."""
    return estimate(graph)


def require_memory(graph: Graph, name: str) -> None:
    """Refuse a game that does not fit in memory, before anything is allocated."""
    memory.require(
        estimate(graph),
        f"{name} on {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or solve a part of it",
    )


def framed(name: str, run: Run) -> Callable[..., ParitySolution]:
    """The ``solve`` of a solver's file; ``passes`` are the names of the passes before ``run``."""

    def solve(
        graph: Graph, objective: Objective, progress: Progress = None, passes: Sequence[str] = ()
    ) -> ParitySolution:
        require_memory(graph, name)
        whole = run
        if passes:
            from zermelo.solvers.infinite.passes import prepared

            whole = prepared(run, passes)
        answer = whole(make_game(graph, objective), progress)
        used = answer.stats.get("algorithm", name)
        return parity_solution(graph, objective, used, answer.winner, answer.strategy, answer.stats)

    return solve
